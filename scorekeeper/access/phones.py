"""The phones of a match, a book or a night: their links and roles, and which of them have a page open now.

Functions that change a link commit.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.orm import Session

from scorekeeper.access import links
from scorekeeper.access.invitations import end_invitations, invitation_of_code
from scorekeeper.access.links import LINK_TABLES, LinkTable, device_digest, link_tables_of
from scorekeeper.access.links import Phone as Phone
from scorekeeper.access.roles import Invitation, Link, Linked
from scorekeeper.database.faults import is_unavailable
from scorekeeper.eventlog.cache import Cache
from scorekeeper.eventlog.store import retry_on_conflict
from scorekeeper.eventlog.stream import ROLE_RANKS, WATCHER, allows, higher_role, refusal
from scorekeeper.pitch.rules.entered_text import clean_actor
from scorekeeper.random_codes import new_code

PRESENCE_TIMEOUT = timedelta(seconds=10)
"""How long a phone counts as having a page open after a request; a visible page polls every two seconds."""
STORE_INTERVAL = timedelta(minutes=1)
"""The shortest time between two writes of a phone's presence to the database, for other processes to see."""
_MAX_CACHED_CODES = 2000
_last_seen_by_code = Cache[str, datetime](_MAX_CACHED_CODES)
"""When a phone with each link last sent a request to this process, keyed by the link's code."""
_last_stored_by_code = Cache[str, datetime](_MAX_CACHED_CODES)
"""When this process last stored the presence of a phone with each link, keyed by the link's code."""


def note_presence(session: Session, device: str, link: Link) -> None:
    """Note that a phone has a page open. For a match, the presence is stored now and then, and committed.

    `device` is the code of the device, empty for a phone without a cookie.
    """
    if note_presence_in_memory(session.get_bind(), link.code) and link.kind == "match":
        now = _last_stored_by_code.put(link.code, datetime.now(UTC))
        with store_if_possible(session):
            # Another process may have stored it within the minute: then nothing is written.
            links.store_presence(
                session, device_digest(device), link.stream_id, now, stored_before=now - STORE_INTERVAL
            )


def note_presence_in_memory(bind: Engine | Connection, code: str) -> bool:
    """Note in this process that a phone with this link's code has a page open.

    Return whether it is time to store the presence for other processes.
    """
    now = _last_seen_by_code.put(code, datetime.now(UTC))
    return may_have_other_processes(bind) and _is_store_due(_last_stored_by_code.get(code), now)


def count_phones_here() -> int:
    """Return how many phones have a page open, by the requests to this process.

    All phones that share a link count as one.
    """
    now = datetime.now(UTC)
    return sum(timedelta() <= now - last_seen < PRESENCE_TIMEOUT for last_seen in _last_seen_by_code.values())


def is_any_phone_here(codes: Iterable[str]) -> bool:
    """Return whether a phone with one of these links' codes has sent this process a request within `STORE_INTERVAL`."""
    now = datetime.now(UTC)
    return not all(_is_store_due(_last_seen_by_code.get(code), now) for code in codes)


def _is_store_due(last_time: datetime | None, now: datetime) -> bool:
    """Return whether `STORE_INTERVAL` has passed since `last_time`; true if that is `None` or in the future."""
    return last_time is None or not timedelta() <= now - last_time < STORE_INTERVAL


def may_have_other_processes(bind: Engine | Connection) -> bool:
    """Return whether other processes may serve the same matches: true for any database but SQLite."""
    return bind.dialect.name != "sqlite"


@contextmanager
def store_if_possible(session: Session) -> Iterator[None]:
    """Commit what the block stores, or roll it back if the database is busy or unavailable.

    For what a page stores beside its task: the page is shown even if this fails.
    """
    try:
        yield
        session.commit()
    except IntegrityError:  # two pages of one device at the same moment: the other has done it
        session.rollback()
    except SQLAlchemyError as error:
        session.rollback()
        if not is_unavailable(error):
            raise


def phones_of(session: Session, linked_stream: Linked) -> tuple[Phone, ...]:
    """Return all phones of a match, a book or a night, with whether they have a page open now.

    They are in the order in which they joined. Phones that were removed are included.
    """
    link_table = LINK_TABLES[linked_stream.link.kind]
    # Other processes store the visits of a match's phones only every so often.
    presence_timeout = (
        PRESENCE_TIMEOUT + STORE_INTERVAL
        if linked_stream.link.kind == "match" and may_have_other_processes(session.get_bind())
        else PRESENCE_TIMEOUT
    )
    now = datetime.now(UTC)

    def with_presence(phone: Phone) -> Phone:
        last_seen = max(filter(None, (phone.last_seen, _last_seen_by_code.get(phone.link.code))), default=None)
        is_mine = phone.link.id == linked_stream.link.id
        is_here = not is_mine and last_seen is not None and abs(now - last_seen) < presence_timeout
        return replace(phone, is_here=is_here, last_seen=None if is_mine or is_here else last_seen)

    return tuple(map(with_presence, link_table.phones(session, linked_stream.link.stream_id)))


