"""The bidding, call by call."""

from typing import Any

import pytest

from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.scoring.auction import open_auction
from scorekeeper.pitch.scoring.seats import seat
from tests.common.library import LIBRARY
from tests.pitch.scoring.strategies import legal_calls
from tests.pitch.scoring.tables import faults, four, scored

PITCH_ON = {"pitching": True}
TAKES_SET = {"all_pass": "may_take_set"}


def bid(variant: str, calls: str, house: dict[str, Any] | None = None, **hand: Any) -> Any:
    """Give the bidder and bid of calls like "A 3, B pass", or where and why they are refused."""
    told, players = _hand(variant, calls, **hand)
    result = scored(variant, told, players=players, house=house or {})
    if result["status"] == "refused":
        return [(fault["field"], fault["code"]) for fault in result["faults"]]
    last = result["hands"][-1]
    return last["status"] if "bid" not in last else (last["bidder"], last["bid"])


def _hand(variant: str, calls: str, **hand: Any) -> tuple[dict[str, Any], str]:
    players = "ABCDE" if LIBRARY[variant].table.called else "ABCD"
    words = [call.split() for call in calls.split(", ")] if calls else []
    auction = [[who, int(said) if said.lstrip("-").isdigit() else said] for who, said in words]
    return {"dealer": players[-1], "auction": auction, **hand}, players


@pytest.mark.parametrize(
    ("variant", "calls", "house", "comes_to"),
    [
        ("partnership-pitch", "A 2, B 3, C 4, D pass", {}, ("C", 4)),
        ("partnership-pitch", "A smudge, B pass, C pass, D smudge", {}, ("D", "smudge")),
        ("partnership-pitch", "A smudge, B pass, C pass", {"dealer_steal": "not_smudge"}, ("A", "smudge")),
        ("partnership-pitch", "A 4, B pass, C pass, D 4", {"dealer_steal": "not_smudge"}, ("D", 4)),
        ("partnership-pitch", "A pass, B pass, C pass, D pass", {"all_pass": "redeal"}, "thrown_in"),
        ("partnership-pitch", "A pass, B pass, C pass, D take_set", TAKES_SET, "scored"),
        ("partnership-pitch", "A pass, B pass, C pass, D 2", TAKES_SET, ("D", 2)),
        ("partnership-pitch", "A pass, B pass, C pass, D 3", {"forced_bid": 3}, ("D", 3)),
        ("partnership-pitch", "A 3, B pitch, D pass", PITCH_ON, ("B", 4)),
        ("partnership-pitch", "A 3, B pitch, C pass, D pitch", PITCH_ON, ("D", 4)),
        ("partnership-pitch", "A pitch, D pitch", {**PITCH_ON, "dealer_steal": "no"}, ("D", 4)),
        ("partnership-pitch", "A pitch, D smudge", PITCH_ON, ("D", "smudge")),
        ("partnership-pitch", "A 4, B pass, C pass, D pitch", PITCH_ON, ("D", 4)),
        ("partnership-pitch", "A pitch, D 5", {**PITCH_ON, "five": 5}, ("D", 5)),
        ("partnership-pitch", "A pitch, D 9", {**PITCH_ON, "five": 5, "dealer_steal": "no"}, ("D", 9)),
        ("partnership-pitch", "A 3, B pass, C pass, D 3", {"dealer_steal": "below_top"}, ("D", 3)),
        ("partnership-pitch", "A 4, B pass, C pass, D 4", {"dealer_steal": "top_only"}, ("D", 4)),
        ("partnership-pitch", "A pass, B pass, C pass, D pass", {"all_pass": "pass_deal"}, "thrown_in"),
        ("partnership-pitch", "A pass, B pass, C pass, D 2", {"min_bid": 3, "forced_bid": 2}, ("D", 2)),
        ("pidro", "A 14, B 14, C pass, D 14", {}, ("D", 14)),
        ("pidro", "A 14, B pass, C 14, D pass", {"rounds": "until_passed"}, "bidding"),
        ("partnership-pitch", "A 3", {}, "bidding"),
        ("partnership-pitch", "", {}, "bidding"),
        ("five-point-set-back", "A 1, B pass, C pass, D pass", {}, ("A", 1)),
        ("five-point-set-back", "A 1, B 2, C pass, D 3, A 4, B pass, D 5", {}, ("D", 5)),
        ("five-point-set-back", "A pitch, D pass", PITCH_ON, ("A", 4)),
        ("five-point-set-back", "A 5, B pass, C pass, D pass", {}, ("A", 5)),
        ("colorado-ten-point", "A 10, B moon, C double_moon", {}, ("C", "double_moon")),
        ("colorado-ten-point", "A 10, B moon, C pass, D moon", {"dealer_steal": "yes"}, ("D", "moon")),
        ("colorado-thirteen-point", "A 13, B moon, C pass, D pass", {}, ("B", "moon")),
        ("moon-over-four", "A pass, B pass, C 4, D moon", {}, ("D", "moon")),
        ("moon-over-four", "A pass, B pass, C pass, D pass", {}, "thrown_in"),
        ("pawnee-call-your-partner", "A 10", {}, ("A", "moon")),
        ("pawnee-call-your-partner", "A 9, B 10", {}, ("B", "moon")),
        ("pawnee-call-your-partner", "A 9, B 10", {"moon": "off"}, ("B", 10)),
        ("charbonneau-ten-point", "A moon", {}, ("A", "moon")),
        ("oklahoma-ten-point", "A 7", {"trey": False}, ("A", 7)),
    ],
)
def test_calls_come_to_a_bid(variant: str, calls: str, house: dict[str, Any], comes_to: Any) -> None:
    assert bid(variant, calls, house) == comes_to


