"""The pages that export and import files of matches, and this phone's settings."""

import json
from collections.abc import Sequence
from pathlib import Path

from flask import Blueprint, Response, current_app, make_response, request, url_for

from scorekeeper import hooks
from scorekeeper.book.book_matches import put_matches_in_owners_books
from scorekeeper.database.engine import db
from scorekeeper.matches.files.import_export import (
    UPLOAD_LIMITS,
    DuplicatePolicy,
    ImportedBefore,
    RecordsRefused,
    codes_imported_by,
    export_record,
    import_file,
)
from scorekeeper.matches.files.import_run import Importer, ImportNotNow, TooManyImports
from scorekeeper.matches.files.kept_files import FileRefused, KeptFile
from scorekeeper.matches.match_list import LeftOut, list_unlinked, logs_of_device
from scorekeeper.matches.setup import MatchSetup
from scorekeeper.pitch.records.record import fault_path
from scorekeeper.pitch.text.phrases import record_fault_message
from scorekeeper.web.context import device, posted_key
from scorekeeper.web.library import library
from scorekeeper.web.limits import network_digest
from scorekeeper.web.listed_matches import listed_details, listed_title
from scorekeeper.web.locale import zone
from scorekeeper.web.respond import make_download, render_page, see_other
from scorekeeper.web.widgets import FaultsView, FaultView, number_with_noun

bp = Blueprint("transfer", __name__, url_prefix="/transfer")

MAX_FILE_NAME_LENGTH = 80
"""The most characters shown of a file's name."""
MAX_SHOWN_FAULTS = 20
"""The most faults of a file shown at once."""


@bp.get("")
def show() -> Response:
    """Show the page that downloads this phone's matches, and imports files of matches."""
    imported = request.args.get("taken", 0, type=int)
    return render_page("transfer/show.html", imported=imported, faults=None, idempotency_key="")


@bp.get("/matches.json")
def download() -> Response:
    """Send the matches of this phone as a file, with one JSON record on each line.

    The last opened come first, at most as many as an upload may have. If some cannot be read, first show which.
    """
    left_out = list[MatchSetup]()
    listed = logs_of_device(db.session, device(), UPLOAD_LIMITS.max_matches, left_out)
    records = [export_record(db.session, library(), setup, log) for setup, log in listed]
    if page := page_of_left_out(left_out):
        return page
    response = make_response("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records))
    response.mimetype = "application/jsonl"
    return make_download(response, "pitch-matches.jsonl")


def page_of_left_out(left_out: Sequence[LeftOut]) -> Response | None:
    """Return a page that names what a file leaves out, and offers a file of the rest.

    `None` if nothing is left out, or if the request asks for the file of the rest.
    """
    if not left_out or "rest" in request.args:
        return None
    matches = [(listed_title(item), listed_details(item)) for item in list_unlinked(db.session, left_out)]
    others = [words for words in left_out if isinstance(words, str)]
    return render_page("transfer/left_out.html", matches=matches, others=others)


@bp.post("")
def upload() -> Response:
    """Import all matches in the posted file, or none; ask first if some of them were imported before.

    A file of another kind goes to the page for its kind.
    """
    content = posted_file()
    for other in hooks.upload_kinds:
        if other.recognizes(content):
            return other.show(content)
    return _import_or_ask(content, "ask")


@bp.post("/again")
def upload_again() -> Response:
    """Import the file kept on the server, with or without the matches imported before, as the person chose."""
    if codes := codes_imported_by(db.session, posted_key()):
        return _redirect_to_imported(codes)
    content = kept_file("records").read(request.form.get("digest", ""))
    return _import_or_ask(content, "skip" if request.form.get("known") == "skip" else "again")


def _import_or_ask(content: bytes, duplicates: DuplicatePolicy) -> Response:
    """Import the matches in a file and put them into a book of their owner, or show why none was imported.

    `duplicates` says what to do if some were imported before: "ask" first, "skip" them, or import them "again".
    """
    name, key, who = posted_name(), posted_key(), importer()
    try:
        codes = import_file(
            db.session,
            library(),
            content,
            idempotency_key=key,
            limits=UPLOAD_LIMITS,
            importer=who,
            duplicates=duplicates,
        )
        put_matches_in_owners_books(db.session)
    except ImportedBefore as before:
        digest = kept_file("records").keep(content)
        fields = [("digest", digest), ("file_name", name), ("client_key", key)]
        return render_page(
            "transfer/again.html", before=before, fields=fields, fields_to_skip=[*fields, ("known", "skip")]
        )
    except RecordsRefused as refused:
        faults = tuple(
            FaultView(
                where=fault_path(item, f"match {number}" if refused.match_count > 1 else ""),
                text=record_fault_message(item.fault),
            )
            for number, item in refused.faults
        )
        return _refusal_page(
            f"{name} was not imported: {number_with_noun(len(faults), 'error')}", *faults[:MAX_SHOWN_FAULTS]
        )
    except ImportNotNow as not_now:
        page = _refusal_page(f"{name} was not imported yet", FaultView(text=str(not_now)), idempotency_key=key)
        return set_refusal_status(not_now, page)
    return _redirect_to_imported(codes)


def _redirect_to_imported(codes: Sequence[str]) -> Response:
    """Redirect to the only imported match, or else to the page that says how many were imported."""
    return see_other(url_for("matches.show", code=codes[0]) if len(codes) == 1 else url_for(".show", taken=len(codes)))


@bp.errorhandler(FileRefused)
@bp.errorhandler(ImportNotNow)
def show_refusal(refusal: FileRefused | ImportNotNow) -> Response:
    """Show why nothing was imported, and when to try again if that helps."""
    return set_refusal_status(refusal, _refusal_page("Nothing was imported", FaultView(text=str(refusal))))


def _refusal_page(heading: str, *faults: FaultView, idempotency_key: str = "") -> Response:
    """Return the page that says why nothing was imported; another try uses `idempotency_key`, if there is one."""
    shown = FaultsView(heading=heading, items=faults)
    return render_page("transfer/show.html", imported=0, faults=shown, idempotency_key=idempotency_key)


# ---------- what is sent with a file, of whichever kind ----------


def importer() -> Importer:
    """Return the importer of a file: this phone, its network, its time zone, and the limit of imports an hour."""
    return Importer(device(), network_digest(), current_app.config["IMPORTS_AN_HOUR"], zone())


def kept_file(purpose: str) -> KeptFile:
    """Return the place on the server for this phone's file until its import is confirmed."""
    return KeptFile(Path(current_app.instance_path) / "imports", device(), purpose)


def posted_file() -> bytes:
    """Return the contents of the posted file; raises `FileRefused` if it is missing or empty."""
    file = request.files.get("record")
    content = file.read() if file else b""
    if not content:
        raise FileRefused("Choose a file that Scorekeeper made.")
    return content


def posted_name() -> str:
    """Return the name of the posted file, or of the file kept on the server; "The file" if unknown."""
    file = request.files.get("record")
    return ((file.filename if file else "") or request.form.get("file_name", ""))[:MAX_FILE_NAME_LENGTH] or "The file"


def set_refusal_status(refusal: Exception, page: Response) -> Response:
    """Return the page of a refused import; if trying again helps, set its status and when to try."""
    if isinstance(refusal, ImportNotNow):
        page.status_code = 429 if isinstance(refusal, TooManyImports) else 503
        page.retry_after = refusal.retry_at
    return page


settings_bp = Blueprint("settings", __name__)


@settings_bp.get("/settings", endpoint="show")
def show_settings() -> Response:
    """Show the settings of this phone."""
    return render_page("settings/show.html")
