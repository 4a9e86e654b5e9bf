"""A match: its setup, its events and the log into which they are folded, and how it is stored, loaded and written."""
