"""The editor of house rules: questions, what differs, refusals that keep everything, and a name to save under."""

import re

import pytest
from flask.testing import FlaskClient

from scorekeeper.pages.house_rules.form import (
    FEW_ANSWERS,
    MAX_ARGUED,
    RulesForm,
    field_values,
    question_groups,
    read_form,
)
from scorekeeper.pitch.rules.questions import DISPUTED
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.web.library import library
from scorekeeper.web.widgets import QuestionView
from tests.common.library import each_ruleset
from tests.common.phone import Phone
from tests.common.reading import read

NEW = "/house/new?base=partnership-pitch"
HTMX = {"HX-Request": "true"}


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
    return re.findall(r"<li[^>]*>\s*<span>([^<]*)", part)


def saved(client: FlaskClient, **answers: str) -> str:
    """Save rules and return their address."""
    form = {"do": "save", "name": "The Millers’ Pitch", "rule-target": "15", **answers}
    location = client.post(NEW, data=form).headers["Location"]
    found = re.search(r"/house/([^/]+)/share", location)
    assert found
    return f"/house/{found[1]}"


def test_new_rules_begin_as_the_standard_ones(client: FlaskClient) -> None:
    text = client.get(NEW).text

    assert changes(text) == []
    assert (checked(text, "rule-dealer_steal"), number(text, "rule-target")) == ("yes", "21")


@each_ruleset
def test_every_ruleset_can_be_edited(client: FlaskClient, ruleset: Ruleset) -> None:
    answer = client.get(f"/house/new?base={ruleset.id}")

    assert answer.status_code == 200


@each_ruleset
def test_a_page_posted_untouched_changes_nothing(ruleset: Ruleset) -> None:
    shown = question_groups(RulesForm(ruleset), {})

    form = read_form(ruleset, dict(field_values(shown)))

    assert (form.answers, form.faults) == ({}, ())


@pytest.mark.parametrize("base", ["", "whist"])
def test_rules_are_saved_only_for_a_known_game(client: FlaskClient, base: str) -> None:
    assert client.post(f"/house/new?base={base}").status_code == 404


def test_a_change_is_shown_with_the_standard_rule_and_an_undo_button(client: FlaskClient) -> None:
    text = client.post(NEW, data={"rule-target": "15", "rule-dealer_steal": "no"}).text

    assert changes(text) == ["The dealer cannot steal the bid.", "Play to 15."]
    assert "<s>Play to 21.</s>" in text
    assert 'name="undo" value="target"' in text


def test_an_answer_is_remembered_while_others_are_given() -> None:
    form = read_form(library()["partnership-pitch"], {"said-target": "15", "rule-target": "15", "rule-smudge": "no"})

    assert form.answers == {"target": 15, "smudge": False}


def test_undo_reverts_one_change(client: FlaskClient) -> None:
    form = {"said-target": "15", "said-smudge": "no", "rule-target": "15", "rule-smudge": "no", "undo": "target"}

    text = client.post(NEW, data=form).text

    assert changes(text) == ["There is no smudge."]
    assert number(text, "rule-target") == "21"


def test_implied_changes_are_shown_and_undone_with_their_cause(client: FlaskClient) -> None:
    base = library()["partnership-pitch"]
    text = client.post(NEW, data={"rule-jokers": "2"}).text
    shown = {"said-jokers": "2", "rule-jokers": "0", "worth-high_joker": "1", "worth-low_joker": "1"}

    assert changes(text)[1:] == ["The High Joker scores 1.", "The Low Joker scores 1."]
    assert read_form(base, shown).answers == {}


@pytest.mark.parametrize(
    ("step", "posted", "target"),
    [
        ("rule-target:-1", "21", "20"),
        ("rule-target:1", "1000", "1000"),
        ("x:1", "21", "21"),
        ("rule-target:--1", "21", "21"),
    ],
)
def test_step_buttons_work_without_scripts(client: FlaskClient, step: str, posted: str, target: str) -> None:
    text = client.post(NEW, data={"rule-target": posted, "step": step}).text

    assert number(text, "rule-target") == target


