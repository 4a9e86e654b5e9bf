"""The composer: questions, what differs, refusals that keep everything, and a name to save under."""

import re

import pytest
from flask.testing import FlaskClient

from scorekeeper.rules.house import HouseRules
from scorekeeper.web.forms.composer import RulesDraft, from_form
from scorekeeper.web.present.composer import Questions, values_of
from scorekeeper.web.rulesets import library
from tests.web.reading import read

NEW = "/house/new?base=partnership-pitch"
PART = {"HX-Request": "true"}


def hidden(text: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', text)
    assert found, name
    return found[1]


def checked(text: str, field: str) -> str:
    found = re.search(rf'name="{field}" value="([^"]*)"[^>]* checked', text)
    return found[1] if found else ""


def number(text: str, field: str) -> str:
    found = re.search(rf'name="{field}"[^>]* value="([^"]*)"', text)
    assert found, field
    return found[1]


def changes(text: str) -> list[str]:
    part = text[text.index('id="diff"') : text.index('id="questions"') if 'id="questions"' in text else None]
    return re.findall(r"<li[^>]*><span>([^<]*)", part)


def saved(client: FlaskClient, **answers: str) -> str:
    """Save rules and give their address."""
    form = {"do": "save", "name": "The Millers’ Pitch", "rule-target": "15", **answers}
    place = client.post(NEW, data=form).headers["Location"]
    found = re.search(r"house=([^&]+)", place)
    assert found
    return f"/house/{found[1]}"


def test_new_rules_begin_as_the_book_has_them(client: FlaskClient) -> None:
    text = client.get(NEW).get_data(as_text=True)

    assert changes(text) == []
    assert (checked(text, "rule-dealer_steal"), number(text, "rule-target")) == ("yes", "21")


@pytest.mark.parametrize("ruleset", list(library()), ids=lambda ruleset: ruleset.id)
def test_every_variant_can_be_composed(client: FlaskClient, ruleset: object) -> None:
    answer = client.get(f"/house/new?base={ruleset.id}")  # type: ignore[attr-defined]

    assert answer.status_code == 200


@pytest.mark.parametrize("ruleset", list(library()), ids=lambda ruleset: ruleset.id)
def test_a_page_sent_back_untouched_changes_nothing(client: FlaskClient, ruleset: object) -> None:
    draft = RulesDraft(ruleset)  # type: ignore[arg-type]

    again = from_form(draft.base, dict(values_of(Questions(draft).groups)))

    assert (again.said, again.faults) == ({}, ())


@pytest.mark.parametrize("base", ["", "whist"])
def test_there_has_to_be_a_game_to_begin_with(client: FlaskClient, base: str) -> None:
    assert client.post(f"/house/new?base={base}").status_code == 404


def test_a_change_is_told_with_what_the_book_says_and_a_way_back(client: FlaskClient) -> None:
    text = client.post(NEW, data={"rule-target": "15", "rule-dealer_steal": "no"}).get_data(as_text=True)

    assert changes(text) == ["The dealer, too, must bid higher.", "The match is played to 15."]
    assert "<s>The match is played to 21.</s>" in text
    assert 'name="undo" value="target"' in text


def test_an_answer_is_remembered_while_others_are_given(client: FlaskClient) -> None:
    draft = from_form(library()["partnership-pitch"], {"said-target": "15", "rule-target": "15", "rule-smudge": "no"})

    assert draft.said == {"target": 15, "smudge": False}


def test_undo_takes_one_change_back(client: FlaskClient) -> None:
    form = {"said-target": "15", "said-smudge": "no", "rule-target": "15", "rule-smudge": "no", "undo": "target"}

    text = client.post(NEW, data=form).get_data(as_text=True)

    assert changes(text) == ["There is no smudge."]
    assert number(text, "rule-target") == "21"


def test_what_follows_from_a_change_is_told_and_goes_back_with_it(client: FlaskClient) -> None:
    base = library()["partnership-pitch"]
    text = client.post(NEW, data={"rule-jokers": "2"}).get_data(as_text=True)
    shown = {"said-jokers": "2", "rule-jokers": "0", "worth-high_joker": "1", "worth-low_joker": "1"}

    assert changes(text)[1:] == ["The High Joker scores 1.", "The Low Joker scores 1."]
    assert from_form(base, shown).said == {}


@pytest.mark.parametrize(
    ("step", "posted", "target"),
    [("rule-target:-1", "21", "20"), ("rule-target:1", "1000", "1000"), ("x:1", "21", "21")],
)
def test_a_number_is_stepped_without_scripts(client: FlaskClient, step: str, posted: str, target: str) -> None:
    text = client.post(NEW, data={"rule-target": posted, "step": step}).get_data(as_text=True)

    assert number(text, "rule-target") == target


def test_a_contradiction_is_refused_at_its_question_with_the_reason_and_everything_is_kept(client: FlaskClient) -> None:
    form = {"do": "save", "name": "Ours", "notes": "A note.", "rule-min_bid": "9", "rule-smudge": "no"}

    answer = client.post(NEW, data=form)

    text = answer.get_data(as_text=True)
    assert answer.status_code == 422
    at_question = read(text).one("div", id="rule-min_bid").text
    assert "The lowest bid is 9, but a hand is worth only 4. Choose 1 to 4." in at_question
    assert number(text, "rule-min_bid") == "9"
    assert checked(text, "rule-smudge") == "no"
    assert 'value="Ours"' in text
    assert "A note." in text
    assert "1 thing to put right first" in read(text).one("div", id="foot").text


@pytest.mark.parametrize("typed", ["5000", "0", "-3", "many", "1.5", "9" * 8])
def test_what_is_no_number_is_kept_as_it_was_typed(client: FlaskClient, typed: str) -> None:
    answer = client.post(NEW, data={"do": "save", "name": "Ours", "rule-target": typed})

    text = answer.get_data(as_text=True)
    assert answer.status_code == 422
    assert number(text, "rule-target") == typed
    assert "a number from 1 to 1000" in read(text).one("div", id="rule-target").text


def test_a_number_left_blank_is_none_or_the_books(client: FlaskClient) -> None:
    base = library()["partnership-pitch"]

    draft = from_form(base, {"rule-target": "", "rule-min_bid": "", "worth-jack": ""})

    assert draft.said == {"target": None}


def test_low_is_answered_in_one_way_only(client: FlaskClient) -> None:
    answer = client.post(NEW, data={"do": "save", "name": "Ours", "rule-low": "held", "worth-low": "2"})

    assert answer.status_code == 422
    assert "one answer for Low" in answer.get_data(as_text=True)


def test_rules_need_a_name(client: FlaskClient) -> None:
    answer = client.post(NEW, data={"do": "save", "name": "  ", "rule-target": "15"})

    text = answer.get_data(as_text=True)
    assert answer.status_code == 422
    assert "Give these rules a name" in text
    assert number(text, "rule-target") == "15"


def test_a_tampered_page_is_read_like_any_other(client: FlaskClient) -> None:
    form = {"said-target": "[]", "said-fly": "1", "rule-fly": "1", "worth-x": "3", "said-jack": "500", "step": ":::"}

    draft = from_form(library()["partnership-pitch"], form)

    assert (draft.said, draft.faults) == ({}, ())


def test_saved_rules_are_kept_and_listed(client: FlaskClient) -> None:
    address = saved(client, notes="Loser does the dishes.\r\n\r\nOma shuffles.")

    listed = client.get("/house").get_data(as_text=True)
    shown = client.get(address).get_data(as_text=True)

    assert f'href="{address}"' in listed
    assert "from Partnership Pitch, to 15" in listed
    assert changes(shown) == ["The match is played to 15."]
    assert "Loser does the dishes.\nOma shuffles.</textarea>" in shown


def test_a_change_is_saved_and_can_be_undone(client: FlaskClient) -> None:
    address = saved(client)
    form = {"do": "save", "name": "Ours", "version": "1", "said-target": "15", "rule-target": "11", "client_key": "b"}

    place = client.post(address, data=form).headers["Location"]
    said = client.get(place).get_data(as_text=True)
    client.post(f"{address}/back", data={"to": hidden(said, "to"), "client_key": "c"})

    assert "Ours is saved." in said
    assert changes(client.get(address).get_data(as_text=True)) == ["The match is played to 15."]


def test_who_saves_second_sees_it_and_keeps_what_was_entered(client: FlaskClient) -> None:
    address = saved(client)
    form = {"do": "save", "version": "1", "said-target": "15"}
    client.post(address, data={**form, "name": "First", "rule-target": "11", "client_key": "b"})

    answer = client.post(address, data={**form, "name": "Second", "rule-target": "12", "client_key": "c"})
    text = answer.get_data(as_text=True)
    again = client.post(
        address, data={**form, "name": "Second", "rule-target": "12", "version": hidden(text, "version")}
    )

    assert answer.status_code == 409
    assert "Another phone changed these rules first" in text
    assert (number(text, "rule-target"), again.status_code) == ("12", 303)


def test_what_is_retired_is_folded_away_and_put_back(client: FlaskClient) -> None:
    address = saved(client)

    client.post(f"{address}/retire", data={"client_key": "b"})
    retired = read(client.get("/house").get_data(as_text=True))
    offered = client.get("/new").get_data(as_text=True)
    client.post(f"{address}/back", data={"client_key": "c"})

    assert "The Millers’ Pitch" in retired.one("details").text
    assert "The Millers’ Pitch" not in offered
    assert "The Millers’ Pitch" in client.get("/new").get_data(as_text=True)


def test_a_copy_is_gone_on_with(client: FlaskClient) -> None:
    address = saved(client)

    copy = client.post(f"{address}/copy", data={"client_key": "b"}).headers["Location"]

    assert copy != address
    assert "The Millers’ Pitch (copy)" in client.get(copy).get_data(as_text=True)


def test_rules_that_nobody_has_are_not_found(client: FlaskClient) -> None:
    assert [client.get(f"/house/nowhere{end}").status_code for end in ("", "/share", "/rules.toml")] == [404] * 3


def test_a_phone_gets_only_what_changed(client: FlaskClient) -> None:
    asks = hidden(client.get(NEW).get_data(as_text=True), "asks")

    small = client.post(NEW, data={"rule-dealer_steal": "no", "asks": asks}, headers=PART).get_data(as_text=True)
    large = client.post(NEW, data={"rule-moon": "stake", "asks": asks}, headers=PART).get_data(as_text=True)

    assert ('id="diff"' in small, 'id="foot"' in small, 'id="questions"' in small) == (True, True, False)
    assert 'id="questions"' in large
    assert 'name="rule-moon_made"' in large


def test_parts_are_in_their_page(client: FlaskClient) -> None:
    form = {"rule-moon": "stake", "rule-target": "15"}

    part = client.post(NEW, data=form, headers=PART).get_data(as_text=True)
    whole = client.post(NEW, data=form).get_data(as_text=True)

    for block in re.split(r"\n\n+(?=<div id)", part.strip()):
        assert re.sub(r"\s+", " ", block).strip() in re.sub(r"\s+", " ", whole)


HOSTILE = "<script>alert(1)</script>\"'&{{7*7}}"


def test_hostile_names_and_notes_stay_text(client: FlaskClient) -> None:
    address = saved(client, name=HOSTILE, notes=HOSTILE)
    pages = [client.get(path).get_data(as_text=True) for path in (address, "/house", "/new", f"{address}/share")]

    assert not [text for text in pages if "<script>alert" in text or "49" in re.findall(r"<h1>.*?</h1>", text)[0]]
    assert "&lt;script&gt;alert(1)" in pages[0]


def test_a_draft_knows_its_rules() -> None:
    draft = RulesDraft(library()["partnership-pitch"], {"target": 15}, name="Ours", notes=("x",))

    assert draft.house() == HouseRules("Ours", "partnership-pitch", {"target": 15}, ("x",))
