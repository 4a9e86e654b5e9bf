"""Sheets for the printer. Only this package uses WeasyPrint."""