@pytest.mark.parametrize(
    ("variant", "calls", "house", "place", "code"),
    [
        ("partnership-pitch", "A 1", {}, 0, "too_low"),
        ("partnership-pitch", "A -3", {}, 0, "too_low"),
        ("partnership-pitch", "A 5", {}, 0, "too_high"),
        ("partnership-pitch", "A moon", {}, 0, "no_such_bid"),
        ("partnership-pitch", "A 3, B 3", {}, 1, "not_higher"),
        ("partnership-pitch", "A 3, B 2", {}, 1, "not_higher"),
        ("partnership-pitch", "A 2, C 3", {}, 1, "out_of_turn"),
        ("partnership-pitch", "A 2, Z 3", {}, 1, "unknown_player"),
        ("partnership-pitch", "A 2, B pass, C pass, D pass, A 3", {}, 4, "bidding_over"),
        ("partnership-pitch", "A pass, B pass, C pass, D pass", {}, 3, "dealer_must_bid"),
        ("partnership-pitch", "A pass, B pass, C pass, D 2", {"forced_bid": 3}, 3, "below_forced"),
        ("partnership-pitch", "A pass, B pass, C pass, D pass", TAKES_SET, 3, "dealer_must_choose"),
        ("partnership-pitch", "A take_set", {}, 0, "no_take_set"),
        ("partnership-pitch", "A take_set", TAKES_SET, 0, "not_for_you"),
        ("partnership-pitch", "A 2, B pass, C pass, D take_set", TAKES_SET, 3, "not_for_you"),
        ("partnership-pitch", "A pitch", {}, 0, "no_pitching"),
        ("partnership-pitch", "A 4, B pitch", PITCH_ON, 1, "not_higher"),
        ("partnership-pitch", "A pitch, B smudge", PITCH_ON, 1, "after_pitch"),
        ("partnership-pitch", "A pitch, D 4", PITCH_ON, 1, "after_pitch"),
        ("partnership-pitch", "A pitch, D 3", PITCH_ON, 1, "after_pitch"),
        ("partnership-pitch", "A pitch, B 5", {**PITCH_ON, "five": 5}, 1, "after_pitch"),
        ("auction-pitch", "A 2, B pass, C pass, D 2", {}, 3, "no_steal"),
        ("five-point-set-back", "A pass, B 2, C 3, D pass, A 4", {}, 4, "out_of_turn"),
        ("colorado-ten-point", "A 9, B moon", {}, 1, "moon_too_soon"),
        ("colorado-ten-point", "A 10, B double_moon", {}, 1, "no_moon_yet"),
        ("colorado-thirteen-point", "A 10, B moon", {}, 1, "moon_too_soon"),
        ("oklahoma-ten-point", "A 8", {"trey": False}, 0, "too_high"),
    ],
)
def test_a_call_is_refused_where_it_was_made(
    variant: str, calls: str, house: dict[str, Any], place: int, code: str
) -> None:
    assert bid(variant, calls, house) == [(f"auction.{place}", code)]


