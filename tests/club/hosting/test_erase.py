"""`scorekeeper erase`: what goes, what stays, what is asked, and where it is still to be found."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.book.books import books_of_device
from scorekeeper.cli import main
from scorekeeper.club.money.service import change_players
from scorekeeper.club.nights.events import PairArrived
from scorekeeper.club.nights.service import start_night, write_night
from scorekeeper.database.engine import db
from scorekeeper.database.file_lock import locked
from scorekeeper.database.tables import metadata
from scorekeeper.eventlog.store import Writer
from scorekeeper.matches.service import load_match
from scorekeeper.pitch.rules.library import Library
from tests.common.hands import HAND
from tests.common.match_actions import record_hand, start_match

Started = dict[str, str]
"""Codes of links, by what they lead to."""


@pytest.fixture
def started(
    app: Flask, database_url: str, tmp_path: Path, library: Library, monkeypatch: pytest.MonkeyPatch
) -> Started:
    """Begin a match and one that stays, each in a book of its own, a money night of two, and a tournament night."""
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(tmp_path / "instance"))
    monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", database_url)
    with app.app_context():
        found = _started(db.session, library)
    return found


def _started(session: Session, library: Library) -> Started:
    found = {}
    for name, device in (("Agnes", "a"), ("Bertha", "b")):
        people = [name, "Bo", "Cal", "Di"]
        match = start_match(
            session, library, variant="partnership-pitch", idempotency_key=device, players=people, device=device
        )
        record_hand(session, match.code, HAND, seq=1, idempotency_key="hand")
        found[name] = match.code
        found[f"{name}’s book"] = books_of_device(session, device)[0].code
    money = start_match(
        session, library, variant="racehorse", idempotency_key="m", players=["Gilda", "Bo", "Cal", "Di"], device="g"
    )
    later = change_players(session, money, ["Gilda", "Bo", "Eve", "Di"], Writer("next"), version=None)
    night = start_night(session, "n", title="Zorro night", rounds=3, idempotency_key="night")
    write_night(session, night, PairArrived(players=("Zelda", "Zeno")), Writer("pair"))
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
    ],
)
def test_nothing_of_it_stays_and_everything_else_does(
    app: Flask, started: Started, which: str, goes: list[str], stays: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert all(name in everything(app) for name in (*goes, *stays))
    app_engine_closed(app)

    assert main(["erase", f"https://pitch.example/matches/{started[which]}/", "--yes"]) == 0

    assert "It is erased." in capsys.readouterr().out
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
    app: Flask, started: Started, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = []
    monkeypatch.setattr("builtins.input", lambda question: asked.append(question) or "n")  # type: ignore[func-returns-value]

    assert main(["erase", started["Agnes’s book"]]) == 1

    out = capsys.readouterr().out
    assert "A book without a name, with every match in it: 1 match" in out
    assert "Agnes & Cal 3, Bo & Di 1 (in progress)" in out
    assert asked == ["Erase it for good? Nobody can restore it. [y/N] "]
    assert "Nothing was erased." in out
    assert "Agnes" in everything(app)


@pytest.mark.every_database
@pytest.mark.parametrize("link", ["nowhere", "no\x00where", "no\udcffwhere"])
def test_a_link_that_leads_nowhere_is_said(started: Started, capsys: pytest.CaptureFixture[str], link: str) -> None:
    assert main(["erase", link, "--yes"]) == 1

    assert "No link ends like that. Find it with scorekeeper matches" in capsys.readouterr().err


def test_a_book_from_which_a_match_was_erased_is_written_and_listed(
    started: Started, app: Flask, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app_engine_closed(app)
    main(["erase", started["Agnes"], "--yes"])
    file = tmp_path / "book.jsonl"

    assert main(["books", "export", started["Agnes’s book"], "-o", str(file)]) == 0
    assert main(["books"]) == 0
    assert "0 matches" in capsys.readouterr().out


def test_the_copies_that_still_have_it_are_named_with_how_long(
    started: Started, app: Flask, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backups = tmp_path / "instance" / "backups"
    backups.mkdir(parents=True, exist_ok=True)
    for name in ("scorekeeper-2026-11-20", "before-migration-2026-11-01-101500"):
        main(["backup", str(backups / f"{name}.sqlite3")])
    main(["erase", started["Bertha"], "--yes"])
    main(["backup", str(backups / "scorekeeper-2026-11-21.sqlite3")])
    capsys.readouterr()

    main(["erase", started["Agnes"], "--yes"])

    out = capsys.readouterr().out
    assert "scorekeeper-2026-11-20.sqlite3\n    until 2026-12-04 or later: the last 14 daily backups are kept" in out
    assert "scorekeeper-2026-11-21.sqlite3\n    until 2026-12-05 or later" in out
    assert "before-migration-2026-11-01-101500.sqlite3\n    until you delete it" in out
    with closing(sqlite3.connect(backups / "scorekeeper-2026-11-21.sqlite3")) as copy:
        assert "Bertha" not in str(copy.execute("SELECT seats FROM match").fetchall())


def test_while_the_server_runs_nothing_is_erased(
    started: Started, app: Flask, capsys: pytest.CaptureFixture[str]
) -> None:
    with app.app_context():
        file = Path(str(db.engine.url.database))

    with locked(file):
        assert main(["erase", started["Agnes"], "--yes"]) == 1

    assert "Stop the server first." in capsys.readouterr().err
    assert "Agnes" in everything(app)
