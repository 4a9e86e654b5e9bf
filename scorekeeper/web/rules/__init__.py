"""Rules to read, of every game, with house rules, and of a match."""
