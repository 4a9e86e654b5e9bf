"""Which bids have a button where a game has too many for a button each."""

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.pages.hand.view import MAX_LIKELY_BIDS, likely_numbers
from scorekeeper.pitch.rules.groups.declare import MAX_POINTS

NUMBERS = st.builds(range, st.integers(1, 60), st.integers(61, MAX_POINTS + 1)).map(tuple)
WANTED = st.lists(st.integers(1, MAX_POINTS), max_size=30)


@given(NUMBERS, WANTED)
def test_the_ends_have_a_button_and_all_of_them_fit(numbers: tuple[int, ...], wanted: list[int]) -> None:
    likely = likely_numbers(numbers, wanted)

    assert {numbers[0], numbers[-1]} <= set(likely) <= set(numbers)
    assert list(likely) == sorted(set(likely))
    assert len(likely) <= MAX_LIKELY_BIDS


@given(NUMBERS, WANTED)
def test_the_last_few_that_were_wanted_have_one(numbers: tuple[int, ...], wanted: list[int]) -> None:
    can_be = [number for number in dict.fromkeys(wanted) if number in numbers]

    assert set(can_be[:4]) <= set(likely_numbers(numbers, wanted))


@given(NUMBERS, WANTED)
def test_no_button_goes_when_more_is_wanted(numbers: tuple[int, ...], wanted: list[int]) -> None:
    assert set(likely_numbers(numbers, [])) <= set(likely_numbers(numbers, wanted))
