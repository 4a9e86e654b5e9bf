"""Backing up and restoring: every match of this phone as one file, and files of records imported."""

import json

from flask import Blueprint, Response, make_response, request, url_for

from scorekeeper.extensions import db
from scorekeeper.services.import_export import RecordsRefused, export_record, import_records, read_records
from scorekeeper.services.match_list import matches_of_device, remember_match
from scorekeeper.web.match.views import to_match
from scorekeeper.web.shared.device import device
from scorekeeper.web.shared.downloads import attachment
from scorekeeper.web.shared.form_keys import posted_key
from scorekeeper.web.shared.library import library
from scorekeeper.web.shared.respond import render_page, see_other
from scorekeeper.web.transfer.page import TransferPage, no_file_page, refused_page

bp = Blueprint("transfer", __name__, url_prefix="/transfer")

TEMPLATE = "transfer/show.html"
MOST_MATCHES = 1000


@bp.get("")
def show() -> Response:
    """Show what can be downloaded, and where to upload it again."""
    return render_page(TEMPLATE, TransferPage(imported=request.args.get("taken", 0, type=int)))


@bp.get("/matches.json")
def download() -> Response:
    """Send every match that this phone lists, one record to a line."""
    listed = matches_of_device(db.session, device(), at_most=MOST_MATCHES)
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
    try:
        # Every match of the file has a key of its own, which begins with that of the form.
        matches = import_records(db.session, library(), read_records(content), client_key=posted_key()[:20])
    except RecordsRefused as refused:
        return render_page(TEMPLATE, refused_page(file.filename or "The file", refused), status=422)
    for match in matches:
        remember_match(db.session, device(), match)
    return to_match(matches[0]) if len(matches) == 1 else see_other(url_for(".show", taken=len(matches)))
