"""Downloading a book as one file or for a spreadsheet, and importing its file after a preview.

The server keeps an uploaded file, while its preview is shown, until the import is confirmed or canceled.
"""

from collections.abc import Callable, Sequence
from io import BytesIO
from math import ceil
from time import monotonic
from typing import IO

from flask import Blueprint, Response, make_response, request, url_for
from sqlalchemy.orm import Session

from scorekeeper.book.books import BookAccess
from scorekeeper.club.book_files.service import (
    BookTaken,
    ImportPreview,
    MatchCopy,
    SkippedMatch,
    import_book,
    own_book_of_file,
    preview_import,
    write_book_file,
)
from scorekeeper.club.figures.counting import write_hands_csv, write_matches_csv
from scorekeeper.database.engine import db
from scorekeeper.matches.files.import_run import ImportNotNow, import_run
from scorekeeper.matches.files.kept_files import FileRefused, KeptFile
from scorekeeper.matches.log import to_zone
from scorekeeper.matches.match_list import LeftOut
from scorekeeper.pages.transfer import (
    importer,
    kept_file,
    page_of_left_out,
    posted_file,
    posted_name,
    set_refusal_status,
)
from scorekeeper.pages.transfer import show_refusal as refuse_upload
from scorekeeper.pitch.rules.phrases import digits, join_words
from scorekeeper.web.context import actor, book_label, device, for_owners, for_watchers, load_book
from scorekeeper.web.locale import date_style, plain_day, zone
from scorekeeper.web.respond import file_name, make_download, redirect_to, render_page, see_other
from scorekeeper.web.widgets import FaultsView, FaultView

bp = Blueprint("book_transfer", __name__, url_prefix="/books/<code>")
new_book = Blueprint("new_book", __name__, url_prefix="/transfer/book")
new_book.register_error_handler(FileRefused, refuse_upload)
new_book.register_error_handler(ImportNotNow, refuse_upload)

_IMPORT_TIME_FACTOR = 4
"""An import takes about this many times as long as its preview."""
_LONG_WAIT_S = 5.0
"""If an import will take at least this long, the preview says so."""


# ---------- the page, and what it sends ----------


@bp.get("/transfer")
@for_watchers
def show(code: str) -> Response:
    """Show a book's downloads and import form, and what an import has just done."""
    new, nights, differing = (request.args.get(name, type=int) for name in ("new", "nights", "left"))
    counts = {_matches_words(new or 0): new, digits(nights or 0, "ladder night"): nights}
    imported = join_words(words for words, count in counts.items() if count)
    done = [] if new is None else [f"{imported or 'No matches'} imported."]
    if differing:
        stay = "differs in the file and stays as it is" if differing == 1 else "differ in the file and stay as they are"
        done.append(f"{_matches_words(differing)} {stay} here.")
    return _show_page(load_book(code), done)


def _show_page(access: BookAccess, done: Sequence[str] = (), fault: str = "") -> Response:
    """Show the downloads and the import form, with the sentences in `done`.

    `fault` is the reason why nothing was imported; empty without one.
    """
    faults = FaultsView(heading="Nothing was imported", items=(FaultView(text=fault),)) if fault else None
    return render_page("book_transfer/show.html", access=access, done=done, faults=faults)


def _matches_words(number: int) -> str:
    """Return a number of matches in words: "1 match", "1,200 matches"."""
    return f"{number:,} match{'' if number == 1 else 'es'}"


@bp.get("/file")
@for_owners
def download(code: str) -> Response:
    """Send the book as one file."""
    return _send_file(code, write_book_file, "application/gzip", "", "pitch-book.gz")


@bp.get("/matches.csv")
@for_watchers
def matches_csv(code: str) -> Response:
    """Send the matches of the book for a spreadsheet."""
    return _send_file(code, write_matches_csv, "text/csv", " matches", "csv")


@bp.get("/hands.csv")
@for_watchers
def hands_csv(code: str) -> Response:
    """Send the hands of the book for a spreadsheet."""
    return _send_file(code, write_hands_csv, "text/csv", " hands", "csv")


def _send_file(
    code: str, write: Callable[[Session, int, IO[bytes]], Sequence[LeftOut]], mimetype: str, suffix: str, extension: str
) -> Response:
    """Send what `write` writes of a book as a download, named after the book.

    If something is left out, a page first names that and offers the file without it.
    """
    access, file = load_book(code), BytesIO()
    if page := page_of_left_out(write(db.session, access.id, file)):
        return page
    response = make_response(file.getvalue())
    response.mimetype = mimetype
    return make_download(response, file_name(f"{book_label(access)}{suffix}", extension))


# ---------- a file previewed, and imported ----------


@bp.post("/import")
@for_owners
def upload(code: str) -> Response:
    """Show what the posted file would change in the book.

    The file is kept until its import is confirmed or canceled.
    """
    return show_preview(load_book(code), posted_file())


@bp.post("/import/confirm")
@for_owners
def confirm(code: str) -> Response:
    """Import the previewed file into the book, and redirect to the book's page of downloads."""
    return import_previewed_file(load_book(code))


