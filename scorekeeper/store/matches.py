"""Matches, their events, the links to them and how they ended: what is selected, as values, and what is inserted.

Nothing here commits.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from types import SimpleNamespace
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session
from sqlmodel import col

from scorekeeper.ledger.derive_match import Ending
from scorekeeper.ledger.facts import Event
from scorekeeper.ledger.roles import OWNER, Head, Link
from scorekeeper.ledger.setup import MatchSetup
from scorekeeper.store.codec import event_of, event_values, link_of, setup_of, setup_values
from scorekeeper.store.links import MATCH_LINKS
from scorekeeper.store.tables import BookMatchRow, DeviceMatchRow, EndingRow, EventRow, LinkRow, MatchRow

# Columns instead of rows: they are read in half the time, and nothing is loaded unasked. The ruleset is left out, for
# it is the largest of them and seldom new.
LINK = MATCH_LINKS.columns
MATCH: tuple[Any, ...] = (
    col(MatchRow.id).label("match_id"),
    *(column for column in MatchRow.__table__.c if column.name not in ("id", "client_key", "ruleset")),
)
EVENT: tuple[Any, ...] = tuple(column for column in EventRow.__table__.c if column.name not in ("id", "match_id"))

# Built once: putting a select together takes longer than running it.
_BY_CODE = (
    sa.select(*MATCH, *LINK)
    .join(LinkRow, col(LinkRow.match_id) == col(MatchRow.id))
    .where(col(LinkRow.code) == sa.bindparam("code"), col(LinkRow.revoked_at).is_(None))
)
_BY_ID = sa.select(*MATCH).where(col(MatchRow.id) == sa.bindparam("match_id"))
_AFTER = (
    sa.select(*MATCH)
    .where(col(MatchRow.id) > sa.bindparam("after"))
    .order_by(col(MatchRow.id))
    .limit(sa.bindparam("at_most", type_=sa.Integer))
)
_OWNERS = (
    sa.select(*LINK)
    .where(
        col(LinkRow.match_id).in_(sa.bindparam("match_ids", expanding=True)),
        col(LinkRow.role) == OWNER,
        col(LinkRow.revoked_at).is_(None),
    )
    .order_by(col(LinkRow.id).desc())
)
_EVENTS = sa.select(*EVENT).where(col(EventRow.match_id) == sa.bindparam("match_id")).order_by(col(EventRow.seq))
_RULESET = sa.select(col(MatchRow.ruleset)).where(col(MatchRow.id) == sa.bindparam("match_id"))
_LAST: Any = sa.select(col(EventRow.match_id).label("match_id"), sa.func.max(col(EventRow.seq)).label("seq")).where(
    col(EventRow.match_id).in_(sa.bindparam("match_ids", expanding=True))
)
_LAST_EVENTS = _LAST.group_by(col(EventRow.match_id)).subquery()
_HEADS = sa.select(col(EventRow.match_id), col(EventRow.seq), col(EventRow.client_key)).join(
    _LAST_EVENTS,
    sa.and_(_LAST_EVENTS.c.match_id == col(EventRow.match_id), _LAST_EVENTS.c.seq == col(EventRow.seq)),
)
_ALL_EVENTS = (
    sa.select(col(EventRow.match_id), *EVENT)
    .where(col(EventRow.match_id).in_(sa.bindparam("match_ids", expanding=True)))
    .order_by(col(EventRow.match_id), col(EventRow.seq))
)
_EVERY_MATCH = (
    sa.select(*MATCH, *LINK)
    .join(LinkRow, col(LinkRow.match_id) == col(MatchRow.id))
    .where(col(LinkRow.role) == OWNER, col(LinkRow.revoked_at).is_(None))
    .order_by(col(MatchRow.id), col(LinkRow.id))
)
_BEFORE = (
    sa.select(*MATCH)
    .where(
        col(MatchRow.id) < sa.bindparam("before"),
        # One that is being imported has no link yet.
        sa.exists().where(col(LinkRow.match_id) == col(MatchRow.id)),
    )
    .order_by(col(MatchRow.id).desc())
    .limit(sa.bindparam("at_most", type_=sa.Integer))
)
_OF_DEVICE = (
    sa.select(*MATCH, *LINK)
    .select_from(DeviceMatchRow)
    .join(MatchRow, col(MatchRow.id) == col(DeviceMatchRow.match_id))
    .join(LinkRow, col(LinkRow.id) == col(DeviceMatchRow.link_id))
    .where(col(DeviceMatchRow.device) == sa.bindparam("device"), col(LinkRow.revoked_at).is_(None))
    .order_by(col(DeviceMatchRow.last_seen).desc(), col(MatchRow.id).desc())
    .limit(sa.bindparam("at_most", type_=sa.Integer))
)
_BY_CLIENT_KEY = (
    sa.select(col(LinkRow.code))
    .join(MatchRow, col(MatchRow.id) == col(LinkRow.match_id))
    .where(col(MatchRow.client_key) == sa.bindparam("client_key"))
    .order_by(col(LinkRow.id))
    .limit(1)
)
_BY_IDS = (
    sa.select(*MATCH).where(col(MatchRow.id).in_(sa.bindparam("match_ids", expanding=True))).order_by(col(MatchRow.id))
)
_BY_UID: Any = (
    sa.select(*MATCH, col(BookMatchRow.book_id).label("book_id"))
    .outerjoin(BookMatchRow, col(BookMatchRow.match_id) == col(MatchRow.id))
    .where(col(MatchRow.uid) == sa.bindparam("uid"))
)
_INSERT_MATCH, _INSERT_EVENT = (sa.insert(row.__table__) for row in (MatchRow, EventRow))


def match_by_code(session: Session, code: str) -> tuple[MatchSetup, Link] | None:
    """Return a match and the link that leads to it, unless that was ended."""
    row = session.execute(_BY_CODE, {"code": code}).first()
    return (setup_of(row), link_of(row)) if row else None


def setup_by_id(session: Session, match_id: int) -> MatchSetup:
    """Return how a match began, by whatever link."""
    return setup_of(session.execute(_BY_ID, {"match_id": match_id}).one())


def setups_after(session: Session, after: int, at_most: int) -> list[MatchSetup]:
    """Return how the next matches began, by their ids."""
    return [setup_of(row) for row in session.execute(_AFTER, {"after": after, "at_most": at_most})]


def setups_before(session: Session, before: int, at_most: int) -> list[MatchSetup]:
    """Return how the matches with the next lower ids began, the latest first."""
    return [setup_of(row) for row in session.execute(_BEFORE, {"before": before, "at_most": at_most})]


def setups(session: Session, match_ids: Sequence[int]) -> list[MatchSetup]:
    """Return how several matches began, in the order of their ids."""
    return [setup_of(row) for row in session.execute(_BY_IDS, {"match_ids": list(match_ids)})]


def by_uid(session: Session, uid: str) -> tuple[MatchSetup, int | None] | None:
    """Return how the match of a uid began, and the book that it is in."""
    row = session.execute(_BY_UID, {"uid": uid}).first()
    return (setup_of(row), row.book_id) if row else None


def owners_of(session: Session, match_ids: Sequence[int]) -> dict[int, Link]:
    """Return the owner's first link of several matches."""
    return {row.place_id: link_of(row) for row in session.execute(_OWNERS, {"match_ids": list(match_ids)})}


