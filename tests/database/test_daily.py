"""Automatic backups: one a day, the last ones kept, each whole."""

import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path
from threading import Semaphore
from time import monotonic, sleep

import pytest
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.database.backup import (
    BEFORE_MIGRATION_KIND,
    MAX_COPIES,
    NoBackup,
    back_up_to_folder,
    back_up_today,
    copies_of_kind,
)
from scorekeeper.database.engine import backup_folder, db
from scorekeeper.matches.fold import Match
from scorekeeper.server import hourly
from scorekeeper.server.database_in_use import hold_database
from tests.common.apps import close

TODAY = f"scorekeeper-{date.today().isoformat()}.sqlite3"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder that is not there yet."""
    return tmp_path / "backups"


@pytest.fixture
def full(folder: Path) -> Path:
    """Return a folder with backups of nineteen days."""
    folder.mkdir()
    for day in range(1, 20):
        (folder / f"scorekeeper-2020-01-{day:02}.sqlite3").touch()
    return folder


def test_a_day_has_one_backup_that_only_its_owner_reads(session: Session, match: Match, folder: Path) -> None:
    back_up_today(db.engine, folder)
    (made,) = copies_of_kind(folder)
    first = made.stat()

    back_up_today(db.engine, folder)

    assert made.name == TODAY
    assert made.stat().st_ino == first.st_ino
    assert (folder.stat().st_mode & 0o777, first.st_mode & 0o777) == (0o700, 0o600)
    with closing(sqlite3.connect(made)) as connection:
        assert connection.execute('SELECT count(*) FROM "match"').fetchone() == (1,)


@pytest.mark.usefixtures("match")
def test_the_last_ones_are_kept(full: Path) -> None:
    (full / "scorekeeper-mine.sqlite3").touch()
    (full / f"{BEFORE_MIGRATION_KIND}-2020-01-01-120000.sqlite3").touch()

    back_up_today(db.engine, full)

    kept = [file.name for file in copies_of_kind(full)]
    assert len(kept) == MAX_COPIES
    assert kept[0] == "scorekeeper-2020-01-07.sqlite3"
    assert kept[-1] == TODAY
    assert (full / "scorekeeper-mine.sqlite3").exists()
    assert len(copies_of_kind(full, BEFORE_MIGRATION_KIND)) == 1


@pytest.mark.usefixtures("match")
def test_a_clock_that_was_never_set_does_not_remove_the_newest(full: Path) -> None:
    made = back_up_to_folder(db.engine, full, "scorekeeper", "1970-01-01")

    assert made.stat().st_size > 0
    assert len(copies_of_kind(full)) == MAX_COPIES


@pytest.mark.usefixtures("match")
def test_a_backup_that_fails_removes_none(
    full: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    back_up_today(db.engine, full)

    assert len(list(full.iterdir())) == 19
    assert "No backup was made today" in caplog.text
    assert "No space left" in caplog.text


@pytest.mark.usefixtures("match")
def test_an_old_one_that_cannot_be_removed_keeps_no_other(full: Path, caplog: pytest.LogCaptureFixture) -> None:
    (full / "scorekeeper-2019-01-01.sqlite3").mkdir()

    back_up_today(db.engine, full)

    assert len(copies_of_kind(full)) == MAX_COPIES + 1
    assert "An old copy stays" in caplog.text


def test_work_that_fails_is_done_again_within_the_hour(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("random.uniform", lambda *_: 0)
    calls = Semaphore(0)

    def fail() -> None:
        calls.release()
        raise ValueError

    with hourly.run_repeatedly(fail, "daily backups"):
        assert all(calls.acquire(timeout=60) for _ in range(2))

    assert "ValueError in daily backups" in capsys.readouterr().err


@pytest.mark.usefixtures("match")
def test_what_a_killed_server_left_unfinished_goes_and_a_copy_that_is_being_made_stays(folder: Path) -> None:
    folder.mkdir()
    (folder / "scorekeeper-2020-01-01.sqlite3.abcd.unfinished").touch()
    (folder / "by-hand.sqlite3.abcd.unfinished").touch()

    back_up_today(db.engine, folder)

    assert {file.name for file in folder.iterdir()} == {TODAY, "by-hand.sqlite3.abcd.unfinished"}


def test_a_damaged_database_makes_no_backup(own_app: Flask, folder: Path) -> None:
    with own_app.app_context():
        engine = db.engine
    file = Path(str(engine.url.database))
    close(own_app)
    content = bytearray(file.read_bytes())
    content[3 * 4096 : 6 * 4096] = b"\xff" * (3 * 4096)
    file.write_bytes(content)

    with pytest.raises(NoBackup):
        back_up_to_folder(engine, folder, "scorekeeper", "2020-01-01")

    assert list(folder.iterdir()) == []
    close(own_app)


def test_a_server_makes_them_beside_its_work(own_app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hourly, "FIRST_DELAY_RANGE_S", (0, 0))

    with hold_database(own_app):
        until = monotonic() + 60
        while not copies_of_kind(backup_folder(own_app)) and monotonic() < until:
            sleep(0.05)

    assert [made.name for made in copies_of_kind(backup_folder(own_app))] == [TODAY]
