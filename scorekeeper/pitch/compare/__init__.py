"""One hand or match scored under other rules: What if, and alternative answers to a disputed rule."""
