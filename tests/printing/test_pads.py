"""A pad has what its variant needs and what it promises: columns, blanks, hands, and the rules of its scoring."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.sheets.parts import BLANK
from scorekeeper.pitch.sheets.small_sheets import score_pad
from scorekeeper.printing.pads import MIN_HANDS
from scorekeeper.printing.pdf import Layout
from scorekeeper.printing.print_options import Paper
from tests.common.library import LIBRARY, each_ruleset
from tests.printing.made import Made, classes_of, draft, each_ruleset_on_paper, of_book, packed

each_size = pytest.mark.parametrize("size", ["two", "four"])


@each_size
@each_ruleset_on_paper
def test_a_pad_prints_what_it_promises(ruleset: Ruleset, size: str, paper: Paper) -> None:
    pad, printed = score_pad(ruleset), of_book("pad", ruleset.id, paper, size)
    is_short = ">Points<" in printed.body
    columns = pad.short_columns if is_short else pad.columns

    expected = [pad.scores_head, *pad.end_row_heads, *(column.head for column in columns)]
    expected += [column.worth for column in columns] + [pad.award_points if is_short else ""]
    expected += [part for row in pad.bids for part in (row.bid.strip("_ "), f"made {row.made}", f"set {row.cost}")]
    rules = [rule for rule in pad.rules if rule.id not in pad.dispensable_rule_ids]
    expected += [part for rule in rules for part in rule.text.split(BLANK)]
    expected += [part for question in pad.questions for part in (question.question, *question.choices)]
    assert not [part for part in expected if packed(part) not in printed.packed]
    assert hands_on(printed) >= MIN_HANDS


def hands_on(pad: Made) -> int:
    """Return for how many hands there is room."""
    return int(re.findall(r"nth-child\((\d+)\)", pad.style)[-1])


@each_ruleset
def test_every_hand_scored_by_the_pad_has_its_rule(ruleset: Ruleset) -> None:
    ids = {rule.id for rule in score_pad(ruleset).rules}

    if not ruleset.bidding.auction:
        assert "count.unbid" in ids
    elif ruleset.money.settles == "hand":
        assert {"count.paid", "count.paid_set"} <= ids
    else:
        assert {"count.set", "count.defenders"} <= ids
    assert [rule_id for rule_id in ids if rule_id.startswith("win.")]
    assert not [rule_id for rule_id in ids if rule_id.removeprefix("count.") in ruleset.awards]


@each_ruleset
def test_what_is_still_to_be_agreed_can_be_written_on_the_pad(ruleset: Ruleset) -> None:
    """It never speaks of an agreement below, or beside, that is not there."""
    pad = score_pad(ruleset)
    blank = {option for rule in pad.rules if BLANK in rule.text for option in rule.origin.open}
    blank |= {option for row in pad.bids if row.has_blank for option in row.origin.open}

    assert len(pad.questions) == len(
        [option for option in ruleset.open_options if not is_number(option) or option not in blank]
    )
    assert not [rule.text for rule in pad.rules if "agree" in rule.text]


def is_number(option: str) -> bool:
    return option in ("target", "min_bid", "set_stake_cents", "game_stake_cents")


def test_a_pad_for_a_game_that_is_counted_down_says_how() -> None:
    printed = of_book("pad", "nine-card-pitch", "letter", "four").packed

    for part in ("Totals, from 21 down", "made − points taken, set + the bid", "Scores start at 21 and go down"):
        assert packed(part) in printed


@each_size
@pytest.mark.parametrize("ruleset_id", ["moon-over-four", "money-pitch"])
def test_the_lines_between_columns_end_above_what_is_written_below_the_last_hand(ruleset_id: str, size: str) -> None:
    wanted = draft("pad", LIBRARY[ruleset_id], "letter", size)
    style = of_book("pad", ruleset_id, "letter", size).style
    (page,) = Layout(wanted.markup, wanted.stylesheets).render(style).pages
    ends = next(box for box in _boxes(page._page_box) if "ends" in classes_of(box))
    label = next(box for box in _boxes(ends) if box.element_tag == "span")

    lines = [box for box in _boxes(page._page_box) if "upright" in classes_of(box)]

    before = [line for line in lines if line.position_x < label.position_x + label.margin_width() - 1]
    after = [line for line in lines if line not in before]
    pad = score_pad(LIBRARY[ruleset_id])
    assert len(before) == len(pad.columns if size == "two" else pad.short_columns) - 1
    assert all(line.position_y + line.margin_height() <= ends.position_y + 1 for line in before)
    assert all(line.position_y + line.margin_height() > label.position_y + 1 for line in after)


def _boxes(box: Any) -> Iterator[Any]:
    yield box
    for child in getattr(box, "children", ()):
        yield from _boxes(child)


def test_rules_that_can_be_spared_give_way_to_hands() -> None:
    roomy, tight = (of_book("pad", "moon-over-four", "letter", size) for size in ("two", "four"))

    seldom = packed("nobody wins on them")
    assert seldom not in tight.packed
    assert hands_on(roomy) > hands_on(tight)
    assert seldom in of_book("pad", "partnership-pitch", "letter", "two").packed
