"""Matches in files: records that are exported and imported, and spreadsheets."""
