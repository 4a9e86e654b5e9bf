"""The match on a TV."""
