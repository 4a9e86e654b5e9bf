"""The pages of "Who won?", which settle one hand without a match: all input is in the URL, and nothing is stored."""
