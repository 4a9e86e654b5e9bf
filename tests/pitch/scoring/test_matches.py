"""A match from hand to hand: the deal, changes of rules, ends, and what comes after them."""

from typing import Any

import pytest

from tests.pitch.scoring.tables import faults, four, scored

US_TWO = {"bidder": "Us", "bid": 2, "taken": four("Us", "Us", "Them", "Them")}


def _because(variant: str, *hands: dict[str, Any], **record: Any) -> str:
    return str(scored(variant, *hands, **record)["because"])


def test_the_deal_goes_round() -> None:
    hands: list[dict[str, Any]] = [{**US_TWO, "dealer": "C"}, US_TWO, {"thrown_in": "misdeal"}, US_TWO]

    result = scored("partnership-pitch", *[_with_players(hand) for hand in hands], players="ABCD")

    assert [hand["dealer"] for hand in result["hands"]] == ["C", "D", "A", "A"]
    assert result["hands"][-1]["next_dealer"] == "B"


def _with_players(hand: dict[str, Any]) -> dict[str, Any]:
    if "taken" not in hand:
        return hand
    return {**hand, "bidder": "A", "taken": four("A", "A", "B", "B")}


def test_racehorse_hands_the_deal_to_the_bidder_or_to_the_right() -> None:
    made = {"bidder": "C", "bid": 2, "points": {"C": 2}}
    missed = {"bidder": "C", "bid": 3, "points": {"C": 2}}

    result = scored("racehorse", {**made, "dealer": "A"}, missed, {"thrown_in": "misdeal"}, players="ABCDE")

    assert [hand["next_dealer"] for hand in result["hands"]] == ["C", "B", "B"]


def test_a_rule_changes_from_its_hand_on() -> None:
    changed = {**US_TWO, "house": {"target": 6}, "house_on": "2026-11-20"}

    result = scored("partnership-pitch", US_TWO, changed, US_TWO)

    assert [hand["status"] for hand in result["hands"]] == ["scored", "scored", "scored"]
    assert result["because"] == ("We bid 2, made it and have 6. They have 6 too, but did not bid this hand.")


def test_a_rule_that_cannot_be_changes_nothing() -> None:
    changed = {**US_TWO, "house": {"target": 6, "colour": "red"}}

    assert faults("partnership-pitch", US_TWO, changed) == [(2, "house.colour", "unknown_option")]


def test_which_way_a_match_counts_is_settled_before_it_begins() -> None:
    changed = {**US_TWO, "house": {"count_down_from": 21}}

    assert faults("partnership-pitch", US_TWO, changed) == [(2, "house.count_down_from", "too_late")]


def test_a_start_never_ends_a_match_by_its_score() -> None:
    assert scored("colorado-ten-point", start={"scores": {"Us": 50}})["status"] == "in_progress"


def test_a_target_without_a_win_rule_ends_nothing() -> None:
    result = scored("arizona-29", house={"target": 11}, start={"scores": {"Us": 20}})

    assert result["because"] == "Nobody picked a win rule, so no score ends the match."


def test_the_best_of_the_others_wins_by_a_third_set() -> None:
    hand = {"bidder": "A", "bid": 3, "points": {"A": 1, "B": 2, "C": 1}}
    start = {"scores": {"A": 20, "B": 3, "C": 9}, "sets": {"A": 1}}

    result = scored("cutthroat-pitch", hand, players="ABC", house={"set_limit": 2}, start=start)

    assert result["winners"] == ["C"]
    assert result["because"] == "A was set twice, 1 of them on paper: that loses the match."


def test_a_spared_partner_is_told_of() -> None:
    hand = {"bidder": "A", "bid": "moon", "partner": "B", "points": {"bidders": 1, "defenders": 9}}

    result = scored("razzle-dazzle", hand, players="ABCDE", house={"partner_set_too": False})

    assert result["hands"][0]["deltas"] == {"A": -26, "B": 0, "C": 9, "D": 9, "E": 9}
    assert {"side": "B", "points": 0, "reason": "partner_spared"} in result["hands"][0]["lines"]


def test_a_bid_that_ends_the_match_has_one_line_that_says_why() -> None:
    hand = {"bidder": "A", "bid": "moon", "partner": "B", "points": {"bidders": 10, "defenders": 0}}

    result = scored("razzle-dazzle", hand, players="ABCDE", house={"moon": "win_or_lose"})

    assert result["winners"] == ["A", "B"]
    assert result["hands"][0]["lines"] == [{"side": "A", "points": 0, "reason": "moon_wins"}]


