"""Backing up and restoring: every match of this phone as one file, and files of records imported."""

import json
from io import BytesIO

from flask import Blueprint, Response, make_response, request, url_for

from scorekeeper.extensions import db
from scorekeeper.services.book_file import BookTaken, is_book_file, own_book_of
from scorekeeper.services.book_import import ChoiceNeeded, import_book
from scorekeeper.services.import_export import MOST_UPLOADED, RecordsRefused, export_record, import_file
from scorekeeper.services.import_run import Importer, ImportNotNow, TooManyImports
from scorekeeper.services.invitations import network_of
from scorekeeper.services.match_list import matches_of_device
from scorekeeper.web import book_transfer
from scorekeeper.web.book_transfer import done_url
from scorekeeper.web.shared.device import actor, device, posted_key
from scorekeeper.web.shared.library import library
from scorekeeper.web.shared.respond import attachment, render_page, see_other
from scorekeeper.web.shared.widgets import FaultsView, FaultView, counted

bp = Blueprint("transfer", __name__, url_prefix="/transfer")

MOST_FAULTS = 20
"""Shown at once; a file with more is mended step by step."""
TAKEN = "These matches are here already, and this phone does not own them. Ask whoever does to add this phone."


@bp.get("")
def show() -> Response:
    """Show what can be downloaded, and where to upload it again."""
    return _show(imported=request.args.get("taken", 0, type=int))


@bp.get("/matches.json")
def download() -> Response:
    """Send every match that this phone lists, one record to a line."""
    listed = matches_of_device(db.session, device(), at_most=MOST_UPLOADED.matches)
    records = [export_record(db.session, library(), item.setup, item.log) for item in listed]
    response = make_response("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records))
    response.mimetype = "application/jsonl"
    return attachment(response, "pitch-matches.jsonl")


@bp.post("")
def upload() -> Response:
    """Import a file of records, whole or not at all."""
    file = request.files.get("record")
    content = file.read() if file else b""
    if not file or not content:
        return _refuse("Nothing was imported", FaultView(text="Choose a file that Scorekeeper made."))
    if is_book_file(content):
        return book_transfer.or_refused(lambda: _look(content), _refuse_book)
    name, key = file.filename or "The file", posted_key()
    try:
        importer = Importer(device(), network_of(request.remote_addr or ""))
        codes = import_file(db.session, library(), content, client_key=key, most=MOST_UPLOADED, importer=importer)
    except RecordsRefused as refused:
        faults = tuple(
            FaultView(where=_where(number, item.hand, item.fault.field), text=item.fault.message)
            for number, item in refused.faults
        )
        return _refuse(f"{name} was not imported: {counted(len(faults), 'error')}", *faults[:MOST_FAULTS])
    except ImportNotNow as not_now:
        status = 429 if isinstance(not_now, TooManyImports) else 503
        response = _refuse(f"{name} was not imported yet", FaultView(text=str(not_now)), status=status, client_key=key)
        response.retry_after = not_now.retry_at
        return response
    return see_other(url_for("matches.show", code=codes[0]) if len(codes) == 1 else url_for(".show", taken=len(codes)))


def _look(content: bytes) -> Response:
    """Show what a book's file would change, in this phone's own book or as one that is not here yet."""
    try:
        return book_transfer.show_look(own_book_of(db.session, device(), BytesIO(content)), content)
    except BookTaken:
        return _refuse_book(TAKEN, 422)


def _refuse_book(why: str, status: int) -> Response:
    return _refuse("Nothing was imported", FaultView(text=why), status=status)


def _refuse(heading: str, *faults: FaultView, status: int = 422, client_key: str = "") -> Response:
    """Show why nothing was imported; with its key, the form that may be sent again leads to what it imported."""
    return _show(faults=FaultsView(heading=heading, items=faults), status=status, client_key=client_key)


def _show(*, imported: int = 0, faults: FaultsView | None = None, status: int = 200, client_key: str = "") -> Response:
    """Show the page; `imported` is how many matches were imported just now."""
    return render_page("transfer/show.html", status=status, imported=imported, faults=faults, client_key=client_key)


def _where(number: int, hand: int | None, field: str) -> str:
    parts = (f"match {number}" if number > 1 else "", f"hand {hand}" if hand else "", field)
    return ", ".join(part for part in parts if part)


@bp.post("/book")
def confirm_book() -> Response:
    """Import the file of a book that is not here yet; this phone owns it then."""
    content = book_transfer.kept(None)
    if content is None:
        return _refuse_book(book_transfer.GONE, 422)
    return book_transfer.or_refused(lambda: _import(content), _refuse_book)


def _import(content: bytes) -> Response:
    try:
        done = import_book(
            db.session,
            BytesIO(content),
            choices=book_transfer.choices(),
            importer=book_transfer.importer(),
            actor=actor(),
        )
    except BookTaken:  # the form came twice, and the first time imported it
        return _look(content)
    except ChoiceNeeded:
        return book_transfer.show_look(None, content, book_transfer.CHANGED, 422)
    book_transfer.drop(None)
    assert done.link is not None
    return see_other(done_url(done.link.code, done))


@bp.post("/book/cancel")
def cancel_book() -> Response:
    """Delete the file that was looked at, and import nothing."""
    book_transfer.drop(None)
    return see_other(url_for(".show"))
