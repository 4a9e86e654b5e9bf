"""What is written down in a match: events, the log that folds them, and what may be written next."""
