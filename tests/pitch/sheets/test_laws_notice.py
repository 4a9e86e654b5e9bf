"""A law that never fails proves nothing: each notices a sheet that breaks it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial

import pytest

from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.sheets.parts import Argument, Offer, Rule, RuleOrigin, Section
from scorekeeper.pitch.sheets.rule_sheet import RuleSheet, rule_sheet
from tests.common.library import LIBRARY
from tests.pitch.sheets import laws
from tests.pitch.sheets.laws import LAWS, Law, Made

Spoil = Callable[[RuleSheet], RuleSheet]


@dataclass(frozen=True)
class Spoiled(Made):
    """A sheet that was changed after it was made."""

    spoil: Spoil

    @cached_property
    def sheet(self) -> RuleSheet:
        return self.spoil(rule_sheet(self.ruleset, self.base))


def with_rules(section_id: str, change: Callable[[tuple[Rule, ...]], tuple[Rule, ...]]) -> Spoil:
    """Change the rules of one section."""

    def changed(section: Section) -> Section:
        return replace(section, all_rules=change(section.all_rules)) if section.id == section_id else section

    return lambda sheet: replace(sheet, sections=tuple(map(changed, sheet.sections)))


def with_disputes(change: Callable[[tuple[Rule, ...]], tuple[Rule, ...]]) -> Spoil:
    """Change the rules that stand where tables argue."""
    return lambda sheet: replace(sheet, disputes=replace(sheet.disputes, all_rules=change(sheet.disputes.all_rules)))


def says(section_id: str, text: str) -> Spoil:
    """Have the last rule of a section say something else."""
    return with_rules(section_id, lambda rules: (*rules[:-1], replace(rules[-1], text=text)))


def left_out(place: int, rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """Return the rules without the one at this place."""
    return (*rules[:place], *rules[place + 1 :])


@pytest.mark.parametrize(
    ("law", "ruleset_id", "spoil"),
    [
        (
            laws.every_rule_has_an_origin,
            "fish-pitch",
            with_rules("deal", lambda rules: (replace(rules[0], origin=RuleOrigin()),)),
        ),
        (
            laws.every_rule_has_an_origin,
            "fish-pitch",
            lambda sheet: replace(sheet, house=replace(sheet.house, offers=(Offer("The joker is wild."),))),
        ),
        (laws.a_changed_rule_is_the_house_s, "fish-pitch", says("deal", "The dealer deals again.")),
        (
            laws.a_changed_rule_is_the_house_s,
            "fish-pitch",
            with_rules("deal", lambda rules: (replace(rules[0], origin=RuleOrigin(house=("low",))),)),
        ),
        (laws.numbers_are_in_order, "fish-pitch", with_rules("deal", lambda rules: rules[::-1])),
        (laws.numbers_are_in_order, "fish-pitch", with_rules("deal", lambda rules: (*rules, rules[0]))),
        (
            laws.numbers_are_in_order,
            "fish-pitch",
            lambda sheet: replace(sheet, sections=sheet.sections[::-1]),
        ),
        (
            laws.the_cards_go_around,
            "colorado-cutthroat",
            with_rules("trump", lambda rules: tuple(it for it in rules if it.id != "trump.draw")),
        ),
        (
            laws.the_cards_go_around,
            "colorado-ten-point",
            with_rules("trump", lambda rules: tuple(it for it in rules if it.id != "trump.draw")),
        ),
        (laws.every_award_is_explained_once, "fish-pitch", with_rules("count", lambda rules: rules[1:])),
        (laws.every_award_is_explained_once, "fish-pitch", with_rules("count", lambda rules: (rules[0], *rules))),
        (
            laws.every_award_is_explained_once,
            "fish-pitch",
            with_rules("count", lambda rules: (replace(rules[0], lead="High 2:"), *rules[1:])),
        ),
        (
            laws.every_award_is_explained_once,
            "fish-pitch",
            lambda sheet: replace(sheet, trumps=replace(sheet.trumps, also=())),
        ),
        *(
            (laws.nothing_is_named_that_is_not_there, ruleset_id, says("play", text))
            for ruleset_id, text in (
                ("fish-pitch", "The bidder takes the kitty."),
                ("fish-pitch", "The jokers are high."),
                ("partnership-pitch", "Moons win."),
                ("nine-card-pitch", "A smudge wins."),
                ("colorado-ten-point", "Score Low, too."),
                ("colorado-ten-point", "Count for Game."),
                ("fish-pitch", "Whoever has the Off Jack leads."),
                ("cutthroat-pitch", "Ask your partner."),
                ("cutthroat-pitch", "Each side counts."),
                ("partners-without-bidding", "The bidder leads."),
                ("partnership-pitch", "Play all seven tricks."),
                ("partnership-pitch", "Burn the rest."),
                ("partnership-pitch", "Draw three."),
                ("partnership-pitch", "Us and Them count."),
                ("partnership-pitch", "Pay 5 cents."),
            )
        ),
        (laws.nothing_is_said_twice, "fish-pitch", says("play", "Nobody looks. Nobody looks.")),
        (laws.every_text_is_clean, "fish-pitch", says("play", "Play  on.")),
        (laws.every_text_is_clean, "fish-pitch", says("play", "Play on")),
        (laws.every_text_is_clean, "fish-pitch", says("play", "Play up_to_three.")),
        *(
            (laws.what_every_table_asks_is_answered_once, ruleset_id, with_disputes(partial(left_out, place)))
            for ruleset_id, rules in (
                ("fish-pitch", 7),
                ("pedro", 5),
                ("trinidad-all-fours", 3),
                ("california-jack", 4),
            )
            for place in range(rules)
        ),
        (
            laws.what_every_table_asks_is_answered_once,
            "trinidad-all-fours",
            with_rules("play", lambda rules: tuple(it for it in rules if it.id != "play.renege")),
        ),
        (
            laws.what_every_table_asks_is_answered_once,
            "trinidad-all-fours",
            with_disputes(lambda rules: (*rules, replace(rules[-1], id="argue.renege"))),
        ),
        (
            laws.what_every_table_asks_is_answered_once,
            "fish-pitch",
            with_disputes(lambda rules: (*rules[:-1], replace(rules[-1], text="An exposed card stays."))),
        ),
        (
            laws.numbers_are_in_order,
            "fish-pitch",
            with_disputes(lambda rules: rules[::-1]),
        ),
        (laws.the_parts_are_whole, "fish-pitch", lambda sheet: replace(sheet, aim="Win. Then go home.")),
        (laws.the_parts_are_whole, "fish-pitch", lambda sheet: replace(sheet, hands=())),
        (
            laws.the_parts_are_whole,
            "fish-pitch",
            lambda sheet: replace(sheet, arguments=(Argument(question="Who?", answer="Ann", number="3.99"),)),
        ),
    ],
)
def test_a_law_notices(law: Law, ruleset_id: str, spoil: Spoil) -> None:
    ruleset = LIBRARY[ruleset_id]

    assert [*law(Spoiled(ruleset, ruleset, spoil))]


def test_every_law_is_tried() -> None:
    cases = next(mark for mark in test_a_law_notices.pytestmark if mark.name == "parametrize").args[1]  # type: ignore[attr-defined]

    assert {law for law, _, _ in cases} == {*LAWS}


@pytest.mark.parametrize("players", [2, 6])
def test_a_deal_of_too_many_cards_is_noticed(players: int) -> None:
    base = LIBRARY["partnership-pitch"]
    ruleset: Ruleset = base.changed(cards=base.cards.changed(dealt=27), table=base.table.changed(partners={players: 2}))

    assert [*laws.the_cards_go_around(Made(ruleset, ruleset))] == (
        ["6 players are dealt 162 of 52 cards"] if players == 6 else ["2 players are dealt 54 of 52 cards"]
    )


def test_a_house_rule_that_is_not_marked_is_noticed() -> None:
    base = LIBRARY["partnership-pitch"]
    changed, _ = with_house(base, {"target": 15})

    def unmarked(sheet: RuleSheet) -> RuleSheet:
        return with_rules("win", lambda rules: tuple(replace(it, origin=RuleOrigin()) for it in rules))(sheet)

    assert [*laws.a_changed_rule_is_the_house_s(Spoiled(changed, base, unmarked))]
