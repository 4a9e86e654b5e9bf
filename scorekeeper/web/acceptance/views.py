"""Accepting a hand for another side, and the setting that asks for it."""

from flask import Blueprint, Response, request

from scorekeeper.extensions import db
from scorekeeper.ledger import changes
from scorekeeper.ledger.refusals import Refused
from scorekeeper.ledger.roles import OWNER, WATCHER
from scorekeeper.services.phones import sides_with_phones
from scorekeeper.services.writing import write
from scorekeeper.web.acceptance.page import NotAcceptedPage, acceptance_page
from scorekeeper.web.match.page import match_title
from scorekeeper.web.match.views import to_match
from scorekeeper.web.shared.device import actor
from scorekeeper.web.shared.form_keys import posted_key
from scorekeeper.web.shared.load_match import load_match
from scorekeeper.web.shared.permissions import requires
from scorekeeper.web.shared.respond import render_page

bp = Blueprint("agreement", __name__, url_prefix="/matches/<code>/agreement")


@bp.post("/<int:uid>")
@requires(WATCHER)
def accept(code: str, uid: int) -> Response:
    """Accept a hand as it was shown."""
    match = load_match(code)
    version = request.form.get("made", 0, type=int)
    try:
        match = write(
            db.session,
            code,
            changes.accepting(uid, version, actor()),
            seq=None,
            client_key=posted_key(),
            actor=actor(),
        )
    except Refused as refused:
        faults = tuple(item.fault.message for item in refused.faults)
        page = NotAcceptedPage(code=match.code, match_title=match_title(match), faults=faults)
        return render_page("acceptance/refused.html", page, status=422)
    return to_match(match)


@bp.get("")
@requires(OWNER)
def show(code: str) -> Response:
    """Ask before hands have to be accepted, or need not be any longer."""
    match = load_match(code)
    page = acceptance_page(match, sides_with_phones(db.session, match))
    return render_page("acceptance/show.html", page)


@bp.post("")
@requires(OWNER)
def submit(code: str) -> Response:
    """Let hands count only when another side has accepted them, or at once again."""
    is_on = request.form.get("on") == "yes"
    match = write(db.session, code, changes.agreeing(is_on), seq=None, client_key=posted_key(), actor=actor())
    return to_match(match)
