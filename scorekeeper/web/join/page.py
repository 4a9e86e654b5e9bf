"""What the pages for joining a match show."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.roles import SCORER, Invitation
from scorekeeper.services.invitations import ALPHABET
from scorekeeper.web.match.page import match_title
from scorekeeper.web.phones.seat_claim import seat_question
from scorekeeper.web.shared.widgets import QuestionView


@dataclass(frozen=True, slots=True, kw_only=True)
class PinPage:
    """Template join/pin.html."""

    fault: Literal["", "wrong", "limited", "expired"] = ""
    pin: str = ""
    """As it was typed."""
    retry_at: datetime | None = None
    """When a PIN may be tried again."""
    alphabet: str = " ".join(ALPHABET)


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinPage:
    """Template join/seat.html."""

    code: str
    """Of the invitation."""
    match_title: str
    may_score: bool
    question: QuestionView


def join_page(match: Match, invitation: Invitation, seat: str | None) -> JoinPage:
    """Return the page that asks who joins; `seat` is who held the phone before."""
    return JoinPage(
        code=invitation.code,
        match_title=match_title(match),
        may_score=invitation.role == SCORER,
        question=seat_question(match, seat, nobody="Only watching"),
    )
