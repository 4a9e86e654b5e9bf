"""The phones of a match, a book or a night: their links and roles, and which have a page open now.

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
"""How long after its last request a phone counts as having a page open: a page in view polls every two seconds."""
STORE_INTERVAL = timedelta(minutes=1)
"""How often, at most, the presence of a phone is stored for other processes."""
_MAX_CACHED_LINKS = 2000
_last_seen = Cache[str, datetime](_MAX_CACHED_LINKS)
"""When the phone of each link, by the link's code, last made a request to this process."""
_last_stored = Cache[str, datetime](_MAX_CACHED_LINKS)
"""When this process last stored the presence of each link's phone, by the link's code."""


def note_presence(session: Session, device: str, link: Link) -> None:
    """Note that a phone has a page open.

    For a match, its presence is stored and committed now and then, for other processes. `device` is empty for a phone
    without a session cookie.
    """
    if note_presence_in_memory(session.get_bind(), link.code) and link.kind == "match":
        now = _last_stored.put(link.code, datetime.now(UTC))
        with store_if_possible(session):
            # Another process may have stored it within the minute: then nothing is written.
            links.store_presence(
                session, device_digest(device), link.stream_id, now, stored_before=now - STORE_INTERVAL
            )


def note_presence_in_memory(bind: Engine | Connection, code: str) -> bool:
    """Note in this process that a phone has a page open.

    Returns whether it is time to store that for other processes.
    """
    now = _last_seen.put(code, datetime.now(UTC))
    return may_have_other_processes(bind) and _is_store_due(_last_stored.get(code), now)


def count_phones_here() -> int:
    """Return how many phones have a page open that polls this process.

    Phones that share a link count as one.
    """
    now = datetime.now(UTC)
    return sum(timedelta() <= now - seen < PRESENCE_TIMEOUT for seen in _last_seen.values())


def is_any_phone_here(codes: Iterable[str]) -> bool:
    """Return whether a phone with one of these links has sent this process a request within `STORE_INTERVAL`."""
    now = datetime.now(UTC)
    return not all(_is_store_due(_last_seen.get(code), now) for code in codes)


def _is_store_due(last_time: datetime | None, now: datetime) -> bool:
    """Return whether `STORE_INTERVAL` has passed since a time; true for no time, and for one in the future."""
    return last_time is None or not timedelta() <= now - last_time < STORE_INTERVAL


def may_have_other_processes(bind: Engine | Connection) -> bool:
    """Return whether other processes may serve the same matches, as with any database but SQLite."""
    return bind.dialect.name != "sqlite"


