"""The card turned up, the gift, one card that scores as one of two, and the order in which points are counted."""

from typing import Any

import pytest

from scorekeeper.pitch.scoring.order import counts_in_order
from scorekeeper.pitch.scoring.score import Reason, ScoreLine
from tests.common.library import LIBRARY
from tests.pitch.scoring.tables import faults, four, scored

NOTHING_GIVEN = {"turned_jack": None, "gift": None}
NOTHING_KICKED = {"turned_ace": None, "turned_six": None, "turned_jack": None, "gift": None, "hang_jack": None}


def refusals(hand: dict[str, Any], scores: dict[str, int] | None = None, players: str = "AB") -> list[str]:
    """Give "field code" of every fault of a hand of Seven-Up that A dealt."""
    given = {**NOTHING_GIVEN, **four("A", "B", None, "A"), **hand}
    start = {"scores": scores} if scores else None
    record = {"players": players, "start": start} if start else {"players": players}
    return [f"{field} {code}" for _, field, code in faults("seven-up", {"dealer": "A", "taken": given}, **record)]


@pytest.mark.parametrize(
    ("hand", "scores", "refused"),
    [
        ({"turned_jack": "A"}, None, []),
        ({"turned_jack": "B"}, None, ["taken.turned_jack not_dealt"]),
        ({"gift": "B"}, None, []),
        ({"gift": "A"}, None, ["taken.gift own_gift"]),
        ({"gift": "B"}, {"A": 0, "B": 5}, []),
        ({"gift": "B"}, {"A": 0, "B": 6}, ["taken.gift gift_wins"]),
        ({"turned_jack": "A", "high": None, "low": None, "game": None}, {"A": 6, "B": 6}, []),
        ({"high": None}, {"A": 6, "B": 6}, ["taken.high must_be_somebodys"]),
    ],
)
def test_what_is_given_goes_to_whom_it_can(
    hand: dict[str, Any], scores: dict[str, int] | None, refused: list[str]
) -> None:
    assert refusals(hand, scores) == refused


def test_nobody_asks_who_dealt_where_nobody_knows() -> None:
    taken = {**NOTHING_GIVEN, **four("A", "B", None, "A"), "turned_jack": "B"}

    assert faults("seven-up", {"taken": taken}, players="AB") == []


def test_who_did_not_deal_has_to_be_said_where_nobody_knows() -> None:
    taken = {**NOTHING_GIVEN, "high": "A", "low": "B", "jack": None}
    hand = {"taken": taken, "card_points": {"A": 20, "B": 20}}

    assert faults("seven-up", hand, players="AB") == [(1, "taken.game", "not_named")]
    told = {**hand, "taken": {**taken, "game": "B"}}
    assert scored("seven-up", told, players="AB")["hands"][0]["deltas"] == {"A": 1, "B": 2}


def test_one_card_scores_as_one_of_two() -> None:
    both = {**NOTHING_KICKED, **four("Us", "Us", "Us", "Us"), "hang_jack": "Them"}

    assert faults("trinidad-all-fours", {"taken": both}) == [(1, "taken.hang_jack", "same_card")]


@pytest.mark.parametrize(("points", "can_be"), [((6, 0), True), ((3, 3), True), ((13, 0), True), ((14, 0), False)])
def test_counts_know_that_a_card_scores_once(points: tuple[int, int], can_be: bool) -> None:
    found = faults("trinidad-all-fours", {"points": dict(zip(("Us", "Them"), points, strict=True))})

    assert (found == []) == can_be
    assert LIBRARY["trinidad-all-fours"].points_per_hand == 13


def test_points_are_counted_in_the_order_of_the_ruleset() -> None:
    base = LIBRARY["pitch-with-joker"]
    joker_first = base.changed(winning=base.winning.changed(count_order=["joker", "low"]))
    lines = [ScoreLine("A", 1, Reason.TOOK, (), award) for award in base.in_play]

    assert base.count_order == ("high", "low", "jack", "joker", "game")
    assert joker_first.count_order == ("joker", "low", "high", "jack", "game")
    counted = [award for award, _ in counts_in_order(joker_first, {"A": 0}, lines)]
    assert counted == ["joker", "low", "high", "jack", "game", None]
