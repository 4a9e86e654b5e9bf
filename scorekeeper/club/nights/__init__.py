"""A ladder night by the ladder: events in, who sits where out."""
