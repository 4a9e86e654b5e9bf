"""Every variant prints in every kind on its number of pages, with its texts, and each time in the same bytes."""

import re
from dataclasses import replace

import pytest

from scorekeeper.pitch.rules.library import SOURCES_BY_NUMBER
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.sources import parse_citations
from scorekeeper.pitch.sheets.parts import HouseFrame, OpenQuestion
from scorekeeper.pitch.sheets.rule_sheet import RuleSheet, rule_sheet
from scorekeeper.pitch.sheets.small_sheets import score_pad
from scorekeeper.printing.fitting import StyleRow, print_draft
from scorekeeper.printing.print_options import Paper
from scorekeeper.printing.rule_sheets import draft_rule_sheet, rule_sheet_markup
from tests.common.ci import paired
from tests.common.library import LIBRARY, every_ruleset
from tests.printing.made import changed, draft, each_paper, each_ruleset_on_paper, made, of_book
from tests.printing.pages import HOSTILE, read, text_of
from tests.printing.test_pads import hands_on

COLORADO, PARTNERS = LIBRARY["colorado-ten-point"], LIBRARY["partnership-pitch"]
POINTS_PER_MM = 72 / 25.4
PAGES = {"rules": {1, 2}, "large": {2, 3, 4, 5}, "pocket": {2}, "pad": {1}}
"""Pages of the sheet or of one of its pieces: a rule sheet may have a back, and a folded card has two panels."""
MIN_TYPE = {"rules": 9, "large": 16, "pocket": 9, "pad": 9}
MADE_OF_RULES = [
    pytest.param(kind, size, id=f"{kind}-{size}")
    for kind, size in (("rules", ""), ("large", ""), ("pocket", "four"), ("pad", "two"), ("pad", "four"))
]
each_kind = pytest.mark.parametrize(("kind", "size"), MADE_OF_RULES)


def house(ruleset: Ruleset, **answers: object) -> RuleSheet:
    return rule_sheet(changed(ruleset, **answers), ruleset)


def print_sheet(sheet: RuleSheet, paper: Paper = "a4") -> bytes:
    return print_draft(draft_rule_sheet(sheet, paper)).content


@each_kind
@each_ruleset_on_paper
def test_it_keeps_to_its_pages_its_boxes_and_its_type(ruleset: Ruleset, kind: str, size: str, paper: Paper) -> None:
    sheet = of_book(kind, ruleset.id, paper, size)

    assert sheet.pages in PAGES[kind]
    assert not sheet.warnings
    assert not sheet.faults
    assert min(sheet.sizes) >= MIN_TYPE[kind]


@pytest.mark.parametrize("ruleset_id", ["partnership-pitch", "tunkhannock-fourteen-point", "arizona-29", "racehorse"])
@each_paper
def test_a_card_alone_is_a_quarter_of_a_page(ruleset_id: str, paper: Paper) -> None:
    card = of_book("pocket", ruleset_id, paper, "alone")
    box = read(card.content).pages[0].mediabox

    sides = (105, 148) if paper == "a4" else (107.95, 139.7)
    assert (float(box.width) / POINTS_PER_MM, float(box.height) / POINTS_PER_MM) == pytest.approx(sides, abs=0.1)
    assert len(read(card.content).pages) == 1
    assert card.pages in PAGES["pocket"]
    assert not card.faults


@pytest.mark.parametrize(("size", "at_least"), [("two", 16), ("four", 10)])
def test_pads_have_as_many_hands_as_fit(size: str, at_least: int) -> None:
    hands = hands_on(of_book("pad", "partnership-pitch", "letter", size))
    wanted = draft("pad", PARTNERS, "letter", size)
    assert wanted.pieces
    one_more = [css for css in wanted.style_rows[0].styles if f"nth-child(n+{hands + 2})" in css]

    alone = replace(wanted.pieces, columns=1, rows=1, page_width=wanted.pieces.width, page_height=wanted.pieces.height)

    assert hands >= at_least
    assert made(replace(wanted, style_rows=(StyleRow(tuple(one_more), 1),), pieces=alone)).pages == 2


@pytest.mark.parametrize(
    ("ruleset_id", "heads"),
    [
        ("partnership-pitch", "Dealer Bidder Bid High Low Jack Game Made Totals"),
        (
            "pawnee-call-your-partner",
            "Dealer Bidder Partner Bid High Low Jack OffJack HighJoker LowJoker Ten Trey Made",
        ),
        ("solo-without-bidding", "Dealer High Low Jack Game Totals"),
        ("money-pitch", "Paidformoons Aboveorbelowtheaverage Getsorpays"),
        ("racehorse", "Paidsofar"),
        ("nine-card-pitch", "Totals,from"),
        ("moon-over-four", "Timesset Getsorpays"),
    ],
)
def test_a_pad_has_the_columns_that_its_variant_needs(ruleset_id: str, heads: str) -> None:
    pad = of_book("pad", ruleset_id, "a4", "two")

    assert not [head for head in heads.split() if head not in pad.packed]


