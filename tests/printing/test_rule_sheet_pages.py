"""A rule sheet has all its rules on one page, in order and each with its number; what does not fit is on a back."""

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

import pytest

from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.sheets.parts import BidRow, HouseFrame, Rule
from scorekeeper.pitch.sheets.rule_sheet import RuleSheet, rule_sheet
from scorekeeper.printing.columns import split_into_columns
from scorekeeper.printing.fitting import print_draft
from scorekeeper.printing.print_options import Paper
from scorekeeper.printing.rule_sheets import draft_rule_sheet, rule_sheet_markup, view_sheet
from tests.common.library import LIBRARY, each_ruleset
from tests.printing.made import NEARLY_EVERYTHING, Made, changed, each_paper, each_ruleset_on_paper, of_book, packed
from tests.printing.pages import page_texts

COLORADO = LIBRARY["colorado-fourteen-point"]
ORDER = (
    "Players and cards",
    "Deal",
    "Bid",
    "Trump",
    "Play",
    "Count",
    "Win",
    "Where tables argue",
    "House rules",
)
HEADINGS = re.compile(r"(?<![\d.])(?<!Game )(?<!Low )(?<![♠♣★☆] )([1-9]) (" + "|".join(ORDER) + r")\b")


@cache
def changed_house() -> RuleSheet:
    return rule_sheet(changed(COLORADO, **NEARLY_EVERYTHING), COLORADO)


def pages_of(sheet: RuleSheet, paper: Paper) -> list[str]:
    return page_texts(print_draft(draft_rule_sheet(sheet, paper)).content)


def left_out(rules: Iterable[Rule], page: str) -> list[str]:
    """Return the sentences of rules that are not on a page."""
    texts = [rule.lead + rule.text for rule in rules if not isinstance(rule, BidRow)]
    return [part for text in texts for part in text.split("____") if packed(part) not in packed(page)]


def of_the_game(sheet: RuleSheet) -> list[Rule]:
    """Return the rules of the sections of the game; where tables argue may go to the back."""
    return [rule for section in sheet.sections for rule in section.all_rules]


@pytest.fixture
def printed(ruleset: Ruleset, paper: Paper) -> Made:
    """Return the rule sheet of a ruleset."""
    return of_book("rules", ruleset.id, paper)


@each_ruleset_on_paper
def test_every_rule_of_the_game_is_on_the_front(ruleset: Ruleset, printed: Made) -> None:
    front = printed.texts[0]

    assert not left_out(of_the_game(rule_sheet(ruleset)), front)


@each_ruleset_on_paper
def test_what_every_table_asks_stands_together_with_what_tables_argue_about(ruleset: Ruleset, printed: Made) -> None:
    sheet = rule_sheet(ruleset)
    # An open option is printed once more where the house writes its rules, which may be on the other page.
    (argued,) = [page for page in printed.texts if "the sources are silent" in page]

    assert sheet.disputes.all_rules
    assert not left_out(sheet.disputes.all_rules, argued)
    assert all(packed(question.question) in packed(argued) for question in sheet.argued_questions)


@each_paper
def test_every_rule_of_a_house_that_changed_nearly_everything_is_on_the_front(paper: Paper) -> None:
    pages = pages_of(changed_house(), paper)

    assert len(pages) == 2
    assert not left_out(of_the_game(changed_house()), pages[0])
    assert not left_out(changed_house().disputes.all_rules, pages[1])
    assert all(packed(text) in packed(pages[1]) for text in changed_house().house_frame.changes)


@each_ruleset_on_paper
def test_the_sections_stand_in_order_and_each_once(printed: Made) -> None:
    front, *backs = ([ORDER.index(title) + 1 for _, title in HEADINGS.findall(page)] for page in printed.texts)

    assert front[:7] == list(range(1, 8))
    assert front == sorted(front)
    assert all(back == sorted(back) for back in backs)
    numbers = sorted(number for page in (front, *backs) for number in page)
    assert numbers in (list(range(1, 10)), list(range(1, 9))), "a frame with nothing in it may give way"


@each_ruleset_on_paper
def test_the_large_print_has_every_section_in_order(ruleset: Ruleset, paper: Paper) -> None:
    found = HEADINGS.findall(of_book("large", ruleset.id, paper).text)

    assert found == [(str(number), title) for number, title in enumerate(ORDER, 1)]


