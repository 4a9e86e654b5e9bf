"""What follows from a house's answers, and what contradicts itself."""

from typing import Any

import pytest

from scorekeeper.pitch.rules.house_rules import differences, with_house
from scorekeeper.pitch.rules.options import contradictions, options
from scorekeeper.pitch.rules.schema import Ruleset
from tests.common.library import LIBRARY, every_ruleset
from tests.pitch.scoring.tables import faults as faults_of


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


@pytest.mark.parametrize(
    ("variant", "house", "follows"),
    [
        ("charbonneau-ten-point", {"dirty": True}, {"low": "captured"}),
        ("arizona-29", {"jokers": 2}, {"joker": False, "high_joker": 1, "low_joker": 1}),
        ("arizona-29", {"high_joker": 2}, {"jokers": 2, "joker": False, "high_joker": 2, "low_joker": False}),
        ("partnership-pitch", {"joker": True}, {"jokers": 1}),
        ("oklahoma-ten-point", {"jokers": 0}, {"high_joker": False, "low_joker": False}),
        ("oklahoma-ten-point", {"low": False}, {"deuce": False}),
        ("partnership-pitch", {"game": False}, {"game_rule": "off"}),
        ("partnership-pitch", {"game_rule": "off"}, {"game": False}),
        ("colorado-ten-point", {"game": True}, {"game_rule": "card_points", "game": 1}),
        ("partnership-pitch", {"game": 2, "game_rule": "ten_of_trumps"}, {"game": 2, "game_rule": "ten_of_trumps"}),
        ("partnership-pitch", {"count_down_from": 21}, {"target": None}),
        ("nine-card-pitch", {"count_down_from": None, "target": 21}, {"defenders_stop_at_one": False}),
        ("partnership-pitch", {"hands": 9}, {"length": "hands"}),
        ("charbonneau-ten-point", {"kitty": "none"}, {"share_the_wealth": False}),
        ("colorado-ten-point", {"double_moon": False}, {"double_moon_made": None, "double_moon_set": None}),
        ("colorado-ten-point", {"moon": "win_or_lose"}, {"moon_made": None, "double_moon": False}),
        ("money-pitch", {"moon": "stake", "moon_made": 5, "moon_set": 5}, {"moon_cents": None}),
        ("partnership-pitch", {"dealer_steal": False, "smudge": "no"}, {"dealer_steal": "no", "smudge": False}),
        ("partnership-pitch", {"dealer_steal": True, "win_by": "none"}, {"dealer_steal": "yes", "win_by": None}),
    ],
)
def test_what_hangs_together_moves_together(variant: str, house: dict[str, Any], follows: dict[str, Any]) -> None:
    changed, faults = with_house(LIBRARY[variant], house)

    assert faults == []
    assert {name: changed.answer(name) for name in follows} == follows


