"""All hands of a match, and its change log."""
