"""What is shown of the connected phones of a match."""

from dataclasses import dataclass

from sqlalchemy.orm import Session

from scorekeeper.ledger.agreement import JOINED_LATER, acceptance_fault
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.log import LoggedHand
from scorekeeper.services.phones import Phone, phones_of
from scorekeeper.web.shared.connected_phones import PhoneView, phone_view
from scorekeeper.web.shared.match_views import side_view_of
from scorekeeper.web.shared.widgets import QuestionView


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatClaimPage:
    """Template phones/seat_claim.html."""

    code: str
    match_title: str
    question: QuestionView


def phone_views(session: Session, match: Match) -> list[PhoneView]:
    """Return the phones of a match, those that were removed as well."""
    phones = phones_of(session, match)
    owners = sum(phone.is_connected and _is_own(phone) for phone in phones)
    return [_view(match, phone, is_last_owner=owners < 2 and _is_own(phone)) for phone in phones]


def _is_own(phone: Phone) -> bool:
    """Return whether a phone owns the match by itself: the match needs one that does, whatever becomes of a book."""
    return phone.link.is_owner and not phone.is_by_book


def _view(match: Match, phone: Phone, *, is_last_owner: bool) -> PhoneView:
    seat = phone.link.seat or ""
    return phone_view(
        phone,
        match.link.id,
        is_last_owner=is_last_owner,
        holder=match.names.get(seat, ""),
        is_by_book=phone.is_by_book,
        is_shared=phone.link.is_shared,
        visitors=phone.visitors,
        side=side_view_of(match, seat),
        joined_later=phone.is_connected and any(_joined_later(match, phone, hand) for hand in match.log.waiting),
    )


def _joined_later(match: Match, phone: Phone, hand: LoggedHand) -> bool:
    fault = acceptance_fault(match.setup, phone.link, "", hand)
    return fault is not None and fault.code == JOINED_LATER
