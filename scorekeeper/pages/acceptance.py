"""Accepting a hand for another side, and the setting that asks for it."""

from flask import Blueprint, Response, request

from scorekeeper.database.engine import db
from scorekeeper.eventlog.refusals import Refused
from scorekeeper.matches.events import AgreementSet, HandAccepted
from scorekeeper.matches.fold import Match
from scorekeeper.matches.phones import sides_with_phones
from scorekeeper.pitch.text.phrases import verb
from scorekeeper.web.context import for_owners, for_watchers, load_match, to_match, write_change
from scorekeeper.web.respond import render_page

bp = Blueprint("agreement", __name__, url_prefix="/matches/<code>/agreement")

FEWEST_PHONES = 2
"""Sides with a phone, so that anybody can accept anything."""


@bp.post("/<int:uid>")
@for_watchers
def accept(code: str, uid: int) -> Response:
    """Accept a hand as it was shown."""
    match = load_match(code)
    version = request.form.get("made", 0, type=int)
    try:
        return to_match(write_change(code, HandAccepted(uid=uid, version=version)))
    except Refused as refused:
        faults = [fault.message for fault in refused.reasons]
        return render_page("acceptance/refused.html", match=match, faults=faults)


@bp.get("")
@for_owners
def show(code: str) -> Response:
    """Show the question before acceptance is turned on or off."""
    match = load_match(code)
    sides = sides_with_phones(db.session, match)
    return render_page(
        "acceptance/show.html",
        match=match,
        has_phones=len(sides) >= FEWEST_PHONES,
        only_phone=_has_words(match, next(iter(sides))) if len(sides) == 1 else "",
    )


def _has_words(match: Match, side: str) -> str:
    """Return "They have": the one side with a phone, in a sentence."""
    return f"{match.name(side)} {verb(match.state.seats, [side], 'have', 'has')}"


@bp.post("")
@for_owners
def submit(code: str) -> Response:
    """Turn acceptance by another side on or off."""
    is_on = request.form.get("on") == "yes"
    return to_match(write_change(code, AgreementSet(on=is_on)))
