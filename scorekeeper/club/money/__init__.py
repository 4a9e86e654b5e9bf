"""Money nights: matches of one game, each going on from the one before."""
