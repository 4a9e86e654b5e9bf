"""Pages with a screen reader or a keyboard alone: each change is announced once, and the focus is kept."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import Site, expect_text
from tests.browser.playing import begin_match, play_hand
from tests.common.chromium import Phones
from tests.common.phone import Page as Answer

HEARD = """() => {
  window.heard = [];
  const region = document.getElementById("announcement");
  new MutationObserver(() => region.textContent.trim() && window.heard.push(region.textContent.trim()))
    .observe(region, { childList: true, characterData: true, subtree: true });
}"""
"""Record what a live region announces: an element that is replaced is silent, so only changes within it count."""


def test_another_phone_s_hand_is_announced_once_with_the_score(page: Page, match: Answer) -> None:
    page.goto(match.path)
    page.evaluate(HEARD)

    play_hand(match, call="p4:3", took_low="s1")

    expect(page.locator("#board [data-score=s2]")).to_have_text("3")
    page.wait_for_timeout(2200)
    assert page.evaluate("window.heard") == ["Hand 1: Dan bid 3, made. Ann & Cal 1, Bea & Dan 3."]


@pytest.mark.parametrize("where", ["#history a:has-text('Dan 3')", "#bottom_bar .undo", "#bottom_bar .go"])
def test_the_focus_stays_when_another_phone_writes(page: Page, site: Site, where: str) -> None:
    match = play_hand(begin_match(site.client()), call="p4:3", took_low="s1")
    page.goto(match.path)
    page.locator(where).focus()

    play_hand(match, call="p1:2", trump="hearts")

    expect(page.locator("#history tbody tr:not(.opened)")).to_have_count(2)
    expect(page.locator(where)).to_be_focused()


def test_an_open_table_of_numbers_stays_open(page: Page, match: Answer) -> None:
    for _ in range(2):
        play_hand(match, call="p4:3", took_low="s1")
    page.goto(match.path)
    page.locator("#chart summary").tap()

    play_hand(match, call="p1:2")

    expect(page.locator("#chart details[open] tbody tr")).to_have_count(4)
    expect(page.locator("#history tbody tr:not(.opened)")).to_have_count(3)


class Keyboard:
    """Moves on a page with Tab, the arrows, space and Enter."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def _tab_to(self, script: str, target: str) -> None:
        for _ in range(90):
            if self.page.evaluate(f"((it) => {script})(document.activeElement)"):
                assert self.page.evaluate("document.activeElement.matches(':focus-visible')"), "the focus is not seen"
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the keyboard does not come to {target}")

    def go(self, words: str) -> None:
        """Press what begins with these words, and wait for the page that it leads to."""
        with self.page.expect_navigation():
            self.press(words)

    def press(self, words: str) -> None:
        """Press what begins with these words."""
        called = f"it.innerText?.replace(/\\s+/g, ' ').trim().startsWith({words!r})"
        self._tab_to(f"it.matches('a, button, summary') && {called}", words)
        self.page.keyboard.press("Enter")

    def write(self, field: str, text: str) -> None:
        """Type into a field."""
        self._tab_to(f"it.name === {field!r}", field)
        self.page.keyboard.type(text)

    def choose(self, field: str, value: str) -> None:
        """Choose an answer with the arrows."""
        self._tab_to(f"it.type === 'radio' && it.name === {field!r}", field)
        for _ in range(30):
            if self.page.evaluate("document.activeElement.value") == value:
                self.page.keyboard.press("Space")
                expect(self.page.locator(f'[name="{field}"][value="{value}"]')).to_be_checked()
                expect(self.page.locator(".htmx-request")).to_have_count(0)
                return
            self.page.keyboard.press("ArrowRight")
        raise AssertionError(f"the arrows do not come to {value} of {field}")


