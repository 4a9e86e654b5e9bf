"""Backing up and restoring: every match of this phone as one file, and files of records imported."""

import json
from collections.abc import Sequence
from pathlib import Path

from flask import Blueprint, Response, current_app, make_response, request, url_for

from scorekeeper.book.book_matches import place_matches
from scorekeeper.club.book_files import views as book_transfer
from scorekeeper.club.book_files.file import BookFileRefused
from scorekeeper.club.book_files.service import is_book_file
from scorekeeper.database.engine import db
from scorekeeper.matches.files import kept_files
from scorekeeper.matches.files.import_export import (
    MOST_UPLOADED,
    ImportedBefore,
    Known,
    RecordsRefused,
    export_record,
    import_file,
    imported_by,
)
from scorekeeper.matches.files.import_run import ImportNotNow
from scorekeeper.matches.match_list import logs_of_device
from scorekeeper.pitch.text.phrases import spoken_fault
from scorekeeper.web.context import device, posted_key
from scorekeeper.web.library import library
from scorekeeper.web.respond import attachment, redirect_to, render_page, see_other
from scorekeeper.web.widgets import FaultsView, FaultView, counted

bp = Blueprint("transfer", __name__, url_prefix="/transfer")

MOST_FAULTS = 20
"""Shown at once; a file with more is mended step by step."""


@bp.get("")
def show() -> Response:
    """Show what can be downloaded, and where to upload it again."""
    return _show(imported=request.args.get("taken", 0, type=int))


@bp.get("/matches.json")
def download() -> Response:
    """Send every match that this phone lists, one record to a line."""
    listed = logs_of_device(db.session, device(), MOST_UPLOADED.matches)
    records = [export_record(db.session, library(), setup, log) for setup, log in listed]
    response = make_response("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records))
    response.mimetype = "application/jsonl"
    return attachment(response, "pitch-matches.jsonl")


@bp.post("")
def upload() -> Response:
    """Import a file of records, whole or not at all."""
    content = book_transfer.posted_file()
    return book_transfer.show_look_at_own(content) if is_book_file(content) else _import(content, "ask")


@bp.post("/again")
def upload_again() -> Response:
    """Import a file of which some matches are here already: those as well, or only the others."""
    if codes := imported_by(db.session, posted_key()):
        return _to_imported(codes)
    content = kept_files.kept_file(*_kept(), request.form.get("digest", ""))
    if content is None:
        raise BookFileRefused("The file that you chose is not kept any more. Choose it again.")
    return _import(content, "skip" if request.form.get("known") == "skip" else "again")


def _kept() -> tuple[Path, str, str]:
    """Return where a file of records is kept until it is confirmed."""
    return Path(current_app.instance_path) / "imports", device(), "records"


def _import(content: bytes, known: Known) -> Response:
    """Import the records of a file, or ask what becomes of those that are here already."""
    name, key, importer = book_transfer.posted_name(), posted_key(), book_transfer.importer()
    try:
        codes = import_file(
            db.session, library(), content, client_key=key, most=MOST_UPLOADED, importer=importer, known=known
        )
        place_matches(db.session)
    except ImportedBefore as before:
        digest = kept_files.keep_file(*_kept(), content)
        told = [("digest", digest), ("file_name", name), ("client_key", key)]
        return render_page("transfer/again.html", before=before, told=told, told_skip=[*told, ("known", "skip")])
    except RecordsRefused as refused:
        faults = tuple(
            FaultView(where=_where(number, item.hand, item.fault.field), text=spoken_fault(item.fault))
            for number, item in refused.faults
        )
        return _refuse(f"{name} was not imported: {counted(len(faults), 'error')}", *faults[:MOST_FAULTS])
    except ImportNotNow as not_now:
        page = _refuse(f"{name} was not imported yet", FaultView(text=str(not_now)), client_key=key)
        return book_transfer.refusal(not_now, page)
    return _to_imported(codes)


def _to_imported(codes: Sequence[str]) -> Response:
    return see_other(url_for("matches.show", code=codes[0]) if len(codes) == 1 else url_for(".show", taken=len(codes)))


@bp.errorhandler(BookFileRefused)
@bp.errorhandler(ImportNotNow)
def refuse(why: BookFileRefused | ImportNotNow) -> Response:
    """Show why nothing was imported."""
    return book_transfer.refusal(why, _refuse("Nothing was imported", FaultView(text=str(why))))


def _refuse(heading: str, *faults: FaultView, client_key: str = "") -> Response:
    """Show why nothing was imported; with its key, the form that may be sent again leads to what it imported."""
    return _show(faults=FaultsView(heading=heading, items=faults), client_key=client_key)


def _show(*, imported: int = 0, faults: FaultsView | None = None, client_key: str = "") -> Response:
    """Show the page; `imported` is how many matches were imported just now."""
    return render_page(
        "transfer/show.html",
        imported=imported,
        faults=faults,
        client_key=client_key,
    )


def _where(number: int, hand: int | None, field: str) -> str:
    parts = (f"match {number}" if number > 1 else "", f"hand {hand}" if hand else "", field)
    return ", ".join(filter(None, parts))


@bp.post("/book")
def confirm_book() -> Response:
    """Import the file of a book that is not here yet; this phone owns it then."""
    return book_transfer.import_kept(None)


@bp.post("/book/cancel")
def cancel_book() -> Response:
    """Delete the file that was looked at, and import nothing."""
    book_transfer.drop(None)
    return redirect_to(".show")
