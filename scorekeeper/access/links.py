"""The tables of access links: which phone may open which match, book or night, and in which role.

There is one table for matches and one for books; the club adds one for nights. Nothing in this module commits.
"""

import hashlib
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from scorekeeper.access.roles import Head, Kind, Link, LinkEnded, UnknownCode
from scorekeeper.database.rows import Row, Select, insert_row, upsert_row, utc
from scorekeeper.database.tables import (
    BookEventRow,
    BookLinkRow,
    BookRow,
    DeviceBookRow,
    DeviceMatchRow,
    EventRow,
    HandDraftRow,
    InvitationRow,
    LinkRow,
    MatchRow,
)
from scorekeeper.eventlog.stream import OWNER
from scorekeeper.random_codes import new_code


def new_device_code() -> str:
    """Return a new random code for the cookie by which a device is known."""
    return secrets.token_urlsafe(16)


def device_digest(device_code: str) -> str:
    """Return the digest that the database stores in place of the code of a device; it does not reveal the code."""
    return hashlib.sha256(device_code.encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Phone:
    """A phone of a match, a book or a night: its link, and when it was last seen.

    All phones that use a shared link count as one.
    """

    link: Link
    since: datetime
    """When the phone joined."""
    device: str | None
    """The digest of the device for which the link was made; `None` if it was made for no device."""
    last_seen: datetime | None
    """When the phone last opened the stream; `None` for never.

    `phones_of` gives `None` for the viewer's own phone as well, and for a phone that `is_here`.
    """
    visitor_count: int
    """The number of devices that used this link for their last visit to the stream.

    It is more than one if the URL of the link was passed on.
    """
    is_by_book: bool
    """Whether the phone got the link from its link to a book. Such a link ends with the link to the book."""
    is_here: bool = False
    """Whether the phone seems to have a page of the stream open.

    Only `phones_of` sets this, and never for the viewer's own phone.
    """

    @property
    def has_access(self) -> bool:
        """Whether the phone's link is in force."""
        return self.link.ended_at is None


@dataclass(frozen=True, slots=True)
class Visit:
    """The last visit of a device to a match or a book, and the link by which it came."""

    link: Link
    """The link, which may have been ended after the visit."""
    at: datetime


@dataclass(frozen=True, slots=True)
class StreamGroup:
    """The functions that find streams whose links change together, such as the matches of a money night."""

    find_stream_ids: Callable[[Session, int], list[int]]
    """Returns the ids of all streams in the group of a stream. To lock the group, lock its first stream."""
    links_of_phone: Callable[..., Mapping[int, Link]]
    """Returns the links in force of a phone to all streams of the group, keyed by stream id.

    The phone is given by one of its links. With `ended_at`, the function returns the links that ended at that time
    instead.
    """


NO_GROUP = StreamGroup(lambda _session, stream_id: [stream_id], lambda *_, **__: {})
"""The group of a stream that has no other streams in its group."""


@dataclass(kw_only=True, eq=False)
class LinkTable:
    """The table of the access links to matches, to books or to nights, and its queries and changes.

    A method that gets a link of another table acts on the links of this table that come from it, such as a link to a
    match from a link to a book. The visits of a device are its list of matches or books.
    """

    kind: Kind
    streams: sa.Table
    links: sa.Table
    holder: sa.Column[Any]
    """The column of `links` that says who holds the phone."""
    invitations: sa.Table
    events: sa.Table
    unknown_message: str
    """The message for the id of a link that the stream does not have."""
    last_owner_message: str
    """The message for a change that would leave a stream without an owner."""
    visits: sa.Table | None = None
    """The table of the last visits of devices; `None` for a kind of stream that is on no list of a device."""
    drafts: sa.Table | None = None
    """The table of the drafts of next hands; `None` for a kind of stream without drafts."""
    group: StreamGroup = NO_GROUP

    def __post_init__(self) -> None:
        links, events, drafts, visits = self.links, self.events, self.drafts, self.visits
        self._id_column = f"{self.kind}_id"
        stream = links.c[self._id_column]
        self.invited_stream = self.invitations.c[self._id_column]
        """The column of `invitations` with the id of the stream."""
        self.columns: list[sa.ColumnElement[Any]] = [
            links.c.id.label("link_id"),
            stream.label("stream_id"),
            self.holder.label("holder"),
            *(links.c[name] for name in ("code", "role", "revoked_at")),
        ]
        """The columns that `link_of_row` reads."""
        source = links.outerjoin(events, events.c[self._id_column] == stream)
        draft_count: sa.ColumnElement[int] = sa.literal(0)
        if drafts is not None:
            source, draft_count = source.outerjoin(drafts, drafts.c[self._id_column] == stream), drafts.c.counter
        self._select_head: Select = (
            sa.select(*self.columns, events.c.seq, events.c.client_key, draft_count.label("draft"))
            .select_from(source)
            .where(links.c.code == sa.bindparam("code"))
            .order_by(events.c.seq.desc())
            .limit(1)
        )
        self.has_links_from_books = "book_link_id" in links.c
        """Whether a link to a book opens streams of this kind.

        Then the phone gets a link to the stream, which ends with the link to the book.
        """
        if visits is not None:
            is_visit = visits.c.device == sa.bindparam("device"), visits.c[self._id_column] == sa.bindparam("stream")
            select_visits = sa.select(*self.columns, visits.c.last_seen).join(visits, visits.c.link_id == links.c.id)
            self._select_visit: Select = select_visits.where(*is_visit)

    def link_of_row(self, row: Row) -> Link:
        """Return the link in a row that was selected with `columns`."""
        ended_at = utc(row.revoked_at) if row.revoked_at else None
        return Link(row.link_id, row.code, row.role, row.stream_id, self.kind, str(row.holder or ""), ended_at)

    def find(self, session: Session, *conditions: sa.ColumnElement[bool]) -> list[Link]:
        """Return the links in this table that fulfill the conditions, ended ones too, the oldest first."""
        query = sa.select(*self.columns).where(*conditions).order_by(self.links.c.id)
        return [self.link_of_row(row) for row in session.execute(query)]

    def lock(self, session: Session, stream_id: int) -> None:
        """Lock the links to a stream, and to the other streams of its group, until the transaction ends."""
        statement = sa.update(self.streams).where(
            self.streams.c.id == self.group.find_stream_ids(session, stream_id)[0]
        )
        session.execute(statement.values(id=self.streams.c.id))

    def phones(self, session: Session, stream_id: int) -> list[Phone]:
        """Return all phones of a stream, in the order in which they joined.

        Phones whose link was ended are included.
        """
        return self.phones_by_stream(session, [stream_id])[stream_id]

    def phones_by_stream(self, session: Session, stream_ids: Sequence[int]) -> dict[int, list[Phone]]:
        """Return the phones of these streams, in the order in which they joined, keyed by stream id.

        Phones whose link was ended are included.
        """
        links, visits = self.links, self.visits
        is_by_book = links.c.book_link_id.is_not(None) if self.has_links_from_books else sa.false()
        last_seen = sa.null() if visits is None else sa.func.max(visits.c.last_seen)
        visitors = sa.literal(0) if visits is None else sa.func.count(visits.c.device)
        visit_columns = last_seen.label("last_seen"), visitors.label("visitors"), is_by_book.label("is_by_book")
        query = sa.select(*self.columns, links.c.created_at, links.c.device, *visit_columns).order_by(links.c.id)
        if visits is not None:
            query = query.outerjoin(visits, visits.c.link_id == links.c.id).group_by(links.c.id)
        phones_by_stream: dict[int, list[Phone]] = {stream_id: [] for stream_id in stream_ids}
        for row in session.execute(query.where(links.c[self._id_column].in_(stream_ids))):
            phone = Phone(
                link=self.link_of_row(row),
                since=utc(row.created_at),
                device=row.device,
                last_seen=utc(row.last_seen) if row.last_seen else None,
                visitor_count=row.visitors,
                is_by_book=row.is_by_book,
            )
            phones_by_stream[row.stream_id].append(phone)
        return phones_by_stream

    def own_link(self, session: Session, device_digest: str, stream_id: int) -> Link | None:
        """Return the link to a stream that was made for this device, in force or ended; `None` if none was."""
        own_links = self.find(session, self.links.c.device == device_digest, self.links.c[self._id_column] == stream_id)
        return next(iter(own_links), None)

    def link_of_last_visit(self, session: Session, device_digest: str, stream_id: int) -> Link | None:
        """Return the link by which a device last opened a stream; `None` if it has ended, or without a visit."""
        visit = self.last_visit(session, device_digest, stream_id)
        return visit.link if visit and not visit.link.ended_at else None

    def add(
        self, session: Session, stream_id: int, code: str, role: str, created_at: datetime, **columns: object
    ) -> Link:
        """Insert a link to a stream, with further columns if given, and return it.

        Raises `IntegrityError` if the stream has a link for the same device already.
        """
        values = {self._id_column: stream_id, "code": code, "role": role, "created_at": created_at, **columns}
        return self.by_id(session, insert_row(session, self.links, values))

    def head(self, connection: sa.Connection, code: str) -> Head | None:
        """Return the `Head` of the link with this code, even an ended one; `None` for an unknown code."""
        # Every page and every poll calls this: the bare connection takes two thirds of the time of a session.
        row = connection.execute(self._select_head, {"code": code}).first()
        if row is None:
            return None
        return Head(self.link_of_row(row), row.seq or 0, row.client_key or "", row.draft or 0)

    def head_in_force(self, session: Session, code: str) -> Head:
        """Return the `Head` of the link with a code; raises `UnknownCode`, and `LinkEnded` for an ended link."""
        head = self.head(session.connection(), code)
        if head is None:
            raise UnknownCode(code)
        if head.link.ended_at:
            raise LinkEnded(head.link)
        return head

    def oldest_owner_links(self, session: Session, stream_ids: Sequence[int]) -> dict[int, Link]:
        """Return each stream's oldest link in force with the role of an owner, keyed by stream id.

        A stream without such a link is left out.
        """
        links = self.links.c
        is_owner_link = links[self._id_column].in_(stream_ids), links.role == OWNER, links.revoked_at.is_(None)
        return {link.stream_id: link for link in reversed(self.find(session, *is_owner_link))}

    def latest_stream_ids(self, session: Session, at_most: int, before: int) -> tuple[Sequence[int], int | None]:
        """Return a page of stream ids below `before`, the highest first, and the `before` of the next page.

        On the last page, the second value is `None`.
        """
        id_column = self.streams.c.id
        found_ids = session.scalars(
            sa.select(id_column).where(id_column < before).order_by(id_column.desc()).limit(at_most + 1)
        ).all()
        return found_ids[:at_most], found_ids[at_most - 1] if len(found_ids) > at_most else None

    def code_by_form_key(self, session: Session, idempotency_key: str) -> str | None:
        """Return the code of the oldest link to the stream that a form with this key began; `None` without one."""
        links, streams = self.links, self.streams
        query = sa.select(links.c.code).join(streams, streams.c.id == links.c[self._id_column])
        was_begun_by_form = streams.c.client_key == idempotency_key
        return session.execute(query.where(was_begun_by_form).order_by(links.c.id).limit(1)).scalar()

    def by_id(self, session: Session, link_id: int) -> Link:
        """Return the link with this id. It has to exist."""
        return self.find(session, self.links.c.id == link_id)[0]

    def _is_or_comes_from(self, link: Link) -> sa.ColumnElement[bool]:
        """Return the SQL condition for the row of `link`, or for the rows of this table whose links come from it."""
        return (self.links.c.id if link.kind == self.kind else self.links.c.book_link_id) == link.id

    def change(self, session: Session, link: Link, *conditions: sa.ColumnElement[bool], **values: object) -> None:
        """Set columns of `link`, or of the links in this table that come from it.

        With conditions, only the links that fulfill them are changed.
        """
        session.execute(sa.update(self.links).where(self._is_or_comes_from(link), *conditions).values(**values))

    def _end_values(self, ended_at: datetime | None, actor: str | None) -> dict[str, object]:
        """Return values for the columns that say when and by whom a link was ended: {"revoked_at": …, "revoked_by": …}.

        A column that this table does not have is left out.
        """
        values = {"revoked_at": ended_at, "revoked_by": actor}
        return {name: value for name, value in values.items() if name in self.links.c}

    def end(self, session: Session, link: Link, now: datetime, actor: str) -> None:
        """End `link`, or the links in this table that come from it. A link that has ended keeps its time.

        The signature `actor` is stored if the table has a column for it.
        """
        # An ended link keeps its time, as links that ended at the same time are restored together.
        self.change(session, link, self.links.c.revoked_at.is_(None), **self._end_values(now, actor))

    def reopen(self, session: Session, link: Link, ended_at: datetime, **columns: object) -> None:
        """Restore `link`, or the links in this table that come from it, if they ended at `ended_at`.

        Further columns are set if given.
        """
        self.change(session, link, self.links.c.revoked_at == ended_at, **self._end_values(None, None), **columns)

    def take_from_other_devices(self, session: Session, link: Link, device_digest: str, now: datetime) -> None:
        """Take `link`, or the links in this table that come from it, from all devices but one.

        The device with `device_digest` keeps them. The links get new codes. In a table without visits, links that were
        made for other devices are ended instead.
        """
        links, visits = self.links, self.visits
        if visits is None:
            self.change(session, link, links.c.device != device_digest, links.c.revoked_at.is_(None), revoked_at=now)
            return
        link_ids = sa.select(links.c.id).where(self._is_or_comes_from(link))
        for link_id in session.execute(link_ids).scalars():
            session.execute(sa.update(links).where(links.c.id == link_id).values(code=new_code()))
        session.execute(sa.delete(visits).where(visits.c.link_id.in_(link_ids), visits.c.device != device_digest))

    def stream_ids_from(self, book_link: Link) -> sa.Select[tuple[int]]:
        """Return a query for the ids of the streams to which a phone has links that come from its `book_link`."""
        return sa.select(self.links.c[self._id_column]).where(self._is_or_comes_from(book_link))

    def last_visit(self, session: Session, device_digest: str, stream_id: int) -> Visit | None:
        """Return the last visit of a device to a stream; `None` if the device never opened the stream."""
        if self.visits is None:
            return None
        row = session.connection().execute(self._select_visit, {"device": device_digest, "stream": stream_id}).first()
        return Visit(self.link_of_row(row), utc(row.last_seen)) if row else None

    def time_of_latest_visit(self, session: Session, device_digest: str) -> datetime | None:
        """Return when a device last opened any stream of this kind; `None` for never.

        The time is in the future if the clock was set back.
        """
        assert self.visits is not None
        query = sa.select(sa.func.max(self.visits.c.last_seen)).where(self.visits.c.device == device_digest)
        last_seen = session.execute(query).scalar()
        return utc(last_seen) if last_seen else None

    def note_visit(
        self, session: Session, device_digest: str, link: Link, now: datetime, *, is_chosen: bool = False
    ) -> None:
        """Store that a device opens a stream by a link, as its latest visit.

        With `is_chosen`, the device's next matches go into this book. In a table without visits, nothing is stored.
        """
        if self.visits is None:
            return
        if latest_time := self.time_of_latest_visit(session, device_digest):
            # The latest visit even if the clock was set back.
            now = max(now, latest_time + timedelta.resolution)
        values = {"link_id": link.id, "last_seen": now}
        if is_chosen and "chosen_at" in self.visits.c:
            values["chosen_at"] = now
        upsert_row(session, self.visits, {"device": device_digest, self._id_column: link.stream_id}, values)


_MATCH_LINK_ROWS, _MATCH_VISIT_ROWS = LinkRow.__table__, DeviceMatchRow.__table__
_BOOK_LINK_ROWS, _BOOK_VISIT_ROWS = BookLinkRow.__table__, DeviceBookRow.__table__
MATCH_LINKS = LinkTable(
    kind="match",
    streams=MatchRow.__table__,
    links=_MATCH_LINK_ROWS,
    invitations=InvitationRow.__table__,
    events=EventRow.__table__,
    holder=_MATCH_LINK_ROWS.c.seat,
    unknown_message="No phone of this match has that link.",
    last_owner_message="The match needs an owner. Make another phone co-owner first.",
    visits=_MATCH_VISIT_ROWS,
    drafts=HandDraftRow.__table__,
)
BOOK_LINKS = LinkTable(
    kind="book",
    streams=BookRow.__table__,
    links=_BOOK_LINK_ROWS,
    invitations=InvitationRow.__table__,
    events=BookEventRow.__table__,
    holder=_BOOK_LINK_ROWS.c.holder,
    unknown_message="No phone of this list has that link.",
    last_owner_message="This list needs an owner. Make another phone co-owner first.",
    visits=_BOOK_VISIT_ROWS,
)
LINK_TABLES: dict[Kind, LinkTable] = {table.kind: table for table in (MATCH_LINKS, BOOK_LINKS)}
"""The tables of links, keyed by the kind of stream. The club adds one for nights."""


def link_tables_of(link: Link) -> list[LinkTable]:
    """Return the table that has a link, followed by the tables that can have links that come from it."""
    tables_with_links_from_books = (table for table in LINK_TABLES.values() if table.has_links_from_books)
    return [LINK_TABLES[link.kind], *(tables_with_links_from_books if link.kind == "book" else ())]


_SELECT_BOOK_LINKS_OF_DEVICE: Select = (
    sa.select(*BOOK_LINKS.columns, _BOOK_VISIT_ROWS.c.chosen_at)
    .join(_BOOK_VISIT_ROWS, _BOOK_VISIT_ROWS.c.link_id == _BOOK_LINK_ROWS.c.id)
    .where(_BOOK_VISIT_ROWS.c.device == sa.bindparam("device"), _BOOK_LINK_ROWS.c.revoked_at.is_(None))
    .order_by(
        _BOOK_VISIT_ROWS.c.chosen_at.desc().nulls_last(),
        _BOOK_VISIT_ROWS.c.last_seen.desc(),
        _BOOK_LINK_ROWS.c.book_id.desc(),
    )
)


def latest_book_link_id(session: Session, device_digest: str) -> int:
    """Return the id of the newest link to a book that was made for a device; 0 if none was.

    The id changes with each book that the device begins.
    """
    query = sa.select(sa.func.max(_BOOK_LINK_ROWS.c.id)).where(_BOOK_LINK_ROWS.c.device == device_digest)
    return session.execute(query).scalar() or 0


def book_links_of_device(session: Session, device_digest: str) -> dict[Link, bool]:
    """Return whether a device chose each of its books, keyed by the link in force by which it last opened the book.

    The book chosen last is first. Books that the device only opened follow, the last opened first.
    """
    rows = session.execute(_SELECT_BOOK_LINKS_OF_DEVICE, {"device": device_digest})
    return {BOOK_LINKS.link_of_row(row): row.chosen_at is not None for row in rows}


def book_links_of_match_link(session: Session, link_id: int, book_id: int) -> list[Link]:
    """Return the links in force to a book of the devices that use a given link to a match.

    Such a link to the book was made for one of these devices, or used for its last visit.
    """
    devices = sa.union(
        sa.select(_MATCH_LINK_ROWS.c.device).where(
            _MATCH_LINK_ROWS.c.id == link_id, _MATCH_LINK_ROWS.c.device.is_not(None)
        ),
        sa.select(_MATCH_VISIT_ROWS.c.device).where(_MATCH_VISIT_ROWS.c.link_id == link_id),
    )
    opened_link_ids = sa.select(_BOOK_VISIT_ROWS.c.link_id).where(_BOOK_VISIT_ROWS.c.device.in_(devices))
    is_of_devices = sa.or_(_BOOK_LINK_ROWS.c.device.in_(devices), _BOOK_LINK_ROWS.c.id.in_(opened_link_ids))
    return BOOK_LINKS.find(
        session, _BOOK_LINK_ROWS.c.book_id == book_id, _BOOK_LINK_ROWS.c.revoked_at.is_(None), is_of_devices
    )


def was_removed_from_book(session: Session, device_digest: str, book_id: int) -> bool:
    """Return whether the link by which a device last opened a book has ended."""
    visit = BOOK_LINKS.last_visit(session, device_digest, book_id)
    return visit is not None and visit.link.ended_at is not None


def ender_of_match_link(session: Session, link: Link) -> str:
    """Return the signature of the phone that ended a link to a match; empty if no phone ended it."""
    query = sa.select(_MATCH_LINK_ROWS.c.revoked_by).where(_MATCH_LINK_ROWS.c.id == link.id)
    return session.execute(query).scalar() or ""


def store_presence(
    session: Session, device_digest: str, match_id: int, now: datetime, *, stored_before: datetime
) -> None:
    """Store that a device has a match open at the time `now`, if the last stored time is before `stored_before`."""
    is_stale = (
        _MATCH_VISIT_ROWS.c.device == device_digest,
        _MATCH_VISIT_ROWS.c.match_id == match_id,
        _MATCH_VISIT_ROWS.c.last_seen < stored_before,
    )
    session.execute(sa.update(_MATCH_VISIT_ROWS).where(*is_stale).values(last_seen=now))


def link_from_book(session: Session, book_link_id: int, match_id: int) -> Link | None:
    """Return the link to a match that comes from a link to a book, in force or ended; `None` without one."""
    links = _MATCH_LINK_ROWS.c
    return next(iter(MATCH_LINKS.find(session, links.book_link_id == book_link_id, links.match_id == match_id)), None)


def replace_listed_by_own_links(session: Session, device_digest: str, book_link_id: int) -> None:
    """On a device's list of matches, replace links that come from a link to a book by the device's own links in force.

    A match to which the device has no own link keeps its link from the book.
    """
    own_links, links_from_books = _MATCH_LINK_ROWS.alias(), _MATCH_LINK_ROWS.alias()
    own_link_id = (
        sa.select(own_links.c.id)
        .where(
            own_links.c.match_id == _MATCH_VISIT_ROWS.c.match_id,
            own_links.c.device == device_digest,
            own_links.c.revoked_at.is_(None),
        )
        .scalar_subquery()
    )
    replaced_ids = sa.select(links_from_books.c.id).where(links_from_books.c.book_link_id == book_link_id)
    is_replaced = (
        _MATCH_VISIT_ROWS.c.device == device_digest,
        _MATCH_VISIT_ROWS.c.link_id.in_(replaced_ids),
        own_link_id.is_not(None),
    )
    session.execute(sa.update(_MATCH_VISIT_ROWS).where(*is_replaced).values(link_id=own_link_id))
