"""Colours and signs: a side takes another marker, no two are alike, and the table keeps them."""

from tests.common.phone import Page
from tests.pages.conftest import Begin, record


def marks(page: Page) -> list[str]:
    """Read which marker each card wears."""
    cards = page.part("board").all("section")
    return [
        next(name for name in card.attrs["class"].split() if name[0] == "s" and name[1:].isdigit()) for card in cards
    ]


def choose(match: Page, side: str, marker: int) -> Page:
    """Tap a marker on the page of the names."""
    menu = match.open("names")
    form = menu.form("/marks")
    return match.phone.post(form.action, {**form.fields, "side": side, "mark": str(marker)})


def test_two_sides_exchange_their_markers(match: Page) -> None:
    page = choose(match, "s1", 2)

    assert marks(page) == ["s2", "s1"]
    assert "Ann & Cal have the square and Bea & Dan have the circle." in page.part("turn").text


def test_the_same_table_keeps_its_markers_next_time(match: Page) -> None:
    again = match.phone.open(choose(match, "s1", 5).path.replace("/matches/", "/new/again/").rstrip("/"))

    page = again.send("partnership-pitch", press="Start")

    assert marks(page) == ["s5", "s2"]


def test_a_marker_that_there_is_not_is_refused(match: Page) -> None:
    assert choose(match, "s1", 13).status == 400
    assert choose(match, "s9", 2).status == 400
    assert marks(match.open()) == ["s1", "s2"]


def test_the_hands_the_history_and_the_tv_show_them_too(begin: Begin) -> None:
    match = begin("cutthroat-pitch")
    record(match, call="p1:3")
    page = choose(match, "p1", 6)

    assert 'class="mk s6' in page.response.text
    assert 'class="mk s6' in match.open("history").response.text
    assert 'class="mk s6' in match.open("tv").response.text
