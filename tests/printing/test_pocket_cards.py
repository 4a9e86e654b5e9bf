"""A pocket card folds between two lines, and has the rules that are needed in the middle of a hand."""

from contextlib import closing
from typing import Any

import pypdfium2
import pytest

from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.sheets.parts import BLANK, Rule
from scorekeeper.pitch.sheets.rule_sheet import rule_sheet
from scorekeeper.pitch.sheets.small_sheets import pocket_card
from scorekeeper.printing.imposition import quarter_alone, quarters
from scorekeeper.printing.print_options import PAPER_SIZES, Paper
from tests.common.library import LIBRARY
from tests.printing.made import (
    NEARLY_EVERYTHING,
    Made,
    changed,
    draft,
    each_paper,
    each_ruleset_on_paper,
    made,
    of_book,
    packed,
)

POINTS_PER_MM = 72 / 25.4
NEVER_LEFT_OUT = {
    "deal.next",
    *("bid.none", "bid.all_pass", "bid.dealer_steal", "bid.moon_wins"),
    *("trump.kitty", "trump.call", "trump.alone", "trump.draw", "trump.discard", "trump.burn"),
    *("play.lead", "play.follow"),
    *("count.game_tie", "count.unbid", "count.set", "count.paid", "count.paid_set", "count.no_score"),
    *("count.defenders", "count.partner", "count.partner_set_too"),
}
"""The rules that are on the card of every variant that has them, besides the awards, the bids, and who wins."""


@pytest.fixture
def printed(ruleset: Ruleset, paper: Paper) -> Made:
    """Return the cards of a ruleset, four on a page."""
    return of_book("pocket", ruleset.id, paper, "four")


@each_ruleset_on_paper
def test_no_line_lies_on_the_fold(paper: Paper, printed: Made) -> None:
    height = PAPER_SIZES[paper][1] * POINTS_PER_MM
    folds = height / 4, height * 3 / 4

    lines = lines_of(printed.content)

    assert lines
    assert not [line for line in lines for fold in folds if line[0] - POINTS_PER_MM < fold < line[1] + POINTS_PER_MM]


def lines_of(content: bytes) -> list[tuple[float, float]]:
    """Return the foot and the top of every line on the first page of a PDF."""
    with closing(pypdfium2.PdfDocument(content)) as document:
        page: Any = document[0]
        text = page.get_textpage()
        boxes = [text.get_rect(i) for i in range(text.count_rects())]
        return [(bottom, top) for _, bottom, _, top in boxes]


def test_a_piece_is_cut_and_folded_where_its_panels_meet() -> None:
    pieces = quarters("a4", panels=2)

    assert pieces.panel_height == pytest.approx(297 / 4)
    assert list(pieces.corners[3]) == [(105.0, 148.5), (105.0, 222.75)]
    assert {cut.y for cut in pieces.cut_marks if cut.is_fold} == {74.25, 222.75}
    assert {cut.y for cut in quarter_alone("letter", panels=2).cut_marks} == {279.4 / 4}
    assert not [cut for cut in quarters("a4").cut_marks if cut.is_fold]


@each_ruleset_on_paper
def test_it_says_what_is_asked_in_the_middle_of_a_hand(ruleset: Ruleset, printed: Made) -> None:
    printed_text = printed.in_order
    wanted = [rule for rule in needed(ruleset) if not has_boxes(ruleset, rule)]

    parts = {part for rule in wanted for part in (rule.lead, *rule.text.split(BLANK))}
    assert not [part for part in parts if packed(part) not in printed_text]


def needed(ruleset: Ruleset) -> list[Rule]:
    """Return the rules that a card never leaves out."""
    rules = [rule for section in rule_sheet(ruleset).sections for rule in section.rules]
    return [
        rule
        for rule in rules
        if rule.id in NEVER_LEFT_OUT
        or rule.lead
        or (rule.id.startswith("win.") and rule.id not in ("win.before", "win.defending"))
        or rule.id == "bid.top_is_moon"
    ]


def has_boxes(ruleset: Ruleset, rule: Rule) -> bool:
    """Return whether the card has a box for each answer instead of the rule."""
    return rule.id in {f"bid.{option}" for option in ruleset.open_options}


@each_ruleset_on_paper
def test_the_row_of_trumps_says_which_suit_is_trump_and_what_has_a_name(ruleset: Ruleset, printed: Made) -> None:
    printed_text = printed.packed

    assert packed("Here spades are trump") in printed_text
    off_jack = ruleset.in_play["off_jack"].name if "off_jack" in ruleset.in_play else "Off Jack"
    for award_id, card in (
        ("off_jack", f"J♣ is the {off_jack}"),
        ("left", "J♣ is the Left"),
        ("off_five", "5♣ is the"),
    ):
        assert (packed(card) in printed_text) == (award_id in ruleset.in_play)


@each_ruleset_on_paper
def test_what_is_still_to_be_agreed_has_its_blank_or_its_boxes(ruleset: Ruleset, printed: Made) -> None:
    card = pocket_card(ruleset)
    printed_text = printed.packed

    assert not [
        part
        for question in card.questions
        for part in (question.question, *question.choices)
        if packed(part) not in printed_text
    ]
    rules = [rule for section in card.sections for rule in section.rules]
    rows = [row for section in card.sections for row in section.bids]
    blank = {option for rule in rules if BLANK in rule.text for option in rule.origin.open}
    blank |= {option for row in rows if row.has_blank for option in row.origin.open}
    assert len(card.questions) >= len(set(ruleset.open_options) - blank)
    assert {len(question.choices) for question in card.questions if question.question == "All pass"} <= {5}


@each_ruleset_on_paper
def test_a_mark_is_explained_wherever_it_stands(printed: Made) -> None:
    printed_text = printed.packed

    assert printed_text.count(packed("(† in whole or part an agreed reading)")) == (4 if "†" in printed_text else 0)


def test_it_shows_readings_and_explains_the_mark() -> None:
    printed_text = of_book("pocket", "colorado-ten-point", "letter", "four").packed

    assert "after each hand.†".replace(" ", "") in printed_text
    assert packed("(† in whole or part an agreed reading)") in printed_text
    assert "†" not in of_book("pocket", "partnership-pitch", "letter", "four").text


def test_a_card_with_room_has_larger_type_and_every_rule() -> None:
    ruleset = LIBRARY["solo-without-bidding"]
    card = of_book("pocket", ruleset.id, "letter", "four")

    assert {size for size in card.sizes if 10 <= size < 12}
    rules = [rule for section in pocket_card(ruleset).sections for rule in section.rules]
    assert not [part for rule in rules for part in rule.text.split(BLANK) if packed(part) not in card.in_order]


def test_what_the_house_changed_is_left_out_last() -> None:
    ruleset = LIBRARY["colorado-ten-point"]
    house = changed(ruleset, joker_order="first_played")

    assert pocket_card(ruleset, ruleset).dispensable_rule_ids[-1] != "players.joker_order"
    assert pocket_card(house, ruleset).dispensable_rule_ids[-1] == "players.joker_order"
    assert packed("The joker played first is the high one.") in made(draft("pocket", house, "letter")).packed


@each_paper
def test_a_house_that_changed_nearly_everything_still_has_a_whole_card(paper: Paper) -> None:
    ruleset = changed(LIBRARY["colorado-fourteen-point"], **NEARLY_EVERYTHING)

    card = made(draft("pocket", ruleset, paper))

    assert card.pages == 2
    assert not card.faults
    assert packed("Whoever is set 3 times loses the match.") in card.in_order
