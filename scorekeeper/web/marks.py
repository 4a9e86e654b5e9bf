"""A side takes another marker."""

from flask import Blueprint, Response, abort, request

from scorekeeper.extensions import db
from scorekeeper.services import matches
from scorekeeper.services.refusals import Refused
from scorekeeper.web.keys import actor, key_of
from scorekeeper.web.matches import to_match
from scorekeeper.web.reached import reach

bp = Blueprint("marks", __name__, url_prefix="/matches/<code>/marks")


@bp.post("")
def choose(code: str) -> Response:
    """Give a side the marker that was tapped; whoever wore it takes the old one."""
    reach(code)
    side, mark = request.form.get("side", ""), request.form.get("mark", type=int)
    try:
        match = matches.mark_side(db.session, code, side, mark or 0, client_key=key_of(request), actor=actor())
    except Refused:
        abort(400)
    return to_match(match)
