"""A phone that keeps pages, as over https: the match opens without a network, and a hand can be entered and waits."""

from collections.abc import Callable, Iterator
from time import monotonic, sleep

import pytest
from playwright.sync_api import Page as Screen
from playwright.sync_api import expect

from tests.browser.conftest import CUT, PATIENCE, House, Lay, Pocket
from tests.browser.places import pick
from tests.browser.test_journeys import recorded, score
from tests.browser.test_network import cut, hands
from tests.web.phone import Phone

COPIES = """async () => {
  const pages = await caches.open("scorekeeper-pages");
  return (await pages.keys()).map(({ url }) => new URL(url).pathname).sort();
}"""


@pytest.fixture(autouse=True)
def _silence(pocket: Pocket) -> Iterator[None]:
    yield
    pocket.said[:] = [text for text in pocket.said if not CUT.search(text)]


@pytest.fixture
def keeper(pocket: Pocket) -> Screen:
    """Take a phone that keeps pages."""
    return pocket.phone(keeps=True)


def until(is_so: Callable[[], bool]) -> None:
    """Wait for what the page itself does not show."""
    end = monotonic() + PATIENCE / 1000
    while not is_so():
        assert monotonic() < end
        sleep(0.05)


def copies(screen: Screen) -> list[str]:
    """Name the pages that the phone has copies of."""
    found: list[str] = screen.evaluate(COPIES)
    return found


def kept(screen: Screen, *paths: str) -> None:
    """Wait until copies of these pages are there."""
    until(lambda: set(paths) <= set(copies(screen)))


def forgotten(screen: Screen, path: str) -> None:
    """Wait until nothing of a match is kept."""
    until(lambda: not [it for it in copies(screen) if it.startswith(path)])


def opened(screen: Screen, path: str) -> None:
    """Open a match, and wait until it is kept."""
    screen.goto(path)
    kept(screen, "/", "/offline", path, f"{path}hands/new")
    until(lambda: bool(screen.evaluate("navigator.serviceWorker.controller !== null")))


def test_the_match_opens_without_a_network_and_a_hand_waits(keeper: Screen, lay: Lay, house: House) -> None:
    path = lay()
    opened(keeper, path)
    recorded(keeper, "Dan 3")
    kept(keeper, path)
    keeper.wait_for_timeout(300)
    cut(keeper)

    keeper.goto(path)
    assert score(keeper, "s2") == "4"
    expect(keeper.locator("#touch")).to_contain_text("Lost touch. This score is from")
    keeper.get_by_role("link", name="Record hand").tap()
    for name, value in (("call", "p1:2"), ("took-low", "s2")):
        pick(keeper, name, value)
    expect(keeper.locator("#foot")).to_contain_text("What you entered is safe.")
    keeper.locator("#main-button").tap()
    expect(keeper.locator("#outbox")).to_contain_text("Hand 2 goes in when the Wi-Fi is back.")
    keeper.goto(path)
    expect(keeper.locator("#outbox")).to_contain_text("Hand 2 goes in when the Wi-Fi is back.")
    assert len(hands(house, path)) == 1

    cut(keeper, is_cut=False)
    expect(keeper.locator("#turn")).to_contain_text("Hand 2 is in.", timeout=10_000)
    assert hands(house, path) == ["2 Ann 2 made +3 3 +1 5", "1 Dan 3 made 0 0 +4 4"]


def test_two_hands_entered_on_one_copy_are_two_hands(keeper: Screen, lay: Lay, house: House) -> None:
    path = lay()
    opened(keeper, path)
    cut(keeper)
    for bid in ("p4:3", "p1:2"):
        keeper.goto(f"{path}hands/new")
        pick(keeper, "call", bid)
        expect(keeper.locator("#foot")).to_contain_text("What you entered is safe.")
        keeper.locator("#main-button").tap()
        expect(keeper.locator("#main-button")).to_contain_text("Kept on this phone")
    expect(keeper.locator("#outbox")).to_contain_text("Hand 1 goes in")
    expect(keeper.locator("#outbox")).to_contain_text("The next hand goes in")
    keeper.goto(path)

    cut(keeper, is_cut=False)

    expect(keeper.locator("#turn")).to_contain_text("Hand 2 is in.", timeout=10_000)
    assert hands(house, path) == ["2 Ann 2 made +4 4 0 4", "1 Dan 3 made 0 0 +4 4"]


def test_a_page_never_seen_says_so(keeper: Screen, lay: Lay) -> None:
    path = lay()
    opened(keeper, path)
    cut(keeper)

    keeper.goto(f"{path}history")
    expect(keeper.locator("#main")).to_contain_text("This phone has not seen that page before")
    keeper.get_by_role("link", name="Home").last.tap()

    expect(keeper.get_by_role("heading", name="Scorekeeper")).to_be_visible()


def test_a_copy_goes_when_its_link_leads_nowhere(keeper: Screen, lay: Lay) -> None:
    path = lay()
    opened(keeper, path)
    keeper.route("**/*", lambda route: route.continue_())
    keeper.context.route(
        f"**{path}", lambda route: route.fulfill(status=410, body="<p>over</p>", content_type="text/html")
    )

    keeper.goto(path)

    forgotten(keeper, path)


def test_copies_go_with_the_match_that_is_thrown_away(keeper: Screen, lay: Lay) -> None:
    path = lay()
    opened(keeper, path)

    keeper.goto(f"{path}delete")
    keeper.get_by_role("button", name="Throw it away").tap()
    expect(keeper.get_by_role("button", name="Put back")).to_be_visible()

    forgotten(keeper, path)


def test_what_is_sent_and_what_is_polled_is_never_a_copy(keeper: Screen, lay: Lay, house: House) -> None:
    path = lay()
    opened(keeper, path)
    with keeper.expect_response("**/board?v=*") as answer:
        pass
    assert answer.value.status == 204

    phone = house.phone()
    assert isinstance(phone, Phone)
    form = phone.open(f"{path}hands/new").form("/hands/new")
    phone.post(form.action, {**form.fields, "call": "p4:3", "do": "rest"})

    expect(keeper.locator("#board [data-score=s2]")).to_have_text("4")
    assert [it for it in copies(keeper) if "board" in it or "preview" in it] == []


def test_a_copy_follows_what_other_phones_write(keeper: Screen, pocket: Pocket, lay: Lay) -> None:
    path = lay()
    opened(keeper, path)
    theirs = pocket.phone()
    theirs.goto(path)
    recorded(theirs, "Dan 3")
    expect(keeper.locator("#board [data-score=s2]")).to_have_text("4")
    keeper.wait_for_timeout(500)
    cut(keeper)

    keeper.reload()

    assert score(keeper, "s2") == "4"
