"""The phones of a match: how one joins, who holds it, what it may do, how its link ends, and which are open just now.

What changes a link commits.
"""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from scorekeeper.database.faults import is_unavailable
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.fold import fold
from scorekeeper.ledger.limits import cut_actor
from scorekeeper.ledger.refusals import refusal
from scorekeeper.ledger.roles import RANKS, WATCHER, BookLink, Invitation, Link, higher
from scorekeeper.ledger.setup import MatchSetup
from scorekeeper.ledger.signatures import holder_of
from scorekeeper.services.codes import new_code
from scorekeeper.services.load import match_of_id
from scorekeeper.services.match_list import device_digest
from scorekeeper.services.once import tried_again
from scorekeeper.store import invitations, links, matches
from scorekeeper.store.links import HeldLink

HERE = timedelta(seconds=10)
"""How long a phone counts as here after its last question: a page that is looked at polls every two seconds."""
STORED_EVERY = timedelta(minutes=1)
"""How often that is stored, where other processes have to know of it as well."""
_MOST_SEEN = 2000
_last_seen: dict[str, datetime] = {}
"""By the code of a link: which phones asked this process for something since it started."""
_stored: dict[tuple[str, int], datetime] = {}
"""By phone and match: when this process last stored it."""
_told: dict[str, datetime] = {}
"""By the code of a link: when a poll of it was last answered by what stores it."""
_lock = Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyPhone:
    """A phone that was let in, to a match or to a book."""

    link: Link | BookLink
    since: datetime
    ended_at: datetime | None
    last_seen: datetime | None
    is_here: bool
    """Whether it has a page open just now, as far as is known."""

    @property
    def is_connected(self) -> bool:
        """Whether its link is in force."""
        return self.ended_at is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Phone(AnyPhone):
    """A phone that was let in to a match."""

    link: Link
    visitors: int
    """How many phones came by the link."""
    is_by_book: bool
    """Whether it came by a book, and is removed with it."""


def note_seen(session: Session, device: str, link: Link) -> None:
    """Note that a phone has a page of a match open; where several processes may serve, commit it now and then.

    `device` is empty for a phone that is not known yet.
    """
    now = datetime.now(UTC)
    _note(_last_seen, link.code, now)
    _note(_told, link.code, now)
    if device and is_shared(session) and _is_due(device, link.match_id, now):
        _store_seen(session, device, link.match_id, now)


def note_here(code: str) -> None:
    """Note that the phone of a link has a page open, where no other process has to know of it."""
    _note(_last_seen, code, datetime.now(UTC))


def note_poll(engine: Engine, code: str) -> bool:
    """Note that the phone of a link has a page open; return whether it is time to have that stored as well."""
    now = datetime.now(UTC)
    _note(_last_seen, code, now)
    told = _told.get(code)
    return engine.dialect.name != "sqlite" and (told is None or not timedelta() <= now - told < STORED_EVERY)


def _note(seen: dict[str, datetime], code: str, now: datetime) -> None:
    with _lock:
        seen.pop(code, None)
        seen[code] = now
        _drop_oldest(seen)


def is_shared(session: Session) -> bool:
    """Return whether other processes may serve the same matches."""
    return session.get_bind().dialect.name != "sqlite"


def _is_due(device: str, match_id: int, now: datetime) -> bool:
    with _lock:
        before = _stored.pop((device, match_id), None)
        is_due = before is None or not timedelta() <= now - before < STORED_EVERY
        _stored[device, match_id] = now if is_due or before is None else before
        _drop_oldest(_stored)
    return is_due


def _drop_oldest(seen: dict[Any, datetime]) -> None:
    if len(seen) > _MOST_SEEN:
        del seen[next(iter(seen))]


def _store_seen(session: Session, device: str, match_id: int, now: datetime) -> None:
    try:
        # Another process may have stored it within the minute: then nothing is written.
        links.note_seen(session, device_digest(device), match_id, now, before=now - STORED_EVERY)
        session.commit()
    except SQLAlchemyError as error:  # whoever polls need not know that nobody learns of it
        session.rollback()
        if not is_unavailable(error):
            raise


def phones_of(session: Session, match: Match) -> tuple[Phone, ...]:
    """Return every phone that joined a match, the first one first, those whose link was ended as well."""
    # What other processes told of a phone is as old as they tell seldom.
    here_for = HERE + STORED_EVERY if is_shared(session) else HERE
    return tuple(_phone(held, here_for) for held in links.links_of(session, match.id))


def _phone(held: HeldLink, here_for: timedelta) -> Phone:
    seen, is_here = last_seen(held.link.code, held.last_seen, here_for)
    return Phone(
        link=held.link,
        since=held.created_at,
        ended_at=held.revoked_at,
        last_seen=seen,
        is_here=is_here,
        visitors=held.phones,
        is_by_book=held.is_by_book,
    )


def last_seen(code: str, visit: datetime | None, here_for: timedelta | None = None) -> tuple[datetime | None, bool]:
    """Return when the phone of a link was here last, by its last visit that was stored or by what it asked since.

    Also whether it is still here: for `HERE` after that, or longer.
    """
    seen = max((moment for moment in (visit, _last_seen.get(code)) if moment), default=None)
    return seen, seen is not None and datetime.now(UTC) - seen < (here_for or HERE)


def sides_with_phones(session: Session, match: Match) -> frozenset[str]:
    """Return the sides that hold a phone of their own in a match."""
    return frozenset(match.setup.side_of(holder) for holder in links.phone_holders(session, match.id))


