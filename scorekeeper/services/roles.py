"""What a link allows: to look on, to write as well, or to decide who may."""

from scorekeeper.store.matches import OWNER, SCORER, WATCHER

RANKS = {WATCHER: 0, SCORER: 1, OWNER: 2}


def allows(role: str, least: str) -> bool:
    """Say whether a role is at least another."""
    return RANKS.get(role, 0) >= RANKS[least]


def higher(one: str, other: str) -> str:
    """Give the role of the two that allows more."""
    return one if allows(one, other) else other


__all__ = ["OWNER", "RANKS", "SCORER", "WATCHER", "allows", "higher"]
