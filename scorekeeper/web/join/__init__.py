"""Joining a match by QR code or PIN."""
