"""Who pays whom, in the fewest payments."""

from collections import Counter
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.pitch.scoring.money import MAX_PEOPLE_SEARCHED, fewest_payments

sums = st.lists(st.integers(-500, 500), min_size=1, max_size=9).map(lambda cents: [*cents, -sum(cents)])
small_sums = st.lists(st.integers(-4, 4), min_size=1, max_size=6).map(lambda cents: [*cents, -sum(cents)])


def named(cents: list[int]) -> dict[str, int]:
    return {f"p{index}": owed for index, owed in enumerate(cents)}


def most_groups(cents: list[int]) -> int:
    """Count the most groups that add up to zero, by trying every one that has the first person in it."""
    if not cents:
        return 0
    first, *others = cents
    found = 0
    for size in range(len(others) + 1):
        for chosen in combinations(range(len(others)), size):
            if first + sum(others[index] for index in chosen) == 0:
                rest = [owed for index, owed in enumerate(others) if index not in chosen]
                found = max(found, 1 + most_groups(rest))
    return found


@given(sums)
def test_everybody_gets_what_he_is_owed_to_the_cent(cents: list[int]) -> None:
    owed, left = named(cents), Counter(named(cents))

    for payment in fewest_payments(owed):
        assert payment.cents > 0
        left[payment.creditor] -= payment.cents
        left[payment.debtor] += payment.cents

    assert set(left.values()) == {0}


@given(small_sums)
def test_no_settlement_has_fewer_payments(cents: list[int]) -> None:
    people = [owed for owed in cents if owed]

    assert len(fewest_payments(named(cents))) == len(people) - most_groups(people)


@given(sums)
def test_whoever_is_owed_pays_nobody(cents: list[int]) -> None:
    payments = fewest_payments(named(cents))

    assert not {payment.debtor for payment in payments} & {payment.creditor for payment in payments}


def test_a_large_table_settles_too() -> None:
    owed = named([1] * MAX_PEOPLE_SEARCHED + [-MAX_PEOPLE_SEARCHED])

    assert len(fewest_payments(owed)) == MAX_PEOPLE_SEARCHED
