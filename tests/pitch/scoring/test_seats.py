"""Who sits where, and who scores with whom."""

from typing import Any

import pytest

from tests.pitch.scoring.tables import faults, scored


def _sides(*sides: str) -> list[dict[str, Any]]:
    return [{"name": name, "players": list(players)} for name, _, players in (side.partition(":") for side in sides)]


@pytest.mark.parametrize(
    ("variant", "players", "sides"),
    [
        ("partnership-pitch", "ABCD", ["A & C", "B & D"]),
        ("partnership-pitch-six", "ABCDEF", ["A & D", "B & E", "C & F"]),
        ("colorado-six-player", "ABCDEF", ["A & C & E", "B & D & F"]),
        ("oklahoma-ten-point", "ABCDEF", ["A & D", "B & E", "C & F"]),
        ("cutthroat-pitch", "AB", ["A", "B"]),
        ("tunkhannock-fourteen-point", "ABCD", ["A", "B", "C", "D"]),
        ("arizona-29", "ABCD", ["A", "B", "C", "D"]),
        ("stauffer-ten-point", "ABCD", ["A & C", "B & D"]),
        ("stauffer-ten-point", "ABCDE", ["A", "B", "C", "D", "E"]),
        ("razzle-dazzle", "ABCDE", ["A", "B", "C", "D", "E"]),
    ],
)
def test_the_variant_seats_the_players(variant: str, players: str, sides: list[str]) -> None:
    assert list(scored(variant, players=players)["scores"]) == sides


@pytest.mark.parametrize(
    ("variant", "sides"),
    [
        ("partnership-pitch", [{"name": "Us"}, {"name": "Them"}]),
        ("partnership-pitch", _sides("Us:AC", "Them:BD")),
        ("oklahoma-ten-point", [{"name": "X"}, {"name": "Y"}, {"name": "Z"}]),
        ("tunkhannock-fourteen-point", [{"name": "Us"}, {"name": "Them"}]),
        ("cutthroat-pitch", [{"name": "Red"}, {"name": "Blue"}, {"name": "Green"}]),
        ("cutthroat-pitch", _sides("Red:A", "Blue:B")),
        ("arizona-29", [{"name": "Us"}, {"name": "Them"}]),
        ("arizona-29", _sides("Two:AB", "Three:CDE")),
        ("stauffer-ten-point", _sides("Two:AB", "Three:CDE")),
        ("cutthroat-pitch", _sides("A:A", "B:B")),
    ],
)
def test_sides_may_be_named(variant: str, sides: list[dict[str, Any]]) -> None:
    assert list(scored(variant, sides=sides)["scores"]) == [side["name"] for side in sides]


@pytest.mark.parametrize(
    ("variant", "seated", "refused"),
    [
        ("partnership-pitch", {"players": "ABC"}, ["players wrong_number"]),
        ("razzle-dazzle", {"players": "ABCD"}, ["players wrong_number"]),
        ("solo-for-two-or-three", {"players": "ABCD"}, ["players wrong_number"]),
        ("partnership-pitch", {"players": []}, ["players nobody"]),
        ("partnership-pitch", {"sides": []}, ["sides wrong_number"]),
        ("partnership-pitch", {"sides": [{"name": "Us"}]}, ["sides wrong_number"]),
        ("partnership-pitch", {"sides": _sides("Us:AB", "Them:C")}, ["sides wrong_number"]),
        ("partnership-pitch", {"sides": _sides("Us:AB", "Them:")}, ["sides half_seated"]),
        ("stauffer-ten-point", {"sides": _sides("X:AB", "Y:CD", "Z:EF")}, ["sides wrong_number"]),
        ("partnership-pitch", {"players": "AAAA"}, [f"players.{i} repeated_name" for i in (1, 2, 3)]),
        ("cutthroat-pitch", {"players": ["Cal", "cal"]}, ["players.1 repeated_name"]),
        ("cutthroat-pitch", {"players": ["José", "Jose\u0301"]}, ["players.1 repeated_name"]),
        ("cutthroat-pitch", {"players": ["straße", "STRASSE"]}, ["players.1 repeated_name"]),
        ("partnership-pitch", {"sides": _sides("b:AC", "Them:BD")}, ["sides.0.name repeated_name"]),
        ("partnership-pitch", {"players": ["A", "B", "C", "a & c"]}, ["players.3 repeated_name"]),
        ("cutthroat-pitch", {"players": ["bidders", "B"]}, ["players.0 reserved_name"]),
        ("cutthroat-pitch", {"players": [" ", "B"]}, ["players.0 bad_name"]),
        ("partnership-pitch", {"sides": _sides("defenders:AC", "Us:BD")}, ["sides.0.name reserved_name"]),
        ("partnership-pitch", {"sides": _sides("Us:AC", "Us:BD")}, ["sides.1.name repeated_name"]),
        ("partnership-pitch", {"sides": _sides("Us:AC", "Them:AD")}, ["sides.1.players.0 repeated_name"]),
        ("partnership-pitch", {"sides": _sides("B:AC", "Them:BD")}, ["sides.0.name repeated_name"]),
        (
            "partnership-pitch",
            {"sides": _sides("Us:AC", "Them:BD"), "players": "ABCE"},
            ["players other_people", "sides other_people"],
        ),
        ("partnership-pitch", {"players": ["A", "B", "C", "A & C"]}, ["players.3 repeated_name"]),
    ],
)
def test_a_table_that_does_not_fit_is_refused(variant: str, seated: dict[str, Any], refused: list[str]) -> None:
    found = faults(variant, **seated)

    assert [f"{field} {code}" for _, field, code in found] == refused


def test_somebody_has_to_play() -> None:
    assert faults("partnership-pitch", sides=None) == [(None, "players", "nobody")]


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
