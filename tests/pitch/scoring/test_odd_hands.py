"""Who wins where a table is odd: scores from paper, another target, a match that was played on, a shared Game."""

from typing import Any

import pytest

from scorekeeper.pitch.records.result import score_record
from tests.common.pace import counted_calls
from tests.pitch.scoring.tables import RULEBOOK

US_AND_THEM = [{"name": "Us"}, {"name": "Them"}]


def result_of(variant: str, *hands: dict[str, Any], **record: Any) -> dict[str, Any]:
    """Return what comes of a match of two sides, or of players by a letter each."""
    players = record.pop("players", "")
    who: dict[str, Any] = {"players": list(players)} if players else {"sides": US_AND_THEM}
    return score_record(
        {"format": "pitch-record/1", "variant": variant, **who, "hands": list(hands), **record}, RULEBOOK
    )


def counted(us: int, them: int, bid: int = 2, bidder: str = "Us", **more: Any) -> dict[str, Any]:
    """Return a hand of two sides of which only the points are known."""
    return {"bidder": bidder, "bid": bid, "points": {"Us": us, "Them": them}, **more}


@pytest.mark.parametrize("tie_rule", ["bidder_first", "bidder_then_point_order", "higher_score", "another_hand"])
def test_a_bidder_who_was_set_is_not_preferred(tie_rule: str) -> None:
    paper = {"scores": {"Us": 55, "Them": 51}}

    result = result_of("pedro", counted(4, 10, 6), start=paper, house={"target": 42, "tie_rule": tie_rule})

    assert result["winners"] == ["Them"], result["because"]
    assert "on the same hand" not in result["because"]


def test_a_hand_that_was_played_on_decides_by_the_better_score() -> None:
    house = {"win_rule": "first_to_target", "tie_rule": "another_hand"}
    paper = {"scores": {"Us": 19, "Them": 19}}

    played_on = result_of("partnership-pitch", counted(2, 2), house=house, start=paper)
    level_again = result_of("partnership-pitch", counted(2, 2), counted(2, 2), house=house, start=paper)
    decided = result_of("partnership-pitch", counted(2, 2), counted(3, 1), house=house, start=paper)

    assert (played_on["status"], level_again["status"]) == ("in_progress", "in_progress")
    assert decided["winners"] == ["Us"]
    assert (
        decided["because"] == "We and they had 21 or more before this hand. The better score wins, so we win with 24."
    )


def test_whoever_stood_past_the_target_did_not_get_there_first() -> None:
    took = {"high": "Them", "low": "Them", "jack": "Us", "game": "Them"}

    result = result_of("blind-all-fours", {"taken": took}, start={"scores": {"Us": 7, "Them": 6}})

    assert result["winners"] == ["Them"], result["because"]


def test_a_latecomer_in_order_does_not_beat_a_better_score_that_was_there_before() -> None:
    took = {"high": "A", "low": "B", "jack": "A", "game": "B"}
    house = {"target": 11, "win_rule": "first_to_target", "tie_rule": "point_order"}
    paper = {"scores": {"A": 10, "B": 10, "C": 15}}

    result = result_of(
        "cutthroat-pitch", {"bidder": "A", "bid": 2, "taken": took}, house=house, start=paper, players="ABC"
    )

    assert result["winners"] == ["C"], result["because"]


def test_points_alone_ask_where_the_order_decides_and_nothing_counts_until_they_are_told() -> None:
    paper = {"scores": {"Us": 6, "Them": 6}}
    told = {"taken": {"high": "Us", "low": "Them", "jack": "Them", "game": "Us"}}

    asks = result_of("blind-all-fours", {"points": {"Us": 2, "Them": 2}}, told, start=paper)

    assert (asks["status"], asks["winners"], asks["asks"]) == ("in_progress", [], [{"hand": 1, "awards": ["high"]}])
    assert asks["because"] == "It depends: who took High? Points alone do not say who won."
    assert asks["hands"][1]["status"] == "after_end"
    assert result_of("blind-all-fours", told, told, start=paper)["winners"] == ["Us"]


def test_points_alone_do_not_ask_by_how_many_hands_are_played() -> None:
    house = {"length": "hands", "hands": 1, "tie_rule": "point_order"}

    result = result_of("partnership-pitch", counted(3, 1), house=house, start={"scores": {"Us": 20, "Them": 20}})

    assert (result["winners"], "asks" in result) == (["Us"], False)


