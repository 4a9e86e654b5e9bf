"""Ladder nights for tests of pages: begun and played by their forms."""

import re
from datetime import UTC, datetime

import sqlalchemy as sa
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.access.invitations import invitations_in_force
from scorekeeper.club.nights.night import NightPlanned
from scorekeeper.club.nights.service import load_night, start_night
from scorekeeper.club.nights.store import NightSetup
from scorekeeper.database.engine import db
from scorekeeper.random_codes import new_code
from tests.common.calling import finish
from tests.common.phone import Page, Phone

MAX_HANDS = 80
"""Enough for any game of which one side wins every hand."""
EIGHT = ("Eve & Finn", "Opal & Pete", "Bea & Dan", "Mia & Ned", "Ann & Cal", "Gus & Hal", "Ida & Jon", "Kay & Lou")


def store_night(
    session: Session,
    device: str = "host",
    key: str = "night",
    *,
    title: str = "",
    rounds: int = 6,
    variant: str = "",
    plan: NightPlanned | None = None,
) -> str:
    """Start a stored night without pairs, and return the code of its host's link."""
    setup = NightSetup(0, new_code(), datetime.now(UTC), title, rounds, 2, variant, {})
    return start_night(session, device, setup, plan or NightPlanned(), key)


def begin_night(phone: Phone, *pairs: str, **fields: str) -> Page:
    """Start a night with these pairs, open questions answered by their first answers; return the page of its pairs."""
    page = phone.open("/nights/new").send("/nights/new", {"title": "Pitch night", **fields})
    if page.path == "/nights/new":
        answers = {name: min(offers) for name, offers in page.form("/nights/new").offered.items()}
        page = page.send("/nights/new", answers, press="Go on")
    for pair in pairs:
        players = pair.split(" & ")
        page = page.send("/pairs", {f"players-{index}": name for index, name in enumerate(players)})
    return page


def forget_what_was_agreed(app: Flask) -> None:
    """Make every night one of an earlier version, which had no questions about its game."""
    with app.app_context():
        db.session.execute(sa.text("UPDATE night SET house = '{}'"))
        db.session.commit()


def seat_by_hand(page: Page) -> Page:
    """Seat the pairs from the lowest table up as they came, and return the host's page."""
    return page.tap("Place by hand").send("/start")


def night_path(page: Page) -> str:
    """Return the address of a night: what all its pages begin with."""
    return "/".join(page.path.split("/")[:3])


def open_night(page: Page, rest: str = "") -> Page:
    """Open a page of the night that a page is of, on the same phone."""
    return page.phone.open(f"{night_path(page)}/{rest}")


def tap_winner(page: Page, name: str) -> Page:
    """Tap who won at their table, on the host's page."""
    for row in page.part("board").all("form"):
        for button in row.all("button"):
            if button.text == name:
                return page.post(row.attrs["action"], {"winner": button.attrs["value"]})
    raise AssertionError(f"{name} play at no table")


def play_round(page: Page, *winners: str) -> Page:
    """Tap these winners, and start the next round if there is one."""
    for name in winners:
        page = tap_winner(page, name)
    return page.send("/rounds") if page.has_form("/rounds") else page


def night_invitation(host: Page, role: str = "watcher") -> str:
    """Invite phones to a night, and return the address in the QR code."""
    open_night(host, "phones").post("/phones/invite", {"role": role})
    app: Flask = host.phone.client.application
    with app.app_context():
        invitation = invitations_in_force(db.session, load_night(db.session, host.code))[role]
    return f"/join/night/{invitation.code}"


def join_night(host: Page, phone: Phone, role: str = "watcher", name: str = "") -> Page:
    """Let a phone into a night, as that of a pair, and return the page that this leads to."""
    address = night_invitation(host, role)
    page = phone.open(address)
    uid = next((button.attrs["value"] for button in page.all("button") if button.text == name), "")
    return page.post(address, {"pair": uid})


def win_match(match: Page, seat: str) -> Page:
    """Play a match to its end by hands that a seat wins, and return its page."""
    path = match.path
    for _ in range(MAX_HANDS):
        if not match.offers("Record hand"):
            return match
        match = win_hand(match, seat)
        assert match.path == path
    raise AssertionError(f"{match.path} does not end: {match.scores}")


def win_hand(match: Page, seat: str) -> Page:
    """Record a hand in which a seat bids the least, where there is bidding, and its side takes everything."""
    entry = match.tap("Record hand")
    form = entry.form("/hands/new")
    bids = sorted((bid for bid in form.offered.get("bid", ()) if bid.isdigit()), key=int)
    calls = sorted(call for call in form.offered.get("call", ()) if re.fullmatch(rf"{seat}:[0-9]+", call))
    if calls or bids:
        bid = {"call": calls[0]} if calls else {"bidder": seat, "bid": bids[0]}
        return finish(entry.send("/hands/new", bid, press=form.buttons[-1].label))
    side = seat if seat in match.scores else "s1" if seat in ("p1", "p3") else "s2"
    given = entry.phone.post(form.action, {**form.fields, "rest": side})
    return given.send("/hands/new", press="Save:")
