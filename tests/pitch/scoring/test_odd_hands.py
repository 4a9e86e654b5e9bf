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


def test_a_hand_that_was_played_on_decides_by_the_better_score() -> None:
    house = {"win_rule": "first_to_target", "tie_rule": "another_hand"}
    paper = {"scores": {"Us": 19, "Them": 19}}

    played_on = result_of("partnership-pitch", counted(2, 2), house=house, start=paper)
    level_again = result_of("partnership-pitch", counted(2, 2), counted(2, 2), house=house, start=paper)
    decided = result_of("partnership-pitch", counted(2, 2), counted(3, 1), house=house, start=paper)

    assert (played_on["status"], level_again["status"]) == ("in_progress", "in_progress")
    assert decided["winners"] == ["Us"]
    assert decided["because"] == "We and they had 21 or more before this hand; we have the better score."


def test_points_alone_ask_where_the_order_decides_and_nothing_counts_until_they_are_told() -> None:
    paper = {"scores": {"Us": 6, "Them": 6}}
    told = {"taken": {"high": "Us", "low": "Them", "jack": "Them", "game": "Us"}}

    asks = result_of("blind-all-fours", {"points": {"Us": 2, "Them": 2}}, told, start=paper)

    assert (asks["status"], asks["winners"], asks["asks"]) == ("in_progress", [], [{"hand": 1, "awards": ["high"]}])
    assert asks["because"] == "It depends: who took High? Points alone do not say who won."
    assert asks["hands"][1]["status"] == "after_end"
    assert result_of("blind-all-fours", told, told, start=paper)["winners"] == ["Us"]


def test_a_turned_card_that_does_not_lead_enough_leaves_a_hand_to_play() -> None:
    unplayed = {"dealer": "Us", "taken": {"turned_jack": "Us"}}

    result = result_of("seven-up", unplayed, start={"scores": {"Us": 6, "Them": 6}}, house={"win_by": 2})

    assert result["status"] == "refused"


@pytest.mark.parametrize(
    ("variant", "house", "paper", "hand", "because"),
    [
        pytest.param(
            "partnership-pitch",
            {"win_by": 2},
            {"scores": {"Us": 20, "Them": 25}},
            counted(3, 1),
            "We have 23, but do not lead by 2; they have 26, but did not bid this hand. A winner needs a lead of 2.",
            id="the lead is missing, and not the bid",
        ),
        pytest.param(
            "partnership-pitch",
            {"set_limit": 3},
            {"sets": {"Us": 3}},
            counted(1, 3, 3),
            "We were set 4 times, 3 of them on paper: that loses the match.",
            id="the number of sets, and not the limit",
        ),
        pytest.param(
            "colorado-ten-point",
            {"length": "hands", "hands": 10, "tie_rule": "another_hand"},
            {"hands": 11},
            counted(7, 3, 5),
            "We have the best score after 12 hands: 7.",
            id="the hands that were played",
        ),
        pytest.param(
            "nine-card-pitch",
            {},
            {"scores": {"Us": -6, "Them": 10}},
            {"thrown_in": "misdeal"},
            "We have −6. A win takes a made bid, or a bid of the others that is set.",
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

    assert result["because"] == "We have 22 and they have 23. A winner needs a lead of 2."


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
