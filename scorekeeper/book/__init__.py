"""A table's book: which matches are in it, and who its people are."""
