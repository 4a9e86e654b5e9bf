"""A book downloaded as one file or for a spreadsheet, and the file of one looked at and imported."""

from io import BytesIO

from flask import Blueprint, Response, make_response, request, url_for

from scorekeeper.extensions import db
from scorekeeper.ledger.roles import OWNER, WATCHER
from scorekeeper.services.book_file import write_file
from scorekeeper.services.book_import import ChoiceNeeded, Imported, import_book
from scorekeeper.services.book_tables import write_hands, write_matches
from scorekeeper.services.books import BookAccess
from scorekeeper.web.book_transfer import files
from scorekeeper.web.book_transfer.page import book_transfer_page
from scorekeeper.web.shared.device import actor
from scorekeeper.web.shared.permissions import requires
from scorekeeper.web.shared.places import book_label, load_book
from scorekeeper.web.shared.respond import attachment, file_name, render_page, see_other

bp = Blueprint("book_transfer", __name__, url_prefix="/books/<code>")

TEMPLATE = "book_transfer/show.html"
DONE = ("new", "continued", "kept")


@bp.get("/transfer")
@requires(WATCHER)
def show(code: str) -> Response:
    """Show what can be downloaded, and where to upload it again."""
    done = {name: request.args.get(name, 0, type=int) for name in DONE if name in request.args}
    return render_page(TEMPLATE, book_transfer_page(load_book(code), done))


@bp.get("/file")
@requires(OWNER)
def download(code: str) -> Response:
    """Send the book as one file."""
    access = load_book(code)
    file = BytesIO()
    write_file(db.session, access.id, file)
    return _sent(file, "application/gzip", file_name(book_label(access), "pitch-book.gz"))


@bp.get("/matches.csv")
@requires(WATCHER)
def matches_csv(code: str) -> Response:
    """Send the matches of the book for a spreadsheet."""
    access = load_book(code)
    file = BytesIO()
    write_matches(db.session, access.id, file)
    return _sent(file, "text/csv", file_name(f"{book_label(access)} matches", "csv"))


@bp.get("/hands.csv")
@requires(WATCHER)
def hands_csv(code: str) -> Response:
    """Send the hands of the book for a spreadsheet."""
    access = load_book(code)
    file = BytesIO()
    write_hands(db.session, access.id, file)
    return _sent(file, "text/csv", file_name(f"{book_label(access)} hands", "csv"))


def _sent(file: BytesIO, mimetype: str, name: str) -> Response:
    response = make_response(file.getvalue())
    response.mimetype = mimetype
    return attachment(response, name)


@bp.post("/import")
@requires(OWNER)
def upload(code: str) -> Response:
    """Show what a file would change, and keep it until that is confirmed."""
    access, file = load_book(code), request.files.get("record")
    content = file.read() if file else b""
    if not content:
        return _refuse(access, files.CHOOSE, 422)
    return files.or_refused(lambda: files.show_look(access, content), lambda why, status: _refuse(access, why, status))


def _refuse(access: BookAccess, why: str, status: int) -> Response:
    return render_page(TEMPLATE, book_transfer_page(access, {}, fault=why), status=status)


@bp.post("/import/confirm")
@requires(OWNER)
def confirm(code: str) -> Response:
    """Import the file that was looked at."""
    access = load_book(code)
    content = files.kept(access)
    if content is None:
        return _refuse(access, files.GONE, 422)
    return files.or_refused(lambda: _import(access, content), lambda why, status: _refuse(access, why, status))


def _import(access: BookAccess, content: bytes) -> Response:
    try:
        done = import_book(
            db.session,
            BytesIO(content),
            link=access.link,
            choices=files.choices(),
            importer=files.importer(),
            actor=actor(),
        )
    except ChoiceNeeded:
        return files.show_look(access, content, files.CHANGED, 422)
    files.drop(access)
    return see_other(done_url(access.code, done))


def done_url(code: str, done: Imported) -> str:
    """Return the address of the page that says what was imported."""
    return url_for("book_transfer.show", code=code, new=done.new, continued=done.continued, kept=len(done.kept))


@bp.post("/import/cancel")
@requires(OWNER)
def cancel(code: str) -> Response:
    """Delete the file that was looked at, and import nothing."""
    access = load_book(code)
    files.drop(access)
    return see_other(url_for(".show", code=access.code))
