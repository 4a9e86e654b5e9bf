"""A question about the rules, asked on their page, in the menu of a match and where a hand is settled."""

import pytest
from flask.testing import FlaskClient

from scorekeeper.pitch.rules.codes import encode
from scorekeeper.pitch.rules.house_rules import HouseRules
from tests.common.guests import let_in
from tests.common.phone import Page, Phone
from tests.common.reading import read
from tests.pages.conftest import Begin

PITCH = "/rules/partnership-pitch"


def answers(client: FlaskClient, address: str) -> list[str]:
    return [part.one("h2").text for part in read(client.get(address).text).all("section", class_="answer")]


def test_the_rules_answer_with_their_own_sentence_and_its_number(client: FlaskClient) -> None:
    page = read(client.get(f"{PITCH}?q=tie+for+game").text)
    answer = page.one("section", class_="answer")

    assert answer.one("a", class_="no").attrs["href"] == "#count.game_tie"
    assert "If both sides tie for the most card points, nobody scores Game." in answer.text
    assert "Source: “Pitch”, www.pagat.com/allfours/pitch.html" in answer.text
    assert page.one("input", id="q").attrs["value"] == "tie for game"


def test_where_nothing_answers_the_sections_come_before_what_else_can_be_done(client: FlaskClient) -> None:
    code = encode(HouseRules("Ours", "partnership-pitch", {"dealer_steal": "no"}, ()))
    asked = client.get(f"/rules?r={code}&q=who+won+last+night").text
    assert asked.index("<summary>Sections") < asked.index("Play by these rules")

    sheet = client.get(f"/rules?r={code}").text
    assert sheet.index("Play by these rules") < sheet.index("<summary>Sections")


def test_a_house_rule_says_what_is_printed(client: FlaskClient) -> None:
    answer = read(client.get(f"{PITCH}?dealer_steal=no&q=can+the+dealer+steal").text).one("section", class_="answer")

    assert "No. The dealer cannot steal the bid." in answer.text
    assert "House rule. As printed: The dealer may steal the bid by matching it." in answer.text


def test_a_reading_says_that_it_is_one(client: FlaskClient) -> None:
    answer = read(client.get("/rules/colorado-ten-point?q=can+the+dealer+steal").text).one("section", class_="answer")

    assert "In whole or part an agreed reading." in answer.text
    assert "is silent; we read: Every bid is higher than the last, and the dealer may not match it" in answer.text


def test_what_stands_beside_the_answer_leads_to_its_rules(client: FlaskClient) -> None:
    near = read(client.get(f"{PITCH}?q=who+gets+low").text).one("ul", class_="near")

    assert [link.attrs["href"] for link in near.all("a")] == [
        *("#count.high", "#count.jack", "#count.game", "#count.game_tie", "#count.missing"),
        "#argue",
    ]


def test_what_the_rules_do_not_say_may_be_agreed_and_written_down(client: FlaskClient) -> None:
    page = read(client.get(f"{PITCH}?low=held&q=peeking").text)
    answer = page.one("section", class_="answer")
    link = answer.one("a").attrs["href"]

    assert answer.one("h2").text.strip() == "These rules say nothing about “peeking”."
    assert link == "/house/new?base=partnership-pitch&note=peeking&low=held#named"
    assert read(client.get(link).text).one("textarea").text.strip() == "peeking:"
    assert "open" in page.one("details", class_="contents").attrs


def test_where_the_source_is_silent_a_table_may_write_down_what_it_agreed(client: FlaskClient) -> None:
    page = read(client.get("/rules/pedro-seventeen?q=more+than+six+trumps").text)
    answer = page.one("section", class_="answer")

    links = [link.attrs["href"] for link in answer.all("a") if link.text == "Agree on it and write it down"]

    assert "Your table may play it differently." in answer.text
    assert links == ["/house/new?base=pedro-seventeen&note=more+than+six+trumps#named"]