@pytest.mark.parametrize(
    ("variant", "record", "said"),
    [
        ("partnership-pitch", {}, "Nobody has reached 21 yet."),
        ("nine-card-pitch", {}, "Nobody has reached 0 yet."),
        ("auction-pitch", {}, "Nobody picked a target, so no score ends the match."),
        ("arizona-29", {}, "Nobody picked a target or a win rule, so no score ends the match."),
        (
            "partnership-pitch",
            {"house": {"hands": 3}},
            "The match goes on: 0 of 3 hands are played.",
        ),
        (
            "partnership-pitch",
            {"house": {"hands": 3}, "start": {"scores": {"Us": 2, "Them": -1}}},
            "The match goes on: 0 of 3 hands are played.",
        ),
        (
            "partnership-pitch",
            {"house": {"hands": 1}, "start": {"hands": 1, "scores": {"Us": 3}}},
            "We have the best score after 1 hand: 3.",
        ),
        (
            "partnership-pitch",
            {"house": {"hands": 3, "tie_rule": "another_hand"}, "start": {"hands": 3}},
            "3 hands are played, and the best scores are tied: play another hand.",
        ),
        (
            "colorado-ten-point",
            {"house": {"win_by": 3}, "start": {"scores": {"Us": 42, "Them": 40}}},
            "We have 42. A winner needs a lead of 3.",
        ),
        (
            "colorado-ten-point",
            {"start": {"scores": {"Us": 42, "Them": 43}}, "house": {"tie_rule": "another_hand"}},
            "We have 42 and they have 43. Play another hand to decide.",
        ),
        (
            "partnership-pitch",
            {"stopped": True, "start": {"scores": {"Us": 5}}},
            "The match stopped before anyone won. Nobody has reached 21, and leading does not win.",
        ),
    ],
)
def test_why_somebody_or_nobody_has_won(variant: str, record: dict[str, Any], said: str) -> None:
    assert _because(variant, **record) == said


def test_a_lead_that_was_needed_is_told() -> None:
    hand = {"bidder": "Us", "bid": 5, "points": {"Us": 9, "Them": 1}}

    said = _because("colorado-ten-point", hand, house={"win_by": 3}, start={"scores": {"Us": 43, "Them": 42}})

    assert said == "We have 52 to Them 43: a lead of 3 wins."


def test_a_partner_who_goes_out_alone_on_a_made_bid_is_told() -> None:
    hand = {"bidder": "A", "bid": 5, "partner": "C", "points": {"bidders": 6, "defenders": 4}}

    said = _because(
        "razzle-dazzle", hand, players="ABCDE", house={"win_rule": "made_bid"}, start={"scores": {"C": 50, "B": 60}}
    )

    assert said == "C was on the side that bid 5 and made it, and has 56. B has 64, but did not bid this hand."


def test_money_is_absent_where_nobody_pays() -> None:
    result = scored("partnership-pitch", US_TWO)

    assert "money" not in result
    assert "money" not in result["hands"][0]


def test_any_table_may_play_for_the_average() -> None:
    result = scored(
        "partnership-pitch", {**US_TWO, "taken": four("Us", "Us", "Us", "Us")}, house={"cents_per_point": 25}
    )

    assert result["money"] == {"Us": 50, "Them": -50}


def test_counting_down_the_lower_score_is_paid() -> None:
    hand = {"bidder": "Us", "bid": 3, "points": {"Us": 5, "Them": 1}}

    assert scored("nine-card-pitch", hand, house={"cents_per_point": 10})["money"] == {"Us": 20, "Them": -20}


def test_shared_winners_share_the_stakes() -> None:
    hand = {"bidder": "A", "bid": 2, "points": {"A": 2, "B": 2, "C": 0}}

    result = scored("moon-over-four", hand, players="ABC", house={"hands": 1, "game_stake_cents": 25})

    assert result["money"] == {"A": 13, "B": 12, "C": -25}


def test_a_game_without_bids_may_be_played_for_money() -> None:
    hand = {"taken": four("A", "A", "B", "A")}

    result = scored("solo-without-bidding", hand, players="AB", house={"cents_per_point": 10})

    assert result["money"] == {"A": 10, "B": -10}
    assert result["hands"][0]["money"] == {"A": 0, "B": 0}
