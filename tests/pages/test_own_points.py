"""A point of a family's own, in the editor, in a match by these rules, and on its sheet."""

from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from scorekeeper.pages.house_rules.form import read_form
from scorekeeper.pitch.rules.codes import encode
from scorekeeper.pitch.rules.house_rules import HouseRules
from scorekeeper.web.library import library
from tests.common.phone import Page as Match
from tests.common.phone import Phone
from tests.common.reading import read
from tests.pages.conftest import PEOPLE, record
from tests.pages.test_house_rules_editor import HTMX, NEW, changes, hidden, saved

LADY = {"own_1-name": "Black Lady", "own_1-card": "Q", "own_1-won": "captured", "own_1-points": "5"}
EMPTY = {"own_1-name": "", "own_1-card": "", "own_1-won": "captured", "own_1-points": "1"}
SENTENCE = "The Black Lady, the queen of trumps, scores 5."


def test_a_point_is_saved_with_the_rest_and_another_may_follow(client: FlaskClient) -> None:
    address = saved(client, **LADY)

    text = client.get(address).text

    assert changes(text) == [SENTENCE, "Play to 15."]
    assert 'name="own_1-name" type="text" value="Black Lady"' in text
    assert '<option value="Q" selected>queen of trumps</option>' in text
    assert 'name="own_2-name" type="text" value=""' in text
    assert "own_3-name" not in text


def test_a_set_without_name_and_card_is_no_point_whatever_else_it_says(client: FlaskClient) -> None:
    typed = {**EMPTY, "own_1-won": "x", "own_1-points": "many"}

    assert read_form(library()["partnership-pitch"], {"do": "save", **typed}).faults == ()


def test_a_rule_about_it_leads_to_its_fields(over: Match, phone: Phone) -> None:
    asked = {"own_1": "5 captured Q: Black Lady", "q": "black lady"}
    page = phone.open(f"/rules/partnership-pitch?{urlencode(asked)}")
    again = over.tap("Play again").send("/partnership-pitch", press="Start")

    fields = []
    for shown in (page, phone.open(f"{again.path}rules?q=black+lady")):
        href = next(award.attrs["href"] for award in shown.all("a") if award.label == "Change")
        fields.append(field := href.partition("#")[2])
        assert phone.open(href).one(id=field)

    assert fields == ["own_1", "worth-own_1"]


def test_a_cleared_name_deletes_a_point(client: FlaskClient) -> None:
    address = saved(client, **LADY)
    said = {"said-own_1": "5 captured Q: Black Lady", "said-target": "15"}

    client.post(address, data={"do": "save", "name": "Ours", "version": "1", **said, **LADY, "own_1-name": ""})

    assert changes(client.get(address).text) == ["Play to 15."]


@pytest.mark.parametrize(
    ("typed", "field", "why"),
    [
        ({"own_1-card": ""}, "own_1-card", "Choose the card that scores it."),
        ({"own_1-card": "joker"}, "own_1-card", "Choose the card that scores it."),
        ({"own_1-name": ""}, "own_1-name", "Give this point a name, or clear its card."),
        ({"own_1-name": "x" * 21}, "own_1-name", "The name has 21 letters; 20 fit."),
        ({"own_1-name": "La\u202edy"}, "own_1-name", "There are characters in the name that cannot be shown."),
        ({"own_1-points": "61"}, "own_1-points", "Its points are a number from 1 to 60."),
        ({"own_1-won": "x"}, "own_1-won", "Choose who scores it."),
        ({"own_1-points": "many"}, "own_1-points", "Its points are a number from 1 to 60."),
        ({"own_1-card": "J"}, "own_1-card", "Jack and Black Lady are the same card."),
        ({"own_1-name": "jack"}, "own_1-name", "Another point is called jack. Choose another name."),
    ],
)
def test_what_is_no_point_is_refused_at_its_field_and_kept_as_typed(
    client: FlaskClient, typed: dict[str, str], field: str, why: str
) -> None:
    form = {**LADY, **typed, "rule-target": "15"}

    answer = client.post(NEW, data={"do": "save", "name": "Ours", **form})

    page = read(answer.text)
    assert answer.status_code == 422
    assert page.one("a", href=f"#{field}").text == why
    assert page.one(id=field).attrs["aria-invalid"] == "true"
    assert "open" in page.one("details", id="own").attrs
    assert page.one("input", id="own_1-name").attrs["value"] == form["own_1-name"]
    assert page.one("input", id="own_1-points").attrs["value"] == form["own_1-points"]


def test_what_is_still_missing_is_asked_for_only_when_it_is_saved(client: FlaskClient) -> None:
    form = {**EMPTY, "own_1-name": "Black Lady"}

    assert read_form(library()["partnership-pitch"], form).faults == ()
    assert read_form(library()["partnership-pitch"], {**form, "do": "save"}).faults != ()


