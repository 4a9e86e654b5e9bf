"""A book, as a household or a club has one: its matches, and which names in them are one person."""
