"""The tables of access links: which phone may open which match, book or night, and in which role.

There is one table for each kind of stream; the club adds its own. Nothing here commits.
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
    """Return a new random code to identify a device by its cookie."""
    return secrets.token_urlsafe(16)


def device_digest(device: str) -> str:
    """Return the digest under which the database stores a device, from which its code cannot be computed."""
    return hashlib.sha256(device.encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Phone:
    """A phone of a match, a book or a night: its link, and when it was last seen.

    A shared link counts as one phone.
    """

    link: Link
    since: datetime
    """When the phone joined."""
    device: str | None
    """The digest of the device for which the link was made; `None` if it was made for no device."""
    last_seen: datetime | None
    """When the phone last opened the stream; `None` for never.

    `phones_of` gives `None` for the viewer's own phone as well, and for one that `is_here`.
    """
    visitors: int
    """How many devices last opened the stream by this link; more than one if its URL was passed on."""
    is_by_book: bool
    """Whether the link comes from the phone's link to a book, with which it ends."""
    is_here: bool = False
    """Whether the phone seems to have a page open.

    Only `phones_of` sets this, and never for the viewer's own phone.
    """

    @property
    def has_access(self) -> bool:
        """Whether the phone's link is in force."""
        return self.link.ended_at is None


@dataclass(frozen=True, slots=True)
class Visit:
    """The last visit of a device to a match or a book, and the link that it used."""

    link: Link
    """The link, which may have been ended since."""
    at: datetime


@dataclass(frozen=True, slots=True)
class StreamGroup:
    """How to find streams whose links change together, such as the matches of a money night."""

    streams: Callable[[Session, int], list[int]]
    """Returns the ids of all streams in a stream's group; to lock the group, lock the first."""
    links_of_phone: Callable[..., Mapping[int, Link]]
    """Given a phone's link, returns the phone's links in force to the whole group, by stream id.

    With `ended_at`, returns the links that ended at that time instead.
    """


NO_GROUP = StreamGroup(lambda _session, stream_id: [stream_id], lambda *_, **__: {})
"""The group of a stream that is the only one in it."""


