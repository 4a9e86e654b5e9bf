"""The app as it is served, actions of a test on its pages, and checks of their effect."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from flask import Flask
from playwright.sync_api import CDPSession, Locator, Page, expect

from tests.browser.playing import save_hand
from tests.common.calling import took
from tests.common.chromium import LAN_HOST, TIMEOUT
from tests.common.phone import Phone


@dataclass
class Site:
    """The app, and where it is served."""

    app: Flask
    url: str

    def client(self) -> Phone:
        """Return a phone without a browser."""
        return Phone(self.app.test_client())


class TapCounter:
    """Taps one thing after the other, each after what the one before brought."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.count = 0

    def tap(self, what: Locator) -> None:
        """Tap in the middle of an element, or of the label that it is in."""
        expect(what).to_have_count(1)
        what.locator("xpath=(ancestor::label | self::*)[1]").tap()
        self.count += 1
        wait_for_count(self.page)

    def answer(self, name: str, row: str = "body") -> None:
        """Tap an answer of a form, in one of its rows."""
        self.tap(self.page.locator(row).get_by_role("radio", name=name))

    def press(self, name: str) -> None:
        """Tap the link or the button of a name."""
        self.tap(link_or_button(self.page, name))


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


def with_markers(words: str) -> re.Pattern[str]:
    """Return a pattern for words in which the letter of a marker may stand before each name."""
    return re.compile(re.sub(r"\b(?=[A-Z])", ".?", re.escape(words)))


def expect_text(page: Page, where: str, text: str | re.Pattern[str], timeout: int = TIMEOUT) -> None:
    """Wait until an element has this text in it."""
    expect(page.locator(where)).to_contain_text(text, timeout=timeout)


def link_or_button(page: Page | Locator, name: str) -> Locator:
    """Return the link or the button of a name."""
    return page.get_by_role("link", name=name).or_(page.get_by_role("button", name=name))


def tap(page: Page | Locator, name: str) -> None:
    """Tap the link or the button of a name."""
    link_or_button(page, name).tap()


def tap_main_button(page: Page) -> None:
    """Tap the button that saves a hand, or leads to what is missing."""
    page.locator("#main-button").tap()


def name_players(page: Page, *names: str) -> None:
    """Type who sits where, on the page of a table."""
    for seat, name in enumerate(names):
        page.locator(f"[name=seat-{seat}]").fill(name)


def choose_entry_mode(page: Page, name: str) -> None:
    """Choose another way to enter a hand, from the menu in its head."""
    taps = TapCounter(page)
    taps.tap(page.locator("#way-menu > summary"))
    taps.tap(page.locator("#way-menu button").filter(has_text=re.compile(f"^{name}")))


def enter_hand(page: Page, bid: str = "Dan 3") -> None:
    """Enter a hand of which Low went elsewhere and the rest to Bea & Dan, on the page where hands are entered."""
    taps = TapCounter(page)
    taps.answer(bid)
    taps.answer("Ann & Cal", "#row-low")
    taps.tap(page.get_by_role("button", name="Rest to Bea & Dan"))
    expect(page.locator("#main-button")).to_have_text(with_markers("Save: made, Bea & Dan +3 / Ann & Cal +1"))


def record_hand(page: Page, bid: str, **took: str) -> None:
    """Record a hand from the match page and back."""
    taps = TapCounter(page)
    taps.tap(page.locator("#bottom_bar .go"))
    expect(page.locator("#hand_form")).to_be_visible()
    if page.get_by_role("button", name="Start over").count():  # another phone's hand is in progress
        taps.tap(page.get_by_role("button", name="Start over"))
    taps.answer(bid)
    for award, who in took.items():
        taps.answer(who, f"#row-{award}")
    give_rest(taps)
    taps.tap(page.locator("#main-button"))
    expect(page.locator("#turn")).to_contain_text(re.compile(r"is saved\.|More"))


def give_rest(taps: TapCounter) -> None:
    """Give what is open to the bidding side."""
    taps.tap(bidding_side(taps.page))


def bidding_side(page: Page) -> Locator:
    """Return the button that gives the rest to the bidding side, with whose marker the count begins."""
    marker = page.locator("#bottom_bar .took-by .mk").first
    mark = next(word for word in (marker.get_attribute("class") or "").split() if word[1:].isdigit())
    buttons = page.locator(f".rest button.{mark}")
    # Of more than six sides two have one shape.
    letter = marker.text_content() or ""
    return buttons if buttons.count() == 1 else buttons.filter(has=page.get_by_text(letter, exact=True))


def score(page: Page, side: str) -> str:
    """Return a side's score."""
    return page.locator(f"[data-score={side}]").inner_text().strip()


def hands(site: Site, path: str) -> list[str]:
    """Return the hands that the server has, the newest first."""
    match = site.client().open(path)
    return match.rows if match.part("history").all("tbody") else []


def over_plain_http(site: Site, path: str) -> str:
    """Return the address that phones in the same Wi-Fi have: over plain http no copy of a page is kept."""
    return f"http://{LAN_HOST}:{urlsplit(site.url).port}{path}"


def go_offline(page: Page) -> None:
    """Take the network from a phone."""
    page.context.set_offline(True)


def go_online(page: Page) -> None:
    """Give a phone its network back."""
    page.context.set_offline(False)


def lose_answer(page: Page) -> None:
    """Take the network from a phone as the next form that it sends has reached the server, but not its answer."""

    def lose(session: CDPSession, request_id: str) -> None:
        go_offline(page)
        session.send("Fetch.failRequest", {"requestId": request_id, "errorReason": "InternetDisconnected"})
        session.detach()

    on_answer(page, lose)


def on_answer(page: Page, act: Callable[[CDPSession, str], None]) -> None:
    """Act before the phone has the answer to the next form that it sends; the server has taken the form by then."""
    session, left = page.context.new_cdp_session(page), [act]

    def answered(event: dict[str, Any]) -> None:
        if event["request"]["method"] == "POST" and left:
            left.pop()(session, event["requestId"])
        else:
            session.send("Fetch.continueResponse", {"requestId": event["requestId"]})

    session.on("Fetch.requestPaused", answered)
    session.send("Fetch.enable", {"patterns": [{"requestStage": "Response"}]})


def tap_answers(page: Page, call: str, **others: str) -> None:
    """Tap who bid what at Partnership Pitch, and that this side took all but what others did."""
    for name, value in {"call": call, **took("s1" if call.startswith(("p1", "p3")) else "s2", **others)}.items():
        pick(page, name, value)


def take_over(page: Page, phone: Phone, site: Site) -> None:
    """Let a page be that of a phone without a browser."""
    cookie = phone.client.get_cookie("scorekeeper")
    assert cookie
    page.context.add_cookies([{"name": "scorekeeper", "value": cookie.value, "url": site.url}])


def record_elsewhere(site: Site, path: str, call: str = "p1:2") -> None:
    """Save a hand of Partnership Pitch on another phone, all of it to the bidding side."""
    assert save_hand(site.client().open(path), call=call).status == 303
