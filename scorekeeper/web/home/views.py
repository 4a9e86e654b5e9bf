"""The home page."""

from flask import Blueprint, Response, request

from scorekeeper.extensions import db
from scorekeeper.ledger.derive_match import Match
from scorekeeper.services.load import UnknownMatch
from scorekeeper.services.match_list import matches_of_device
from scorekeeper.services.nights import NightAtHand, UnknownNight, nights_of_device
from scorekeeper.services.own_book import book_to_look_at
from scorekeeper.web.home.page import home_page
from scorekeeper.web.shared.device import device
from scorekeeper.web.shared.places import load_match, load_night
from scorekeeper.web.shared.respond import render_page

bp = Blueprint("home", __name__)


@bp.get("/")
def index() -> Response:
    """Show this phone's matches."""
    page = home_page(
        matches_of_device(db.session, device()),
        _deleted(),
        book_to_look_at(db.session, device()),
        nights_of_device(db.session, device()),
        _deleted_night(),
    )
    return render_page("home/index.html", page)


def _deleted() -> Match | None:
    """Return the match that was deleted just now, which can still be restored."""
    if not (code := request.args.get("gone", "")):
        return None
    try:
        match = load_match(code)
    except UnknownMatch:
        return None
    return match if match.log.is_deleted else None


def _deleted_night() -> NightAtHand | None:
    """Return the night that was deleted just now, which can still be restored."""
    if not (code := request.args.get("gone_night", "")):
        return None
    try:
        found = load_night(code, may_be_deleted=True)
    except UnknownNight:
        return None
    return found if found.night.is_deleted and found.link.is_owner else None
