"""Matches out and in: everything of this phone as one file, and files of records taken in."""

import json

from flask import Blueprint, Response, make_response, request, url_for

from scorekeeper.extensions import db
from scorekeeper.services.devices import matches_of_device, remember_match
from scorekeeper.services.records import RecordsRefused, export_match, import_records, read_records
from scorekeeper.web.contexts.parts import Action, BarView, Notice
from scorekeeper.web.contexts.transfer import FileFault, TransferPage
from scorekeeper.web.file_names import attachment
from scorekeeper.web.keys import device, key_of, new_key
from scorekeeper.web.matches import to_match
from scorekeeper.web.present.wording import counted
from scorekeeper.web.respond import page, see_other
from scorekeeper.web.rulesets import library

bp = Blueprint("transfer", __name__, url_prefix="/transfer")

FIELD = "record"
MOST_FAULTS = 20
"""Shown at once; a file with more is mended step by step."""


@bp.get("")
def show() -> Response:
    """Show what can be taken away, and where to bring it back."""
    taken = request.args.get("taken", type=int)
    said = (Notice(lead=f"{taken} matches are in.", text="They are on the home page.", kind="made"),) if taken else ()
    return page("transfer.html", _page(notices=said))


@bp.get("/matches.json")
def download() -> Response:
    """Give every match that this phone lists, one record a line."""
    listed = matches_of_device(db.session, device(), at_most=1000)
    records = [export_match(db.session, library(), item.link.code) for item in listed]
    response = make_response("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records))
    response.mimetype = "application/jsonl"
    return attachment(response, "pitch-matches.jsonl")


@bp.post("")
def upload() -> Response:
    """Take in a file of records, whole or not at all."""
    file = request.files.get(FIELD)
    name = (file.filename if file else "") or "The file"
    content = file.read() if file else b""
    if not content:
        fault = FileFault(where="", text="Choose a file first: one that Scorekeeper wrote.")
        return page("transfer.html", _page("Nothing was taken in", (fault,)), status=422)
    try:
        taken = import_records(db.session, library(), read_records(content), client_key=key_of(request)[:20])
    except RecordsRefused as refused:
        faults = tuple(
            FileFault(where=_where(n, item.hand, item.fault.field), text=item.fault.message)
            for n, item in refused.faults
        )
        heading = f"{name} was not taken in: {counted(len(faults), 'fault')}"
        return page("transfer.html", _page(heading, faults[:MOST_FAULTS]), status=422)
    for match in taken:
        remember_match(db.session, device(), match)
    return to_match(taken[0]) if len(taken) == 1 else see_other(url_for(".show", taken=len(taken)))


def _where(number: int, hand: int | None, field: str) -> str:
    parts = [f"match {number}" if number > 1 else "", f"hand {hand}" if hand else "", field]
    return ", ".join(part for part in parts if part)


def _page(heading: str = "", faults: tuple[FileFault, ...] = (), notices: tuple[Notice, ...] = ()) -> TransferPage:
    return TransferPage(
        title="Take away, bring back",
        bar=BarView(title="Take away, bring back", back_url=url_for("home.index")),
        upload_url=url_for(".upload"),
        hidden=(("client_key", new_key()[:20]),),
        upload_field=FIELD,
        downloads=(Action(label="All matches of this phone", url=url_for(".download"), icon="down"),),
        faults_heading=heading,
        faults=faults,
        notices=notices,
    )
