"""Who may see and write what: links, roles, invitations, phones."""
