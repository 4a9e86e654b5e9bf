"""The connected phones of a book."""
