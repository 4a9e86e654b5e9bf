"""Roles: watcher, scorer, and owner, who decides on the roles of others."""

OWNER, SCORER, WATCHER = "owner", "scorer", "watcher"


RANKS = {WATCHER: 0, SCORER: 1, OWNER: 2}


def allows(role: str, least: str) -> bool:
    """Return whether a role allows at least as much as another."""
    return RANKS.get(role, 0) >= RANKS[least]


def higher(one: str, other: str) -> str:
    """Return the role of the two that allows more."""
    return one if allows(one, other) else other
