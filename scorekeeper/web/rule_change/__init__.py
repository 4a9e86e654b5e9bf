"""Changing a rule in the middle of a match."""
