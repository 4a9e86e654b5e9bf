"""A year on paper: one page of A4 or Letter, whatever was played, and nothing lost in black and white."""

import pytest

from scorekeeper.club.figures.bars_and_steps import SHEET_MONTHS_FRAME, draw_bars, draw_months
from scorekeeper.club.figures.year_sheet import Highlight, YearSheet, draft_year_sheet
from scorekeeper.printing.fitting import print_draft
from scorekeeper.printing.print_options import Ink, Paper, PrintOptions
from tests.printing.made import each_paper

FEW, MANY = 7, 60


def year_of(people: int, name: str = "Ann") -> YearSheet:
    counts = [(f"{name} {n}", (100 - n, 200 - 2 * n)) for n in range(1, people + 1)]
    return YearSheet(
        title="2026 at our table",
        subtitle="the Millers, Colorado Ten Point",
        until_text="up to November 21",
        totals=tuple((n, "matches") for n in (31, 318, 7, 231, 84)),
        champion_text=f"{name} 1, 99 of 198",
        months=draw_months([4, 3, 2, 3, 1, 2, 5, 4, 1, 3, 3, 0], SHEET_MONTHS_FRAME),
        bars_by_person={bar.label: bar for bar in draw_bars(counts)},
        bid_bars=draw_bars([(str(bid), (10, 12)) for bid in (5, 6, 7, 8, 9, 10, "moon")]),
        team_bars=draw_bars([(f"{name} & Bea {n}", (3, 6)) for n in range(people // 2)]),
        highlights=tuple(
            Highlight(label="Closest finish", detail="Ann & Cal, Nov 19", figure_text="43–44") for _ in range(5)
        ),
    )


@pytest.mark.parametrize("ink", ["colour", "black"])
@each_paper
def test_a_familys_year_fits_one_page(paper: Paper, ink: Ink) -> None:
    printed = print_draft(draft_year_sheet(year_of(FEW), PrintOptions(paper, ink)))
    assert printed.pages == 1
    assert ".rows" not in printed.style, "everybody is on it"


@pytest.mark.parametrize("name", ["Ann", "Maximiliane-Christophera", "W" * 24])
@each_paper
def test_a_year_of_many_people_with_long_names_is_one_page(paper: Paper, name: str) -> None:
    assert print_draft(draft_year_sheet(year_of(MANY, name), PrintOptions(paper))).pages == 1


def test_bars_begin_at_zero_on_one_scale() -> None:
    [ann, bea, eve] = draw_bars([("Ann", (23, 41)), ("Bea", (18, 38)), ("Eve", (0, 0))])
    assert (ann.length_percent, ann.filled_percent) == (100.0, 56.1)
    assert (bea.length_percent, bea.filled_percent) == (92.7, 43.9)
    assert (eve.length_percent, eve.filled_percent) == (0.0, 0.0)


def test_months_begin_at_zero_and_are_read_out() -> None:
    drawn = draw_months([4, 0, 2] + [0] * 9)
    assert drawn.bars[0].height == pytest.approx(2 * drawn.bars[2].height, abs=0.2)
    assert {round(bar.y + bar.height, 1) for bar in drawn.bars} == {round(drawn.frame.base_y, 1)}
    assert drawn.spoken_text == "Matches a month: January 4, March 2"
    assert draw_months([0] * 12).spoken_text == "No matches"
