"""The pages that start a new match: choose the game, then enter names, seats and house rules."""
