"""Sheets for the printer. WeasyPrint is known here and nowhere else."""