@pytest.mark.parametrize("kind", ["rules", "large"])
@each_ruleset_on_paper
def test_each_number_is_printed_once(ruleset: Ruleset, kind: str, paper: Paper) -> None:
    text = of_book(kind, ruleset.id, paper).text
    printed = re.findall(r"(?<![\d(.$])[1-8]\.\d{1,2}(?![\d)])", text)

    assert sorted(printed) == sorted(rule.number for rule in rule_sheet(ruleset).rules)


@each_ruleset_on_paper
def test_what_does_not_fit_is_on_the_back_in_its_order(ruleset: Ruleset, printed: Made) -> None:
    """First the second worked hand, then where tables argue, then the options that nobody plays yet."""
    front, *backs = printed.texts
    sheet = rule_sheet(ruleset)
    parts = [hand.result or hand.story[0] for hand in sheet.hands[1:]]
    parts += [sheet.argued_questions[0].question] if sheet.argued_questions else []
    parts += [sheet.house_frame.offers[-1].text] if sheet.house_frame.offers else []
    turned = [packed(part) not in packed(front) for part in parts]

    assert turned == sorted(turned, reverse=True)
    assert any(turned) == bool(backs)
    assert all(packed(part) in packed(backs[0]) for part, is_turned in zip(parts, turned, strict=True) if is_turned)
    assert ("More on the back" in front) == bool(backs)
    assert len(backs) <= 1


@each_ruleset_on_paper
def test_the_front_is_full_and_a_back_is_worth_turning_to(printed: Made) -> None:
    """A card to keep score on has no word on its lines, but they run down to the foot of the page."""
    sheet = printed
    front, *backs = sheet.feet

    assert front > 0.8
    assert all(back > 0.5 or ".tally{display:block" in sheet.style for back in backs)


def test_where_rules_fill_the_front_both_worked_hands_stand_apart_on_the_back() -> None:
    assert ".second + .second{float:right}" in of_book("rules", "razzle-dazzle", "letter").style


@each_ruleset_on_paper
def test_no_page_of_the_large_print_is_a_third_empty_but_the_last(ruleset: Ruleset, paper: Paper) -> None:
    """What would fill the last page better may be one line too many: the next larger type takes a page more."""
    *pages, last = of_book("large", ruleset.id, paper).feet

    assert min(pages) > 0.66
    assert last > 0.5


def test_a_list_too_long_for_the_page_gives_way_to_the_pencil_marks() -> None:
    changes = ("One more change of the rules.",) * 200
    sheet = replace(rule_sheet(COLORADO), house_frame=HouseFrame("House rules: 200 changes", changes))

    front, *backs = pages_of(sheet, "a4")

    assert "One more change" not in front
    assert " ".join(backs).count("One more change") == 200
    assert not left_out(of_the_game(sheet), front)


@each_ruleset
def test_ids_are_unique_on_the_screen_and_lead_to_every_rule(ruleset: Ruleset) -> None:
    sheet = rule_sheet(ruleset)

    ids = re.findall(r'\bid="([^"]+)"', rule_sheet_markup(sheet))

    assert len(ids) == len(set(ids))
    assert not {rule.id for rule in sheet.rules} - set(ids)
    assert not {other for rule in sheet.rules if isinstance(rule, Rule) for other in rule.also} - set(ids)
    assert not {section.id for section in sheet.sections} - set(ids)


@pytest.mark.parametrize("width", [20.0, 24.0, 28.0])
@each_ruleset
def test_columns_have_every_rule_once_and_in_order(ruleset: Ruleset, width: float) -> None:
    sheet = rule_sheet(ruleset)

    parts = [part for column in split_into_columns(sheet, width) for part in column]

    assert [rule for part in parts for rule in (*part.intro, *part.bids, *part.rules)] == of_the_game(sheet)
    assert [part.id for part in parts if not part.is_continued] == [section.id for section in sheet.sections]
    assert view_sheet(sheet).hands == sheet.hands[:1]


def test_a_mark_is_told_in_words_as_well() -> None:
    markup = rule_sheet_markup(changed_house())

    assert 'role="img" aria-label="in whole or part an agreed reading">†</span>' in markup
    assert 'role="img" aria-label="house rule"' in markup
    assert "† In whole or part an agreed reading." in markup
