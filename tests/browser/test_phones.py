"""Two and three phones: one joins by the QR code or the PIN, may score, may not any more, and is removed."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import StartMatch
from tests.browser.taps import TapCounter
from tests.common.chromium import Phones


def invite(owner: Page, way: str = "Watch") -> str:
    """Open an invitation from the match page, and return the address in its QR code."""
    taps = TapCounter(owner)
    taps.tap(owner.get_by_role("link", name="Add other phones"))
    taps.tap(owner.get_by_role("button", name=way, exact=True))
    expect(owner.locator(".door svg").first).to_be_visible()
    assert taps.count == 2
    return owner.locator(".link").text_content() or ""


def join(guest: Page, address: str, name: str) -> None:
    """Join by an address, as somebody's phone."""
    guest.goto(f"/join/{address.rpartition('/')[2]}")
    guest.locator(".pick", has_text=name).tap()
    with guest.expect_navigation():
        guest.get_by_role("button", name="Join").tap()


def press(owner: Page, what: str) -> None:
    """Tap one of the buttons at another phone's name."""
    with owner.expect_navigation():
        owner.get_by_role("button", name=what).tap()


def open_owner(phones: Phones, path: str, *, scripts: bool = True) -> Page:
    """Open the match on its owner's phone."""
    owner = phones.new(scripts=scripts)
    owner.goto(path)
    return owner


def test_the_permission_to_score_comes_and_goes_on_the_open_page(phones: Phones, start_match: StartMatch) -> None:
    owner, guest = open_owner(phones, start_match()), phones.new()
    join(guest, invite(owner), "Bea")
    record = guest.get_by_role("link", name="Record hand")
    expect(owner.locator("#phones")).to_contain_text("Bea")
    expect(record).to_have_count(0)

    press(owner, "Let Bea score")
    expect(record).to_be_visible()
    expect(guest.locator("#turn")).to_contain_text("This phone can score now.")

    press(owner, "Let Bea only watch")
    expect(record).to_have_count(0)
    expect(guest.locator("#bottom_bar")).to_contain_text("Bea’s phone is watching.")

    press(owner, "Remove Bea")
    expect(guest.locator("body")).to_contain_text("no longer works")
    expect(guest.locator("[data-score]")).to_have_count(0)


def test_a_removed_phone_shows_the_match_by_itself_once_it_is_added_again(
    phones: Phones, start_match: StartMatch
) -> None:
    owner, guest = open_owner(phones, start_match()), phones.new(is_own=True)
    join(guest, invite(owner), "Bea")
    owner.reload()
    press(owner, "Remove Bea")
    guest.clock.install()
    guest.reload()
    expect(guest.locator("body")).to_contain_text("no longer works")
    with guest.expect_response(lambda answer: answer.request.method == "HEAD") as tried:
        guest.clock.fast_forward("00:20")
    assert tried.value.status == 410

    press(owner, "Add Bea again")
    guest.clock.fast_forward("00:20")

    expect(guest.locator("#board")).to_be_visible()


def test_answers_stay_on_the_page_when_the_permission_to_score_ends(phones: Phones, start_match: StartMatch) -> None:
    owner, guest = open_owner(phones, start_match()), phones.new()
    join(guest, invite(owner, "Watch and score"), "Bea")
    guest.get_by_role("link", name="Record hand").tap()
    pick = 'label:has([name="call"][value="p4:3"])'
    with guest.expect_response("**/preview"):
        guest.locator(pick).tap()
    owner.reload()
    press(owner, "Let Bea only watch")

    with guest.expect_response("**/preview") as answer:
        guest.locator('label:has([name="took-low"][value="s1"])').tap()

    assert answer.value.status == 403
    expect(guest.locator("#trouble")).to_contain_text("This phone can watch but not score")
    expect(guest.locator('[name="call"][value="p4:3"]')).to_be_checked()
    # htmx says on the console what the page says in words.
    assert all("Error Code 403" in line for line in phones.console)
    phones.console.clear()
