"""Score hands and matches: entered hands in, scores with reasons out."""
