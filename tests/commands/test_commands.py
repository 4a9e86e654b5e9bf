"""The commands that keep matches: list, export, import, back up."""

import io
import json
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask

from scorekeeper.book.books import books_of_device
from scorekeeper.club.nights.events import EntrantArrived
from scorekeeper.club.nights.service import load_night, write_night
from scorekeeper.database.engine import db
from scorekeeper.eventlog.store import Writer
from scorekeeper.pitch.rules.library import Library
from tests.common.apps import empty
from tests.common.commands import Run
from tests.common.hands import HAND
from tests.common.match_actions import delete, record_hand, start_match
from tests.common.nights import store_night
from tests.matches.files.test_records import RECORD

pytestmark = [pytest.mark.every_database, pytest.mark.usefixtures("installed")]


def start(library: Library, title: str) -> str:
    """Start a match in no book."""
    match = start_match(
        db.session, library, variant="partnership-pitch", players=["Ann", "Bo", "Cal", "Di"], title=title
    )
    return match.code


@pytest.fixture
def codes(app: Flask, installed: None, library: Library) -> list[str]:
    """Play two matches, and throw the second away."""
    with app.app_context():
        found = [start(library, title) for title in ("Friday", "Sunday")]
        for code in found:
            record_hand(db.session, code, HAND)
        delete(db.session, found[1])
    return found


def test_matches_lists_every_match_with_its_link(codes: list[str], run: Run) -> None:
    first, second = run("matches").lines

    assert re.fullmatch(r"\d{4}-\d\d-\d\d  Friday: Ann & Cal 3, Bo & Di 1 \(in progress\)", first)
    assert second == f"  https://pitch.example/matches/{codes[0]}/"


def test_nights_lists_every_night_with_its_link_or_that_of_its_book(app: Flask, run: Run) -> None:
    with app.app_context():
        mine, imported = (store_night(db.session, key=title, title=title) for title in ("Fri", "Sun"))
        found = load_night(db.session, imported)
        write_night(db.session, mine, EntrantArrived(players=("Ann", "Cal")), Writer("pair"))
        db.session.execute(sa.text("DELETE FROM night_link WHERE code = :code"), {"code": imported})
        db.session.commit()
        book = books_of_device(db.session, "host")[0].code

    today = date.today()
    assert run("nights").lines == [
        f"{today}  Sun: 0 pairs (6 rounds)",
        f"  https://pitch.example/books/{book}/nights/{found.setup.uid}",
        f"{today}  Fri: 1 pair (6 rounds)",
        f"  https://pitch.example/nights/{mine}/",
    ]


@pytest.mark.usefixtures("codes")
def test_books_lists_every_book_and_what_is_in_none(run: Run) -> None:
    assert run("books").lines == [
        "There are no books here.",
        "2 matches are in no book. Put them into one: scorekeeper books collect",
        f"  {date.today()}  Sunday: Ann & Cal 3, Bo & Di 1 (deleted)",
        f"  {date.today()}  Friday: Ann & Cal 3, Bo & Di 1 (in progress)",
    ]


@pytest.mark.usefixtures("codes")
def test_the_host_collects_what_is_in_no_book(app: Flask, library: Library, run: Run) -> None:
    heading, link = run("books", "collect").lines
    assert heading == "2 matches are in this book now:"
    assert run("books", "collect").out == "Every match is in a book, or kept out of all.\n"
    assert run("books").lines == ["No name: 1 match, 1 phone", link]

    with app.app_context():
        start(library, "third")
    assert run("books", "collect", "--into", link.strip()).lines == ["1 match is in this book now:", link]
    run("books", "collect", "--into", "nowhere", status=1)


@pytest.mark.parametrize("words", ["export", "books export", "books collect --into"])
def test_bytes_that_are_no_text_are_no_link(words: str, run: Run) -> None:
    assert "ends like that" in run(*words.split(), "\udcff\udcfe", status=1).err


