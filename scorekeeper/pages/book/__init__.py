"""A book: its list of matches, and moving a match to another one."""