@dataclass(kw_only=True, eq=False)
class LinkTable:
    """The table of links to streams of one kind, and how to query and change them.

    Given a link of another table, a method acts on the links here that come from it. A device's visits make up its list
    of matches or books.
    """

    kind: Kind
    streams: sa.Table
    links: sa.Table
    holder: sa.Column[Any]
    """The column of `links` with the phone's holder."""
    invitations: sa.Table
    events: sa.Table
    unknown_message: str
    """The message for a link that the stream does not have."""
    last_owner_message: str
    """The message for a change that would leave the stream without an owner."""
    visits: sa.Table | None = None
    """The table of visits; `None` for a kind that no device lists."""
    drafts: sa.Table | None = None
    """The table of drafts of the next hand; `None` for a kind without drafts."""
    group: StreamGroup = NO_GROUP

    def __post_init__(self) -> None:
        links, events, drafts, visits = self.links, self.events, self.drafts, self.visits
        self._column = f"{self.kind}_id"
        stream = links.c[self._column]
        self.invited_stream = self.invitations.c[self._column]
        """The column of the invitations with the stream's id."""
        self.columns: list[sa.ColumnElement[Any]] = [
            links.c.id.label("link_id"),
            stream.label("stream_id"),
            self.holder.label("holder"),
            *(links.c[name] for name in ("code", "role", "revoked_at")),
        ]
        """The columns that `link_of_row` reads."""
        with_events = links.outerjoin(events, events.c[self._column] == stream)
        draft: sa.ColumnElement[int] = sa.literal(0)
        if drafts is not None:
            with_events, draft = with_events.outerjoin(drafts, drafts.c[self._column] == stream), drafts.c.counter
        self._select_head: Select = (
            sa.select(*self.columns, events.c.seq, events.c.client_key, draft.label("draft"))
            .select_from(with_events)
            .where(links.c.code == sa.bindparam("code"))
            .order_by(events.c.seq.desc())
            .limit(1)
        )
        self.has_links_from_books = "book_link_id" in links.c
        """Whether a link to a book can open streams of this kind.

        If so, the phone gets a link of its own to the stream, which ends with the link to the book.
        """
        if visits is not None:
            is_visit = visits.c.device == sa.bindparam("device"), visits.c[self._column] == sa.bindparam("stream")
            visited = sa.select(*self.columns, visits.c.last_seen).join(visits, visits.c.link_id == links.c.id)
            self._select_visit: Select = visited.where(*is_visit)

    def link_of_row(self, row: Row) -> Link:
        """Return the link in a row that was selected with `columns`."""
        ended_at = utc(row.revoked_at) if row.revoked_at else None
        return Link(row.link_id, row.code, row.role, row.stream_id, self.kind, str(row.holder or ""), ended_at)

    def find(self, session: Session, *conditions: sa.ColumnElement[bool]) -> list[Link]:
        """Return the links of this kind that fulfill the conditions, even ended ones, the oldest first."""
        query = sa.select(*self.columns).where(*conditions).order_by(self.links.c.id)
        return [self.link_of_row(row) for row in session.execute(query)]

    def lock(self, session: Session, stream_id: int) -> None:
        """Lock the links to a stream, and to the others of its group, until the transaction ends."""
        update = sa.update(self.streams).where(self.streams.c.id == self.group.streams(session, stream_id)[0])
        session.execute(update.values(id=self.streams.c.id))

    def phones(self, session: Session, stream_id: int) -> list[Phone]:
        """Return every phone of a stream, the first to join first, including phones whose link was ended."""
        return self.phones_by_stream(session, [stream_id])[stream_id]

    def phones_by_stream(self, session: Session, stream_ids: Sequence[int]) -> dict[int, list[Phone]]:
        """Return the phones of each stream by stream id, in the order in which they joined.

        Includes phones whose link was ended.
        """
        links, visits = self.links, self.visits
        is_by_book = links.c.book_link_id.is_not(None) if self.has_links_from_books else sa.false()
        last_seen = sa.null() if visits is None else sa.func.max(visits.c.last_seen)
        visitors = sa.literal(0) if visits is None else sa.func.count(visits.c.device)
        visit_columns = last_seen.label("last_seen"), visitors.label("visitors"), is_by_book.label("is_by_book")
        query = sa.select(*self.columns, links.c.created_at, links.c.device, *visit_columns).order_by(links.c.id)
        if visits is not None:
            query = query.outerjoin(visits, visits.c.link_id == links.c.id).group_by(links.c.id)
        phones: dict[int, list[Phone]] = {stream_id: [] for stream_id in stream_ids}
        for row in session.execute(query.where(links.c[self._column].in_(stream_ids))):
            phone = Phone(
                link=self.link_of_row(row),
                since=utc(row.created_at),
                device=row.device,
                last_seen=utc(row.last_seen) if row.last_seen else None,
                visitors=row.visitors,
                is_by_book=row.is_by_book,
            )
            phones[row.stream_id].append(phone)
        return phones

    def own_link(self, session: Session, digest: str, stream_id: int) -> Link | None:
        """Return the link to a stream that was made for this device, in force or ended."""
        own_links = self.find(session, self.links.c.device == digest, self.links.c[self._column] == stream_id)
        return next(iter(own_links), None)

    def link_of_last_visit(self, session: Session, digest: str, stream_id: int) -> Link | None:
        """Return the link by which a device last opened a stream, if it is still in force."""
        visit = self.last_visit(session, digest, stream_id)
        return visit.link if visit and not visit.link.ended_at else None

    def add(self, session: Session, stream_id: int, code: str, role: str, created_at: datetime, **more: object) -> Link:
        """Insert a link with `more` columns, and return it; raises `IntegrityError` if its device has one already."""
        values = {self._column: stream_id, "code": code, "role": role, "created_at": created_at, **more}
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

    def owner_links(self, session: Session, stream_ids: Sequence[int]) -> dict[int, Link]:
        """Return the oldest owner's link in force of each stream that has one, by stream id."""
        links = self.links.c
        is_owner_link = links[self._column].in_(stream_ids), links.role == OWNER, links.revoked_at.is_(None)
        return {link.stream_id: link for link in reversed(self.find(session, *is_owner_link))}

    def latest_stream_ids(self, session: Session, at_most: int, before: int) -> tuple[Sequence[int], int | None]:
        """Return a page of the ids of streams, the highest first, and the `before` of the next page.

        There is `None` in place of `before` on the last page.
        """
        ids = self.streams.c.id
        found = session.scalars(sa.select(ids).where(ids < before).order_by(ids.desc()).limit(at_most + 1)).all()
        return found[:at_most], found[at_most - 1] if len(found) > at_most else None

    def code_by_form_key(self, session: Session, idempotency_key: str) -> str | None:
        """Return the code of a link to the stream that a form with this key began, if one did.

        Of several links, it is the oldest.
        """
        links, streams = self.links, self.streams
        query = sa.select(links.c.code).join(streams, streams.c.id == links.c[self._column])
        is_begun = streams.c.client_key == idempotency_key
        return session.execute(query.where(is_begun).order_by(links.c.id).limit(1)).scalar()

    def by_id(self, session: Session, link_id: int) -> Link:
        """Return the link with an id, which has to exist."""
        return self.find(session, self.links.c.id == link_id)[0]

    def _is_or_comes_from(self, link: Link) -> sa.ColumnElement[bool]:
        """Return the SQL condition for `link`, or for the links in this table that come from it."""
        return (self.links.c.id if link.kind == self.kind else self.links.c.book_link_id) == link.id

    def change(self, session: Session, link: Link, *conditions: sa.ColumnElement[bool], **values: object) -> None:
        """Set columns of `link`, or of the links in this table that come from it.

        Only links that fulfill the conditions are changed.
        """
        session.execute(sa.update(self.links).where(self._is_or_comes_from(link), *conditions).values(**values))

    def _end_values(self, ended_at: datetime | None, actor: str | None) -> dict[str, object]:
        """Return the values for the columns that say when and by whom a link was ended.

        Leaves out a column that this table does not have.
        """
        values = {"revoked_at": ended_at, "revoked_by": actor}
        return {name: value for name, value in values.items() if name in self.links.c}

    def end(self, session: Session, link: Link, now: datetime, actor: str) -> None:
        """End `link`, or the links in this table that come from it.

        A link that was ended before keeps its time. `actor` is stored if the table has a column for it.
        """
        # An ended link keeps its time, as links that ended at the same time are restored together.
        self.change(session, link, self.links.c.revoked_at.is_(None), **self._end_values(now, actor))

    def reopen(self, session: Session, link: Link, ended_at: datetime, **more: object) -> None:
        """Restore `link`, or the links in this table that come from it, and set `more` columns.

        Only links that ended at `ended_at` are restored.
        """
        self.change(session, link, self.links.c.revoked_at == ended_at, **self._end_values(None, None), **more)

    def take_from_other_devices(self, session: Session, link: Link, digest: str, now: datetime) -> None:
        """Take `link`, or the links in this table that come from it, from all devices but one.

        The device with `digest` keeps them. The links get new codes; for a kind without visits, links made for other
        devices are ended.
        """
        links, visits = self.links, self.visits
        if visits is None:
            self.change(session, link, links.c.device != digest, links.c.revoked_at.is_(None), revoked_at=now)
            return
        link_ids = sa.select(links.c.id).where(self._is_or_comes_from(link))
        for link_id in session.execute(link_ids).scalars():
            session.execute(sa.update(links).where(links.c.id == link_id).values(code=new_code()))
        session.execute(sa.delete(visits).where(visits.c.link_id.in_(link_ids), visits.c.device != digest))

    def stream_ids_from(self, book_link: Link) -> sa.Select[tuple[int]]:
        """Return a query for the ids of the streams with links that come from this link to a book."""
        return sa.select(self.links.c[self._column]).where(self._is_or_comes_from(book_link))

    def last_visit(self, session: Session, digest: str, stream_id: int) -> Visit | None:
        """Return the last visit of a device to a stream; `None` without one."""
        if self.visits is None:
            return None
        row = session.connection().execute(self._select_visit, {"device": digest, "stream": stream_id}).first()
        return Visit(self.link_of_row(row), utc(row.last_seen)) if row else None

    def time_of_latest_visit(self, session: Session, digest: str) -> datetime | None:
        """Return when a device last opened any stream of this kind; `None` for never. May be in the future."""
        assert self.visits is not None
        query = sa.select(sa.func.max(self.visits.c.last_seen)).where(self.visits.c.device == digest)
        last_seen = session.execute(query).scalar()
        return utc(last_seen) if last_seen else None

    def note_visit(self, session: Session, digest: str, link: Link, now: datetime, *, is_chosen: bool = False) -> None:
        """Store that a device opens a stream by a link, as its latest visit.

        With `is_chosen`, the book is chosen for the device's next matches. For a kind without visits, nothing is
        stored.
        """
        if self.visits is None:
            return
        if latest := self.time_of_latest_visit(session, digest):
            # The latest visit even if the clock was set back.
            now = max(now, latest + timedelta.resolution)
        values = {"link_id": link.id, "last_seen": now}
        if is_chosen and "chosen_at" in self.visits.c:
            values["chosen_at"] = now
        upsert_row(session, self.visits, {"device": digest, self._column: link.stream_id}, values)


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
"""The table of links for each kind of stream; the club adds its own."""


