"""Unguessable codes, as for links and invitations, and uids, as for matches and books."""

import secrets


def new_code() -> str:
    """Return a random code or uid of 22 characters (128 bits)."""
    while (code := secrets.token_urlsafe(16)).startswith("-"):  # a leading dash would mark an option
        pass
    return code
