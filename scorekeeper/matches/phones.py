"""The phones of a match: how they join it, which player holds each, and the access link that many phones share."""

from datetime import UTC, datetime

from sqlalchemy.orm import Session

from scorekeeper.access import links
from scorekeeper.access.links import MATCH_LINKS
from scorekeeper.access.phones import add_phone, locked_links
from scorekeeper.access.roles import Invitation, Link, holder_of_actor, shared_code
from scorekeeper.eventlog.stream import WATCHER, refusal
from scorekeeper.matches import store as matches
from scorekeeper.matches.fold import Match
from scorekeeper.matches.log import fold
from scorekeeper.matches.service import match_of_link
from scorekeeper.matches.setup import MatchSetup
from scorekeeper.matches.store import MATCH_EVENTS
from scorekeeper.random_codes import new_code


def match_of_invitation(session: Session, invitation: Invitation) -> Match:
    """Return the match of an invitation, with a made-up watcher's link, for a phone that has not joined yet."""
    return match_of_link(session, Link(0, "", WATCHER, invitation.stream_id))


def join_match(session: Session, invitation: Invitation, device: str, seat: str | None) -> Link:
    """Let a phone join a match, commit, and return its link; joining again never lowers its role.

    `seat` is the seat or side of the phone's holder; empty or `None` for nobody. Raises `Refused` for an unknown seat,
    and `NoInvitation` if the invitation has ended.
    """
    seat = _check_seat(matches.setup_by_id(session, invitation.stream_id), seat)
    return add_phone(session, MATCH_LINKS, invitation, device, seat=seat)


def set_holder(session: Session, match: Match, seat: str | None) -> None:
    """Store which player holds this phone, and commit; `seat` is a seat or side, empty or `None` for nobody.

    Raises `Refused` for an unknown seat, and for a shared link.
    """
    if match.link.is_shared:
        raise refusal("", "Many phones may use this link. Ask for a PIN to join with your name.")
    MATCH_LINKS.change(session, match.link, seat=_check_seat(match.setup, seat))
    session.commit()


def _check_seat(setup: MatchSetup, seat: str | None) -> str | None:
    """Return `seat`, or `None` if it is empty; raises `Refused` if it is no seat or side of the match."""
    if seat and seat not in setup.ids:
        raise refusal("seat", "There is no such seat at this table.")
    return seat or None


def shared_link(session: Session, match: Match) -> Link | None:
    """Return the link by which any number of phones may watch a match; `None` if there is none in force."""
    phones = MATCH_LINKS.phones(session, match.id)
    return next((phone.link for phone in phones if phone.link.is_shared and phone.has_access), None)


def share_match(session: Session, match: Match) -> Link:
    """Return the link by which any number of phones may watch a match; if none is in force, add one and commit."""
    if link := shared_link(session, match):
        return link
    with locked_links(session, match):
        link = shared_link(session, match)
        return link or MATCH_LINKS.add(session, match.id, shared_code(new_code()), WATCHER, datetime.now(UTC))


def name_of_ender(session: Session, link: Link) -> str:
    """Return the name of the player whose phone ended a link to a match, so that the link gives no access now.

    Empty if nobody held that phone, or if the link is in force.
    """
    seat = holder_of_actor(links.ender_of_match_link(session, link))
    if not seat or not link.ended_at:
        return ""
    log = fold(MATCH_EVENTS.load(session, link.stream_id))
    earlier_seqs = {event.seq for event in log.events if event.at <= link.ended_at}
    renamed = log.renamed_at(sum(substitution.seq in earlier_seqs for substitution in log.substitutions))
    return matches.setup_by_id(session, link.stream_id).record_names(renamed).get(seat, "")
