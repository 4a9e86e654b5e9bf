"""Ladder nights: several tables play rounds, after which winners go up a table."""
