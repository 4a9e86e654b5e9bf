"""Where the race's markers and the count's boxes stand, and how strips are laid out."""

from itertools import pairwise

import pytest

from scorekeeper.pitch.drawings.markers import (
    FINISH_X,
    MARKER_SIZE,
    TRACK_END,
    TRACK_START,
    SideView,
    draw_race,
    draw_strip,
)
from scorekeeper.web.widgets import Choice, strip_columns

US, THEM, *OTHERS = (
    SideView(side_id=name.lower(), name=name, shape=number, letter=name[0])
    for number, name in enumerate(("Us", "Them", "Cleo", "Dad"), 1)
)


def middles(scores: tuple[tuple[SideView, int], ...], target: int, start: int = 0) -> dict[str, float]:
    """Return where the middle of each marker stands."""
    race = draw_race("a race", scores, target=target, start=start)
    return {marker.side.name.lower(): marker.x + MARKER_SIZE / 2 for marker in race.markers}


@pytest.mark.parametrize(("scores", "target", "start"), [((0, 21), 21, 0), ((-8, 21), 21, 0), ((21, 0), 0, 21)])
def test_a_side_at_the_start_or_in_the_hole_and_one_at_the_target_stand_at_the_ends_also_counting_down(
    scores: tuple[int, int], target: int, start: int
) -> None:
    race = zip((US, THEM), scores, strict=True)

    assert middles(tuple(race), target, start) == {"us": TRACK_START, "them": TRACK_END}


def test_tied_sides_are_stacked_where_their_score_is() -> None:
    race = draw_race("a race", tuple((side, 10) for side in (US, THEM, *OTHERS)), target=21)

    assert len({marker.x for marker in race.markers}) == 1
    assert all(lower.y - upper.y >= MARKER_SIZE for lower, upper in pairwise(race.markers))
    assert all(race.top <= marker.y and marker.y + MARKER_SIZE <= race.top + race.height for marker in race.markers)


def test_a_close_race_stacks_only_what_would_cover_another() -> None:
    race = draw_race("a race", ((US, 17), (THEM, 18), (OTHERS[0], 2)), target=21)

    heights = {marker.side.name: marker.y for marker in race.markers}
    assert heights["Us"] == heights["Cleo"] > heights["Them"]
    assert (race.level_count, draw_race("a race", ((US, 3), (THEM, 18)), target=21).level_count) == (2, 1)


def test_past_the_target_a_marker_stays_on_the_way() -> None:
    race = draw_race("a race", ((US, 25), (THEM, 3)), target=21)

    _, us = race.markers
    assert (us.side, us.x + MARKER_SIZE) == (US, FINISH_X)
    assert middles(((US, 20), (THEM, 25)), 21)["us"] < middles(((US, 20), (THEM, 25)), 21)["them"]


def test_a_long_way_has_few_ticks() -> None:
    assert len(draw_race("a race", (), target=1000).ticks) <= 13


def test_the_bidding_side_fills_from_the_left_and_the_others_from_the_right() -> None:
    strip = draw_strip(points=6, bid=3, bidders_points=2, bidders_shape=1, others=((2, 1), (3, 2)))

    assert [box.shape for box in strip.boxes] == [1, 1, 0, 3, 3, 2]


def test_the_flag_stands_after_as_many_boxes_as_were_bid() -> None:
    strip = draw_strip(points=4, bid=3, bidders_points=0, bidders_shape=1)

    assert strip.flag is not None
    assert strip.boxes[2].x < strip.flag <= strip.boxes[3].x


@pytest.mark.parametrize(("bid", "pennant"), [(3, 12.0), (4, -12.0)])
def test_the_pennant_stays_inside_the_picture(bid: int, pennant: float) -> None:
    assert draw_strip(points=4, bid=bid, bidders_points=0, bidders_shape=1).pennant == pennant


@pytest.mark.parametrize(
    ("labels", "columns"),
    [
        (("2", "3", "4"), "c3 short"),
        (tuple(map(str, range(11))), "c6 short"),
        (("who takes it", "who was dealt it"), "c2"),
        (("the bidder, then the higher score", "the higher score", "another hand"), "c1"),
    ],
)
def test_answers_stand_in_even_rows(labels: tuple[str, ...], columns: str) -> None:
    assert strip_columns(tuple(Choice(value=label, label=label) for label in labels)) == columns
