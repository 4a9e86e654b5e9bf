"""Backing up and restoring: every match of this phone as one file, and files of records imported."""

import json

from flask import Blueprint, Response, make_response, request, url_for

from scorekeeper.extensions import db
from scorekeeper.services.import_export import MOST_UPLOADED, RecordsRefused, export_record, import_file
from scorekeeper.services.import_run import Importer, ImportNotNow, TooManyImports
from scorekeeper.services.match_list import matches_of_device
from scorekeeper.services.pin_entry import network_of
from scorekeeper.web.shared.device import device
from scorekeeper.web.shared.downloads import attachment
from scorekeeper.web.shared.form_keys import posted_key
from scorekeeper.web.shared.library import library
from scorekeeper.web.shared.respond import render_page, see_other
from scorekeeper.web.transfer.page import TransferPage, no_file_page, not_now_page, refused_page

bp = Blueprint("transfer", __name__, url_prefix="/transfer")

TEMPLATE = "transfer/show.html"


@bp.get("")
def show() -> Response:
    """Show what can be downloaded, and where to upload it again."""
    return render_page(TEMPLATE, TransferPage(imported=request.args.get("taken", 0, type=int)))


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
        return render_page(TEMPLATE, no_file_page(), status=422)
    name, key = file.filename or "The file", posted_key()
    try:
        importer = Importer(device(), network_of(request.remote_addr or ""))
        codes = import_file(db.session, library(), content, client_key=key, most=MOST_UPLOADED, importer=importer)
    except RecordsRefused as refused:
        return render_page(TEMPLATE, refused_page(name, refused), status=422)
    except ImportNotNow as not_now:
        status = 429 if isinstance(not_now, TooManyImports) else 503
        response = render_page(TEMPLATE, not_now_page(name, not_now, key), status=status)
        response.retry_after = not_now.retry_at
        return response
    return see_other(url_for("matches.show", code=codes[0]) if len(codes) == 1 else url_for(".show", taken=len(codes)))
