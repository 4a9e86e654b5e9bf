"""Who counts points together in a hand: the bidding side, and whoever defends."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

from scorekeeper.engine.hand import BIDDERS, DEFENDERS, SideId
from scorekeeper.engine.seats import Seats
from scorekeeper.rules.schema import Ruleset


@dataclass(frozen=True)
class Camps:
    """The groups of a hand, the bidding one first where there was a bid."""

    groups: tuple[tuple[SideId, ...], ...]
    has_bidders: bool

    def of(self, side: SideId) -> int:
        """Give the number of the group that a side is in; raises `KeyError` where it is in none."""
        return self._numbers[side]

    @cached_property
    def _numbers(self) -> dict[SideId, int]:
        return {side: number for number, group in enumerate(self.groups) for side in group}


def camps_of(
    ruleset: Ruleset, seats: Seats, bidder: str | None, partner: str | None, *, together: bool = False
) -> Camps:
    """Divide the sides of a match for one hand; `bidder` and `partner` are players or sides at this table.

    The defenders count `together` where the rules say so, or where the table told it so and it decides nothing.
    """
    lead = seats.side_of(bidder) if bidder is not None else None
    mate = seats.side_of(partner) if partner is not None else None
    return _divided(seats.names, lead, mate, together or ruleset.two_camps)


@lru_cache(maxsize=1024)  # a table divides in few ways, and again in every hand
def _divided(names: tuple[SideId, ...], lead: SideId | None, mate: SideId | None, together: bool) -> Camps:
    if lead is None:
        return Camps(tuple((name,) for name in names), has_bidders=False)
    bidders = (lead,) if mate in (None, lead) else (lead, mate)
    others = tuple(name for name in names if name not in bidders)
    defenders = (others,) if together else tuple((name,) for name in others)
    return Camps((bidders, *defenders), has_bidders=True)


def camp_named(seats: Seats, camps: Camps, who: str) -> tuple[int | None, str]:
    """Find the group that a name stands for; where there is none, `None` and a sentence that says why."""
    if who == BIDDERS:
        return (0, "") if camps.has_bidders else (None, "Nobody bid in this hand, so there are no bidders.")
    if who == DEFENDERS:
        if camps.has_bidders and len(camps.groups) == 2:
            return 1, ""
        return None, "More than one side defends here: say which."
    side = seats.side_of(who)
    if side is None:
        return None, f"Nobody called {who} sits at this table."
    return camps.of(side), ""
