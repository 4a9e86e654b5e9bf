"""A book's pages: all its matches, one of them opened, and its name."""

from flask import Blueprint, Response, abort, request, url_for

from scorekeeper.book.facts import BookRenamed, Redone, Undone
from scorekeeper.extensions import db
from scorekeeper.ledger.refusals import Refused
from scorekeeper.ledger.roles import OWNER, WATCHER
from scorekeeper.services.book_list import Search, find_matches
from scorekeeper.services.book_matches import NotInBook, open_match
from scorekeeper.services.book_phones import remember_book
from scorekeeper.web.book.page import book_page, book_settings_page
from scorekeeper.web.shared.device import device
from scorekeeper.web.shared.library import library
from scorekeeper.web.shared.permissions import requires
from scorekeeper.web.shared.places import load_book, write_fact
from scorekeeper.web.shared.reader import date_style
from scorekeeper.web.shared.respond import render_page, see_other

bp = Blueprint("books", __name__, url_prefix="/books/<code>")

TEMPLATE, SETTINGS = "book/show.html", "book/settings.html"
LONGEST_SEARCH = 60


@bp.get("/")
@requires(WATCHER)
def show(code: str) -> Response:
    """Show the matches of the book that fit what the address says, and put the book on top of this phone's."""
    access = load_book(code)
    remember_book(db.session, device(), access)
    said = {
        name: " ".join(request.args.get(name, "").split())[:LONGEST_SEARCH] for name in ("person", "variant", "year")
    }
    search = Search(**said)
    found = find_matches(db.session, access, search, request.args.get("page", 1, type=int))
    return render_page(TEMPLATE, book_page(access, found, search, library(), date_style()), block="matches")


@bp.get("/matches/<uid>")
@requires(WATCHER)
def open_one(code: str, uid: str) -> Response:
    """Open a match of the book by a link of this phone's own."""
    try:
        return see_other(url_for("matches.show", code=open_match(db.session, load_book(code), device(), uid)))
    except NotInBook:
        abort(404)


@bp.get("/settings")
@requires(OWNER)
def settings(code: str) -> Response:
    """Show the name of the book."""
    return render_page(SETTINGS, book_settings_page(load_book(code), done=request.args.get("done", "")))


@bp.post("/settings")
@requires(OWNER)
def rename(code: str) -> Response:
    """Change the name of the book."""
    name = " ".join(request.form.get("name", "").split())
    if name == load_book(code).book.name:
        return see_other(url_for(".settings", code=code))
    try:
        write_fact(code, BookRenamed(name=name))
    except Refused as refused:
        page = book_settings_page(load_book(code), typed=name, fault=str(refused))
        return render_page(SETTINGS, page, status=422)
    return see_other(url_for(".settings", code=code, done="saved"))


@bp.post("/undo")
@requires(OWNER)
def undo(code: str) -> Response:
    """Undo what was written last in the book."""
    write_fact(code, Undone(target=request.form.get("target", 0, type=int)))
    return see_other(url_for(".settings", code=code, done="undone"))


@bp.post("/redo")
@requires(OWNER)
def redo(code: str) -> Response:
    """Redo what was undone last in the book."""
    write_fact(code, Redone(target=request.form.get("target", 0, type=int)))
    return see_other(url_for(".settings", code=code, done="redone"))
