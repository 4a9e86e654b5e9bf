"""A sheet and the engine cannot disagree: whatever number of a ruleset is changed, each kind of sheet changes with it.

What each kind promises to show, wherever it is printed and however little room there is:

- The rule sheet and the large print: every number that there is.
- The pocket card: every number but those of the deal beyond the cards of each player, which no hand needs.
- The pad: what its scorer needs: bids with what they win and cost, awards, and what ends the match or is paid. It
  leaves out the pack, and what a dealer must bid whom all have passed.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

import pytest

from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.options import options
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.printing.kinds import SHEET_KINDS, current_kind_and_size, draft_sheet
from scorekeeper.printing.print_options import ORDINARY, PrintOptions
from scorekeeper.printing.rules_link import PrintableRules, RulesLink
from tests.common.library import LIBRARY, each_ruleset
from tests.common.reading import Element, read
from tests.pitch.sheets.test_rule_sheet import changes_nothing

KINDS = ("rules", "pocket", "pad")
"""The large print has the markup of the rule sheet: a test holds it to that."""
SPARE = re.compile("spare|t[0-9]+")
"""What a pocket card or a pad may have to do without."""
LEFT_OUT = {"pad": {"jokers", "forced_bid"}}
TRIED = (37, 17, 7, 3, 2, 1)
each_kind = pytest.mark.parametrize("kind", KINDS)


@each_ruleset
def test_the_large_print_is_the_rule_sheet_in_other_type(ruleset: Ruleset) -> None:
    """The back of a rule sheet has more beside it: a third hand, a card to keep score on, its title again."""
    rulesets = ruleset, *(changed for _, _, changed in changes(ruleset)[::6])

    assert not [rules for rules in rulesets if texts(body("large", rules)) - texts(body("rules", rules))]
    assert not [rules for rules in rulesets if rules_in(body("large", rules)) != rules_in(body("rules", rules))]


def texts(markup: str) -> Counter[str]:
    """Return the texts between the tags, each with how often it is there."""
    return Counter(text for part in re.split("<[^>]+>", markup) if (text := part.strip()))


def rules_in(markup: str) -> list[str]:
    """Return the rules with their numbers, in their order."""
    return re.findall(r"<li[^>]*>.*?</li>", markup, re.DOTALL)


@each_kind
@each_ruleset
def test_every_number_that_a_house_may_change_is_on_every_kind(ruleset: Ruleset, kind: str) -> None:
    before = numbers(kind, ruleset)
    missing = [
        (option, number)
        for option, number, changed in changes(ruleset)
        if option not in LEFT_OUT.get(kind, ()) and not is_shown(number, option, before, numbers(kind, changed))
    ]

    assert not missing


@pytest.mark.parametrize("kind", ["rules", "pocket"])
@each_ruleset
def test_every_number_of_the_table_and_the_deal_is_printed(ruleset: Ruleset, kind: str) -> None:
    before = words(kind, ruleset)
    left_out = {"played"} if kind == "pocket" else set()

    missing = [
        name for name, changed in other_tables(ruleset) if name not in left_out and words(kind, changed) == before
    ]

    assert not missing


def changes(ruleset: Ruleset) -> Sequence[tuple[str, int, Ruleset]]:
    """Return each number that a house may change, once, with the ruleset that follows."""
    return _changes(ruleset.id)


@cache
def _changes(ruleset_id: str) -> Sequence[tuple[str, int, Ruleset]]:
    return tuple(_each_change(LIBRARY[ruleset_id]))


def _each_change(ruleset: Ruleset) -> Iterator[tuple[str, int, Ruleset]]:
    for option in (*(name for name, spec in options().items() if spec.lowest is not None), *ruleset.awards):
        for number in TRIED:
            changed, faults = with_house(ruleset, {option: number})
            if not faults and changed != ruleset and not changes_nothing(changed, ruleset, option, number):
                yield option, number, changed
                break


def other_tables(ruleset: Ruleset) -> Iterator[tuple[str, Ruleset]]:
    """Return each number of the table and of the deal, one more than it is."""
    for name in ("dealt", "dealt_six", "packets", "played", "face_down"):
        number = getattr(ruleset.cards, name)
        if number and not (name == "played" and not throws_away(ruleset)):
            yield name, ruleset.copy_with(cards=ruleset.cards.copy_with(**{name: number + 1}))
    for name in ("fewest", "most"):
        number, table = getattr(ruleset.table, name), ruleset.table
        is_possible = name == "most" or table.fewest < table.most
        if number and is_possible and not table.partners:  # who may play alone is then named with those who may not
            yield name, ruleset.copy_with(table=table.copy_with(**{name: number + 1}))


def throws_away(ruleset: Ruleset) -> bool:
    """Return whether some of the cards dealt are not played: only then the number of tricks is a rule of its own."""
    cards = ruleset.cards
    is_more = bool(cards.dealt and cards.played and cards.dealt > cards.played)
    return is_more and ruleset.play.draw == "none" and not cards.face_down


def is_shown(number: int, option: str, before: Counter[str], after: Counter[str]) -> bool:
    if option == "jokers":
        return before != after  # printed as the size of the deck
    # It may have stood there for another reason, as in the example that is worked out anew.
    return after[str(number)] > before[str(number)] or (after[str(number)] > 0 and after != before)


def numbers(kind: str, ruleset: Ruleset) -> Counter[str]:
    """Count the numbers on a sheet."""
    return Counter(re.findall(r"\d+", words(kind, ruleset)))


def words(kind: str, ruleset: Ruleset) -> str:
    """Return what is sure to be on a sheet, without the code and the list of changes, which follow from any change."""
    return " ".join(_words(read(body(kind, ruleset))))


def body(kind: str, ruleset: Ruleset) -> str:
    """Return the markup of a sheet."""
    rules, (kind_id, size) = RulesOfBookLink(ruleset, LIBRARY[ruleset.id]), current_kind_and_size(kind, ORDINARY)
    return draft_sheet(SHEET_KINDS[kind_id], rules, PrintOptions(size=size)).body


class RulesOfBookLink(PrintableRules):
    """Rules with the link to those of the book: it is not looked at here, and takes long to make."""

    @property
    def link(self) -> RulesLink:
        return _link(self.base.id)


@cache
def _link(ruleset_id: str) -> RulesLink:
    ruleset = LIBRARY[ruleset_id]
    return PrintableRules(ruleset, ruleset).link


def _words(part: Element) -> Iterator[str]:
    classes = set(part.attrs.get("class", "").split())
    if classes & {"footer", "link", "house", "rows", "code"} or any(map(SPARE.fullmatch, classes)):
        return
    for inside in part.inside:
        if isinstance(inside, Element):
            yield from _words(inside)
        else:
            yield inside
