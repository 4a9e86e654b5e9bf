"""The same people at the same rules: two taps from home."""

import pytest

from tests.web.conftest import Begin, record
from tests.web.phone import Page, Phone


@pytest.fixture
def over(begin: Begin) -> Page:
    """Play a match to its end."""
    match = begin(house_target="7", side_0="Kitchen", dealer="1")
    return record(record(match, call="p2:4"), call="p2:4")


def test_everything_is_filled_in_as_it_was(over: Page) -> None:
    page = over.tap("Play again")

    fields = page.form("/partnership-pitch").fields
    assert [fields[f"seat-{i}"] for i in range(4)] == ["Ann", "Bea", "Cal", "Dan"]
    assert fields["side-0"] == "Kitchen"
    assert fields["house-target"] == "7"
    assert fields["dealer"] == "3"


@pytest.mark.every_database
def test_one_more_tap_begins_it(over: Page) -> None:
    match = over.tap("Play again").send("/partnership-pitch", press="Start")

    assert match.path != over.path
    assert match.scores == {"s1": "0", "s2": "0"}
    assert "Partnership Pitch, to 7" in match.text


def test_home_offers_it(over: Page, phone: Phone) -> None:
    again = [it.attrs["href"] for it in phone.open("/").root.all("a") if "/new/again/" in it.attrs["href"]]

    assert phone.open(again[0]).form("/partnership-pitch").fields["seat-0"] == "Ann"


def test_a_name_that_was_changed_is_kept(over: Page) -> None:
    match = over.tap("Menu").tap("Names and seats").send("/names", {"name-p1": "Anna"})

    assert match.tap("Play again").form("/partnership-pitch").fields["seat-0"] == "Anna"


@pytest.mark.parametrize("ruleset_id", ["cutthroat-pitch", "razzle-dazzle", "colorado-six-player"])
def test_any_table_can_play_again(begin: Begin, phone: Phone, ruleset_id: str) -> None:
    match = begin(ruleset_id)

    page = phone.open(f"/new/again/{match.path.split('/')[2]}")

    assert page.send(f"/{ruleset_id}", press="Start").scores == match.scores
