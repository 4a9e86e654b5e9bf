"""Printing from the phone: choose what and how, see the pages, then print, share or save the file."""

from flask import Blueprint, Response, abort, request
from werkzeug.exceptions import ServiceUnavailable

from scorekeeper.extensions import db
from scorekeeper.ledger.roles import WATCHER
from scorekeeper.printing import layout, print_service
from scorekeeper.printing.fitting import SheetTooLong
from scorekeeper.printing.kinds import Order
from scorekeeper.printing.print_process import PrinterBusy, PrintingFailed
from scorekeeper.services.match_list import matches_of_device
from scorekeeper.web.find_game import BLOCKS, part_or, read_finder
from scorekeeper.web.prints.form import PrintSource, match_source, read_options, read_source
from scorekeeper.web.prints.page import MOST_PAGES, PrintPage, print_index_page, print_page
from scorekeeper.web.prints.send import send_page_image, send_sheet, sheet_file_name
from scorekeeper.web.shared.device import device
from scorekeeper.web.shared.errors import ErrorText, error_response
from scorekeeper.web.shared.permissions import requires
from scorekeeper.web.shared.places import load_match
from scorekeeper.web.shared.respond import render_page, see_other, wants_fragment

bp = Blueprint("prints", __name__)

TEMPLATE = "prints/choose.html"
BUSY = ErrorText(
    "The printer is busy",
    "Another phone is printing right now.",
    "Stay on this page: it tries again by itself.",
)
BUSY_SECONDS = 2


@bp.app_errorhandler(layout.PrintingUnavailable)
@bp.app_errorhandler(PrintingFailed)
@bp.app_errorhandler(SheetTooLong)
def cannot_print(reason: Exception) -> Response:
    """Show why a sheet cannot be printed, wherever it was asked for."""
    return render_page(TEMPLATE, PrintPage(advice=str(reason)), status=503)


@bp.app_errorhandler(PrinterBusy)
def try_again(_busy: PrinterBusy) -> Response:
    """Show that another sheet is being printed, on a page that asks again by itself."""
    if wants_fragment():
        return see_other(request.full_path)  # the page that is open cannot ask again by itself
    return error_response(ServiceUnavailable(retry_after=BUSY_SECONDS), BUSY, retry_seconds=BUSY_SECONDS)


@bp.get("/print")
def choose() -> Response:
    """Show what can be printed, and how it will look."""
    source = read_source()
    print_service.start()
    return _index() if source is None else _preview(source)


def _index() -> Response:
    matches = [item.match for item in matches_of_device(db.session, device()) if item.match]
    found = read_finder("print")
    return render_page(part_or("prints/index.html"), print_index_page(matches, found), block=BLOCKS, finder=found)


def _preview(source: PrintSource) -> Response:
    kind_id, options = read_options(source.kinds)
    if not layout.is_available():
        return render_page(TEMPLATE, PrintPage(origin=source.origin, advice=layout.INSTALL_PANGO))
    kind, subject = source.kinds[kind_id]
    sheet = print_service.print_preview(Order(kind.name, subject, options), MOST_PAGES)
    page = print_page(source, kind_id, options, sheet, sheet_file_name(kind, subject, options))
    return render_page(TEMPLATE, page, block=("sizes", "preview", "bottom_bar"))


@bp.get("/print/sheet.pdf")
def print_pdf() -> Response:
    """Send the sheet that the address describes."""
    source = read_source() or abort(404)
    kind_id, options = read_options(source.kinds)
    return send_sheet(*source.kinds[kind_id], options, is_download=request.args.get("keep") == "yes")


@bp.get("/print/page-<int:number>.png")
def show_page(number: int) -> Response:
    """Send one page of it as an image."""
    source = read_source() or abort(404)
    kind_id, options = read_options(source.kinds)
    return send_page_image(*source.kinds[kind_id], options, number)


@bp.get("/matches/<code>/result.pdf")
@requires(WATCHER)
def print_score_sheet(code: str) -> Response:
    """Send the score sheet of a match."""
    source = match_source(load_match(code))
    _, options = read_options(source.kinds)
    return send_sheet(*source.kinds["result"], options)
