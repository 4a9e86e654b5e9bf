"""A match under other rules, from its verdict to what is told in place, and by the link that shares it."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Site
from tests.browser.taps import TapCounter
from tests.common.chromium import Phones
from tests.common.thursday import imported, thursday


@pytest.fixture
def path(site: Site) -> str:
    """Return the path of a match of ten hands, the sixth with points only."""
    return imported(site.client(), thursday()).path


def card(page: Page, number: int) -> Locator:
    return page.locator("#results section").nth(number)


def test_what_is_missing_is_told_in_place(page: Page, path: str) -> None:
    page.goto(path)
    taps = TapCounter(page)
    taps.tap(page.get_by_role("link", name="What if?"))
    page.get_by_text(re.compile("^[0-9]+ more$")).tap()
    with page.expect_navigation():
        taps.tap(page.get_by_role("link", name=re.compile("Without the Trey")))
    page.goto(f"{path}what-if?off_jack=no")
    expect(card(page, 1)).to_contain_text("either way")

    told = page.locator("label:has([name=told-6-off_jack][value=s2])")
    with page.expect_response("**/what-if?**"):
        told.tap()

    expect(card(page, 1)).to_contain_text("reached 42")
    expect(card(page, 1)).not_to_contain_text("?")
    expect(page).to_have_url(re.compile("off_jack=no&told-6-off_jack=s2"))
    expect(page.locator("[name=told-6-off_jack]:checked")).to_have_value("s2")
    expect(page.locator("#announcement")).to_have_text("Without the Off Jack: Bea & Dan win, reached 42.")
    # Whoever answers by the keys goes on from the answer.
    expect(page.locator("[name=told-6-off_jack]:focus")).to_have_value("s2")
    page.reload()
    expect(card(page, 1)).to_contain_text("reached 42")

    with page.expect_response("**/what-if?**"):
        page.locator("label:has([name=told-6-off_jack][value=''])").tap()

    expect(card(page, 1)).to_contain_text("either way")


def test_a_shared_comparison_opens_on_another_phone(page: Page, phones: Phones, path: str) -> None:
    page.goto(f"{path}what-if?off_jack=no")
    with page.expect_response("**/what-if?**"):
        page.locator("label:has([name=told-6-off_jack][value=s1])").tap()
    page.get_by_role("button", name="Share").tap()
    link = page.locator("#said").input_value().splitlines()[-1]

    other = phones.new()
    other.goto(re.sub("^https?://[^/]+", "", link))

    expect(card(other, 1)).to_contain_text("Without the Off Jack")
    expect(card(other, 1)).to_contain_text("13")
    expect(other.locator("[name=told-6-off_jack]:checked")).to_have_value("s1")


def test_the_same_without_scripts(phones: Phones, path: str) -> None:
    page = phones.new(scripts=False)
    page.goto(path)
    taps = TapCounter(page)
    taps.tap(page.get_by_role("link", name="What if?"))
    taps.tap(page.get_by_role("link", name="Try another rule"))
    rule = page.locator("details", has=page.locator("[name=off_jack]"))
    rule.locator("summary").tap()
    rule.locator("[name=off_jack]").fill("0")
    taps.tap(rule.get_by_role("button", name="Score it again"))
    expect(card(page, 1)).to_contain_text("Without the Off Jack")
    expect(card(page, 1)).to_contain_text("42–43?")

    taps.tap(page.locator("label:has([name=told-6-off_jack][value=s2])"))
    taps.tap(page.get_by_role("button", name="Score it again"))

    expect(card(page, 1)).to_contain_text("reached 42")
    expect(page.locator("[name=told-6-off_jack]:checked")).to_have_value("s2")
    expect(page.get_by_role("link", name="Score", exact=True)).to_be_visible()
