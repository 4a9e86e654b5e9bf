"""What if: a match scored again under other rules, beside what was played."""
