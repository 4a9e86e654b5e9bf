"""Whether counts can be: found out at once, however many awards there are and however many share them."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.pitch.scoring.point_counts import AwardToShare, can_hand_out
from tests.common.pace import counted_calls

WORTHS = st.lists(st.tuples(st.integers(1, 6), st.booleans()), max_size=6)


@given(WORTHS, st.lists(st.integers(0, 9), min_size=2, max_size=4), st.booleans())
def test_counts_can_be_where_some_way_to_hand_the_awards_out_gives_them(
    worths: list[tuple[int, bool]], points: list[int], complete: bool
) -> None:
    groups = range(len(points))
    takers = [[*groups, None] if may_be_nobodys or not complete else [*groups] for _, may_be_nobodys in worths]
    sums = (
        [sum(worth for (worth, _), who in zip(worths, ways, strict=True) if who == group) for group in groups]
        for ways in product(*takers)
    )
    awards = tuple(AwardToShare((worth,), may_be_nobodys) for worth, may_be_nobodys in worths)

    assert can_hand_out(awards, False, tuple(points), complete, None).fits == (points in sums)


def test_many_awards_and_many_sides_take_little_work() -> None:
    """Each award more for ten sides is ten times as many ways."""
    awards = tuple(AwardToShare((worth,), False, is_counted=worth == 21) for worth in range(1, 22))

    with counted_calls() as count:
        assert can_hand_out(awards, True, (23,) * 9 + (24,), True, None).fits is not False
        assert not can_hand_out(awards, False, (0,) * 9 + (230,), True, None).fits

    assert count.calls < 250_000