def test_in_a_match_it_is_written_down_there_and_answers_from_then_on(match: Page, phone: Phone) -> None:
    rules = f"{match.path}rules?q=what+if+somebody+passes+gas"
    asked = phone.open(rules)
    assert "These rules say nothing" in asked.text

    note = asked.tap("Agree on it and write it down").form("/rules/change")
    assert note.fields["notes"].strip() == "what if somebody passes gas:"
    phone.post(note.action, note.filled({"notes": "what if somebody passes gas: lose the deal"}, "Start with hand 1"))

    answer = read(phone.open(rules).response.text).one("section", class_="answer")
    assert "what if somebody passes gas: lose the deal (on paper only)" in answer.text
    assert "House rule, in your own words." in answer.text


def test_where_the_sources_are_silent_its_line_says_so_and_the_table_may_write_down_what_it_agrees_on(
    client: FlaskClient,
) -> None:
    answer = read(client.get(f"{PITCH}?low=held&q=reneging").text).one("section", class_="answer")
    number, _, write_down = answer.all("a")

    assert number.attrs["href"] == "#argue.renege"
    assert "Renege (revoke): up to you" in answer.one("h2").text
    assert "Up to you: the sources are silent." in answer.text
    assert write_down.attrs["href"] == "/house/new?base=partnership-pitch&note=reneging&low=held#named"


def test_a_question_that_is_offered_is_answered(client: FlaskClient) -> None:
    page = read(client.get(f"{PITCH}?q=peeking").text)
    offered = [link.attrs["href"] for link in page.one("ul", class_="tries").all("a")]

    assert len(offered) == 3
    assert all("say nothing" not in answers(client, address)[0] for address in offered)


def test_a_question_keeps_the_rules_that_it_is_asked_of(client: FlaskClient) -> None:
    form = read(client.get(f"{PITCH}?low=held&q=who+gets+low").text).one("form", class_="askbox")

    assert [(it.attrs["name"], it.attrs.get("value")) for it in form.all("input")] == [
        ("low", "held"),
        ("q", "who gets low"),
    ]


@pytest.mark.parametrize("question", ["", "   ", "%00", "🂡" * 90, "<b>", "who won last night"])
def test_no_question_breaks_the_page(client: FlaskClient, question: str) -> None:
    page = client.get(PITCH, query_string={"q": question})

    assert page.status_code == 200
    assert "<b>”" not in page.text


def test_a_match_answers_by_its_own_rules(match: Page, phone: Phone) -> None:
    code = match.path.split("/")[2]
    form = read(phone.open(f"/matches/{code}/menu").response.text).one("form", class_="askbox")

    answered = read(phone.open(f"{form.attrs['action']}?q=who+wins").response.text)

    links = answered.one("section", class_="answer").all("a")
    assert [link.attrs["href"] for link in links] == [
        "#win.target",
        "#win.target",
        f"/matches/{code}/rules/change#rule-win_rule",
    ]


def test_a_phone_that_watches_is_answered_and_changes_nothing(match: Page, other_phone: Phone) -> None:
    watched = let_in(match, other_phone)

    answer = read(other_phone.open(f"{watched.path}rules?q=who+wins").response.text).one("section", class_="answer")

    assert [link.attrs["href"] for link in answer.all("a")] == ["#win.target", "#win.target"]


def test_only_an_owner_writes_down_what_was_agreed_in_a_match(begin: Begin, phone: Phone, other_phone: Phone) -> None:
    match = begin("racehorse")
    watched = let_in(match, other_phone)
    question = "rules?q=how+many+can+play"

    assert phone.open(f"{match.path}{question}").offers("Agree on it and write it down")
    assert not other_phone.open(f"{watched.path}{question}").offers("Agree on it and write it down")


def test_whoever_settles_a_hand_may_ask_its_rules(phone: Phone) -> None:
    page = phone.open("/settle?rules=partnership-pitch&house-target=11").response.text

    form = read(page).one("form", class_="askbox")

    assert form.attrs["action"] == "/rules"
    assert [it.attrs["name"] for it in form.all("input")] == ["r", "q"]
