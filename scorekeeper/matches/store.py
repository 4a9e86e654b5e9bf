"""The queries for matches, their events and their endings; none of them commits."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from scorekeeper.access.links import MATCH_LINKS
from scorekeeper.access.roles import Link
from scorekeeper.database.rows import Row, Select, insert_row, utc
from scorekeeper.database.tables import (
    LISTED_EVENT_KINDS,
    BookMatchRow,
    DeviceMatchRow,
    EndingRow,
    EventRow,
    LinkRow,
    MatchRow,
)
from scorekeeper.eventlog.store import EventTable
from scorekeeper.eventlog.stream import OWNER
from scorekeeper.matches.events import EVENT_KINDS
from scorekeeper.matches.fold import Ending
from scorekeeper.matches.setup import MatchSetup, SetupSeat, SetupSide

MATCH_EVENTS = EventTable(EventRow.__table__, "match_id", EVENT_KINDS)
"""The table of the events of all matches."""


def read_setup(row: Row) -> MatchSetup:
    """Return the setup of a match from a row with the columns `SETUP_COLUMNS`."""
    columns = {column.name: getattr(row, column.name) for column in SETUP_COLUMNS}
    seats = tuple(SetupSeat(**seat) for seat in row.seats)
    sides = tuple(SetupSide(**{**side, "seats": tuple(side["seats"])}) for side in row.sides)
    converted = {"id": columns.pop("match_id"), "created_at": utc(row.created_at), "seats": seats, "sides": sides}
    return MatchSetup(**columns | converted)


def setup_values(setup: MatchSetup) -> dict[str, object]:
    """Return a setup as the values of a match's row, keyed by column, without the id; the reverse of `read_setup`."""
    values = asdict(setup)
    del values["id"]
    for column in ("seats", "sides"):
        values[column] = [
            {name: value for name, value in item.items() if value or name not in _OMITTED_IF_EMPTY}
            for item in values[column]
        ]
    return values


_OMITTED_IF_EMPTY = ("mark", "unnamed", "evening")
"""The fields of seats and sides that are stored only if they have a value."""


_MATCHES, _LINKS, _VISITS, _IN_BOOKS, _ENDINGS, _EVENTS = (
    row.__table__ for row in (MatchRow, LinkRow, DeviceMatchRow, BookMatchRow, EndingRow, EventRow)
)
# Columns instead of rows: they are read in half the time, and nothing is lazily loaded. The ruleset is left out, for
# it is the largest of them and seldom new.
SETUP_COLUMNS: tuple[sa.ColumnElement[Any], ...] = (
    _MATCHES.c.id.label("match_id"),
    *(column for column in _MATCHES.c if column.name not in ("id", "client_key", "ruleset")),
)
_IS_LINK_IN_FORCE = _LINKS.c.revoked_at.is_(None)
# Written as in the index, so that the database uses the index.
IS_LISTED_KIND = sa.literal_column("event.kind").in_([sa.literal_column(f"'{kind}'") for kind in LISTED_EVENT_KINDS])
"""The SQL condition for events of the kinds that lists of matches need."""

