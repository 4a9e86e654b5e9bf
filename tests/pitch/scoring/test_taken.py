"""Who took what, and what cannot have been."""

from typing import Any

import pytest

from tests.pitch.scoring.tables import faults, four, scored

MADE = {"bidder": "Us", "bid": 2}


def refusals(variant: str, hand: dict[str, Any], **record: Any) -> list[str]:
    """Give "field code" of every fault."""
    return [f"{field} {code}" for _, field, code in faults(variant, {**MADE, **hand}, **record)]


def _three(**hand: Any) -> dict[str, Any]:
    return {"bidder": "A", "bid": 2, **hand}


@pytest.mark.parametrize(
    ("hand", "refused"),
    [
        ({"taken": four("Us", "Them", None, None)}, []),
        ({"taken": {**four("Us", "Them", None, None), "high": None}}, ["taken.high must_be_somebodys"]),
        ({"taken": {**four("Us", "Them", None, None), "trey": "Us"}}, ["taken.trey not_in_play"]),
        ({"taken": {**four("Us", "Them", None, None), "queen": "Us"}}, ["taken.queen not_in_play"]),
        ({"taken": {"high": "Us", "low": "Us", "game": None}}, ["taken.jack not_named"]),
        ({"taken": {"high": "Us", "low": "Us", "jack": None}}, ["taken.game not_named"]),
        ({"taken": four("Zed", "Us", None, "Zed")}, ["taken.high unknown_side", "taken.game unknown_side"]),
        ({"taken": four("Us", "bidders", "defenders", "Them")}, []),
        ({"taken": four("Us", "Us", None, None), "points": {}}, ["taken both_ways", "points both_ways"]),
        ({"card_points": {"Us": 3}}, ["card_points not_played"]),
    ],
)
def test_every_point_in_play_goes_to_somebody_who_can_have_it(hand: dict[str, Any], refused: list[str]) -> None:
    assert refusals("partnership-pitch", hand) == refused


@pytest.mark.parametrize(
    ("points", "refused"),
    [
        ({"Us": 3, "Them": 1}, []),
        ({"bidders": 2, "defenders": 2}, []),
        ({"Us": 5, "Them": 0}, ["points too_many_points"]),
        ({"Us": 3, "Them": 2}, ["points too_many_points"]),
        ({"Us": 1, "Them": 0}, ["points impossible_counts"]),
        ({"Us": 3}, ["points side_missing"]),
        ({"Us": 3, "Them": -1}, ["points.Them below_zero", "points side_missing"]),
        ({"Us": 3, "Zed": 1}, ["points.Zed unknown_side", "points side_missing"]),
    ],
)
def test_bare_counts_can_have_been(points: dict[str, int], refused: list[str]) -> None:
    assert refusals("partnership-pitch", {"points": points}) == refused


@pytest.mark.parametrize(
    ("counts", "can_be"),
    [((2, 2, 2), True), ((3, 2, 0), True), ((3, 1, 1), True), ((4, 2, 0), False), ((3, 2, 1), True)],
)
def test_a_shared_game_lifts_the_counts(counts: tuple[int, ...], can_be: bool) -> None:
    points = dict(zip("ABC", counts, strict=True))

    found = faults("cutthroat-pitch", _three(points=points), players="ABC", house={"game_tie": "all_tied_score"})

    assert (found == []) == can_be


@pytest.mark.parametrize(
    ("told", "card_points", "refused"),
    [
        ({}, {"Us": 30, "Them": 20}, []),
        ({}, {"Us": 20, "Them": 20}, []),
        ({"game": "Us"}, {"Us": 30, "Them": 20}, []),
        ({"game": None}, {"Us": 20, "Them": 20}, []),
        ({"game": None}, {"Us": 30, "Them": 20}, ["not_level"]),
        ({"game": "Them"}, {"Us": 30, "Them": 20}, ["lower_count"]),
        ({"game": "Us"}, {"Us": 20, "Them": 20}, ["level"]),
        ({"game": "Us"}, {"Us": 20}, []),
        ({"game": "Us"}, {"Us": 40}, []),
        ({"game": "Us"}, {"Them": 39}, []),
        ({"game": "Us"}, {"Them": 40}, ["lower_count"]),
        ({"game": "Us"}, {"Them": 50}, ["lower_count"]),
        ({"game": None}, {"Us": 41}, ["not_level"]),
        ({"game": None}, {"Us": 38}, []),
    ],
)
def test_the_count_decides_game(told: dict[str, Any], card_points: dict[str, int], refused: list[str]) -> None:
    taken = {"high": "Us", "low": "Us", "jack": None, **told}

    found = refusals("partnership-pitch", {"taken": taken, "card_points": card_points})

    assert found == [f"{field} {code}" for code in refused for field in ("taken.game", "card_points")]


