"""The printed slip of a money night."""

from datetime import date

from scorekeeper.ledger.derive_match import Match
from scorekeeper.narration.dates import DateStyle
from scorekeeper.printing.money_slip import MoneySlip, SlipLine, SlipMatch
from scorekeeper.rules.phrases import number
from scorekeeper.services.money_nights import MoneyNight
from scorekeeper.web.money_night.page import balances, payment_words, settled_words
from scorekeeper.web.shared.reader import plain_day


def money_slip(night: MoneyNight, match: Match, dates: DateStyle) -> MoneySlip:
    """Return a night as it is printed, for a phone that came by one of its matches."""
    matches = "one match" if len(night.matches) == 1 else f"{number(len(night.matches))} matches"
    played_on = match.setup.played_on or date.isoformat(match.setup.created_at.astimezone().date())
    return MoneySlip(
        title="Money night",
        sub=f"{match.state.ruleset.name}, {plain_day(played_on, dates)}, {matches}",
        payments=payment_words(night),
        people=tuple(SlipLine(it.name, it.amount) for it in balances(night)),
        matches=tuple(
            SlipMatch(place, ", ".join(it.people.values()), settled_words(night, it))
            for place, it in enumerate(night.matches, 1)
        ),
    )
