"""What the tests of several phones share: an owner who invites them."""

from flask import Flask

from tests.common.phone import Page, Phone

WATCHER, SCORER, OWNER = "watcher", "scorer", "owner"


def invited(match: Page, role: str = WATCHER) -> str:
    """Invite phones, and return the address in the QR code."""
    room = match.open("room")
    shown = match.phone.post(room.form("/room/invite").action, {**room.form("/room/invite").fields, "role": role})
    assert shown.status == 200
    return address_of(match, role)


def address_of(match: Page, role: str) -> str:
    """Return the address in the QR code on the page of the phones."""
    from scorekeeper.access.invitations import invitations_in_force
    from scorekeeper.database.engine import db
    from scorekeeper.matches.service import load_match

    app: Flask = match.phone.client.application
    with app.app_context():
        held = invitations_in_force(db.session, load_match(db.session, match.code))
        return f"/join/{held[role].code}"


def come_in(phone: Phone, address: str, seat: str) -> Page:
    """Join by a QR code, as somebody's phone."""
    return phone.open(address).send(address, {"seat": seat}, press="Join")


def let_in(match: Page, phone: Phone, role: str = WATCHER, seat: str = "nobody") -> Page:
    """Connect another phone, and return its match page."""
    return come_in(phone, invited(match, role), seat)


def change(match: Page, do: str, number: int = 2) -> Page:
    """Do something with a phone's link, as the owner."""
    room = match.open("room")
    token = room.form("/room/invite").fields
    return match.phone.post(f"{match.path}room/{number}", {**token, "do": do})
