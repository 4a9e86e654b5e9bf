"""A family's own rules: the list, the editor, sharing."""
