"""An event of every kind, from the kinds' own list: a new kind, or a new field, fails here until it has a value."""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from datetime import date
from typing import Any

from scorekeeper.book import events as book
from scorekeeper.club.nights import events as night
from scorekeeper.eventlog.fields import Flag
from scorekeeper.eventlog.stream import Event
from scorekeeper.matches import events as match
from scorekeeper.pitch.scoring.hand import Hand

HAND = Hand(
    alone=True,
    taken={"jack": None, "high": "s1"},
    auction=(("p1", 3), ("p2", "pass")),
    note="é ♠ 👩‍🌾\n2",
)
_DAY = date(2026, 11, 20).isoformat()
_VALUES: dict[str, Any] = {
    "before": 1,
    "by": "s2",
    "cents": 120,
    "creditor": "c" * 22 + "/p1",
    "debtor": "c" * 22 + "/p2",
    "by_book": True,
    "hand": HAND,
    "house": {"low": "held", "max_bid": None},
    "into": "c" * 22,
    "left": {"p3/2": "Cleo ♠"},
    "marks": {"s1": 2, "s2": 1},
    "name": "Zoë ♠",
    "names": {"p3": "Eva ♠"},
    "note": "Cal’s birthday ♠\n2",
    "notes": ("Reneging: the bid is lost ♠",),
    "on": _DAY,
    "person": "a" * 22,
    "place": "Grandma’s",
    "played_on": _DAY,
    "says": "wrong",
    "seat": "p1",
    "since": _DAY,
    "sittings": 1,
    "target": 1,
    "title": "Sunday ♠",
    "uid": 1,
    "version": 1,
    "who": "p1",
}


def _every(kinds: Mapping[str, type[Event]], **values: Any) -> tuple[Any, ...]:
    """Return of every kind an event with all its fields, and one with only those that are required."""
    return tuple(_made(event, wholly, _VALUES | values) for event in kinds.values() for wholly in (True, False))


def _made(event: type[Any], wholly: bool, values: Mapping[str, Any]) -> Any:
    needed = [
        field for field in fields(event) if wholly or (field.default is MISSING and field.default_factory is MISSING)
    ]
    return event(**{found.name: True if found.type in (bool, Flag) else values[found.name] for found in needed})


EVENT_KINDS: tuple[Event, ...] = _every(match.EVENT_KINDS)


NIGHT_EVENT_KINDS: tuple[Event, ...] = _every(
    night.NIGHT_EVENT_KINDS,
    match=1,
    pair=1,
    players=("Zoë ♠", "Cal"),
    round=1,
    rounds=6,
    scores=(-3, 21),
    sits_out=5,
    table=2,
    tables=((1, 2), (3, 4)),
    winner=1,
    partners=(((1, 2), (3, 4)),),
    out=(5,),
    phone=3,
    mode="singles",
    ranking="wins",
    minutes=20,
    confirms=True,
    fee="$5",
    prizes="The jar ♠",
    late=True,
)


def book_events(uid: str) -> tuple[Event, ...]:
    """Return the same of a book with a match in it, by the match's uid."""
    return _every(book.BOOK_EVENT_KINDS, match=uid)
