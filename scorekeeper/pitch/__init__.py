"""The game as a pure library: rules, scores, sentences and files, without clock, chance, Flask or tables."""
