"""The database as a file: its lock, its copies, and what can go wrong with it."""
