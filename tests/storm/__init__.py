"""Phones in a storm: answers are lost, posts come late, twice and at once, and all that was acknowledged is there."""
