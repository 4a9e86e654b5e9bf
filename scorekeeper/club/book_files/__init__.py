"""A book as one file, written and imported."""
