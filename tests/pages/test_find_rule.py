"""A rule is found by a few words, on the page of the rules, in the menu of a match and where a hand is settled."""

from urllib.parse import urlencode

from tests.common.guests import let_in
from tests.common.phone import Page, Phone

PITCH = "/rules/partnership-pitch"
WRITE_DOWN = "Agree on it and write it down"


def test_the_nearest_rule_stands_with_its_sentence_its_section_and_its_number(phone: Phone) -> None:
    page = phone.open(f"{PITCH}?q=tie+for+game")
    nearest = page.one("section", class_="found-rule")

    assert nearest.one("a", class_="no").attrs["href"] == f"{PITCH}#count.game_tie"
    assert "If both sides tie for the most card points, nobody scores Game." in nearest.text
    assert "Count" in nearest.one("p", class_="place").text
    assert "Source: “Pitch”, www.pagat.com/allfours/pitch.html" in nearest.text
    assert page.one("input", id="q").attrs["value"] == "tie for game"


def test_the_next_nearest_and_all_sections_lead_to_their_place_in_the_rules(phone: Phone) -> None:
    page = phone.open(f"{PITCH}?low=held&q=who+gets+low")

    near = [link.attrs["href"] for link in page.one("ul", class_="near").all("a")]
    sections = [link.attrs["href"] for link in page.one("ul", class_="sections").all("a")]

    assert len(near) == 2
    assert all(found.startswith(f"{PITCH}?low=held#") for found in near)
    assert sections[:2] == [f"{PITCH}?low=held#players", f"{PITCH}?low=held#deal"]


def test_where_no_word_is_shared_the_rules_may_not_say_and_the_sections_stand_open(phone: Phone) -> None:
    page = phone.open(f"{PITCH}?low=held&q=qqqq")

    assert page.one("section", class_="found-rule").text.strip() == "These rules may not say."
    assert page.one("ul", class_="sections")
    assert not page.all("ul", class_="near")
    assert page.all("a", href="/house/new?base=partnership-pitch&note=qqqq&low=held#named")


def test_where_only_letters_are_shared_the_nearest_stand_below_that_the_rules_may_not_say(phone: Phone) -> None:
    page = phone.open(f"{PITCH}?q=reneeging")

    assert page.one("section", class_="found-rule").text.strip() == "These rules may not say. Nearest:"
    assert len(page.one("ul", class_="near").all("a")) == 3


def test_without_words_the_page_offers_some_that_find_rules(phone: Phone) -> None:
    page = phone.open(f"{PITCH}?q=")
    offered = [link.attrs["href"] for link in page.one("ul", class_="tries").all("a")]

    assert "Type a few words" in page.one("section", class_="found-rule").text
    assert len(offered) == 3
    assert all(phone.open(found).all("ul", class_="near") for found in offered)


def test_a_house_rule_says_what_is_printed(phone: Phone) -> None:
    nearest = phone.open(f"{PITCH}?dealer_steal=no&q=can+the+dealer+steal").one(class_="found-rule")

    assert "The dealer cannot steal the bid." in nearest.text
    assert "House rule. As printed: The dealer may steal the bid by matching it." in nearest.text


def test_a_reading_says_that_it_is_one(phone: Phone) -> None:
    nearest = phone.open("/rules/colorado-ten-point?q=can+the+dealer+steal").one(class_="found-rule")

    assert "In whole or part an agreed reading." in nearest.text
    assert "is silent; we read: Every bid is higher than the last, and the dealer may not match it" in nearest.text


def test_a_card_that_takes_the_place_of_low_says_so(phone: Phone) -> None:
    nearest = phone.open("/rules/colorado-ten-point?q=who+gets+low").one(class_="found-rule")

    assert "The side that plays the Deuce scores 1, no matter who wins the trick." in nearest.text
    assert "In this game the Deuce takes the place of Low." in nearest.text


def test_in_a_match_it_is_written_down_there_and_found_from_then_on(match: Page, phone: Phone) -> None:
    rules = f"{match.path}rules?q=what+if+somebody+passes+gas"
    searched = phone.open(rules)

    note = searched.tap(WRITE_DOWN).form("/rules/change")
    assert note.fields["notes"].strip() == "what if somebody passes gas:"
    phone.post(note.action, note.filled({"notes": "what if somebody passes gas: lose the deal"}, "Start with hand 1"))

    nearest = phone.open(rules).one("section", class_="found-rule")
    assert "what if somebody passes gas: lose the deal (on paper only)" in nearest.text
    assert "House rule, in your own words." in nearest.text


def test_where_the_sources_are_silent_its_line_says_so(phone: Phone) -> None:
    nearest = phone.open(f"{PITCH}?q=reneging").one("section", class_="found-rule")

    assert nearest.one("a").attrs["href"] == f"{PITCH}#argue.renege"
    assert "Renege (revoke): up to you" in nearest.one("h2").text
    assert "Up to you: the sources are silent." in nearest.text


def test_a_search_keeps_the_rules_that_it_is_made_in(phone: Phone) -> None:
    form = phone.open(f"{PITCH}?low=held&q=who+gets+low").one("form", class_="rule-search")

    assert {field.attrs["name"]: field.attrs.get("value") for field in form.all("input")} == {
        "low": "held",
        "q": "who gets low",
    }


def test_two_hundred_letters_are_searched(phone: Phone) -> None:
    text = f"{'my cousin and I never settled it at the last reunion; ' * 2}now we have a tie for game"

    page = phone.open(f"{PITCH}?{urlencode({'q': text})}")

    assert page.one("input", id="q").attrs["value"] == text
    assert page.one("input", id="q").attrs["maxlength"] == "200"


def test_a_match_is_searched_by_its_own_rules(match: Page, phone: Phone) -> None:
    form = match.open("menu").one("form", class_="rule-search")

    page = phone.open(f"{form.attrs['action']}?q=who+wins")

    assert [link.attrs["href"] for link in page.one("section", class_="found-rule").all("a")] == [
        f"{match.path}rules#win.target",
        f"{match.path}rules/change#rule-win_rule",
    ]


def test_a_phone_that_watches_finds_a_rule_and_changes_nothing(match: Page, other_phone: Phone) -> None:
    watched = let_in(match, other_phone)

    page = other_phone.open(f"{watched.path}rules?q=who+wins")

    links = page.one("section", class_="found-rule").all("a")
    assert [link.attrs["href"] for link in links] == [f"{watched.path}rules#win.target"]
    assert not page.offers(WRITE_DOWN)


def test_rules_of_a_hand_that_is_settled_are_searched(phone: Phone) -> None:
    form = phone.open("/settle?rules=partnership-pitch&house-target=11").one("form", class_="rule-search")

    assert form.attrs["action"] == "/rules"
    assert [field.attrs["name"] for field in form.all("input")] == ["r", "q"]
