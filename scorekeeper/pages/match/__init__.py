"""The match page: the scoreboard, the last hands, the verdict."""
