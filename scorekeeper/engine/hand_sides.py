"""Who counts points together in one hand: the bidding side, and whoever defends."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

from scorekeeper.engine.hand import BIDDERS, DEFENDERS, SideId
from scorekeeper.engine.seats import Seats
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.schema import Ruleset


@dataclass(frozen=True)
class HandSides:
    """The groups of sides in a hand, the bidding one first where there was a bid."""

    groups: tuple[tuple[SideId, ...], ...]
    has_bidders: bool

    def group_of(self, side: SideId) -> int:
        """Return the number of the group that a side is in; raises `KeyError` where it is in none."""
        return self._numbers[side]

    @cached_property
    def _numbers(self) -> dict[SideId, int]:
        return {side: number for number, group in enumerate(self.groups) for side in group}

    @property
    def bidders(self) -> tuple[SideId, ...]:
        """The bidding side, with its partner's where one was called; empty where nobody bid."""
        return self.groups[0] if self.has_bidders else ()


def divide_sides(
    ruleset: Ruleset, seats: Seats, bidder: str | None, partner: str | None, *, together: bool = False
) -> HandSides:
    """Divide the sides of a match for one hand; `bidder` and `partner` are players or sides at this table.

    The defenders count `together` where the rules say so, or where the table counted so and it decides nothing.
    """
    lead = seats.side_of(bidder) if bidder is not None else None
    mate = seats.side_of(partner) if partner is not None else None
    return _divided(seats.ids, lead, mate, together or ruleset.pools_defenders)


@lru_cache(maxsize=1024)  # a table divides in few ways, and again in every hand
def _divided(sides: tuple[SideId, ...], lead: SideId | None, mate: SideId | None, together: bool) -> HandSides:
    if lead is None:
        return HandSides(tuple((side,) for side in sides), has_bidders=False)
    bidders = (lead,) if mate in (None, lead) else (lead, mate)
    others = tuple(side for side in sides if side not in bidders)
    defenders = (others,) if together else tuple((side,) for side in others)
    return HandSides((bidders, *defenders), has_bidders=True)


def find_group(seats: Seats, hand_sides: HandSides, who: str, field: str) -> int | Fault:
    """Return the number of the group that somebody, or a role, stands for; a fault at `field` where there is none."""
    if who == BIDDERS:
        if hand_sides.has_bidders:
            return 0
        return Fault(field, "unknown_side", "Nobody bid in this hand, so there are no bidders.")
    if who == DEFENDERS:
        if hand_sides.has_bidders and len(hand_sides.groups) == 2:
            return 1
        return Fault(field, "unknown_side", "More than one side defends here: say which.")
    side = seats.side_of(who)
    if side is None:
        return Fault(field, "unknown_side", "Nobody at this table is named {0}.", (who,))
    return hand_sides.group_of(side)
