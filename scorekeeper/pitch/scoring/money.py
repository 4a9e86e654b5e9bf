"""Who owes whom after a match or a night, in whole cents, and the fewest payments to settle."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import BySide, SideId


@dataclass(frozen=True, slots=True)
class Shares:
    """The exact cents that a side is owed, by cause; negative if the side owes them."""

    paid: Fraction
    """Cents for single hands, where each is settled in money."""
    average: Fraction
    """Cents for points above or below the average of all sides."""
    stakes: Fraction
    """Cents for winning or losing the match, and for sets."""

    @property
    def owed(self) -> Fraction:
        """The sum for all causes; negative where the side owes."""
        return self.paid + self.average + self.stakes


def compute_shares(
    ruleset: Ruleset,
    scores: BySide,
    paid: BySide,
    set_stakes: BySide,
    winners: Collection[SideId],
) -> dict[SideId, Shares]:
    """Return the exact cents that each side is owed, by cause, if all settle now.

    `paid` are the cents that each side got for single hands, negative if it paid more. `set_stakes` are the stakes that
    it owes for sets, if others win.
    """
    average, stakes = _average_shares(ruleset, scores), _stake_shares(ruleset, scores, set_stakes, winners)
    return {
        side: Shares(Fraction(paid.get(side, 0)), average.get(side, Fraction()), stakes.get(side, Fraction()))
        for side in scores
    }


def _average_shares(ruleset: Ruleset, scores: BySide) -> dict[SideId, Fraction]:
    """Return the cents that each side is owed for its score above the average, negative if below.

    Empty if the rules do not settle by the average.
    """
    cents = ruleset.money.cents_per_point
    if not cents or ruleset.pays_by_hand:
        return {}
    average = Fraction(sum(scores.values()), len(scores))
    return {side: ruleset.score_sign * (score - average) * cents for side, score in scores.items()}


def _stake_shares(
    ruleset: Ruleset, scores: BySide, set_stakes: BySide, winners: Collection[SideId]
) -> dict[SideId, Fraction]:
    """Return the cents that each side is owed in stakes, negative for losers.

    The winners share equally what losers pay for the match and their sets. Empty while nobody has won.
    """
    if not winners:
        return {}
    for_game, for_set = ruleset.money.game_stake_cents or 0, ruleset.money.set_stake_cents or 0
    owed = {side: Fraction(-(for_game + for_set * set_stakes.get(side, 0))) for side in scores if side not in winners}
    pot = -sum(owed.values(), Fraction())
    return owed | {side: pot / len(winners) for side in winners}


def round_to_whole_cents(shares: Mapping[SideId, Fraction]) -> dict[SideId, int]:
    """Return shares rounded to whole cents that still add up to zero.

    The first in seat order are rounded up.

    >>> round_to_whole_cents({"Ann": Fraction(130, 3), "Bob": Fraction(-20, 3), "Cal": Fraction(-110, 3)})
    {'Ann': 44, 'Bob': -7, 'Cal': -37}
    """
    return _round_to_zero_sum(shares, {}, shares)


MAX_PEOPLE_SEARCHED = 12
"""The most people among whom the fewest payments are searched for; more people settle as one group."""


@dataclass(frozen=True, slots=True)
class Payment:
    """A payment from one side or person to another."""

    debtor: SideId
    creditor: SideId
    cents: int


def fewest_payments(owed: BySide) -> tuple[Payment, ...]:
    """Return the fewest payments that settle what is owed.

    Among more than `MAX_PEOPLE_SEARCHED` people they may not be the fewest. Raises `ValueError` if the sums do not add
    up to zero.

    >>> fewest_payments({"a": -5, "b": 3, "c": 2})
    (Payment(debtor='a', creditor='b', cents=3), Payment(debtor='a', creditor='c', cents=2))
    """
    if sum(owed.values()):
        raise ValueError("What everybody is owed must add up to zero.")
    people = [side for side, cents in owed.items() if cents]
    groups = (
        _split_into_most_groups([owed[side] for side in people])
        if len(people) <= MAX_PEOPLE_SEARCHED
        else [range(len(people))]
    )
    return tuple(
        payment
        for group in groups
        for payment in _settle_group({people[index]: owed[people[index]] for index in group})
    )


def _split_into_most_groups(cents: Sequence[int]) -> list[list[int]]:
    """Return as many groups of people as possible whose cents each add up to zero.

    People are given as indexes of `cents`.
    """
    subset_count = 1 << len(cents)
    totals, group_counts, last_members = [0] * subset_count, [0] * subset_count, [0] * subset_count
    for people in range(1, subset_count):
        lowest_bit = people & -people
        totals[people] = totals[people ^ lowest_bit] + cents[lowest_bit.bit_length() - 1]
        members = [index for index in range(len(cents)) if people >> index & 1]
        last_members[people] = max(members, key=lambda index: group_counts[people ^ 1 << index])
        group_counts[people] = group_counts[people ^ 1 << last_members[people]] + (totals[people] == 0)
    groups: list[list[int]] = []
    ungrouped = subset_count - 1
    while ungrouped:
        if totals[ungrouped] == 0:
            groups.append([])
        groups[-1].append(last_members[ungrouped])
        ungrouped ^= 1 << last_members[ungrouped]
    return [sorted(group) for group in sorted(groups, key=min)]


def _settle_group(owed: BySide) -> list[Payment]:
    """Return payments that settle what is owed in one group.

    There are fewer payments than people.
    """
    debts = {side: -cents for side, cents in owed.items() if cents < 0}
    payments = []
    for creditor, due in ((side, cents) for side, cents in owed.items() if cents > 0):
        for debtor in debts:
            cents = min(due, debts[debtor])
            if cents:
                payments.append(Payment(debtor, creditor, cents))
                due -= cents
                debts[debtor] -= cents
    return payments


Person = str
"""A person, by a key that is the same for all spellings of the person's name."""


