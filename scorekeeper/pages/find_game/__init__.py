"""The page "Which Pitch do you play?": questions that find a game."""