def events_of(session: Session, match_id: int) -> tuple[Event, ...]:
    """Return a match's events in order."""
    return tuple(event_of(row) for row in session.execute(_EVENTS, {"match_id": match_id}))


def events_of_all(session: Session, match_ids: Sequence[int]) -> dict[int, tuple[Event, ...]]:
    """Return the events of several matches, each in order."""
    events: dict[int, list[Event]] = {match_id: [] for match_id in match_ids}
    for row in session.execute(_ALL_EVENTS, {"match_ids": list(match_ids)}):
        events[row.match_id].append(event_of(row))
    return {match_id: tuple(found) for match_id, found in events.items()}


def raw_events(session: Session, match_ids: Sequence[int]) -> dict[int, list[sa.Row[Any]]]:
    """Return the rows of several matches' events, each in order, unread."""
    events: dict[int, list[sa.Row[Any]]] = {match_id: [] for match_id in match_ids}
    for row in session.execute(_ALL_EVENTS, {"match_ids": list(match_ids)}):
        events[row.match_id].append(row)
    return events


def ruleset_text(session: Session, match_id: int) -> str:
    """Return the ruleset that a match began with, as it is stored."""
    return session.execute(_RULESET, {"match_id": match_id}).scalar_one()


def head_reader(engine: sa.Engine) -> Callable[[str], Head | None]:
    """Return what reads a link with the end of its match by the driver alone, in a quarter of the time.

    It raises the driver's own errors.
    """
    select_head = MATCH_LINKS.select_head
    compiled = select_head.compile(engine)
    text, places, named = str(compiled), compiled.positiontup, compiled.construct_params({"code": ""})
    columns = [column.key for column in select_head.selected_columns]

    def read(code: str) -> Head | None:
        known = {**named, "code": code}
        with closing(engine.raw_connection()) as connection, closing(connection.cursor()) as cursor:
            cursor.execute(text, known if places is None else [known[name] for name in places])
            found = cursor.fetchone()
        return MATCH_LINKS.read_head(SimpleNamespace(**dict(zip(columns, found, strict=True)))) if found else None

    return read


