"""A hand is saved with the result that its button showed; if the result differs, it is shown first."""

import pytest

from tests.common.calling import preview_part, save, took
from tests.common.phone import Page, Phone
from tests.pages.conftest import record

TOO_LONG = f"s1:{'9' * 5000} s2:3"
"""More digits than Python reads as a number."""
SHOWN = {"call": "p4:3", **took("s2", low="s1")}


@pytest.fixture
def counted(match: Page) -> Page:
    """Enter a hand whose button shows Ann & Cal +1, Bea & Dan +3."""
    page = match.tap("Record hand").post("/hands/new", {**SHOWN, "do": "look"})
    assert "B Bea & Dan +3 / A Ann & Cal +1" in page.part("main-button").text
    return page


@pytest.mark.parametrize(
    "shown", ["nonsense", "s1:", "s9:4", "s1:1", "s1:² s2:3", TOO_LONG], ids=lambda shown: shown[:9]
)
def test_a_result_that_cannot_be_read_is_another(counted: Page, match: Page, shown: str) -> None:

    refused = counted.post("/hands/new", {"shown": shown, "do": "save"})

    assert (refused.status, refused.phone.open(match.path).scores) == (409, {"s1": "0", "s2": "0"})
    assert "This is not what the button said" in refused.faults


def test_a_correction_with_another_result_than_its_button_is_shown(match: Page) -> None:
    record(match, call="p4:3", took_low="s1")
    page = match.open("hands/1")
    form = page.form("/hands/1")
    counted = preview_part(page, uid="1", asks="?", took_low="s2")
    shown = counted.one("input", name="shown").attrs["value"]

    refused = match.phone.post(form.action, {**form.fields, "shown": shown, "do": "save"})

    assert shown == "s1:0 s2:4"
    assert (refused.status, refused.phone.open(match.path).scores) == (409, {"s1": "1", "s2": "3"})


def test_a_hand_in_conflict_is_saved_with_the_result_shown_there(
    counted: Page, match: Page, other_phone: Phone
) -> None:
    record(other_phone.open(match.path), call="p1:2")
    both = save(counted)

    assert both.status == 409
    assert both.form("/hands/new").fields["shown"] == "s1:1 s2:3"
    assert both.send("/hands/new").scores == {"s1": "5", "s2": "3"}
