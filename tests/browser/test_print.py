"""On the phone: the end of a match leads to its sheet, a tap shows another one, and the file is there to be had."""

import pytest
from playwright.sync_api import Page as Screen
from playwright.sync_api import expect

from tests.browser.conftest import House, Pocket
from tests.browser.places import pick
from tests.browser.tables import begun, evening

SLOW = 30_000
"""Milliseconds for a page that is laid out while one waits, on a busy machine."""
SHARES = "Navigator.prototype.canShare = () => true; Navigator.prototype.share = async (it) => { window.shared = it; };"


@pytest.fixture
def played(house: House) -> str:
    return evening(begun(house.phone())).path.split("/")[2]


def shown(screen: Screen, *parts: str) -> None:
    """Wait until the first page is shown and loaded, its address with these parts."""
    picture = screen.locator("#preview img" + "".join(f'[src*="{part}"]' for part in parts)).first
    expect(picture).to_be_visible(timeout=SLOW)
    picture.evaluate("it => it.decode()")


def test_a_tap_shows_another_sheet_and_leaves_the_form_alone(screen: Screen, played: str) -> None:
    screen.set_default_timeout(SLOW)
    screen.goto(f"/print?match={played}")
    shown(screen, "kind=result", "ink=colour")

    pick(screen, "ink", "black")
    shown(screen, "kind=result", "ink=black")
    pick(screen, "kind", "rules")
    shown(screen, "kind=rules", "ink=black")

    expect(screen.locator("[name=ink][value=black]")).to_be_checked()
    expect(screen.locator("[name=size]")).to_have_count(0)
    assert "kind=rules" in screen.url
    assert "kind=rules" in str(screen.get_by_role("link", name="Print").get_attribute("href"))


def test_without_scripts_the_same_form_has_a_button(pocket: Pocket, played: str) -> None:
    screen = pocket.phone(scripts=False)
    screen.set_default_timeout(SLOW)
    screen.goto(f"/print?match={played}")
    pick(screen, "kind", "rules")

    screen.get_by_role("button", name="Show it").tap()

    expect(screen.locator('#preview img[src*="kind=rules"]')).to_have_count(1, timeout=SLOW)
    expect(screen.get_by_role("button", name="Share")).to_be_hidden()


def test_a_phone_that_can_share_hands_the_file_on_under_its_name(screen: Screen, played: str) -> None:
    screen.set_default_timeout(SLOW)
    screen.add_init_script(SHARES)
    screen.goto(f"/print?match={played}")

    screen.get_by_role("button", name="Share").tap()

    waiting = "async () => { while (!window.shared) await new Promise((go) => setTimeout(go, 50)); }"
    screen.evaluate(waiting)
    name, kind, size = screen.evaluate("[shared.files[0].name, shared.files[0].type, shared.files[0].size]")
    assert name.endswith("score-sheet-A4.pdf")
    assert kind == "application/pdf"
    assert size > 10_000


def test_the_chart_grows_with_the_match_on_a_phone_that_watches(screen: Screen, house: House) -> None:
    match = begun(house.phone())
    screen.goto(match.path)
    expect(screen.locator("#chart svg")).to_have_count(0)

    evening(match)

    expect(screen.locator("#chart svg")).to_be_visible(timeout=6000)
    screen.locator("#chart summary").tap()
    expect(screen.locator("#chart tbody tr")).to_have_count(8)
