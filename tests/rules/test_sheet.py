"""The sheet says what is played: every number, every answer, every change, and nothing twice."""

import re
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

import pytest

from scorekeeper.paths import RULESETS
from scorekeeper.rules.digest import ALPHABET, digest, fingerprint
from scorekeeper.rules.library import read_library
from scorekeeper.rules.options import options
from scorekeeper.rules.overlay import with_house
from scorekeeper.rules.questions import QUESTIONS, has_end, word_of
from scorekeeper.rules.schema import Ruleset
from scorekeeper.rules.sheet import RuleSheet, rule_sheet
from scorekeeper.rules.sheet.values import HouseFrame

LIBRARY = read_library(RULESETS)
each_ruleset = pytest.mark.parametrize("ruleset", list(LIBRARY), ids=lambda ruleset: ruleset.id)
MONEY = ("cents_per_point", "moon_cents", "set_stake_cents", "game_stake_cents")


def texts(value: Any) -> Iterator[str]:
    """Give every piece of text in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (text for part in value.values() for text in texts(part))
    elif isinstance(value, list | tuple):
        yield from (text for part in value for text in texts(part))


def told(sheet: RuleSheet) -> str:
    """Give the text of the rules, without the frame that lists the changes."""
    return "\n".join(texts(asdict(replace(sheet, house=HouseFrame(""), fingerprint=""))))


def marks(sheet: RuleSheet) -> list[Any]:
    """Give everything that wears the house's pencil."""
    lines = [line for section in (*sheet.sections, sheet.winning) for line in (*section.intro, *section.lines)]
    rows = [row for section in sheet.sections for row in section.bids]
    parts: list[Any] = [*lines, *rows, *sheet.glance, *sheet.trumps, *sheet.trump_notes]
    return [part for part in parts if part.is_house]


def house(ruleset_id: str, **answers: Any) -> RuleSheet:
    """Tell a variant with some house rules."""
    changed, faults = with_house(LIBRARY[ruleset_id], answers)
    assert not faults
    return rule_sheet(changed, LIBRARY[ruleset_id])


def section(sheet: RuleSheet, title: str) -> str:
    """Give the lines of one section."""
    (found,) = [section for section in (*sheet.sections, sheet.winning) if section.title == title]
    return "\n".join(f"{line.lead} {line.text}" for line in (*found.intro, *found.lines))


def other_answers(option: str) -> list[Any]:
    asked = options()[option]
    if asked.is_flag:
        return [True, False]
    return list(asked.choices) or [asked.lowest, 6, 37]


def single_changes(ruleset: Ruleset) -> Iterator[tuple[str, Any, Ruleset]]:
    """Give every house rule that can be changed by itself, with the ruleset that follows."""
    answers = [(option, answer) for option in options() for answer in other_answers(option)]
    awards = [(award_id, worth) for award_id in ruleset.awards for worth in (False, 1, 7)]
    for option, answer in (*answers, *awards):
        changed, faults = with_house(ruleset, {option: answer})
        if not faults and changed != ruleset:
            yield option, answer, changed


def says_nothing(ruleset: Ruleset, option: str, answer: Any) -> bool:
    """Tell whether an answer leaves the game as it is."""
    nothing_is_paid = option in MONEY and answer == 0
    nobody_can_win = option in ("win_rule", "tie_rule", "win_by") and not has_end(ruleset)
    trump_leads = option == "first_lead" and (ruleset.play.follow == "trump_only" or not ruleset.bidding.auction)
    top_as_it_is = option == "max_bid" and answer == ruleset.on_offer
    paid_not_scored = option == "score_on_made" and ruleset.money.settles == "hand"
    return nothing_is_paid or nobody_can_win or trump_leads or top_as_it_is or paid_not_scored


@each_ruleset
def test_every_change_of_a_rule_changes_the_sheet_and_wears_the_pencil(ruleset: Ruleset) -> None:
    book = told(rule_sheet(ruleset))

    untold = [
        (option, answer)
        for option, answer, changed in single_changes(ruleset)
        if not says_nothing(changed, option, answer)
        and (told(rule_sheet(changed, ruleset)) == book or not marks(rule_sheet(changed, ruleset)))
    ]

    assert not untold


@each_ruleset
def test_every_changed_number_stands_on_the_sheet(ruleset: Ruleset) -> None:
    missing = [
        (option, answer)
        for option, answer, changed in single_changes(ruleset)
        if type(answer) is int
        and option not in (*MONEY, "jokers")
        and not says_nothing(changed, option, answer)
        and not re.search(rf"(?<!\d){answer}(?!\d)", told(rule_sheet(changed, ruleset)))
    ]

    assert not missing


@each_ruleset
def test_every_change_is_listed(ruleset: Ruleset) -> None:
    unlisted = [
        (option, answer)
        for option, answer, changed in single_changes(ruleset)
        if option not in ruleset.to_agree and (sheet := rule_sheet(changed, ruleset)) and not sheet.house.changes
    ]

    assert not unlisted


@each_ruleset
def test_the_book_itself_wears_no_pencil(ruleset: Ruleset) -> None:
    sheet = rule_sheet(ruleset, ruleset)

    assert not marks(sheet)
    assert not sheet.house.changes


