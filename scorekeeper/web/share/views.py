"""Sharing a match: the text to send, and a link by which others watch."""

from flask import Blueprint, Response, url_for

from scorekeeper.extensions import db
from scorekeeper.ledger.roles import OWNER, WATCHER
from scorekeeper.services.sharing import share_match, shared_link
from scorekeeper.web.share.page import share_page
from scorekeeper.web.shared.matches import load_match
from scorekeeper.web.shared.permissions import requires
from scorekeeper.web.shared.respond import render_page, see_other

bp = Blueprint("share", __name__, url_prefix="/matches/<code>/share")


@bp.get("")
@requires(WATCHER)
def show(code: str) -> Response:
    """Show what can be sent; only an owner's phone sends a link along."""
    match = load_match(code)
    return render_page(
        "share/show.html", share_page(match, shared_link(db.session, match) if match.link.is_owner else None)
    )


@bp.post("")
@requires(OWNER)
def make_link(code: str) -> Response:
    """Make a link to watch by, which the page of the phones can remove."""
    share_match(db.session, load_match(code))
    return see_other(url_for(".show", code=code))
