"""Two phones: one joins by the QR code, may score, may not any more, is removed, and is added again."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import expect_text, tap
from tests.common.chromium import Phones


@pytest.fixture
def owner(page: Page, path: str) -> Page:
    """Open an invitation from the match page."""
    page.goto(path)
    tap(page, "Add other phones")
    page.get_by_role("button", name="Watch", exact=True).tap()
    return page


def join(guest: Page, owner: Page) -> None:
    """Join by the address in the QR code, as Bea's phone."""
    expect(owner.locator(".door svg").first).to_be_visible()
    address = owner.locator(".link").text_content() or ""
    guest.goto(f"/join/{address.rpartition('/')[2]}")
    guest.locator(".pick", has_text="Bea").tap()
    tap(guest, "Join")
    expect(guest.locator("#board")).to_be_visible()


def test_the_permission_to_score_comes_and_goes_on_the_open_page(phones: Phones, owner: Page) -> None:
    guest = phones.new()
    join(guest, owner)
    record = guest.get_by_role("link", name="Record hand")
    expect_text(owner, "#phones", "Bea")
    expect(record).to_have_count(0)

    tap(owner, "Let Bea score")
    expect(record).to_be_visible()
    expect_text(guest, "#turn", "This phone can score now.")

    tap(owner, "Let Bea only watch")
    expect(record).to_have_count(0)
    expect_text(guest, "#bottom_bar", "Bea’s phone is watching.")

    tap(owner, "Remove Bea")
    expect_text(guest, "body", "no longer works")
    expect(guest.locator("[data-score]")).to_have_count(0)


def test_a_removed_phone_shows_the_match_by_itself_once_it_is_added_again(phones: Phones, owner: Page) -> None:
    guest = phones.new(is_own=True)
    join(guest, owner)
    owner.reload()
    tap(owner, "Remove Bea")
    expect(owner.get_by_role("button", name="Add Bea again")).to_be_visible()
    guest.clock.install()
    guest.reload()
    expect_text(guest, "body", "no longer works")
    with guest.expect_response(lambda answer: answer.request.method == "HEAD") as tried:
        guest.clock.fast_forward("00:20")
    assert tried.value.status == 410

    tap(owner, "Add Bea again")
    expect(owner.get_by_role("button", name="Remove Bea")).to_be_visible()
    guest.clock.fast_forward("00:20")

    expect(guest.locator("#board")).to_be_visible()
