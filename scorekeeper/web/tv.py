"""The match on a big screen, which follows as the phones do."""

from flask import Blueprint, Response, request, url_for

from scorekeeper.extensions import db
from scorekeeper.services.invitations import invite, open_invitation
from scorekeeper.services.load import head_of
from scorekeeper.services.presence import note_here
from scorekeeper.services.roles import WATCHER
from scorekeeper.web.keys import seen_version
from scorekeeper.web.present.tv import door_of, tv_page
from scorekeeper.web.reached import reach
from scorekeeper.web.respond import nothing_new, page, see_other

bp = Blueprint("tv", __name__, url_prefix="/matches/<code>/tv")

TEMPLATE = "match/tv.html"


@bp.get("")
def show(code: str) -> Response:
    """Show where the match stands."""
    match = reach(code)
    if match.log.is_deleted:
        return see_other(url_for("matches.show", code=code))
    return page(TEMPLATE, tv_page(match, door=open_invitation(db.session, match.match.id, WATCHER)))


@bp.post("")
def put_on(code: str) -> Response:
    """Open the big screen with a code on it that lets phones in to look on."""
    invite(db.session, reach(code), WATCHER)
    return see_other(url_for(".show", code=code))


@bp.get("/board")
def board(code: str) -> Response:
    """Answer a screen that watches: nothing while nothing has changed, else all that it shows."""
    seen = seen_version(request)
    head = head_of(db.session, code)
    note_here(code)
    door = open_invitation(db.session, head.link.match_id, WATCHER)
    if (seen, request.args.get("let", type=int)) == (head.version, door_of(door)):
        return nothing_new()
    match = reach(code)
    if match.log.is_deleted:
        return see_other(url_for("matches.show", code=code))
    return page(TEMPLATE, tv_page(match, door=door, since=seen), block=("head", "board", "told"))
