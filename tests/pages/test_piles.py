"""The count for Game: sums that are typed, or cards that are tapped."""

import pytest

from scorekeeper.pages.hand.input import HandInput
from scorekeeper.pitch.rules.awards import CARD_POINTS
from scorekeeper.pitch.rules.faults import MAX_OF_A_RANK
from tests.common.calling import PEOPLE, entry_form, finish, hand_fields, preview_part, save
from tests.common.library import LIBRARY
from tests.common.phone import Page
from tests.pages.conftest import Begin


def test_the_cards_of_a_deck_come_to_all_its_card_points() -> None:
    whole = {f"cards-s1-{rank}": str(MAX_OF_A_RANK) for rank in CARD_POINTS}
    in_deck = LIBRARY["partnership-pitch"].card_points_in_deck

    assert HandInput.parse(whole, PEOPLE).card_points == {"s1": str(in_deck)}


@pytest.mark.parametrize(
    ("fields", "piles", "cards"),
    [
        ({"cards-s1-10": "2", "cards-s1-A": "1"}, {"s1": "24"}, {"s1-10": "2", "s1-A": "1"}),
        ({"cards-s1-10": "2", "pile-s1": "20", "sum-s1": ""}, {"s1": "20"}, {"s1-10": "2"}),
        ({"cards-s1-10": "3", "pile-s1": "20", "sum-s1": "20"}, {"s1": "30"}, {"s1-10": "3"}),
        ({"cards-s1-10": "3", "pile-s1": "31", "sum-s1": "30"}, {"s1": "31"}, {}),
        ({"cards-s1-10": "5", "cards-s1-9": "1", "cards-s1": "1", "cards-s1-A": "-1"}, {}, {}),
    ],
)
def test_what_changed_last_counts(fields: dict[str, str], piles: dict[str, str], cards: dict[str, str]) -> None:
    form = HandInput.parse(fields, PEOPLE)

    assert (form.card_points, form.cards) == (piles, cards)


def test_cards_typed_without_scripts_decide_game(match: Page) -> None:
    answers = {"call": "p1:2", "cards-s1-10": "1", "cards-s1-J": "2", "cards-s2-10": "3", "cards-s2-K": "1"}
    entry = match.tap("Record hand").send("/hands/new", answers)

    fields = entry.form("/hands/new").fields
    assert (fields["pile-s1"], fields["pile-s2"]) == ("12", "33")
    assert fields["cards-s1-J"] == "2"
    assert finish(entry).scores == {"s1": "3", "s2": "1"}


def test_the_running_count_knows_who_has_game(match: Page) -> None:
    took = {"took_high": "s2", "took_low": "s2", "took_jack": "nobody"}

    part = preview_part(match.tap("Record hand"), call="p4:3", pile_s1="46", pile_s2="30", **took)

    assert part.part("bottom_bar").one(class_="tally").text.startswith("Bea & Dan 2 of 3, Ann & Cal 1: set")


def test_cards_are_kept_through_another_mode(match: Page) -> None:
    entry = match.tap("Record hand").send("/hands/new", {"cards-s1-10": "1"}, press="Points only")

    entry = entry.send("/hands/new", press="By cards")

    assert entry.form("/hands/new").fields["cards-s1-10"] == "1"
    assert entry.form("/hands/new").fields["pile-s1"] == "10"


# ---------- what the card points decide, as far as they were counted ----------


def counted(entry: Page, **answers: str) -> Page:
    """Count what is entered, as a page without scripts does."""
    form = entry_form(entry)
    return entry.phone.post(form.action, {**form.fields, **hand_fields(answers), "do": "look"})


def game_of(page: Page) -> str:
    """Return who has Game in sight, by its row."""
    return entry_form(page).fields.get("took-game", "")


@pytest.fixture
def entry(match: Page) -> Page:
    """Open the entry of a hand that Dan bid."""
    return counted(match.tap("Record hand"), call="p4:3")


def test_one_pile_of_more_than_half_decides_game_in_sight(entry: Page) -> None:
    page = counted(entry, pile_s1="45")

    assert game_of(page) == "s1"
    assert page.part("main-button").text == "3 left: who took High, Low, Jack?"
    assert "Ann & Cal 1" in page.part("bottom_bar").text


def test_the_rest_does_not_take_game_from_the_pile_that_decides(entry: Page) -> None:
    """The side with 45 of 80 has Game, however the other points go."""
    page = counted(entry, pile_s1="45")
    form = entry_form(page)

    given = page.phone.post(form.action, {**form.fields, "rest": "s2"})

    assert (game_of(given), entry_form(given).fields["took-high"]) == ("s1", "s2")
    assert save(given).scores == {"s1": "1", "s2": "3"}


def test_half_the_card_points_decide_nothing_and_the_form_says_so(entry: Page) -> None:
    page = counted(entry, pile_s1="40")

    assert game_of(page) == ""
    assert page.part("bottom_bar").one(class_="says").text == "40 of 80 decides nothing: count the other pile."
    assert "decides nothing" not in counted(page, pile_s2="30").text


def test_another_pile_changes_who_has_game(entry: Page) -> None:
    page = counted(entry, pile_s1="45")

    assert game_of(counted(page, pile_s1="", pile_s2="41")) == "s2"
    assert game_of(counted(page, pile_s1="20")) == ""


def test_where_every_card_is_played_one_pile_tells_the_other(begin: Begin) -> None:
    page = counted(begin("phat").tap("Record hand"), pile_s1="30")

    assert game_of(page) == "s2"
