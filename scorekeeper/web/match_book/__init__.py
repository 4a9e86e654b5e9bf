"""Which book a match is in: moving it, or keeping it out."""