def test_the_first_to_speak_sits_on_the_dealers_left() -> None:
    ruleset, _ = with_house(LIBRARY["partnership-pitch"], PITCH_ON)
    seats, _ = seat(ruleset, "ABCD", None)
    assert seats

    auction = open_auction(seats, "B")

    assert auction.waiting == ("C", "D", "A", "B")
    assert legal_calls(ruleset, auction) == ("pass", 2, 3, 4, "smudge", "pitch")


@pytest.mark.parametrize(
    ("told", "refused"),
    [
        ({"bidder": "A", "bid": 3}, []),
        ({"bidder": "A & C", "bid": 3}, []),
        ({"bidder": "C", "bid": 3}, [("bidder", "disagrees")]),
        ({"bidder": "B & D"}, [("bidder", "disagrees")]),
        ({"bid": 4}, [("bid", "disagrees")]),
        ({"overtook_pitch": True}, [("overtook_pitch", "disagrees")]),
        ({"thrown_in": "all_passed"}, [("thrown_in", "disagrees")]),
        ({"bidder": "Z"}, [("bidder", "unknown_player")]),
    ],
)
def test_calls_and_what_is_told_beside_them_agree(told: dict[str, Any], refused: list[tuple[str, str]]) -> None:
    hand, players = _hand("partnership-pitch", "A 3, B pass, C pass, D pass", **told)

    assert faults("partnership-pitch", hand, players=players) == [(1, *fault) for fault in refused]


def test_a_bidder_is_called_as_the_record_does() -> None:
    hand, players = _hand("partnership-pitch", "A 3, B pass, C pass, D pass", bidder="A & C", bid=3)

    assert scored("partnership-pitch", hand, players=players)["hands"][0]["bidder"] == "A & C"


@pytest.mark.parametrize("more", [{"bidder": "A"}, {"bid": 3}, {"thrown_in": "all_passed"}, {"points": {"A": 1}}])
def test_unfinished_bidding_decides_nothing(more: dict[str, Any]) -> None:
    assert bid("partnership-pitch", "A 3", **more) == [("auction", "unfinished")]


def test_a_misdeal_ends_bidding_at_any_time() -> None:
    assert bid("partnership-pitch", "A 3", thrown_in="misdeal") == "thrown_in"


def test_a_dealer_who_takes_the_set_loses_the_forced_bid_and_is_set() -> None:
    house = {**TAKES_SET, "forced_bid": 3, "set_limit": 2}
    hand, players = _hand("partnership-pitch", "A pass, B pass, C pass, D take_set")

    first, second = scored(
        "partnership-pitch", hand, {**hand, "dealer": "B", "auction": _from("C")}, players=players, house=house
    )["hands"]

    assert first["deltas"] == {"A & C": 0, "B & D": -3}
    assert first["lines"] == [{"side": "B & D", "points": -3, "reason": "took_set"}]
    assert "made" not in first
    assert second["scores"] == {"A & C": 0, "B & D": -6}


def _from(first: str) -> list[list[str]]:
    order = "ABCD"["ABCD".index(first) :] + "ABCD"[: "ABCD".index(first)]
    return [[who, "pass"] for who in order[:3]] + [[order[3], "take_set"]]


def test_an_auction_needs_players() -> None:
    assert faults("partnership-pitch", {"auction": [["A", 3]]}) == [(1, "auction", "no_players")]


@pytest.mark.parametrize(
    ("calls", "found"),
    [
        ([["Them", "pass"], ["Us", "take_set"]], []),
        ([["Us", "pass"], ["Them", "take_set"]], [(1, "auction.0", "out_of_turn")]),
        ([["Them", "pass"], ["Us", "pass"]], [(1, "auction", "no_players")]),
        ([["Us", "take_set"]], [(1, "auction", "no_players")]),
    ],
)
def test_of_sides_without_players_only_the_one_that_dealt_goes_set(calls: list[Any], found: list[Any]) -> None:
    hand = {"dealer": "Us", "auction": calls}

    assert faults("partnership-pitch", hand, sides=[{"name": "Us"}, {"name": "Them"}], house=TAKES_SET) == found


