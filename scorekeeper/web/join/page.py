"""What the pages for joining a match show."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.roles import SCORER, Invitation
from scorekeeper.rules.phrases import digits, number
from scorekeeper.services.pins import ALPHABET, FEWEST_LETTERS
from scorekeeper.web.match.page import match_title
from scorekeeper.web.phones.seat_claim import seat_question
from scorekeeper.web.shared.widgets import QuestionView


@dataclass(frozen=True, slots=True, kw_only=True)
class PinPage:
    """Template join/pin.html."""

    fault: Literal["", "wrong", "limited", "expired"] = ""
    pin: str = ""
    """As it was typed."""
    wait: str = ""
    """How long nobody here may try a PIN: "4 minutes"."""
    retry_at: datetime | None = None
    """When a PIN may be tried again."""
    fewest_letters: str = number(FEWEST_LETTERS)
    alphabet: str = " ".join(ALPHABET)


def blocked_page(pin: str, until: datetime) -> PinPage:
    """Return the page that says how long to wait."""
    minutes = -(-max(until - datetime.now(UTC), timedelta()) // timedelta(minutes=1)) or 1
    hours = -(-minutes // 60)
    wait = digits(minutes, "minute") if minutes <= 60 else digits(hours, "hour")
    # Rounded up to the minute: at the time that is shown it must be possible.
    return PinPage(fault="limited", pin=pin, wait=wait, retry_at=until + timedelta(seconds=59))


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
