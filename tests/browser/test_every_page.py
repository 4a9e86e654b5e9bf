"""Every page as it really comes: nothing cut, nothing too small to tap, nothing for axe or the console to say."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page as Screen

from tests.browser.conftest import CUT, House, Pocket
from tests.browser.places import PLACES
from tests.look.test_look import CUT_RINGS, CUT_WORDS, STICKING_OUT, TOO_SMALL

AXE = next((Path(__file__).parent.parent / "vendor").glob("axe-*.min.js")).read_text()
SIZES = {"narrow": (320, 640), "lying": (844, 390), "phone": (390, 844)}


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest, house: House, pocket: Pocket) -> Iterator[Screen]:
    """Come to a page as somebody would."""
    place, phone = PLACES[request.param], house.phone()
    path = place.lay(phone)
    screen = pocket.phone(color_scheme="light", reduced_motion="reduce")
    if cookie := phone.client.get_cookie("scorekeeper"):
        screen.context.add_cookies([{"name": "scorekeeper", "value": cookie.value, "url": house.address}])
    screen.goto(path)
    place.step(screen)
    yield screen
    # A page without its network goes on asking for as long as it is open.
    if place.is_cut:
        pocket.said[:] = [text for text in pocket.said if not CUT.search(text)]


def cut(screen: Screen) -> list[str]:
    """Find what is cut, sticks out, or is too small for a thumb."""
    return [found for script in (STICKING_OUT, TOO_SMALL, CUT_WORDS, CUT_RINGS) for found in screen.evaluate(script)]


def violations(screen: Screen, scheme: str) -> list[str]:
    """Ask axe, in light or in dark."""
    screen.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
    rules = "runOnly: ['color-contrast']," if scheme == "dark" else ""  # all else is the same in the dark
    result: dict[str, Any] = screen.evaluate(f"axe.run(document, {{{rules} resultTypes: ['violations']}})")
    return [
        f"{fault['id']}: {node['html'][:120]}: {node['failureSummary'][:200]}"
        for fault in result["violations"]
        for node in fault["nodes"]
    ]


def enlarge(screen: Screen) -> None:
    """Set the browser's letters to 200 %."""
    session = screen.context.new_cdp_session(screen)
    session.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 32}})
    size = "parseFloat(getComputedStyle(document.documentElement).fontSize)"
    assert screen.evaluate(f"new Promise((done) => requestAnimationFrame(() => done({size})))") == 32


def test_a_page_keeps_its_promises(place: Screen) -> None:
    found = {}
    for name, (width, height) in SIZES.items():
        place.set_viewport_size({"width": width, "height": height})
        found[name] = cut(place)
    place.evaluate("document.querySelectorAll('details').forEach((it) => (it.open = true))")
    place.evaluate(AXE)
    found |= {scheme: violations(place, scheme) for scheme in ("light", "dark")}
    enlarge(place)
    found["large text"] = cut(place)

    assert {name: faults for name, faults in found.items() if faults} == {}
