"""Every journey with scripts off: plain forms and links."""

import re

import pytest
from playwright.sync_api import Page as Screen
from playwright.sync_api import expect

from tests.browser.conftest import House, Lay, Pocket
from tests.browser.taps import Finger
from tests.browser.test_journeys import score


@pytest.fixture
def plain(pocket: Pocket) -> Screen:
    """Take a phone that runs no scripts."""
    return pocket.phone(scripts=False)


def recorded(screen: Screen, bid: str, **took: str) -> None:
    """Record a hand from the match page: what is tapped is counted first, then saved."""
    finger = Finger(screen)
    finger.tap(screen.get_by_role("link", name="Record hand"))
    finger.tap(screen.get_by_role("radio", name=bid))
    for award, who in took.items():
        finger.tap(screen.locator(f"#row-{award}").get_by_role("radio", name=who))
    finger.tap(screen.locator("#main-button"))
    expect(screen.locator("#main-button")).to_contain_text("The rest to")
    finger.tap(screen.locator("#main-button"))
    expect(screen.locator("#turn")).to_contain_text("is in.")


def test_a_match_from_its_beginning_to_its_verdict(plain: Screen) -> None:
    plain.goto("/")
    finger = Finger(plain)
    finger.tap(plain.get_by_role("link", name="New match"))
    finger.tap(plain.get_by_role("link", name=re.compile("^Cutthroat Pitch")))
    finger.tap(plain.get_by_role("button", name="3", exact=True))
    for seat, name in enumerate(("Ann", "Bea", "Cal")):
        plain.locator(f"[name=seat-{seat}]").fill(name)
    finger.tap(plain.locator("label", has=plain.locator("[name=house-target][value='7']")))
    finger.tap(plain.locator(".foot .go"))

    recorded(plain, "Bea 4", low="Ann")
    recorded(plain, "Cal 4")
    recorded(plain, "Cal 4")

    expect(plain.locator(".crown h2")).to_have_text("Cal wins")
    assert [score(plain, side) for side in ("p1", "p2", "p3")] == ["1", "−4", "8"]


def test_a_hand_that_asks_for_more_asks_on_the_next_page(plain: Screen, lay: Lay) -> None:
    plain.goto(f"{lay()}hands/new")
    finger = Finger(plain)
    finger.tap(plain.get_by_role("radio", name="Bea smudge"))
    finger.tap(plain.locator("#main-button"))

    finger.tap(plain.get_by_role("radio", name="yes, every one"))
    finger.tap(plain.locator("#main-button"))
    finger.tap(plain.locator("#main-button"))

    expect(plain.locator("#turn")).to_contain_text("Bea smudge: made.")


def test_nothing_tapped_is_refused_with_what_is_missing(plain: Screen, lay: Lay) -> None:
    plain.goto(f"{lay()}hands/new")

    Finger(plain).tap(plain.locator("#main-button"))

    expect(plain.get_by_role("alert")).to_contain_text("Not saved yet")


def test_a_head_places_the_rest_and_comes_back(plain: Screen, lay: Lay) -> None:
    plain.goto(f"{lay()}hands/new")
    finger = Finger(plain)
    finger.tap(plain.get_by_role("radio", name="Dan 3"))
    finger.tap(plain.locator(".tick-h").get_by_role("button", name="Us"))

    expect(plain.locator("#main-button")).to_have_text("Save: Us +4, Them −3")


def test_correct_take_out_put_back_undo(plain: Screen, lay: Lay) -> None:
    plain.goto(lay())
    recorded(plain, "Dan 3", low="Us")
    finger = Finger(plain)
    finger.tap(plain.locator("#history").get_by_role("link", name="Every hand"))
    finger.tap(plain.locator("summary"))
    finger.tap(plain.get_by_role("link", name="Correct"))
    finger.tap(plain.locator("#row-game").get_by_role("radio", name="Us"))
    finger.tap(plain.locator("#main-button"))
    assert (score(plain, "s1"), score(plain, "s2")) == ("2", "−3")

    finger.tap(plain.locator("#history").get_by_role("link", name="Every hand"))
    finger.tap(plain.locator("summary"))
    finger.tap(plain.get_by_role("link", name="Take out"))
    finger.tap(plain.get_by_role("button", name="Take it out"))
    assert (score(plain, "s1"), score(plain, "s2")) == ("0", "0")

    finger.tap(plain.get_by_role("button", name="Undo"))
    assert (score(plain, "s1"), score(plain, "s2")) == ("2", "−3")
    finger.tap(plain.get_by_role("button", name="Put back"))
    assert (score(plain, "s1"), score(plain, "s2")) == ("0", "0")


def test_names_stop_go_on_throw_away_fetch_back(plain: Screen, lay: Lay) -> None:
    path = lay()
    plain.goto(path)
    finger = Finger(plain)
    finger.tap(plain.get_by_role("link", name="Menu"))
    plain.locator("[name=name-p1]").fill("Anna")
    finger.tap(plain.get_by_role("button", name="Keep these names"))
    expect(plain.locator("#board")).to_contain_text("Anna & Cal")

    finger.tap(plain.get_by_role("link", name="Menu"))
    finger.tap(plain.get_by_role("link", name="Stop for tonight"))
    finger.tap(plain.get_by_role("button", name="Stop here"))
    expect(plain.locator(".crown h2")).to_have_text("Stopped")
    finger.tap(plain.get_by_role("button", name="Go on"))

    finger.tap(plain.get_by_role("link", name="Menu"))
    finger.tap(plain.get_by_role("link", name="Throw this match away"))
    finger.tap(plain.get_by_role("button", name="Throw it away"))
    finger.tap(plain.get_by_role("button", name="Put back"))
    expect(plain).to_have_url(re.compile(re.escape(path)))


def test_a_file_out_and_in(plain: Screen, lay: Lay, house: House) -> None:
    path = lay()
    plain.goto(path)
    recorded(plain, "Dan 3")
    with plain.expect_download() as download:
        plain.goto(f"{path}menu")
        plain.get_by_role("link", name="Take it away as a file").tap()

    plain.goto("/transfer")
    plain.locator("[type=file]").set_input_files(download.value.path())
    Finger(plain).tap(plain.get_by_role("button", name="Take it in"))

    assert score(plain, "s2") == "4"
    assert not plain.url.startswith(f"{house.address}{path}")


def test_two_phones_on_the_same_hand(plain: Screen, pocket: Pocket, lay: Lay) -> None:
    path = lay()
    theirs = pocket.phone(scripts=False)
    plain.goto(path)
    finger = Finger(plain)
    finger.tap(plain.get_by_role("link", name="Record hand"))
    finger.tap(plain.get_by_role("radio", name="Ann 2"))
    finger.tap(plain.locator("#main-button"))
    theirs.goto(path)
    recorded(theirs, "Dan 3")

    finger.tap(plain.locator("#main-button"))
    finger.tap(plain.get_by_role("button", name="This one counts"))

    assert (score(plain, "s1"), score(plain, "s2")) == ("4", "0")


def test_the_theme(plain: Screen) -> None:
    plain.goto("/")

    Finger(plain).tap(plain.get_by_role("button", name="dark"))

    expect(plain.locator("html")).to_have_attribute("data-theme", "dark")
