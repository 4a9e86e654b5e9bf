"""Hands, matches and events in sentences that a family can read.

Functions that mention people take their names: a mapping from the ids of seats and sides to display names.
"""