@pytest.mark.usefixtures("codes")
def test_what_is_exported_is_imported(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "all.jsonl"

    run("export", "--all", "-o", str(file))
    known = run("import", str(file), status=1)
    assert "is here already. Add --known skip to leave them out, or --known again." in known.err
    assert run("import", "--known", "skip", str(file)).out == ""
    (link,) = run("import", "--known", "again", str(file)).lines

    assert json.loads(run("export", link).out) == json.loads(file.read_text())


@pytest.mark.parametrize(
    ("files", "status"), [(["good"], 0), (["good", "bad"], 1), (["bad", "missing"], 1), (["missing"], 1)]
)
def test_import_says_what_it_could_not_take_in(tmp_path: Path, run: Run, files: list[str], status: int) -> None:
    bad: dict[str, Any] = {**RECORD, "hands": [{"bidder": "Us", "bid": 9}], "start": {}}
    (tmp_path / "good").write_text(json.dumps(RECORD))
    (tmp_path / "bad").write_text(json.dumps([RECORD, bad]))

    result = run("import", *(str(tmp_path / file) for file in files), status=status)

    assert len(result.lines) == files.count("good")
    assert ("record 2, hand 1, bid: " in result.err) == ("bad" in files)
    assert ("missing cannot be read" in result.err) == ("missing" in files)


def test_backup_replaces_another_file_only_by_force(database_url: str, tmp_path: Path, run: Run) -> None:
    if not database_url.startswith("sqlite"):
        return  # it writes no file there
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ann")

    refused = run("backup", str(letter), status=1).err
    assert letter.read_text() == "Dear Ann"
    assert "letter.txt is not a database of Scorekeeper. Name another file, or replace it with --force." in (
        " ".join(refused.split())
    )

    run("backup", "--force", str(letter))
    assert letter.read_bytes().startswith(b"SQLite format 3")


@pytest.mark.parametrize("words", ["matches", "books", "books collect", "export --all", "import x", "backup x"])
def test_a_database_without_tables_is_said(words: str, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.delenv("SCOREKEEPER_DATABASE_URL")

    assert "Run scorekeeper migrate first." in run(*words.split(), status=1).err


@pytest.fixture
def book(codes: list[str], run: Run) -> str:
    """Put both matches into a book, and return its link."""
    return run("books", "collect").out.split()[-1]


def test_a_book_is_exported_and_imported(app: Flask, book: str, tmp_path: Path, run: Run) -> None:
    file = tmp_path / "book.gz"
    run("books", "export", book, "-o", str(file))
    assert file.stat().st_mode & 0o777 == 0o600
    with app.app_context():
        empty(db.session)

    looked = run("books", "import", str(file), "--look").out
    first, second = (run("books", "import", str(file)) for _ in range(2))

    assert "new here" in looked
    assert "2  new" in looked
    assert "2  new\n" in first.out
    assert "2  here already\n" in second.out
    assert second.lines[-1] == first.lines[-1]
    assert "  https://pitch.example/books/" in first.out


def test_a_book_is_exported_for_a_spreadsheet(book: str, tmp_path: Path, run: Run) -> None:
    file = tmp_path / "hands.csv"

    run("books", "export", book, "--csv", "hands", "-o", str(file))

    assert file.read_text(encoding="utf-8-sig").splitlines()[1].endswith("Ann & Cal,1,Ann & Cal,3,3,3,")


@pytest.mark.parametrize("words", ["import -", "books import -", "settle -"])
def test_standard_input_that_is_refused_is_called_so(words: str, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"-")))

    assert ": Standard input " in run(*words.split(), status=1).err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("export nope", "scorekeeper books export: No link to a book ends like that."),
        ("import nope.gz", "scorekeeper books import: nope.gz cannot be read"),
        ("import README.md", "README.md was not imported. This file is not a backup."),
    ],
)
def test_what_is_no_book_is_refused(words: str, message: str, run: Run) -> None:
    assert message in run("books", *words.split(), status=1).err


def test_a_terminal_is_shown_no_packed_file(book: str, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)

    result = run("books", "export", book, status=1)

    assert (result.out, "Name one with -o FILE, or take --csv." in result.err) == ("", True)


@pytest.mark.usefixtures("book")
def test_lists_for_a_program_have_every_link(codes: list[str], run: Run) -> None:
    matches = json.loads(run("matches", "--json", "--deleted").out)["matches"]
    assert [(match["link"], match["status"]) for match in matches] == [
        (f"https://pitch.example/matches/{codes[1]}/", "deleted"),
        (f"https://pitch.example/matches/{codes[0]}/", "in_progress"),
    ]
    assert matches[1]["scores"] == {"Ann & Cal": 3, "Bo & Di": 1}

    books = json.loads(run("books", "--json").out)
    assert ([book["matches"] for book in books["books"]], books["in_no_book"], books["before"]) == ([1], 0, None)

    assert json.loads(run("verify", "--json").out) == {"replayed": 2, "ended": 0, "different": []}


@pytest.mark.usefixtures("codes")
def test_a_page_of_matches_says_how_to_go_on(run: Run) -> None:
    latest, _, older = run("matches", "--deleted", "--limit", "1").lines
    assert "Sunday" in latest

    oldest, _ = run(*older.removeprefix("Older ones: scorekeeper ").split()).lines
    assert "Friday" in oldest

    assert "All of these are deleted" in run("matches", "--limit", "1").out

    for what in ("matches", "nights", "books"):
        assert f"There are no {what} before 1.\n" in run(what, "--before", "1").out


@pytest.mark.parametrize("size", ["0", "501", "-1", "x", "9" * 5000, "²"])
def test_a_page_has_a_size(size: str, run: Run) -> None:
    assert "--limit" in run("matches", f"--limit={size}", status=2).err
