"""Every variant prints on one page, says everything, and says it again in the same bytes."""

import io
import logging
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from pypdf import PdfReader
from pypdf.generic import ContentStream

from scorekeeper.paths import RULESETS
from scorekeeper.printing.memory import forget
from scorekeeper.printing.sheets import PAPERS, SMALLEST, Paper, print_sheet, sheet_key, sheet_markup, tell, text_size
from scorekeeper.rules.library import read_library
from scorekeeper.rules.overlay import with_house
from scorekeeper.rules.schema import Ruleset
from scorekeeper.rules.sheet import RuleSheet
from scorekeeper.rules.sheet.values import HouseFrame, OpenQuestion

LIBRARY = read_library(RULESETS)
each_ruleset = pytest.mark.parametrize("ruleset", list(LIBRARY), ids=lambda ruleset: ruleset.id)
each_paper = pytest.mark.parametrize("paper", list(PAPERS))
COLORADO, PARTNERS = LIBRARY["colorado-ten-point"], LIBRARY["partnership-pitch"]
POINTS_PER_MM = 72 / 25.4


def read(content: bytes) -> PdfReader:
    return PdfReader(io.BytesIO(content))


def text_of(content: bytes) -> str:
    """Give the text of a printed sheet, its lines run together."""
    return re.sub(r"\s+", " ", "\n".join(page.extract_text() for page in read(content).pages))


def house(ruleset: Ruleset, **answers: object) -> RuleSheet:
    changed, faults = with_house(ruleset, answers)
    assert not faults
    return tell(changed, ruleset)


def type_sizes(content: bytes) -> Iterator[float]:
    """Give the size in points of every piece of type on the first page."""
    reader = read(content)
    scale, size, matrix = [1.0], 0.0, 1.0
    for operands, operator in ContentStream(reader.pages[0].get_contents(), reader).operations:
        if operator == b"q":
            scale.append(scale[-1])
        elif operator == b"Q":
            scale.pop()
        elif operator == b"cm":
            scale[-1] *= abs(float(operands[3]))
        elif operator == b"Tf":
            size = float(operands[1])
        elif operator == b"Tm":
            matrix = abs(float(operands[3]))
        elif operator in (b"Tj", b"TJ"):
            yield size * matrix * scale[-1]


