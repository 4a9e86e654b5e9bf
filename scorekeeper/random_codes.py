"""Codes that are not to be guessed, for links and invitations, and uids for matches and books."""

import secrets


def new_code() -> str:
    """Return a new random code or uid of 22 letters, which have 128 random bits: "x3Vt0kCwQeGz6aYbLmP9-A"."""
    while (code := secrets.token_urlsafe(16)).startswith("-"):  # a leading dash would mark an option
        pass
    return code
