"""The pages that score a match again under other rules."""
