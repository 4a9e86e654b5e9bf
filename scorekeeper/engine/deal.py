"""The deal: who dealt where the calls tell it, and whom it passes to."""

from scorekeeper.engine.hand import Calls
from scorekeeper.engine.seats import Seats
from scorekeeper.rules.schema import Ruleset


def dealer_by_calls(seats: Seats, calls: Calls) -> str | None:
    """Return the player on the right of whoever called first; `None` without a call of a player at the table."""
    return seats.right_of(calls[0][0]) if calls and calls[0][0] in seats.players else None


def next_dealer(
    ruleset: Ruleset, seats: Seats, dealer: str | None, bidder: str | None, *, made: bool | None
) -> str | None:
    """Return who deals after a scored hand: the next one around the table, or as Racehorse has it (`002`).

    In Racehorse whoever bid deals after a made bid, and the player on their right after a set.
    """
    if ruleset.play.next_dealer == "racehorse" and bidder is not None:
        return bidder if made else seats.right_of(bidder)
    return deal_passes(ruleset, seats, dealer)


def deal_passes(ruleset: Ruleset, seats: Seats, dealer: str | None) -> str | None:
    """Return the player after the dealer, on the left unless deal and play go the other way around."""
    if dealer is None:
        return None
    return seats.right_of(dealer) if ruleset.play.next_dealer == "counterclockwise" else seats.left_of(dealer)
