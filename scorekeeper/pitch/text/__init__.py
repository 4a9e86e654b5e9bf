"""Hands, matches and events in sentences that a family can read.

Functions that mention players or sides take their names: a mapping from the ids of seats and sides to display names.
"""
