"""Moving a match to another book, keeping it out of all of them, and undoing that."""

from collections.abc import Sequence

from flask import Blueprint, Response, request

from scorekeeper.book.book_matches import (
    NO_BOOK,
    Moved,
    book_of,
    move_back,
    move_match,
    uid_of_book,
    usable_books,
)
from scorekeeper.book.books import BookAccess
from scorekeeper.database.engine import db
from scorekeeper.eventlog.stream import Refused
from scorekeeper.web.context import book_labels, device, for_owners, load_match, writer
from scorekeeper.web.respond import redirect_to, render_page
from scorekeeper.web.widgets import QuestionView, labeled_question

bp = Blueprint("match_book", __name__, url_prefix="/matches/<code>/book")

FIELD = "book"


@bp.get("")
@for_owners
def show(code: str) -> Response:
    """Show which book the match is in, and the others that this phone has."""
    args = request.args
    moved = Moved(args.get("was", ""), args["moved"]) if args.get("moved") else None
    return _show(code, moved=moved)


def _show(code: str, *, moved: Moved | None = None, refusal: str = "") -> Response:
    """Show the page; `moved` is what was done just now, and can be undone."""
    match = load_match(code)
    books, book_id = usable_books(db.session, device()), book_of(db.session, match)
    here = next((access.code for access in books if access.id == book_id), None)
    return render_page(
        "match_book/show.html",
        match=match,
        question=book_question(books, NO_BOOK if book_id is None else here),
        was=uid_of_book(db.session, match),
        is_elsewhere=book_id is not None and here is None,
        moved=moved,
        refusal=refusal,
    )


def book_question(books: Sequence[BookAccess], chosen: str | None, *, begins: bool = False) -> QuestionView:
    """Return the question of which book a match goes to: `chosen` is a link's code, `NO_BOOK`, or `None` if unknown.

    With `begins` there is an option for a new book, for a phone that has none.
    """
    labels = dict(zip((access.code for access in books), book_labels(books), strict=True))
    first = {"": "a new list"} if begins else {}
    return labeled_question(FIELD, "Keep this match in", {**first, **labels, NO_BOOK: "none"}, chosen)


@bp.post("")
@for_owners
def move(code: str) -> Response:
    """Move the match."""
    match, book, by = load_match(code), request.form.get(FIELD, ""), writer()
    try:
        moved = move_match(db.session, match, device(), book, by, shown_in=request.form.get("was"))
    except Refused as refused:
        return _show(code, refusal=str(refused))
    if moved is None:
        return redirect_to(".show", code=code)
    return redirect_to(".show", code=code, moved=moved.idempotency_key, was=moved.from_uid)


@bp.post("/back")
@for_owners
def back(code: str) -> Response:
    """Move the match back to where a form took it from."""
    moved = Moved(request.form.get("was", ""), request.form.get("moved", ""))
    try:
        move_back(db.session, load_match(code), device(), moved, writer())
    except Refused as refused:
        return _show(code, refusal=str(refused))
    return redirect_to(".show", code=code)
