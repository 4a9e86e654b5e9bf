"""An impossible hand is refused with the reason beside the field, and nothing entered is lost."""

from tests.common.calling import hand_fields, preview_part, took
from tests.common.phone import Page, Phone
from tests.pages.conftest import Begin

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


def test_a_refusal_links_to_the_rule_that_it_rests_on(begin: Begin) -> None:
    refused = post(begin(), call="p1:9")

    faults = refused.one("div", id="faults")
    links = [link.attrs["href"].partition("#")[2] for link in faults.all("a") if "rules#" in link.attrs["href"]]

    assert links == ["bid.numbers"]


# ---------- a point that cannot be missing ----------


def king_pedro(begin: Begin) -> Page:
    return begin("king-pedro").tap("Record hand")


def test_somebody_has_the_king(begin: Begin) -> None:
    entry = king_pedro(begin)
    taken = {f"took-{award}": "s1" for award in ("ace", "jack", "ten", "five", "off_five", "deuce")}

    refused = entry.send("/hands/new", {"bidder": "p1", "bid": "30", **taken, "took-king": "nobody"}, press="Save")

    assert refused.status == 422
    assert "Someone has to get King. If you can’t tell who had it, deal again." in refused.text
    again = refused.send("/hands/new", press="We can’t tell: redeal")
    assert again.scores == {"s1": "0", "s2": "0"}
    assert "Redeal." in again.text
