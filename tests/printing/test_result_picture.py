"""The picture of a result: all of it on one picture of its size, whatever people are called."""

import io

import pytest
from PIL import Image

from scorekeeper.printing.fitting import print_draft
from scorekeeper.printing.kinds import SHEET_KINDS, draft_sheet
from scorekeeper.printing.pdf import draw_page
from scorekeeper.printing.print_options import PrintOptions
from scorekeeper.printing.result_picture import PICTURE_HEIGHT_PX, PICTURE_WIDTH_PX
from tests.printing.pages import text_of
from tests.printing.pictures import HOSTILE, PICTURES, named, picture_of


@pytest.mark.parametrize("name", PICTURES)
def test_all_of_a_result_is_on_one_picture(name: str) -> None:
    picture = PICTURES[name]
    sheet = print_draft(draft_sheet(SHEET_KINDS["picture"], picture, PrintOptions()))
    image = Image.open(io.BytesIO(draw_page(sheet.content, 1, SHEET_KINDS["picture"].image_width)))
    printed_text = "".join(text_of(sheet.content).split())

    assert (image.width, image.height, sheet.pages) == (PICTURE_WIDTH_PX, PICTURE_HEIGHT_PX, 1)
    assert "".join(picture.sheet.heading.split()) in printed_text
    assert "".join(picture.sheet.rules_line.split()) in printed_text
    assert all(score.score in printed_text for score in picture.sheet.scores)
    assert "none" not in sheet.style


def test_names_are_names_whatever_they_look_like() -> None:
    markup = draft_sheet(SHEET_KINDS["picture"], PICTURES["hostile"], PrintOptions()).markup

    assert HOSTILE[0] not in markup
    assert HOSTILE[3] not in markup
    assert "&lt;script&gt;" in markup


def test_who_won_is_the_first_thing_said() -> None:
    sheet = PICTURES["won"].sheet

    assert (sheet.heading, sheet.day_and_venue) == ("Us win", "November 20, 2026")
    assert [(score.score, score.is_winner) for score in sheet.scores] == [("21", True), ("21", False)]
    assert sheet.verdict.startswith("Us bid 3")


def test_letters_that_no_font_has_are_boxes_and_no_gaps() -> None:
    nowhere, accent = "\U000f0000", "\U000e01ef"
    names = (f"{nowhere}{accent}{nowhere}", "Bea", f"{nowhere}t", "Dan")
    picture = picture_of(named(4, names))

    sheet = print_draft(draft_sheet(SHEET_KINDS["picture"], picture, PrintOptions()))
    printed_text = "".join(text_of(sheet.content).split())

    assert nowhere in sheet.missing_glyphs
    assert "☐t" in printed_text
    assert nowhere not in printed_text
    assert picture.sheet.heading in printed_text
