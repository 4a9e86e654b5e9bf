"""A tournament night by the ladder: facts in, who sits where out."""
