"""Files that are sent to be looked at: read from the form, kept until they are confirmed, and what stops an import."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from time import monotonic

from flask import Response, current_app, request

from scorekeeper.book.file import BookFileRefused
from scorekeeper.extensions import db
from scorekeeper.services import kept_files
from scorekeeper.services.book_file import Look, look
from scorekeeper.services.books import BookAccess
from scorekeeper.services.import_run import Importer, ImportNotNow, TooManyImports, import_run
from scorekeeper.services.invitations import network_of
from scorekeeper.web.book_transfer.page import CHOICE, LONGEST_FILE_NAME, look_page
from scorekeeper.web.shared.device import device
from scorekeeper.web.shared.reader import date_style
from scorekeeper.web.shared.respond import render_page

LOOK = "book_transfer/look.html"

CHANGED = "Another match was changed here meanwhile. Choose which one counts, then import again."
GONE = "The file that you chose is not kept any more. Choose it again."
CHOOSE = "Choose a file that Scorekeeper made."


def importer() -> Importer:
    """Return who imports: this phone."""
    return Importer(device(), network_of(request.remote_addr or ""))


def folder() -> Path:
    """Return the folder in which files are kept."""
    return Path(current_app.instance_path) / "imports"


def purpose(access: BookAccess | None) -> str:
    """Return what a file is kept for: a book here, or one that is not here yet."""
    return f"book {access.id}" if access else "new book"


def show_look(access: BookAccess | None, content: bytes, fault: str = "", status: int = 200) -> Response:
    """Show what a file would change, and keep it until that is confirmed; raises as `looked_at` does."""
    began = monotonic()
    found = looked_at(access, content)
    seconds = monotonic() - began
    digest = keep(access, content)
    page = look_page(
        found,
        access,
        file_name=file_name(),
        digest=digest,
        seconds=seconds,
        dates=date_style(),
        chosen=choices(),
        fault=fault,
    )
    return render_page(LOOK, page, status=status)


def looked_at(access: BookAccess | None, content: bytes) -> Look:
    """Return what a file would change; raises `BookFileRefused` and `ImportNotNow`."""
    with import_run(db.session, importer()) as run:
        return look(run, access.id if access else None, access.book if access else None, BytesIO(content))


def keep(access: BookAccess | None, content: bytes) -> str:
    """Keep a file until it is confirmed, and return its digest."""
    return kept_files.keep_file(folder(), device(), purpose(access), content)


def kept(access: BookAccess | None) -> bytes | None:
    """Return the file that the posted form confirms; `None` where it is gone."""
    return kept_files.kept_file(folder(), device(), purpose(access), request.form.get("digest", ""))


def drop(access: BookAccess | None) -> None:
    """Delete the file that was kept."""
    kept_files.drop_file(folder(), device(), purpose(access))


def file_name() -> str:
    """Return what the phone calls the file that was posted now, or before."""
    file = request.files.get("record")
    return ((file.filename if file else "") or request.form.get("file_name", ""))[:LONGEST_FILE_NAME] or "The file"


def choices() -> dict[str, str]:
    """Return which match counts, by its uid, as the form says."""
    return {name.removeprefix(CHOICE): said for name, said in request.form.items() if name.startswith(CHOICE)}


def or_refused(answer: Callable[[], Response], refuse: Callable[[str, int], Response]) -> Response:
    """Answer a request with a file, or say why it cannot be: `refuse` takes the sentence and the status."""
    try:
        return answer()
    except BookFileRefused as refused:
        return refuse(str(refused), 422)
    except ImportNotNow as not_now:
        response = refuse(str(not_now), 429 if isinstance(not_now, TooManyImports) else 503)
        response.retry_after = not_now.retry_at
        return response
