"""Two and three phones: one comes in by the picture or the PIN, gets the pencil, loses it, and is let go."""

import pytest
from playwright.sync_api import Page as Screen
from playwright.sync_api import expect

from tests.browser.conftest import House, Lay, Pocket
from tests.browser.tables import played
from tests.browser.taps import Finger
from tests.web.guests import let_in

WITHIN = 2500
"""Milliseconds until every open page has followed."""


def opened_door(owner: Screen, way: str = "To look on") -> str:
    """Let phones in from the match page, and give the address in the picture."""
    finger = Finger(owner)
    finger.tap(owner.get_by_role("link", name="Show it to other phones"))
    finger.tap(owner.get_by_role("button", name=way))
    expect(owner.locator(".door svg").first).to_be_visible()
    assert finger.taps == 2
    return owner.locator(".link").text_content() or ""


def came_in(guest: Screen, address: str, name: str) -> None:
    """Come in by an address, as somebody's phone."""
    guest.goto(f"/join/{address.rpartition('/')[2]}")
    guest.locator(".pick", has_text=name).tap()
    with guest.expect_navigation():
        guest.get_by_role("button", name="Come in").tap()


def done(owner: Screen, what: str) -> None:
    """Tap one of the buttons at the other phone's name."""
    with owner.expect_navigation():
        owner.get_by_role("button", name=what).tap()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_phone_comes_in_by_the_picture(pocket: Pocket, lay: Lay, scripts: bool) -> None:
    path = lay()
    owner, guest = owner_of(pocket, path, scripts=scripts), pocket.phone(scripts=scripts)

    came_in(guest, opened_door(owner), "Bea")

    expect(guest.locator("#board")).to_be_visible()
    expect(guest.locator("#foot")).to_contain_text("Bea’s phone looks on.")
    for name in ("Record hand", "Undo"):
        expect(guest.get_by_role("link", name=name)).to_have_count(0)
        expect(guest.get_by_role("button", name=name)).to_have_count(0)


def owner_of(pocket: Pocket, path: str, *, scripts: bool = True) -> Screen:
    """Take the owner's phone, with the match open."""
    owner = pocket.phone(scripts=scripts)
    owner.goto(path)
    return owner


def test_a_phone_comes_in_by_the_pin(pocket: Pocket, lay: Lay) -> None:
    owner, guest = owner_of(pocket, lay()), pocket.phone(scripts=False)
    opened_door(owner, "To score as well")
    pin = "".join(owner.locator(".pin span").all_text_contents())

    guest.goto("/")
    guest.get_by_role("link", name="Join").tap()
    guest.locator("#pin").fill(pin.lower())
    guest.get_by_role("button", name="Come in").tap()
    guest.locator(".pick", has_text="Dan").tap()
    guest.get_by_role("button", name="Come in").tap()

    expect(guest.get_by_role("link", name="Record hand")).to_be_visible()
    expect(owner.locator("#phones")).to_contain_text("Dan", timeout=WITHIN)


def test_the_pencil_comes_and_goes_on_the_open_page(pocket: Pocket, lay: Lay) -> None:
    owner, guest = owner_of(pocket, lay()), pocket.phone()
    came_in(guest, opened_door(owner), "Bea")
    record = guest.get_by_role("link", name="Record hand")
    expect(owner.locator("#phones")).to_contain_text("Bea", timeout=WITHIN)
    expect(record).to_have_count(0)

    done(owner, "Give Bea the pencil")
    expect(record).to_be_visible(timeout=WITHIN)
    expect(guest.locator("#turn")).to_contain_text("You have the pencil.")

    done(owner, "Take Bea’s pencil back")
    expect(record).to_have_count(0, timeout=WITHIN)
    expect(guest.locator("#foot")).to_contain_text("Bea’s phone looks on.")

    done(owner, "End Bea’s link")
    expect(guest.locator("body")).to_contain_text("ended", timeout=WITHIN)
    expect(guest.locator("[data-score]")).to_have_count(0)

    done(owner, "Let Bea in again")
    guest.reload()
    expect(guest.locator("#board")).to_be_visible()


def test_a_screen_that_shows_the_tv_page_is_let_go_as_well(pocket: Pocket, lay: Lay) -> None:
    owner, screen = owner_of(pocket, lay()), pocket.phone(width=1280, height=720)
    came_in(screen, opened_door(owner), "Only looking on")
    screen.goto(f"{screen.url}tv")
    expect(screen.locator("[data-score]").first).to_be_visible()

    owner.reload()
    done(owner, "End its link")

    expect(screen.locator("[data-score]")).to_have_count(0, timeout=WITHIN)


def test_what_was_entered_stays_when_the_link_is_ended(pocket: Pocket, lay: Lay) -> None:
    owner, guest = owner_of(pocket, lay()), pocket.phone()
    came_in(guest, opened_door(owner, "To score as well"), "Bea")
    guest.get_by_role("link", name="Record hand").tap()
    pick = 'label:has([name="call"][value="p4:3"])'
    with guest.expect_response("**/preview"):
        guest.locator(pick).tap()
    owner.reload()
    done(owner, "Take Bea’s pencil back")

    with guest.expect_response("**/preview") as answer:
        guest.locator('label:has([name="took-low"][value="s1"])').tap()

    assert answer.value.status == 403
    expect(guest.locator("#trouble")).to_contain_text("no pencil")
    expect(guest.locator('[name="call"][value="p4:3"]')).to_be_checked()
    # htmx says on the console what the page says in words.
    assert all("Error Code 403" in line for line in pocket.said)
    pocket.said.clear()


def test_three_phones_follow_each_other(pocket: Pocket, lay: Lay, house: House) -> None:
    path = lay()
    match = house.phone().open(path)
    writer, looker = pocket.phone(), pocket.phone()
    owner = owner_of(pocket, path)
    came_in(looker, opened_door(owner), "Cal")
    owner.goto(path)
    theirs = let_in(match, house.phone(), "scorer", "p2")
    writer.goto(theirs.path)

    played(theirs, call="p4:3")

    for screen in (owner, writer, looker):
        expect(screen.locator("[data-score=s2]")).to_have_text("4", timeout=WITHIN)


def test_wrong_pins_are_not_tried_for_ever(pocket: Pocket, lay: Lay) -> None:
    guest = pocket.phone()
    guest.goto("/join")
    for _ in range(11):
        guest.locator("#pin").fill("KKACC")
        with guest.expect_navigation():
            guest.get_by_role("button", name="Come in").tap()

    expect(guest.get_by_role("alert")).to_contain_text("Try again at")
    expect(guest.locator("#pin")).to_have_value("KKACC")