def heads_of(session: Session, match_ids: Sequence[int]) -> dict[int, tuple[int, str]]:
    """Return the `seq` and client key of several matches' last events."""
    heads = {match_id: (0, "") for match_id in match_ids}
    for row in session.execute(_HEADS, {"match_ids": list(match_ids)}):
        heads[row.match_id] = (row.seq, row.client_key)
    return heads


def every_match(session: Session) -> list[tuple[MatchSetup, Link]]:
    """Return every match with its owner's first link, the oldest first."""
    found: dict[int, tuple[MatchSetup, Link]] = {}
    for row in session.execute(_EVERY_MATCH):
        found.setdefault(row.match_id, (setup_of(row), link_of(row)))
    return list(found.values())


def matches_of_device(session: Session, device: str, at_most: int) -> list[tuple[MatchSetup, Link]]:
    """Return the matches that a device opened, the last one first."""
    rows = session.execute(_OF_DEVICE, {"device": device, "at_most": at_most})
    return [(setup_of(row), link_of(row)) for row in rows]


def code_by_client_key(session: Session, client_key: str) -> str | None:
    """Return the code of the link that was made with the match that a form has begun, whatever it allows now."""
    return session.execute(_BY_CLIENT_KEY, {"client_key": client_key}).scalar()


def add_match(session: Session, setup: MatchSetup, ruleset: str, client_key: str | None) -> int:
    """Insert a match, with its ruleset as text, and return its id."""
    values = {**setup_values(setup), "ruleset": ruleset, "client_key": client_key}
    added: Any = session.execute(_INSERT_MATCH, values)
    return int(added.inserted_primary_key[0])


def add_events(session: Session, match_id: int, events: Iterable[Event]) -> None:
    """Insert events of a match."""
    if rows := [event_values(event, match_id=match_id) for event in events]:
        session.execute(_INSERT_EVENT, rows)


_ENDINGS = EndingRow.__table__
_IS_OPEN = _ENDINGS.c.status.is_(None)
_ENDINGS_OF = sa.select(*_ENDINGS.c).where(col(EndingRow.match_id).in_(sa.bindparam("match_ids", expanding=True)))
_OPEN_ENDINGS = (
    sa.select(_ENDINGS.c.match_id)
    .where(_IS_OPEN, _ENDINGS.c.match_id > sa.bindparam("after"))
    .order_by(_ENDINGS.c.match_id)
    .limit(sa.bindparam("at_most", type_=sa.Integer))
)


def endings_of(session: Session, match_ids: Sequence[int]) -> dict[int, Ending]:
    """Return how some matches had ended, by match; one that is still to be looked up is left out."""
    rows = session.execute(_ENDINGS_OF, {"match_ids": list(match_ids)})
    return {row.match_id: Ending(row.status, tuple(row.winners), row.scores) for row in rows if row.status}


def set_ending(session: Session, match_id: int, ending: Ending | None) -> None:
    """Store how a match ended, in place of what was stored; `None` is for one that goes on."""
    session.execute(sa.delete(_ENDINGS).where(_ENDINGS.c.match_id == match_id))
    if ending is not None:
        session.execute(sa.insert(_ENDINGS), {"match_id": match_id, **_ending_values(ending)})


def open_endings(session: Session, after: int, at_most: int) -> list[int]:
    """Return the next matches, by id, whose ending is still to be looked up."""
    return list(session.execute(_OPEN_ENDINGS, {"after": after, "at_most": at_most}).scalars())


def close_ending(session: Session, match_id: int, ending: Ending | None) -> None:
    """Store what was looked up, unless the match itself has said meanwhile how it ended."""
    is_it = _ENDINGS.c.match_id == match_id, _IS_OPEN
    if ending is None:
        session.execute(sa.delete(_ENDINGS).where(*is_it))
    else:
        session.execute(sa.update(_ENDINGS).where(*is_it).values(_ending_values(ending)))


def _ending_values(ending: Ending) -> dict[str, object]:
    return {"status": ending.status, "winners": list(ending.winners), "scores": dict(ending.scores)}
