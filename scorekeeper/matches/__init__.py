"""A match: how it began, its events and the log that folds them, and how it is stored, loaded and written."""