@each_ruleset_on_paper
def test_four_to_a_page_each_award_has_a_column_while_there_is_room(ruleset: Ruleset, paper: Paper) -> None:
    """More than ten scores and awards together leave less than seven millimetres for some on a quarter of a page."""
    body = of_book("pad", ruleset.id, paper, "four").body
    each = body.count('for-award"')

    assert each in (0, len(ruleset.award_rows))
    assert each or score_pad(ruleset).max_scores + len(ruleset.in_play) > 10


def test_without_bidding_a_pad_has_no_column_for_bids() -> None:
    pad = of_book("pad", "solo-without-bidding", "a4", "two")

    assert "Bidder" not in pad.text
    assert "Made" not in pad.text


@pytest.mark.parametrize(("paper", "width", "height"), [("a4", 210, 297), ("letter", 215.9, 279.4)])
def test_the_paper_is_the_one_asked_for(paper: Paper, width: float, height: float) -> None:
    box = read(of_book("rules", COLORADO.id, paper).content).pages[0].mediabox

    assert float(box.width) == pytest.approx(width * POINTS_PER_MM, abs=0.5)
    assert float(box.height) == pytest.approx(height * POINTS_PER_MM, abs=0.5)


def test_the_fonts_are_our_own_and_inside_the_file() -> None:
    fonts = [
        str(font.get_object()["/BaseFont"])
        for font in read(of_book("rules", COLORADO.id, "a4").content).pages[0]["/Resources"]["/Font"].values()  # type: ignore[index]
    ]

    strangers = [font for font in fonts if not re.search("Besley|Source-Sans|SourceSans|Suits|DejaVu", font)]
    assert fonts
    assert not strangers


@pytest.mark.xdist_group("houses")  # where these sheets are made anyway
def test_the_same_rules_give_the_same_bytes() -> None:
    for kind in MIN_TYPE:
        assert print_draft(draft(kind, PARTNERS)).content == of_book(kind, PARTNERS.id, "a4").content


@pytest.mark.parametrize("kind", ["large", "pocket"])
def test_what_the_house_changed_carries_the_pencil(kind: str) -> None:
    assert draft(kind, changed(PARTNERS, high=2)).body.count('aria-label="house rule"') > draft(
        kind, PARTNERS
    ).body.count('aria-label="house rule"')


@every_ruleset
def test_a_rule_sheet_cites_the_document_that_the_rules_come_from(ruleset: Ruleset) -> None:
    citations = parse_citations(ruleset.source, SOURCES_BY_NUMBER)

    markup = rule_sheet_markup(rule_sheet(ruleset))

    assert citations
    assert f"{'Source' if len(citations) == 1 else 'Sources'}: “{citations[0].document.title}” (" in markup
    for citation in citations:
        assert f"“{citation.document.title}” (" in markup
        assert citation.document.address in markup
        assert citation.document.origin in markup
        assert citation.section in markup


def test_rules_too_long_for_any_page_take_another() -> None:
    sheet = rule_sheet(COLORADO)
    first = replace(sheet.sections[0], all_rules=sheet.sections[0].rules * 40)

    printed = print_sheet(replace(sheet, sections=(first, *sheet.sections[1:])))

    assert len(read(printed).pages) > 2


@pytest.mark.parametrize("text", HOSTILE)
def test_free_text_is_only_ever_text(text: str) -> None:
    sheet = replace(
        rule_sheet(COLORADO),
        title=text,
        aim=text,
        other_names=text,
        house_frame=HouseFrame(text, (text,), (text,), (text,), (OpenQuestion(text),)),
    )

    markup = rule_sheet_markup(sheet)

    assert "<script" not in markup
    assert "<img" not in markup
    assert "<link" not in markup
    assert "<style" not in markup
    assert text[:12].replace(" ", "") in text_of(print_sheet(sheet)).replace(" ", "")


FREE_TEXT = [
    "Мельники играют",
    "منزل 🂡 ♠ ñ",
    "ミラー家のピッチ" * 7,
    "W" * 60,
    "Donau" * 12,
    *(text[:60] for text in HOSTILE[:2]),
]


NAMED_KINDS = (("rules", ""), ("large", ""), ("pocket", "alone"), ("pad", "two"))


@pytest.mark.parametrize(("kind", "size", "name"), [(*kind, name) for name, kind in paired(FREE_TEXT, NAMED_KINDS)])
def test_any_name_keeps_to_its_page_in_every_kind(kind: str, size: str, name: str) -> None:
    named = PARTNERS.copy_with(name=name, source="house", notes=[f"{name} {name} {name}"[:200]] * 3)

    wanted = draft(kind, named, "letter", size)
    sheet = made(wanted)

    assert "<script" not in wanted.body
    assert "<img" not in wanted.body
    # Three notes as long as they may be take a page of their own in large print.
    assert sheet.pages <= max(PAGES[kind]) + (kind == "large")
    assert not sheet.faults
