"""The bidding as far as its calls have been tapped: folded by the engine, and cut where a call cannot have been."""

from collections.abc import Sequence
from dataclasses import dataclass

from scorekeeper.engine.auction import Auction, run_auction
from scorekeeper.engine.hand import Call
from scorekeeper.engine.seats import Seats
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.schema import Ruleset

Spoken = tuple[tuple[str, Call], ...]
"""Who spoke, by name, and what they said."""


@dataclass(frozen=True, slots=True)
class Bidding:
    """The calls that stand, where they leave the bidding, and why the next one tapped does not stand."""

    auction: Auction
    calls: Spoken
    refused: Fault | None = None

    @property
    def speaker(self) -> str | None:
        """Who is to speak; `None` when the bidding is over."""
        return None if self.auction.is_over else self.auction.waiting[0]

    @property
    def has_bidder(self) -> bool:
        """Whether it is over and somebody has to make a bid."""
        return self.auction.is_over and self.auction.bidder is not None

    @property
    def ended_unplayed(self) -> bool:
        """Whether it is over and nothing is played: all passed, or the dealer took the set."""
        return self.auction.is_over and self.auction.bidder is None


def folded(ruleset: Ruleset, seats: Seats, dealer: str | None, calls: Sequence[tuple[str, Call]]) -> Bidding | None:
    """Fold calls; `None` where it is not known who deals, and so who begins."""
    if dealer is None or dealer not in seats.players:
        return None
    auction, faults = run_auction(ruleset, seats, dealer, calls)
    if not faults:
        return Bidding(auction, tuple(calls))
    place = int(faults[0].field.rpartition(".")[2])
    return Bidding(auction, tuple(calls[:place]), faults[0])


def first_dealer(seats: Seats, calls: Sequence[tuple[str, Call]]) -> str | None:
    """Give who must have dealt for the first of these calls to come first."""
    first = calls[0][0] if calls else ""
    return seats.right_of(first) if first in seats.players else None