def test_a_shared_game_is_not_every_point_and_makes_no_moon() -> None:
    took = {"high": "Us", "low": "Us", "jack": "Us"}
    shared = {"bidder": "Us", "bid": 3, "taken": took, "card_points": {"Us": 20, "Them": 20}}
    house = {"game_tie": "all_tied_score", "four_points_win_game": True}

    every = result_of("partnership-pitch", shared, house=house)
    moon = {"game_tie": "all_tied_score", "moon": "win_or_lose", "double_moon": False}
    shot = result_of("partnership-pitch", {**shared, "bid": "moon", "all_tricks": False}, house=moon)

    assert every["winners"] == []
    assert shot["status"] != "refused", shot
    assert shot["hands"][0]["made"] is False


@pytest.mark.parametrize(("target", "winners"), [(42, []), (52, ["B"]), (51, ["B"]), (47, [])])
def test_whether_only_a_bidder_can_win_follows_from_the_target_that_holds(target: int, winners: list[str]) -> None:
    paper = {"scores": {"A": 46, "B": 48}}
    hand = {"house": {"target": target}, "bidder": "C", "partner": None, "bid": 5}
    hand["points"] = {"bidders": 6, "defenders": 4}

    result = result_of("pawnee-call-your-partner", hand, start=paper, players="ABCDE")
    assert result["winners"] == winners, result["because"]


def test_a_card_turned_up_wins_at_once_also_with_a_lead() -> None:
    took = {"turned_jack": "Us", "high": "Them", "low": "Them", "jack": None, "game": "Them"}
    hand = {"dealer": "Us", "taken": took}

    ahead = result_of("seven-up", hand, start={"scores": {"Us": 6, "Them": 5}}, house={"win_by": 2})
    level = result_of("seven-up", hand, start={"scores": {"Us": 6, "Them": 6}}, house={"win_by": 2})

    assert ahead["winners"] == ["Us"]
    assert "Turned Jack" in ahead["because"]
    assert level["winners"] == ["Them"], level["because"]


def test_a_turned_card_that_does_not_lead_enough_leaves_a_hand_to_play() -> None:
    unplayed = {"dealer": "Us", "taken": {"turned_jack": "Us"}}

    result = result_of("seven-up", unplayed, start={"scores": {"Us": 6, "Them": 6}}, house={"win_by": 2})

    assert result["status"] == "refused"


@pytest.mark.parametrize("variant", ["seven-up", "trinidad-all-fours"])
def test_points_alone_ask_whether_somebody_took_every_point(variant: str) -> None:
    house = {"four_points_win_game": True}

    result = result_of(variant, {"points": {"Us": 4, "Them": 1}}, house=house)

    assert (result["status"], len(result["asks"])) == ("in_progress", 1), result["because"]


def test_a_failed_moon_is_one_set_and_pays_as_two() -> None:
    house = {"set_limit": 3, "set_stake_cents": 25}
    moon = {"bidder": "A", "bid": "moon", "points": {"A": 3, "B": 1, "C": 0}, "all_tricks": False}

    result = result_of("moon-over-four", moon, moon, players="ABC", house=house)

    assert result["status"] == "in_progress", result["because"]


def test_a_side_that_nobody_bid_against_wins_nothing_at_nine_cards() -> None:
    ours = counted(1, 5, 3)

    lone = result_of("nine-card-pitch", ours, start={"scores": {"Us": -6, "Them": 10}})
    failed = result_of("nine-card-pitch", ours, start={"scores": {"Us": 5, "Them": 3}})

    assert (lone["status"], failed["winners"]) == ("in_progress", ["Them"]), (lone["because"], failed["because"])


def test_a_defender_who_was_out_before_stays_there() -> None:
    hand = counted(4, 2, 3)

    result = result_of("nine-card-pitch", hand, start={"scores": {"Us": 9, "Them": -2}}, house={"win_by": 3})

    assert result["hands"][0]["scores"] == {"Us": 5, "Them": -2}


def test_nobody_stops_short_where_hands_are_counted() -> None:
    house = {"length": "hands", "hands": 5}

    result = result_of("nine-card-pitch", counted(3, 3, 3), start={"scores": {"Us": 9, "Them": 2}}, house=house)

    assert result["hands"][0]["scores"] == {"Us": 6, "Them": -1}


def test_a_tie_after_the_last_hand_is_played_on_where_the_rule_says_so() -> None:
    house = {"length": "hands", "hands": 1, "tie_rule": "higher_score_or_play_on"}

    assert result_of("partnership-pitch", counted(2, 2), house=house)["status"] == "in_progress"
    assert result_of("partnership-pitch", counted(2, 2), counted(3, 1), house=house)["winners"] == ["Us"]


