"""`scorekeeper books export` and `scorekeeper books import`: a book as one file."""

from io import BytesIO
from pathlib import Path

import click

from scorekeeper.book.book_list import owner_code
from scorekeeper.club.book_files.file import BookFileRefused
from scorekeeper.club.book_files.parse import MAX_FILE_BYTES
from scorekeeper.club.book_files.service import (
    ImportPreview,
    book_id_of_file,
    import_book,
    preview_import,
    write_book_file,
)
from scorekeeper.club.figures.counting import write_hands_csv, write_matches_csv
from scorekeeper.commands.database import open_database, server_url
from scorekeeper.commands.files import (
    input_name,
    open_output,
    output_option,
    read_input,
    refuse_terminal,
    unreadable_file_error,
)
from scorekeeper.commands.matches import find_book_id, print_left_out
from scorekeeper.commands.terminal import CommandRefused, print_text
from scorekeeper.matches.files.import_run import ImportNotNow, import_run

_WRITERS_BY_CSV_OPTION = {None: write_book_file, "matches": write_matches_csv, "hands": write_hands_csv}
"""The function that writes the file, keyed by the value of `--csv`; `None` stands for no `--csv`, and a book's file."""


@click.command()
@click.argument("book", help="the link of a book, or its end")
@output_option
@click.option(
    "--csv",
    type=click.Choice(["matches", "hands"]),
    help="for a spreadsheet: a row a match, or a row for each side in a hand",
)
def export(book: str, output: Path, csv: str | None) -> None:
    """Write a book as one file.

    A file has every match, hand and name of the book, and no link. docs/book-file.md describes it.
    """
    if str(output) == "-" and csv is None:
        refuse_terminal("Name one with -o FILE, or take --csv.")
    with open_database() as (_, session):
        book_id = find_book_id(session, book)
        with open_output(output, is_private=True) as file:
            left_out = _WRITERS_BY_CSV_OPTION[csv](session, book_id, file)
        print_left_out(session, left_out)


@click.command()
@click.argument("file", type=Path, help="- is standard input")
@click.option("--into", metavar="BOOK", help="the link of another book, or its end")
@click.option("--look", "is_dry_run", is_flag=True, help="only say what would change")
def import_command(file: Path, into: str | None, is_dry_run: bool) -> None:
    """Import a book's file, or show what that would change.

    It goes into that book where it is here, and else into a new one. A file has every match, hand and name of the book,
    and no link. docs/book-file.md describes it. Into a book that is here it brings the matches and nights that are
    missing, and names what it leaves. Nothing that is here changes, and the same file twice changes nothing.
    """
    with open_database() as (app, session):
        try:
            content = BytesIO(read_input(file, MAX_FILE_BYTES + 1))
            book_id = find_book_id(session, into) if into else book_id_of_file(session, content)
            if is_dry_run:
                with import_run(session, None):
                    _print_preview(preview_import(session, book_id, content))
                return
            result = import_book(session, content, book_id=book_id)
            _print_preview(result.preview)
            print_text(f"  {server_url(app)}/books/{owner_code(session, result.book_id)}/")
        except OSError as error:
            raise unreadable_file_error(input_name(file), error) from error
        except (ImportNotNow, BookFileRefused) as refused:
            raise CommandRefused(f"{input_name(file)} was not imported. {refused}") from refused


def _print_preview(preview: ImportPreview) -> None:
    """Print what the import of a file would change, or has changed."""
    match_counts_by_label = {
        "new": preview.counts_by_status["new"],
        "here already": preview.counts_by_status["same"],
        "in another book here": preview.counts_by_status["elsewhere"],
        "not the same in the file, left as here": len(preview.skipped_matches),
    }
    print_text(
        f"{preview.book_name or 'A book without a name'}: {'new here' if preview.book_id is None else 'here already'}"
    )
    for label, match_count in match_counts_by_label.items():
        print_text(f"{match_count:>7,}  {label}")
    for match in preview.skipped_matches:
        print_text(f"         {match.name}")
        for place, match_copy in (("here", match.copy_here), ("file", match.copy_in_file)):
            change_phrase = (
                f", last changed {match_copy.written_at:%Y-%m-%d %H:%M} UTC" if match_copy.written_at else ""
            )
            print_text(f"           {place}: {match_copy.size_words}{change_phrase}")
    for label, night_count in (
        ("new", len(preview.new_nights)),
        ("not the same in the file, left as here", preview.skipped_night_count),
    ):
        if night_count:
            print_text(f"{night_count:>7,}  ladder nights, {label}")
    if preview.skipped_change_count:
        print_text(f"{preview.skipped_change_count:>7,}  changes of names and people, left out")
