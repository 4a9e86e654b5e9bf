"""A book: its matches, and its name."""
