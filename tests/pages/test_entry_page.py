"""The entry page of a hand: a board that folds, rules beside the awards, and the button before any award is placed."""

import pytest

from scorekeeper.pages.hand.input import HandInput
from tests.common.calling import PEOPLE, entry_form, hand_fields, preview, preview_part
from tests.common.phone import Page
from tests.pages.conftest import Begin, record

BOARD = {"call": "p3:3", "trump": "hearts"}


def sent(page: Page, button: str = "save", **answers: str) -> Page:
    """Send the form by a button, with these answers."""
    return page.post(page.part("hand_form").attrs["action"], {**hand_fields(answers), "do": button})


@pytest.fixture
def entry(match: Page) -> Page:
    """Open the entry of the first hand."""
    return match.tap("Record hand")


# ---------- who dealt ----------


def bidders(page: Page) -> list[str]:
    """Return who bids in order, each with what stands under the name."""
    return [element.text.partition(" ")[2] for element in page.part("q-bid").all(class_="who")]


FROM_CALS_LEFT = ["Dan", "Ann", "Bea", "Cal dealer"]


@pytest.mark.parametrize("mode", ["cards", "counts", "auction"])
def test_whoever_is_said_to_have_dealt_deals_in_the_head_and_on_the_board(entry: Page, mode: str) -> None:
    shown = entry.open(f"?by={mode}")

    part, back = preview_part(shown, dealer="p3"), preview_part(preview(shown, dealer="p3"), dealer="p1")

    assert shown.part("deals").text == "Ann deals"
    assert (part.part("deals").text, bidders(part)) == ("Cal deals", FROM_CALS_LEFT)
    assert (back.part("deals").text, bidders(back)) == ("Ann deals", bidders(shown))
    assert shown.part("hand_form").attrs["hx-select-oob"].count("#deals") == 1


def test_the_hand_in_progress_is_dealt_on_every_page_by_whoever_dealt_it(begin: Begin) -> None:
    match = begin("cutthroat-pitch")
    preview_part(match.tap("Record hand"), dealer="p3", call="p1:2")

    page, tv = match.open(), match.open("tv")
    again = page.tap("Continue this hand")

    assert (again.part("deals").text, bidders(again)) == ("Cal deals", FROM_CALS_LEFT)
    for shown in (page, tv):
        deals = [section.attrs["aria-label"] for section in shown.all("section") if section.all(class_="dealer")]
        assert deals == ["Cal: 0"]
    assert "Cal deals hand 1." in tv.text
    assert "Ann deals" not in page.text + tv.text


# ---------- the board ----------


def test_a_suit_that_is_skipped_is_no_trump() -> None:
    form = HandInput.parse({"call": "p1:2", "trump": "skip"}, PEOPLE)

    assert form.hand().trump is None
    assert HandInput.from_hand(form.hand()).trump == "skip"


def test_a_scored_hand_opens_with_its_board_folded_and_offers_no_misdeal(match: Page) -> None:
    record(match, call="p4:3", took_low="s1")
    page = match.open("hands/1")

    assert page.part("told-line").text == "B Dan bid 3 Change Close"
    assert not page.offers("Misdeal")


def test_a_misdeal_stays_one_while_it_is_corrected(entry: Page, match: Page) -> None:
    sent(entry, thrown_in="misdeal")

    assert match.open("hands/1").offers("Misdeal")


# ---------- the awards ----------


def names_in(page: Page) -> tuple[list[str], list[str], list[str]]:
    """Return the names beside the hand's number, in the rows of bids, and over the columns, in their order."""
    heading = [element.text for element in page.one(class_="sc").all(class_="vh")]
    rows = [who.removesuffix(" dealer") for who in bidders(page)]
    columns = [element.text.partition(" ")[2] for element in page.one(class_="takers-h").one(class_="cells").all("div")]
    return heading, rows, columns[: len(heading)]


def test_each_alone_stands_in_the_heading_and_over_the_columns_as_in_the_rows(begin: Begin) -> None:
    entry = begin("cutthroat-pitch", seats="3").tap("Record hand")

    part = preview_part(entry, dealer="p2")

    assert names_in(entry) == (["Bea", "Cal", "Ann"],) * 3
    assert names_in(part) == (["Cal", "Ann", "Bea"],) * 3


# ---------- what is left ----------


def test_the_rest_is_given_in_sight_and_then_saved(entry: Page, match: Page) -> None:
    page = sent(entry, **BOARD, took_low="s2")

    given = page.post("/hands/new", {"rest": "s1"})

    took = {name: who for name, who in entry_form(given).fields.items() if name.startswith("took-")}
    assert took == {"took-high": "s1", "took-low": "s2", "took-jack": "s1", "took-game": "s1"}
    assert given.part("main-button").text == "Save: made, A Ann & Cal +3 / B Bea & Dan +1"
    assert match.open().scores == {"s1": "0", "s2": "0"}
    assert sent(given).scores == {"s1": "3", "s2": "1"}


def test_the_rest_that_was_given_is_in_the_hand_in_progress(entry: Page, match: Page) -> None:
    preview_part(sent(entry, **BOARD, took_low="s2"), rest="s1")

    assert entry_form(match.open("hands/new")).fields["took-jack"] == "s1"


def test_what_is_seldom_stays_nobodys(begin: Begin) -> None:
    given = begin("trinidad-all-fours").tap("Record hand").post("/hands/new", {"rest": "s1"})

    took = {name for name in entry_form(given).fields if name.startswith("took-")}
    assert took == {"took-high", "took-low", "took-jack", "took-game"}


# ---------- the button of an earlier page, which gave the rest to the bidders and saved ----------


@pytest.mark.parametrize(
    ("shown", "status", "scores"),
    [
        ("", 200, {"s1": "0", "s2": "0"}),
        ("s1:3 s2:1", 200, {"s1": "3", "s2": "1"}),
        ("s1:4 s2:0", 409, {"s1": "0", "s2": "0"}),
    ],
    ids=["nothing", "what it comes to", "something else"],
)
def test_a_hand_is_saved_only_with_the_result_that_its_button_showed(
    entry: Page, match: Page, shown: str, status: int, scores: dict[str, str]
) -> None:
    page = sent(entry, "rest", **BOARD, took_low="s2", shown=shown)

    assert page.status == status
    assert match.open().scores == scores


def test_a_button_may_give_the_rest_of_the_points_to_the_other_side(match: Page) -> None:
    page = match.open("hands/new?by=counts")

    assert sent(page, "rest", call="p3:3", count_s1="3", shown="s1:3 s2:1").scores == {"s1": "3", "s2": "1"}


# ---------- points only ----------


def test_the_other_side_is_offered_the_rest(match: Page) -> None:
    page = sent(match.open("hands/new?by=counts"), call="p3:3", count_s1="3")

    assumed = page.one(class_="assumed")
    assert assumed.one("input").attrs.items() >= {"name": "count-s2", "value": "1"}.items()
    assert "checked" not in assumed.one("input").attrs
    button = page.part("main-button")
    assert (button.text, button.attrs["data-leads"]) == ("How many did Bea & Dan take?", "count-s2")
    assert match.open().scores == {"s1": "0", "s2": "0"}
