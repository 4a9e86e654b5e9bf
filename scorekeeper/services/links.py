"""The phones of a match: how one comes in, whose it is, what it may do, how its link ends. Each of these commits."""

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.services.actors import holder_of
from scorekeeper.services.beginnings import new_code
from scorekeeper.services.bounds import cut_actor
from scorekeeper.services.devices import device_digest
from scorekeeper.services.invitations import Invitation
from scorekeeper.services.load import LoadedMatch, kept_as_of, ruleset_of, stand
from scorekeeper.services.log import fold
from scorekeeper.services.presence import last_here
from scorekeeper.services.refusals import refusal
from scorekeeper.services.roles import RANKS, WATCHER, higher
from scorekeeper.store import devices, invitations, links, queries
from scorekeeper.store.inserts import add_link
from scorekeeper.store.links import HeldLink
from scorekeeper.store.matches import Link

_MOST_TRIES = 20


@dataclass(frozen=True, slots=True)
class Phone:
    """A phone that was let in."""

    link: Link
    since: datetime
    ended_at: datetime | None
    last_seen: datetime | None

    @property
    def is_in(self) -> bool:
        """Say whether its link holds."""
        return self.ended_at is None


def match_of(session: Session, match_id: int) -> LoadedMatch:
    """Give a match as somebody sees it who has no link to it yet."""
    nobodys = Link(0, "", WATCHER, match_id)
    known = kept_as_of(session, nobodys, queries.heads_of(session, [match_id])[match_id])
    if known:
        return known
    match = queries.match_by_id(session, match_id)
    return stand(match, nobodys, fold(queries.events_of(session, match_id)), ruleset_of(session, match))


def phones_of(session: Session, match: LoadedMatch) -> tuple[Phone, ...]:
    """Give every phone that was let in to a match, the first one first, those that are out as well."""
    return tuple(_phone(held) for held in links.links_of(session, match.match.id))


def _phone(held: HeldLink) -> Phone:
    seen = [moment for moment in (held.last_seen, last_here(held.link.code)) if moment]
    return Phone(held.link, held.created_at, held.revoked_at, max(seen, default=None))


def link_of_device(session: Session, device: str, match_id: int) -> Link | None:
    """Give the link that a phone has to a match already, if it still holds."""
    return links.link_of_device(session, device_digest(device), match_id, holding=True)


def join(session: Session, invitation: Invitation, device: str, seat: str | None) -> Link:
    """Let a phone in, and give its own link: the one that it has, which then allows no less than before, or a new one.

    An invitation that holds was made after every end of a link, so it also lets a phone in whose link was ended.
    """
    seat = _seated(session, invitation.match_id, seat)
    known, match_id = device_digest(device), invitation.match_id
    for _ in range(_MOST_TRIES):
        mine = links.link_of_device(session, known, match_id)
        try:
            link = _let_in(session, invitation, known, mine, seat)
            before = mine.id if mine else None
            if devices.change_link(session, known, match_id, link.id, datetime.now(UTC), before=before):
                session.commit()
                return link
            session.rollback()
        except IntegrityError:  # the same form, twice at the same moment: look again
            session.rollback()
    raise refusal("", "not_let_in", "That did not come through. Try again.")


def _let_in(session: Session, invitation: Invitation, known: str, mine: Link | None, seat: str | None) -> Link:
    match_id = invitation.match_id
    holds = links.link_of_device(session, known, match_id, holding=True) is not None
    role = higher(mine.role, invitation.role) if mine and holds else invitation.role
    if mine and _is_alone(session, mine):
        links.change_link(session, mine.id, role=role, seat=seat, revoked_at=None, revoked_by=None)
        return Link(mine.id, mine.code, role, match_id, seat)
    code = new_code()
    return Link(add_link(session, match_id, code, role, datetime.now(UTC), seat), code, role, match_id, seat)


def _is_alone(session: Session, link: Link) -> bool:
    """Say whether no other phone came by this link: an address that was passed on is nobody's own."""
    return all(held.phones < 2 for held in links.links_of(session, link.match_id) if held.link.id == link.id)


def hold(session: Session, match: LoadedMatch, seat: str | None) -> None:
    """Say whose phone this is."""
    links.change_link(session, match.link.id, seat=_seated(session, match.match.id, seat))
    session.commit()


def _seated(session: Session, match_id: int, seat: str | None) -> str | None:
    if seat and seat not in queries.match_by_id(session, match_id).ids:
        raise refusal("seat", "unknown_player", "There is no such seat at this table.")
    return seat or None


def give_role(session: Session, match: LoadedMatch, link_id: int, role: str) -> None:
    """Give a phone the pencil, or take it back; raises `Refused` where nobody would own the match any more."""
    if role not in RANKS:
        raise refusal("role", "unknown_role", "There is no such role.")
    _change(session, match, link_id, role=role)


def end_link(session: Session, match: LoadedMatch, link_id: int, actor: str) -> None:
    """End a phone's link, and every invitation that it could come back by; raises `Refused` for the last owner."""
    now = datetime.now(UTC)
    invitations.end(session, match.match.id, now)
    _change(session, match, link_id, revoked_at=now, revoked_by=cut_actor(actor))


def reopen_link(session: Session, match: LoadedMatch, link_id: int) -> None:
    """Let a phone in again by the link that it had."""
    _change(session, match, link_id, revoked_at=None, revoked_by=None)


def _change(session: Session, match: LoadedMatch, link_id: int, **values: object) -> None:
    if link_id not in {held.link.id for held in links.links_of(session, match.match.id)}:
        session.rollback()
        raise refusal("", "unknown_link", "No phone of this match has that link.")
    links.owner_ids(session, match.match.id)
    links.change_link(session, link_id, **values)
    # Looked for after the change, which two owners may be making to each other at the same moment.
    if not links.owner_ids(session, match.match.id):
        session.rollback()
        raise refusal("", "last_owner", "Somebody has to own the match. Let another phone own it first.")
    session.commit()


def name_of_ender(session: Session, code: str) -> str:
    """Name whoever ended a link; empty where nobody knows."""
    found = links.ended_by(session, code)
    seat = holder_of(found[1]) if found else None
    if not found or not seat:
        return ""
    return (
        queries.match_by_id(session, found[0]).names(fold(queries.events_of(session, found[0])).renamed).get(seat, "")
    )
