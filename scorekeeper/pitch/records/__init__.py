"""The match record and its result, as JSON files."""
