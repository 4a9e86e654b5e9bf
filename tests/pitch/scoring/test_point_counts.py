"""Whether point counts are possible: decided with little work, however many awards and groups there are."""

from itertools import chain, combinations, product

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.pitch.scoring.point_counts import AwardToAssign, search_split
from tests.common.pace import counted_calls

WORTHS = st.lists(st.tuples(st.integers(1, 6), st.booleans()), max_size=6)


@given(WORTHS, st.lists(st.integers(0, 9), min_size=2, max_size=4))
def test_counts_can_be_where_some_way_to_hand_the_awards_out_gives_them(
    worths: list[tuple[int, bool]], points: list[int]
) -> None:
    groups = range(len(points))
    takers = [(*((group,) for group in groups), *([()] if is_open else [])) for _, is_open in worths]
    sums = (
        [sum(worth for (worth, _), who in zip(worths, assignment, strict=True) if group in who) for group in groups]
        for assignment in product(*takers)
    )
    awards = tuple(AwardToAssign((worth,), choices) for (worth, _), choices in zip(worths, takers, strict=True))

    assert search_split(awards, tuple(points)).fits == (points in sums)


def test_many_awards_and_many_sides_take_little_work() -> None:
    """Each award more for ten sides is ten times as many ways."""
    alone = tuple(combinations(range(10), 1))
    shared = tuple(chain.from_iterable(combinations(range(10), number) for number in range(1, 11)))
    awards = tuple(AwardToAssign((worth,), alone) for worth in range(1, 21))

    with counted_calls() as count:
        assert (
            search_split((*awards, AwardToAssign((21,), shared, distinguishes_groups=True)), (23,) * 9 + (24,)).fits
            is not False
        )
        assert not search_split((*awards, AwardToAssign((21,), alone)), (0,) * 9 + (230,)).fits

    assert count.calls < 250_000
