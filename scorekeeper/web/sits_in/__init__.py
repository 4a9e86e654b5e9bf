"""A player leaves, and another sits in."""
