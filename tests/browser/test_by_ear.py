"""For those who hear the page or have no finger on it: what is said, once, and where the keyboard stays."""

import pytest
from playwright.sync_api import Page as Screen
from playwright.sync_api import expect

from tests.browser.conftest import House, Lay, Pocket
from tests.browser.tables import begun, played

HEARD = """() => {
  window.heard = [];
  const told = document.getElementById("told");
  new MutationObserver(() => told.textContent.trim() && window.heard.push(told.textContent.trim()))
    .observe(told, { childList: true, characterData: true, subtree: true });
}"""
"""Keep what a live region says: an element that is replaced is silent, so only changes within it count."""


def test_another_phone_s_hand_is_said_once_with_the_score(pocket: Pocket, house: House) -> None:
    match = begun(house.phone())
    screen = pocket.phone()
    screen.goto(match.path)
    screen.evaluate(HEARD)

    played(match, call="p4:3", took_low="s1")

    expect(screen.locator("#board [data-score=s2]")).to_have_text("3")
    screen.wait_for_timeout(2200)
    assert screen.evaluate("window.heard") == ["Hand 1: Dan bid 3, made. Us 1, Them 3."]


def test_the_verdict_is_said_with_its_reason(pocket: Pocket, house: House) -> None:
    match = begun(house.phone(), house_target="7")
    played(match, call="p2:4")
    screen = pocket.phone()
    screen.goto(match.path)
    screen.evaluate(HEARD)

    played(match, call="p4:3", took_low="s1")

    expect(screen.locator(".crown h2")).to_have_text("Them win")
    assert screen.evaluate("window.heard") == [
        "Hand 2: Dan bid 3, made. Us 1, Them 7. Them win. Them bid 3, made it, and stand at 7."
    ]


def test_the_phone_that_wrote_hears_it_as_its_page_opens(screen: Screen, house: House) -> None:
    match = begun(house.phone())
    after = played(match, call="p4:3", took_low="s1")

    screen.goto(f"{after.path}?{after.response.request.query_string.decode()}")
    screen.evaluate(HEARD)

    expect(screen.locator("#told")).to_have_text("Hand 1: Dan bid 3, made. Us 1, Them 3.")
    assert screen.evaluate("window.heard") == ["Hand 1: Dan bid 3, made. Us 1, Them 3."]


@pytest.mark.parametrize("where", ["#history a:has-text('Dan 3')", "#foot .undo", "#foot .go"])
def test_the_keyboard_stays_where_it_was_when_another_phone_writes(pocket: Pocket, house: House, where: str) -> None:
    match = begun(house.phone())
    played(match, call="p4:3", took_low="s1")
    screen = pocket.phone()
    screen.goto(match.path)
    screen.locator(where).focus()

    played(match, call="p1:2", trump="hearts")

    expect(screen.locator("#history tbody tr")).to_have_count(2)
    expect(screen.locator(where)).to_be_focused()


def test_numbers_that_were_unfolded_stay_unfolded(pocket: Pocket, house: House) -> None:
    match = begun(house.phone())
    for _ in range(2):
        played(match, call="p4:3", took_low="s1")
    screen = pocket.phone()
    screen.goto(match.path)
    screen.locator("#chart summary").tap()

    played(match, call="p1:2")

    expect(screen.locator("#chart details[open] tbody tr")).to_have_count(4)
    expect(screen.locator("#history tbody tr")).to_have_count(3)


