"""Entering a hand, and conflicts of two phones that enter the same hand."""
