"""In which order the points of a hand are counted."""

from scorekeeper.pitch.scoring.hand_score import Reason, ScoreLine
from scorekeeper.pitch.scoring.order import counts_in_order
from tests.common.library import LIBRARY


def test_points_are_counted_in_the_order_of_the_ruleset() -> None:
    base = LIBRARY["pitch-with-joker"]
    joker_first = base.changed(winning=base.winning.changed(count_order=["joker", "low"]))
    lines = [ScoreLine("A", 1, Reason.TOOK, (), award) for award in base.in_play]

    assert base.count_order == ("high", "low", "jack", "joker", "game")
    assert joker_first.count_order == ("joker", "low", "high", "jack", "game")
    counted = [award for award, _ in counts_in_order(joker_first, {"A": 0}, lines)]
    assert counted == ["joker", "low", "high", "jack", "game", None]
