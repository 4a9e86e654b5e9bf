"""Two sides that nobody named: We and They where the score is kept, Side 1 and 2 elsewhere, Us and Them in files."""

import json

import pytest

from tests.web.conftest import Begin, record
from tests.web.guests import WATCHER, let_in
from tests.web.phone import Page, Phone


@pytest.fixture
def nameless(phone: Phone) -> Page:
    """Begin a match in which nobody has a name; the second place deals."""
    page = phone.open("/new/partnership-pitch")
    return page.send("partnership-pitch", {"dealer": "1"}, press="Start")


def played(match: Page) -> Page:
    """Play two hands: they bid 4 and are set, then we make 3."""
    match = record(match, call="s2:4", took_high="s1")
    return record(match, call="s1:3", took_low="s2")


def test_the_phone_that_scores_says_we_and_they(nameless: Page) -> None:
    match = played(nameless)

    assert "Us" not in match.text.split()
    assert "Them" not in match.text.split()
    assert "They bid 4 set" in match.text
    assert "We bid 3 made" in match.text
    assert "need 17" in match.text


@pytest.mark.parametrize(
    ("dealer", "said"),
    [
        ("0", "You deal hand 1. Left of you bids first."),
        ("1", "Left of you deals hand 1. Your partner bids first."),
        ("2", "Your partner deals hand 1. Right of you bids first."),
        ("3", "Right of you deals hand 1. You bid first."),
    ],
)
def test_who_deals_is_seen_from_the_first_place(phone: Phone, dealer: str, said: str) -> None:
    page = phone.open("/new/partnership-pitch")

    assert said in page.send("partnership-pitch", {"dealer": dealer}, press="Start").text


def test_the_deal_passes_to_the_left(nameless: Page) -> None:
    assert "Your partner deals hand 2. Right of you bids first." in record(nameless, call="s1:2").text


def test_other_phones_read_side_1_and_side_2(nameless: Page, other_phone: Phone) -> None:
    theirs = other_phone.open(let_in(played(nameless), other_phone, WATCHER).path)

    assert "Side 2 bid 4 set" in theirs.text
    assert "needs 17" in theirs.text
    assert not {"We", "They", "Us", "Them"} & set(theirs.text.split())


def test_markers_keep_their_letters_everywhere(nameless: Page, other_phone: Phone) -> None:
    mine, theirs = (page.root.all("text") for page in (nameless, let_in(nameless, other_phone, WATCHER)))

    assert [it.text for it in mine[:2]] == [it.text for it in theirs[:2]] == ["U", "T"]


def test_a_record_has_us_and_them(nameless: Page) -> None:
    answer = played(nameless).phone.open(f"{nameless.path}record.json").response

    assert [side["name"] for side in json.loads(answer.data)["sides"]] == ["Us", "Them"]
    assert "\ue001" not in answer.text
    assert "Us-v-Them" in answer.headers["Content-Disposition"]


def test_who_plays_is_asked_once_before_another_phone_is_added(nameless: Page) -> None:
    asked = nameless.tap("Add other phones")
    skipped = asked.send("/who", press="Skip")
    again = nameless.phone.open(nameless.path).tap("Add other phones")

    assert asked.path == f"{nameless.path}who"
    assert skipped.path == again.response.headers["Location"] == f"{nameless.path}room"


def test_names_are_used_from_then_on(nameless: Page, other_phone: Phone) -> None:
    asked = played(nameless).tap("Add other phones")
    asked.send("/who", {"name-s1": "Ann & Cal", "name-s2": "Bea & Dan"}, press="Save names")

    match, theirs = nameless.phone.open(nameless.path), let_in(nameless, other_phone, WATCHER)

    assert "Bea & Dan 4 set" in match.text
    assert "Bea & Dan 4 set" in theirs.text


def test_one_name_alone_is_refused(nameless: Page) -> None:
    refused = nameless.tap("Add other phones").send("/who", {"name-s1": "Ann & Cal"}, press="Save names")

    assert refused.status == 422
    assert "Not saved yet" in refused.faults


def test_sides_that_a_table_called_us_itself_stay_as_typed(begin: Begin) -> None:
    typed = {f"seat_{i}": "" for i in range(4)}
    match = record(begin(**typed, side_0="Us", side_1="Them"), call="s1:2")

    assert "Us 2 made" in match.text
