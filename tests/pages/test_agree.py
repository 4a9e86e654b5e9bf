"""The options a table agrees on before Start: summed up in a line, and questions only where they decide a match."""

import pytest

from scorekeeper.pitch.rules.house_rules import HouseRules
from scorekeeper.pitch.rules.share_codes import encode
from tests.common.library import LIBRARY
from tests.common.phone import Page, Phone
from tests.pages.conftest import PEOPLE

OWN_SIX = encode(HouseRules("The six of us", "partnership-pitch-six", {"dealer_steal": "no"}, ()))
SIX = {f"seat-{i}": name for i, name in enumerate(PEOPLE[:6])}


def terms(page: Page) -> list[str]:
    """Return the options in the line above Start."""
    return [element.text for element in page.root.walk() if "data-term-of" in element.attrs]


def own_terms(page: Page) -> list[str]:
    """Return the options in that line that are marked as different from the printed rules."""
    return [element.text for element in page.one("p", class_="terms").all("span", class_="own")]


def sits(page: Page) -> dict[str, str]:
    """Return the game that the button of each seating names."""
    return {button.one("b").text: button.one("small").text for button in page.all("button", name="variant")}


def pressed(page: Page) -> list[str]:
    """Return the seating that is chosen."""
    return [button.one("b").text for button in page.all("button", name="variant", aria_pressed="true")]


def test_the_line_above_start_says_what_a_match_is_played_by(phone: Phone) -> None:
    page = phone.open("/new/partnership-pitch")

    assert terms(page) == ["To 21", "only a made bid wins", "Low to whoever wins it", "dealer may steal"]
    assert own_terms(page) == []
    assert own_terms(phone.open("/new/partnership-pitch?house-target=15&house-dealer_steal=no")) == [
        "To 15",
        "dealer may not steal",
    ]


def test_what_nobody_has_agreed_yet_is_a_question_in_the_line(phone: Phone) -> None:
    assert terms(phone.open("/new/arizona-29"))[:2] == ["Target?", "Who wins?"]


def test_a_card_that_nobody_scores_is_neither_in_the_line_nor_asked_about(phone: Phone) -> None:
    page = phone.open("/new/partnership-pitch?house-low=no")

    assert not [term for term in terms(page) if term.startswith("Low")]
    assert not page.has("house-low")


@pytest.mark.parametrize("ruleset", ["partnership-pitch", "colorado-ten-point", "razzle-dazzle", "pedro"])
def test_how_far_it_goes_and_who_may_win_are_asked_first(phone: Phone, ruleset: str) -> None:
    page = phone.open(f"/new/{ruleset}")

    first = [fieldset.attrs["id"] for fieldset in page.part("first").all("fieldset")]
    assert first[:2] == ["house-target", "house-win_rule"]
    assert first[2:] in ([], ["seats"])


def test_what_is_answered_otherwise_takes_a_card_out_without_a_word_about_who_wins_it(phone: Phone) -> None:
    ruleset = next(found for found in LIBRARY if found.points.low != "captured" and "deuce" in found.in_play)
    page = phone.open(f"/new/{ruleset.id}?house-deuce=no")

    assert "Nobody scores the Deuce." in page.text
    assert "wins the trick with the card in it scores" not in page.text


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


@pytest.mark.parametrize(
    ("game", "seating", "other"),
    [
        ("pawnee-call-your-partner", "Each alone", "Colorado Cutthroat"),
        ("colorado-cutthroat?seats=5", "Bidder calls a partner", "Pawnee Call Your Partner"),
        ("oklahoma-ten-point?seats=6", "Two teams", "Colorado Six Player"),
        ("partnership-pitch-six", "Two teams", "no four-point game"),
    ],
)
def test_another_way_to_sit_is_a_game_of_as_many_points_or_says_that_there_is_none(
    phone: Phone, game: str, seating: str, other: str
) -> None:
    assert sits(phone.open(f"/new/{game}"))[seating] == other


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


def test_four_are_not_asked_how_they_sit(phone: Phone) -> None:
    assert not phone.open("/new/partnership-pitch").all("button", name="variant")
