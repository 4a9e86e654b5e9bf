"""The file of a book that is not here yet: imported as this phone’s own, or dropped."""

from flask import Blueprint, Response

from scorekeeper.club.book_files.views import drop, import_kept
from scorekeeper.matches.files.import_run import ImportNotNow
from scorekeeper.matches.files.kept_files import FileRefused
from scorekeeper.pages.transfer import refuse
from scorekeeper.web.respond import redirect_to

bp = Blueprint("new_book", __name__, url_prefix="/transfer/book")
bp.register_error_handler(FileRefused, refuse)
bp.register_error_handler(ImportNotNow, refuse)


@bp.post("")
def confirm() -> Response:
    """Import the file of a book that is not here yet; this phone owns it then."""
    return import_kept(None)


@bp.post("/cancel")
def cancel() -> Response:
    """Delete the file that was looked at, and import nothing."""
    drop(None)
    return redirect_to("transfer.show")
