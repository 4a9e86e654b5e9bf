"""Points that are given before a card is played: for the card turned up for trump, and to whoever begs."""

from collections.abc import Iterator, Mapping

from scorekeeper.engine.hand import SideId
from scorekeeper.engine.seats import Seats
from scorekeeper.engine.target import has_reached_target
from scorekeeper.rules.awards import AwardId, Gift
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.schema import Ruleset

Takers = Mapping[AwardId, SideId | None]
"""Who got what, by award; whatever cannot be read is looked at elsewhere."""


def given_faults(
    ruleset: Ruleset, seats: Seats, dealer: str | None, takers: Takers, scores: Mapping[SideId, int]
) -> Iterator[Fault]:
    """Find points that were given to a side that cannot have got them; `scores` are those before the hand."""
    dealing = seats.side_of(dealer) if dealer is not None else None
    for award_id, side in given_to(ruleset, seats, takers):
        award, field = ruleset.awards[award_id], f"taken.{award_id}"
        is_gift = isinstance(ruleset.kinds[award_id], Gift)
        if dealing is not None and not is_gift and side != dealing:
            why = f"{award.name} goes to whoever dealt, and {{0}} did."
            yield Fault(field, "not_dealt", why, (dealing,))
        elif is_gift and side == dealing:
            yield Fault(field, "own_gift", "{0} dealt, and cannot beg.", (side,))
        elif is_gift and has_reached_target(ruleset, scores[side] + _counted(ruleset, award.points)):
            why = "The dealer may not give {0} the point that wins the match."
            yield Fault(field, "gift_wins", why, (side,))


def given_to(ruleset: Ruleset, seats: Seats, takers: Takers) -> Iterator[tuple[AwardId, SideId]]:
    """Yield each award that was given before a card was played, and the side that got it."""
    for award_id in ruleset.given_awards:
        who = takers.get(award_id)
        side = seats.side_of(who) if who is not None else None
        if side is not None:
            yield award_id, side


def _counted(ruleset: Ruleset, points: int) -> int:
    """Return by how much points move a score, whichever way it counts."""
    return -points if ruleset.winning.count_down_from else points
