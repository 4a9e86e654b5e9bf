"""Telling others how a match stands."""
