"""The settings of this phone; its matches as one file to back up; and imports of such files."""

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
from scorekeeper.matches.match_list import setups_and_logs_of_device
from scorekeeper.pitch.text.phrases import record_fault_message
from scorekeeper.web.context import device, posted_key
from scorekeeper.web.library import library
from scorekeeper.web.limits import network_digest
from scorekeeper.web.locale import zone
from scorekeeper.web.respond import make_download, render_page, see_other
from scorekeeper.web.widgets import FaultsView, FaultView, number_with_noun

bp = Blueprint("transfer", __name__, url_prefix="/transfer")

MAX_FILE_NAME_LENGTH = 80
"""The most characters of a file's name that are shown."""
MAX_SHOWN_FAULTS = 20
"""The most faults shown at once; a person corrects a file with more step by step."""


@bp.get("")
def show() -> Response:
    """Show the page that downloads the matches of this phone, or uploads a file of matches."""
    imported = request.args.get("taken", 0, type=int)
    return render_page("transfer/show.html", imported=imported, faults=None, idempotency_key="")


@bp.get("/matches.json")
def download() -> Response:
    """Send all matches on this phone's list, one record a line."""
    listed = setups_and_logs_of_device(db.session, device(), UPLOAD_LIMITS.max_matches)
    records = [export_record(db.session, library(), setup, log) for setup, log in listed]
    response = make_response("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records))
    response.mimetype = "application/jsonl"
    return make_download(response, "pitch-matches.jsonl")


@bp.post("")
def upload() -> Response:
    """Import a file of records, whole or not at all, or hand it to the page of another kind of file."""
    content = posted_file()
    for other in hooks.upload_kinds:
        if other.recognizes(content):
            return other.show(content)
    return _import_or_ask(content, "ask")


@bp.post("/again")
def upload_again() -> Response:
    """Import the kept file, with or without the matches that are known already, as the person chose."""
    if codes := codes_imported_by(db.session, posted_key()):
        return _redirect_to_imported(codes)
    content = kept_file("records").read(request.form.get("digest", ""))
    return _import_or_ask(content, "skip" if request.form.get("known") == "skip" else "again")


def _import_or_ask(content: bytes, known: DuplicatePolicy) -> Response:
    """Import the records of a file; where it has known matches and `known` is "ask", keep the file and ask."""
    name, key, who = posted_name(), posted_key(), importer()
    try:
        codes = import_file(
            db.session, library(), content, idempotency_key=key, limits=UPLOAD_LIMITS, importer=who, duplicates=known
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
            FaultView(where=_fault_position(number, item.hand, item.fault.field), text=record_fault_message(item.fault))
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
    """Redirect to the imported match, or if there are several, to the page that says how many."""
    return see_other(url_for("matches.show", code=codes[0]) if len(codes) == 1 else url_for(".show", taken=len(codes)))


@bp.errorhandler(FileRefused)
@bp.errorhandler(ImportNotNow)
def show_refusal(refusal: FileRefused | ImportNotNow) -> Response:
    """Show why nothing was imported; where it was too early, with when to try again."""
    return set_refusal_status(refusal, _refusal_page("Nothing was imported", FaultView(text=str(refusal))))


def _refusal_page(heading: str, *faults: FaultView, idempotency_key: str = "") -> Response:
    """Return the page that says why nothing was imported; a second try with `idempotency_key` imports nothing twice."""
    shown = FaultsView(heading=heading, items=faults)
    return render_page("transfer/show.html", imported=0, faults=shown, idempotency_key=idempotency_key)


def _fault_position(number: int, hand: int | None, field: str) -> str:
    """Return where in a file a fault is: "match 2, hand 3, bid"."""
    parts = (f"match {number}" if number > 1 else "", f"hand {hand}" if hand else "", field)
    return ", ".join(filter(None, parts))


# ---------- what is sent with a file, of whichever kind ----------


def importer() -> Importer:
    """Return who imports: this phone and its network, with the limits of imports."""
    return Importer(device(), network_digest(), current_app.config["IMPORTS_AN_HOUR"], zone())


def kept_file(purpose: str) -> KeptFile:
    """Return where the server keeps a file of this phone for a purpose until its import is confirmed."""
    return KeptFile(Path(current_app.instance_path) / "imports", device(), purpose)


def posted_file() -> bytes:
    """Return the contents of the posted file; raises `FileRefused` without a file, or for an empty one."""
    file = request.files.get("record")
    content = file.read() if file else b""
    if not content:
        raise FileRefused("Choose a file that Scorekeeper made.")
    return content


def posted_name() -> str:
    """Return the name of the posted file, or of the kept one that is confirmed; "The file" without a name."""
    file = request.files.get("record")
    return ((file.filename if file else "") or request.form.get("file_name", ""))[:MAX_FILE_NAME_LENGTH] or "The file"


def set_refusal_status(refusal: Exception, page: Response) -> Response:
    """Set the status of the page of a refused import and when to try again, if it came too early; return the page."""
    if isinstance(refusal, ImportNotNow):
        page.status_code = 429 if isinstance(refusal, TooManyImports) else 503
        page.retry_after = refusal.retry_at
    return page


settings_bp = Blueprint("settings", __name__)


@settings_bp.get("/settings", endpoint="show")
def show_settings() -> Response:
    """Show the settings of this phone."""
    return render_page("settings/show.html")
