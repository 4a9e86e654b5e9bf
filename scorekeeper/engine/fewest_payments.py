"""The fewest payments that settle what everybody is owed, in whole cents.

A group whose sums add up to zero settles among itself with one payment fewer than it has people. So the payments are
fewest where the groups are most, and the groups are looked for among all of up to `MOST_SEARCHED` people.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.engine.hand import SideId

MOST_SEARCHED = 12
"""Beyond that many the people settle as one group; no game of money has so many seats, and few nights see so many."""


@dataclass(frozen=True, slots=True)
class Payment:
    """One pays another."""

    debtor: SideId
    creditor: SideId
    cents: int


def fewest_payments(owed: Mapping[SideId, int]) -> tuple[Payment, ...]:
    """Return the payments that leave nobody owed anything; raises `ValueError` where the sums do not add up to zero.

    >>> [(it.debtor, it.creditor, it.cents) for it in fewest_payments({"a": -5, "b": 5, "c": -3, "d": 3})]
    [('a', 'b', 5), ('c', 'd', 3)]
    """
    if sum(owed.values()):
        raise ValueError("What everybody is owed must add up to zero.")
    people = [side for side, cents in owed.items() if cents]
    groups = _most_groups([owed[side] for side in people]) if len(people) <= MOST_SEARCHED else [range(len(people))]
    return tuple(
        payment for group in groups for payment in _settle({people[place]: owed[people[place]] for place in group})
    )


def _most_groups(cents: Sequence[int]) -> list[list[int]]:
    """Return the most groups that each add up to zero, by their places."""
    everybody = (1 << len(cents)) - 1
    total, groups, last = [0] * (everybody + 1), [0] * (everybody + 1), [0] * (everybody + 1)
    for some in range(1, everybody + 1):
        lowest = some & -some
        total[some] = total[some ^ lowest] + cents[lowest.bit_length() - 1]
        members = [place for place in range(len(cents)) if some >> place & 1]
        last[some] = max(members, key=lambda place: groups[some ^ 1 << place])
        groups[some] = groups[some ^ 1 << last[some]] + (total[some] == 0)
    found: list[list[int]] = []
    while everybody:
        if total[everybody] == 0:
            found.append([])
        found[-1].append(last[everybody])
        everybody ^= 1 << last[everybody]
    return [sorted(group) for group in sorted(found, key=min)]


def _settle(owed: Mapping[SideId, int]) -> list[Payment]:
    """Settle a group with at most one payment fewer than it has people."""
    debts = {side: -cents for side, cents in owed.items() if cents < 0}
    paid = []
    for creditor, due in ((side, cents) for side, cents in owed.items() if cents > 0):
        for debtor in debts:
            cents = min(due, debts[debtor])
            if cents:
                paid.append(Payment(debtor, creditor, cents))
                due -= cents
                debts[debtor] -= cents
    return paid
