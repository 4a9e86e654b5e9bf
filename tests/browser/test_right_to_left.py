"""Names that are written from right to left: around them all stands where it stands around other names."""

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Site
from tests.browser.playing import begin_match, play_hand
from tests.chromium import Phones
from tests.web.phone import Phone

PEOPLE = ("שרה לוי", "ليلى", "בן־דוד", "عمر بن سعيد")
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
  return name && after && name.bottom > after.top && name.top < after.bottom && after.left < name.left;
}).map((bdi) => bdi.parentElement.textContent)"""
"""Names that what follows them stands before."""
PAGES = (
    *("", "hands/new", "hands/new?by=auction", "hands/new?by=counts", "hands/1", "history", "history/journal"),
    *("deal", "sits-in", "names", "tv", "share", "what-if?low=held", "rules/change"),
)


def show(phones: Phones, site: Site, phone: Phone) -> Page:
    """Open a page with the cookie of a phone."""
    page, cookie = phones.new(), phone.client.get_cookie("scorekeeper")
    assert cookie
    page.context.add_cookies([{"name": "scorekeeper", "value": cookie.value, "url": site.url}])
    return page


@pytest.mark.parametrize("target", ["21", "7"])
def test_no_sentence_is_torn_apart_and_none_is_turned(phones: Phones, site: Site, target: str) -> None:
    phone = site.client()
    match = begin_match(phone, house_target=target, **SEATS)
    path = play_hand(play_hand(match, call="p4:3", trump="spades", took_low="s1"), call="p2:4").path
    page = show(phones, site, phone)
    code = path.split("/")[2]

    names = 0

    for address in (*(path + rest for rest in PAGES), "/", f"/new/again/{code}", f"/settle?match={code}"):
        page.goto(address)
        assert (address, page.evaluate(TORN), page.evaluate(TURNED)) == (address, [], [])
        names += page.locator("bdi").count()

    assert names > 100
