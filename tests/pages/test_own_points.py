"""A point of a family's own, in the editor, in a match by these rules, and on its sheet."""

from urllib.parse import urlencode

import pytest

from scorekeeper.pages.house_rules.form import read_form
from scorekeeper.pitch.rules.house_rules import HouseRules
from scorekeeper.pitch.rules.share_codes import encode
from scorekeeper.web.library import library
from tests.common.phone import Page, Phone
from tests.pages.conftest import PEOPLE, record
from tests.pages.test_house_rules_editor import NEW, changes, saved

LADY = {"own_1-name": "Black Lady", "own_1-card": "Q", "own_1-won": "captured", "own_1-points": "5"}
EMPTY = {"own_1-name": "", "own_1-card": "", "own_1-won": "captured", "own_1-points": "1"}
SENTENCE = "The Black Lady, the queen of trumps, scores 5."

pytestmark = pytest.mark.usefixtures("client")  # forms are sent without their token


def test_a_point_is_saved_with_the_rest_and_another_may_follow(phone: Phone) -> None:
    address = saved(phone, **LADY)

    page = phone.open(address)

    assert changes(page) == [SENTENCE, "Play to 15."]
    fields = page.form(address).fields
    assert fields.items() >= {**LADY, "own_2-name": ""}.items()
    assert "own_3-name" not in fields


@pytest.mark.parametrize(
    ("typed", "has_fault"),
    [
        ({"do": "save", "own_1-won": "x", "own_1-points": "many"}, False),
        ({"own_1-name": "Black Lady"}, False),
        ({"do": "save", "own_1-name": "Black Lady"}, True),
    ],
    ids=["neither name nor card", "still typing", "saved without its card"],
)
def test_what_is_missing_of_a_point_with_a_name_or_a_card_is_asked_for_as_it_is_saved(
    typed: dict[str, str], has_fault: bool
) -> None:
    assert bool(read_form(library()["partnership-pitch"], {**EMPTY, **typed}).faults) == has_fault


def test_the_rule_about_an_own_point_leads_to_its_fields(again: Page, phone: Phone) -> None:
    query = {"own_1": "5 captured Q: Black Lady", "q": "black lady"}

    fields = []
    for shown in (phone.open(f"/rules/partnership-pitch?{urlencode(query)}"), again.open("rules?q=black+lady")):
        href = next(award.attrs["href"] for award in shown.all("a") if award.label == "Change")
        fields.append(field := href.partition("#")[2])
        assert phone.open(href).has(field)

    assert fields == ["own_1", "worth-own_1"]


def test_a_cleared_name_deletes_a_point(phone: Phone) -> None:
    address = saved(phone, **LADY)

    phone.open(address).post(address, {"own_1-name": "", "do": "save"})

    assert changes(phone.open(address)) == ["Play to 15."]


def test_a_point_that_is_typed_shows_what_follows_and_keeps_its_fields(phone: Phone) -> None:
    answer = phone.open(NEW).post(NEW, LADY, part=True)

    assert changes(answer) == [SENTENCE]
    assert answer.one("input", name="own_1-name").attrs["value"] == "Black Lady"
    assert not answer.all("input", name="own_2-name")


@pytest.fixture
def over(phone: Phone) -> Page:
    """Play three hands by rules with a point of the family's own, and win."""
    rules = HouseRules("Ours", "partnership-pitch", {"target": 11, "own_1": "5 captured Q: Black Lady"})
    page = phone.open(f"/new/partnership-pitch?{urlencode({'r': encode(rules)})}")
    seats = {f"seat-{i}": name for i, name in enumerate(PEOPLE[:4])}
    match = page.send("/partnership-pitch", {**seats, "dealer": "0"}, press="Start")
    record(match, bidder="p2", bid="3", took_own_1="s1", took_low="s1")
    record(match, bidder="p3", bid="2", took_own_1="nobody")
    return record(match, bidder="p1", bid="4", took_low="s2")


@pytest.fixture
def again(over: Page) -> Page:
    """Begin another match by these rules."""
    return over.tap("Play again").send("/partnership-pitch", press="Start")


def changed(match: Page, points: str) -> Page:
    """Change what the point scores from the next hand on."""
    return match.open("rules/change").send("/rules/change", {"worth-own_1": points}, press="do=save")


def test_a_match_with_an_own_point_is_scored_won_and_explained(over: Page) -> None:
    assert over.scores == {"s1": "18", "s2": "4"}
    assert "Ann & Cal win" in over.text
    for page in ("history", "history/journal", "rules", "menu", "what-if", "what-if/rules", "share"):
        assert over.open(page).status == 200, page
    assert "Black Lady" in over.open("history?open=1").text


def test_what_if_an_own_point_scored_nothing_or_another_card_did(over: Page) -> None:
    other = HouseRules("Theirs", "partnership-pitch", {"own_1": "2 captured 7: Devil", "own_2": "5 held Q: Lady"})

    without, dearer, by_others = (
        over.open(f"what-if?{query}") for query in ("own_1=0", "own_1=9", urlencode({"r": encode(other)}))
    )

    assert "By the rule Nobody scores the Black Lady" in without.text
    assert "The Black Lady, the queen of trumps, scores 9" in dearer.text
    assert "The Devil, the seven of trumps, scores 2." in by_others.tap("More").text


def test_a_rule_of_a_match_may_switch_it_off_and_on_again(again: Page) -> None:
    off = changed(again, "0")
    record(off, call="p2:3")

    assert "Nobody scores the Black Lady." in off.text
    assert SENTENCE in changed(again, "5").text


def test_a_rule_of_a_match_makes_none(again: Page) -> None:
    new = {field.replace("own_1", "own_2"): word for field, word in LADY.items()}

    page = again.open("rules/change").post(
        "/rules/change", {**new, "own_2-card": "7", "rule-target": "15", "do": "save"}
    )

    assert "Play to 15." in page.text
    assert "seven of trumps" not in again.open("history/journal").text


def test_a_match_that_changed_it_may_be_scored_without_it(again: Page) -> None:
    record(changed(again, "6"), bidder="p2", bid="3", took_own_1="s1", took_low="s1")

    assert "Can’t go on" not in again.open("what-if?variant=partnership-pitch").text


def test_its_points_may_be_counted_only(again: Page) -> None:
    entry = again.open("hands/new").post("/hands/new", {"way": "counts"})

    answers = {"bidder": "p2", "bid": "3", "count-s1": "6", "count-s2": "3"}
    assert entry.send("/hands/new", answers, press="Tap who bid").scores == {"s1": "6", "s2": "3"}
