"""The phones of a match: letting them in, giving the pencil, taking it back, ending a link, and whose this one is."""

from collections.abc import Sequence

from flask import Blueprint, Response, abort, request, url_for

from scorekeeper.extensions import db
from scorekeeper.services import invitations, links
from scorekeeper.services.load import LoadedMatch
from scorekeeper.services.presence import note_here
from scorekeeper.services.refusals import Refused
from scorekeeper.services.roles import OWNER, RANKS, SCORER, WATCHER
from scorekeeper.web.contexts.parts import BarView, Notice
from scorekeeper.web.keys import actor
from scorekeeper.web.present.board import match_title
from scorekeeper.web.present.room import END, REOPEN, holder_name, mark_of, room_page
from scorekeeper.web.present.whose import FIELD, NOBODY, whose_page
from scorekeeper.web.reached import reach
from scorekeeper.web.respond import nothing_new, page, see_other

bp = Blueprint("room", __name__, url_prefix="/matches/<code>")

TEMPLATE = "match/room.html"
DONE = {
    OWNER: "{} owns the match as well.",
    SCORER: "{} has the pencil.",
    WATCHER: "{} looks on.",
    END: "{} is out.",
    REOPEN: "{} is in again.",
}


@bp.get("/room")
def show(code: str) -> Response:
    """Show the code that lets a phone in, and who is in; a page that is open asks only for what changed."""
    match = reach(code)
    note_here(code)
    phones, doors = links.phones_of(db.session, match), invitations.open_invitations(db.session, match)
    context = room_page(
        match,
        phones,
        doors,
        shown=request.args.get("let") or next(iter(doors), WATCHER),
        notices=_said(match, phones),
    )
    if request.args.get("v") == mark_of(context.phones):
        return nothing_new()
    return page(TEMPLATE, context, block="phones")


def _said(match: LoadedMatch, phones: Sequence[links.Phone]) -> tuple[Notice, ...]:
    """Say what was just done to a phone's link."""
    done, link_id = request.args.get("done", ""), request.args.get("phone", type=int)
    phone = next((it for it in phones if it.link.id == link_id), None)
    if phone is None or done not in DONE:
        return ()
    text = "The code that let it in is ended too." if done == END else ""
    return (Notice(lead=DONE[done].format(holder_name(match, phone)), text=text, icon="pencil"),)


@bp.post("/room/invite")
def invite(code: str) -> Response:
    """Make a code, or let the one that there is hold for longer."""
    role = request.form.get("role", "")
    if role not in invitations.OFFERED:
        abort(400)
    invitations.invite(db.session, reach(code), role)
    return see_other(url_for(".show", code=code, let=role))


@bp.post("/room/close")
def close(code: str) -> Response:
    """Let nobody else in by this code."""
    invitations.close(db.session, reach(code), request.form.get("role", ""))
    return see_other(url_for(".show", code=code))


@bp.post("/room/<int:link_id>")
def change(code: str, link_id: int) -> Response:
    """Give the pencil, take it back, end a link, or let a phone in again."""
    match, do = reach(code), request.form.get("do", "")
    try:
        if do in RANKS:
            links.give_role(db.session, match, link_id, do)
        elif do == END:
            links.end_link(db.session, match, link_id, actor())
        elif do == REOPEN:
            links.reopen_link(db.session, match, link_id)
        else:
            abort(400)
    except Refused as refused:
        return _refused(match, refused)
    if link_id == match.link.id:
        # Its own link may allow this page no longer.
        return see_other(url_for("matches.show", code=code))
    return see_other(url_for(".show", code=code, done=do, phone=link_id))


def _refused(match: LoadedMatch, refused: Refused) -> Response:
    notice = Notice(lead="Not so", text=str(refused), kind="bad")
    phones, held = links.phones_of(db.session, match), invitations.open_invitations(db.session, match)
    return page(TEMPLATE, room_page(match, phones, held, shown=WATCHER, notices=(notice,)), status=422)


@bp.get("/whose")
def whose(code: str) -> Response:
    """Ask whose phone this is."""
    match = reach(code)
    menu = url_for("settings.show", code=code)
    context = whose_page(
        match,
        BarView(title="This phone", sub=match_title(match), back_url=menu, back_label="Menu"),
        url_for(".whose_submit", code=code),
        title="This phone",
        seat=match.link.seat,
        go_label="So it is",
        nobody="Nobody’s" if match.link.may_score else "Only looking on",
        note="What it writes is told under that name.",
    )
    return page("match/join.html", context)


@bp.post("/whose")
def whose_submit(code: str) -> Response:
    """Take down whose phone this is."""
    said = request.form.get(FIELD, "")
    links.hold(db.session, reach(code), None if said == NOBODY else said)
    return see_other(url_for("matches.show", code=code))