def test_a_match_by_keyboard_alone(page: Page, phones: Phones) -> None:
    keys, turn = Keyboard(page), page.locator("#turn")
    page.goto("/new/partnership-pitch")
    for seat, name in enumerate(("Ann", "Bea", "Cal", "Dan")):
        keys.write(f"seat-{seat}", name)
    keys.choose("house-target", "7")
    keys.go("Start: Ann deals")
    expect(turn).to_contain_text("Ann deals hand 1.")

    keys.go("Record hand")
    keys.choose("call", "p4:3")
    keys.choose("took-low", "s1")
    keys.press("B Rest to Bea & Dan")
    expect(page.locator("#main-button")).to_be_focused()
    keys.go("Save: made")
    expect(turn).to_contain_text("Hand 1 is saved.")

    keys.go("Dan 3 made")
    expect_text(page, "h1", "All hands")
    keys.go("Correct")
    keys.choose("took-game", "s1")
    keys.go("Save")
    expect(turn).to_contain_text("Hand 1 is corrected.")

    keys.go("Undo")
    expect(turn).to_contain_text("Correction undone.")

    keys.go("Record hand")
    keys.choose("call", "p2:4")
    keys.press("B Rest to Bea & Dan")
    expect(page.locator("#main-button")).to_be_focused()
    keys.go("Save: made")
    expect_text(page, ".crown h2", "Bea & Dan win")
    expect_text(page, "#announcement", "Bea & Dan win. Bea & Dan bid 4, made it and have 7.")
    expect(page.locator("header")).to_match_aria_snapshot('- heading "Bea & Dan win" [level=2]')

    keys.go("Play again")
    expect_text(page, "h1", "New match")


def test_the_keyboard_stays_on_a_bid_that_asks_more(entry: Page) -> None:
    keys = Keyboard(entry)

    for field, answer in (("call", "p4:3"), ("trump", "hearts"), ("call", "p4:smudge")):
        keys.choose(field, answer)

    expect(entry.locator(":focus")).to_have_value("p4:smudge")


def test_the_ways_of_entry_cover_no_answer_that_has_the_focus(entry: Page) -> None:
    entry.locator("#way-menu summary").tap()

    entry.locator("[name=call]").first.focus()

    expect(entry.locator("#way-counts")).to_be_hidden()


def test_the_skip_link_leads_to_the_page(page: Page, path: str) -> None:
    page.goto(path)

    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    assert page.locator(".skip").bounding_box()["y"] >= 0  # type: ignore[index]
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")

    assert page.evaluate("document.getElementById('main').contains(document.activeElement)")
    expect(page.locator("#main a").first).to_be_focused()


def test_with_reduced_motion_nothing_is_animated(still_page: Page, site: Site) -> None:
    after = play_hand(begin_match(site.client()), call="p4:4", took_low="s1")

    still_page.goto(f"{after.path}?{after.response.request.query_string.decode()}")

    assert still_page.locator(".draw path").count() >= 2
    assert still_page.evaluate("document.getAnimations().length") == 0
    offsets = "[...document.querySelectorAll('.draw path')].map((it) => getComputedStyle(it).strokeDashoffset)"
    assert set(still_page.evaluate(offsets)) == {"0px"}


@pytest.mark.parametrize(
    ("said", "mark"),
    [({}, ".say .tickmk path"), ({}, "#history .won"), ({"took_low": "s1", "took_game": "s1"}, "#history .mark path")],
    ids=["made", "won", "set"],
)
def test_the_marks_of_a_saved_hand_are_animated(page: Page, site: Site, said: dict[str, str], mark: str) -> None:
    after = play_hand(begin_match(site.client()), call="p4:3", **said)

    page.goto(f"{after.path}?{after.response.request.query_string.decode()}")

    assert page.locator(mark).first.evaluate("(it) => getComputedStyle(it).animationName") in ("draw", "pop")


def test_winning_draws_two_lines_one_after_the_other(page: Page, site: Site) -> None:
    match = begin_match(site.client(), house_target="7")
    play_hand(match, call="p2:4")
    page.goto(match.path)

    play_hand(match, call="p4:3", took_low="s1")

    expect_text(page, ".crown h2.pop", "Bea & Dan win")
    lines = page.locator(".win .under .draw path")
    assert lines.evaluate_all("(all) => all.map((it) => getComputedStyle(it).animationName)") == ["draw", "draw"]
    first, second = lines.evaluate_all("(all) => all.map((it) => parseFloat(getComputedStyle(it).animationDelay))")
    assert first < second
