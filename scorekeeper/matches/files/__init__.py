"""Matches as files: records exported and imported, and spreadsheets."""
