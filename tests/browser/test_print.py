"""On the phone: the end of a match leads to its sheet, a tap shows another one, and the file is there to be had."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.actions import Site, pick, tap
from tests.common.gallery import evening

SLOW = 30_000
"""Milliseconds for a page that is laid out while one waits, on a busy machine."""
SHARES = "Navigator.prototype.canShare = () => true; Navigator.prototype.share = async (it) => { window.shared = it; };"


@pytest.fixture
def code(site: Site) -> str:
    """Play a match, and return its code."""
    return evening(site.client()).code


def shown(page: Page, *parts: str) -> None:
    """Wait until the picture of the first page is loaded, its address with these parts."""
    picture = page.locator("#preview img" + "".join(f'[src*="{part}"]' for part in parts)).first
    expect(picture).to_be_visible(timeout=SLOW)
    picture.evaluate("it => it.decode()")


def test_a_tap_shows_another_sheet_and_leaves_the_form_alone(page: Page, code: str) -> None:
    page.set_default_timeout(SLOW)
    page.goto(f"/print?match={code}")
    shown(page, "kind=result", "ink=colour")

    pick(page, "ink", "black")
    shown(page, "kind=result", "ink=black")
    pick(page, "kind", "rules")
    shown(page, "kind=rules", "ink=black")

    expect(page.locator("[name=ink][value=black]")).to_be_checked()
    pick(page, "size", "large")
    shown(page, "kind=rules", "size=large")
    assert "kind=rules" in page.url
    assert "kind=rules" in str(page.get_by_role("link", name="Print").get_attribute("href"))


def test_a_page_that_is_still_being_drawn_is_asked_for_again(page: Page, code: str) -> None:
    requested: list[str] = []

    def be_drawn(route: Route) -> None:
        requested.append(route.request.resource_type)
        if len(requested) < 3:
            route.fulfill(status=503, headers={"Retry-After": "1"}, body="Preparing …")
        else:
            route.continue_()

    page.route("**/print/page-1.png*", be_drawn)
    page.set_default_timeout(SLOW)
    page.goto(f"/print?match={code}")

    preparing = page.locator("#preview [role=status]", has_text="Preparing …").first
    expect(preparing).to_be_visible(timeout=SLOW)
    expect(preparing).to_be_hidden(timeout=SLOW)
    shown(page, "kind=result")
    assert requested[:3] == ["image", "fetch", "fetch"]


def test_a_browser_prints_the_cards_that_score_dark(own_page: Page) -> None:
    own_page.goto("/rules/pedro")
    own_page.emulate_media(media="print")

    assert own_page.locator(".pcard.on").first.evaluate("(it) => getComputedStyle(it).printColorAdjust") == "exact"


def test_a_phone_shares_the_file_under_its_name(own_page: Page, code: str) -> None:
    own_page.set_default_timeout(SLOW)
    own_page.add_init_script(SHARES)
    own_page.goto(f"/print?match={code}")

    tap(own_page, "Share")

    waiting = "async () => { while (!window.shared) await new Promise((go) => setTimeout(go, 50)); }"
    own_page.evaluate(waiting)
    name, kind, size = own_page.evaluate("[shared.files[0].name, shared.files[0].type, shared.files[0].size]")
    assert name.endswith("score-sheet-Letter.pdf")
    assert kind == "application/pdf"
    assert size > 10_000
