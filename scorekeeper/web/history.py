"""Every hand of a match: its lines, who wrote it, and what can be done to it."""

from flask import Blueprint, Response, abort, request, url_for

from scorekeeper.extensions import db
from scorekeeper.services import changes, matches
from scorekeeper.services.facts import HandCorrected
from scorekeeper.services.refusals import Refused, StaleMatch
from scorekeeper.services.writing import preview
from scorekeeper.web.contexts.confirm import ConfirmPage
from scorekeeper.web.contexts.parts import Action, BarView
from scorekeeper.web.keys import actor, key_of, new_key, version_of
from scorekeeper.web.present.agreement import would_wait
from scorekeeper.web.present.board import match_title
from scorekeeper.web.present.changes import changed_scores, grave_change
from scorekeeper.web.present.history import history_page
from scorekeeper.web.present.journal import journal_page
from scorekeeper.web.reached import reach
from scorekeeper.web.respond import page, see_other

bp = Blueprint("history", __name__, url_prefix="/matches/<code>/history")


@bp.get("")
def show(code: str) -> Response:
    """Show every hand, the latest first."""
    match = reach(code)
    opened = request.args.get("open", type=int)
    return page("match/history.html", history_page(db.session, match, me=actor(), key=new_key(), opened=opened))


@bp.get("/journal")
def journal(code: str) -> Response:
    """Show everything that was written, the latest first."""
    match = reach(code)
    before = request.args.get("before", type=int)
    return page("match/journal.html", journal_page(db.session, match, me=actor(), key=new_key(), before=before))


@bp.post("/<int:seq>/again")
def correct_again(code: str, seq: int) -> Response:
    """Put a hand right as it was put right before somebody took that back."""
    match = reach(code)
    back = url_for(".journal", code=code)
    fact = next((event.fact for event in match.log.events if event.seq == seq), None)
    if not isinstance(fact, HandCorrected):
        abort(404)
    key = key_of(request)
    try:
        match = matches.correct_hand(
            db.session, code, fact.uid, fact.hand, seq=version_of(request) + 1, client_key=key, actor=actor()
        )
    except StaleMatch:
        return see_other(back)
    except Refused as refused:
        return _refusal(code, "It cannot be put right so", refused, back)
    return see_other(url_for("matches.show", code=code, said=match.version))


@bp.get("/<int:uid>/remove")
def remove(code: str, uid: int) -> Response:
    """Say what taking a hand out changes, before it is done."""
    match = reach(code)
    number = next((n for n, hand in enumerate(match.log.hands, 1) if hand.uid == uid), 0)
    if not number:
        abort(404)
    back = url_for(".show", code=code, open=uid, _anchor=f"hand-{uid}")
    try:
        looked = preview(db.session, code, changes.removing(uid))
    except Refused as refused:
        return _refusal(code, f"Hand {number} cannot be taken out", refused, back)
    fields = (("version", str(match.version)), ("client_key", new_key()))
    go = Action(label="Take it out", url=url_for(".remove_submit", code=code, uid=uid), is_post=True, fields=fields)
    grave = grave_change(looked)
    context = ConfirmPage(
        title=f"Take out hand {number}?",
        bar=BarView(title=match_title(match), back_url=back, back_label="Every hand"),
        heading=f"Take out hand {number}?",
        sentences=tuple(
            part for part in (grave, would_wait(match, looked.after), "You can put it back at any time.") if part
        ),
        go=go,
        back=Action(label="Leave it", url=back),
        changes=changed_scores(looked),
        changes_heading="Where it would stand",
        is_grave=bool(grave),
    )
    return page("match/confirm.html", context)


def _refusal(code: str, heading: str, refused: Refused, back: str) -> Response:
    context = ConfirmPage(
        title=heading,
        bar=BarView(title=heading, back_url=back, back_label="Every hand"),
        heading=heading,
        sentences=tuple(item.fault.message for item in refused.faults),
        go=Action(label="Every hand", url=back),
        back=Action(label="The score", url=url_for("matches.show", code=code)),
        is_grave=True,
    )
    return page("match/confirm.html", context, status=422)


@bp.post("/<int:uid>/remove")
def remove_submit(code: str, uid: int) -> Response:
    """Take the hand out."""
    reach(code)
    back = url_for(".show", code=code)
    try:
        match = matches.remove_hand(
            db.session, code, uid, seq=version_of(request) + 1, client_key=key_of(request), actor=actor()
        )
    except StaleMatch:
        return see_other(url_for(".remove", code=code, uid=uid))
    except Refused as refused:
        return _refusal(code, "It cannot be taken out", refused, back)
    return see_other(url_for("matches.show", code=code, said=match.version))


@bp.post("/<int:uid>/return")
def put_back(code: str, uid: int) -> Response:
    """Put a hand back that was taken out."""
    match = reach(code)
    back = url_for(".show", code=code)
    try:
        # Where it goes back to does not hang on what was written meanwhile.
        match = matches.return_hand(
            db.session, code, uid, seq=match.version + 1, client_key=key_of(request), actor=actor()
        )
    except StaleMatch:
        return see_other(back)
    except Refused as refused:
        return _refusal(code, "It cannot be put back", refused, back)
    return see_other(url_for(".show", code=code, open=uid, said=match.version, _anchor=f"hand-{uid}"))