def link_tables_of(link: Link) -> list[LinkTable]:
    """Return the tables of a link and of the links that can come from it, its own first."""
    from_books = (table for table in LINK_TABLES.values() if table.has_links_from_books)
    return [LINK_TABLES[link.kind], *(from_books if link.kind == "book" else ())]


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


def latest_book_link_id(session: Session, digest: str) -> int:
    """Return the id of the newest link to a book that was made for a device; 0 without any.

    It changes with each book that the device begins.
    """
    query = sa.select(sa.func.max(_BOOK_LINK_ROWS.c.id)).where(_BOOK_LINK_ROWS.c.device == digest)
    return session.execute(query).scalar() or 0


def book_links_of_device(session: Session, digest: str) -> dict[Link, bool]:
    """Return the links in force by which a device last opened its books, and whether it chose each book.

    The book chosen last is first. Books that were only opened follow, the last opened first.
    """
    rows = session.execute(_SELECT_BOOK_LINKS_OF_DEVICE, {"device": digest})
    return {BOOK_LINKS.link_of_row(row): row.chosen_at is not None for row in rows}


def book_links_of_match_link(session: Session, link_id: int, book_id: int) -> list[Link]:
    """Return the links to a book that belong to the devices behind a link to a match.

    Only links in force count, made for these devices or used by them.
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


def was_removed_from_book(session: Session, digest: str, book_id: int) -> bool:
    """Return whether the link by which a device last opened a book has ended since."""
    visit = BOOK_LINKS.last_visit(session, digest, book_id)
    return visit is not None and visit.link.ended_at is not None


def ender_of_match_link(session: Session, link: Link) -> str:
    """Return the signature of the phone that ended a link to a match; empty if none did."""
    query = sa.select(_MATCH_LINK_ROWS.c.revoked_by).where(_MATCH_LINK_ROWS.c.id == link.id)
    return session.execute(query).scalar() or ""


def store_presence(session: Session, digest: str, match_id: int, now: datetime, *, before: datetime) -> None:
    """Store that a device still has a match open, unless that was stored since `before`."""
    stale = (
        _MATCH_VISIT_ROWS.c.device == digest,
        _MATCH_VISIT_ROWS.c.match_id == match_id,
        _MATCH_VISIT_ROWS.c.last_seen < before,
    )
    session.execute(sa.update(_MATCH_VISIT_ROWS).where(*stale).values(last_seen=now))


def link_from_book(session: Session, book_link_id: int, match_id: int) -> Link | None:
    """Return the link to a match that comes from a link to a book, in force or ended."""
    links = _MATCH_LINK_ROWS.c
    return next(iter(MATCH_LINKS.find(session, links.book_link_id == book_link_id, links.match_id == match_id)), None)


def replace_listed_by_own_links(session: Session, digest: str, book_link_id: int) -> None:
    """On a device's list, replace links from a book by the device's own links in force.

    A match without such an own link keeps its link from the book.
    """
    own_links, links_by_book = _MATCH_LINK_ROWS.alias(), _MATCH_LINK_ROWS.alias()
    own_link_id = (
        sa.select(own_links.c.id)
        .where(
            own_links.c.match_id == _MATCH_VISIT_ROWS.c.match_id,
            own_links.c.device == digest,
            own_links.c.revoked_at.is_(None),
        )
        .scalar_subquery()
    )
    replaced_ids = sa.select(links_by_book.c.id).where(links_by_book.c.book_link_id == book_link_id)
    is_replaced = (
        _MATCH_VISIT_ROWS.c.device == digest,
        _MATCH_VISIT_ROWS.c.link_id.in_(replaced_ids),
        own_link_id.is_not(None),
    )
    session.execute(sa.update(_MATCH_VISIT_ROWS).where(*is_replaced).values(link_id=own_link_id))
