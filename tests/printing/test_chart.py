"""A match's chart: where its lines run, how they are distinguished, and the same in words and numbers."""

import re
from itertools import accumulate, pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from scorekeeper.paths import TEMPLATES
from scorekeeper.pitch.drawings.chart import PHONE_FRAME, SHEET_FRAME, ChartLine, ChartView, Frame, draw_chart
from scorekeeper.pitch.drawings.markers import SideView
from scorekeeper.pitch.records.record import read_record
from scorekeeper.pitch.records.result import Rulebook, play_record
from scorekeeper.pitch.scoring.match import ScoreHistory, score_histories
from tests.common.library import LIBRARY
from tests.pitch.scoring.strategies import records

RULEBOOK = Rulebook(LIBRARY)
RISING = (0, 4, 9), (0, 1, 2)
NAMES = ("Ann", "Bea", "Cal", "Dan", "Eve", "Fay", "Gus", "Hal")


def side_views(names: tuple[str, ...]) -> dict[str, SideView]:
    return {
        name: SideView(side_id=name, name=name, shape=i % 6 + 1, letter=name[0], is_outlined=i > 5)
        for i, name in enumerate(names)
    }


def drawn(
    *runs: tuple[int, ...], target: int | None = 21, frame: Frame = PHONE_FRAME, sets: tuple[int, ...] = ()
) -> ChartView:
    """Draw these runs of scores, the first of which was set in those hands."""
    names = NAMES[: len(runs)]
    histories = [
        ScoreHistory(name, run, sets if i == 0 else ()) for i, (name, run) in enumerate(zip(names, runs, strict=True))
    ]
    chart = draw_chart(histories, side_views(names), target=target, frame=frame)
    assert chart
    return chart


def corners_of(line: ChartLine) -> list[tuple[float, float]]:
    """Return the corners of a line."""
    return [(float(x), float(y)) for x, y in re.findall(r"[ML]([-\d.]+) ([-\d.]+)", line.path)]


def svg_of(chart: ChartView) -> ElementTree.Element:
    templates = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined)
    markup = templates.from_string('{% import "shared/_chart.html" as chart %}{{ chart.drawing(c) }}').render(c=chart)
    return ElementTree.fromstring(markup)


def test_one_hand_shows_no_way() -> None:
    assert draw_chart([ScoreHistory("Ann", (0, 3), ())], side_views(("Ann",)), target=21) is None


def test_a_higher_score_lies_higher_and_a_later_hand_further_right() -> None:
    corners = corners_of(drawn(*RISING).lines[0])

    assert [x for x, _ in corners] == sorted(x for x, _ in corners)
    assert [y for _, y in corners] == sorted((y for _, y in corners), reverse=True)


def test_the_target_is_a_line_above_all_who_have_not_reached_it() -> None:
    chart = drawn((0, 4, 20), (0, 1, 2))

    assert chart.target
    assert chart.target.label == "Target 21"
    assert chart.target.at < min(y for line in chart.lines for _, y in corners_of(line))


def test_a_target_far_out_of_reach_does_not_press_the_lines_flat() -> None:
    near, far = drawn((0, 4, 6), (0, 1, 2), target=21), drawn((0, 4, 6), (0, 1, 2), target=500)

    assert (near.target is None, far.target is None) == (False, True)
    assert "The target is 500." in far.description
    assert min(y for line in far.lines for _, y in corners_of(line)) == PHONE_FRAME.top


def test_counting_down_the_target_lies_at_the_bottom() -> None:
    chart = drawn((9, 6, 2), (9, 8, 8), target=0)

    assert chart.target
    assert (chart.target.at, corners_of(chart.lines[0])[0][1]) == (PHONE_FRAME.bottom, PHONE_FRAME.top)


def test_below_zero_there_is_a_line_at_zero() -> None:
    assert [drawn(run, (0, 1, 2)).zero is not None for run in ((0, -4, 2), (0, 4, 6))] == [True, False]


