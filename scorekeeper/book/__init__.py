"""The book of a household or a club: its matches, and which names in them belong to one person."""
