"""The commands that keep matches: list, export, import, back up."""

import json
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask

from scorekeeper.book.books import books_of_device
from scorekeeper.cli import main
from scorekeeper.club.nights.events import PairArrived
from scorekeeper.club.nights.service import load_night, start_night, write_night
from scorekeeper.database.engine import db
from scorekeeper.eventlog.store import Writer
from scorekeeper.pitch.rules.library import Library
from tests.common.hands import HAND
from tests.common.match_actions import delete, record_hand, start_match
from tests.matches.files.test_records import RECORD

pytestmark = pytest.mark.every_database


@pytest.fixture
def codes(
    app: Flask, database_url: str, tmp_path: Path, library: Library, monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """Play two matches in an installation that the commands find, and throw the second away."""
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(tmp_path / "instance"))
    monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", database_url)
    monkeypatch.setenv("SCOREKEEPER_PUBLIC_URL", "https://pitch.example")
    with app.app_context():
        found = []
        for title in ("Friday", "Sunday"):
            people = ["Ann", "Bo", "Cal", "Di"]
            match = start_match(
                db.session, library, variant="partnership-pitch", idempotency_key=title, players=people, title=title
            )
            record_hand(db.session, match.code, HAND, seq=1, idempotency_key="hand")
            found.append(match.code)
        delete(db.session, found[1], idempotency_key="delete")
    return found


def test_matches_lists_every_match_with_its_link(codes: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["matches"]) == 0

    first, second = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d  Friday: Ann & Cal 3, Bo & Di 1 \(in progress\)", first)
    assert second == f"  https://pitch.example/matches/{codes[0]}/"


