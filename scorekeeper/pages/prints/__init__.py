"""Printing from the phone."""
