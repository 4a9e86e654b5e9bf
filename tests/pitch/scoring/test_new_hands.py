"""Hands that no cards make: refused when they are new, scored as they were written when they are stored already."""

from dataclasses import replace
from typing import Any

import pytest

from scorekeeper.pitch.records.record import RefusedRecord, read_record
from scorekeeper.pitch.records.result import play_under
from tests.acceptance.test_public_cases import CASES
from tests.pitch.scoring.tables import RULEBOOK, faults, four

TWO = {"sides": [{"name": "Us"}, {"name": "Them"}]}
MADE = {"bidder": "Us", "bid": 2}


def record(variant: str, hand: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"format": "pitch-record/4", "variant": variant, "hands": [hand], **TWO, **more}


SAME_CARD = [
    ("partnership-pitch", {"ace": True}, {**four("Us", "Us", None, "Us"), "ace": "Them"}),
    ("partnership-pitch", {"ace": True, "king": 1}, {**four("Us", "Us", None, "Us"), "ace": None, "king": "Them"}),
    ("partnership-pitch", {"deuce": True}, {**four("Us", "Us", None, "Us"), "deuce": "Them"}),
    ("partnership-pitch", {"game_rule": "ten_of_trumps", "ten": 1}, {**four("Us", "Us", None, "Us"), "ten": "Them"}),
    ("partnership-pitch", {"game_rule": "ten_of_trumps", "ten": 1}, {**four("Us", "Us", None, "Us"), "ten": None}),
]


@pytest.mark.parametrize(("variant", "house", "taken"), SAME_CARD)
def test_one_card_is_not_two_points_of_different_sides(
    variant: str, house: dict[str, Any], taken: dict[str, Any]
) -> None:
    hand = {**MADE, "taken": taken}

    assert {code for _, _, code in faults(variant, hand, house=house)} == {"same_card"}


def test_one_card_may_be_two_points_of_one_side_and_other_cards_of_two() -> None:
    together = {**four("Us", "Us", None, "Us"), "ace": "Us"}
    undealt = {**four("Us", "Us", None, "Us"), "ace": None}
    lost = {**four("Us", "Them", None, "Us"), "own_1": "Us"}
    widow = {"own_1": "1 captured 2: Widow", "low": "held"}

    assert faults("partnership-pitch", {**MADE, "taken": together}, house={"ace": True}) == []
    assert faults("partnership-pitch", {**MADE, "taken": undealt}, house={"ace": True}) == []
    # Who holds Low may lose the deuce.
    assert faults("partnership-pitch", {**MADE, "taken": lost}, house=widow, format="pitch-record/4") == []


@pytest.mark.parametrize("spade", ["Them", None])
def test_the_highest_spade_is_the_highest_trump_where_spades_are_trump(spade: str | None) -> None:
    taken = {**four("Us", "Us", None, "Us"), "five": None, "high_spade": spade}
    hand = {"bidder": "Us", "bid": 4, "taken": taken}

    assert {code for *_, code in faults("nine-card-pitch", {**hand, "trump": "spades"})} == {"same_card"}
    assert faults("nine-card-pitch", {**hand, "trump": "hearts"}) == []


@pytest.mark.parametrize(
    ("variant", "hand", "field"),
    [
        # Every card is played, so that the counts make 80, and one tells the other.
        ("california-jack", {"taken": four("A", "A", "A", "A"), "card_points": {"A": 30}}, "taken.game"),
        ("california-jack", {"points": {"A": 2, "B": 2}, "card_points": {"A": 40, "B": 39}}, "card_points"),
        # The jack counts one, the ten and a jack eleven.
        (
            "cutthroat-pitch",
            {**MADE, "bidder": "A", "taken": four("A", "A", "A", "B"), "card_points": {"A": 0, "B": 9, "C": 0}},
            "card_points",
        ),
        (
            "cutthroat-pitch",
            {**MADE, "bidder": "A", "points": {"A": 3, "B": 1, "C": 0}, "card_points": {"A": 0, "B": 9, "C": 0}},
            "points",
        ),
        # A jack that was not in play is in no pile.
        (
            "cutthroat-pitch",
            {**MADE, "bidder": "A", "taken": four("A", "A", None, "A"), "card_points": {"A": 60, "B": 20, "C": 0}},
            "card_points",
        ),
        # Two turned up a card, or the one who did begged.
        (
            "trinidad-all-fours",
            {
                "taken": {
                    **four("Us", "Us", None, "Us"),
                    "turned_ace": "Them",
                    "turned_six": None,
                    "turned_jack": None,
                    "gift": "Them",
                    "hang_jack": None,
                }
            },
            "taken.gift",
        ),
        ("seven-up", {"taken": {**four("A", "A", None, "A"), "turned_jack": "A", "gift": "A"}}, "taken.gift"),
    ],
)
def test_what_the_known_facts_contradict_is_refused(variant: str, hand: dict[str, Any], field: str) -> None:
    players = {"california-jack": "AB", "trinidad-all-fours": ""}.get(variant, "ABC")

    found = faults(variant, hand, **({"players": players} if players else {}))

    assert field in {at for _, at, _ in found}


def test_a_gift_goes_to_the_side_that_did_not_deal_where_nobody_said_who_dealt() -> None:
    """Two sides: who is given a point did not deal, and so wins a tied Game."""
    taken = {"high": "Us", "low": "Us", "jack": None, "turned_jack": None, "gift": "Them"}
    tied = {"taken": taken, "card_points": {"Us": 20, "Them": 20}}

    assert faults("seven-up", tied) == []
    assert [
        at for _, at, _ in faults("seven-up", {"taken": {**taken, "game": "Us"}, "card_points": tied["card_points"]})
    ]


REFUSED = [
    (case["id"], case["record"])
    for case in CASES
    if case["id"][:2] in ("H4", "E4") and case["expect"].get("status") == "refused" and not case["record"].get("house")
]


@pytest.mark.parametrize(("variant", "house", "taken"), SAME_CARD)
def test_a_stored_hand_of_one_card_as_two_points_scores_as_it_was_written(
    variant: str, house: dict[str, Any], taken: dict[str, Any]
) -> None:
    stored = read_record({**record(variant, {**MADE, "taken": taken}, house=house), "played_on": "2026-01-02"})

    assert play_under(stored, RULEBOOK.agreed(variant, house)).results[0].status == "scored"


@pytest.mark.parametrize("told", [told for _, told in REFUSED], ids=[case for case, _ in REFUSED])
def test_a_download_scores_as_it_was_stored_though_the_hand_would_be_refused_today(told: dict[str, Any]) -> None:
    rules = RULEBOOK.agreed(told["variant"], {})
    given = read_record(told)

    with pytest.raises(RefusedRecord):
        play_under(given, rules)

    assert play_under(replace(given, played_on="2026-01-02"), rules).seats.ids
