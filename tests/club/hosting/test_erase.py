"""`scorekeeper erase`: what it removes and keeps, how it is confirmed, and which copies still have it."""

import gzip
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.book.books import books_of_device
from scorekeeper.club.money.service import change_players
from scorekeeper.club.nights.events import EntrantArrived
from scorekeeper.club.nights.service import write_night
from scorekeeper.database.engine import db
from scorekeeper.database.file_lock import hold_file_lock
from scorekeeper.database.tables import metadata
from scorekeeper.eventlog.store import Writer
from scorekeeper.matches.fold import Match
from scorekeeper.matches.service import load_match
from scorekeeper.pitch.rules.library import Library
from tests.common.commands import Run
from tests.common.hands import HAND
from tests.common.match_actions import record_hand, start_match
from tests.common.nights import store_night

Started = dict[str, str]
"""Codes of links, by what they lead to."""


@pytest.fixture
def started(app: Flask, installed: None, library: Library) -> Started:
    """Begin a match and one that stays, each in a book of its own, a money night of two, and a tournament night."""
    with app.app_context():
        return _started(db.session, library)


def _started(session: Session, library: Library) -> Started:
    found = {}

    def start(name: str, variant: str) -> Match:
        people = [name, "Bo", "Cal", "Di"]
        return start_match(session, library, variant=variant, idempotency_key=name, players=people, device=name)

    for name in ("Agnes", "Bertha"):
        found[name] = start(name, "partnership-pitch").code
        record_hand(session, found[name], HAND)
        found[f"{name}’s book"] = books_of_device(session, name)[0].code
    money = start("Gilda", "racehorse")
    later = change_players(session, money, ["Gilda", "Bo", "Eve", "Di"], Writer("next"), version=None)
    night = store_night(session, "n", title="Zorro night")
    write_night(session, night, EntrantArrived(players=("Zelda", "Zeno")), Writer("pair"))
    found["night’s book"] = books_of_device(session, "n")[0].code
    return {**found, "money": money.code, "later": later, "night": night}


def everything(app: Flask) -> str:
    """Return all that is stored, as text."""
    with app.app_context():
        return "\n".join(str(row) for table in metadata.sorted_tables for row in db.session.execute(sa.select(table)))


@pytest.mark.every_database
@pytest.mark.parametrize(
    ("which", "goes", "stays"),
    [
        ("Agnes", ["Agnes"], ["Bertha", "Gilda", "Zelda"]),
        ("Agnes’s book", ["Agnes"], ["Bertha", "Gilda", "Zelda"]),
        ("later", ["Gilda", "Eve"], ["Agnes", "Bertha", "Zelda"]),
        ("night", ["Zelda", "Zorro"], ["Agnes", "Bertha", "Gilda"]),
        ("night’s book", ["Zelda", "Zorro"], ["Agnes", "Bertha", "Gilda"]),
    ],
)
def test_nothing_of_it_stays_and_everything_else_does(
    app: Flask, started: Started, which: str, goes: list[str], stays: list[str], run: Run
) -> None:
    assert all(name in everything(app) for name in (*goes, *stays))
    app_engine_closed(app)

    out = run("erase", f"https://pitch.example/matches/{started[which]}/", "--yes").out

    assert "It is erased.\nNo backup here has it.\nCopies that you made elsewhere" in out
    left = everything(app)
    assert [name for name in goes if name in left] == []
    assert [name for name in stays if name not in left] == []
    assert started[which] not in left
    with app.app_context():
        assert load_match(db.session, started["Bertha"]).log.hands
        if db.engine.dialect.name == "sqlite":
            file = Path(str(db.engine.url.database))
            assert b"Bertha" in file.read_bytes()
            assert [name for name in goes if name.encode() in file.read_bytes()] == []


def app_engine_closed(app: Flask) -> None:
    with app.app_context():
        db.session.close()
        db.engine.dispose()


def test_it_says_what_would_go_and_erases_nothing_without_a_yes(
    app: Flask, started: Started, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    questions = []
    monkeypatch.setattr("builtins.input", lambda question: questions.append(question) or "n")  # type: ignore[func-returns-value]

    out = "".join(run("erase", started[f"{which}’s book"], status=1).out for which in ("Agnes", "night"))

    assert "A book without a name, with every match and ladder night in it: 1\n" in out
    assert "Zorro night, 1 pair\nMatches at the tables of a night stay, unless they are listed here.\nNothing" in out
    assert "Agnes & Cal 3, Bo & Di 1 (in progress)" in out
    assert questions == ["Erase it for good? Nobody can restore it. [y/N] "] * 2
    assert "Agnes" in everything(app)


@pytest.mark.every_database
@pytest.mark.parametrize("link", ["nowhere", "no\x00where", "no\udcffwhere"])
def test_a_link_that_leads_nowhere_is_said(started: Started, run: Run, link: str) -> None:
    err = run("erase", link, "--yes", status=1).err

    assert "No link ends like that. Find it with scorekeeper matches" in err


def test_a_book_from_which_a_match_was_erased_is_written_and_listed(
    started: Started, app: Flask, tmp_path: Path, run: Run
) -> None:
    app_engine_closed(app)
    run("erase", started["Agnes"], "--yes")

    run("books", "export", started["Agnes’s book"], "-o", str(tmp_path / "book.jsonl"))
    assert "0 matches" in run("books").out


def test_the_copies_that_still_have_it_are_named_with_how_long(
    started: Started, app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.chdir(tmp_path)
    backups, removed = Path("instance/backups"), tmp_path / "instance" / "removed"
    removed.mkdir(parents=True)
    with app.app_context():
        uid = load_match(db.session, started["Agnes"]).setup.uid
        Path(f"{db.engine.url.database}-wal.replaced-2026-11-21-101500").write_bytes(b"a journal that was set aside")
    (removed / "book-2026-11-20-x.gz").write_bytes(gzip.compress(uid.encode()))
    for name in ("scorekeeper-2026-11-20.sqlite3", "before-migration-2026-11-01-101500.sqlite3", "pitch.zip"):
        run("backup", str(backups / name))
    run("erase", started["Bertha"], "--yes")
    run("backup", str(backups / "scorekeeper-2026-11-21.sqlite3"))

    out = run("erase", started["Agnes"], "--yes").out

    assert "scorekeeper-2026-11-20.sqlite3\n    until 2026-12-04 or later: the last 14 daily backups are kept" in out
    assert "scorekeeper-2026-11-21.sqlite3\n    until 2026-12-05 or later" in out
    assert "before-migration-2026-11-01-101500.sqlite3\n    until you delete it" in out
    assert "pitch.zip\n    until you delete it" in out
    assert "-wal.replaced-2026-11-21-101500\n    until you delete it" in out
    assert "book-2026-11-20-x.gz\n    until 2026-12-20" in out
    with closing(sqlite3.connect(backups / "scorekeeper-2026-11-21.sqlite3")) as copy:
        assert "Bertha" not in str(copy.execute("SELECT seats FROM match").fetchall())


def test_while_the_server_runs_nothing_is_erased(started: Started, app: Flask, run: Run) -> None:
    with app.app_context():
        file = Path(str(db.engine.url.database))

    with hold_file_lock(file):
        err = run("erase", started["Agnes"], "--yes", status=1).err

    assert "Stop the server first." in err
    assert "Agnes" in everything(app)