# Built once: building these statements for every page would take longer than running them.
_SELECT_SETUP: Select = sa.select(*SETUP_COLUMNS)
_SELECT_BY_ID = _SELECT_SETUP.where(_MATCHES.c.id == sa.bindparam("match_id"))
_SELECT_OF_DEVICE: Select = (
    sa.select(*SETUP_COLUMNS, *MATCH_LINKS.columns)
    .select_from(_VISITS)
    .join(_MATCHES, _MATCHES.c.id == _VISITS.c.match_id)
    .join(_LINKS, _LINKS.c.id == _VISITS.c.link_id)
    .where(_VISITS.c.device == sa.bindparam("device"), _IS_LINK_IN_FORCE)
    .order_by(_VISITS.c.last_seen.desc(), _MATCHES.c.id.desc())
    .limit(sa.bindparam("at_most", type_=sa.Integer))
)
_SAME_BOOK = _IN_BOOKS.alias()
_SELECT_OTHER_FINISHED = (
    _SELECT_SETUP.join(_IN_BOOKS, _IN_BOOKS.c.match_id == _MATCHES.c.id)
    .join(_SAME_BOOK, _SAME_BOOK.c.book_id == _IN_BOOKS.c.book_id)
    .join(_ENDINGS, _ENDINGS.c.match_id == _MATCHES.c.id)
    .where(_SAME_BOOK.c.match_id == sa.bindparam("match_id"), _MATCHES.c.id != sa.bindparam("match_id"))
    .where(_MATCHES.c.created_at >= sa.bindparam("since"), _ENDINGS.c.status == "over")
    .order_by(_MATCHES.c.id)
)


def setup_by_id(session: Session, match_id: int) -> MatchSetup:
    """Return the setup of the match with an id, which has to exist."""
    return read_setup(session.execute(_SELECT_BY_ID, {"match_id": match_id}).one())


def read_setups(session: Session, selected: Select, **values: object) -> list[MatchSetup]:
    """Return the setups that a query for `SETUP_COLUMNS` selects; `values` are its parameters."""
    return [read_setup(row) for row in session.execute(selected, values)]


def setups_after(session: Session, after: int, at_most: int) -> list[MatchSetup]:
    """Return the setups of the next `at_most` matches with ids above `after`, in order."""
    query = _SELECT_SETUP.where(_MATCHES.c.id > after).order_by(_MATCHES.c.id).limit(at_most)
    return read_setups(session, query)


def setups_before(session: Session, before: int, at_most: int) -> list[MatchSetup]:
    """Return the setups of the latest `at_most` matches with ids below `before`, latest first.

    Matches without a link are left out.
    """
    # One that is being imported has no link yet.
    conditions = _MATCHES.c.id < before, sa.exists().where(_LINKS.c.match_id == _MATCHES.c.id)
    query = _SELECT_SETUP.where(*conditions).order_by(_MATCHES.c.id.desc()).limit(at_most)
    return read_setups(session, query)


def setups_by_ids(session: Session, match_ids: Sequence[int]) -> list[MatchSetup]:
    """Return the setups of matches in the order of `match_ids`; unknown ids are left out."""
    setups_by_id = {
        setup.id: setup for setup in read_setups(session, _SELECT_SETUP.where(_MATCHES.c.id.in_(match_ids)))
    }
    return [setups_by_id[match_id] for match_id in match_ids if match_id in setups_by_id]


def other_finished_setups(session: Session, match_id: int, since: datetime) -> list[MatchSetup]:
    """Return the setups of finished matches in the book of a match, except that match, ordered by id.

    Only matches that began at or after `since` are returned.
    """
    return read_setups(session, _SELECT_OTHER_FINISHED, match_id=match_id, since=since)


def setup_and_book_by_uid(session: Session, uid: str) -> tuple[MatchSetup, int | None] | None:
    """Return the setup of the match with a `uid`, and the id of its book, or `None`; `None` alone without a match."""
    query: Select = sa.select(*SETUP_COLUMNS, _IN_BOOKS.c.book_id).outerjoin(
        _IN_BOOKS, _IN_BOOKS.c.match_id == _MATCHES.c.id
    )
    row = session.execute(query.where(_MATCHES.c.uid == uid)).first()
    return (read_setup(row), row.book_id) if row else None


