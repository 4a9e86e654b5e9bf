"""What was typed at a table that has not started, kept in the phone's cookie while another page is open.

It belongs to the way in to that table, and ends with a start, with another new match, and after an evening.
"""

import json
import time
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from flask import session

from scorekeeper.web.match_book.page import FIELD as BOOK_FIELD
from scorekeeper.web.new_match.form import (
    CHAIRS_FIELD,
    DEALER_FIELD,
    SEAT_PREFIX,
    SEATS_FIELD,
    SIDE_PREFIX,
    TITLE_FIELD,
)
from scorekeeper.web.new_match.way_in import WayIn

_DRAFT = "new_match"
_WAY, _AT, _MOVES, _TYPED = "way", "at", "moves", "typed"
_NOT_KEPT = ("csrf_token", "client_key", "do", "r", CHAIRS_FIELD)
_OF_PEOPLE = (SEATS_FIELD, SEAT_PREFIX, SIDE_PREFIX, DEALER_FIELD, TITLE_FIELD, BOOK_FIELD)
"""How the names of fields begin in which people sit down, whatever they play."""
_LARGEST = 2500
"""Letters as JSON: a cookie holds about 4,000."""
KEPT_FOR = 6 * 60 * 60
"""Seconds."""


def keep_draft(way: WayIn, args: Mapping[str, str], posted: Mapping[str, str], *, moves: bool) -> None:
    """Keep what was typed otherwise than an address has it; of a very long one only who sits where.

    Where the table `moves` to another game, its people go along.
    """
    told = {**posted, SEATS_FIELD: posted.get(CHAIRS_FIELD, "")}
    typed = {name: text for name, text in told.items() if name not in _NOT_KEPT and text != args.get(name, "")}
    if len(json.dumps(typed)) > _LARGEST:
        typed = _people(typed)
    if len(json.dumps(typed)) <= _LARGEST:
        session[_DRAFT] = {_WAY: _name_of(way), _AT: int(time.time()), _MOVES: moves, _TYPED: typed}


def read_draft(way: WayIn) -> dict[str, str]:
    """Return what was typed at the table of this way in."""
    draft = _draft()
    typed: dict[str, str] = draft.get(_TYPED, {})
    return typed if draft.get(_WAY) == _name_of(way) else {}


def moving_people() -> dict[str, str]:
    """Return who sits at a table that looks for another game."""
    draft = _draft()
    return _people(draft[_TYPED]) if draft.get(_MOVES) else {}


def begin_anew() -> None:
    """Forget what was typed at another table, unless it looks for a game."""
    if not _draft().get(_MOVES):
        forget_draft()


def forget_draft() -> None:
    """Forget what was typed: the match has started."""
    session.pop(_DRAFT, None)


def _draft() -> dict[str, Any]:
    draft = session.get(_DRAFT)
    if not isinstance(draft, dict) or time.time() - draft.get(_AT, 0) >= KEPT_FOR:
        return {}
    return draft


def _people(typed: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in typed.items() if name.startswith(_OF_PEOPLE)}


def _name_of(way: WayIn) -> str:
    return sha256(way.address.encode()).hexdigest()[:16]