@each_ruleset
def test_every_award_is_named_with_its_worth(ruleset: Ruleset) -> None:
    points = section(rule_sheet(ruleset), "Points")

    assert not [award.name for award in ruleset.in_play.values() if f"{award.name} {award.points}" not in points]


@each_ruleset
def test_every_bid_stands_in_the_table(ruleset: Ruleset) -> None:
    rows = [row for section in rule_sheet(ruleset).sections for row in section.bids]

    assert len(rows) == (len(ruleset.specials) + 1 if ruleset.bidding.auction else 0)


@each_ruleset
def test_what_is_still_to_be_agreed_has_a_place_to_write(ruleset: Ruleset) -> None:
    asked = [question.ask for question in rule_sheet(ruleset).house.questions]

    assert asked == [QUESTIONS[option].ask(ruleset) for option in ruleset.open_options]


@each_ruleset
def test_no_text_has_a_gap_or_a_word_of_the_program(ruleset: Ruleset) -> None:
    text = told(rule_sheet(ruleset))

    assert not re.findall(r"[{}]|\bNone\b|\bTrue\b|\bFalse\b|\w_\w", text.replace("____", ""))


@each_ruleset
def test_the_sections_fall_into_two_columns_in_their_order(ruleset: Ruleset) -> None:
    sheet = rule_sheet(ruleset)

    left, right = sheet.columns

    assert (*left, *right) == sheet.sections
    assert left
    assert right


@each_ruleset
def test_the_same_rules_have_the_same_fingerprint_whatever_they_are_called(ruleset: Ruleset) -> None:
    renamed = ruleset.changed(name="As the Millers play it", notes=["Bring pretzels."])

    assert fingerprint(renamed) == fingerprint(ruleset)
    assert digest(renamed) != digest(ruleset)
    assert re.fullmatch(rf"[{ALPHABET}]{{4}}-[{ALPHABET}]{{4}}", fingerprint(ruleset))


def test_no_two_variants_share_a_fingerprint() -> None:
    assert len({fingerprint(ruleset) for ruleset in LIBRARY}) == len(LIBRARY.rulesets)


def test_a_changed_rule_has_another_fingerprint() -> None:
    assert house("partnership-pitch", target=11).fingerprint != fingerprint(LIBRARY["partnership-pitch"])


def test_trumps_stand_in_their_order_with_the_off_jack_and_the_jokers() -> None:
    row = "".join(card.rank + card.sign for card in rule_sheet(LIBRARY["colorado-ten-point"]).trumps)

    assert row == "A♠K♠Q♠J♠J♣Hi★Lo☆10♠9♠8♠7♠6♠5♠4♠3♠2♠"


def test_off_cards_stand_just_below_their_counterparts() -> None:
    row = "".join(card.rank + card.sign for card in rule_sheet(LIBRARY["colorado-fourteen-point"]).trumps)

    assert row.endswith("4♠3♠3♣2♠2♣")


def test_the_cards_that_score_carry_their_worth() -> None:
    worth = {card.spoken: card.value for card in rule_sheet(LIBRARY["colorado-ten-point"]).trumps if card.is_scoring}

    assert worth["trey of spades"] == "3"
    assert sum(map(int, worth.values())) == 10


def test_reverse_turns_the_row_round() -> None:
    upright, reverse = rule_sheet(LIBRARY["colorado-ten-point"]), house("colorado-ten-point", reverse=True)

    assert [card.spoken for card in reverse.trumps] == [card.spoken for card in upright.trumps][::-1]


def test_a_dirty_deuce_is_marked_by_itself() -> None:
    points = [line for line in marks(house("colorado-ten-point", dirty=True)) if line.lead.startswith("Deuce")]

    assert [line.text for line in points] == ["the side that takes it: it has to be carried home."]


def test_a_change_that_follows_from_another_is_not_told_twice() -> None:
    assert house("colorado-ten-point", dirty=True).house.title == "1 change from the book"


def test_what_was_agreed_is_no_change_from_the_book() -> None:
    frame = house("auction-pitch", target=15).house

    assert (frame.changes, frame.agreed) == ((), ("The match is played to 15.",))


def test_where_nobody_bids_there_is_no_bidding() -> None:
    titles = [section.title for section in rule_sheet(LIBRARY["partners-without-bidding"]).sections]

    assert "Bidding" not in titles


def test_counting_down_turns_the_signs_round() -> None:
    (row,) = [row for section in rule_sheet(LIBRARY["nine-card-pitch"]).sections for row in section.bids]

    assert (row.made, row.cost) == ("−points taken", "+bid")


def test_moon_and_double_moon_say_what_they_win_and_cost() -> None:
    rows = [row for section in rule_sheet(LIBRARY["colorado-ten-point"]).sections for row in section.bids]

    assert [(row.bid, row.made, row.cost) for row in rows[1:]] == [
        ("Moon", "+26", "−26"),
        ("Double moon", "+52", "−52"),
    ]


def test_a_lower_score_that_wins_is_shown() -> None:
    winning = section(rule_sheet(LIBRARY["partnership-pitch"]), "Winning")

    assert "Us made the bid and have 21, Them have 25: Us win." in winning


def test_every_answer_of_an_open_question_can_be_ticked() -> None:
    (question,) = [q for q in rule_sheet(LIBRARY["nine-card-pitch"]).house.questions if q.choices]

    assert len(question.choices) == len([word for word in QUESTIONS["all_pass"].answers if word != word_of(None)])
