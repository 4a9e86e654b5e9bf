"""The pages of books, the lists of matches that several phones share."""
