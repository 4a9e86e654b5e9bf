"""The screen stays on where the browser can do that; where it cannot, nothing is said of it."""

from playwright.sync_api import Page as Screen
from playwright.sync_api import expect

from tests.browser.conftest import Lay, Pocket

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


def hide(screen: Screen, hidden: bool) -> None:
    """Let the page be put away, or be looked at again."""
    screen.evaluate(
        """(hidden) => {
          Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
          if (hidden) window.locks.forEach((it) => it.release());
          document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )


def test_the_match_and_the_hand_keep_the_screen_on(screen: Screen, lay: Lay) -> None:
    screen.add_init_script(LOCK)
    path = lay()

    for page in ("", "hands/new", "tv"):
        screen.goto(path + page)
        screen.wait_for_function(f"() => {HELD} === 1")

    screen.goto(f"{path}history")
    assert screen.evaluate("window.locks.length") == 0


def test_it_is_asked_for_anew_when_the_page_is_seen_again(screen: Screen, lay: Lay) -> None:
    screen.add_init_script(LOCK)
    screen.goto(lay())
    screen.wait_for_function(f"() => {HELD} === 1")

    hide(screen, True)
    screen.wait_for_function(f"() => {HELD} === 0")
    hide(screen, False)

    screen.wait_for_function(f"() => {HELD} === 1 && window.locks.length === 2")


def test_the_switch_in_the_menu_is_remembered(screen: Screen, lay: Lay) -> None:
    screen.add_init_script(LOCK)
    path = lay()
    screen.goto(f"{path}menu")
    switch = screen.get_by_role("group", name="Keep the screen on")
    expect(switch.get_by_role("button", name="on", exact=True)).to_have_attribute("aria-pressed", "true")

    switch.get_by_role("button", name="off").tap()
    expect(switch.get_by_role("button", name="off")).to_have_attribute("aria-pressed", "true")
    screen.goto(path)
    screen.wait_for_timeout(300)

    assert screen.evaluate("window.locks.length") == 0
    screen.goto(f"{path}tv")
    screen.wait_for_function(f"() => {HELD} === 1")


def test_where_the_browser_cannot_the_switch_is_not_there(screen: Screen, pocket: Pocket, lay: Lay) -> None:
    screen.add_init_script(NONE)
    path = lay()

    screen.goto(f"{path}menu")
    screen.wait_for_timeout(200)

    assert not screen.get_by_text("Keep the screen on").is_visible()
    without = pocket.phone(scripts=False)
    without.context.add_cookies(screen.context.cookies())  # type: ignore[arg-type]
    without.goto(f"{path}menu")
    assert not without.get_by_text("Keep the screen on").is_visible()
