"""The rule sheet states what is played: every number, every answer and every change, and nothing twice."""

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import Any

import pytest

from scorekeeper.paths import RULESETS
from scorekeeper.rules.house_rules import HouseRules
from scorekeeper.rules.library import read_library
from scorekeeper.rules.options import options
from scorekeeper.rules.overlay import with_house
from scorekeeper.rules.questions import QUESTIONS, has_end, word_of
from scorekeeper.rules.schema import Ruleset
from scorekeeper.rules.sources import cite
from scorekeeper.sheets.parts import HouseFrame
from scorekeeper.sheets.rule_sheet import RuleSheet, rule_sheet

LIBRARY = read_library(RULESETS)
each_ruleset = pytest.mark.parametrize(
    "ruleset",
    # The tests of a ruleset run in one process, which makes each of its sheets once.
    [pytest.param(ruleset, id=ruleset.id, marks=pytest.mark.xdist_group(ruleset.id)) for ruleset in LIBRARY],
)
MONEY = ("cents_per_point", "moon_cents", "set_stake_cents", "game_stake_cents")


def texts(value: Any) -> Iterator[str]:
    """Yield every text in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (text for part in value.values() for text in texts(part))
    elif isinstance(value, list | tuple):
        yield from (text for part in value for text in texts(part))


def text_of(sheet: RuleSheet) -> str:
    """Return the text of the rules, without the worked example and the frame that lists the changes."""
    sections = tuple(replace(section, example=None) for section in sheet.sections)
    rules = replace(sheet, sections=sections, house=HouseFrame(""), source=None, fingerprint="")
    return "\n".join(texts(asdict(rules)))


def marks(sheet: RuleSheet) -> list[Any]:
    """Return everything that is marked with the pencil."""
    lines = [line for section in (*sheet.sections, sheet.winning) for line in (*section.intro, *section.lines)]
    rows = [row for section in sheet.sections for row in section.bids]
    parts: list[Any] = [*lines, *rows, *sheet.glance, *sheet.trumps, *sheet.trump_notes]
    return [part for part in parts if part.is_house]


def house(ruleset_id: str, **answers: Any) -> RuleSheet:
    """Return the sheet of a variant with some house rules."""
    changed, faults = with_house(LIBRARY[ruleset_id], answers)
    assert not faults
    return rule_sheet(changed, LIBRARY[ruleset_id])


def section(sheet: RuleSheet, title: str) -> str:
    """Return the lines of one section."""
    (found,) = [section for section in (*sheet.sections, sheet.winning) if section.title == title]
    return "\n".join(f"{line.lead} {line.text}" for line in (*found.intro, *found.lines))


def other_answers(option: str) -> list[Any]:
    asked = options()[option]
    if asked.is_flag:
        return [True, False]
    return list(asked.choices) or [asked.lowest, 6, 37]


@dataclass(frozen=True)
class Change:
    """A house rule that is changed by itself, with the sheet that follows."""

    option: str
    answer: Any
    sheet: RuleSheet
    says_nothing: bool
    """Whether it changes nothing that the sheet states."""


@cache
def single_changes(ruleset_id: str) -> tuple[Change, ...]:
    """Return every house rule that can be changed by itself."""
    ruleset, found = LIBRARY[ruleset_id], []
    answers = [(option, answer) for option in options() for answer in other_answers(option)]
    awards = [(award_id, worth) for award_id in ruleset.awards for worth in (False, 1, 7)]
    for option, answer in (*answers, *awards):
        changed, faults = with_house(ruleset, {option: answer})
        if not faults and changed != ruleset:
            sheet = rule_sheet(changed, ruleset)
            found.append(Change(option, answer, sheet, says_nothing(changed, option, answer)))
    return tuple(found)


def says_nothing(ruleset: Ruleset, option: str, answer: Any) -> bool:
    """Return whether an answer changes nothing that the sheet states."""
    nothing_is_paid = option in MONEY and answer == 0
    nobody_can_win = option in ("win_rule", "tie_rule", "win_by") and not has_end(ruleset)
    trump_leads = option == "first_lead" and (ruleset.play.follow == "trump_only" or not ruleset.bidding.auction)
    top_as_it_is = option == "max_bid" and answer == ruleset.points_per_hand
    paid_not_scored = option == "score_on_made" and ruleset.money.settles == "hand"
    return nothing_is_paid or nobody_can_win or trump_leads or top_as_it_is or paid_not_scored


@each_ruleset
def test_every_changed_rule_changes_the_sheet_and_is_marked(ruleset: Ruleset) -> None:
    book = text_of(rule_sheet(ruleset))

    missing = [
        (change.option, change.answer)
        for change in single_changes(ruleset.id)
        if not change.says_nothing and (text_of(change.sheet) == book or not marks(change.sheet))
    ]

    assert not missing


@each_ruleset
def test_every_changed_number_is_on_the_sheet(ruleset: Ruleset) -> None:
    missing = [
        (change.option, change.answer)
        for change in single_changes(ruleset.id)
        if type(change.answer) is int
        and change.option not in (*MONEY, "jokers")
        and not change.says_nothing
        and not re.search(rf"(?<!\d){change.answer}(?!\d)", text_of(change.sheet))
    ]

    assert not missing


@each_ruleset
def test_every_change_is_listed(ruleset: Ruleset) -> None:
    unlisted = [
        (change.option, change.answer)
        for change in single_changes(ruleset.id)
        if change.option not in ruleset.to_agree and not change.sheet.house.changes
    ]

    assert not unlisted


@each_ruleset
def test_the_book_itself_is_not_marked(ruleset: Ruleset) -> None:
    sheet = rule_sheet(ruleset, ruleset)

    assert not marks(sheet)
    assert not sheet.house.changes


@each_ruleset
def test_every_award_is_named_with_its_worth(ruleset: Ruleset) -> None:
    points = section(rule_sheet(ruleset), "Points")

    assert not [award.name for award in ruleset.in_play.values() if f"{award.name} {award.points}" not in points]


@each_ruleset
def test_every_bid_is_in_the_table(ruleset: Ruleset) -> None:
    rows = [row for section in rule_sheet(ruleset).sections for row in section.bids]

    assert len(rows) == (len(ruleset.special_bids) + 1 if ruleset.bidding.auction else 0)


@each_ruleset
def test_what_is_still_to_be_agreed_is_asked(ruleset: Ruleset) -> None:
    asked = [question.ask for question in rule_sheet(ruleset).house.questions]

    assert asked == [QUESTIONS[option].ask(ruleset) for option in ruleset.open_options]


@each_ruleset
def test_no_text_has_a_gap_or_a_word_of_the_program(ruleset: Ruleset) -> None:
    text = text_of(rule_sheet(ruleset))

    assert not re.findall(r"[{}]|\bNone\b|\bTrue\b|\bFalse\b|\w_\w", text.replace("____", ""))


@each_ruleset
def test_the_sections_fall_into_two_columns_in_their_order(ruleset: Ruleset) -> None:
    sheet = rule_sheet(ruleset)

    left, right = sheet.columns

    assert (*left, *right) == sheet.sections
    assert left
    assert right


def test_trumps_are_in_their_order_with_the_off_jack_and_the_jokers() -> None:
    row = "".join(card.rank + card.sign for card in rule_sheet(LIBRARY["colorado-ten-point"]).trumps)

    assert row == "A♠K♠Q♠J♠J♣Hi★Lo☆10♠9♠8♠7♠6♠5♠4♠3♠2♠"


def test_off_cards_rank_just_below_their_counterparts() -> None:
    row = "".join(card.rank + card.sign for card in rule_sheet(LIBRARY["colorado-fourteen-point"]).trumps)

    assert row.endswith("4♠3♠3♣2♠2♣")


def test_the_cards_that_score_carry_their_worth() -> None:
    worth = {
        card.rank + card.sign: card.value
        for card in rule_sheet(LIBRARY["colorado-ten-point"]).trumps
        if card.is_scoring
    }

    assert worth["3♠"] == "3"
    assert sum(map(int, worth.values())) == 10


def test_reverse_reverses_the_row() -> None:
    upright, reverse = rule_sheet(LIBRARY["colorado-ten-point"]), house("colorado-ten-point", reverse=True)

    assert reverse.trumps == upright.trumps[::-1]


def test_a_dirty_deuce_is_marked_by_itself() -> None:
    points = [line for line in marks(house("colorado-ten-point", dirty=True)) if line.lead.startswith("Deuce")]

    assert [line.text for line in points] == ["the side that wins it in a trick."]


def test_an_implied_change_is_not_listed_twice() -> None:
    assert house("colorado-ten-point", dirty=True).house.title == "1 change from standard"


def test_what_was_agreed_is_no_change_from_the_book() -> None:
    frame = house("auction-pitch", target=15).house

    assert (frame.changes, frame.agreed) == ((), ("Play to 15.",))


def test_where_nobody_bids_there_is_no_bidding() -> None:
    titles = [section.title for section in rule_sheet(LIBRARY["partners-without-bidding"]).sections]

    assert "Bidding" not in titles


def test_counting_down_reverses_the_signs() -> None:
    (row,) = [row for section in rule_sheet(LIBRARY["nine-card-pitch"]).sections for row in section.bids]

    assert (row.made, row.cost) == ("−points taken", "+bid")


def test_moon_and_double_moon_have_what_they_win_and_cost() -> None:
    rows = [row for section in rule_sheet(LIBRARY["colorado-ten-point"]).sections for row in section.bids]

    assert [(row.bid, row.made, row.cost) for row in rows[1:]] == [
        ("Moon", "+26", "−26"),
        ("Double moon", "+52", "−52"),
    ]


def test_a_lower_score_that_wins_is_an_example() -> None:
    winning = section(rule_sheet(LIBRARY["partnership-pitch"]), "Winning")

    assert "We made the bid and have 21, they have 25: we win." in winning


def test_every_answer_of_an_open_question_has_a_box() -> None:
    (question,) = [q for q in rule_sheet(LIBRARY["nine-card-pitch"]).house.questions if q.choices]

    assert len(question.choices) == len([word for word in QUESTIONS["all_pass"].answers if word != word_of(None)])


@each_ruleset
def test_the_source_is_that_of_the_book(ruleset: Ruleset) -> None:
    ours = HouseRules("Ours", ruleset.id).put_name_on(ruleset, ruleset)

    assert rule_sheet(ruleset).source == rule_sheet(ours, ruleset).source == cite(ruleset.source)
    assert rule_sheet(ours).source is None
