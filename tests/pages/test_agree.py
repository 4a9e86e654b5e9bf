"""The options a table agrees on before Start: summed up in a line, and questions only where they decide a match."""

import pytest

from scorekeeper.pitch.rules.house_rules import HouseRules
from scorekeeper.pitch.rules.share_codes import encode
from tests.common.phone import Page, Phone
from tests.pages.conftest import PEOPLE

OWN_SIX = encode(HouseRules("The six of us", "partnership-pitch-six", {"dealer_steal": "no"}, ()))
SIX = {f"seat-{i}": name for i, name in enumerate(PEOPLE[:6])}


def sits(page: Page) -> dict[str, str]:
    """Return the game that the button of each seating names."""
    return {button.one("b").text: button.one("small").text for button in page.all("button", name="variant")}


def pressed(page: Page) -> list[str]:
    """Return the seating that is chosen."""
    return [button.one("b").text for button in page.all("button", name="variant", aria_pressed="true")]


def test_another_way_to_sit_is_another_game_with_the_same_people(phone: Phone) -> None:
    page = phone.open("/new/colorado-six-player?seats=6")

    pairs = page.send("colorado-six-player?seats=6", {**SIX, "dealer": "2"}, press="Three pairs")

    assert list(sits(page)) == ["Two teams", "Three pairs", "Each alone"]
    assert pressed(page) == ["Two teams"]
    assert pairs.path != "/new/colorado-six-player"
    assert pressed(pairs) == ["Three pairs"]
    assert {**SIX, "dealer": "2"}.items() <= pairs.form(pairs.path).fields.items()


def sit(page: Page, seating: str) -> Page:
    """Choose another seating."""
    return page.send(page.one("form", id="table").attrs["action"], press=seating)


@pytest.mark.parametrize("seating", ["Two teams", "Each alone"])
@pytest.mark.parametrize(
    ("game", "own"), [("partnership-pitch-six", "Three pairs"), ("hoyle-auction-pitch?seats=6", "Each alone")]
)
def test_the_first_seating_leads_back_to_the_same_game(phone: Phone, game: str, own: str, seating: str) -> None:
    page = phone.open(f"/new/{game}")
    name = sits(page)[own]

    back = sit(sit(page, seating), own)

    assert sits(back)[own] == name
    assert back.path == f"/new/{game.partition('?')[0]}"


def test_what_was_agreed_goes_along_and_own_rules_are_found_again(phone: Phone) -> None:
    page = phone.open(f"/new/partnership-pitch-six?r={OWN_SIX}&house-target=11")
    assert "Three pairs The six of us" in page.text

    alone = sit(page, "Each alone")
    back = sit(alone, "Three pairs")

    assert "Each alone Cutthroat Pitch" in alone.text
    assert alone.one("input", name="house-target", checked="").attrs["value"] == "11"
    assert "Three pairs The six of us" in back.text
