"""Who sits where, and who scores with whom."""

from typing import Any

import pytest

from tests.pitch.scoring.tables import faults, scored


def _sides(*sides: str) -> list[dict[str, Any]]:
    return [{"name": name, "players": list(players)} for name, _, players in (side.partition(":") for side in sides)]


def test_partners_sit_opposite_where_sides_do_not_say() -> None:
    result = scored(
        "partnership-pitch", {"bidder": "C", "bid": 2}, sides=[{"name": "Us"}, {"name": "Them"}], players="ABCD"
    )

    assert result["hands"][0]["bidder"] == "C"
    assert list(result["scores"]) == ["Us", "Them"]


def test_players_say_the_order_round_the_table() -> None:
    hand = {"dealer": "D", "bidder": "Us", "bid": 2, "points": {"Us": 2, "Them": 2}}

    result = scored("partnership-pitch", hand, sides=_sides("Us:AC", "Them:BD"), players="CDAB")

    assert result["hands"][0]["next_dealer"] == "A"


@pytest.mark.parametrize(("dealer", "following"), [("Us", "Them"), ("Them", "Us")])
def test_sides_deal_in_turn_where_nobody_says_who_sits_where(dealer: str, following: str) -> None:
    hand = {"dealer": dealer, "bidder": "Us", "bid": 2, "points": {"Us": 2, "Them": 2}}

    assert scored("partnership-pitch", hand)["hands"][0]["next_dealer"] == following


def test_a_dealer_sits_at_the_table() -> None:
    assert faults("partnership-pitch", {"dealer": "Zed"}) == [(1, "dealer", "unknown_player")]
