"""The match record and its result as files have them."""
