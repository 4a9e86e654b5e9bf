"""What nobody has used since some moment, by the times that are stored anyway: no page writes one for this.

What is linked is used together: a book and its matches and nights, a night and the matches at its tables, the matches
of a money night. Nothing here commits.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from scorekeeper.access.roles import Kind
from scorekeeper.database.rows import in_parts, utc
from scorekeeper.database.tables import (
    BookEventRow,
    BookLinkRow,
    BookMatchRow,
    BookRow,
    DeviceBookRow,
    DeviceMatchRow,
    EventRow,
    HandDraftRow,
    LinkRow,
    MatchRow,
    MoneyChangeRow,
    NightEventRow,
    NightLinkRow,
    NightRow,
)

_AT_ONCE = 500
_Place = tuple[Kind, int]
_Column = tuple[Kind, Any]
_KINDS: tuple[Kind, ...] = ("match", "book", "night")


def _column(kind: Kind, row: Any, name: str) -> _Column:
    return kind, row.__table__.c[name]


_PLACES: Mapping[Kind, _Column] = {
    "match": _column("match", MatchRow, "id"),
    "book": _column("book", BookRow, "id"),
    "night": _column("night", NightRow, "id"),
}
_LINKS: Mapping[Kind, _Column] = {
    "match": _column("match", LinkRow, "match_id"),
    "book": _column("book", BookLinkRow, "book_id"),
    "night": _column("night", NightLinkRow, "night_id"),
}
_TIMES: Sequence[tuple[_Column, str]] = [
    *((column, "created_at") for column in (*_PLACES.values(), *_LINKS.values())),
    (_column("match", DeviceMatchRow, "match_id"), "last_seen"),
    (_column("match", HandDraftRow, "match_id"), "at"),
    (_column("book", DeviceBookRow, "book_id"), "last_seen"),
]
_EVENTS = (
    _column("match", EventRow, "match_id"),
    _column("book", BookEventRow, "book_id"),
    _column("night", NightEventRow, "night_id"),
)
_TIES = (
    (_column("match", BookMatchRow, "match_id"), _column("book", BookMatchRow, "book_id")),
    (_column("night", NightRow, "id"), _column("book", NightRow, "book_id")),
    (_column("night", NightEventRow, "night_id"), _column("match", NightEventRow, "match_id")),
    (_column("match", MoneyChangeRow, "match_id"), _column("match", MoneyChangeRow, "earlier_id")),
)
"""The columns that link matches, books and nights to each other."""
_NEVER, _JUST_NOW = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Unused:
    """Matches, books and nights that are linked and were not used."""

    ids: Mapping[Kind, Sequence[int]]
    """The ids of the matches, the books and the nights."""
    events: int
    """The number of events in all of it."""


def unused(session: Session, before: datetime, among: Unused | None = None) -> list[Unused]:
    """Return what was not used since a moment: of everything, or `among` what was found a while ago."""
    used: dict[_Place, datetime] = {}
    for (kind, column), name in _TIMES:
        times = sa.select(column, sa.func.max(column.table.c[name])).group_by(column)
        for stream_id, at in _rows(session, times, [(kind, column)], among):
            used[kind, stream_id] = max(used.get((kind, stream_id), _NEVER), utc(at))
    kind, column = _LINKS["match"]
    linked = {stream_id for (stream_id,) in _rows(session, sa.select(column).distinct(), [(kind, column)], among)}
    for place in used:
        if place[0] == "match" and place[1] not in linked:  # it is being imported
            used[place] = _JUST_NOW
    groups = [
        group for group in _groups(session, used, among) if max(used.get(place, _JUST_NOW) for place in group) < before
    ]
    said = _said(session, groups)
    return [
        Unused({wanted: sorted(number for kind, number in group if kind == wanted) for wanted in _KINDS}, events)
        for group in groups
        for last, events in [_sum(said.get(place) for place in group)]
        if last < before
    ]


def _groups(session: Session, places: Mapping[_Place, datetime], among: Unused | None) -> list[list[_Place]]:
    """Return groups of matches, books and nights that are linked."""
    parents: dict[_Place, _Place] = {}

    def root(place: _Place) -> _Place:
        while (parent := parents.get(place, place)) != place:
            parents[place] = parents.get(parent, parent)
            place = parent
        return place

    for (kind, column), (other_kind, other) in _TIES:
        tied = sa.select(column, other).where(column.is_not(None), other.is_not(None)).distinct()
        for one, another in _rows(session, tied, [(kind, column), (other_kind, other)], among):
            parents[root((kind, one))] = root((other_kind, another))
    found: dict[_Place, list[_Place]] = {}
    for place in dict.fromkeys((*places, *parents)):
        found.setdefault(root(place), []).append(place)
    return [*found.values()]


def _said(session: Session, groups: Sequence[Sequence[_Place]]) -> dict[_Place, tuple[datetime, int]]:
    """Return when the last event in each place was written, and how many events it has."""
    found: dict[_Place, tuple[datetime, int]] = {}
    for kind, column in _EVENTS:
        said = sa.select(column, sa.func.max(column.table.c.at), sa.func.count()).group_by(column)
        for some in in_parts([number for group in groups for its, number in group if its == kind], _AT_ONCE):
            for stream_id, at, events in session.execute(said.where(column.in_(some))):
                found[kind, stream_id] = utc(at), events
    return found


def _sum(said: Iterator[tuple[datetime, int] | None]) -> tuple[datetime, int]:
    written = [used for used in said if used]
    return max((at for at, _ in written), default=_NEVER), sum(events for _, events in written)


def _rows(session: Session, found: Any, columns: Sequence[_Column], among: Unused | None) -> Iterator[Any]:
    """Yield what is selected of everything, or where one of these columns names what is among some."""
    if among is None:
        yield from session.execute(found)
        return
    for kind, column in columns:
        for some in in_parts(among.ids[kind], _AT_ONCE):
            yield from session.execute(found.where(column.in_(some)))


def codes_of(session: Session, found: Unused) -> Iterator[str]:
    """Yield the codes of all links to it."""
    for kind, column in _LINKS.values():
        for some in in_parts(found.ids[kind], _AT_ONCE):
            yield from session.execute(sa.select(column.table.c.code).where(column.in_(some))).scalars()


def lock(session: Session, found: Unused) -> None:
    """Lock it against writes until the end of the transaction, which has not read yet."""
    for kind, column in _PLACES.values():
        for some in in_parts(found.ids[kind], _AT_ONCE):
            # SQLite waits for other transactions on a write, PostgreSQL on SELECT … FOR UPDATE.
            session.execute(sa.update(column.table).where(column.in_(some)).values(id=column))
            session.execute(sa.select(column).where(column.in_(some)).with_for_update())
