"""A match scored again under other rules."""
