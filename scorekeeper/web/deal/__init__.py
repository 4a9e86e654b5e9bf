"""Who deals next."""
