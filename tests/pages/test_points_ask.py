"""A match whose winner depends on who took which award in the last hand, of which only points were entered."""

from typing import Any

import pytest

from tests.common.calling import preview_part
from tests.common.importing import brought_in
from tests.common.phone import Page, Phone

RECORD: dict[str, Any] = {
    "format": "pitch-record/1",
    "variant": "blind-all-fours",
    "players": ["Ann", "Bea"],
    "start": {"scores": {"Ann": 5, "Bea": 6}},
    "hands": [{"points": {"Ann": 3, "Bea": 1}}],
}
QUESTION = "It depends: who took High and Low? Points alone do not say who won."


@pytest.fixture
def asking(phone: Phone) -> Page:
    """Import a match in which Bea has won if she took High, and Ann if not."""
    return brought_in(phone, RECORD)


def test_the_page_says_what_it_depends_on_and_leads_to_the_cards(asking: Page) -> None:
    assert QUESTION in asking.text
    assert not asking.offers("Record hand")
    assert not asking.offers("Play again")

    entry = asking.tap("Enter the cards")
    answers = {"took-high": "p2", "took-low": "p1", "took-jack": "p1", "took-game": "p1"}
    over = entry.send("/hands/1", answers, press="Save")

    assert "Bea wins" in over.text
    assert over.offers("Play again")


def test_cards_that_make_other_points_than_were_counted_are_refused_and_kept(asking: Page) -> None:
    entry = asking.tap("Enter the cards")
    answers = {"took-high": "p1", "took-low": "p1", "took-jack": "p1", "took-game": "p1"}

    refused = entry.send("/hands/1", answers, press="Save")

    assert refused.status == 422
    assert "These cards make Ann 4, Bea 0, and the points were Ann 3, Bea 1." in refused.text
    assert refused.form("/hands/1").fields["took-game"] == "p1"


def test_a_hand_says_that_it_depends_before_it_is_saved(phone: Phone) -> None:
    match = brought_in(phone, {**RECORD, "hands": []})
    form = match.open("hands/new?by=counts")

    counted = preview_part(form, count_p1="3", count_p2="1")
    saved = form.send("/hands/new", {"count-p1": "3", "count-p2": "1"})

    assert QUESTION in counted.text
    assert QUESTION in saved.text
