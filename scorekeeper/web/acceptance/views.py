"""Accepting a hand for another side, and the setting that asks for it."""

from flask import Blueprint, Response, request

from scorekeeper.extensions import db
from scorekeeper.ledger.facts import AgreementSet, HandAccepted
from scorekeeper.ledger.refusals import Refused
from scorekeeper.ledger.roles import OWNER, WATCHER
from scorekeeper.services.phones import sides_with_phones
from scorekeeper.web.acceptance.page import NotAcceptedPage, acceptance_page
from scorekeeper.web.match.page import match_title
from scorekeeper.web.match.views import to_match
from scorekeeper.web.shared.permissions import requires
from scorekeeper.web.shared.places import load_match, write_change
from scorekeeper.web.shared.respond import render_page

bp = Blueprint("agreement", __name__, url_prefix="/matches/<code>/agreement")


@bp.post("/<int:uid>")
@requires(WATCHER)
def accept(code: str, uid: int) -> Response:
    """Accept a hand as it was shown."""
    match = load_match(code)
    version = request.form.get("made", 0, type=int)
    try:
        return to_match(write_change(code, HandAccepted(uid=uid, version=version)))
    except Refused as refused:
        faults = tuple(fault.message for fault in refused.reasons)
        page = NotAcceptedPage(code=code, match_title=match_title(match), faults=faults)
        return render_page("acceptance/refused.html", page, status=422)


@bp.get("")
@requires(OWNER)
def show(code: str) -> Response:
    """Show the question before acceptance is turned on or off."""
    match = load_match(code)
    page = acceptance_page(match, sides_with_phones(db.session, match))
    return render_page("acceptance/show.html", page)


@bp.post("")
@requires(OWNER)
def submit(code: str) -> Response:
    """Turn acceptance by another side on or off."""
    is_on = request.form.get("on") == "yes"
    return to_match(write_change(code, AgreementSet(on=is_on)))
