"""What scripts add to a page, and that the page works without them."""

from playwright.sync_api import Page, expect


def test_the_start_button_says_who_deals(page: Page) -> None:
    page.goto("/new")

    page.get_by_role("radio", name="Bea deals first").check(force=True)
    page.get_by_role("textbox", name="Name, seat 4").fill("Beatrice")

    expect(page.locator("[data-start]")).to_have_text("Start: Beatrice deals")
