"""What is written down in a match: facts, the log that folds them, and what may be written next."""
