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


def dealer(page: Page) -> str | None:
    """Return the seat that deals first, if one is picked."""
    return page.form("/partnership-pitch").fields.get("dealer")


def picked(page: Page, way: str) -> Page:
    """Tap how the first dealer is found."""
    return page.phone.post("/new/partnership-pitch", {**page.form("/partnership-pitch").fields, "new-pick": way})


def test_the_loser_deals_where_the_table_does_it_so(over: Page) -> None:
    # Cal dealt last, and Bea and Dan won: Ann comes before Cal when one goes on to the left of Cal.
    page = over.tap("Play again")
    assert dealer(page) == "3"

    asked = picked(page, "loser")
    match = asked.send("/partnership-pitch", press="Start")

    assert dealer(asked) == "0"
    assert "Ann deals" in match.text


def test_who_cuts_for_the_deal_is_asked_before_the_start(over: Page) -> None:
    asked = picked(over.tap("Play again"), "cut")
    assert dealer(asked) is None

    refused = asked.send("/partnership-pitch", press="Start")
    assert refused.response.status_code == 422
    assert "Cut for the deal, then tap the D" in refused.text

    match = refused.send("/partnership-pitch", {"dealer": "3"}, press="Start")
    assert "Dan deals" in match.text


def test_a_phone_remembers_how_its_table_finds_the_first_dealer(over: Page) -> None:
    picked(over.tap("Play again"), "cut")
    again = over.phone.open(over.path).tap("Play again")
    assert dealer(again) is None

    picked(again, "next")
    assert dealer(over.phone.open(over.path).tap("Play again")) == "3"


def test_where_nobody_lost_the_deal_goes_on_in_turn(match: Page) -> None:
    record(match, call="p4:3")
    page = match.phone.open(f"/new/again/{match.path.split('/')[2]}")

    asked = picked(page, "loser")

    assert dealer(asked) == dealer(page) == "1"
    assert "nobody lost, so next in turn" in asked.text


@pytest.mark.parametrize("said", [{"pick": "x"}, {"pick": "loser", "lost": "9"}, {"pick": "cut", "dealer": "77"}])
def test_a_form_that_was_made_up_has_a_seat_or_none(phone: Phone, said: dict[str, str]) -> None:
    page = phone.open("/new/partnership-pitch")

    answer = phone.post(
        "/new/partnership-pitch", {**page.form("/partnership-pitch").fields, **said, "new-pick": "loser"}
    )

    assert answer.response.status_code == 200
