"""Who owes whom after a match or a night, in whole cents, and the fewest payments that settle it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import BySide, SideId


@dataclass(frozen=True, slots=True)
class Shares:
    """The exact cents that a side is owed, by what they are owed for; negative where the side owes them."""

    cents_for_hands: Fraction
    """The cents for single hands, where each hand is settled in money."""
    cents_by_average: Fraction
    """The cents for points above or below the average of all sides."""
    cents_for_stakes: Fraction
    """The cents for winning or losing the match, and for sets."""

    @property
    def owed_cents(self) -> Fraction:
        """The cents for everything together; negative where the side owes them."""
        return self.cents_for_hands + self.cents_by_average + self.cents_for_stakes


def compute_shares(
    ruleset: Ruleset, scores: BySide, cents_for_hands: BySide, set_stakes: BySide, winners: Collection[SideId]
) -> dict[SideId, Shares]:
    """Return the exact cents that each side is owed if all settle now, keyed by side.

    `cents_for_hands` are the cents that each side got for single hands, negative if it paid more. `set_stakes` are the
    numbers of stakes that each side owes for sets, if others win.
    """
    average_cents = _average_shares(ruleset, scores)
    stake_cents = _stake_shares(ruleset, scores, set_stakes, winners)
    return {
        side: Shares(
            Fraction(cents_for_hands.get(side, 0)),
            average_cents.get(side, Fraction()),
            stake_cents.get(side, Fraction()),
        )
        for side in scores
    }


def _average_shares(ruleset: Ruleset, scores: BySide) -> dict[SideId, Fraction]:
    """Return the cents that each side is owed for a score above the average; negative for a score below.

    They are empty if the rules do not settle by the average.
    """
    cents_per_point = ruleset.money.cents_per_point
    if not cents_per_point or ruleset.pays_by_hand:
        return {}
    average_score = Fraction(sum(scores.values()), len(scores))
    return {side: ruleset.score_sign * (score - average_score) * cents_per_point for side, score in scores.items()}


def _stake_shares(
    ruleset: Ruleset, scores: BySide, set_stakes: BySide, winners: Collection[SideId]
) -> dict[SideId, Fraction]:
    """Return the cents that each side is owed in stakes; negative for the losers.

    The winners share equally what the losers pay for the match and for their sets. While nobody has won, there are
    none.
    """
    if not winners:
        return {}
    game_stake = ruleset.money.game_stake_cents or 0
    set_stake = ruleset.money.set_stake_cents or 0
    owed_cents = {
        side: Fraction(-(game_stake + set_stake * set_stakes.get(side, 0))) for side in scores if side not in winners
    }
    pot_cents = -sum(owed_cents.values(), Fraction())
    return owed_cents | {side: pot_cents / len(winners) for side in winners}


def round_to_whole_cents(shares: Mapping[SideId, Fraction]) -> dict[SideId, int]:
    """Return shares rounded to whole cents that still add up to zero.

    The first in seat order are rounded up.

    >>> round_to_whole_cents({"Ann": Fraction(130, 3), "Bob": Fraction(-20, 3), "Cal": Fraction(-110, 3)})
    {'Ann': 44, 'Bob': -7, 'Cal': -37}
    """
    return _round_to_zero_sum(shares, {}, shares)


MAX_PEOPLE_SEARCHED = 12
"""The most people among whom the fewest payments are searched for. More people settle as one group."""


@dataclass(frozen=True, slots=True)
class Payment:
    """A payment from one side or person to another."""

    debtor: SideId
    creditor: SideId
    cents: int


def fewest_payments(owed_by_side: BySide) -> tuple[Payment, ...]:
    """Return the fewest payments that settle what everybody is owed.

    Among more than `MAX_PEOPLE_SEARCHED` people, there may be more payments than needed. Raises `ValueError` if the
    cents do not add up to zero.

    >>> fewest_payments({"a": -5, "b": 3, "c": 2})
    (Payment(debtor='a', creditor='b', cents=3), Payment(debtor='a', creditor='c', cents=2))
    """
    if sum(owed_by_side.values()):
        raise ValueError("What everybody is owed must add up to zero.")
    people = [side for side, cents in owed_by_side.items() if cents]
    groups = (
        _split_into_most_groups([owed_by_side[side] for side in people])
        if len(people) <= MAX_PEOPLE_SEARCHED
        else [range(len(people))]
    )
    return tuple(
        payment
        for group in groups
        for payment in _settle_group({people[index]: owed_by_side[people[index]] for index in group})
    )


def _split_into_most_groups(cents_by_person: Sequence[int]) -> list[list[int]]:
    """Return as many groups of people as possible whose cents each add up to zero.

    A person is an index of `cents_by_person`.
    """
    subset_count = 1 << len(cents_by_person)
    subset_totals = [0] * subset_count
    group_counts = [0] * subset_count
    last_members = [0] * subset_count
    for subset in range(1, subset_count):
        lowest_bit = subset & -subset
        subset_totals[subset] = subset_totals[subset ^ lowest_bit] + cents_by_person[lowest_bit.bit_length() - 1]
        members_of_subset = [index for index in range(len(cents_by_person)) if subset >> index & 1]
        last_members[subset] = max(members_of_subset, key=lambda index: group_counts[subset ^ 1 << index])
        group_counts[subset] = group_counts[subset ^ 1 << last_members[subset]] + (subset_totals[subset] == 0)
    groups: list[list[int]] = []
    ungrouped = subset_count - 1
    while ungrouped:
        if subset_totals[ungrouped] == 0:
            groups.append([])
        groups[-1].append(last_members[ungrouped])
        ungrouped ^= 1 << last_members[ungrouped]
    return [sorted(group) for group in sorted(groups, key=min)]


def _settle_group(owed_by_side: BySide) -> list[Payment]:
    """Return payments that settle what is owed in one group of people.

    There are fewer payments than people.
    """
    debt_by_side = {side: -cents for side, cents in owed_by_side.items() if cents < 0}
    payments = []
    for creditor, cents_due in ((side, cents) for side, cents in owed_by_side.items() if cents > 0):
        for debtor in debt_by_side:
            cents = min(cents_due, debt_by_side[debtor])
            if cents:
                payments.append(Payment(debtor, creditor, cents))
                cents_due -= cents
                debt_by_side[debtor] -= cents
    return payments


Person = str
"""A person, as a key that is the same for all spellings of the person's name."""


