"""The events of a match, the log that folds them, and the checks of new events."""
