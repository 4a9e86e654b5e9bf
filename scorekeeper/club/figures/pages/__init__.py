"""The people of a book: what they have won, with whom and against whom, and the year at their table."""
