"""The history of a match: every hand, its change log, and hands that are deleted and restored."""

from flask import Blueprint, Response, abort, request, url_for

from scorekeeper.ledger import changes
from scorekeeper.ledger.facts import HandCorrected
from scorekeeper.ledger.refusals import Refused
from scorekeeper.ledger.roles import SCORER, WATCHER
from scorekeeper.services.writing import StaleMatch, preview
from scorekeeper.web.history.change_log import change_log_page
from scorekeeper.web.history.page import RefusedPage, history_page, remove_page
from scorekeeper.web.match.views import to_match
from scorekeeper.web.shared.device import actor, posted_version
from scorekeeper.web.shared.permissions import requires
from scorekeeper.web.shared.places import load_match, write_change
from scorekeeper.web.shared.reader import date_style
from scorekeeper.web.shared.respond import render_page, see_other

bp = Blueprint("history", __name__, url_prefix="/matches/<code>/history")


@bp.get("")
@requires(WATCHER)
def show(code: str) -> Response:
    """Show every hand, newest first."""
    page = history_page(load_match(code), date_style(), actor=actor(), opened=request.args.get("open", type=int))
    return render_page("history/show.html", page)


@bp.get("/journal")
@requires(WATCHER)
def change_log(code: str) -> Response:
    """Show everything that was written, the latest first."""
    page = change_log_page(load_match(code), actor=actor(), before=request.args.get("before", type=int))
    return render_page("history/change_log.html", page)


@bp.post("/<int:seq>/again")
@requires(SCORER)
def correct_again(code: str, seq: int) -> Response:
    """Correct a hand as it was corrected before somebody undid that."""
    fact = next((event.fact for event in load_match(code).log.events if event.seq == seq), None)
    if not isinstance(fact, HandCorrected):
        abort(404)
    try:
        return to_match(write_change(code, changes.correcting(fact.uid, fact.hand), version=posted_version()))
    except StaleMatch:
        return see_other(url_for(".change_log", code=code))
    except Refused as refused:
        return _refused(code, "It can’t be corrected that way", refused, is_from_change_log=True)


@bp.get("/<int:uid>/remove")
@requires(SCORER)
def remove(code: str, uid: int) -> Response:
    """Show what deleting a hand changes, before it is done."""
    match = load_match(code)
    number = match.log.hand_number(uid)
    if number is None and match.log.gone_hand(uid):
        return see_other(url_for(".show", code=code, _anchor=f"hand-{uid}"))
    if number is None:
        abort(404)
    try:
        would_be = preview(match, changes.removing(uid))
    except Refused as refused:
        return _refused(code, f"Hand {number} can’t be deleted", refused, uid=uid)
    return render_page("history/remove.html", remove_page(match, would_be, uid, number))


@bp.post("/<int:uid>/remove")
@requires(SCORER)
def remove_submit(code: str, uid: int) -> Response:
    """Delete the hand."""
    try:
        return to_match(write_change(code, changes.removing(uid), version=posted_version()))
    except StaleMatch:
        return see_other(url_for(".remove", code=code, uid=uid))
    except Refused as refused:
        return _refused(code, "It can’t be deleted", refused)


@bp.post("/<int:uid>/return")
@requires(SCORER)
def restore(code: str, uid: int) -> Response:
    """Restore a hand that was deleted or undone."""
    try:
        # Where it goes does not depend on what was written meanwhile.
        match = write_change(code, changes.returning(uid), version=load_match(code).version)
    except StaleMatch:
        return see_other(url_for(".show", code=code))
    except Refused as refused:
        return _refused(code, "It can’t be restored", refused)
    return see_other(url_for(".show", code=code, open=uid, said=match.version, _anchor=f"hand-{uid}"))


def _refused(
    code: str, heading: str, refused: Refused, *, is_from_change_log: bool = False, uid: int | None = None
) -> Response:
    faults = tuple(fault.message for fault in refused.reasons)
    page = RefusedPage(code=code, heading=heading, faults=faults, is_from_change_log=is_from_change_log, uid=uid)
    return render_page("history/refused.html", page, status=422)
