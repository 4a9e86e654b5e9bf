"""Joining a match with another phone: by its QR code or its PIN, which lead to a link of the phone's own."""

from flask import Blueprint, Response, request, url_for

from scorekeeper.extensions import db
from scorekeeper.ladder.roles import NightInvitation
from scorekeeper.services import phones
from scorekeeper.services.invitations import NoInvitation, invitation_of_code
from scorekeeper.services.pin_entry import TooManyWrongPins, enter_pin
from scorekeeper.web.join.page import PinPage, blocked_page, join_page
from scorekeeper.web.phones.seat_claim import posted_seat
from scorekeeper.web.shared.device import device
from scorekeeper.web.shared.respond import render_page, see_other

bp = Blueprint("join", __name__, url_prefix="/join")

PIN_TEMPLATE = "join/pin.html"
LONGEST_PIN = 20
"""With whatever is typed between its letters."""


@bp.get("")
def ask_pin() -> Response:
    """Show the form for a PIN."""
    return render_page(PIN_TEMPLATE, PinPage())


@bp.post("")
def submit_pin() -> Response:
    """Find the match of a PIN."""
    pin = request.form.get("pin", "")[:LONGEST_PIN]
    try:
        invitation = enter_pin(db.session, pin, request.remote_addr or "")
    except TooManyWrongPins as blocked:
        response = render_page(PIN_TEMPLATE, blocked_page(pin, blocked.until), status=429)
        response.retry_after = blocked.until
        return response
    except NoInvitation:
        return render_page(PIN_TEMPLATE, PinPage(fault="wrong", pin=pin), status=422)
    if isinstance(invitation, NightInvitation):
        return see_other(url_for("night_seats.ask_pair", code=invitation.code))
    return see_other(url_for(".ask_seat", code=invitation.code))


@bp.get("/<code>")
def ask_seat(code: str) -> Response:
    """Show the form that asks who joins."""
    invitation = invitation_of_code(db.session, code)
    match = phones.match_of_invitation(db.session, invitation)
    link = phones.link_of_device(db.session, device(), invitation.match_id)
    return render_page("join/seat.html", join_page(match, invitation, link.seat if link else None))


@bp.post("/<code>")
def enter(code: str) -> Response:
    """Make a link for the phone, and open the match; for a TV, the page with the large numbers."""
    is_tv = request.form.get("to") == "tv"
    seat = None if is_tv else posted_seat()
    link = phones.join(db.session, invitation_of_code(db.session, code), device(), seat)
    return see_other(url_for("tv.show" if is_tv else "matches.show", code=link.code))


@bp.errorhandler(NoInvitation)
def expired(_none: NoInvitation) -> Response:
    """Show the form for a PIN in place of an invitation that has ended."""
    return render_page(PIN_TEMPLATE, PinPage(fault="expired"), status=410)
