"""What follows from a house's answers, and what contradicts itself."""

from typing import Any

from scorekeeper.pitch.rules.house_rules import differing_answers, with_house
from scorekeeper.pitch.rules.options import contradictions, options
from scorekeeper.pitch.rules.schema import Ruleset
from tests.common.library import LIBRARY, every_ruleset


def _own_answers(ruleset: Ruleset) -> dict[str, Any]:
    awards = {award_id: ruleset.worth(award_id) for award_id in ruleset.awards}
    return awards | {name: ruleset.answer(name) for name in options()}


@every_ruleset
def test_the_books_own_answers_change_nothing(ruleset: Ruleset) -> None:
    assert with_house(ruleset, _own_answers(ruleset)) == (ruleset, [])


@every_ruleset
def test_each_answer_of_the_book_may_be_given_by_itself(ruleset: Ruleset) -> None:
    refused = [name for name, answer in _own_answers(ruleset).items() if with_house(ruleset, {name: answer})[1]]

    assert refused == []


@every_ruleset
def test_any_point_may_be_switched_off(ruleset: Ruleset) -> None:
    found = {
        award_id: {fault.code for fault in with_house(ruleset, {award_id: False})[1]} for award_id in ruleset.in_play
    }

    # Without a king that counts much, the lowest bid may be more than a hand is worth.
    assert {award_id for award_id, codes in found.items() if codes - {"min_above_max"}} == set()


@every_ruleset
def test_any_point_may_be_worth_more(ruleset: Ruleset) -> None:
    worth = {award_id: with_house(ruleset, {award_id: 7})[0].worth(award_id) for award_id in ruleset.in_play}

    assert worth == dict.fromkeys(ruleset.in_play, 7)


@every_ruleset
def test_no_moon_leaves_nothing_of_the_moon(ruleset: Ruleset) -> None:
    changed, faults = with_house(ruleset, {"moon": "off"})

    assert faults == []
    assert not {"moon", "double_moon"} & set(changed.bids)


def test_what_was_drawn_along_but_answered_otherwise_is_a_difference() -> None:
    house = {"jokers": 1, "joker": False}
    base = LIBRARY["partnership-pitch"]

    assert differing_answers(base, with_house(base, house)[0]) == house


def test_nobody_bids_anything_where_nobody_bids() -> None:
    changed = LIBRARY["partners-without-bidding"]

    assert (changed.bids, changed.special_bids) == ((), ())


def test_the_ten_cannot_win_game_in_a_pack_without_one() -> None:
    ruleset = LIBRARY["charbonneau-ten-point"]

    faults = contradictions(ruleset.copy_with(cards=ruleset.cards.copy_with(ranks="A K Q J 9 8 7 6 5 4 3 2")))

    assert [(fault.field, fault.code) for fault in faults] == [("points.game_rule", "not_in_pack")]


@every_ruleset
def test_what_is_to_be_agreed_is_open_until_it_is(ruleset: Ruleset) -> None:
    assert all(ruleset.answer(name) is None for name in ruleset.open_options)
    assert set(ruleset.open_options) <= set(ruleset.to_agree)


def test_an_agreed_target_is_no_longer_open() -> None:
    ruleset = LIBRARY["moon-over-four"]

    agreed, _ = with_house(ruleset, {"target": 11, "set_stake_cents": 25})

    assert ruleset.open_options == ("all_pass", "target", "set_stake_cents", "game_stake_cents")
    assert agreed.open_options == ("all_pass", "game_stake_cents")


def test_only_options_that_there_are_can_be_agreed() -> None:
    ruleset = LIBRARY["moon-over-four"].copy_with(to_agree=["colour", "jack", "target"])

    assert [(fault.field, fault.code) for fault in contradictions(ruleset)] == [("to_agree", "unknown_option")]
