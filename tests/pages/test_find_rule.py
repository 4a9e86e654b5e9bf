"""A rule is found by a few words, on the page of the rules, in the menu of a match and where a hand is settled."""

from tests.common.guests import let_in
from tests.common.phone import Page, Phone

PITCH = "/rules/partnership-pitch"
WRITE_DOWN = "Agree on it and write it down"


def test_without_words_the_page_offers_some_that_find_rules(phone: Phone) -> None:
    page = phone.open(f"{PITCH}?q=")
    offered = [link.attrs["href"] for link in page.one("ul", class_="tries").all("a")]

    assert "Type a few words" in page.one("section", class_="found-rule").text
    assert len(offered) == 3
    assert all(phone.open(found).all("ul", class_="near") for found in offered)


def test_in_a_match_it_is_written_down_there_and_found_from_then_on(match: Page, phone: Phone) -> None:
    rules = f"{match.path}rules?q=what+if+somebody+passes+gas"
    searched = phone.open(rules)

    note = searched.tap(WRITE_DOWN).form("/rules/change")
    assert note.fields["notes"].strip() == "what if somebody passes gas:"
    phone.post(note.action, note.filled({"notes": "what if somebody passes gas: lose the deal"}, "Start with hand 1"))

    nearest = phone.open(rules).one("section", class_="found-rule")
    assert "what if somebody passes gas: lose the deal (on paper only)" in nearest.text
    assert "House rule, in your own words." in nearest.text


def test_a_phone_that_watches_finds_a_rule_and_changes_nothing(match: Page, other_phone: Phone) -> None:
    watched = let_in(match, other_phone)

    page = other_phone.open(f"{watched.path}rules?q=who+wins")

    links = page.one("section", class_="found-rule").all("a")
    assert [link.attrs["href"] for link in links] == [f"{watched.path}rules#win.target"]
    assert not page.offers(WRITE_DOWN)
