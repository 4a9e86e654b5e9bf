"""The connected phones: invitations, joining, and the role of each phone."""