@each_paper
@each_ruleset
def test_a_variant_fits_one_page_without_a_word_from_the_printer(
    ruleset: Ruleset, paper: Paper, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        printed = read(print_sheet(tell(ruleset), paper))

    assert len(printed.pages) == 1
    assert not [record.getMessage() for record in caplog.records if record.name.startswith("weasyprint")]


@each_paper
@each_ruleset
def test_awards_bids_and_thresholds_stand_on_the_page(ruleset: Ruleset, paper: Paper) -> None:
    sheet = tell(ruleset)
    rows = [row for section in sheet.sections for row in section.bids]
    expected = [
        ruleset.name,
        sheet.fingerprint,
        *(f"{award.name} {award.points}" for award in ruleset.in_play.values()),
        *(part for row in rows for part in (row.bid, row.made, row.cost)),
        *(figure.value for figure in sheet.glance),
    ]

    text = text_of(print_sheet(sheet, paper))

    assert not [part for part in expected if part not in text]


@each_ruleset
def test_nothing_is_set_smaller_than_nine_points(ruleset: Ruleset) -> None:
    sizes = list(type_sizes(print_sheet(tell(ruleset), "letter")))

    assert [size for size in sizes if size == pytest.approx(text_size(tell(ruleset), "letter"), abs=0.02)]
    assert min(sizes) >= SMALLEST - 0.01


@pytest.mark.parametrize(("paper", "width", "height"), [("a4", 210, 297), ("letter", 215.9, 279.4)])
def test_the_paper_is_the_one_asked_for(paper: Paper, width: float, height: float) -> None:
    box = read(print_sheet(tell(COLORADO), paper)).pages[0].mediabox

    assert float(box.width) == pytest.approx(width * POINTS_PER_MM, abs=0.5)
    assert float(box.height) == pytest.approx(height * POINTS_PER_MM, abs=0.5)


def test_the_fonts_are_our_own_and_inside_the_file() -> None:
    fonts = [
        str(font.get_object()["/BaseFont"])
        for font in read(print_sheet(tell(COLORADO))).pages[0]["/Resources"]["/Font"].values()  # type: ignore[index]
    ]

    strangers = [font for font in fonts if not re.search("Besley|Source-Sans|SourceSans|Suits|DejaVu", font)]
    assert fonts
    assert not strangers


def test_the_same_rules_give_the_same_bytes() -> None:
    first = print_sheet(tell(PARTNERS))
    forget()

    assert print_sheet(tell(PARTNERS)) == first


def test_a_sheet_printed_before_is_not_laid_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = print_sheet(tell(PARTNERS))
    monkeypatch.setattr("scorekeeper.printing.fitting.Press", None)

    assert print_sheet(tell(PARTNERS)) is first


def test_each_paper_and_each_rule_has_a_key_of_its_own() -> None:
    keys = {
        sheet_key(tell(PARTNERS), "a4"),
        sheet_key(tell(PARTNERS), "letter"),
        sheet_key(house(PARTNERS, target=15), "a4"),
    }

    assert len(keys) == 3


@pytest.mark.parametrize(
    ("ruleset", "answers", "seen"),
    [
        (PARTNERS, {"target": 33}, "33 or more"),
        (PARTNERS, {"min_bid": 3}, "3, 4"),
        (PARTNERS, {"high": 2}, "High 2"),
        (COLORADO, {"moon_made": 31}, "+31"),
        (COLORADO, {"moon_set": 29}, "−29"),
        (COLORADO, {"double_moon_made": 77}, "+77"),
        (COLORADO, {"trey": 4}, "Trey 4"),
        (COLORADO, {"target": 62}, "62 or more"),
        (LIBRARY["money-pitch"], {"cents_per_point": 35}, "35 cents"),
    ],
)
def test_a_changed_number_is_on_the_page(ruleset: Ruleset, answers: dict[str, object], seen: str) -> None:
    before, after = text_of(print_sheet(tell(ruleset))), text_of(print_sheet(house(ruleset, **answers)))

    assert seen in after
    assert seen not in before


def test_changes_from_the_book_are_listed() -> None:
    text = text_of(print_sheet(house(COLORADO, dirty=True, dealer_steal="yes")))

    assert "2 changes from the book" in text
    assert "The dealer may take the bid by bidding the same." in text


def test_what_is_to_be_agreed_is_asked_on_the_page() -> None:
    text = text_of(print_sheet(tell(LIBRARY["arizona-29"])))

    assert "What is the lowest bid?" in text
    assert "☐ only on a made bid" in text


def test_a_house_that_changed_nearly_everything_still_has_one_page() -> None:
    sheet = house(
        LIBRARY["colorado-fourteen-point"],
        **{"dirty": True, "target": 52, "win_rule": "made_bid", "tie_rule": "higher_score", "dealer_steal": "yes"},
        **{"all_pass": "may_take_set", "forced_bid": 6, "min_bid": 6, "moon_made": 30, "moon_set": 28},
        **{"reverse": True, "joker_order": "first_played", "trey": 4, "off_ace": True, "win_by": 2, "set_limit": 3},
        **{"share_the_wealth": True, "cut": True, "game": True, "game_tie": "joker_breaks", "last_trick": True},
    )

    printed = [print_sheet(sheet, paper) for paper in PAPERS]

    assert [len(read(content).pages) for content in printed] == [1, 1]


def test_a_list_too_long_for_the_page_gives_way_to_the_pencil_marks() -> None:
    sheet = replace(
        tell(COLORADO), house=HouseFrame("200 changes from the book", ("One more change of the rules.",) * 200)
    )

    printed = print_sheet(sheet)

    assert len(read(printed).pages) == 1
    assert "200 changes" in text_of(printed)
    assert "One more change" not in text_of(printed)


def test_rules_too_long_for_any_page_take_another() -> None:
    long = "A sentence about the rules of this house. " * 12
    sheet = tell(COLORADO)
    first = replace(sheet.sections[0], lines=sheet.sections[0].lines * 40)

    printed = print_sheet(replace(sheet, summary=long, sections=(first, *sheet.sections[1:])))

    assert len(read(printed).pages) > 1


HOSTILE = [
    '<script>alert(1)</script><img src="http://127.0.0.1:9/x.png">',
    '"><link rel=attachment href="file:///etc/passwd">',
    "</h1><style>@import url(file:///etc/hostname);*{display:none}</style>",
    "{{ sheet }}{% raw %}",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_free_text_is_only_ever_text(text: str) -> None:
    sheet = replace(
        tell(COLORADO),
        title=text,
        summary=text,
        also=text,
        house=HouseFrame(text, (text,), (text,), (OpenQuestion(text),)),
    )

    markup = sheet_markup(sheet)

    assert "<script" not in markup
    assert "<img" not in markup
    assert "<link" not in markup
    assert "<style" not in markup
    assert text[:12].replace(" ", "") in text_of(print_sheet(sheet)).replace(" ", "")


@pytest.mark.parametrize("text", ["Мельники играют", "ミラー家のピッチ", "منزل", "W" * 60, "Donau" * 12, "🂡 ♠ é ö ñ"])
def test_free_text_in_any_script_and_length_keeps_to_its_page(text: str) -> None:
    sheet = replace(tell(PARTNERS), title=text, summary=text * 2, house=HouseFrame("1 change from the book", (text,)))

    printed = print_sheet(sheet)

    assert len(read(printed).pages) == 1
