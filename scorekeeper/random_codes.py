"""Unguessable codes, as for links and invitations, and uids, as for matches and books."""

import secrets


def new_code() -> str:
    """Return a random code or uid of 22 characters (128 bits), without a leading dash, which would mark an option."""
    while (code := secrets.token_urlsafe(16)).startswith("-"):
        pass
    return code
