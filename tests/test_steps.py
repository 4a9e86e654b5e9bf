"""The steps of two pairs: from zero, inside their frame, and in words."""

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.club.figures.bars_and_steps import draw_steps


def test_who_led_is_read_out() -> None:
    drawn = draw_steps([1, 2, 1, 0, -1, 0, 1, 2], "Ann & Cal", "Bea & Dan")
    assert drawn is not None
    assert drawn.spoken_text == (
        "Match by match: Ann & Cal led by up to 2, Bea & Dan led by up to 1, Ann & Cal lead by 2 now."
    )
    assert drawn.end_text == "+2"
    assert drawn.first_dots.count("z") == 5
    even = draw_steps([1, 0], "Ann & Cal", "Bea & Dan")
    assert even is not None
    assert even.spoken_text == "Match by match: Ann & Cal led by up to 1, they are even now."
    assert even.end_text == "0"


def test_one_match_is_no_line() -> None:
    assert draw_steps([1], "Ann & Cal", "Bea & Dan") is None


@given(st.lists(st.sampled_from([-1, 1]), min_size=2, max_size=300))
def test_the_line_stays_inside(won: list[int]) -> None:
    leads = [sum(won[: n + 1]) for n in range(len(won))]
    drawn = draw_steps(leads, "A", "B")
    assert drawn is not None
    points = [point.split() for point in drawn.path_data.removeprefix("M").split("L")]
    assert len(points) == len(won) + 1
    assert all(0 <= float(x) <= drawn.width and 0 <= float(y) <= drawn.height for x, y in points)
    assert float(points[0][1]) == drawn.zero_y
