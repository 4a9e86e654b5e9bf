"""Which Pitch do you play: the questions and the list that find a game to play, to read, to print or to change."""