@bp.post("/import/cancel")
@for_owners
def cancel(code: str) -> Response:
    """Delete the previewed file, import nothing, and redirect to the book's page of downloads."""
    access = load_book(code)
    _kept_file(access).drop()
    return redirect_to(".show", code=access.code)


@bp.errorhandler(FileRefused)
@bp.errorhandler(ImportNotNow)
def show_refusal(why: FileRefused | ImportNotNow) -> Response:
    """Show the page of a book's downloads and import form, with the reason why nothing was imported."""
    access = load_book((request.view_args or {})["code"])
    return set_refusal_status(why, _show_page(access, fault=str(why)))


@new_book.post("", endpoint="confirm")
def confirm_new() -> Response:
    """Import the previewed file as a new book of this phone, and redirect to its page of downloads."""
    return import_previewed_file(None)


@new_book.post("/cancel", endpoint="cancel")
def cancel_new() -> Response:
    """Delete the previewed file, import nothing, and redirect to the page where files are chosen."""
    _kept_file(None).drop()
    return redirect_to("transfer.show")


# ---------- for a book here, and for one that is not here yet ----------


def show_own_preview(content: bytes) -> Response:
    """Show what importing a file would change in the book that it was written from.

    A book that is not here would be added. Raises `ImportNotNow`, and `BookFileRefused`, such as for another phone's
    book.
    """
    return show_preview(own_book_of_file(db.session, device(), BytesIO(content)), content)


def import_previewed_file(access: BookAccess | None) -> Response:
    """Import the previewed file into a book, or with `None` as a new one, and redirect to its downloads.

    A form that is sent twice imports once. If the new book is here by now, its preview is shown instead. Raises
    `ImportNotNow` and `FileRefused`.
    """
    digest, kept = request.form.get("digest", ""), _kept_file(access)
    with kept.wait_in_turn():
        if answer := kept.result_url(digest):  # the form was sent twice
            return see_other(answer)
        content = kept.read(digest)
        try:
            result = import_book(
                db.session,
                BytesIO(content),
                link=access.link if access else None,
                importer=importer(),
                actor=actor(),
            )
        except BookTaken:  # another phone has imported it meanwhile
            return show_own_preview(content)
        assert result.link is not None
        new, differing = result.preview.counts["new"], len(result.preview.skipped)
        answer = url_for(
            "book_transfer.show",
            code=result.link.code,
            new=new,
            left=differing,
            nights=len(result.preview.nights) or None,
        )
        kept.keep_result_url(digest, answer)
        return see_other(answer)


def show_preview(access: BookAccess | None, content: bytes) -> Response:
    """Show what importing a file into a book, or with `None` as a new one, would change.

    The file is kept meanwhile. Raises `BookFileRefused` and `ImportNotNow`.
    """
    began = monotonic()
    with import_run(db.session, importer()):
        preview = preview_import(db.session, access.id if access else None, BytesIO(content), is_from_phone=True)
    seconds, days = monotonic() - began, sorted(preview.days)
    digest = _kept_file(access).keep(content)
    return render_page(
        "book_transfer/look.html",
        code=access.code if access else "",
        label=book_label(access) if access else preview.name,
        file_name=posted_name(),
        digest=digest,
        preview=preview,
        days=" to ".join(plain_day(day, date_style()) for day in dict.fromkeys((*days[:1], *days[-1:]))),
        left=[_skipped_words(item) for item in preview.skipped],
        button=_button_label(preview),
        wait=waiting_sentence(seconds * _IMPORT_TIME_FACTOR) if preview.changes_anything else "",
    )


def _kept_file(access: BookAccess | None) -> KeptFile:
    """Return the handle of this phone's uploaded file for a book, or with `None` for a new one.

    There may be no such file.
    """
    return kept_file(f"book {access.id}" if access else "new book")


def _skipped_words(item: SkippedMatch) -> str:
    """Return in words how a match differs: "“Sunday” of Nov 21: here 3 hands, …; in the file 2 hands, …"."""
    day = plain_day(item.day, date_style())
    return f"{item.name} of {day}: here {_match_copy_words(item.here)}; in the file {_match_copy_words(item.in_file)}"


def _match_copy_words(copy: MatchCopy) -> str:
    """Return in words the size of a match and the time of its last event, if any: "12 hands, Nov 21, 6:20 PM"."""
    if copy.written_at is None:
        return copy.size_words
    at, dates = to_zone(copy.written_at, zone()), date_style()
    return f"{copy.size_words}, {plain_day(at.date().isoformat(), dates)}, {dates.time(at)}"


def _button_label(preview: ImportPreview) -> str:
    """Return the import button's label: "Import 2 matches", or "Import" if no match is new; empty if nothing is new."""
    if new := preview.counts["new"]:
        return f"Import {_matches_words(new)}"
    return "Import" if preview.changes_anything else ""


def waiting_sentence(seconds: float) -> str:
    """Return the sentence on how long an import will take; empty for less than `_LONG_WAIT_S`."""
    if seconds < _LONG_WAIT_S:
        return ""
    minutes = "a minute" if seconds <= 60 else f"{ceil(seconds / 60)} minutes"
    how_long = f"{ceil(seconds / 10) * 10} seconds" if seconds <= 50 else minutes
    return f"The import takes about {how_long}. Leave this page open until it says what was imported."
