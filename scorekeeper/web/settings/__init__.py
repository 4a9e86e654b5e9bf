"""The settings of a phone."""