def only_owner(phones: Sequence[Phone]) -> Phone | None:
    """Return the phone of the only owner, who has to stay owner; `None` if there are several owners, or none.

    An owner counts if the link is in force and does not come from a book.
    """
    owners = _owners_with_access(phones)
    return owners[0] if len(owners) == 1 else None


def _owners_with_access(phones: Sequence[Phone]) -> list[Phone]:
    """Return the phones that are owners by links in force that do not come from a book."""
    # A phone that is an owner by a book may lose the match with the book.
    return [phone for phone in phones if phone.has_access and phone.link.is_owner and not phone.is_by_book]


def replacement_link(session: Session, device: str, ended_link: Link) -> Link | None:
    """Return a device's own link in force to the stream of a link that has ended; `None` without one.

    What a device's own link is, `_own_and_last_used_phone` says. The last used link counts as well, unless it comes
    from a book.
    """
    if not device:
        return None
    phones = _own_and_last_used_phone(
        session, LINK_TABLES[ended_link.kind], device_digest(device), ended_link.stream_id
    )
    return next((phone.link for phone in phones if phone and phone.has_access), None)


def add_phone(session: Session, link_table: LinkTable, invitation: Invitation, device: str, **holder: object) -> Link:
    """Give an invited phone a link, or restore the link that it had, and commit.

    A phone with a higher role keeps that role. `holder` has the column for who holds the phone, and its value, if
    known. Raises `NoInvitation` if the invitation has ended meanwhile.
    """
    digest = device_digest(device)

    def add_or_restore_link() -> Link:
        link_table.lock(session, invitation.stream_id)
        invitation_of_code(session, invitation.code, invitation.kind)  # it may have been ended meanwhile, with a link
        now = datetime.now(UTC)
        stream_id, role = invitation.stream_id, invitation.role
        own_phone, last_used_phone = _own_and_last_used_phone(session, link_table, digest, stream_id)
        for phone in (own_phone, last_used_phone):
            if phone and phone.has_access:
                role = higher_role(phone.link.role, role)
        if own_phone is None:
            link = link_table.add(session, stream_id, new_code(), role, now, device=digest, **holder)
        else:
            link_table.change(session, own_phone.link, device=digest, **holder)
            _reopen(session, link_table, own_phone, role=role)
            _change_role(session, own_phone.link, role)
            link = link_table.by_id(session, own_phone.link.id)
        link_table.note_visit(session, digest, link, now, is_chosen=True)
        session.commit()
        return link

    return retry_on_conflict(session, add_or_restore_link)


def _own_and_last_used_phone(
    session: Session, link_table: LinkTable, device_digest: str, stream_id: int
) -> tuple[Phone | None, Phone | None]:
    """Return the phone with a device's own link to a stream, and the phone with the link of the device's last visit.

    The own link is the one that was made for the device. Without one, it is the link of its last visit if no other
    device has used that, and if it is not shared. A link that comes from a book is own only if it was made for the
    device.
    """
    phones = link_table.phones(session, stream_id)
    visit = link_table.last_visit(session, device_digest, stream_id)
    phone_made_for_device = next((phone for phone in phones if phone.device == device_digest), None)
    last_phone = next(
        (phone for phone in phones if visit and phone.link.id == visit.link.id and not phone.is_by_book), None
    )
    # An address that was passed on is nobody's own.
    is_own = last_phone and not last_phone.device and not last_phone.link.is_shared and last_phone.visitor_count < 2
    return phone_made_for_device or (last_phone if is_own else None), last_phone


def give_role(session: Session, linked_stream: Linked, link_id: int, role: str, *, also_reopens: bool = False) -> None:
    """Give a phone another role, on its link and on the links that change with it, and commit.

    Invitations to higher roles end. With `also_reopens`, a removed phone gets its link back. Raises `Refused` for an
    unknown role or link, and if the last owner would lose that role.
    """
    if role not in ROLE_RANKS:
        raise refusal("role", "There is no such role.")
    with _locked_phone(session, linked_stream, link_id) as phone:
        if role != WATCHER and phone.link.is_shared:
            raise refusal("role", "A shared link only lets people watch. Add their phone with a PIN instead.")
        if not allows(role, phone.link.role):
            end_invitations(session, phone.link, datetime.now(UTC), above=role)
        if also_reopens:
            _reopen(session, LINK_TABLES[linked_stream.link.kind], phone)
        for link in (phone.link, *_links_changed_together(session, phone.link)):
            _change_role(session, link, role)


