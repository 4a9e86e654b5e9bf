"""The home page: which match is resumed, what it no longer lists, and the names of other phones."""

from datetime import timedelta

import pytest

from scorekeeper.pages import home
from tests.common.guests import SCORER, WATCHER, invited
from tests.common.phone import Page, Phone
from tests.pages.conftest import Begin, record


def going_on(phone: Phone) -> str:
    """Return the match that the main button resumes."""
    return next(link.attrs["href"] for link in phone.open("/").all("a") if link.text == "Continue match")


def test_the_match_with_the_latest_hand_goes_on(begin: Begin, phone: Phone) -> None:
    first, second = begin(), begin("cutthroat-pitch")
    assert going_on(phone) == second.path

    record(first, call="p1:3")
    phone.open(second.path)

    assert going_on(phone) == first.path


@pytest.mark.parametrize("is_old", [True, False])
def test_a_match_without_a_hand_leaves_home_in_time(
    begin: Begin, phone: Phone, monkeypatch: pytest.MonkeyPatch, is_old: bool
) -> None:
    played, match = record(begin(), call="p1:3"), begin("cutthroat-pitch")
    monkeypatch.setattr(home, "_NAMED_LISTED_FOR", timedelta(seconds=-1 if is_old else 60))

    page = phone.open("/")

    assert bool(page.all("a", href=match.path)) != is_old
    assert page.all("a", href=played.path)


@pytest.mark.parametrize(("role", "chosen"), [(SCORER, "Nobody’s"), (WATCHER, "Only watching")])
def test_who_joins_to_score_is_not_asked_as_a_watcher(match: Page, other_phone: Phone, role: str, chosen: str) -> None:
    form = other_phone.open(invited(match, role)).one("fieldset")

    assert [label.text for label in form.all("label") if label.all("input", checked="")] == [chosen]


def test_tables_of_one_game_say_in_which_rule_they_differ(begin: Begin, phone: Phone) -> None:
    for low in ("captured", "held"):
        begin(house_low=low)

    home = phone.open("/").text

    assert "Partnership Pitch, to 21. The side that holds the card scores Low" in home
    assert "Partnership Pitch, to 21. The side that wins the trick with the card in it scores Low" in home
