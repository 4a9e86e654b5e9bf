"""Joining a match or a book with another phone: by its QR code or its PIN, which lead to a link of the phone's own."""

from flask import Blueprint, Response, request, url_for

from scorekeeper.extensions import db
from scorekeeper.ladder.roles import NightInvitation
from scorekeeper.ledger.refusals import Refused
from scorekeeper.ledger.roles import BookInvitation
from scorekeeper.services import book_phones, phones
from scorekeeper.services.book_list import names_in_book
from scorekeeper.services.books import book_of_id
from scorekeeper.services.invitations import NoInvitation, invitation_of_code
from scorekeeper.services.pin_entry import TooManyWrongPins, enter_pin
from scorekeeper.web.book_phones.page import join_book_page
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
    if isinstance(invitation, BookInvitation):
        return _ask_holder(invitation, book_phones.holder_of_device(db.session, device(), invitation.book_id))
    match = phones.match_of_invitation(db.session, invitation)
    link = phones.link_of_device(db.session, device(), invitation.match_id)
    return render_page("join/seat.html", join_page(match, invitation, link.seat if link else None))


def _ask_holder(invitation: BookInvitation, holder: str, fault: str = "") -> Response:
    book = book_of_id(db.session, invitation.book_id)
    people = names_in_book(db.session, invitation.book_id)
    page = join_book_page(book.name, invitation, holder=holder, people=people, fault=fault)
    return render_page("join/book.html", page, status=422 if fault else 200)


@bp.post("/<code>")
def enter(code: str) -> Response:
    """Make a link for the phone, and open the match, or all of a book; for a TV, the page with the large numbers."""
    invitation = invitation_of_code(db.session, code)
    if isinstance(invitation, BookInvitation):
        return _enter_book(invitation)
    is_tv = request.form.get("to") == "tv"
    seat = None if is_tv else posted_seat()
    link = phones.join(db.session, invitation, device(), seat)
    return see_other(url_for("tv.show" if is_tv else "matches.show", code=link.code))


def _enter_book(invitation: BookInvitation) -> Response:
    holder = " ".join(request.form.get("holder", "").split())
    try:
        link = book_phones.join_book(db.session, invitation, device(), holder)
    except Refused as refused:
        return _ask_holder(invitation, holder, str(refused))
    return see_other(url_for("books.show", code=link.code))


@bp.errorhandler(NoInvitation)
def expired(_none: NoInvitation) -> Response:
    """Show the form for a PIN in place of an invitation that has ended."""
    return render_page(PIN_TEMPLATE, PinPage(fault="expired"), status=410)