@contextmanager
def store_if_possible(session: Session) -> Iterator[None]:
    """Commit what the block stores, or roll it back if it cannot be stored just now.

    For side effects of a page, which is shown all the same.
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


def phones_of(session: Session, linked: Linked) -> tuple[Phone, ...]:
    """Return all phones of a match, a book or a night, with their presence.

    They are in the order in which they joined, including phones that were removed.
    """
    table = LINK_TABLES[linked.link.kind]
    # Other processes store the visits of a match's phones only every so often.
    presence_timeout = (
        PRESENCE_TIMEOUT + STORE_INTERVAL
        if linked.link.kind == "match" and may_have_other_processes(session.get_bind())
        else PRESENCE_TIMEOUT
    )
    now = datetime.now(UTC)

    def with_presence(phone: Phone) -> Phone:
        last_seen = max(filter(None, (phone.last_seen, _last_seen.get(phone.link.code))), default=None)
        is_mine = phone.link.id == linked.link.id
        is_here = not is_mine and last_seen is not None and abs(now - last_seen) < presence_timeout
        return replace(phone, is_here=is_here, last_seen=None if is_mine or is_here else last_seen)

    return tuple(map(with_presence, table.phones(session, linked.link.stream_id)))


def only_owner(phones: Sequence[Phone]) -> Phone | None:
    """Return the phone of the only owner, which has to remain owner; `None` for several owners, or none.

    Phones whose links have ended, and those that are owners by a book, do not count.
    """
    owners = _owners_with_access(phones)
    return owners[0] if len(owners) == 1 else None


def _owners_with_access(phones: Sequence[Phone]) -> list[Phone]:
    """Return the phones that are owners by links in force of their own, not by a book."""
    # A phone that is an owner by a book may lose the match with the book.
    return [phone for phone in phones if phone.has_access and phone.link.is_owner and not phone.is_by_book]


def replacement_link(session: Session, device: str, ended: Link) -> Link | None:
    """Return a device's link in force to the stream of an `ended` link; `None` without one.

    A link that comes from a book counts only if it was made for the device.
    """
    if not device:
        return None
    phones = _own_and_last_used(session, LINK_TABLES[ended.kind], device_digest(device), ended.stream_id)
    return next((phone.link for phone in phones if phone and phone.has_access), None)


def add_phone(
    session: Session,
    table: LinkTable,
    invitation: Invitation,
    device: str,
    **holder: object,
) -> Link:
    """Give an invited phone a link, or restore its own, and commit.

    A phone that has a higher role keeps it. `holder` has the link's column for who holds the phone, if anybody does.
    Raises `NoInvitation` if the invitation has ended meanwhile.
    """
    digest = device_digest(device)

    def let_in() -> Link:
        table.lock(session, invitation.stream_id)
        invitation_of_code(session, invitation.code, invitation.kind)  # it may have been ended meanwhile, with a link
        now = datetime.now(UTC)
        stream_id, role = invitation.stream_id, invitation.role
        own, last_used = _own_and_last_used(session, table, digest, stream_id)
        for phone in (own, last_used):
            if phone and phone.has_access:
                role = higher_role(phone.link.role, role)
        if own is None:
            link = table.add(session, stream_id, new_code(), role, now, device=digest, **holder)
        else:
            table.change(session, own.link, device=digest, **holder)
            _reopen(session, table, own, role=role)
            _change_role(session, own.link, role)
            link = table.by_id(session, own.link.id)
        table.note_visit(session, digest, link, now, is_chosen=True)
        session.commit()
        return link

    return retry_on_conflict(session, let_in)


def _own_and_last_used(
    session: Session, table: LinkTable, digest: str, stream_id: int
) -> tuple[Phone | None, Phone | None]:
    """Return the phones with a device's own link, and with the link by which it last opened the stream.

    A device's own link was made for it or, if none was, is an unshared one that only it has used. A link from a book
    counts only if it was made for the device.
    """
    phones = table.phones(session, stream_id)
    visit = table.last_visit(session, digest, stream_id)
    made_for_device = next((phone for phone in phones if phone.device == digest), None)
    last_used = next(
        (phone for phone in phones if visit and phone.link.id == visit.link.id and not phone.is_by_book), None
    )
    # An address that was passed on is nobody's own.
    is_own = last_used and not last_used.device and not last_used.link.is_shared and last_used.visitors < 2
    return made_for_device or (last_used if is_own else None), last_used


def give_role(session: Session, linked: Linked, link_id: int, role: str, *, also_reopens: bool = False) -> None:
    """Change the role of a phone's link, and of the links that depend on it, and commit.

    Ends the invitations to a higher role. With `also_reopens`, a removed phone gets its link back. Raises `Refused`,
    such as for the last owner.
    """
    if role not in ROLE_RANKS:
        raise refusal("role", "There is no such role.")
    with _locked_phone(session, linked, link_id) as phone:
        if role != WATCHER and phone.link.is_shared:
            raise refusal("role", "A shared link only lets people watch. Add their phone with a PIN instead.")
        if not allows(role, phone.link.role):
            end_invitations(session, phone.link, datetime.now(UTC), above=role)
        if also_reopens:
            _reopen(session, LINK_TABLES[linked.link.kind], phone)
        for link in (phone.link, *_links_changed_together(session, phone.link)):
            _change_role(session, link, role)


def end_link(session: Session, linked: Linked, link_id: int, actor: str) -> None:
    """Remove a phone by ending its link and the links that depend on it, and commit.

    Ends the invitations by which the phone could come back. `actor` is the signature of the phone that removes it.
    Raises `Refused` for the last owner, and for an unknown link.
    """
    with _locked_phone(session, linked, link_id) as phone:
        now = datetime.now(UTC)
        end_invitations(session, phone.link, now)
        for link in (phone.link, *_links_changed_together(session, phone.link)):
            for table in link_tables_of(link):
                table.end(session, link, now, clean_actor(actor))
        if phone.link.kind == "book" and phone.device:
            links.replace_listed_by_own_links(session, phone.device, link_id)


def reopen_link(session: Session, linked: Linked, link_id: int) -> None:
    """Restore a phone's ended link and the links that ended with it, and commit.

    Raises `Refused` for an unknown link.
    """
    with _locked_phone(session, linked, link_id) as phone:
        _reopen(session, LINK_TABLES[linked.link.kind], phone)


def has_own_link(session: Session, linked: Linked, device: str) -> bool:
    """Return whether the link of a page is this device's own.

    Which link is a device's own is defined at `_own_and_last_used`.
    """
    own, _ = _own_and_last_used(session, LINK_TABLES[linked.link.kind], device_digest(device), linked.link.stream_id)
    return own is not None and own.link.id == linked.link.id


@contextmanager
def locked_links(session: Session, linked: Linked) -> Iterator[None]:
    """Lock the links to a stream during a block, then commit; an error rolls everything back."""
    try:
        LINK_TABLES[linked.link.kind].lock(session, linked.link.stream_id)
        yield
        session.commit()
    except Exception:
        session.rollback()
        raise


@contextmanager
def _locked_phone(session: Session, linked: Linked, link_id: int) -> Iterator[Phone]:
    """Lock the links to a stream, yield the phone with one of them, then commit the changes.

    Raises `Refused` for an unknown link, and for changes that take away the last owner.
    """
    table, stream_id = LINK_TABLES[linked.link.kind], linked.link.stream_id
    with locked_links(session, linked):
        matching = (phone for phone in table.phones(session, stream_id) if phone.link.id == link_id)
        if (phone := next(matching, None)) is None:
            raise refusal("", table.unknown_message)
        yield phone
        # A match that was imported with a book has no owner's link of its own from the start.
        is_owner = phone.has_access and phone.link.is_owner
        if is_owner and not _owners_with_access(table.phones(session, stream_id)):
            raise refusal("", table.last_owner_message)


def _reopen(session: Session, table: LinkTable, phone: Phone, **values: object) -> None:
    """Restore a phone's ended link and those that ended with it, without a commit.

    For the matches of a money night, `values` are set in the restored links.
    """
    if ended_at := phone.link.ended_at:
        for other in table.group.links_of_phone(session, phone.link, ended_at=ended_at).values():
            table.reopen(session, other, ended_at, **values)
        for link_table in link_tables_of(phone.link):
            link_table.reopen(session, phone.link, ended_at)


def _change_role(session: Session, link: Link, role: str) -> None:
    """Change the role of a link, and of the links that come from it, without a commit."""
    for table in link_tables_of(link):
        table.change(session, link, role=role)


def _links_changed_together(session: Session, link: Link) -> list[Link]:
    """Return a phone's links to the rest of a group, such as a money night.

    Leaves out streams of which the phone is the only owner. Empty for a shared link.
    """
    if link.is_shared:
        return []
    table = LINK_TABLES[link.kind]
    other_links = [
        other for stream_id, other in table.group.links_of_phone(session, link).items() if stream_id != link.stream_id
    ]
    only_owners = (only_owner(table.phones(session, other.stream_id)) for other in other_links)
    return [
        other for other, owner in zip(other_links, only_owners, strict=True) if not owner or owner.link.id != other.id
    ]
