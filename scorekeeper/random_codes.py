"""Codes that nobody guesses: of links and invitations, and the uids of matches and books."""

import secrets


def new_code() -> str:
    """Return a new code for a link, or a new uid: 128 bits, without a leading dash, which looks like an option."""
    while (code := secrets.token_urlsafe(16)).startswith("-"):
        pass
    return code