def test_nights_lists_every_night_with_its_link_or_that_of_its_book(
    codes: list[str], app: Flask, capsys: pytest.CaptureFixture[str]
) -> None:
    with app.app_context():
        mine, imported = (
            start_night(db.session, "host", title=it, rounds=6, idempotency_key=it) for it in ("Fri", "Sun")
        )
        found = load_night(db.session, imported)
        write_night(db.session, mine, PairArrived(players=("Ann", "Cal")), Writer("pair"))
        db.session.execute(sa.text("DELETE FROM night_link WHERE code = :code"), {"code": imported})
        db.session.commit()
        book = books_of_device(db.session, "host")[0].code

    assert main(["nights"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d  Sun: 0 pairs \(6 rounds\)", lines[0])
    assert lines[1] == f"  https://pitch.example/books/{book}/nights/{found.setup.uid}"
    assert lines[2].endswith("  Fri: 1 pair (6 rounds)")
    assert lines[3] == f"  https://pitch.example/nights/{mine}/"


def test_books_lists_every_book_and_what_is_in_none(codes: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["books"]) == 0

    assert capsys.readouterr().out.splitlines() == [
        "There are no books here.",
        "2 matches are in no book. Put them into one: scorekeeper books collect",
        *(f"  {date.today().isoformat()}  {title}: Ann, Bo, Cal, Di" for title in ("Sunday", "Friday")),
    ]


def test_the_host_collects_what_is_in_no_book(
    codes: list[str], app: Flask, library: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["books", "collect"]) == 0
    said, link = capsys.readouterr().out.splitlines()
    assert said == "2 matches are in this book now:"
    assert main(["books", "collect"]) == 0
    assert capsys.readouterr().out == "Every match is in a book, or kept out of all.\n"
    assert main(["books"]) == 0
    assert capsys.readouterr().out.splitlines() == ["No name: 2 matches, 1 phone", link]

    with app.app_context():
        people = ["Ann", "Bo", "Cal", "Di"]
        start_match(db.session, library, variant="partnership-pitch", idempotency_key="third", players=people)
    assert main(["books", "collect", "--into", link.strip()]) == 0
    assert capsys.readouterr().out.splitlines() == ["1 match is in this book now:", link]
    assert main(["books", "collect", "--into", "nowhere"]) == 1


@pytest.mark.every_database
@pytest.mark.parametrize("words", [["export"], ["books", "export"], ["books", "collect", "--into"]])
def test_bytes_that_are_no_text_are_no_link(
    codes: list[str], words: list[str], capsys: pytest.CaptureFixture[str], database_url: str
) -> None:
    assert main([*words, "\udcff\udcfe"]) == 1

    assert "ends like that" in capsys.readouterr().err


def test_what_is_exported_is_imported(codes: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "all.jsonl"

    assert main(["export", "--all", "-o", str(file)]) == 0
    assert main(["import", str(file)]) == 1
    assert "is here already. Add --known skip to leave them out, or --known again." in capsys.readouterr().err
    assert main(["import", "--known", "skip", str(file)]) == 0
    assert capsys.readouterr().out == ""
    assert main(["import", "--known", "again", str(file)]) == 0

    (link,) = capsys.readouterr().out.splitlines()
    assert main(["export", link]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(file.read_text())


@pytest.mark.parametrize(
    ("files", "status"), [(["good"], 0), (["good", "bad"], 1), (["bad", "missing"], 1), (["missing"], 1)]
)
def test_import_says_what_it_could_not_take_in(
    codes: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], files: list[str], status: int
) -> None:
    bad: dict[str, Any] = {**RECORD, "hands": [{"bidder": "Us", "bid": 9}], "start": {}}
    (tmp_path / "good").write_text(json.dumps(RECORD))
    (tmp_path / "bad").write_text(json.dumps([RECORD, bad]))

    assert main(["import", *(str(tmp_path / file) for file in files)]) == status

    said = capsys.readouterr()
    assert len(said.out.splitlines()) == files.count("good")
    assert ("record 2, hand 1, bid: " in said.err) == ("bad" in files)
    assert ("missing cannot be read" in said.err) == ("missing" in files)


@pytest.mark.usefixtures("codes")
def test_backup_replaces_another_file_only_by_force(
    app: Flask, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with app.app_context():
        if db.engine.dialect.name != "sqlite":
            return  # it writes no file there
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ann")

    assert main(["backup", str(letter)]) == 1
    assert letter.read_text() == "Dear Ann"
    assert "letter.txt is not a database of Scorekeeper. Name another file, or replace it with --force." in (
        " ".join(capsys.readouterr().err.split())
    )

    assert main(["backup", "--force", str(letter)]) == 0
    assert letter.read_bytes().startswith(b"SQLite format 3")


@pytest.mark.parametrize(
    "words", [["matches"], ["books"], ["books", "collect"], ["export", "--all"], ["import", "x"], ["backup", "x"]]
)
def test_a_database_without_tables_is_said(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(tmp_path / "empty"))

    assert main(words) == 1
    assert "Run scorekeeper migrate first." in capsys.readouterr().err


@pytest.fixture
def book(codes: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Put both matches into a book, and return its link."""
    assert codes
    main(["books", "collect"])
    return capsys.readouterr().out.split()[-1]


def test_a_book_is_exported_and_imported(
    app: Flask, book: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "book.gz"
    assert main(["books", "export", book, "-o", str(file)]) == 0
    assert file.stat().st_mode & 0o777 == 0o600
    with app.app_context():
        for table in ("book_match", "book_link", "book_event", "book", "link", "event", "match"):
            db.session.execute(sa.text(f'DELETE FROM "{table}"'))
        db.session.commit()

    assert main(["books", "import", str(file), "--look"]) == 0
    looked = capsys.readouterr().out
    assert main(["books", "import", str(file)]) == 0
    first = capsys.readouterr().out
    assert main(["books", "import", str(file)]) == 0
    second = capsys.readouterr().out

    assert "new here" in looked
    assert "2  new" in looked
    assert "2  new\n" in first
    assert "2  here already\n" in second
    assert second.splitlines()[-1] == first.splitlines()[-1]
    assert "  https://pitch.example/books/" in first


def test_a_book_is_exported_for_a_spreadsheet(book: str, tmp_path: Path) -> None:
    file = tmp_path / "hands.csv"

    assert main(["books", "export", book, "--csv", "hands", "-o", str(file)]) == 0

    assert file.read_text(encoding="utf-8-sig").splitlines()[1].endswith("Ann & Cal,1,Ann & Cal,3,3,3,")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["export", "nope"], "scorekeeper books export: No link to a book ends like that."),
        (["import", "nope.gz"], "scorekeeper books import: nope.gz cannot be read"),
        (["import", "README.md"], "README.md was not imported. This file is not a backup."),
    ],
)
def test_what_is_no_book_is_refused(
    codes: list[str], words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert codes
    assert main(["books", *words]) == 1
    assert said in capsys.readouterr().err


def test_a_terminal_is_shown_no_packed_file(
    book: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)

    assert main(["books", "export", book]) == 1

    said = capsys.readouterr()
    assert (said.out, "Name one with -o FILE, or take --csv." in said.err) == ("", True)


@pytest.mark.usefixtures("book")
def test_lists_for_a_program_have_every_link(codes: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["matches", "--json", "--deleted"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [it["link"] for it in told["matches"]] == [f"https://pitch.example/matches/{code}/" for code in codes[::-1]]
    assert [it["status"] for it in told["matches"]] == ["deleted", "in_progress"]
    assert told["matches"][1]["scores"] == {"Ann & Cal": 3, "Bo & Di": 1}

    assert main(["books", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert ([it["matches"] for it in told["books"]], told["in_no_book"], told["before"]) == ([2], 0, None)

    assert main(["verify", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"replayed": 2, "ended": 0, "different": []}


def test_a_page_of_matches_says_how_to_go_on(codes: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["matches", "--deleted", "--limit", "1"]) == 0
    latest, _, older = capsys.readouterr().out.splitlines()
    assert "Sunday" in latest

    assert older.startswith("Older ones: scorekeeper ")
    assert main(older.removeprefix("Older ones: scorekeeper ").split()) == 0
    oldest, _ = capsys.readouterr().out.splitlines()
    assert "Friday" in oldest

    assert main(["matches", "--limit", "1"]) == 0
    assert "All of these are deleted" in capsys.readouterr().out


@pytest.mark.parametrize("said", ["0", "501", "-1", "x", "9" * 5000, "²"])
def test_a_page_has_a_size(said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["matches", f"--limit={said}"]) == 2
    assert "--limit" in capsys.readouterr().err
