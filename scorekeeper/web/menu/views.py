"""A match's menu, with what can be done with it, and the page of its names and markers."""

import json

from flask import Blueprint, Response, abort, make_response, request

from scorekeeper.extensions import db
from scorekeeper.ledger import changes
from scorekeeper.ledger.refusals import Refused
from scorekeeper.ledger.roles import OWNER, SCORER, WATCHER
from scorekeeper.printing import print_service
from scorekeeper.services.book_matches import book_on_phone
from scorekeeper.services.import_export import export_match
from scorekeeper.services.night_matches import night_on_phone
from scorekeeper.services.phones import phones_of
from scorekeeper.web.match.page import match_title
from scorekeeper.web.match.views import to_match
from scorekeeper.web.menu.form import TITLE, read_names
from scorekeeper.web.menu.page import menu_page, names_page
from scorekeeper.web.shared.device import device
from scorekeeper.web.shared.library import library
from scorekeeper.web.shared.permissions import requires
from scorekeeper.web.shared.places import book_label, load_match, write_change
from scorekeeper.web.shared.respond import attachment, file_name, render_page

bp = Blueprint("menu", __name__, url_prefix="/matches/<code>")

NAMES_TEMPLATE = "menu/names.html"


@bp.get("/menu")
@requires(WATCHER)
def show(code: str) -> Response:
    """Show the menu, from which people also print."""
    print_service.start()
    match = load_match(code)
    is_owner = match.link.is_owner
    phones = phones_of(db.session, match) if is_owner else ()
    book = book_on_phone(db.session, device(), match) if is_owner else None
    page = menu_page(
        match,
        library(),
        phones=sum(phone.is_connected for phone in phones),
        book=book_label(book) if book else "",
        night_code=night_on_phone(db.session, device(), match.id),
    )
    return render_page("menu/show.html", page)


@bp.get("/names")
@requires(SCORER)
def names(code: str) -> Response:
    """Show the names, and the markers of the sides."""
    return render_page(NAMES_TEMPLATE, names_page(load_match(code)))


@bp.post("/names")
@requires(OWNER)
def rename(code: str) -> Response:
    """Change names, all or none."""
    form = read_names(request.form)
    names = form.changed
    title = names.pop(TITLE, None)
    try:
        return to_match(write_change(code, changes.renaming(names, title)))
    except Refused as refused:
        return render_page(NAMES_TEMPLATE, names_page(load_match(code), form, refused.reasons), status=422)


@bp.post("/marks")
@requires(SCORER)
def choose_marker(code: str) -> Response:
    """Change the marker of a side; the side that had it takes the old one."""
    side, marker = request.form.get("side", ""), request.form.get("mark", 0, type=int)
    try:
        return to_match(write_change(code, changes.marking(side, marker)))
    except Refused:
        abort(400)


@bp.get("/record.json")
@requires(WATCHER)
def download(code: str) -> Response:
    """Send the match as a record, to keep or to import elsewhere."""
    match = load_match(code)
    record = export_match(db.session, library(), code)
    response = make_response(json.dumps(record, ensure_ascii=False, indent=2) + "\n")
    response.mimetype = "application/json"
    return attachment(response, file_name(match_title(match), "json"))