def end_link(session: Session, linked_stream: Linked, link_id: int, actor: str) -> None:
    """Remove a phone: end its link and the links that change with it, and commit.

    The invitations by which the phone could come back end as well. `actor` is the signature of the phone that removes
    it. Raises `Refused` for the last owner, and for an unknown link.
    """
    with _locked_phone(session, linked_stream, link_id) as phone:
        now = datetime.now(UTC)
        end_invitations(session, phone.link, now)
        for link in (phone.link, *_links_changed_together(session, phone.link)):
            for table in link_tables_of(link):
                table.end(session, link, now, clean_actor(actor))
        if phone.link.kind == "book" and phone.device:
            links.replace_listed_by_own_links(session, phone.device, link_id)


def reopen_link(session: Session, linked_stream: Linked, link_id: int) -> None:
    """Restore a removed phone's link, and the links that ended with it, and commit.

    Raises `Refused` for an unknown link.
    """
    with _locked_phone(session, linked_stream, link_id) as phone:
        _reopen(session, LINK_TABLES[linked_stream.link.kind], phone)


def has_own_link(session: Session, linked_stream: Linked, device: str) -> bool:
    """Return whether a page was opened by this device's own link, as `_own_and_last_used_phone` defines it."""
    own_phone, _ = _own_and_last_used_phone(
        session, LINK_TABLES[linked_stream.link.kind], device_digest(device), linked_stream.link.stream_id
    )
    return own_phone is not None and own_phone.link.id == linked_stream.link.id


@contextmanager
def locked_links(session: Session, linked_stream: Linked) -> Iterator[None]:
    """Lock the links to a stream for a block, and commit at its end. An error in the block rolls everything back."""
    try:
        LINK_TABLES[linked_stream.link.kind].lock(session, linked_stream.link.stream_id)
        yield
        session.commit()
    except Exception:
        session.rollback()
        raise


@contextmanager
def _locked_phone(session: Session, linked_stream: Linked, link_id: int) -> Iterator[Phone]:
    """Lock the links to a stream for a block, yield the phone with the link `link_id`, and commit at the end.

    Raises `Refused` for an unknown link, and if the stream would lose its last owner.
    """
    link_table, stream_id = LINK_TABLES[linked_stream.link.kind], linked_stream.link.stream_id
    with locked_links(session, linked_stream):
        matching_phones = (phone for phone in link_table.phones(session, stream_id) if phone.link.id == link_id)
        if (phone := next(matching_phones, None)) is None:
            raise refusal("", link_table.unknown_message)
        yield phone
        # A match that was imported with a book has no owner's link of its own from the start.
        is_owner = phone.has_access and phone.link.is_owner
        if is_owner and not _owners_with_access(link_table.phones(session, stream_id)):
            raise refusal("", link_table.last_owner_message)


def _reopen(session: Session, link_table: LinkTable, phone: Phone, **column_values: object) -> None:
    """Restore a phone's ended link, and the links that ended with it; does not commit.

    In the links to the other matches of a money night, `column_values` are set as well.
    """
    if ended_at := phone.link.ended_at:
        for other in link_table.group.links_of_phone(session, phone.link, ended_at=ended_at).values():
            link_table.reopen(session, other, ended_at, **column_values)
        for table in link_tables_of(phone.link):
            table.reopen(session, phone.link, ended_at)


def _change_role(session: Session, link: Link, role: str) -> None:
    """Change the role of a link, and of the links that come from it; does not commit."""
    for table in link_tables_of(link):
        table.change(session, link, role=role)


def _links_changed_together(session: Session, link: Link) -> list[Link]:
    """Return a phone's links to the other streams of its group, such as the other matches of a money night.

    Left out are streams of which the phone is the only owner. A shared link changes alone.
    """
    if link.is_shared:
        return []
    table = LINK_TABLES[link.kind]
    other_links = [
        other for stream_id, other in table.group.links_of_phone(session, link).items() if stream_id != link.stream_id
    ]
    only_owner_phones = (only_owner(table.phones(session, other.stream_id)) for other in other_links)
    return [
        other
        for other, owner_phone in zip(other_links, only_owner_phones, strict=True)
        if not owner_phone or owner_phone.link.id != other.id
    ]
