"""The connected phones: inviting and joining them, and what each may do."""