@pytest.mark.parametrize(
    ("variant", "house", "refused"),
    [
        ("partnership-pitch", {"min_bid": 5}, "min_bid min_above_max"),
        ("partnership-pitch", {"min_bid": 3, "max_bid": 2}, "min_bid min_above_max"),
        ("partnership-pitch", {"max_bid": 5}, "max_bid max_above_offer"),
        ("partnership-pitch", {"forced_bid": 5}, "forced_bid forced_outside"),
        ("auction-pitch", dict.fromkeys(("high", "low", "jack", "game"), False), "high no_points"),
        ("partners-without-bidding", {"smudge": True}, "smudge no_bidding"),
        ("partners-without-bidding", {"win_rule": "made_bid"}, "win_rule no_bidding"),
        ("partners-without-bidding", {"tie_rule": "bidder_first"}, "tie_rule no_bidding"),
        ("partners-without-bidding", {"next_dealer": "racehorse"}, "next_dealer no_bidding"),
        ("partners-without-bidding", {"count_down_from": 9, "defenders_stop_at_one": True},
         "defenders_stop_at_one no_bidding"),
        ("partnership-pitch", {"double_moon": True}, "double_moon moon_off"),
        ("partnership-pitch", {"moon_needs": "points_and_tricks"}, "moon_needs moon_off"),
        ("partnership-pitch", {"moon": "stake"}, "moon moon_worth"),
        ("charbonneau-ten-point", {"moon_made": 5}, "moon_made moon_no_stake"),
        ("charbonneau-ten-point", {"moon_set": 5}, "moon_set moon_no_stake"),
        ("charbonneau-ten-point", {"count_down_from": 52}, "count_down_from moon_counting_down"),
        ("auction-pitch", {"moon": "win_or_minus_target"}, "moon moon_no_target"),
        ("partnership-pitch", {"moon": "money"}, "moon moon_cents"),
        ("charbonneau-ten-point", {"double_moon": True, "double_moon_made": 1, "double_moon_set": 1},
         "double_moon double_needs_stake"),
        ("pawnee-call-your-partner", {"double_moon": True}, "double_moon double_worth"),
        ("pawnee-call-your-partner", {"double_moon_made": 9}, "double_moon_made double_off"),
        ("partnership-pitch", {"moon_cents": 9}, "moon_cents moon_pays_nothing"),
        ("colorado-ten-point", {"pitching": True}, "pitching no_bid_of_four"),
        ("partnership-pitch", {"double_loss_on_overtake": True}, "double_loss_on_overtake no_pitching"),
        ("partnership-pitch", {"dirty": True, "low": "held"}, "dirty dirty_low"),
        ("colorado-ten-point", {"deuce": False, "dirty": True}, "dirty no_low"),
        ("partnership-pitch", {"game": False, "game_rule": "card_points"}, "game game_rule"),
        ("partnership-pitch", {"game": True, "game_rule": "off"}, "game game_rule"),
        ("colorado-ten-point", {"game_tie": "all_tied_score"}, "game_tie no_count"),
        ("partnership-pitch", {"game_tie": "joker_breaks"}, "game_tie no_joker"),
        ("five-point-set-back", {"trey": True}, "trey not_in_pack"),
        ("oklahoma-ten-point", {"high_joker": True, "jokers": 1}, "jokers jokers"),
        ("oklahoma-ten-point", {"joker": True}, "joker jokers"),
        ("partnership-pitch", {"right": True}, "right same_card"),
        ("partnership-pitch", {"joker_order": "first_played"}, "joker_order jokers"),
        ("nine-card-pitch", {"target": 21}, "target two_targets"),
        ("partnership-pitch", {"defenders_stop_at_one": True}, "defenders_stop_at_one not_counting_down"),
        ("partnership-pitch", {"length": "hands"}, "length how_many_hands"),
        ("partnership-pitch", {"hands": 3, "length": "target"}, "hands not_by_hands"),
        ("partnership-pitch", {"hands": 3, "win_by": 2}, "win_by win_by_hands"),
        ("partnership-pitch", {"partner_set_too": False}, "partner_set_too nobody_called"),
        ("partnership-pitch", {"share_the_wealth": True}, "share_the_wealth no_kitty"),
        ("partnership-pitch", {"jack": [1]}, "jack bad_value"),
        ("partnership-pitch", {"jack": 0}, "jack bad_value"),
        ("partnership-pitch", {"jokers": 3}, "jokers bad_value"),
        ("partnership-pitch", {"smudge": 1}, "smudge bad_value"),
        ("partnership-pitch", {"target": "x" * 99}, "target bad_value"),
        ("partnership-pitch", {"win_by": 0}, "win_by bad_value"),
        ("partnership-pitch", {"tie_rule": "coin"}, "tie_rule bad_value"),
    ],
)  # fmt: skip
def test_a_contradiction_is_refused_with_its_reason(variant: str, house: dict[str, Any], refused: str) -> None:
    _, faults = with_house(LIBRARY[variant], house)

    assert refused in [f"{fault.field} {fault.code}" for fault in faults]
    assert all(fault.message for fault in faults)


def test_what_was_drawn_along_but_answered_otherwise_is_a_difference() -> None:
    house = {"jokers": 1, "joker": False}
    base = LIBRARY["partnership-pitch"]

    assert differences(base, with_house(base, house)[0]) == house


def test_nobody_bids_anything_where_nobody_bids() -> None:
    changed = LIBRARY["partners-without-bidding"]

    assert (changed.bids, changed.special_bids) == ((), ())


def test_the_ten_cannot_win_game_in_a_pack_without_one() -> None:
    ruleset = LIBRARY["charbonneau-ten-point"]

    faults = contradictions(ruleset.changed(cards=ruleset.cards.changed(ranks="A K Q J 9 8 7 6 5 4 3 2")))

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
    ruleset = LIBRARY["moon-over-four"].changed(to_agree=["colour", "jack", "target"])

    assert [(fault.field, fault.code) for fault in contradictions(ruleset)] == [("to_agree", "unknown_option")]


MOOT_IN_RECORDS = [
    ("racehorse", {"score_on_made": "points"}, "score_on_made"),
    ("racehorse", {"win_rule": "made_bid"}, "win_rule"),
    ("colorado-ten-point", {"win_rule": "made_bid", "tie_rule": "higher_score"}, "tie_rule"),
    ("partnership-pitch", {"length": "hands", "hands": 6, "target": 11}, "target"),
    ("seven-up", {"kitty": "before_trump"}, "kitty"),
    ("seven-up", {"set_stake_cents": 25}, "set_stake_cents"),
    ("cinch", {"defenders_score": "pooled"}, "defenders_score"),
]


@pytest.mark.parametrize(("variant", "house", "field"), MOOT_IN_RECORDS)
def test_a_new_record_may_not_answer_what_decides_nothing(variant: str, house: dict[str, Any], field: str) -> None:
    players = "ABC" if variant == "racehorse" else "ABCD"

    assert faults_of(variant, house=house, players=players) == [(None, f"house.{field}", "no_effect")]
    assert faults_of(variant, house=house, players=players, played_on="2026-01-02") == []  # it was kept so


def test_a_new_record_may_say_what_holds_anyway() -> None:
    assert faults_of("partnership-pitch", house={"win_rule": "made_bid", "tie_rule": "bidder_first"}) == []


def test_a_new_hand_may_not_change_what_decides_nothing() -> None:
    hand = {"bidder": "Us", "bid": 2, "points": {"Us": 4, "Them": 0}, "house": {"forced_bid": 3, "all_pass": "redeal"}}

    assert faults_of("partnership-pitch", hand) == [(1, "house.forced_bid", "no_effect")]
    assert faults_of("partnership-pitch", hand, played_on="2026-01-02") == []
