"""The pages that download a book as one file or for a spreadsheet, and that import a book's file after a preview.

The server keeps an uploaded file until its import is confirmed or canceled.
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
    new_count, night_count, differing_count = (request.args.get(name, type=int) for name in ("new", "nights", "left"))
    counts = {_matches_words(new_count or 0): new_count, digits(night_count or 0, "ladder night"): night_count}
    imported_words = join_words(words for words, count in counts.items() if count)
    sentences = [] if new_count is None else [f"{imported_words or 'No matches'} imported."]
    if differing_count:
        is_one = differing_count == 1
        phrase = "differs in the file and stays as it is" if is_one else "differ in the file and stay as they are"
        sentences.append(f"{_matches_words(differing_count)} {phrase} here.")
    return _show_page(load_book(code), sentences)


def _show_page(access: BookAccess, done_sentences: Sequence[str] = (), fault: str = "") -> Response:
    """Show the downloads and the import form of a book.

    `done_sentences` say what an import has done. `fault` is the reason if nothing was imported.
    """
    faults = FaultsView(heading="Nothing was imported", items=(FaultView(text=fault),)) if fault else None
    return render_page("book_transfer/show.html", access=access, done_sentences=done_sentences, faults=faults)


def _matches_words(match_count: int) -> str:
    """Return a number of matches in words: "1 match", "1,200 matches"."""
    return f"{match_count:,} match{'' if match_count == 1 else 'es'}"


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
    code: str,
    write_file: Callable[[Session, int, IO[bytes]], Sequence[LeftOut]],
    mimetype: str,
    name_suffix: str,
    extension: str,
) -> Response:
    """Send the file that `write_file` writes of a book as a download, named after the book.

    If the file leaves something out, a page first names that and offers the file as it is.
    """
    access, file = load_book(code), BytesIO()
    if page := page_of_left_out(write_file(db.session, access.id, file)):
        return page
    response = make_response(file.getvalue())
    response.mimetype = mimetype
    return make_download(response, file_name(f"{book_label(access)}{name_suffix}", extension))


# ---------- a file previewed, and imported ----------


@bp.post("/import")
@for_owners
def upload(code: str) -> Response:
    """Show what importing the posted file would change in the book.

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
def show_refusal(error: FileRefused | ImportNotNow) -> Response:
    """Show the page of a book's downloads and import form, with the reason why nothing was imported."""
    access = load_book((request.view_args or {})["code"])
    return set_refusal_status(error, _show_page(access, fault=str(error)))


@new_book.post("", endpoint="confirm")
def confirm_new() -> Response:
    """Import the previewed file as a new book of this phone, and redirect to the book's page of downloads."""
    return import_previewed_file(None)


@new_book.post("/cancel", endpoint="cancel")
def cancel_new() -> Response:
    """Delete the previewed file, import nothing, and redirect to the page where files are chosen."""
    _kept_file(None).drop()
    return redirect_to("transfer.show")


# ---------- for a book here, and for one that is not here yet ----------


def show_own_preview(content: bytes) -> Response:
    """Show what importing a file would change in the book that the file was written from.

    If the database does not have that book, the import would add it. Raises `ImportNotNow` and `BookFileRefused`, the
    latter also if the book is another phone's.
    """
    return show_preview(own_book_of_file(db.session, device(), BytesIO(content)), content)


def import_previewed_file(access: BookAccess | None) -> Response:
    """Import the previewed file into a book, or with `None` as a new book, and redirect to the book's downloads.

    A form that is sent twice imports once. If somebody has added the new book meanwhile, the file's preview is shown
    again. Raises `ImportNotNow` and `FileRefused`.
    """
    file_digest, kept_upload = request.form.get("digest", ""), _kept_file(access)
    with kept_upload.wait_in_turn():
        if result_url := kept_upload.result_url(file_digest):  # the form was sent twice
            return see_other(result_url)
        content = kept_upload.read(file_digest)
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
        result_url = url_for(
            "book_transfer.show",
            code=result.link.code,
            new=result.preview.counts_by_status["new"],
            left=len(result.preview.skipped_matches),
            nights=len(result.preview.new_nights) or None,
        )
        kept_upload.keep_result_url(file_digest, result_url)
        return see_other(result_url)


def show_preview(access: BookAccess | None, content: bytes) -> Response:
    """Show what importing a file into a book, or with `None` as a new book, would change.

    The file is kept until the import is confirmed or canceled. Raises `BookFileRefused` and `ImportNotNow`.
    """
    start_time = monotonic()
    with import_run(db.session, importer()):
        preview = preview_import(db.session, access.id if access else None, BytesIO(content), is_from_phone=True)
    preview_seconds, days = monotonic() - start_time, sorted(preview.days)
    file_digest = _kept_file(access).keep(content)
    return render_page(
        "book_transfer/look.html",
        code=access.code if access else "",
        book_label=book_label(access) if access else preview.book_name,
        file_name=posted_name(),
        file_digest=file_digest,
        preview=preview,
        days_text=" to ".join(plain_day(day, date_style()) for day in dict.fromkeys((*days[:1], *days[-1:]))),
        skipped_texts=[_skipped_words(match) for match in preview.skipped_matches],
        button_label=_button_label(preview),
        waiting_sentence=waiting_sentence(preview_seconds * _IMPORT_TIME_FACTOR) if preview.changes_anything else "",
    )


def _kept_file(access: BookAccess | None) -> KeptFile:
    """Return the handle of the file that this phone has uploaded for a book, or with `None` for a new book.

    The handle exists even if there is no such file.
    """
    return kept_file(f"book {access.id}" if access else "new book")


def _skipped_words(match: SkippedMatch) -> str:
    """Return in words how a match differs: "“Sunday” of Nov 21: here 3 hands; in the file 2 hands"."""
    here, in_file = _match_copy_words(match.copy_here), _match_copy_words(match.copy_in_file)
    return f"{match.name} of {plain_day(match.day, date_style())}: here {here}; in the file {in_file}"


def _match_copy_words(match_copy: MatchCopy) -> str:
    """Return in words the size of a match and the time of its last event, if any: "12 hands, Nov 21, 6:20 PM"."""
    if match_copy.written_at is None:
        return match_copy.size_words
    local_time, style = to_zone(match_copy.written_at, zone()), date_style()
    return f"{match_copy.size_words}, {plain_day(local_time.date().isoformat(), style)}, {style.time(local_time)}"


def _button_label(preview: ImportPreview) -> str:
    """Return the label of the import button: "Import 2 matches".

    If the file has no new match, return "Import"; if it has nothing new at all, return an empty text.
    """
    if new_count := preview.counts_by_status["new"]:
        return f"Import {_matches_words(new_count)}"
    return "Import" if preview.changes_anything else ""


def waiting_sentence(seconds: float) -> str:
    """Return a sentence that an import will take about so many seconds; empty for less than `_LONG_WAIT_S`."""
    if seconds < _LONG_WAIT_S:
        return ""
    minutes_phrase = "a minute" if seconds <= 60 else f"{ceil(seconds / 60)} minutes"
    duration_phrase = f"{ceil(seconds / 10) * 10} seconds" if seconds <= 50 else minutes_phrase
    return f"The import takes about {duration_phrase}. Leave this page open until it says what was imported."
