"""Hands that another side has to accept."""