class Keyboard:
    """Goes about a page with Tab, the arrows, space and Enter."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen

    def _tab_to(self, script: str, told: str) -> None:
        for _ in range(90):
            if self.screen.evaluate(f"((it) => {script})(document.activeElement)"):
                assert self.screen.evaluate("document.activeElement.matches(':focus-visible')"), "the focus is not seen"
                return
            self.screen.keyboard.press("Tab")
        raise AssertionError(f"the keyboard does not come to {told}")

    def go(self, words: str) -> None:
        """Go to what is called so, and on to where it leads."""
        with self.screen.expect_navigation():
            self.press(words)

    def press(self, words: str) -> None:
        """Go to what is called so, and press it."""
        called = f"it.innerText?.replace(/\\s+/g, ' ').trim().startsWith({words!r})"
        self._tab_to(f"it.matches('a, button, summary') && {called}", words)
        self.screen.keyboard.press("Enter")

    def write(self, field: str, text: str) -> None:
        """Go to a field and type."""
        self._tab_to(f"it.name === {field!r}", field)
        self.screen.keyboard.type(text)

    def choose(self, field: str, value: str) -> None:
        """Go to a group of answers, and on with the arrows."""
        self._tab_to(f"it.type === 'radio' && it.name === {field!r}", field)
        for _ in range(30):
            if self.screen.evaluate("document.activeElement.value") == value:
                self.screen.keyboard.press("Space")
                expect(self.screen.locator(f'[name="{field}"][value="{value}"]')).to_be_checked()
                expect(self.screen.locator(".htmx-request")).to_have_count(0)
                return
            self.screen.keyboard.press("ArrowRight")
        raise AssertionError(f"the arrows do not come to {value} of {field}")


def test_an_evening_by_keyboard_alone(screen: Screen, pocket: Pocket) -> None:
    keys, turn = Keyboard(screen), screen.locator("#turn")
    screen.goto("/new/partnership-pitch")
    for seat, name in enumerate(("Ann", "Bea", "Cal", "Dan")):
        keys.write(f"seat-{seat}", name)
    keys.choose("house-target", "7")
    keys.go("Start: Ann deals")
    expect(turn).to_contain_text("Ann deals hand 1.")

    keys.go("Record hand")
    keys.choose("call", "p4:3")
    keys.choose("took-low", "s1")
    keys.go("The rest to Them")
    expect(turn).to_contain_text("Hand 1 is in.")

    keys.go("Dan 3 made")
    expect(screen.locator("h1")).to_contain_text("Every hand")
    keys.press("1 Dan 3 made")
    keys.go("Correct")
    keys.choose("took-game", "s1")
    keys.go("Save")
    expect(turn).to_contain_text("Hand 1 is corrected.")

    keys.go("Undo")
    expect(turn).to_contain_text("The correction is taken back.")

    keys.go("Record hand")
    keys.choose("call", "p2:4")
    keys.go("The rest to Them")
    expect(screen.locator(".crown h2")).to_have_text("Them win")
    expect(screen.locator("#told")).to_contain_text("Them win. Them bid 4, made it, and stand at 7.")
    expect(screen.locator("header")).to_match_aria_snapshot('- heading "Them win" [level=2]')

    keys.go("Play again")
    expect(screen.locator("h1")).to_contain_text("New match")
    # An arrow that goes on before the count of the last answer is there gives that up; htmx tells the console so.
    pocket.said[:] = [said for said in pocket.said if not said.startswith(("htmx:afterRequest", "htmx:sendAbort"))]


def test_the_page_can_be_skipped_to(screen: Screen, lay: Lay) -> None:
    screen.goto(lay())

    screen.keyboard.press("Tab")
    expect(screen.locator(".skip")).to_be_focused()
    assert screen.locator(".skip").bounding_box()["y"] >= 0  # type: ignore[index]
    screen.keyboard.press("Enter")
    screen.keyboard.press("Tab")

    assert screen.evaluate("document.getElementById('main').contains(document.activeElement)")
    expect(screen.locator("#main a").first).to_be_focused()


def test_with_reduced_motion_every_mark_is_simply_there(pocket: Pocket, house: House) -> None:
    after = played(begun(house.phone()), call="p4:4", took_low="s1")
    screen = pocket.phone(reduced_motion="reduce")

    screen.goto(f"{after.path}?{after.response.request.query_string.decode()}")

    assert screen.locator(".draw path").count() >= 2
    assert screen.evaluate("document.getAnimations().length") == 0
    offsets = "[...document.querySelectorAll('.draw path')].map((it) => getComputedStyle(it).strokeDashoffset)"
    assert set(screen.evaluate(offsets)) == {"0px"}


@pytest.mark.parametrize(
    ("said", "marks"),
    [
        ({"call": "p4:3"}, (".say .tickmk path", ".say .won")),
        ({"call": "p4:4", "took_low": "s1"}, (".say .mark path",)),
    ],
    ids=["made", "set"],
)
def test_a_hand_is_marked_before_one_s_eyes(
    pocket: Pocket, house: House, said: dict[str, str], marks: tuple[str, ...]
) -> None:
    after = played(begun(house.phone()), **said)
    screen = pocket.phone(reduced_motion="no-preference")

    screen.goto(f"{after.path}?{after.response.request.query_string.decode()}")

    for mark in marks:
        assert screen.locator(mark).first.evaluate("(it) => getComputedStyle(it).animationName") in ("draw", "pop")


def test_going_out_draws_two_lines_one_after_the_other(pocket: Pocket, house: House) -> None:
    match = begun(house.phone(), house_target="7")
    played(match, call="p2:4")
    screen = pocket.phone(reduced_motion="no-preference")
    screen.goto(match.path)

    played(match, call="p4:3", took_low="s1")

    expect(screen.locator(".crown h2.pop")).to_have_text("Them win")
    lines = screen.locator(".win .under .draw path")
    assert lines.evaluate_all("(all) => all.map((it) => getComputedStyle(it).animationName)") == ["draw", "draw"]
    first, second = lines.evaluate_all("(all) => all.map((it) => parseFloat(getComputedStyle(it).animationDelay))")
    assert first < second
