"""A book as a file, and back: looked at first, then imported."""
