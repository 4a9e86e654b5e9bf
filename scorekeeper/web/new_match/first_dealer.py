"""How this phone's table finds the first dealer of the next match: a choice kept in its cookie."""

from flask import session

from scorekeeper.web.new_match.form import NEXT, PICKS

_KEY = "first_dealer"


def remembered_pick() -> str:
    """Return how the first dealer was found last; the deal goes on in turn where nobody chose."""
    kept = session.get(_KEY)
    return kept if isinstance(kept, str) and kept in PICKS else NEXT


def remember_pick(pick: str) -> None:
    """Remember how the first dealer is found."""
    session[_KEY] = pick
