"""What the page of the connected phones shows: the code that lets one in, and who is in."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from zlib import crc32

from scorekeeper.graphics.markers import SideView
from scorekeeper.ledger.agreement import JOINED_LATER, acceptance_fault
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.log import LoggedHand
from scorekeeper.ledger.roles import RANKS, Invitation
from scorekeeper.services.phones import Phone
from scorekeeper.web.match.page import match_title
from scorekeeper.web.shared.side_views import side_view_of
from scorekeeper.web.shared.widgets import QuestionView

CHANGES = (*RANKS, "end", "reopen", "accept")
"""What can be done to a link: give it a role, end it, let its phone in again, or let it accept earlier hands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneView:
    """A phone that was let in."""

    link_id: int
    holder: str
    """Empty where it is no player's."""
    is_by_book: bool
    """Whether it came by the book that the match is in."""
    is_shared: bool
    """Whether it is a link that was sent to others."""
    visitors: int
    """How many phones opened that."""
    side: SideView | None
    role: str
    is_mine: bool
    is_last_owner: bool
    joined_later: bool
    """Whether hands wait that it can accept only if an owner lets it."""
    since: datetime
    ended_at: datetime | None
    """`None` while it is in."""
    is_here: bool
    """Whether it looks at a page of this match now."""
    seen_at: datetime | None
    """When it was here last; `None` for one that is here, and for one that has not been here yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhonesPage:
    """Template phones/show.html. Blocks: phones."""

    code: str
    match_title: str
    invitation: Invitation | None
    """What another phone scans or types."""
    phones: tuple[PhoneView, ...]
    """Those that are in before those that are out."""
    phones_version: str
    """Changes with anything that is shown of the phones."""
    changed: PhoneView | None
    """The phone whose link was changed just now."""
    change: str
    """What was done to it: its new role, `end`, `reopen` or `accept`."""
    refusal: str
    """Why nothing was changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatClaimPage:
    """Template phones/seat_claim.html."""

    code: str
    match_title: str
    question: QuestionView


def phones_page(
    match: Match,
    phones: Sequence[Phone],
    invitation: Invitation | None,
    *,
    changed: int | None = None,
    change: str = "",
    refusal: str = "",
) -> PhonesPage:
    """Return the page, with the invitation for one role; `changed` is the link that was changed just now."""
    owners = sum(phone.is_connected and _is_own(phone) for phone in phones)
    in_order = sorted(phones, key=lambda phone: not phone.is_connected)
    views = tuple(_phone(match, phone, is_only_owner=owners < 2 and _is_own(phone)) for phone in in_order)
    return PhonesPage(
        code=match.code,
        match_title=match_title(match),
        invitation=invitation,
        phones=views,
        phones_version=f"{crc32(repr(views).encode()):x}",
        changed=next((view for view in views if view.link_id == changed and change in CHANGES), None),
        change=change,
        refusal=refusal,
    )


def _is_own(phone: Phone) -> bool:
    """Return whether a phone owns the match by itself: the match needs one that does, whatever becomes of a book."""
    return phone.link.is_owner and not phone.is_by_book


def _phone(match: Match, phone: Phone, *, is_only_owner: bool) -> PhoneView:
    seat, seen = phone.link.seat or "", phone.last_seen
    is_mine = phone.link.id == match.link.id
    is_here = not is_mine and phone.is_here
    return PhoneView(
        link_id=phone.link.id,
        holder=match.names.get(seat, ""),
        is_by_book=phone.is_by_book,
        is_shared=phone.link.is_shared,
        visitors=phone.visitors,
        side=side_view_of(match, seat),
        role=phone.link.role,
        is_mine=is_mine,
        is_last_owner=is_only_owner,
        joined_later=phone.is_connected and any(_joined_later(match, phone, hand) for hand in match.log.waiting),
        since=phone.since,
        ended_at=phone.ended_at,
        is_here=is_here,
        seen_at=seen if seen and not is_mine and not is_here else None,
    )


def _joined_later(match: Match, phone: Phone, hand: LoggedHand) -> bool:
    fault = acceptance_fault(match.setup, phone.link, "", hand)
    return fault is not None and fault.code == JOINED_LATER
