"""The page that shares a match: a text to send, an access link for watchers, and a picture of the result."""

from collections.abc import Mapping

from flask import Blueprint, Response, abort

from scorekeeper.database.engine import db
from scorekeeper.matches.fold import Match
from scorekeeper.matches.notices import match_title, share_text
from scorekeeper.matches.phones import share_match, shared_link
from scorekeeper.pages.prints.views import match_score_sheet, send_page_image
from scorekeeper.printing import pdf, print_service
from scorekeeper.printing.kinds import SHEET_KINDS, PrintOrder, sheet_title
from scorekeeper.printing.print_options import PrintOptions
from scorekeeper.printing.result_picture import ResultPicture, result_picture
from scorekeeper.web.context import for_owners, for_watchers, load_match
from scorekeeper.web.locale import date_style
from scorekeeper.web.respond import file_name, make_download, redirect_to, render_page

bp = Blueprint("share", __name__, url_prefix="/matches/<code>/share")

PICTURE_KIND = SHEET_KINDS["picture"]
"""The kind of sheet that is the picture of a result."""


@bp.get("")
@for_watchers
def show(code: str) -> Response:
    """Show the page that shares a match, by a text, a link or a picture of the result.

    The link is on an owner's phone only. After the end of the match, start the print process to draw the picture.
    """
    match = load_match(code)
    match_by_sides, name = match.with_pronouns("sides"), ""
    if match.ending and pdf.is_available():
        print_service.start()
        name = _file_name(_picture(match))
    return share_page(match, share_text(match_by_sides, match_title(match_by_sides)), picture_name=name)


def share_page(
    match: Match, text: str, *, picture_name: str = "", what_if: Mapping[str, str] | None = None
) -> Response:
    """Return the page with a text to send and, on an owner's phone, the access link for watchers, if any.

    `picture_name` is the file name of the picture; empty without one. If the text is about other rules, `what_if` has
    their URL parameters.
    """
    return render_page(
        "share/show.html",
        match=match,
        text=text,
        shared=shared_link(db.session, match) if match.link.is_owner else None,
        picture_name=picture_name,
        what_if=what_if or {},
    )


def _picture(match: Match) -> ResultPicture:
    """Return the picture of a match's result, before it is drawn."""
    return result_picture(match_score_sheet(match, date_style()), match.state)


def _file_name(picture: ResultPicture) -> str:
    """Return the file name of the picture, made from its title."""
    return file_name(sheet_title(PICTURE_KIND, picture), "png")


@bp.get("/picture.png")
@for_watchers
def save_picture(code: str) -> Response:
    """Send the picture of the match's result as a download; 404 without a result."""
    match = load_match(code)
    if not match.ending:
        abort(404)
    picture = _picture(match)
    order = PrintOrder(PICTURE_KIND, picture, PrintOptions())
    # A download waits until the image is drawn, as a browser does not request it again.
    return make_download(send_page_image(order, 1, print_service.page_image), _file_name(picture))


@bp.post("")
@for_owners
def make_link(code: str) -> Response:
    """Make the access link for watchers, unless there is one, and redirect to the page that shares the match."""
    share_match(db.session, load_match(code))
    return redirect_to(".show", code=code)