def match_of_invitation(session: Session, invitation: Invitation) -> Match:
    """Return a match as somebody sees it who has no link to it yet."""
    return match_of_id(session, Link(0, "", WATCHER, invitation.match_id))


def link_of_device(session: Session, device: str, match_id: int) -> Link | None:
    """Return the link that a phone has to a match already, if it is in force."""
    return links.link_of_device(session, device_digest(device), match_id, holding=True)


def join(session: Session, invitation: Invitation, device: str, seat: str | None) -> Link:
    """Add a phone to a match, and return its own link, the only one that it gets: it allows no less than before.

    An open invitation was made after every end of a link, so it also lets a phone in whose link was ended.
    """
    seat = _checked_seat(matches.setup_by_id(session, invitation.match_id), seat)
    digest, match_id = device_digest(device), invitation.match_id

    def join() -> Link:
        link = _let_in(session, invitation, digest, seat)
        links.note_visit(session, digest, match_id, link.id, datetime.now(UTC))
        session.commit()
        return link

    return tried_again(session, join)


def _let_in(session: Session, invitation: Invitation, digest: str, seat: str | None) -> Link:
    match_id = invitation.match_id
    came_by = links.link_of_device(session, digest, match_id, holding=True, own=True)
    version, _ = matches.heads_of(session, [match_id])[match_id]
    own = _own_link(session, digest, match_id)
    role = invitation.role
    for held in (came_by, own.link if own and not own.revoked_at else None):
        role = higher(held.role, role) if held else role
    if own:
        link = replace(own.link, role=role, seat=seat, seat_since=_seat_since(own.link, seat, version))
        values = {"role": role, "seat": seat, "seat_since": link.seat_since, "device": digest}
        links.change_link(session, link.id, **values, revoked_at=None, revoked_by=None)
        return link
    code, now = new_code(), datetime.now(UTC)
    link_id = matches.add_link(session, match_id, code, role, now, seat=seat, seat_since=version, device=digest)
    return Link(link_id, code, role, match_id, seat, version)


def _own_link(session: Session, digest: str, match_id: int) -> HeldLink | None:
    """Return the link that a device was given, or else the one it came by, unless that is or was somebody else's."""
    held = links.links_of(session, match_id)
    if own := next((it for it in held if it.device == digest), None):
        return own
    came_by = links.link_of_device(session, digest, match_id, own=True)
    mine = next((it for it in held if came_by and it.link.id == came_by.id), None)
    # An address that was passed on is nobody's own.
    return mine if mine and not mine.device and not mine.link.is_shared and mine.phones < 2 else None


def _seat_since(link: Link, seat: str | None, version: int) -> int:
    return link.seat_since if link.seat == seat else version


def hold(session: Session, match: Match, seat: str | None) -> None:
    """Set who holds this phone; raises `Refused` for a link that was shared, which is no one phone's."""
    if match.link.is_shared:
        raise refusal("", "shared_link", "Many phones may use this link. Ask for a PIN to join with your name.")
    seat = _checked_seat(match.setup, seat)
    links.change_link(session, match.link.id, seat=seat, seat_since=_seat_since(match.link, seat, match.version))
    session.commit()


def _checked_seat(setup: MatchSetup, seat: str | None) -> str | None:
    if seat and seat not in setup.ids:
        raise refusal("seat", "unknown_player", "There is no such seat at this table.")
    return seat or None


def give_role(session: Session, match: Match, link_id: int, role: str) -> None:
    """Change what a phone may do; raises `Refused` where nobody would own the match any more."""
    if role not in RANKS:
        raise refusal("role", "unknown_role", "There is no such role.")
    if role != WATCHER and any(it.link.id == link_id and it.link.is_shared for it in links.links_of(session, match.id)):
        raise refusal(
            "role", "shared_link", "A shared link only lets people watch. Add their phone with a PIN instead."
        )
    _change(session, match, link_id, role=role)


def end_link(session: Session, match: Match, link_id: int, actor: str) -> None:
    """End a phone's link, and every invitation that it could come back by; raises `Refused` for the last owner."""
    now = datetime.now(UTC)
    invitations.end_of_match(session, match.id, now)
    _change(session, match, link_id, revoked_at=now, revoked_by=cut_actor(actor))


def reopen_link(session: Session, match: Match, link_id: int) -> None:
    """Restore the link that a phone had."""
    _change(session, match, link_id, revoked_at=None, revoked_by=None)


def let_accept(session: Session, match: Match, link_id: int) -> None:
    """Let a phone accept what was written before it joined, or before it got its holder."""
    _change(session, match, link_id, seat_since=None)


def _change(session: Session, match: Match, link_id: int, **values: object) -> None:
    if link_id not in {held.link.id for held in links.links_of(session, match.id)}:
        session.rollback()
        raise refusal("", "unknown_link", "No phone of this match has that link.")
    links.owner_ids(session, match.id)
    links.change_link(session, link_id, **values)
    # Checked after the change, which two owners may be making to each other at the same moment.
    if not links.owner_ids(session, match.id):
        session.rollback()
        raise refusal("", "last_owner", "The match needs an owner. Make another phone co-owner first.")
    session.commit()


def name_of_ender(session: Session, code: str) -> str:
    """Return the name of whoever ended a link; empty where nobody knows."""
    found = links.ended_by(session, code)
    seat = holder_of(found[1]) if found else None
    if not found or not seat:
        return ""
    renamed = fold(matches.events_of(session, found[0])).renamed
    return matches.setup_by_id(session, found[0]).names(renamed).get(seat, "")