@pytest.mark.parametrize(
    ("house", "points", "card_points", "refused"),
    [
        ({}, {"Us": 3, "Them": 1}, {"Us": 30, "Them": 40}, []),
        ({}, {"Us": 4, "Them": 0}, {"Us": 30, "Them": 40}, ["points against_the_count"]),
        ({}, {"Us": 3, "Them": 0}, {"Us": 35, "Them": 35}, []),
        ({}, {"Us": 3, "Them": 1}, {"Us": 35, "Them": 35}, ["points against_the_count"]),
        ({}, {"Us": 4, "Them": 0}, {"Us": 35, "Them": 35}, ["points against_the_count"]),
        ({"game_tie": "all_tied_score"}, {"Us": 4, "Them": 1}, {"Us": 35, "Them": 35}, []),
        ({"game_tie": "all_tied_score"}, {"Us": 4, "Them": 0}, {"Us": 35, "Them": 35}, ["points against_the_count"]),
        ({"game_tie": "joker_breaks", "jokers": 1}, {"Us": 4, "Them": 0}, {"Us": 35, "Them": 35}, []),
    ],
)
def test_bare_counts_leave_room_for_the_game_that_was_counted(
    house: dict[str, Any], points: dict[str, int], card_points: dict[str, int], refused: list[str]
) -> None:
    assert refusals("partnership-pitch", {"points": points, "card_points": card_points}, house=house) == refused


@pytest.mark.parametrize(
    ("told", "card_points", "refused"),
    [
        ({}, {"Us": 60, "Them": 21}, ["card_points too_many_card_points"]),
        ({}, {"Us": 60}, []),
        ({}, {"Us": 41}, []),
        ({}, {"Us": 40}, ["card_points not_named"]),
        ({}, {"Us": 60, "Zed": 1}, ["card_points.Zed unknown_side"]),
        ({}, {"Us": -1, "Them": 1}, ["card_points.Us below_zero", "card_points not_named"]),
    ],
)
def test_a_count_can_have_been(told: dict[str, Any], card_points: dict[str, int], refused: list[str]) -> None:
    taken = {"high": "Us", "low": "Us", "jack": None, **told}

    assert refusals("partnership-pitch", {"taken": taken, "card_points": card_points}) == refused


def test_nothing_is_counted_where_the_ten_wins_game() -> None:
    hand = {"bidder": "Us", "bid": 4, "points": {"Us": 5, "Them": 5}, "card_points": {"Us": 1}}

    assert faults("charbonneau-ten-point", hand) == [(1, "card_points", "not_counted")]


def test_a_lower_pile_is_not_game_even_where_a_pile_is_missing() -> None:
    taken = four("A", "A", None, "A")

    found = faults("cutthroat-pitch", _three(taken=taken, card_points={"A": 10, "B": 30}), players="ABC")

    assert (1, "taken.game", "lower_count") in found


@pytest.mark.parametrize(
    ("house", "told", "refused"),
    [
        ({"jokers": 1, "joker": False}, {}, "not_named"),
        ({"jokers": 1}, {"joker": "A", "game": "B"}, "level"),
        ({"jokers": 1}, {"joker": "A", "game": None}, "level"),
        ({"jokers": 2}, {"high_joker": "A", "low_joker": "B", "game": "A"}, "level"),
        ({"jokers": 2}, {"high_joker": "A", "low_joker": None, "game": "B"}, "level"),
        ({"jokers": 1}, {"joker": "A", "game": "C"}, "lower_count"),
    ],
)
def test_a_joker_that_breaks_a_tie_is_somebodys(house: dict[str, Any], told: dict[str, Any], refused: str) -> None:
    taken = {"high": "A", "low": "A", "jack": None, **told}
    hand = _three(taken=taken, card_points={"A": 9, "B": 9, "C": 2})

    found = faults("cutthroat-pitch", hand, players="ABC", house={"game_tie": "joker_breaks", **house})

    assert (1, "taken.game", refused) in found


def test_a_shared_game_among_three_needs_the_count() -> None:
    hand = _three(taken=four("A", "A", None, None))

    found = faults("cutthroat-pitch", hand, players="ABC", house={"game_tie": "all_tied_score"})

    assert found == [(1, "card_points", "who_tied")]


@pytest.mark.parametrize(
    ("variant", "players", "who"), [("cutthroat-pitch", "ABC", "defenders"), ("solo-without-bidding", "ABC", "bidders")]
)
def test_nobody_is_counted_together_where_nobody_plays_together(variant: str, players: str, who: str) -> None:
    hand = {"taken": four("A", who, None, None)}
    bid = {} if "without" in variant else {"bidder": "A", "bid": 2}

    assert faults(variant, {**hand, **bid}, players=players) == [(1, "taken.low", "unknown_side")]


def test_defenders_whose_points_decide_nothing_may_be_counted_together() -> None:
    hand = {"bidder": "A", "bid": 2, "points": {"bidders": 2, "defenders": 2}}

    assert scored("racehorse", hand, players="ABCDE")["hands"][0]["made"] is True


