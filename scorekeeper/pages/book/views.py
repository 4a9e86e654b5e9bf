"""The pages of a book: its matches, which can be searched; its name; and moving a match to another book."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from urllib.parse import urlencode

from flask import Blueprint, Response, abort, request, url_for
from sqlalchemy.orm import Session

from scorekeeper import hooks
from scorekeeper.book.book_list import FoundMatch, FoundMatches, Search, find_matches
from scorekeeper.book.book_matches import (
    NO_BOOK,
    MatchMove,
    NotInBook,
    book_uid_of_match,
    move_match,
    move_match_back,
    open_match,
    usable_books,
)
from scorekeeper.book.books import BookAccess, books_of_device
from scorekeeper.book.events import BookRenamed, Redone, Undone
from scorekeeper.database.engine import db
from scorekeeper.eventlog.stream import Refused
from scorekeeper.pitch.rules.entered_text import normalize_spaces
from scorekeeper.web.context import (
    book_labels,
    device,
    for_owners,
    for_watchers,
    known_device,
    load_book,
    load_match,
    posted_key,
    remember_visit,
    write_book_event,
    writer,
)
from scorekeeper.web.library import library
from scorekeeper.web.listed_matches import listed_details, listed_title
from scorekeeper.web.respond import redirect_to, render_page
from scorekeeper.web.widgets import QuestionView, labeled_question

bp = Blueprint("books", __name__, url_prefix="/books/<code>")

MAX_SEARCH_LENGTH = 60
MIN_MATCHES_FOR_SEARCH = 10
"""The fewest matches for which their list has a search."""


def phone_books() -> list[BookAccess]:
    """Return the books that this phone may open: those that it chose, last chosen first, then those it only opened.

    Empty for a phone without a cookie.
    """
    return books_of_device(db.session, known_device()) if known_device() else []


def rows_of_matches(found: Sequence[FoundMatch]) -> Iterator[tuple[str, str, str]]:
    """Yield the URL, title and details of each match that a search found."""
    for match in found:
        if code := match.listed_match.link.code:
            url = url_for("matches.show", code=code)
        else:
            url = url_for("books.open_one", code=match.book_code, uid=match.uid)
        yield url, listed_title(match.listed_match), listed_details(match.listed_match)


@bp.get("/")
@for_watchers
def show(code: str) -> Response:
    """Show the matches of a book and of this phone's other books, and put the book on this phone's list."""
    access = load_book(code)
    remember_visit(access)
    return show_matches([access, *(book for book in phone_books() if book.id != access.id)])


def show_matches(accesses: Sequence[BookAccess]) -> Response:
    """Show a page of the matches in these books and on this phone that fit the search in the URL.

    The menu is that of the first book.
    """
    terms = {
        name: normalize_spaces(request.args.get(name, ""))[:MAX_SEARCH_LENGTH] for name in ("person", "variant", "year")
    }
    search, page = Search(**terms), request.args.get("page", 1, type=int)
    found = find_matches(db.session, accesses, search, page, device=known_device())
    variants = library()
    games = {game: variants[game].name if game in variants else game for game in found.match_count_by_variant}
    return render_page(
        "book/show.html",
        block="matches",
        access=accesses[0] if accesses else None,
        entries=[entry for entries in hooks.book_menu_entries for entry in entries(accesses[0])] if accesses else [],
        is_only_book=len(accesses) == 1,
        search=search,
        found=found,
        has_search=found.total_count >= MIN_MATCHES_FOR_SEARCH or not search.is_empty,
        count=_match_count_text(found, search),
        games=_options_with_chosen(games, search.variant),
        years=_options_with_chosen({year: year for year in found.years}, search.year),
        matches=list(rows_of_matches(found.matches)),
        newer=_url_of_page(terms, found.page - 1) if found.page > 1 else "",
        older=_url_of_page(terms, found.page + 1) if found.page < found.page_count else "",
    )


def _match_count_text(found: FoundMatches, search: Search) -> str:
    """Return the number of matches in words: "46 matches", or with a search, "3 of 46 matches"."""
    total_text = f"{found.total_count} match{'' if found.total_count == 1 else 'es'}"
    return total_text if search.is_empty else f"{found.fit_count} of {total_text}"


def _options_with_chosen(labels: Mapping[str, str], chosen: str) -> Mapping[str, str]:
    """Return the labels of a search field's options, with the chosen one even if no match has it."""
    return {**labels, chosen: labels.get(chosen, chosen)} if chosen else labels


def _url_of_page(terms: Mapping[str, str], page_number: int) -> str:
    """Return the URL of a page of the list of matches, with these search terms."""
    return f"{request.path}?{urlencode({**{name: text for name, text in terms.items() if text}, 'page': page_number})}"


@bp.get("/matches/<uid>")
@for_watchers
def open_one(code: str, uid: str) -> Response:
    """Redirect to a match of the book, by an access link that belongs to this phone."""
    return open_in_book("matches.show", code, uid)


