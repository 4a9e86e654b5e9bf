"""The rule sheet states what is played: every number, every answer and every change, and nothing twice."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from scorekeeper.pitch.rules.house_rules import HouseRules, with_house
from scorekeeper.pitch.rules.library import SOURCES_BY_NUMBER
from scorekeeper.pitch.rules.options import is_offered, moot_options, options
from scorekeeper.pitch.rules.questions import QUESTIONS
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.sources import parse_citations
from scorekeeper.pitch.sheets.parts import Figure, TrumpFace
from scorekeeper.pitch.sheets.rule_sheet import RuleSheet, rule_sheet
from tests.common.library import LAW_RULESETS, LIBRARY
from tests.pitch.sheets.laws import words_of

each_ruleset_in_one_process = pytest.mark.parametrize(
    "ruleset",
    # A process makes each sheet once.
    [pytest.param(ruleset, id=ruleset.id, marks=pytest.mark.xdist_group(ruleset.id)) for ruleset in LAW_RULESETS],
)
MONEY = ("cents_per_point", "moon_cents", "set_stake_cents", "game_stake_cents")


def text_of(sheet: RuleSheet) -> str:
    """Return the text of the rules, without the worked hands and the frame that lists the changes."""
    figures = (f"{figure.value} {figure.caption}" for figure in sheet.glance)
    faces = (f"{face.rank}{face.sign} {face.value}" for face in (*sheet.trumps.cards, *sheet.trumps.other_awards))
    return "\n".join([sheet.aim, *figures, *faces, sheet.trumps.card_points, *map(words_of, sheet.rules)])


def marks(sheet: RuleSheet) -> list[Any]:
    """Return everything that is marked with the pencil, and what was agreed."""
    drawn: list[Figure | TrumpFace] = [*sheet.glance, *sheet.trumps.cards, *sheet.trumps.other_awards]
    rules = [rule for rule in sheet.rules if rule.mark == "house" or rule.origin.agreed]
    return [*rules, *(part for part in drawn if part.is_changed)]


def house(ruleset_id: str, **answers: Any) -> RuleSheet:
    """Return the sheet of a variant with some house rules."""
    changed, faults = with_house(LIBRARY[ruleset_id], answers)
    assert not faults
    return rule_sheet(changed, LIBRARY[ruleset_id])


def rule(sheet: RuleSheet, rule_id: str) -> str:
    """Return the words of one rule."""
    (found,) = [rule for rule in sheet.rules if rule.id == rule_id]
    return words_of(found)


def other_answers(option: str) -> list[Any]:
    spec = options()[option]
    if spec.is_flag:
        return [True, False]
    return list(spec.choices) or [spec.lowest, 6, 37]


@dataclass(frozen=True)
class Change:
    """A house rule that is changed by itself, with the sheet that follows."""

    option: str
    answer: Any
    sheet: RuleSheet
    changes_nothing: bool
    """Whether it changes nothing that the sheet states."""


@cache
def single_changes(ruleset_id: str) -> tuple[Change, ...]:
    """Return every house rule that can be changed by itself and decides something."""
    ruleset, found = LIBRARY[ruleset_id], []
    answers = [(option, answer) for option in options() for answer in other_answers(option)]
    awards = [(award_id, worth) for award_id in ruleset.awards for worth in (False, 1, 7)]
    for option, answer in (*answers, *awards):
        changed, faults = with_house(ruleset, {option: answer})
        if not faults and changed != ruleset and option not in moot_options(changed):
            sheet = rule_sheet(changed, ruleset)
            found.append(Change(option, answer, sheet, changes_nothing(changed, ruleset, option, answer)))
    return tuple(found)


def changes_nothing(ruleset: Ruleset, base: Ruleset, option: str, answer: Any) -> bool:
    """Return whether an answer changes nothing that the sheet states."""
    nothing_is_paid = option in MONEY and answer == 0
    is_default_maximum = option == "max_bid" and answer == ruleset.points_per_hand
    is_default_forced_bid = option == "forced_bid" and answer == ruleset.min_bid_number
    decides = option not in moot_options(ruleset) and (option not in options() or is_offered(base, option, answer))
    return nothing_is_paid or is_default_maximum or is_default_forced_bid or not decides


@each_ruleset_in_one_process
def test_every_changed_rule_changes_the_sheet_and_is_marked_and_listed_with_its_number(ruleset: Ruleset) -> None:
    book = text_of(rule_sheet(ruleset))

    missing = [
        (change.option, change.answer, what)
        for change in single_changes(ruleset.id)
        for text in [text_of(change.sheet)]
        for what, is_shown in {
            "text": change.changes_nothing or text != book,
            "mark": change.changes_nothing or marks(change.sheet),
            "number": change.changes_nothing
            or type(change.answer) is not int
            or change.option in (*MONEY, "jokers")
            or re.search(rf"(?<!\d){change.answer}(?!\d)", text),
            "list": change.option in ruleset.to_agree or change.sheet.house_frame.changes,
        }.items()
        if not is_shown
    ]

    assert not missing


def test_a_figure_is_a_blank_only_where_it_is_up_to_the_table() -> None:
    sheets = [house("partnership-pitch", target="none"), *map(rule_sheet, LIBRARY)]

    blanks = [figure.caption for sheet in sheets for figure in sheet.glance if not figure.value]

    assert [caption for caption in blanks if not caption.endswith("up to you")] == []


def test_a_moon_scores_nothing_where_no_made_bid_does() -> None:
    rows = {
        row.bid: row
        for section in house("colorado-ten-point", score_on_made="nothing").sections
        for row in section.bids
    }

    assert {rows[bid].made for bid in ("Moon", "Double moon")} == {"nothing"}
    assert rows["Moon"].cost.startswith("−")


@each_ruleset_in_one_process
def test_the_book_itself_is_not_marked(ruleset: Ruleset) -> None:
    sheet = rule_sheet(ruleset, ruleset)

    assert not marks(sheet)
    assert not sheet.house_frame.changes


@each_ruleset_in_one_process
def test_what_the_source_offers_has_a_box_until_the_house_answers_it(ruleset: Ruleset) -> None:
    boxes = boxes_of(rule_sheet(ruleset))
    offers = {name: answers for name, answers in ruleset.sheet.offers.items() if answers}

    assert boxes >= sum(map(len, offers.values()))
    for name, answers in offers.items():
        changed, faults = with_house(ruleset, {name: answers[-1]})
        if not faults and changed != ruleset:
            sheet = rule_sheet(changed, ruleset)
            assert boxes_of(sheet) < boxes
            assert sheet.house_frame.changes or sheet.house_frame.agreed


@each_ruleset_in_one_process
def test_what_the_house_is_asked_is_settled_nowhere_else(ruleset: Ruleset) -> None:
    sheet = rule_sheet(ruleset)
    printed = {question.question for question in sheet.house_frame.questions}
    left = [
        name for name in ruleset.sheet.offers if name in options() and QUESTIONS[name].question_text(ruleset) in printed
    ]

    assert not [
        question.answer
        for question in sheet.argued_questions
        if question.question in printed and question.answer != "up to you"
    ]
    rules = [rule for rule in sheet.rules for name in left if rule.id.endswith(f".{name}")]
    assert not [rule.text for rule in rules if "up to you" not in rule.text.lower() and not rule.has_blank]


def test_who_scores_low_is_not_asked_where_a_house_has_it_won_in_a_trick() -> None:
    dirty = house("stauffer-ten-point", dirty=True)

    assert rule(dirty, "count.low").endswith("the side that wins the lowest trump in play in a trick.")
    assert "Who scores Low?" not in [question.question for question in dirty.house_frame.questions]


def boxes_of(sheet: RuleSheet) -> int:
    return len(sheet.house_frame.offers) + sum(len(question.choices) for question in sheet.house_frame.questions)


def test_reverse_reverses_the_row() -> None:
    upright, reverse = rule_sheet(LIBRARY["colorado-ten-point"]), house("colorado-ten-point", reverse=True)

    assert reverse.trumps.cards == upright.trumps.cards[::-1]


def test_a_dirty_deuce_is_marked_by_itself_and_what_it_implies_is_not_listed() -> None:
    sheet = house("colorado-ten-point", dirty=True)

    marked = [rule for rule in sheet.rules if rule.id.startswith("count.") and rule.mark == "house"]

    assert [words_of(rule) for rule in marked] == ["Deuce 1: the side that wins the card in a trick."]
    assert len(sheet.house_frame.changes) == 1


def test_what_was_agreed_is_no_change_from_the_book() -> None:
    sheet = house("auction-pitch", target=15)

    assert (sheet.house_frame.changes, sheet.house_frame.agreed) == ((), ("Play to 15.",))
    (target,) = [rule for rule in sheet.rules if rule.id == "win.target"]
    assert (target.mark, target.origin.agreed) == ("", ("target",))


def test_a_point_of_a_house_is_said_with_its_card_where_it_is_changed_and_where_it_counts() -> None:
    sheet = house("partnership-pitch", own_1="5 captured Q: Black Lady", own_2="2 held off 7: Devil")

    counted = {rule.id: f"{rule.lead} {rule.text}" for rule in sheet.rules}
    assert counted["count.own_1"] == "Black Lady 5: the side that takes the queen of trumps."
    assert counted["count.own_2"] == (
        "Devil 2: the side that holds the other seven of the trump color, no matter who wins the trick."
    )
    assert sheet.house_frame.changes == (
        "The Black Lady, the queen of trumps, scores 5.",
        "The Devil, the other seven of the trump color, scores 2.",
    )


def test_a_card_turned_up_may_end_the_match_where_one_scores() -> None:
    turned = ("turned_ace", "turned_six", "turned_jack")
    without = house("trinidad-all-fours", **dict.fromkeys(turned, False))

    sentence = rule(rule_sheet(LIBRARY["trinidad-all-fours"]), "win.turned")
    assert sentence == "A side that a card turned up brings to 14 wins at once: do not play the hand."
    assert "win.turned" not in {rule.id for rule in without.rules}


@pytest.mark.parametrize(
    ("option", "answers", "mark", "rule_mark"),
    [("win_rule", {"target": 15}, "", "house"), ("low", {"low": "held"}, "house", "house")],
)
def test_an_argument_is_the_house_s_where_its_own_answer_is_and_not_another_of_its_rule(
    option: str, answers: dict[str, Any], mark: str, rule_mark: str
) -> None:
    sheet = house("partnership-pitch", **answers)
    question = QUESTIONS[option].question_text(LIBRARY["partnership-pitch"])

    (argued,) = [argued for argued in sheet.argued_questions if argued.question == question]

    assert argued.mark == mark
    assert [rule.mark for rule in sheet.rules if rule.number == argued.number] == [rule_mark]


@each_ruleset_in_one_process
def test_the_source_is_that_of_the_book(ruleset: Ruleset) -> None:
    ours = HouseRules("Ours", ruleset.id).with_name_and_notes(ruleset, ruleset)

    assert (
        rule_sheet(ruleset).sources
        == rule_sheet(ours, ruleset).sources
        == parse_citations(ruleset.source, SOURCES_BY_NUMBER)
    )
    assert rule_sheet(ours).sources == ()
