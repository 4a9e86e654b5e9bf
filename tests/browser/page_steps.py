"""What is tapped on a page before it is looked at."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

Step = Callable[[Page], None]


def no_step(_page: Page) -> None:
    """Leave the page as it opens."""


def pick(page: Page, name: str, value: str) -> None:
    """Tap an answer."""
    page.locator(f'label:has([name="{name}"][value="{value}"])').tap()


def wait_for_count(page: Page) -> None:
    """Wait until what was tapped has been counted."""
    expect(page.locator(".htmx-request")).to_have_count(0)


def picks(*answers: tuple[str, str]) -> Step:
    """Return a step that taps answers, each counted before the next."""

    def step(page: Page) -> None:
        for name, value in answers:
            with page.expect_response("**/preview"):
                pick(page, name, value)
            wait_for_count(page)

    return step


def give_rest(page: Page, who: str) -> None:
    """Give what is open to a side."""
    with page.expect_response("**/preview"):
        page.locator(f"[name=rest][value={who}]").tap()
    wait_for_count(page)


def save_offline(page: Page) -> None:
    """Save a hand while offline."""
    picks(("call", "p4:3"), ("took-low", "s1"))(page)
    give_rest(page, "s2")
    page.context.set_offline(True)
    page.locator("#main-button").tap()
    expect(page.locator("#outbox")).to_contain_text("Saved on this phone")


def discard_waiting_hand(page: Page) -> None:
    """Discard a waiting hand, which asks first."""
    save_offline(page)
    page.get_by_role("button", name="Discard").tap()


def tap_offline(page: Page) -> None:
    """Tap while offline."""
    page.context.set_offline(True)
    pick(page, "call", "p4:3")
    expect(page.locator("#bottom_bar")).to_contain_text("What you entered is safe.")


def return_to_draft(page: Page) -> None:
    """Come back to a hand that was not saved."""
    picks(("call", "p4:3"))(page)
    page.reload()
    expect(page.locator("#draft")).to_contain_text("Restored.")
    wait_for_count(page)


def watch_offline(page: Page) -> None:
    """Watch while offline, with a hand that waits."""
    match = page.url
    page.goto(f"{match}hands/new")
    save_conflict(page)
    page.goto(match)
    expect(page.locator("#outbox")).to_contain_text("is still on this phone")
    page.context.set_offline(True)
    expect(page.locator("#touch")).to_contain_text("Offline.")


def save_conflict(page: Page) -> None:
    """Save a hand that another phone, on which it was begun at the same time, has just written."""
    assert page.context.browser
    phone = page.context.browser.new_context(has_touch=True)
    other = phone.new_page()
    other.goto(page.url)
    picks(("call", "p1:2"), ("trump", "hearts"), ("took-low", "s2"))(page)
    give_rest(page, "s1")
    picks(("call", "p4:3"))(other)
    give_rest(other, "s2")
    with other.expect_navigation():
        other.locator("#main-button").tap()
    phone.close()
    with page.expect_navigation():
        page.locator("#main-button").tap()