def test_a_contradiction_is_refused_at_its_question_and_the_rest_of_the_form_is_kept(client: FlaskClient) -> None:
    form = {"do": "save", "name": "Ours", "notes": "A note.", "rule-min_bid": "9", "rule-smudge": "no"}

    answer = client.post(NEW, data=form)

    text = answer.text
    assert answer.status_code == 422
    at_question = read(text).one("div", id="rule-min_bid").text
    assert "The lowest bid is 9, but a hand is worth only 4. Choose 1 to 4." in at_question
    assert number(text, "rule-min_bid") == "9"
    assert checked(text, "rule-smudge") == "no"
    assert 'value="Ours"' in text
    assert "A note." in text
    assert "1 thing to fix first" in read(text).one("div", id="bottom_bar").text


@pytest.mark.parametrize("typed", ["5000", "0", "-3", "many", "1.5", "9" * 8])
def test_an_invalid_number_is_refused_and_stays_as_typed(client: FlaskClient, typed: str) -> None:
    answer = client.post(NEW, data={"do": "save", "name": "Ours", "rule-target": typed})

    text = answer.text
    assert answer.status_code == 422
    assert number(text, "rule-target") == typed
    assert "a number from 1 to 1000" in read(text).one("div", id="rule-target").text


def test_a_blank_number_means_none_or_the_standard_number() -> None:
    base = library()["partnership-pitch"]

    form = read_form(base, {"rule-target": "", "rule-min_bid": "", "worth-jack": ""})

    assert form.answers == {"target": None}


def test_low_has_only_one_answer(client: FlaskClient) -> None:
    answer = client.post(NEW, data={"do": "save", "name": "Ours", "rule-low": "held", "worth-low": "2"})

    assert answer.status_code == 422
    assert "one answer for Low" in answer.text


def test_a_refused_note_is_marked_and_the_button_still_saves(client: FlaskClient) -> None:
    answer = client.post(NEW, data={"do": "save", "name": "Ours", "notes": f"Fine.\n{'x' * 201}"})

    page = read(answer.text)
    assert answer.status_code == 422
    assert page.one("a", href="#notes").text == "Note 2 has 201 letters; 200 fit."
    assert page.one(id="notes").attrs["aria-invalid"] == "true"
    assert page.one("div", id="bottom_bar").text == "Save Play Partnership Pitch"


def test_everything_that_is_ruled_out_for_a_reason_is_named_with_it() -> None:
    form = RulesForm(library()["partnership-pitch"], {"joker": 1})

    points = next(group for group in question_groups(form, {}) if group.group_id == "points")

    reason = "The Joker is scored where there is just one in the deck."
    assert f"Jokers, High Joker and Low Joker: {reason}" in points.closed


@pytest.mark.parametrize(
    ("game", "answers", "is_asked", "is_explained"),
    [
        ("partnership-pitch", {}, False, False),
        ("partnership-pitch", {"rule-win_rule": "first_to_target"}, True, False),
        ("colorado-ten-point", {}, True, False),
        ("colorado-ten-point", {"rule-win_rule": "made_bid"}, False, True),
        ("colorado-ten-point", {"rule-win_rule": "made_bid", "rule-tie_rule": "higher_score"}, False, True),
    ],
)
def test_who_wins_a_tie_is_asked_where_there_can_be_one(
    game: str, answers: dict[str, str], is_asked: bool, is_explained: bool
) -> None:
    groups = question_groups(read_form(library()[game], answers), {})
    winning = next(group for group in groups if group.group_id == "winning")

    assert any("rule-tie_rule" in group.fields for group in groups) == is_asked
    assert any(line.startswith("Both reach it") for line in winning.closed) == is_explained


def test_rules_without_a_name_are_called_after_their_game(client: FlaskClient) -> None:
    address = saved(client, name="  ")

    assert "Our Partnership Pitch" in client.get(address).text


