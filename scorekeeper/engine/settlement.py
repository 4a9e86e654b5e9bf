"""Who owes whom, in whole cents that add up to zero."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction

from scorekeeper.engine.hand import SideId
from scorekeeper.rules.schema import Ruleset


@dataclass(frozen=True, slots=True)
class Shares:
    """What makes up what a side is owed, in cents."""

    paid: Fraction
    """In the hands, directly."""
    average: Fraction
    """For the points above or below the average."""
    stakes: Fraction
    """For the match, and for having been set."""

    @property
    def owed(self) -> Fraction:
        """All of it."""
        return self.paid + self.average + self.stakes


def shares(
    ruleset: Ruleset,
    scores: Mapping[SideId, int],
    paid: Mapping[SideId, int],
    sets: Mapping[SideId, int],
    winners: Collection[SideId],
) -> dict[SideId, Shares]:
    """Return what each side is owed if the table settled now, and for what."""
    average, stakes = _average(ruleset, scores), _stakes(ruleset, scores, sets, winners)
    return {
        side: Shares(Fraction(paid.get(side, 0)), average.get(side, Fraction()), stakes.get(side, Fraction()))
        for side in scores
    }


def _average(ruleset: Ruleset, scores: Mapping[SideId, int]) -> dict[SideId, Fraction]:
    """Pay each point above or below the average (`002`, Money game)."""
    cents = ruleset.money.cents_per_point
    if not cents or ruleset.money.settles == "hand":
        return {}
    average = Fraction(sum(scores.values()), len(scores))
    direction = -1 if ruleset.winning.count_down_from else 1
    return {side: direction * (score - average) * cents for side, score in scores.items()}


def _stakes(
    ruleset: Ruleset, scores: Mapping[SideId, int], sets: Mapping[SideId, int], winners: Collection[SideId]
) -> dict[SideId, Fraction]:
    """Pay the winner the stake, and one more for each time that a loser was set (`002`, Moon over Four)."""
    if not winners:
        return {}
    for_game, for_set = ruleset.money.game_stake_cents or 0, ruleset.money.set_stake_cents or 0
    owed = {side: Fraction(-(for_game + for_set * sets.get(side, 0))) for side in scores if side not in winners}
    pot = -sum(owed.values(), Fraction())
    return owed | {side: pot / len(winners) for side in winners}


def whole_cents(shares: Mapping[SideId, Fraction]) -> dict[SideId, int]:
    """Round shares that add up to zero so that they still do; leftover cents fall in seat order.

    >>> whole_cents({"Ann": Fraction(130, 3), "Bob": Fraction(-20, 3), "Cal": Fraction(-110, 3)})
    {'Ann': 44, 'Bob': -7, 'Cal': -37}
    """
    whole = {side: share.numerator // share.denominator for side, share in shares.items()}
    left = -sum(whole.values())
    for side, share in shares.items():
        if left and share.denominator != 1:
            whole[side] += 1
            left -= 1
    return whole
