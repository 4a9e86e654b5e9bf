"""One hand or match under other rules: what if, and other readings of a rule."""
