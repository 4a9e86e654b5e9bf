"""The entry of a hand: a board that folds, rules in place, and the button before anything is placed."""

import pytest

from scorekeeper.web.hand.form import HandForm
from tests.web.calling import entry_form
from tests.web.conftest import Begin, record
from tests.web.phone import Page

BOARD = {"call": "p3:3", "trump": "hearts"}


def sent(page: Page, button: str = "save", **said: str) -> Page:
    """Send what is entered by a button, with what was tapped besides."""
    form = entry_form(page)
    told = {name.replace("took_", "took-").replace("count_", "count-"): value for name, value in said.items()}
    return page.phone.post(form.action, {**form.fields, **told, "do": button})


@pytest.fixture
def entry(match: Page) -> Page:
    """Open the entry of the first hand."""
    return match.tap("Record hand")


# ---------- the board ----------


def test_a_suit_that_is_skipped_is_no_trump() -> None:
    form = HandForm.from_fields({"call": "p1:2", "trump": "skip"})

    assert form.hand().trump is None
    assert HandForm.from_hand(form.hand())["trump"] == "skip"


@pytest.mark.parametrize(
    ("trump", "line"), [("hearts", "A Cal bid 3 hearts Change Close"), ("skip", "A Cal bid 3 Change Close")]
)
def test_bid_and_trump_fold_to_one_line(entry: Page, trump: str, line: str) -> None:
    assert "open" in entry.part("told").attrs

    page = sent(entry, call="p3:3", trump=trump)

    assert "open" not in page.part("told").attrs
    assert page.part("told-line").text == line
    assert entry_form(page).fields.items() >= {"call": "p3:3", "trump": trump}.items()


def test_without_trump_the_board_stays(entry: Page) -> None:
    page = sent(entry, call="p3:3", took_high="s1")

    assert "open" in page.part("told").attrs
    assert page.part("told-line").text == ""


def test_a_tap_sends_the_line_of_the_board_and_leaves_the_rows(entry: Page) -> None:
    form = entry_form(entry)
    address = form.action.replace("/new", "/preview")
    part = entry.phone.post(address, {**form.fields, **BOARD}, part=True)

    assert [it.attrs["id"] for it in part.root.inside if not isinstance(it, str)] == ["bottom_bar", "told-line"]


def test_a_scored_hand_opens_with_its_board_folded_and_offers_no_misdeal(match: Page) -> None:
    record(match, call="p4:3", took_low="s1")
    page = match.phone.open(f"{match.path}hands/1")

    assert page.part("told-line").text == "B Dan bid 3 Change Close"
    assert not page.offers("Misdeal")


def test_a_misdeal_stays_one_while_it_is_corrected(match: Page) -> None:
    sent(match.tap("Record hand"), thrown_in="misdeal")

    assert match.phone.open(f"{match.path}hands/1").offers("Misdeal")


# ---------- the awards ----------


def test_the_rule_of_an_award_opens_in_place(entry: Page) -> None:
    low = entry.part("row-low")

    assert low.one("details").attrs["name"] == "rule"
    assert low.one("summary").text == "2 Low"
    assert low.one("p").text == "The side that takes the lowest trump in play. 1 point. Rule 6.2"
    assert low.all("a") == []


def test_seats_and_sides_without_names_are_known_by_their_numbers(begin: Begin) -> None:
    page = begin("partnership-pitch-six", **{f"seat-{i}": "" for i in range(6)}).tap("Record hand")

    assert "".join(it.text for it in page.root.one(class_="takers-h").all("text")) == "123"


# ---------- before anything is placed ----------


def test_with_nothing_placed_the_button_asks_whether_they_took_everything(entry: Page) -> None:
    page = sent(entry, **BOARD)
    button = page.part("main-button")

    assert button.text == "A They took everything? Save +4"
    assert "go" not in button.attrs["class"].split()
    assert "Tap who took High, Low, Jack and Game." in page.part("bottom_bar").text
    assert sent(page, "rest").scores == {"s1": "4", "s2": "0"}


def test_a_player_alone_is_named_and_us_are_we(begin: Begin) -> None:
    alone = sent(begin("cutthroat-pitch").tap("Record hand"), call="p2:3")
    unnamed = sent(begin(**{f"seat-{i}": "" for i in range(4)}).tap("Record hand"), call="s1:3")

    assert alone.part("main-button").text == "B Bea took everything? Save +4"
    assert unnamed.part("main-button").text == "U We took everything? Save +4"


def test_without_scripts_what_was_tapped_is_counted_and_no_sweep_is_saved(entry: Page) -> None:
    page = sent(entry, **BOARD)
    told = {"took_high": "s1", "took_low": "s1", "took_jack": "s2", "took_game": "s1"}

    counted, swept = sent(page, "look", **told), sent(page, "rest", **told)

    assert counted.part("main-button").text == "Save: made, A Ann & Cal +3 / B Bea & Dan +1"
    assert "The button said Ann & Cal +4, Bea & Dan 0" in swept.faults
    assert sent(counted).scores == {"s1": "3", "s2": "1"}


# ---------- points only ----------


def test_the_other_side_is_assumed_to_have_the_rest(match: Page) -> None:
    page = sent(match.phone.open(f"{match.path}hands/new?by=counts"), call="p3:3", count_s1="3")

    assumed = page.root.one(class_="assumed")
    assert assumed.one("input").attrs.items() >= {"name": "count-s2", "value": "1"}.items()
    assert "checked" not in assumed.one("input").attrs
    assert page.part("main-button").text == "Save: made, A Ann & Cal +3 / B Bea & Dan +1"
    assert sent(page, "rest").scores == {"s1": "3", "s2": "1"}


def test_what_is_tapped_takes_the_place_of_what_is_assumed(match: Page) -> None:
    page = sent(match.phone.open(f"{match.path}hands/new?by=counts"), call="p3:3", count_s1="3")
    page = sent(sent(page, "look", count_s2="0"))

    assert page.scores == {"s1": "3", "s2": "0"}


def test_what_is_assumed_is_seen_before_it_is_saved(match: Page) -> None:
    sent(match.phone.open(f"{match.path}hands/new?by=counts"), call="p3:3", count_s1="3")

    assert match.phone.open(match.path).scores == {"s1": "0", "s2": "0"}