@each_ruleset
def test_what_a_game_is_argued_about_is_asked_first(ruleset: Ruleset) -> None:
    first, *rest = question_groups(RulesForm(ruleset), {})

    argued = [*dict.fromkeys((*ruleset.sheet.argued, "target", *DISPUTED, "jokers"))]
    names = [name.partition("-")[2] for name in first.fields]
    asked = dict(zip(names, first.items, strict=True))
    many = {
        name for name, found in asked.items() if isinstance(found, QuestionView) and len(found.choices) > FEW_ANSWERS
    }
    assert names == sorted((name for name in argued if name in names), key=many.__contains__)
    assert 0 < len(names) <= MAX_ARGUED
    assert not {*first.fields} & {name for group in rest for name in group.fields}


def test_an_answer_that_changes_nothing_says_so(client: FlaskClient) -> None:
    changed = {"said-dealer_steal": "no", "rule-dealer_steal": "yes"}

    page = read(client.post(NEW, data=changed).text)

    assert page.one(id="at-rule-dealer_steal").text == "no change"
    assert "said-dealer_steal" not in {field.attrs.get("name") for field in page.one(id="diff").all("input")}


@pytest.mark.parametrize("data", [{"step": "worth-jack:1", "worth-jack": "1"}, {"worth-jack": "x"}])
def test_what_was_stepped_or_is_to_be_corrected_is_unfolded(client: FlaskClient, data: dict[str, str]) -> None:
    page = read(client.post(NEW, data=data).text)

    assert "open" in page.one(id="kind-points").attrs
    assert "open" not in page.one(id="kind-bidding").attrs


def test_rules_are_saved_before_they_are_played(client: FlaskClient) -> None:
    form = {"do": "play", "name": "The Millers’ Pitch", "rule-target": "15", "client_key": "a"}

    place = client.post(NEW, data=form).headers["Location"]

    assert place.startswith("/new/partnership-pitch?r=")
    assert client.get(place).status_code == 200
    assert "The Millers’ Pitch" in client.get("/house").text


def test_a_game_that_is_not_changed_is_played_as_it_is(client: FlaskClient) -> None:
    bar = read(client.get(NEW).text).one(id="bottom_bar")

    assert [(link.text, link.attrs["href"]) for link in bar.all("a")] == [
        ("Play Partnership Pitch", "/new/partnership-pitch")
    ]


def test_saved_rules_say_what_is_different_and_lead_on(client: FlaskClient) -> None:
    address = saved(client)
    page = read(client.get(f"{address}/share?said=saved").text)

    assert page.one("ul", class_="changes").text == "Play to 15. as printed: Play to 21."
    assert page.one("h2", class_="saved").text == "Saved"
    links = [link.text for link in page.one("footer").all("a")]
    assert links == ["Print", "Play by these rules"]


def test_unknown_fields_and_answers_are_ignored() -> None:
    posted = {"said-target": "[]", "said-fly": "1", "rule-fly": "1", "worth-x": "3", "said-jack": "500", "step": ":::"}

    form = read_form(library()["partnership-pitch"], posted)

    assert (form.answers, form.faults) == ({}, ())


def test_a_change_is_saved_and_can_be_undone(client: FlaskClient) -> None:
    address = saved(client)
    form = {"do": "save", "name": "Ours", "version": "1", "said-target": "15", "rule-target": "11", "client_key": "b"}

    location = client.post(address, data=form).headers["Location"]
    listed = client.get(location).text
    client.post(f"{address}/back", data={"to": hidden(listed, "to"), "client_key": "c"})

    assert "Saved" in listed
    assert changes(client.get(address).text) == ["Play to 15."]


def test_archived_rules_are_hidden_until_they_are_restored(client: FlaskClient) -> None:
    address = saved(client)

    client.post(f"{address}/retire", data={"client_key": "b"})
    retired = read(client.get("/house").text)
    offered = client.get("/new").text
    client.post(f"{address}/back", data={"client_key": "c"})

    assert "The Millers’ Pitch" in retired.one("details").text
    assert "The Millers’ Pitch" not in offered
    assert "The Millers’ Pitch" in client.get("/new").text


