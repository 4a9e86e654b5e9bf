"""Store and read ladder nights, their links and their events. Only `join_night` commits.

A link to a book also opens the nights of the book. A night has the same roles as a match.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Session

from scorekeeper.access.links import LinkTable
from scorekeeper.access.phones import add_phone
from scorekeeper.access.roles import Invitation, Link
from scorekeeper.club.nights.events import NIGHT_EVENT_KINDS
from scorekeeper.club.nights.night import Night
from scorekeeper.database.rows import Select, insert_row, utc
from scorekeeper.database.tables import NightEventRow, NightInvitationRow, NightLinkRow, NightRow
from scorekeeper.eventlog.store import EventTable, UnreadableEvent
from scorekeeper.eventlog.stream import StoredEvent


@dataclass(frozen=True, slots=True)
class NightSetup:
    """A night as it began: its ids, time, title, number of rounds, size of sides, game, house options and book.

    Its present title and number of rounds are in its log.
    """

    id: int
    uid: str
    """The uid of the night, which is in a book's file and in URLs below the book."""
    created_at: datetime
    title: str
    rounds: int
    """The number of rounds agreed at the start."""
    size: int
    """The most players of one side of a game; 2 if partners are drawn for each round."""
    variant: str
    """The id of the game of all tables; empty if none was chosen."""
    house: Mapping[str, object]
    """The answers to the game's house options, keyed by option."""
    book_id: int | None = None
    """The id of the book that the night is in; `None` if it is in none."""

    def fold(self, events: Iterable[StoredEvent] | None) -> Night:
        """Return the night after `events`, which are in order.

        `None` stands for events that cannot be read: the night is then as it began, with `is_unreadable` set.
        """
        return Night.fold(
            events or (),
            title=self.title,
            agreed_round_count=self.rounds,
            side_size=self.size,
            is_unreadable=events is None,
        )


NO_DEVICE = ""
"""The device of an owner's link that a command made for an imported night: no phone has the link yet."""


NIGHT_LINKS = LinkTable(
    kind="night",
    streams=NightRow.__table__,
    links=NightLinkRow.__table__,
    invitations=NightInvitationRow.__table__,
    events=NightEventRow.__table__,
    holder=NightLinkRow.__table__.c.pair,
    unknown_message="There is no such phone. Check the list again.",
    last_owner_message="This is the only owner’s phone. Make another one a co-owner first.",
)


def join_night(session: Session, invitation: Invitation, device: str, entrant_uid: int) -> Link:
    """Let a phone join a night, commit, and return its link; raises `NoInvitation`.

    `entrant_uid` is the uid of the entrant that holds the phone; 0 stands for none. A phone that joins again keeps a
    higher role that it had, and gets the new entrant.
    """
    return add_phone(session, NIGHT_LINKS, invitation, device, pair=entrant_uid or None)


def entrant_uid_of(link: Link) -> int:
    """Return the uid of the entrant that holds a link's phone; 0 if none does."""
    return int(link.holder or 0)


NIGHT_EVENTS = EventTable(NightEventRow.__table__, "night_id", NIGHT_EVENT_KINDS)


def readable_events(session: Session, night_id: int) -> tuple[StoredEvent, ...] | None:
    """Return the events of a night, in order; `None` if one of them cannot be read."""
    with suppress(UnreadableEvent):
        return NIGHT_EVENTS.load(session, night_id)
    return None


_nights = NightRow.__table__
_events = NightEventRow.__table__
_links = NightLinkRow.__table__


_SETUP_QUERY: Select = sa.select(*(_nights.c[column.name] for column in fields(NightSetup))).order_by(
    _nights.c.created_at, _nights.c.id
)


def _find_setups(session: Session, condition: sa.ColumnElement[bool]) -> list[NightSetup]:
    """Return the setups of the nights that meet an SQL condition, the oldest first."""
    rows = session.execute(_SETUP_QUERY.where(condition)).mappings()
    return [NightSetup(**{**row, "created_at": utc(row["created_at"])}) for row in rows]


def setup_by_id(session: Session, night_id: int) -> NightSetup:
    """Return the setup of the night with an id, which has to exist."""
    return _find_setups(session, _nights.c.id == night_id)[0]


def setups_in_book(session: Session, book_id: int) -> list[NightSetup]:
    """Return the setups of all nights in a book, deleted ones included, the oldest first."""
    return _find_setups(session, _nights.c.book_id == book_id)


def setup_by_uid(session: Session, uid: str) -> NightSetup | None:
    """Return the setup of the night with a uid; `None` if there is no such night."""
    return next(iter(_find_setups(session, _nights.c.uid == uid)), None)


def night_links_of_device(session: Session, device_digest: str, max_count: int) -> list[Link]:
    """Return up to `max_count` links in force of a device to nights, the newest first."""
    conditions = _links.c.device == device_digest, _links.c.revoked_at.is_(None)
    return NIGHT_LINKS.find(session, *conditions)[: -max_count - 1 : -1]


def tables_of_match(session: Session, match_id: int) -> list[tuple[int, int, int]]:
    """Return night id, round number and table of each game for which a match was started: `[(7, 2, 3)]`.

    Games of deleted nights are among them, and so are games for which the start of the match was undone.
    """
    rows = session.execute(sa.select(_events.c.night_id, _events.c.payload).where(_events.c.match_id == match_id))
    return [(row.night_id, row.payload["round"], row.payload["table"]) for row in rows]


def add_night(session: Session, setup: NightSetup, idempotency_key: str) -> int:
    """Insert a night without a commit, and return its new id; `setup.id` is ignored.

    Raises `IntegrityError` if another night has the uid or the idempotency key.
    """
    columns = asdict(setup)
    del columns["id"]
    return insert_row(session, _nights, {**columns, "client_key": idempotency_key})
