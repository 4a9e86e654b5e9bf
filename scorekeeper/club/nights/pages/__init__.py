"""The pages of a ladder night."""
