"""The words of a sheet agree with the engine: stuck dealers, led cards, ties with a lead and ties from before."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from scorekeeper.pitch.rules.groups.declare import PITCHED_BID
from scorekeeper.pitch.rules.groups.winning import has_end
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.auction import Auction, bid_rank, call_objection
from scorekeeper.pitch.sheets.citations import citations
from scorekeeper.pitch.sheets.rule_sheet import rule_sheet
from tests.common.each import each
from tests.common.library import LIBRARY
from tests.common.tables import table
from tests.pitch.scoring.random_records import random_house

VARIANTS = [ruleset.id for ruleset in LIBRARY]
BIDDING = [ruleset.id for ruleset in LIBRARY if ruleset.has_bidding]


def text(ruleset: Ruleset, rule_id: str) -> str:
    """Return a rule as the sheet has it; empty where it has none."""
    cited = citations(ruleset, LIBRARY[ruleset.id]).first_rule(rule_id)
    return cited[0].text if cited else ""


def houses(variant: str, *, count: int = 4, **answers: Any) -> Iterator[Ruleset]:
    """Yield a variant with answers that fit it, alone and beside some others."""
    random, base = Random(variant), LIBRARY[variant]
    for house in ({}, *(random_house(random, base) for _ in range(count))):
        ruleset, faults = with_house(base, {**house, **answers})
        if not faults:
            yield ruleset


SAID = table(__file__, "words.toml")["said"]


@pytest.mark.parametrize("row", SAID, ids=lambda row: f"{row['game']}, {row['rule']}: {row['house']}")
def test_a_rule_says_what_is_played_beside_any_answer(row: dict[str, Any]) -> None:
    ruleset, _ = with_house(LIBRARY[row["game"]], row["house"])

    assert text(ruleset, row["rule"]) == row["says"]


# ---------- the count ----------


def test_no_card_is_missing_where_every_card_is_played() -> None:
    own = {"own_1": "2 captured Q: Black Lady"}

    with_stock = with_house(LIBRARY["shasta-sam"], own)[0]
    with_some_dealt = with_house(LIBRARY["seven-up"], own)[0]

    assert text(with_stock, "count.missing") == ""
    assert "Black Lady" in text(with_some_dealt, "count.missing") or "a card" in text(with_some_dealt, "count.missing")


@each("variant", BIDDING)
def test_a_bid_fails_by_a_missing_card_only_where_one_can_be_missing(variant: str) -> None:
    for bid, rule_id in (("smudge", "bid.smudge_needs"), ("moon", "bid.moon_missing")):
        ruleset, _ = with_house(LIBRARY[variant], {bid: "stake" if bid == "moon" else True})

        assert bool(text(ruleset, rule_id)) == bool(text(ruleset, "count.missing")), rule_id


# ---------- the bidding ----------


@each("variant", BIDDING)
def test_what_a_stuck_dealer_must_bid_is_what_the_bidding_takes(variant: str) -> None:
    for forced in ("none", 1, 3, 5):
        for ruleset in houses(variant, all_pass="dealer_forced", forced_bid=forced):
            stuck = Auction("D", passed_players=frozenset("ABC"), waiting_players=("D",))
            taken = [
                bid for bid in range(1, ruleset.max_bid_number + 1) if not call_objection(ruleset, stuck, "D", bid)
            ]
            sentence = text(ruleset, "bid.all_pass")
            minimum, lowest = taken[0], ruleset.min_bid_number
            if not (ruleset.bidding.min_bid or ruleset.bidding.forced_bid):
                assert "at least the lowest bid" in sentence
            elif taken == [minimum] and not ruleset.special_bids:
                assert f"must bid {minimum}, a bid" in sentence
            elif taken == [*range(minimum, ruleset.max_bid_number + 1)]:
                assert f"must bid at least {minimum}, a bid" in sentence
            else:
                assert f"must bid {minimum}, or {lowest} or more, a bid" in sentence
                assert taken == [minimum, *range(lowest, ruleset.max_bid_number + 1)]


@each("variant", BIDDING)
def test_a_dealer_who_may_go_set_bids_as_low_as_the_sheet_says(variant: str) -> None:
    for ruleset in houses(variant, all_pass="may_take_set", forced_bid=3):
        if ruleset.bidding.min_bid:
            stuck = Auction("D", passed_players=frozenset("ABC"), waiting_players=("D",))
            minimum = next(bid for bid in range(1, 200) if not call_objection(ruleset, stuck, "D", bid))

            assert f"bids {minimum} or more, or goes set for 3" in text(ruleset, "bid.all_pass")


def test_a_moon_that_takes_the_place_of_the_highest_number_is_worth_what_it_scores() -> None:
    (ruleset,) = houses("pedro-sixteen", count=0, moon="to_minus_four")

    assert "+16" in [row.made for section in rule_sheet(ruleset).sections for row in section.bids]


def test_a_dealer_goes_set_for_what_the_score_takes() -> None:
    (ruleset,) = houses("partnership-pitch", count=0, min_bid="none", all_pass="may_take_set")

    assert f"or goes set for {ruleset.forced_bid} without playing" in text(ruleset, "bid.all_pass")


@each("variant", BIDDING)
def test_a_dealer_outbids_a_led_card_with_what_the_sheet_says(variant: str) -> None:
    for ruleset in (*houses(variant, pitching=True), *houses(variant, pitching=True, five=5)):
        led = Auction("D", bidder="A", bid=PITCHED_BID, is_pitched=True, waiting_players=("D",))
        over = [
            bid
            for bid in ruleset.bids
            if bid not in ("moon", "double_moon") and not call_objection(ruleset, led, "D", bid)
        ]
        higher = [bid for bid in ruleset.bids if bid_rank(ruleset, bid) > PITCHED_BID]

        assert over == [bid for bid in higher if bid not in ("moon", "double_moon")]
        assert ("leading a card or bidding higher" in text(ruleset, "bid.pitching")) == bool(higher)


# ---------- the end ----------


@each("variant", VARIANTS)
def test_beside_a_lead_a_tie_rule_is_said_only_where_it_holds_somebody_back(variant: str) -> None:
    for ruleset in houses(variant, count=8, win_by=2):
        sentence, winning = text(ruleset, "win.tie_rule"), ruleset.winning
        if winning.length == "hands" or winning.pegged or not has_end(ruleset):
            continue
        if winning.tie_rule != "bidder_or_play_on":
            assert sentence == "" or "whoever leads by 2 wins; until then, keep playing" in sentence
        elif winning.win_rule == "first_to_target" and ruleset.has_bidding:
            assert "wins with a lead of 2" in sentence
            assert "and leads by 2" in sentence


def test_of_a_lead_and_of_counting_down_the_last_bid_is_said_whole() -> None:
    down_to = {"win_rule": "first_to_target", "tie_rule": "bidder_or_play_on"}
    down, _ = with_house(LIBRARY["partnership-pitch-six"], {"count_down_from": 21, **down_to})

    assert "is at 0 or less" in text(down, "win.tie_rule")


@each("variant", BIDDING)
def test_where_only_a_made_bid_wins_nobody_wins_by_score_alone(variant: str) -> None:
    for ruleset in houses(variant, count=8, win_rule="made_bid", length="target"):
        sentences = text(ruleset, "win.tie_rule") + text(ruleset, "win.before")

        assert not any(words in sentences for words in ("everal reach", "both reach", "highest score"))


# ---------- notes ----------


@each("variant", [ruleset.id for ruleset in LIBRARY if not ruleset.has_bidding])
def test_no_note_speaks_of_bids_where_nobody_bids(variant: str) -> None:
    rules = citations(LIBRARY[variant]).by_id.values()

    assert [rule.id for rule in rules if "bid" in rule.basis(LIBRARY.interpretations).lower()] == []


@each("variant", VARIANTS)
def test_what_the_table_agreed_has_no_note_on_what_holds_until_it_does(variant: str) -> None:
    base = LIBRARY[variant]
    for name in base.open_options:
        for answer in ("dealer_forced", "redeal", "bidder_first", "higher_score", "made_bid", 21, 5):
            ruleset, faults = with_house(base, {name: answer})
            rule = None if faults else citations(ruleset, base).by_id.get(f"bid.{name}")
            if rule and rule.id == f"bid.{name}":
                assert rule.basis(LIBRARY.interpretations) == ""


SILENT = ["nine-card-pitch", "five-point-set-back", "arizona-29", "catch-five", "stauffer-ten-point"]


@each("variant", SILENT)
def test_what_a_game_does_not_take_from_the_basic_one_is_said_until_it_is_agreed(variant: str) -> None:
    ruleset, basic = LIBRARY[variant], "In Partnership Pitch, the basic game, the dealer"

    for name, answer in (("dealer_steal", "yes"), ("all_pass", "redeal")):
        assert basic in text(ruleset, f"bid.{name}")
        assert basic not in text(with_house(ruleset, {name: answer})[0], f"bid.{name}")
    assert 80 in citations(ruleset).by_id["bid.dealer_steal"].interpretations
