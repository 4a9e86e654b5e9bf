"""Money nights: matches of one game, each of which continues the one before with other players."""