@dataclass(frozen=True, slots=True)
class SettledMatch:
    """What one match of a night changes in the cents that each person is owed."""

    change_by_person: Mapping[Person, int]
    """The change in cents of each player, in seat order, then of other people whose sums were rounded anew."""
    cents_by_person: Mapping[Person, int]
    """The cents that each person is owed for the night so far, this match included; negative if the person owes
    them."""


def settle_night(matches: Sequence[Mapping[Person, Fraction]]) -> tuple[SettledMatch, ...]:
    """Return what each match of a night changes in whole cents.

    `matches` are the exact shares of each match's players, which must add up to zero. Whoever does not play in a match
    keeps the same cents if possible.

    >>> third = Fraction(100, 3)
    >>> first, second = settle_night([{"ann": 2 * third, "bob": -third, "cal": -third}] * 2)
    >>> dict(first.cents_by_person), dict(second.cents_by_person)
    ({'ann': 67, 'bob': -33, 'cal': -34}, {'ann': 134, 'bob': -67, 'cal': -67})
    """
    exact_cents: dict[Person, Fraction] = {}
    whole_cents: dict[Person, int] = {}
    settled_matches = []
    for shares in matches:
        cents_before = whole_cents
        for person, share in shares.items():
            exact_cents[person] = exact_cents.get(person, Fraction()) + share
        whole_cents = _round_to_zero_sum(exact_cents, cents_before, shares)
        changes = {person: whole_cents[person] - cents_before.get(person, 0) for person in (*shares, *whole_cents)}
        changes = {person: change for person, change in changes.items() if change or person in shares}
        settled_matches.append(SettledMatch(changes, whole_cents))
    return tuple(settled_matches)


def _round_to_zero_sum(
    exact_cents: Mapping[Person, Fraction], cents_before: Mapping[Person, int], players: Mapping[Person, Fraction]
) -> dict[Person, int]:
    """Return every person's exact cents rounded to whole cents so that all add up to zero.

    The cents of the `players` are adjusted first, in seat order. Others keep their `cents_before` if possible.
    """
    rounded_down = {person: exact_sum.numerator // exact_sum.denominator for person, exact_sum in exact_cents.items()}
    whole_cents = {
        person: rounded_down[person] if person in players else cents_before[person] for person in exact_cents
    }
    missing_cents = -sum(whole_cents.values())
    for person in dict.fromkeys((*players, *exact_cents)):
        # A whole sum is not rounded; any other may be rounded up by a cent, or down again.
        if exact_cents[person].denominator == 1:
            continue
        if missing_cents > 0 and whole_cents[person] == rounded_down[person]:
            whole_cents[person], missing_cents = whole_cents[person] + 1, missing_cents - 1
        elif missing_cents < 0 and whole_cents[person] > rounded_down[person]:
            whole_cents[person], missing_cents = whole_cents[person] - 1, missing_cents + 1
    return whole_cents
