"""A penalty, somebody who sits in, and scores from paper, tapped and typed on a phone: 390 by 844."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import record_hand, score, with_markers
from tests.browser.conftest import StartMatch
from tests.browser.taps import TapCounter
from tests.common.chromium import Phones


@pytest.fixture(params=[True, False], ids=["scripts", "no scripts"])
def any_page(request: pytest.FixtureRequest, phones: Phones) -> Page:
    """Open a page on a phone, with scripts and without."""
    return phones.new(scripts=request.param)


def test_a_penalty_is_counted_before_the_hand_is_saved(page: Page, start_match: StartMatch) -> None:
    taps = TapCounter(page)
    page.goto(f"{start_match()}hands/new")
    taps.tap(page.get_by_role("radio", name="Dan 3"))
    taps.tap(page.locator("#row-low").get_by_role("radio", name="Ann & Cal"))
    taps.tap(page.get_by_role("button", name="Rest to Bea & Dan"))
    taps.tap(page.locator("details:has(#penalties) > summary"))
    page.locator("#penalty-s2").fill("2")

    expect(page.locator("#main-button")).to_contain_text(with_markers("made, Bea & Dan +1 / Ann & Cal +1"))
    taps.tap(page.locator("#main-button"))
    expect(page.locator("[data-score=s2]")).to_have_text("1")


def test_a_penalty_comes_back_with_a_draft(page: Page, start_match: StartMatch) -> None:
    page.goto(f"{start_match()}hands/new")
    page.locator("details:has(#penalties) > summary").tap()
    with page.expect_response("**/preview"):
        page.locator("#penalty-s1").fill("1")

    page.reload()

    expect(page.locator("#penalty-s1")).to_have_value("1")


def test_a_penalty_stands_alone_in_a_misdeal(any_page: Page, start_match: StartMatch) -> None:
    any_page.goto(f"{start_match()}hands/new")
    any_page.locator("details:has(#penalties) > summary").tap()
    any_page.locator("#penalty-s1").fill("1")

    any_page.get_by_role("button", name="Misdeal").tap()

    expect(any_page.locator("[data-score=s1]")).to_have_text("−1")


def test_somebody_sits_in_and_bids(page: Page, start_match: StartMatch) -> None:
    page.goto(start_match())
    record_hand(page, "Cal 3", low="Bea & Dan")
    taps = TapCounter(page)

    taps.tap(page.get_by_role("link", name="Menu"))
    taps.tap(page.get_by_role("link", name="Someone sits in"))
    taps.tap(page.get_by_role("radio", name="Cal"))
    page.get_by_label("Who sits in?").fill("Eva")
    taps.tap(page.locator(".bottom-bar .go"))

    expect(page.locator("#turn")).to_contain_text("Eva sits in for Cal.")
    record_hand(page, "Eva 2", low="Bea & Dan")
    rows = page.locator("#history tbody tr:not(.opened)")
    expect(rows.nth(0)).to_contain_text("Eva 2")
    expect(rows.nth(1)).to_contain_text("Cal 3")
    assert score(page, "s1") == "6"


def test_somebody_sits_in_without_scripts(phones: Phones, start_match: StartMatch) -> None:
    page = phones.new(scripts=False)
    page.goto(f"{start_match()}sits-in")
    page.locator("label", has_text="Cal").tap()
    page.get_by_label("Who sits in?").fill("Eva")

    page.locator(".bottom-bar .go").tap()

    expect(page.locator("#turn")).to_contain_text("Eva sits in for Cal.")


def test_a_match_goes_on_from_paper(any_page: Page) -> None:
    any_page.goto("/new/partnership-pitch")
    any_page.locator("#paper > summary").tap()
    any_page.locator("#paper-score-0").fill("12")
    any_page.locator("#paper-score-1").fill("-3")
    any_page.locator("#paper-hands").fill("5")
    any_page.locator("#other-target").fill("33")

    any_page.locator(".bottom-bar .go").tap()

    expect(any_page.locator("[data-score=s1]")).to_have_text("12")
    expect(any_page.locator("[data-score=s2]")).to_have_text("−3")
    expect(any_page.locator("#history")).to_contain_text("From paper")
    expect(any_page.locator(".bar h1")).to_contain_text("To 33")
