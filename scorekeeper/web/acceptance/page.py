"""What is shown where another side accepts hands: the setting, and why a hand was not accepted."""

from collections.abc import Collection
from dataclasses import dataclass

from scorekeeper.ledger.derive_match import Match
from scorekeeper.narration.phrases import verb
from scorekeeper.web.match.page import match_title

FEWEST_PHONES = 2
"""Sides with a phone, so that anybody can accept anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptancePage:
    """Template acceptance/show.html: asks before acceptance is turned on or off."""

    code: str
    match_title: str
    is_on: bool
    is_waiting: bool
    """Whether hands wait to be accepted."""
    has_phones: bool
    """Whether enough sides have a phone."""
    only_phone: str
    """"Them have": the one side with a phone, in a sentence."""


def acceptance_page(match: Match, phones: Collection[str]) -> AcceptancePage:
    """Return what is asked; `phones` are the sides that have one."""
    only_phone = ""
    if len(phones) == 1:
        (side,) = phones
        only_phone = f"{match.name(side)} {verb(match.state.seats, [side], 'have', 'has')}"
    return AcceptancePage(
        code=match.code,
        match_title=match_title(match),
        is_on=match.log.needs_agreement,
        is_waiting=bool(match.log.waiting),
        has_phones=len(phones) >= FEWEST_PHONES,
        only_phone=only_phone,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NotAcceptedPage:
    """Template acceptance/refused.html."""

    code: str
    match_title: str
    faults: tuple[str, ...]
