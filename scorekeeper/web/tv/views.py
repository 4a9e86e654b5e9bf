"""The match on a TV, which follows as the phones do."""

from flask import Blueprint, Response, request, url_for

from scorekeeper.extensions import db
from scorekeeper.ledger.roles import OWNER, WATCHER
from scorekeeper.services.invitations import invite, open_invitation
from scorekeeper.services.phones import note_seen
from scorekeeper.web.shared.device import known_device, shown_version
from scorekeeper.web.shared.permissions import requires
from scorekeeper.web.shared.places import load_head, load_match
from scorekeeper.web.shared.respond import nothing_new, render_page, see_other
from scorekeeper.web.tv.page import invitation_id, open_on_page, tv_page

bp = Blueprint("tv", __name__, url_prefix="/matches/<code>/tv")

TEMPLATE = "tv/show.html"


@bp.get("")
@requires(WATCHER)
def show(code: str) -> Response:
    """Show the TV's page."""
    match = load_match(code)
    if match.log.is_deleted:
        return see_other(url_for("matches.show", code=code))
    return render_page(TEMPLATE, tv_page(match, open_invitation(db.session, match.id, WATCHER)))


@bp.post("")
@requires(OWNER)
def put_on(code: str) -> Response:
    """Let a TV join, and phones by what stands on it; show how."""
    invite(db.session, load_match(code), WATCHER)
    return see_other(url_for(".open_on", code=code))


@bp.get("/open")
@requires(WATCHER)
def open_on(code: str) -> Response:
    """Show how the score gets on a TV."""
    match = load_match(code)
    return render_page("tv/open.html", open_on_page(match, open_invitation(db.session, match.id, WATCHER)))


@bp.get("/board")
@requires(WATCHER)
def board(code: str) -> Response:
    """Answer a TV that polls: nothing while nothing has changed, else all that it shows."""
    seen = shown_version()
    head = load_head(code)
    note_seen(db.session, known_device(), head.link)
    invitation = open_invitation(db.session, head.link.match_id, WATCHER)
    if (seen, request.args.get("let", type=int)) == (head.version, invitation_id(invitation)):
        return nothing_new()
    match = load_match(code)
    if match.log.is_deleted:
        return see_other(url_for("matches.show", code=code))
    return render_page(TEMPLATE, tv_page(match, invitation, since=seen), block=("head", "board", "announcement"))
