"""Choosing what to print, and seeing it first."""