def test_a_point_that_is_typed_shows_what_follows_and_keeps_its_fields(client: FlaskClient) -> None:
    asked = hidden(client.get(NEW).text, "asks")

    answer = client.post(NEW, data={**LADY, "asks": asked}, headers=HTMX).text

    assert changes(answer) == [SENTENCE]
    assert 'name="own_1-name" type="text" value="Black Lady"' in answer
    assert "own_2-name" not in answer


@pytest.fixture
def over(phone: Phone) -> Match:
    """Play three hands by rules with a point of the family's own, and win."""
    rules = HouseRules("Ours", "partnership-pitch", {"target": 11, "own_1": "5 captured Q: Black Lady"})
    page = phone.open(f"/new/partnership-pitch?{urlencode({'r': encode(rules)})}")
    seats = {f"seat-{i}": name for i, name in enumerate(PEOPLE[:4])}
    match = page.send("/partnership-pitch", {**seats, "dealer": "0"}, press="Start")
    record(match, bidder="p2", bid="3", took_own_1="s1", took_low="s1")
    record(match, bidder="p3", bid="2", took_own_1="nobody")
    return record(match, bidder="p1", bid="4", took_low="s2")


def test_a_match_by_it_is_scored_won_and_explained(over: Match, phone: Phone) -> None:
    assert over.scores == {"s1": "18", "s2": "4"}
    assert "Ann & Cal win" in over.text
    for page in ("history", "history?open=1", "history/journal", "rules", "menu", "what-if", "what-if/rules", "share"):
        assert phone.open(f"{over.path}{page}").status == 200, page
    assert "Black Lady" in phone.open(f"{over.path}history?open=1").text
    assert phone.open(f"{over.path}rules/change").status in (200, 404, 409)


def test_what_if_it_scored_nothing_or_another_card_did(over: Match, phone: Phone) -> None:
    other = {"own_1": "2 captured 7: Devil", "own_2": "5 held Q: Lady"}
    code = encode(HouseRules("Theirs", "partnership-pitch", other))

    without = phone.open(f"{over.path}what-if?own_1=0")
    dearer = phone.open(f"{over.path}what-if?own_1=9")
    by_others = phone.open(f"{over.path}what-if?{urlencode({'r': code})}")
    plain = phone.open(f"{over.path}what-if?variant=partnership-pitch")

    assert [award.status for award in (without, dearer, by_others, plain)] == [200] * 4
    assert "By the rule Nobody scores the Black Lady" in without.text
    assert "The Black Lady, the queen of trumps, scores 9" in dearer.text
    assert "The Devil, the seven of trumps, scores 2." in by_others.tap("More").text


def test_a_rule_of_a_match_may_switch_it_off_and_on_again(over: Match, phone: Phone) -> None:
    again = over.tap("Play again").send("/partnership-pitch", press="Start")
    off = phone.open(f"{again.path}rules/change").send("/rules/change", {"worth-own_1": "0"}, press="do=save")
    record(off, call="p2:3")
    on = phone.open(f"{again.path}rules/change").send("/rules/change", {"worth-own_1": "5"}, press="do=save")

    assert "Nobody scores the Black Lady." in off.text
    assert "The Black Lady, the queen of trumps, scores 5." in on.text


def test_a_rule_of_a_match_makes_none(over: Match, phone: Phone) -> None:
    again = over.tap("Play again").send("/partnership-pitch", press="Start")
    new = {field.replace("own_1", "own_2"): word for field, word in LADY.items()}

    changed = phone.open(f"{again.path}rules/change").post(
        "/rules/change", {**new, "own_2-card": "7", "rule-target": "15", "do": "save"}
    )

    assert "Play to 15." in changed.text
    assert "seven of trumps" not in phone.open(f"{again.path}history/journal").text


def test_a_match_that_changed_it_may_be_scored_without_it(over: Match, phone: Phone) -> None:
    again = over.tap("Play again").send("/partnership-pitch", press="Start")
    change = phone.open(f"{again.path}rules/change").send("/rules/change", {"worth-own_1": "6"}, press="do=save")
    record(change, bidder="p2", bid="3", took_own_1="s1", took_low="s1")

    plain = phone.open(f"{again.path}what-if?variant=partnership-pitch")

    assert "Can’t go on" not in plain.text


def test_its_points_may_be_counted_only(over: Match, phone: Phone) -> None:
    again = over.tap("Play again").send("/partnership-pitch", press="Start")
    entry = phone.open(f"{again.path}hands/new").post("/hands/new", {"way": "counts"})

    told = {"bidder": "p2", "bid": "3", "count-s1": "6", "count-s2": "3"}
    assert entry.send("/hands/new", told, press="Tap who bid").scores == {"s1": "6", "s2": "3"}
