"""The page of a match: the scoreboard, the last hands, and the verdict once the match is over."""