def test_whoever_sits_down_after_the_end_has_not_won() -> None:
    took = {"high": "Ann", "low": "Ann", "jack": None, "game": "Bea"}
    first = {"bidder": "Ann", "bid": 2, "taken": took}
    later = {"sits_in": {"Ann": "Eva"}, "bidder": "Eva", "bid": 2, "taken": {**took, "high": "Eva", "low": "Eva"}}
    record = {"format": "pitch-record/2", "variant": "cutthroat-pitch", "players": ["Ann", "Bea", "Cal"]}

    result = score_record({**record, "start": {"scores": {"Ann": 19}}, "hands": [first, later]}, RULEBOOK)

    assert (result["winners"], result["scores"]["Ann"]) == (["Ann"], 21)
    assert result["because"].startswith("Ann bid 2")


@pytest.mark.parametrize(
    ("variant", "house", "paper", "hand", "because"),
    [
        pytest.param(
            "partnership-pitch",
            {"win_by": 2},
            {"scores": {"Us": 20, "Them": 25}},
            counted(3, 1),
            "We have 23 but do not lead by 2, and they have 26 but did not bid this hand. Play on.",
            id="the lead is missing, and not the bid",
        ),
        pytest.param(
            "partnership-pitch",
            {"set_limit": 3},
            {"sets": {"Us": 3}},
            counted(1, 3, 3),
            "We were set 4 times, 3 of them on paper: that loses the match, so they win. We bid 3, took 1.",
            id="the number of sets, and not the limit",
        ),
        pytest.param(
            "colorado-ten-point",
            {"length": "hands", "hands": 10, "tie_rule": "another_hand"},
            {"hands": 11},
            counted(7, 3, 5),
            "12 hands are played. We have the best score, 7, and win.",
            id="the hands that were played",
        ),
        pytest.param(
            "nine-card-pitch",
            {},
            {"scores": {"Us": -6, "Them": 10}},
            {"thrown_in": "misdeal"},
            "We have −6, but a win takes a made bid, or a bid of the others that is set. Play on.",
            id="nobody bid",
        ),
    ],
)
def test_what_is_said_is_so(
    variant: str, house: dict[str, Any], paper: dict[str, Any], hand: dict[str, Any], because: str
) -> None:
    assert result_of(variant, hand, house=house, start=paper)["because"] == because


def test_a_redeal_does_not_take_a_made_bid_back() -> None:
    hands = (counted(2, 2), {"thrown_in": "misdeal"})

    result = result_of("partnership-pitch", *hands, start={"scores": {"Us": 20, "Them": 21}}, house={"win_by": 2})

    assert (
        result["because"]
        == "We have 22 and they have 23, but only a made bid wins, and a winner needs a lead of 2. Play on."
    )


def test_a_jack_that_may_hang_is_one_card_for_a_moon() -> None:
    cards = ("high", "low", "jack", "high_joker", "low_joker", "game")
    moon = {"bidder": "Us", "bid": "moon", "taken": {**dict.fromkeys(cards, "Us"), "hang_jack": None}}

    result = result_of("oklahoma-six-point", moon, house={"moon": "win_or_minus_target", "hang_jack": 2})

    assert result["winners"] == ["Us"], result["because"]


def test_where_too_many_ways_fit_the_points_the_hand_is_asked_at_once() -> None:
    """Eight are a point short, and 23 awards of different worth can have gone to anybody."""
    worths = {"low": 2, "ace": 3, "king": 4, "off_king": 5, "jack": 6, "hang_jack": 7, "off_jack": 1, "high_joker": 2}
    worths |= {"low_joker": 3, "off_ace": 4, "ten": 5, "off_ten": 6, "nine": 7, "off_nine": 1, "five": 2, "off_five": 3}
    worths |= {"trey": 4, "off_trey": 5, "deuce": 6, "off_deuce": 7, "last_trick": 1}
    house = {"target": 300, "win_rule": "first_to_target", "tie_rule": "point_order", **worths}
    players = "ABCDEFGH"
    paper = {"scores": dict.fromkeys(players, 299)}
    points = dict.fromkeys(players, 10)
    hand = {"bidder": "A", "bid": 2, "points": points}

    with counted_calls() as count:
        result = result_of("cutthroat-pitch", hand, players=players, house=house, start=paper)

    assert result.get("because") == "It depends: who took what? Points alone do not say who won.", result.get("faults")
    assert count.calls < 1_200_000