def setups_played_on(session: Session, days: Collection[str | None], device: str | None) -> list[MatchSetup]:
    """Return the setups of matches that had one of these days when they began or after a change, ordered by id.

    `None` among `days` stands for a match that began without a day. With `device`, the digest of a device code, only
    matches on its list are returned.
    """
    known_days = [day for day in days if day is not None]
    undated_condition = [_MATCHES.c.played_on.is_(None)] if None in days else []
    moved_ids = sa.select(_EVENTS.c.match_id).where(
        IS_LISTED_KIND, _EVENTS.c.payload["played_on"].as_string().in_(known_days)
    )
    day_condition = sa.or_(_MATCHES.c.played_on.in_(known_days), _MATCHES.c.id.in_(moved_ids), *undated_condition)
    listed_ids = sa.select(_VISITS.c.match_id).where(_VISITS.c.device == device)
    query = _SELECT_SETUP.where(day_condition, *([_MATCHES.c.id.in_(listed_ids)] if device else []))
    return read_setups(session, query.order_by(_MATCHES.c.id))


def ruleset_text(session: Session, match_id: int) -> str:
    """Return the stored JSON of the ruleset that a match began with."""
    return str(session.execute(sa.select(_MATCHES.c.ruleset).where(_MATCHES.c.id == match_id)).scalar_one())


def owned_setups(session: Session) -> list[MatchSetup]:
    """Return the setups of all matches with an owner's link in force, deleted or not, oldest first."""
    is_owned = sa.exists().where(_LINKS.c.match_id == _MATCHES.c.id, _LINKS.c.role == OWNER, _IS_LINK_IN_FORCE)
    return read_setups(session, _SELECT_SETUP.where(is_owned).order_by(_MATCHES.c.id))


def linked_setups_of_device(session: Session, device: str, at_most: int) -> list[tuple[MatchSetup, Link]]:
    """Return the setups of the `at_most` matches that a device opened last, with their links, last opened first.

    `device` is the digest of a device code. A match whose link has ended is left out.
    """
    rows = session.execute(_SELECT_OF_DEVICE, {"device": device, "at_most": at_most})
    return [(read_setup(row), MATCH_LINKS.link_of_row(row)) for row in rows]


def add_match(session: Session, values: Mapping[str, object], idempotency_key: str | None) -> int:
    """Insert a match from its values, keyed by column, and return its id."""
    return insert_row(session, _MATCHES, {**values, "client_key": idempotency_key})


def stored_endings(session: Session, match_ids: Sequence[int]) -> dict[int, Ending]:
    """Return the stored endings of matches, keyed by match id; those still to be computed are left out."""
    rows = session.execute(sa.select(_ENDINGS).where(_ENDINGS.c.match_id.in_(match_ids)))
    return {row.match_id: Ending(row.status, tuple(row.winners), row.scores) for row in rows if row.status}


def set_ending(session: Session, match_id: int, ending: Ending | None) -> None:
    """Store the ending of a match in place of the old one; `None` deletes it."""
    session.execute(sa.delete(_ENDINGS).where(_ENDINGS.c.match_id == match_id))
    if ending is not None:
        add_ending(session, match_id, ending)


def add_ending(session: Session, match_id: int, ending: Ending) -> None:
    """Insert the ending of a match, which must not have a stored one."""
    session.execute(sa.insert(_ENDINGS), {"match_id": match_id, **asdict(ending)})


def ids_with_missing_ending(session: Session, after: int, at_most: int) -> list[int]:
    """Return the next `at_most` ids above `after` of matches whose ending is still to be computed, in order."""
    query = sa.select(_ENDINGS.c.match_id).where(_ENDINGS.c.status.is_(None), _ENDINGS.c.match_id > after)
    return list(session.execute(query.order_by(_ENDINGS.c.match_id).limit(at_most)).scalars())


def store_missing_ending(session: Session, match_id: int, ending: Ending | None) -> None:
    """Store the computed ending of a match, unless an event has set it meanwhile.

    `None` is for a match that has not ended.
    """
    conditions = _ENDINGS.c.match_id == match_id, _ENDINGS.c.status.is_(None)
    if ending is None:
        session.execute(sa.delete(_ENDINGS).where(*conditions))
    else:
        session.execute(sa.update(_ENDINGS).where(*conditions).values(asdict(ending)))
