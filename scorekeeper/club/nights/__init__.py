"""Ladder nights: from the events of a night, who sits where."""
