"""Sharing a match: the text to send, and a link by which others watch."""

from flask import Blueprint, Response, abort, url_for

from scorekeeper.extensions import db
from scorekeeper.ledger.roles import OWNER, WATCHER
from scorekeeper.printing import layout, print_service
from scorekeeper.printing.print_options import PrintOptions
from scorekeeper.services.phones import share_match, shared_link
from scorekeeper.web.prints import send_page_image
from scorekeeper.web.share.page import share_page
from scorekeeper.web.share.picture import PICTURE, has_result, match_picture, picture_file_name
from scorekeeper.web.shared.permissions import requires
from scorekeeper.web.shared.places import load_match
from scorekeeper.web.shared.reader import region
from scorekeeper.web.shared.respond import attachment, render_page, see_other

bp = Blueprint("share", __name__, url_prefix="/matches/<code>/share")


@bp.get("")
@requires(WATCHER)
def show(code: str) -> Response:
    """Show what can be sent; only an owner's phone sends a link along."""
    match = load_match(code)
    link = shared_link(db.session, match) if match.link.is_owner else None
    name = ""
    if has_result(match) and layout.is_available():
        print_service.start()
        name = picture_file_name(match_picture(match, region().dates))
    return render_page("share/show.html", share_page(match, link, name))


@bp.get("/picture.png")
@requires(WATCHER)
def save_picture(code: str) -> Response:
    """Send the result as a picture; 404 where nothing has come out yet."""
    match = load_match(code)
    if not has_result(match):
        abort(404)
    picture = match_picture(match, region().dates)
    return attachment(send_page_image(PICTURE, picture, PrintOptions(), 1), picture_file_name(picture))


@bp.post("")
@requires(OWNER)
def make_link(code: str) -> Response:
    """Make a link to watch by, which the page of the phones can remove."""
    share_match(db.session, load_match(code))
    return see_other(url_for(".show", code=code))
