"""A ladder night by the ladder: facts in, who sits where out."""