@pytest.mark.parametrize(
    ("variant", "bid", "refused"),
    [("partnership-pitch", "smudge", True), ("partnership-pitch", 4, False), ("money-pitch", "moon", True)],
)
def test_a_bid_for_every_trick_says_whether_they_were_taken(variant: str, bid: int | str, refused: bool) -> None:
    sides = {"players": "AB"} if variant == "money-pitch" else {"players": "ABCD"}
    hand = {"bidder": "A", "bid": bid, "taken": four("A", "A", "A", "A")}

    assert faults(variant, hand, **sides) == ([(1, "all_tricks", "tricks_not_said")] if refused else [])


@pytest.mark.parametrize("bid", [3, "smudge"])
@pytest.mark.parametrize(
    "taken", [four("Us", "Us", "Us", "Them"), four("Us", "Them", "Us", "Us"), four("Them", "Us", "Us", "Us")]
)
def test_a_side_with_every_trick_has_every_card_that_was_captured(bid: int | str, taken: dict[str, Any]) -> None:
    hand = {"bidder": "Us", "bid": bid, "taken": taken, "all_tricks": True}

    assert faults("partnership-pitch", hand) == [(1, "all_tricks", "not_every_trick")]


def test_who_holds_low_may_lose_it_to_a_side_with_every_trick() -> None:
    hand = {"bidder": "Us", "bid": "smudge", "taken": four("Us", "Them", "Us", "Us"), "all_tricks": True}

    assert faults("partnership-pitch", hand, house={"low": "held"}) == []


@pytest.mark.parametrize(("jack", "refused"), [("Us", ["taken.game not_every_trick"]), (None, [])])
def test_game_is_not_nobodys_where_one_side_has_every_trick_and_a_card_that_counts(
    jack: str | None, refused: list[str]
) -> None:
    hand = {"bidder": "Us", "bid": "smudge", "taken": four("Us", "Us", jack, None), "all_tricks": True}

    assert refusals("partnership-pitch", hand) == refused


def test_every_trick_leaves_nothing_won_in_one_to_points_of_others() -> None:
    hand = {"bidder": "Us", "bid": "smudge", "points": {"Us": 3, "Them": 1}, "all_tricks": True}

    assert faults("partnership-pitch", hand) == [(1, "points", "not_every_trick")]
    assert faults("partnership-pitch", hand, house={"low": "held"}) == []


@pytest.mark.parametrize(
    ("variant", "hand", "refused"),
    [
        ("partnership-pitch", {"partner": "A"}, ["partner nobody_called"]),
        ("partnership-pitch", {"partner": None}, ["partner nobody_called"]),
        ("partnership-pitch", {"called": "the ace of spades"}, ["called nobody_called"]),
        ("razzle-dazzle", {"bidder": "A", "bid": 5, "partner": "Zed"}, ["partner unknown_player"]),
        ("razzle-dazzle", {"bidder": "A", "bid": 5, "partner": "A"}, ["partner own_partner"]),
        ("razzle-dazzle", {"bidder": "A", "bid": 5, "points": {"A": 5}}, ["partner no_partner"]),
        ("razzle-dazzle", {"bidder": "A", "bid": 5, "called": "the ace of spades"}, []),
        ("partnership-pitch", {"points": {"A": 2, "B": 2}}, ["bidder no_bidder"]),
        ("partnership-pitch", {"thrown_in": "misdeal", "bidder": "A", "bid": 2}, ["bidder thrown_in", "bid thrown_in"]),
        ("partnership-pitch", {"thrown_in": "misdeal", "points": {}}, ["points not_played"]),
        ("razzle-dazzle", {"thrown_in": "misdeal", "partner": "B"}, ["partner thrown_in"]),
        ("partnership-pitch", {"thrown_in": "all_passed"}, ["thrown_in dealer_must_bid"]),
        ("partners-without-bidding", {"thrown_in": "all_passed"}, ["thrown_in no_bidding"]),
        ("solo-for-two-or-three", {"thrown_in": "all_passed"}, []),
    ],
)
def test_the_parts_of_a_hand_fit_together(variant: str, hand: dict[str, Any], refused: list[str]) -> None:
    players = {"razzle-dazzle": "ABCDE", "solo-for-two-or-three": "ABC"}.get(variant, "ABCD")

    assert [f"{field} {code}" for _, field, code in faults(variant, hand, players=players)] == refused


def test_a_dealer_who_may_take_a_set_cannot_just_pass() -> None:
    found = faults("partnership-pitch", {"thrown_in": "all_passed"}, house={"all_pass": "may_take_set"})

    assert found == [(1, "thrown_in", "dealer_must_choose")]


def test_a_hand_given_up_for_a_set_was_not_played() -> None:
    calls = [["A", "pass"], ["B", "pass"], ["C", "pass"], ["D", "take_set"]]
    hand = {"dealer": "D", "auction": calls, "points": {"A": 2, "B": 2}}

    assert faults("partnership-pitch", hand, players="ABCD", house={"all_pass": "may_take_set"}) == [
        (1, "points", "not_played")
    ]


def test_only_the_last_hand_may_be_unfinished() -> None:
    assert faults("partnership-pitch", MADE, {**MADE}) == [(1, "taken", "unfinished")]
