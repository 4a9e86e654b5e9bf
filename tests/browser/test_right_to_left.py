"""Names that are written from right to left: around them all stands where it stands around other names."""

import pytest
from playwright.sync_api import Page

from tests.browser.actions import Site, expect_text, go_offline, go_online, take_over, tap_answers, tap_main_button
from tests.browser.playing import begin_match, play_hand
from tests.common.chromium import Phones
from tests.common.guests import SCORER, let_in
from tests.common.phone import Phone

PEOPLE = ("שרה לוי", "ليلى", "בן־דוד", "عمر بن سعيد")
IN_TWO_SCRIPTS = ("Dan דן", "ليلى 2", "דן 2", "Sara שרה")
SEATS = {f"seat_{i}": name for i, name in enumerate(PEOPLE)}
TORN = """() => [...document.querySelectorAll("bdi")].map((name) => name.parentElement)
    .filter((box) => /flex|grid/.test(getComputedStyle(box).display))
    .filter((box) => [...box.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim()))
    .map((box) => box.outerHTML.slice(-160))"""
"""Sentences whose words would stand apart like buttons in a row."""
TURNED = """() => [...document.querySelectorAll("bdi")].filter((bdi) => {
  const next = bdi.nextSibling, range = document.createRange();
  if (next?.nodeType !== Node.TEXT_NODE || !next.data.trim()) return false;
  range.setStart(next, next.data.search(/\\S/));
  range.setEnd(next, next.data.search(/\\S/) + 1);
  const [name, after] = [bdi, range].map((each) => [...each.getClientRects()].pop());
  return name && after && (after.top + after.bottom) / 2 < name.bottom && after.left < name.left;
}).map((bdi) => bdi.parentElement.textContent)"""
"""Names that what follows them stands before."""
PAGES = (
    *("", "hands/new", "hands/new?by=auction", "hands/new?by=counts", "hands/1", "history", "history/journal"),
    *("deal", "sits-in", "names", "tv", "share", "what-if?low=held", "rules/change"),
)


def show(phones: Phones, site: Site, phone: Phone) -> Page:
    """Open a page with the cookie of a phone."""
    page = phones.new()
    take_over(page, phone, site)
    return page


@pytest.mark.parametrize(
    ("target", "people"), [("21", PEOPLE), ("7", PEOPLE), ("21", IN_TWO_SCRIPTS)], ids=["21", "7", "in two scripts"]
)
def test_no_sentence_is_torn_apart_and_none_is_turned(
    phones: Phones, site: Site, target: str, people: tuple[str, ...]
) -> None:
    phone = site.client()
    match = begin_match(phone, house_target=target, **{f"seat_{i}": name for i, name in enumerate(people)})
    path = play_hand(play_hand(match, call="p4:3", trump="spades", took_low="s1"), call="p2:4").path
    page = show(phones, site, phone)
    code = path.split("/")[2]

    names = 0

    for address in (*(path + rest for rest in PAGES), "/", f"/new/again/{code}", f"/settle?match={code}"):
        page.goto(address)
        assert (address, page.evaluate(TORN), page.evaluate(TURNED)) == (address, [], [])
        names += page.locator("bdi").count()

    assert names > 100


def test_names_on_the_button_of_a_settled_hand_are_isolated(page: Page) -> None:
    page.goto(
        "/settle?rules=colorado-ten-point&bid=6&bidder=s1&count-s1=6&count-s2=4&score-0=37&score-1=40&name-0=דן&name-1=שרה"
    )
    page.locator("#main-button").scroll_into_view_if_needed()

    expect_text(page, "#main-button bdi", "דן")


@pytest.mark.usefixtures("network_errors_allowed")
def test_a_name_in_what_a_waiting_hand_says_is_isolated(phones: Phones, site: Site) -> None:
    phone = site.client()
    match = begin_match(phone, **SEATS)
    guest = let_in(match, site.client(), SCORER, "p2")
    page = show(phones, site, phone)
    page.goto(f"{match.path}hands/new")
    go_offline(page)
    tap_answers(page, "p1:2")
    tap_main_button(page)
    expect_text(page, "#outbox", "is sent when")
    play_hand(guest, call="p4:3", trump="spades", took_low="s1")

    go_online(page)

    expect_text(page, "#outbox h2", f"\u2068{PEOPLE[1]}\u2069’s phone saved hand 1 first")


def test_the_name_on_the_button_that_starts_a_match_is_isolated(page: Page) -> None:
    page.goto("/new/partnership-pitch")

    page.locator("[name=seat-0]").fill("דן 2")

    expect_text(page, "[data-start] bdi", "דן 2")
    expect_text(page, "[data-start]", "Start: דן 2 deals")
