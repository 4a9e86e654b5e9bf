"""What everybody is owed over an evening of matches for money, in whole cents that add up to zero.

Each match is added with its exact shares, and only the sums over the evening are rounded: rounding match by match would
let the errors add up. So at every moment everybody is within a cent of the exact share. What one match settles is the
difference between the sums after it and before it, so these differences add up to zero as well, and to the evening.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

Person = str
"""What all spellings of somebody's name have in common."""


@dataclass(frozen=True, slots=True)
class Settled:
    """What one match of the evening settles."""

    change: Mapping[Person, int]
    """For each who played in it, in seat order, and for whoever else a cent had to move."""
    after: Mapping[Person, int]
    """What everybody is owed over the evening so far, who has played in it."""


def settle_night(matches: Sequence[Mapping[Person, Fraction]]) -> tuple[Settled, ...]:
    """Return what each match settles, given what each player of each match is owed in it exactly.

    The shares of each match add up to zero. Whoever does not play in a match keeps the cents that they had, unless the
    sums could not add up to zero otherwise.

    >>> third = Fraction(100, 3)
    >>> first, second = settle_night([{"ann": 2 * third, "bob": -third, "cal": -third}] * 2)
    >>> dict(first.after), dict(second.after)
    ({'ann': 67, 'bob': -33, 'cal': -34}, {'ann': 134, 'bob': -67, 'cal': -67})
    """
    exact: dict[Person, Fraction] = {}
    cents: dict[Person, int] = {}
    settled = []
    for shares in matches:
        before = cents
        for person, share in shares.items():
            exact[person] = exact.get(person, Fraction()) + share
        cents = _rounded(exact, before, shares)
        change = {person: cents[person] - before.get(person, 0) for person in cents}
        settled.append(Settled({it: moved for it, moved in change.items() if moved or it in shares}, cents))
    return tuple(settled)


def _rounded(
    exact: Mapping[Person, Fraction], before: Mapping[Person, int], playing: Mapping[Person, Fraction]
) -> dict[Person, int]:
    """Round every sum up or down so that they add up to zero: first those of the players, in seat order."""
    low = {person: share.numerator // share.denominator for person, share in exact.items()}
    cents = {person: low[person] if person in playing else before[person] for person in exact}
    left = -sum(cents.values())
    # A sum that is whole already is not rounded; of the others each may be a cent higher, or lower again.
    order = [it for it in (*playing, *(it for it in exact if it not in playing)) if exact[it].denominator != 1]
    for person in order:
        if left > 0 and cents[person] == low[person]:
            cents[person], left = cents[person] + 1, left - 1
        elif left < 0 and cents[person] > low[person]:
            cents[person], left = cents[person] - 1, left + 1
    return cents
