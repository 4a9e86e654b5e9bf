"""Entering a hand, and two phones that enter the same one."""
