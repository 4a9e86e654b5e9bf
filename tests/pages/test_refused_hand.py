"""An impossible hand is refused with the reason beside the field, and nothing entered is lost."""

from tests.common.calling import hand_fields, preview_part, took
from tests.common.phone import Page, Phone

GOOD = {"call": "p1:2", **took("s1")}


def post(match: Page, **answers: str) -> Page:
    """Send a hand from its form, whatever the form would let be tapped."""
    return match.open("hands/new").post("/hands/new", {**GOOD, "do": "save", **hand_fields(answers)})


def test_a_refused_hand_is_saved_when_it_is_corrected(match: Page) -> None:
    page = post(match, took_high="nobody")

    match = page.send("/hands/new", {"took-high": "s2"}, press="Save")

    assert match.scores == {"s1": "3", "s2": "1"}


def test_two_faults_are_both_said(match: Page) -> None:
    page = post(match, took_high="nobody", took_off_jack="s1")

    assert page.faults.startswith("Not saved yet: two things")
    off_jack, high = page.one(class_="bad").all("li")
    assert ("High" in high.text, "Off Jack" in off_jack.text) == (True, True)
    assert "Everything you entered is still here." in page.part("bottom_bar").text


def test_what_cannot_be_is_said_while_it_is_tapped(match: Page) -> None:
    part = preview_part(match.tap("Record hand"), **GOOD | {"took-high": "nobody"})

    assert "High" in part.part("bottom_bar").one(class_="says").text


def test_a_match_that_there_is_not_takes_no_hand(phone: Phone, match: Page) -> None:
    form = match.tap("Record hand").form("/hands/new")

    assert phone.post("/matches/nosuch/hands/new", {**form.fields, **GOOD}).status == 404
