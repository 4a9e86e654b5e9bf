"""The count for Game: sums that are typed, or cards that are tapped."""

import pytest

from scorekeeper.rules.awards import CARD_POINTS, CARD_POINTS_IN_DECK
from scorekeeper.web.hand.form import CARD_FIELD, MOST_OF_A_RANK, PILE_FIELD, HandForm
from tests.web.calling import finish
from tests.web.conftest import Begin
from tests.web.phone import Page, Phone


def test_the_cards_of_a_deck_come_to_all_its_card_points() -> None:
    whole = {f"cards-s1-{rank}": str(MOST_OF_A_RANK) for rank in CARD_POINTS}

    assert HandForm.from_fields(whole).parts(PILE_FIELD) == {"s1": str(CARD_POINTS_IN_DECK)}


@pytest.mark.parametrize(
    ("fields", "piles", "cards"),
    [
        ({"cards-s1-10": "2", "cards-s1-A": "1"}, {"s1": "24"}, {"s1-10": "2", "s1-A": "1"}),
        ({"cards-s1-10": "2", "pile-s1": "20", "sum-s1": ""}, {"s1": "20"}, {"s1-10": "2"}),
        ({"cards-s1-10": "3", "pile-s1": "20", "sum-s1": "20"}, {"s1": "30"}, {"s1-10": "3"}),
        ({"cards-s1-10": "3", "pile-s1": "31", "sum-s1": "30"}, {"s1": "31"}, {}),
        ({"pile-s1": "31", "sum-s1": "31", "pile-s2": " "}, {"s1": "31"}, {}),
        ({"cards-s1-10": "1", "pile-s2": "44"}, {"s1": "10", "s2": "44"}, {"s1-10": "1"}),
        ({"cards-s1-10": "5", "cards-s1-9": "1", "cards-s1": "1", "cards-s1-A": "-1"}, {}, {}),
    ],
)
def test_what_changed_last_counts(fields: dict[str, str], piles: dict[str, str], cards: dict[str, str]) -> None:
    form = HandForm.from_fields(fields)

    assert (form.parts(PILE_FIELD), form.parts(CARD_FIELD)) == (piles, cards)


def test_cards_typed_without_scripts_decide_game(match: Page) -> None:
    said = {"call": "p1:2", "cards-s1-10": "1", "cards-s1-J": "2", "cards-s2-10": "3", "cards-s2-K": "1"}
    entry = match.tap("Record hand").send("/hands/new", said)

    fields = entry.form("/hands/new").fields
    assert (fields["pile-s1"], fields["pile-s2"]) == ("12", "33")
    assert fields["cards-s1-J"] == "2"
    assert finish(entry).scores == {"s1": "3", "s2": "1"}


def test_every_tap_updates_the_count(match: Page, phone: Phone) -> None:
    form = match.tap("Record hand").form("/hands/new")
    said = {"call": "p1:2", "cards-s1-10": "1", "cards-s2-10": "3"}

    part = phone.post(form.action.replace("/new", "/preview"), form.filled(said), part=True)

    assert part.part("main-button").text == "3 left: who took High, Low, Jack?"


def test_the_running_count_knows_who_has_game(match: Page, phone: Phone) -> None:
    form = match.tap("Record hand").form("/hands/new")
    said = {"call": "p4:3", "pile-s1": "46", "pile-s2": "30"} | {f"took-{award}": "s2" for award in ("high", "low")}

    part = phone.post(form.action.replace("/new", "/preview"), {**form.filled(said), "took-jack": "nobody"}, part=True)

    assert part.part("bottom_bar").one(class_="tally").text.startswith("Bea & Dan 2 of 3, Ann & Cal 1: set")


def test_cards_are_kept_through_another_mode(match: Page) -> None:
    entry = match.tap("Record hand").send("/hands/new", {"cards-s1-10": "1"}, press="Points only")

    entry = entry.send("/hands/new", press="By cards")

    assert entry.form("/hands/new").fields["cards-s1-10"] == "1"
    assert entry.form("/hands/new").fields["pile-s1"] == "10"


def test_a_game_without_card_points_has_no_counter(begin: Begin) -> None:
    assert not any("cards-" in name for name in begin("colorado-ten-point").tap("Record hand").form("/new").fields)
