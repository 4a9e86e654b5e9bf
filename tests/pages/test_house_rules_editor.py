"""The editor of house rules: questions, what differs, refusals that keep everything, and a name to save under."""

import pytest

from scorekeeper.pages.house_rules.form import (
    MAX_DISPUTED_QUESTIONS,
    MAX_FEW_ANSWERS,
    RulesForm,
    question_groups,
    read_form,
)
from scorekeeper.pitch.rules.questions import DISPUTED_OPTIONS
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.web.library import library
from scorekeeper.web.widgets import QuestionView
from tests.common.library import each_ruleset
from tests.common.phone import Page, Phone

NEW, PITCH = "/house/new?base=partnership-pitch", "partnership-pitch"
NAME = "The Millers’ Pitch"

pytestmark = pytest.mark.usefixtures("client")  # forms are sent without their token


def changes(page: Page) -> list[str]:
    """Return what the editor lists as different."""
    return [str(item.all("span")[0].inside[0]).strip() for item in page.part("diff").all("li")]


def saved(phone: Phone, **answers: str) -> str:
    """Save rules and return their address."""
    page = phone.post(NEW, {"do": "save", "name": NAME, "rule-target": "15", **answers})
    return page.path.removesuffix("/share")


@each_ruleset
def test_every_ruleset_can_be_edited_and_a_page_posted_untouched_changes_nothing(
    phone: Phone, ruleset: Ruleset
) -> None:
    shown = question_groups(RulesForm(ruleset), {})

    form = read_form(ruleset, {item.field: item.value for group in shown for item in group.every_item})

    assert (form.answers, form.faults) == ({}, ())
    assert phone.open(f"/house/new?base={ruleset.id}").status == 200


@pytest.mark.parametrize("base", ["", "whist"])
def test_rules_are_saved_only_for_a_known_game(phone: Phone, base: str) -> None:
    assert phone.post(f"/house/new?base={base}", {}).status == 404


@pytest.mark.parametrize(
    ("posted", "answers"),
    [
        ({"said-target": "15", "rule-target": "15", "rule-smudge": "no"}, {"target": 15, "smudge": False}),
        ({"said-jokers": "2", "rule-jokers": "0", "worth-high_joker": "1", "worth-low_joker": "1"}, {}),
        ({"rule-target": "", "rule-min_bid": "", "worth-jack": ""}, {"target": None}),
        ({"said-target": "[]", "said-fly": "1", "rule-fly": "1", "worth-x": "3", "said-jack": "500", "step": "::"}, {}),
    ],
    ids=["remembered", "undone with what it implied", "blank is none or the standard", "unknown"],
)
def test_a_form_is_the_answers_that_differ(posted: dict[str, str], answers: dict[str, object]) -> None:
    form = read_form(library()[PITCH], posted)

    assert (form.answers, form.faults) == (answers, ())


def test_everything_that_is_ruled_out_for_a_reason_is_named_with_it() -> None:
    groups = question_groups(RulesForm(library()[PITCH], {"joker": 1}), {})

    reason = "A point for the only joker needs just one in the deck."
    assert f"Jokers, High Joker and Low Joker: {reason}" in [line for group in groups for line in group.closed]


@each_ruleset
def test_what_a_game_is_argued_about_is_asked_first(ruleset: Ruleset) -> None:
    first, *rest = question_groups(RulesForm(ruleset), {})

    argued = [*dict.fromkeys((*ruleset.sheet.argued, "target", *DISPUTED_OPTIONS, "jokers"))]
    names = [name.partition("-")[2] for name in first.fields]
    questions = dict(zip(names, first.items, strict=True))
    many = {
        name
        for name, found in questions.items()
        if isinstance(found, QuestionView) and len(found.choices) > MAX_FEW_ANSWERS
    }
    assert names == sorted((name for name in argued if name in names), key=many.__contains__)
    assert 0 < len(names) <= MAX_DISPUTED_QUESTIONS
    assert not {*first.fields} & {name for group in rest for name in group.fields}


def test_rules_are_saved_before_they_are_played(phone: Phone) -> None:
    form = {"do": "play", "name": NAME, "rule-target": "15", "client_key": "a"}

    location = phone.post(NEW, form, follow=False).response.headers["Location"]

    assert location.startswith("/new/partnership-pitch?r=")
    assert phone.open(location).status == 200
    assert NAME in phone.open("/house").text


def test_a_change_is_saved_and_can_be_undone(phone: Phone) -> None:
    address = saved(phone)

    listed = phone.open(address).post(address, {"do": "save", "name": "Ours", "rule-target": "11"})
    listed.tap("Undo")

    assert "Saved" in listed.text
    assert "These rules have no such version." in phone.post(f"{address}/back", {"to": "99"}).faults
    assert changes(phone.open(address)) == ["Play to 15."]


def test_archived_rules_are_hidden_until_they_are_restored(phone: Phone) -> None:
    address = saved(phone)

    phone.post(f"{address}/retire", {"client_key": "b"})
    archived, offered = phone.open("/house"), phone.open("/new").text
    phone.post(f"{address}/back", {"client_key": "c"})

    assert NAME in archived.one("details").text
    assert NAME not in offered
    assert NAME in phone.open("/new").text


def test_a_copy_opens_in_the_editor(phone: Phone) -> None:
    address = saved(phone)

    copy = phone.post(f"{address}/copy", {"client_key": "b"})

    assert copy.path != address
    assert f"{NAME} (copy)" in copy.text


def test_what_is_sent_to_an_unknown_code_is_not_found(phone: Phone) -> None:
    assert {phone.post(f"/house/nowhere{end}", {}).status for end in ("", "/copy", "/retire", "/back")} == {404}


def test_a_second_phone_changes_only_what_it_touched(phone: Phone, other_phone: Phone) -> None:
    address = saved(phone, notes="Cut for deal.\nLoser deals.")
    mine, theirs = phone.open(address), other_phone.open(address)
    theirs.post(address, {"rule-target": "11", "name": "Millers", "notes": "Loser deals.", "do": "save"})

    looked = mine.post(address, {"notes": "Cut for deal.\nLoser deals.", "rule-dealer_steal": "no"})
    refused = looked.post(address, {"notes": "Cut for deal.\nLoser deals.\nNo talking.", "do": "save"})
    refused.post(address, {"notes": "Loser deals.\nNo talking.", "do": "save"})

    assert refused.status == 409
    assert "Another phone changed these rules first" in refused.faults
    assert "Play to 11." in refused.faults
    now = refused.form(address).fields
    assert (now["rule-target"], now["name"], refused.part("notes").text) == (
        "11",
        "Millers",
        "Loser deals. No talking.",
    )
    assert changes(phone.open(address)) == ["The dealer cannot steal the bid.", "Play to 11."]


def test_an_undo_takes_back_only_what_was_saved_before_it(phone: Phone, other_phone: Phone) -> None:
    address = saved(phone)
    listed = phone.open(address).post(address, {"rule-target": "18", "do": "save"})
    other_phone.open(address).post(address, {"rule-dealer_steal": "no", "do": "save"})

    refused = listed.tap("Undo")

    assert refused.status == 409
    assert "Another phone changed these rules first" in refused.faults
    assert changes(phone.open(address)) == ["The dealer cannot steal the bid.", "Play to 18."]
