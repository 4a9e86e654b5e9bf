"""The pages of connected phones: inviting them, joining with a phone, and the role of each phone."""