def test_a_copy_opens_in_the_editor(client: FlaskClient) -> None:
    address = saved(client)

    copy = client.post(f"{address}/copy", data={"client_key": "b"}).headers["Location"]

    assert copy != address
    assert "The Millers’ Pitch (copy)" in client.get(copy).text


def test_an_unknown_code_is_not_found(client: FlaskClient) -> None:
    gets = [client.get(f"/house/nowhere{end}") for end in ("", "/share", "/rules.toml")]
    posts = [client.post(f"/house/nowhere{end}") for end in ("", "/copy", "/retire", "/back")]

    assert {answer.status_code for answer in (*gets, *posts)} == {404}
    assert "Page not found" in gets[0].text


def test_a_change_stands_right_under_its_question(client: FlaskClient) -> None:
    page = read(client.post(NEW, data={"rule-target": "15", "worth-jack": "2"}).text)

    assert page.one(id="at-rule-target").text == "Play to 15. Play to 21."
    assert page.one(id="at-worth-jack").text == "The Jack scores 2. The Jack scores 1."
    assert page.one(id="at-rule-dealer_steal").text == ""


def test_game_that_the_ten_wins_is_not_explained_by_card_points(client: FlaskClient) -> None:
    page = read(client.post(NEW, data={"rule-game_rule": "ten_of_trumps"}).text)

    assert "the ten of trumps, won in a trick" in page.one(id="worth-game").text
    assert "card points" not in page.one(id="worth-game").text


def test_a_second_phone_changes_only_what_it_touched(phone: Phone, other_phone: Phone) -> None:
    page = phone.open(NEW)
    form = page.form("base=partnership-pitch")
    said = {"name": "Ours", "notes": "Cut for deal.\nLoser deals."}
    phone.post(form.action, {**form.fields, **said, "rule-target": "15", "do": "save"})
    address = next(link.attrs["href"] for link in phone.open("/house").all("a") if link.label == "Ours")
    mine, theirs = phone.open(address), other_phone.open(address)
    kept = {"notes": "Cut for deal.\nLoser deals."}
    other_phone.post(
        address,
        {**theirs.form(address).fields, "rule-target": "11", "name": "Millers", "notes": "Loser deals.", "do": "save"},
    )

    looked = phone.post(address, {**mine.form(address).fields, **kept, "rule-dealer_steal": "no"})
    more = {"notes": "Cut for deal.\nLoser deals.\nNo talking."}
    refused = phone.post(address, {**looked.form(address).fields, **more, "do": "save"})
    now = refused.form(address).fields
    notes = refused.part("notes").text
    phone.post(address, {**now, "notes": "Loser deals.\nNo talking.", "do": "save"})

    assert refused.status == 409
    assert "Another phone changed these rules first" in refused.faults
    assert "Play to 11." in refused.faults
    assert (now["rule-target"], now["name"], notes) == ("11", "Millers", "Loser deals. No talking.")
    saved = phone.open(address).response.text
    assert changes(saved) == ["The dealer cannot steal the bid.", "Play to 11."]


def test_an_undo_takes_back_only_what_was_saved_before_it(phone: Phone, other_phone: Phone) -> None:
    phone.open(NEW).post("base=partnership-pitch", {"name": "Ours", "rule-target": "15", "do": "save"})
    address = next(link.attrs["href"] for link in phone.open("/house").all("a") if link.label == "Ours")
    listed = phone.post(address, {**phone.open(address).form(address).fields, "rule-target": "18", "do": "save"})
    theirs = other_phone.open(address).form(address)
    other_phone.post(address, {**theirs.fields, "rule-dealer_steal": "no", "do": "save"})

    refused = listed.tap("Undo")

    assert refused.status == 409
    assert "Another phone changed these rules first" in refused.faults
    assert changes(phone.open(address).response.text) == ["The dealer cannot steal the bid.", "Play to 18."]
