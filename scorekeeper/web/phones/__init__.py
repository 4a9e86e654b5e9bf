"""The connected phones of a match."""