def open_in_book(
    endpoint: str,
    code: str,
    uid: str,
    code_of_link: Callable[[Session, BookAccess, str, str], str] = open_match,
    *,
    instead: str = "books.show",
) -> Response:
    """Redirect to a match or night in the book, by an access link of this phone; 404 if it is not in the book.

    `endpoint` is the page to show; `code_of_link` returns the link's code, and adds the link if needed. A phone without
    a cookie gets one and is redirected to `instead`.
    """
    if not known_device():
        device()
        return redirect_to(instead, code=code)
    try:
        return redirect_to(endpoint, code=code_of_link(db.session, load_book(code), device(), uid))
    except NotInBook:
        abort(404)


@bp.get("/settings")
@for_owners
def settings(code: str) -> Response:
    """Show the form that changes the name of the book."""
    return _show_settings(code, load_book(code).book.name, done=request.args.get("done", ""))


def _show_settings(code: str, name: str, *, done: str = "", fault: str = "") -> Response:
    """Show the form that changes a book's name, filled in with `name`.

    `done` says what was just done, `fault` why the name was refused.
    """
    access = load_book(code)
    return render_page(
        "book/settings.html",
        access=access,
        name=name,
        done=done,
        fault=fault,
    )


@bp.post("/settings")
@for_owners
def rename(code: str) -> Response:
    """Save the posted name of the book and redirect, or show why the name was refused."""
    name, book = normalize_spaces(request.form.get("name", "")), load_book(code).book
    if name == book.name and not book.has_key(posted_key()):
        return redirect_to(".settings", code=code)
    try:
        write_book_event(code, BookRenamed(name=name))
    except Refused as refused:
        return _show_settings(code, name, fault=str(refused))
    return redirect_to(".settings", code=code, done="saved")


@bp.post("/undo")
@for_owners
def undo(code: str) -> Response:
    """Undo the event of the book that the form names, and redirect."""
    write_book_event(code, Undone(target=request.form.get("target", 0, type=int)))
    return redirect_to(".settings", code=code, done="undone")


@bp.post("/redo")
@for_owners
def redo(code: str) -> Response:
    """Redo the undone event of the book that the form names, and redirect."""
    write_book_event(code, Redone(target=request.form.get("target", 0, type=int)))
    return redirect_to(".settings", code=code, done="redone")


# ---------- the book of a match ----------


match_book_bp = Blueprint("match_book", __name__, url_prefix="/matches/<code>/book")

BOOK_FIELD = "book"


@match_book_bp.get("", endpoint="show")
@for_owners
def show_book(code: str) -> Response:
    """Show which book the match is in, with this phone's other books to move it to.

    After a move, offer to undo it.
    """
    args = request.args
    moved = MatchMove(args.get("was", ""), args["moved"]) if args.get("moved") else None
    return _show_book(code, moved=moved)


def _show_book(code: str, *, moved: MatchMove | None = None, refusal: str = "") -> Response:
    """Show which book a match is in, with an offer to undo `moved`, or the `refusal` of a move."""
    match = load_match(code)
    books, uid = usable_books(db.session, device()), book_uid_of_match(db.session, match)
    present_code = next((access.code for access in books if access.uid == uid), None)
    return render_page(
        "match_book/show.html",
        match=match,
        question=book_question(books, present_code if uid else NO_BOOK),
        was=uid,
        is_elsewhere=bool(uid) and present_code is None,
        moved=moved,
        refusal=refusal,
    )


def book_question(books: Sequence[BookAccess], chosen: str | None, *, offers_new_book: bool = False) -> QuestionView:
    """Return the question in which book to keep a match.

    An answer is the code of this phone's link to a book, or `NO_BOOK`; with `offers_new_book`, also "" for a new book.
    """
    labels = dict(zip((access.code for access in books), book_labels(books), strict=True))
    new_list = {"": "a new list"} if offers_new_book else {}
    return labeled_question(BOOK_FIELD, "Keep this match in", {**new_list, **labels, NO_BOOK: "none"}, chosen)


@match_book_bp.post("")
@for_owners
def move(code: str) -> Response:
    """Move the match to the chosen book, or out of its book, and redirect; or show why that was refused."""
    match, book_code, author = load_match(code), request.form.get(BOOK_FIELD, ""), writer()
    try:
        moved = move_match(db.session, match, device(), book_code, author, shown_book_uid=request.form.get("was"))
    except Refused as refused:
        return _show_book(code, refusal=str(refused))
    if moved is None:
        return redirect_to(".show", code=code)
    return redirect_to(".show", code=code, moved=moved.idempotency_key, was=moved.from_uid)


@match_book_bp.post("/back")
@for_owners
def back(code: str) -> Response:
    """Undo the move of the match that the form names, and redirect, or show why that was refused."""
    moved = MatchMove(request.form.get("was", ""), request.form.get("moved", ""))
    try:
        move_match_back(db.session, load_match(code), device(), moved, writer())
    except Refused as refused:
        return _show_book(code, refusal=str(refused))
    return redirect_to(".show", code=code)
