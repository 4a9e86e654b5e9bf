"""The same people at the same rules: two taps from home."""

import pytest

from tests.common.guests import let_in
from tests.common.phone import Page, Phone
from tests.pages.conftest import TILES, Begin, record


@pytest.fixture
def over(begin: Begin) -> Page:
    """Play a match to its end."""
    match = begin(house_target="7", side_0="Kitchen", dealer="1")
    return record(record(match, call="p2:4"), call="p2:4")


@pytest.mark.every_database
def test_everything_is_filled_in_as_it_was_and_one_more_tap_begins_it(over: Page) -> None:
    page = over.tap("Play again")
    match = page.send("/partnership-pitch", press="Start")

    seats = {"seat-0": "Ann", "seat-1": "Bea", "seat-2": "Cal", "seat-3": "Dan"}
    expected = {**seats, "side-0": "Kitchen", "house-target": "7", "dealer": "3"}
    assert expected.items() <= page.form("/partnership-pitch").fields.items()
    assert match.path != over.path
    assert match.scores == {"s1": "0", "s2": "0"}
    assert "Partnership Pitch To 7" in match.text


@pytest.mark.club
def test_home_offers_it_beside_a_new_match_and_after_one_that_goes_on(over: Page, begin: Begin, phone: Phone) -> None:
    home = phone.open("/")
    begin("racehorse")
    later = phone.open("/")

    for page, footer in ((home, ["Join", "New match"]), (later, ["Join", "New match", "Continue match"])):
        assert [link.text for link in page.one("ul", class_="tiles").all("a")] == TILES
        assert [link.text for link in page.one("footer").all("a")] == footer
    assert home.tap("4 Ann & Cal, Bea & Dan").form("/partnership-pitch").fields["seat-0"] == "Ann"


def test_a_phone_that_watched_plays_again_though_the_match_was_deleted(over: Page, other_phone: Phone) -> None:
    page = other_phone.open(f"/new/again/{let_in(over, other_phone).code}")
    over.open("delete").send("/delete")

    match = page.send("/partnership-pitch", press="Start")

    assert match.scores == {"s1": "0", "s2": "0"}


def test_a_name_that_was_changed_is_kept(over: Page) -> None:
    match = over.open("names").send("/names", {"name-p1": "Anna"})

    assert match.tap("Play again").form("/partnership-pitch").fields["seat-0"] == "Anna"


def dealer(page: Page) -> str | None:
    """Return the seat that deals first, if one is picked."""
    return page.form("/partnership-pitch").fields.get("dealer")


def picked(page: Page, choice: str) -> Page:
    """Choose how the first dealer is found."""
    return page.phone.post("/new/partnership-pitch", {**page.form("/partnership-pitch").fields, "new-pick": choice})


def test_the_loser_deals_where_the_table_does_it_so(over: Page) -> None:
    # Cal dealt last, and Bea and Dan won: Ann comes before Cal when one goes on to the left of Cal.
    page = over.tap("Play again")
    assert dealer(page) == "3"

    chosen = picked(page, "loser")
    match = chosen.send("/partnership-pitch", press="Start")

    assert dealer(chosen) == "0"
    assert "Ann deals" in match.text


def test_who_cuts_for_the_deal_is_asked_before_the_start(over: Page) -> None:
    chosen = picked(over.tap("Play again"), "cut")
    assert dealer(chosen) is None

    refused = chosen.send("/partnership-pitch", press="Start")
    assert refused.response.status_code == 422
    assert "Cut for the deal, then tap the D" in refused.text

    match = refused.send("/partnership-pitch", {"dealer": "3"}, press="Start")
    assert "Dan deals" in match.text


def test_a_phone_remembers_how_its_table_finds_the_first_dealer(over: Page) -> None:
    picked(over.tap("Play again"), "cut")
    again = over.open().tap("Play again")
    assert dealer(again) is None

    picked(again, "next")
    assert dealer(over.open().tap("Play again")) == "3"


def change_rules(match: Page, **answers: str) -> Page:
    """Change rules from the next hand on."""
    fields = {name.replace("_", "-", 1): word for name, word in answers.items()}
    return match.open("rules/change").send("/rules/change", fields, press="Start with hand")


ENDED_WITH = "With the rules as they were at the end of that match."


def test_rules_that_changed_on_the_way_are_played_again(match: Page) -> None:
    over = record(change_rules(record(match, call="p2:2"), rule_target="4"), call="p3:2")

    table = over.tap("Play again")
    assert ENDED_WITH in table.text
    assert table.form("/partnership-pitch").fields["house-target"] == "4"

    again = record(table.send("/partnership-pitch", press="Start"), call="p2:4")
    assert "To 4" in again.text
    assert again.offers("Play again")
    assert again.record["house"] == {"target": 4}
    assert "reach 4" in again.open("rules").one("article").text
    assert ENDED_WITH not in again.tap("Play again").text


def test_what_no_house_rules_can_say_together_is_said_to_be_left_out(begin: Begin) -> None:
    match = change_rules(begin(house_low="held"), worth_low="2")

    page = match.phone.open(f"/new/again/{match.path.split('/')[2]}")

    assert "Left out, because it can’t be played here:" in page.text


def test_what_was_typed_there_is_kept_while_the_rules_are_read(over: Page) -> None:
    page = over.tap("Play again")
    rules = page.send("/partnership-pitch", {"house-target": "15", "seat-1": "Eve"}, press="Rules")
    assert "15" in rules.text

    fields = over.open().tap("Play again").form("/partnership-pitch").fields

    assert (fields["house-target"], fields["seat-1"], fields["seat-0"]) == ("15", "Eve", "Ann")
    other = over.phone.open("/new/partnership-pitch").form("/partnership-pitch").fields
    assert (other["house-target"], other["seat-1"]) == ("21", "")
