"""The pages with which a phone joins a match or a book, by a QR code or a PIN.

The phone gets an access link of its own.
"""

from datetime import UTC, datetime, timedelta
from typing import Literal

from flask import Blueprint, Response, request

from scorekeeper import hooks
from scorekeeper.access.invitations import (
    MIN_PIN_LETTERS,
    PIN_ALPHABET,
    NoInvitation,
    TooManyWrongPins,
    enter_pin,
    invitation_of_code,
)
from scorekeeper.access.links import MATCH_LINKS, device_digest
from scorekeeper.access.roles import Invitation
from scorekeeper.book import books
from scorekeeper.book.book_list import names_in_book
from scorekeeper.book.books import book_of_id
from scorekeeper.database.engine import db
from scorekeeper.eventlog.stream import WATCHER, Refused
from scorekeeper.matches import phones as match_phones
from scorekeeper.pages.phones.views import posted_seat, seat_question
from scorekeeper.pitch.rules.entered_text import normalize_spaces
from scorekeeper.pitch.rules.phrases import digits, number_word
from scorekeeper.web.context import device
from scorekeeper.web.respond import redirect_to, render_page

bp = Blueprint("join", __name__, url_prefix="/join")

MAX_PIN_LENGTH = 20
"""The most typed characters that are read as a PIN, including spaces and signs between its letters."""


@bp.get("")
def ask_pin() -> Response:
    """Show the form that asks for a PIN."""
    return show_pin_form()


@bp.post("")
def submit_pin() -> Response:
    """Redirect to the page that joins with the posted PIN, or ask again if the PIN is wrong.

    After too many wrong ones from its network, a phone has to wait: 429.
    """
    pin = request.form.get("pin", "")[:MAX_PIN_LENGTH]
    try:
        invitation = enter_pin(db.session, pin, request.remote_addr or "")
        return redirect_to(hooks.link_kinds[invitation.kind].join_endpoint, code=invitation.code)
    except TooManyWrongPins as blocked:
        response = show_pin_form("limited", pin, blocked.until, status=429)
        response.retry_after = blocked.until
        return response
    except (NoInvitation, KeyError):  # a kind that no part has registered
        return show_pin_form("wrong", pin)


def show_pin_form(
    fault: Literal["", "wrong", "limited", "expired"] = "",
    pin: str = "",
    until: datetime | None = None,
    *,
    status: int = 0,
) -> Response:
    """Show the form for a PIN, filled in with `pin`; `fault` says what went wrong.

    Before `until`, this network may not try again. Without a `status`, it is 422 with a fault, else 200.
    """
    return render_page(
        "join/pin.html",
        status=status,
        fault=fault,
        pin=pin,
        wait=wait_text(until) if until else "",
        # Rounded up to the minute, so that another try is allowed at the time shown.
        retry_at=until + timedelta(seconds=59) if until else None,
        fewest_letters=number_word(MIN_PIN_LETTERS),
        alphabet=" ".join(PIN_ALPHABET),
    )


def wait_text(until: datetime) -> str:
    """Return the time from now until `until` in words, rounded up to minutes or hours: "4 minutes", "2 hours"."""
    minutes = -(-max(until - datetime.now(UTC), timedelta()) // timedelta(minutes=1)) or 1
    hours = -(-minutes // 60)
    return digits(minutes, "minute") if minutes <= 60 else digits(hours, "hour")


@bp.get("/<code>")
def ask_seat(code: str) -> Response:
    """Show the form that asks who joins with this phone: a player or side, or for a book a person."""
    invitation = _load_invitation(code)
    if invitation.kind == "book":
        return _ask_holder(invitation, books.holder_name(db.session, device(), invitation.stream_id))
    match = match_phones.match_of_invitation(db.session, invitation).with_pronouns("sides")
    link = MATCH_LINKS.link_of_last_visit(db.session, device_digest(device()), match.id)
    return render_page(
        "join/seat.html",
        invitation=invitation,
        match=match,
        question=seat_question(
            match, link.holder if link else "", nobody="Only watching" if invitation.role == WATCHER else "Nobody’s"
        ),
    )


def _load_invitation(code: str) -> Invitation:
    """Return the match or book invitation in force with this code; raises `NoInvitation`, also for a deleted match."""
    invitation = invitation_of_code(db.session, code, "match", "book")
    if invitation.kind == "match" and match_phones.match_of_invitation(db.session, invitation).log.is_deleted:
        raise NoInvitation
    return invitation


def _ask_holder(invitation: Invitation, holder: str, fault: str = "") -> Response:
    """Show the form for the name of the person who joins a book, filled in with `holder`.

    `fault` says why that name was refused.
    """
    return render_page(
        "join/book.html",
        invitation=invitation,
        book=book_of_id(db.session, invitation.stream_id),
        holder=holder,
        people=names_in_book(db.session, invitation.stream_id),
        fault=fault,
    )


@bp.post("/<code>")
def enter(code: str) -> Response:
    """Give this phone an access link with the posted holder, and redirect to the match or book.

    A TV has no holder and a page of its own. If a book refuses the name of the holder, show why.
    """
    invitation = _load_invitation(code)
    if invitation.kind == "book":
        return _enter_book(invitation)
    is_tv = request.form.get("to") == "tv"
    seat = None if is_tv else posted_seat()
    link = match_phones.join_match(db.session, invitation, device(), seat)
    return redirect_to("tv.show" if is_tv else "matches.show", code=link.code)


def _enter_book(invitation: Invitation) -> Response:
    """Give this phone an access link to a book and redirect to the book, or show why the name was refused."""
    holder = normalize_spaces(request.form.get("holder", ""))
    try:
        link = books.join_book(db.session, invitation, device(), holder)
    except Refused as refused:
        return _ask_holder(invitation, holder, str(refused))
    return redirect_to("books.show", code=link.code)


@bp.app_errorhandler(NoInvitation)
def show_expired_invitation(_none: NoInvitation) -> Response:
    """Show the form for a PIN, with the note that the invitation has expired."""
    return show_pin_form("expired", status=410)
