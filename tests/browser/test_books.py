"""The list of all matches of a book on a phone."""

import re

from playwright.sync_api import Page, expect

from tests.browser.actions import Site, expect_text, take_over
from tests.browser.playing import begin_match


def test_a_search_changes_the_list_while_somebody_types(page: Page, site: Site) -> None:
    owner = begin_match(site.client()).phone
    take_over(page, owner, site)
    page.goto(f"{owner.open('/').tap('All matches').path}?person=dan")
    page.wait_for_load_state()  # before its scripts have run a page hears nobody type

    page.locator("#person").fill("zoe")
    expect_text(page, "#matches", "No match fits.")
    expect(page).to_have_url(re.compile("person=zoe"))
    page.locator("#person").fill("dan")
    expect(page.get_by_role("link", name="Ann & Cal v. Bea & Dan")).to_be_visible()