def test_calls_tell_who_dealt() -> None:
    calls = [["B", 2], ["C", "pass"], ["D", "pass"], ["A", "pass"]]

    result = scored("partnership-pitch", {"auction": calls}, players="ABCD")

    assert result["hands"][0]["dealer"] == "A"


def test_calls_tell_which_player_of_a_side_dealt() -> None:
    calls = [["B", 2], ["C", "pass"], ["D", "pass"], ["A", "pass"]]

    assert faults("partnership-pitch", {"dealer": "A & C", "auction": calls}, players="ABCD") == []
    assert faults("partnership-pitch", {"dealer": "B & D", "auction": calls}, players="ABCD") == [
        (1, "dealer", "side_dealer")
    ]
    assert faults("partnership-pitch", {"dealer": "B & D", "auction": []}, players="ABCD") == []


@pytest.mark.parametrize("field", ["auction", "bidder", "bid", "overtook_pitch"])
def test_nothing_is_bid_where_nobody_bids(field: str) -> None:
    told = {"auction": [], "bidder": "Us", "bid": 2, "overtook_pitch": True}

    assert faults("partners-without-bidding", {field: told[field]}) == [(1, field, "no_bidding")]


@pytest.mark.parametrize(
    ("house", "hand", "refused"),
    [
        ({}, {"bid": 4}, [("overtook_pitch", "no_pitching")]),
        (PITCH_ON, {"bid": 3}, [("overtook_pitch", "not_overtaken")]),
        (PITCH_ON, {"bid": 4, "dealer": "Them"}, [("overtook_pitch", "not_dealer")]),
        (PITCH_ON, {"bid": 4, "dealer": "Us"}, []),
        ({**PITCH_ON, "five": 5}, {"bid": 5, "dealer": "Us"}, []),
    ],
)
def test_only_a_dealer_overtakes_a_led_card(
    house: dict[str, Any], hand: dict[str, Any], refused: list[tuple[str, str]]
) -> None:
    told = {"bidder": "Us", "overtook_pitch": True, **hand}

    assert faults("partnership-pitch", told, house=house) == [(1, *fault) for fault in refused]


@pytest.mark.parametrize(
    ("hand", "refused"),
    [
        ({"bidder": "Us"}, ("bid", "no_bid")),
        ({"bid": 2}, ("bidder", "no_bidder")),
        ({"bidder": "Zed", "bid": 2}, ("bidder", "unknown_player")),
        ({"bidder": "Us", "bid": 5}, ("bid", "too_high")),
        ({"bidder": "Us", "bid": "double_moon"}, ("bid", "no_such_bid")),
    ],
)
def test_a_bid_has_a_bidder_and_a_place_on_the_ladder(hand: dict[str, Any], refused: tuple[str, str]) -> None:
    assert faults("partnership-pitch", hand) == [(1, *refused)]


def test_a_hand_that_all_passed_is_played_where_nobody_is_bound() -> None:
    taken = four("A", "B", None, "A")
    calls = [["B", "pass"], ["A", "pass"]]
    unbound = {"players": "AB", "house": {"all_pass": "unobliged"}}

    for told in ({"taken": taken}, {"auction": calls, "dealer": "A", "taken": taken}):
        (hand,) = scored("hoyle-auction-pitch", told, **unbound)["hands"]
        assert (hand["deltas"], hand["status"]) == ({"A": 2, "B": 1}, "scored")
    assert faults("hoyle-auction-pitch", {"thrown_in": "all_passed"}, **unbound) == [(1, "thrown_in", "played_unbound")]


def test_the_deal_passes_when_all_pass_but_not_after_a_misdeal() -> None:
    for told, dealer in (({"thrown_in": "all_passed"}, "B"), ({"thrown_in": "misdeal"}, "A")):
        (hand,) = scored("setback-bernsrite", {"dealer": "A", **told}, players="ABCD")["hands"]
        assert hand["next_dealer"] == dealer
