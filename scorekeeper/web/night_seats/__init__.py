"""Where a pair sits now, the wall, and joining a night."""