@dataclass(frozen=True, slots=True)
class SettledMatch:
    """What one match of a night changes in the cents that each person is owed."""

    change: Mapping[Person, int]
    """The change in cents of each player, in seat order, then of others if rounding changed their sums."""
    after: Mapping[Person, int]
    """The cents that each person is owed for the night up to this match; negative if the person owes."""


def settle_night(matches: Sequence[Mapping[Person, Fraction]]) -> tuple[SettledMatch, ...]:
    """Return what each match of a night changes in whole cents, given the exact shares of its players.

    The shares of each match must add up to zero. A person who does not play in a match keeps the same cents if
    possible.

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
        cents = _round_to_zero_sum(exact, before, shares)
        changes = {person: cents[person] - before.get(person, 0) for person in (*shares, *cents)}
        changes = {person: change for person, change in changes.items() if change or person in shares}
        settled.append(SettledMatch(changes, cents))
    return tuple(settled)


def _round_to_zero_sum(
    exact: Mapping[Person, Fraction], before: Mapping[Person, int], playing: Mapping[Person, Fraction]
) -> dict[Person, int]:
    """Return every sum rounded to whole cents so that all add up to zero.

    The sums of people `playing` are adjusted first, in seat order. Others keep their cents `before` if possible.
    """
    rounded_down = {person: owed.numerator // owed.denominator for person, owed in exact.items()}
    cents = {person: rounded_down[person] if person in playing else before[person] for person in exact}
    missing_cents = -sum(cents.values())
    for person in dict.fromkeys((*playing, *exact)):
        # A whole sum is not rounded; any other may be rounded up by a cent, or down again.
        if exact[person].denominator == 1:
            continue
        if missing_cents > 0 and cents[person] == rounded_down[person]:
            cents[person], missing_cents = cents[person] + 1, missing_cents - 1
        elif missing_cents < 0 and cents[person] > rounded_down[person]:
            cents[person], missing_cents = cents[person] - 1, missing_cents + 1
    return cents
