"""Coming in with a phone: by the picture or by the PIN, and then by a link of its own."""

from datetime import UTC, datetime, timedelta

from flask import Blueprint, Response, request, url_for

from scorekeeper.extensions import db
from scorekeeper.services import links
from scorekeeper.services.invitations import Invitation, NoInvitation, invitation_of_code, invitation_of_pin
from scorekeeper.services.pins import ALPHABET
from scorekeeper.services.roles import SCORER
from scorekeeper.web.contexts.parts import BarView
from scorekeeper.web.contexts.room import PinPage
from scorekeeper.web.keys import device
from scorekeeper.web.present.board import match_title
from scorekeeper.web.present.hands import when
from scorekeeper.web.present.whose import FIELD, NOBODY, whose_page
from scorekeeper.web.respond import page, see_other
from scorekeeper.web.tries import count_wrong, wait_until

bp = Blueprint("join", __name__, url_prefix="/join")

PIN = "pin"
LONGEST = 20
WRONG = f"No match has this PIN just now. It is five of the letters {' '.join(ALPHABET)}."
RUN_OUT = "This code has run out"


@bp.get("")
def ask() -> Response:
    """Ask for a PIN."""
    return page("match/pin.html", _pin_page())


@bp.post("")
def find() -> Response:
    """Find the match of a PIN."""
    typed = request.form.get(PIN, "")[:LONGEST]
    until = wait_until()
    if until is not None:
        # At that minute it must be true.
        again = when(until + timedelta(seconds=59), datetime.now(UTC))
        text = f"Too many wrong PINs came in a short while. Try again at {again}. The picture lets you in at once."
        response = page("match/pin.html", _pin_page(typed, text, heading="One moment"), status=429)
        response.retry_after = until
        return response
    try:
        invitation = invitation_of_pin(db.session, typed)
    except NoInvitation:
        count_wrong()
        return page("match/pin.html", _pin_page(typed, WRONG), status=422)
    return see_other(url_for(".whose", code=invitation.code))


@bp.get("/<code>")
def whose(code: str) -> Response:
    """Ask whose phone comes in."""
    try:
        invitation = invitation_of_code(db.session, code)
    except NoInvitation:
        return _run_out()
    match = links.match_of(db.session, invitation.match_id)
    known = links.link_of_device(db.session, device(), invitation.match_id)
    context = whose_page(
        match,
        BarView(title="Come in", sub=match_title(match), back_url=url_for("home.index")),
        url_for(".enter", code=code),
        title="Come in",
        seat=known.seat if known else None,
        go_label="Come in",
        nobody="Only looking on",
        note=_note(invitation),
    )
    return page("match/join.html", context)


@bp.post("/<code>")
def enter(code: str) -> Response:
    """Give the phone its own link, and show it the score."""
    try:
        invitation = invitation_of_code(db.session, code)
    except NoInvitation:
        return _run_out()
    said = request.form.get(FIELD, "")
    link = links.join(db.session, invitation, device(), None if said == NOBODY else said)
    return see_other(url_for("matches.show", code=link.code))


def _note(invitation: Invitation) -> str:
    if invitation.role == SCORER:
        return "This phone gets the pencil: it shows the score, and writes hands as well."
    return "This phone shows the score as it stands, and writes nothing."


def _run_out() -> Response:
    text = "Ask for a new one, or type the PIN that is shown now."
    return page("match/pin.html", _pin_page("", text, heading=RUN_OUT), status=410)


def _pin_page(typed: str = "", fault: str = "", heading: str = "Not that one") -> PinPage:
    return PinPage(
        title="Join a match",
        bar=BarView(title="Join a match", back_url=url_for("home.index")),
        action=url_for(".find"),
        hidden=(),
        field=PIN,
        pin=typed,
        longest=LONGEST,
        fault=fault,
        heading=heading if fault else "",
    )
