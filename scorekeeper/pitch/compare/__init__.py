"""Score a hand or a match again under other rules, for “What if” pages and for rules that a table disputes."""
