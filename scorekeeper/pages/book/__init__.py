"""The pages of a book, a list of matches that several phones share; and moving a match to another book."""
