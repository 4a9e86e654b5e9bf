"""The screen stays on where the browser can do that; where it cannot, the page does not mention it."""

from playwright.sync_api import Page, expect

from tests.browser.actions import tap
from tests.common.chromium import Phones

LOCK = """
window.locks = [];
Object.defineProperty(navigator, "wakeLock", { value: { request: async () => {
  const lock = new EventTarget();
  lock.release = async () => { lock.isReleased = true; lock.dispatchEvent(new Event("release")); };
  window.locks.push(lock);
  return lock;
} } });
"""
NONE = "delete Navigator.prototype.wakeLock;"
HELD = "window.locks.filter((it) => !it.isReleased).length"


def hide(page: Page, hidden: bool) -> None:
    """Hide the page, or show it again."""
    page.evaluate(
        """(hidden) => {
          Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
          if (hidden) window.locks.forEach((it) => it.release());
          document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )


def test_the_match_and_the_hand_keep_the_screen_on(own_page: Page, path: str) -> None:
    own_page.add_init_script(LOCK)

    for part in ("", "hands/new", "tv"):
        own_page.goto(path + part)
        own_page.wait_for_function(f"() => {HELD} === 1")

    own_page.goto(f"{path}history")
    assert own_page.evaluate("window.locks.length") == 0


def test_the_lock_is_requested_again_when_the_page_is_visible_again(own_page: Page, path: str) -> None:
    own_page.add_init_script(LOCK)
    own_page.goto(path)
    own_page.wait_for_function(f"() => {HELD} === 1")

    hide(own_page, True)
    own_page.wait_for_function(f"() => {HELD} === 0")
    hide(own_page, False)

    own_page.wait_for_function(f"() => {HELD} === 1 && window.locks.length === 2")


def test_the_switch_in_the_menu_is_remembered(own_page: Page, path: str) -> None:
    own_page.add_init_script(LOCK)
    own_page.goto(f"{path}menu")
    switch = own_page.get_by_role("group", name="Keep the screen on")
    expect(switch.get_by_role("button", name="on", exact=True)).to_have_attribute("aria-pressed", "true")

    tap(switch, "off")
    expect(switch.get_by_role("button", name="off")).to_have_attribute("aria-pressed", "true")
    own_page.goto(path)
    own_page.wait_for_timeout(300)

    assert own_page.evaluate("window.locks.length") == 0
    own_page.goto(f"{path}tv")
    own_page.wait_for_function(f"() => {HELD} === 1")


def test_a_browser_without_wake_locks_shows_no_switch(own_page: Page, phones: Phones, path: str) -> None:
    own_page.add_init_script(NONE)

    own_page.goto(f"{path}menu")
    own_page.wait_for_timeout(200)

    assert not own_page.get_by_text("Keep the screen on").is_visible()
    without = phones.new(scripts=False)
    without.context.add_cookies(own_page.context.cookies())  # type: ignore[arg-type]
    without.goto(f"{path}menu")
    assert not without.get_by_text("Keep the screen on").is_visible()