def test_a_set_wears_a_ring() -> None:
    first, second = drawn((0, 4, 1, 5), (0, 1, 2, 3), sets=(2,)).lines

    ring = re.match(r"M([-\d.]+) ([-\d.]+)a([-\d.]+) ", first.set_rings)

    assert ring
    assert (float(ring[1]) + float(ring[3]), float(ring[2])) == pytest.approx(corners_of(first)[2], abs=0.11)
    assert second.set_rings == ""


def test_no_two_sides_share_line_marker_and_letter() -> None:
    chart = drawn(*((0, n, 2 * n) for n in range(8)))

    assert len({(line.dash, line.width, line.side.is_outlined) for line in chart.lines}) == 8
    assert len({(line.side.shape, line.side.is_outlined) for line in chart.lines}) == 8


@pytest.mark.parametrize("frame", [PHONE_FRAME, SHEET_FRAME])
@pytest.mark.parametrize("sides", [2, 5, 8])
def test_level_sides_do_not_hide_one_another_at_the_end(frame: Frame, sides: int) -> None:
    chart = drawn(*((0, 3, 5) for _ in range(sides)), frame=frame)

    heights = sorted(line.score_y for line in chart.lines)

    assert min(b - a for a, b in pairwise(heights)) >= frame.type_size


def test_it_is_described_in_words() -> None:
    chart = drawn((0, 4, 1, 9), (0, 1, 2, -3), sets=(2,))

    assert chart.description == (
        "After 3 hands: Ann from 0 to 9; Bea from 0 to −3. Ann: set in hand 2. "
        "The lead changed twice. The target is 21."
    )


def test_counting_down_the_lower_score_leads() -> None:
    assert "The lead changed once." in drawn((9, 5, 4), (9, 7, 2), target=0).description


def test_it_is_given_in_numbers() -> None:
    assert drawn((0, 4, -1), (0, 1, 2)).rows == (("Start", "0", "0"), ("1", "4", "1"), ("2", "−1", "2"))


def test_a_screen_reader_gets_its_title_and_what_it_tells() -> None:
    chart = drawn(*RISING)

    svg = svg_of(chart)

    named = {part.get("id"): part.text for part in svg.iter()}
    assert svg.get("role") == "img"
    assert [named[name] for name in str(svg.get("aria-labelledby")).split()] == [chart.title, chart.description]


def test_names_are_only_ever_text() -> None:
    name = '"><script>alert(1)</script>'
    histories = [ScoreHistory(name, (0, 4, 9), (1,)), ScoreHistory("Bea", (0, 1, 2), ())]
    chart = draw_chart(histories, side_views((name, "Bea")), target=21)
    assert chart

    svg = svg_of(chart)

    assert name in chart.description
    assert "script" not in {part.tag for part in svg.iter()}


runs = st.integers(2, 120).flatmap(
    lambda hands: st.lists(
        st.lists(st.integers(-60, 60), min_size=hands, max_size=hands).map(
            lambda moves: tuple(accumulate(moves, initial=0))
        ),
        min_size=1,
        max_size=8,
    )
)


@given(runs, st.sampled_from([None, 0, 21, 500]), st.sampled_from([PHONE_FRAME, SHEET_FRAME]))
def test_everything_lies_inside_the_picture(scores: list[tuple[int, ...]], target: int | None, frame: Frame) -> None:
    chart = drawn(*scores, target=target, frame=frame)

    corners = [corner for line in chart.lines for corner in corners_of(line)]
    rounding = 0.06
    assert all(-rounding <= x - frame.left <= frame.right - frame.left + rounding for x, _ in corners)
    assert all(-rounding <= y - frame.top <= frame.bottom - frame.top + rounding for _, y in corners)
    assert all(0 <= tick.at <= frame.height for tick in (*chart.levels, *([chart.target] if chart.target else [])))
    assert all(0 < line.score_y <= frame.height for line in chart.lines)
    assert len(chart.rows) == len(scores[0])


@given(records())
def test_any_match_has_a_chart_that_ends_at_its_scores(record: dict[str, object]) -> None:
    state = play_record(read_record(record), RULEBOOK)
    histories = score_histories(state)

    chart = draw_chart(histories, side_views(tuple(history.side for history in histories)), target=None)

    assert {history.side: history.scores[-1] for history in histories} == dict(state.scores)
    assert (chart is None) == (len(histories[0].scores) < 3)
