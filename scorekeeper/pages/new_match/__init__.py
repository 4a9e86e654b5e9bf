"""A new match: which game, then who plays and what the table agrees."""
