"""A backup put in the place of the database: checked, whole, and never under a running server."""

import shutil
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.cli import main
from scorekeeper.config import load_or_create_secret_key
from scorekeeper.database.backup import back_up, last_copy_elsewhere, note_copy_elsewhere
from scorekeeper.database.engine import db
from scorekeeper.database.file_lock import hold_file_lock
from scorekeeper.matches.fold import Match
from scorekeeper.server.database_in_use import hold_database
from tests.common.apps import close
from tests.common.hands import HAND
from tests.common.match_actions import record_hand
from tests.database.closing import close_database


@pytest.fixture
def app(own_app: Flask, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Flask:
    """Return an app that the commands find as well."""
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(own_app.instance_path))
    monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", database_url)
    return own_app


@pytest.fixture
def file(app: Flask) -> Path:
    """Return where the database is."""
    with app.app_context():
        return Path(str(db.engine.url.database))


@pytest.fixture
def backup_in_use(session: Session, match: Match, tmp_path: Path) -> Path:
    """Back up a match with one hand; a second one is recorded afterwards, and the database is still open."""
    record_hand(session, match.code, HAND, seq=1, idempotency_key="one")
    copy = tmp_path / "backup.sqlite3"
    back_up(db.engine, copy)
    record_hand(session, match.code, HAND, seq=2, idempotency_key="two")
    session.close()
    return copy


@pytest.fixture
def backup(app: Flask, backup_in_use: Path) -> Path:
    """Make that backup, and close the database."""
    close(app)
    return backup_in_use


def restore(file: Path) -> int:
    """Restore a backup by the command, and return its exit status."""
    return main(["restore", str(file)])


def replaced(file: Path) -> Path:
    """Return where the database before is kept."""
    [found] = file.parent.glob("test.replaced-*.sqlite3")
    return found


def hands(file: Path) -> list[int]:
    with closing(sqlite3.connect(file)) as connection:
        return [seq for (seq,) in connection.execute("SELECT seq FROM event ORDER BY seq")]


def stopped(app: Flask, file: Path) -> None:
    """Leave the database as a server does that was killed: with its newest hands in the journal."""
    journal = Path(f"{file}-wal")
    kept = {part: part.read_bytes() for part in (file, journal)}
    close(app)
    for part, content in kept.items():
        part.write_bytes(content)
    assert journal.stat().st_size > 0


def test_a_backup_takes_the_place_of_the_database(file: Path, backup: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert restore(backup) == 0

    kept = replaced(file)
    assert f"{backup} is the database now: 1 match.\nThe one before is kept as {kept}.\n" == capsys.readouterr().out
    assert [hands(each) for each in (file, kept, backup)] == [[1], [1, 2], [1]]


def test_the_journal_of_the_one_before_goes_with_it(app: Flask, file: Path, backup_in_use: Path) -> None:
    stopped(app, file)

    assert restore(backup_in_use) == 0

    assert [hands(each) for each in (file, replaced(file))] == [[1], [1, 2]]


def test_a_database_elsewhere_is_replaced_where_it_is(
    file: Path, backup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pointer = tmp_path / "pointer.sqlite3"
    pointer.symlink_to(file)
    monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", f"sqlite:///{pointer}")

    assert restore(backup) == 0

    assert pointer.is_symlink()
    assert hands(file) == [1]


def test_nobody_else_may_read_what_was_restored_or_replaced(file: Path, backup: Path) -> None:
    backup.chmod(0o644)
    file.chmod(0o644)

    restore(backup)

    assert [stat.S_IMODE(each.stat().st_mode) for each in (file, replaced(file))] == [0o600, 0o600]


def test_nothing_is_restored_under_a_running_server(
    app: Flask, file: Path, backup: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with hold_database(app):
        assert restore(backup) == 1

    assert "Stop the server first" in capsys.readouterr().err
    assert hands(file) == [1, 2]
    assert restore(backup) == 0


def test_nothing_is_restored_under_a_command(file: Path, backup: Path) -> None:
    with hold_file_lock(file):
        assert restore(backup) == 1

    assert hands(file) == [1, 2]


def make_newer(backup: Path) -> None:
    with closing(sqlite3.connect(backup)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()


def make_hole(backup: Path) -> None:
    content = backup.read_bytes()
    backup.write_bytes(content[: 3 * 4096] + b"\xff" * 4096 + content[4 * 4096 :])


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda backup: backup.write_bytes(b"not a database" * 500), "is damaged or not a database"),
        (make_hole, "is damaged"),
        (lambda backup: backup.write_bytes(b""), "is not a database of Scorekeeper"),
        (Path.unlink, "There is no file"),
        (make_newer, "newer version"),
    ],
    ids=["other bytes", "a hole", "empty", "missing", "newer"],
)
def test_what_is_no_backup_changes_nothing(
    file: Path, backup: Path, spoil: Callable[[Path], object], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(backup)

    assert restore(backup) == 1

    assert why in capsys.readouterr().err
    assert hands(file) == [1, 2]
    assert not [*file.parent.glob("*.replaced-*"), *file.parent.glob(".restore-*")]


def test_the_database_is_not_restored_from_itself(app: Flask, file: Path, match: Match) -> None:
    close(app)

    assert restore(file) == 1


def test_a_copy_that_was_made_by_hand_brings_its_journal(
    app: Flask, file: Path, backup_in_use: Path, tmp_path: Path
) -> None:
    stopped(app, file)
    for part in ("", "-wal"):
        shutil.copy(f"{file}{part}", f"{tmp_path / 'by-hand.sqlite3'}{part}")

    assert restore(tmp_path / "by-hand.sqlite3") == 0

    assert hands(file) == [1, 2]


def test_what_another_process_left_in_the_journal_is_taken_in(app: Flask, file: Path, backup_in_use: Path) -> None:
    stopped(app, file)

    close_database(app)

    assert not Path(f"{file}-wal").exists()
    assert hands(file) == [1, 2]


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_postgresql_restores_in_its_own_way(app: Flask, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with hold_database(app):
        assert restore(tmp_path / "x") == 1

    assert "pg_restore" in capsys.readouterr().err


# ---------- everything ----------


@pytest.fixture
def everything(backup: Path, tmp_path: Path) -> Path:
    """Back up the database and the secret key."""
    archive = tmp_path / "everything.zip"
    assert main(["backup", "--everything", str(archive)]) == 0
    return archive


def test_one_file_moves_the_database_and_the_secret_key_to_another_computer(
    app: Flask,
    file: Path,
    everything: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    key = load_or_create_secret_key(Path(app.instance_path))
    assert main(["backup", "--everything", str(everything)]) == 0, "it takes the place of an older one"
    assert stat.S_IMODE(everything.stat().st_mode) == 0o600
    new = tmp_path / "new"
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(new))
    monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", f"sqlite:///{new}/scorekeeper.sqlite3")

    assert restore(everything) == 0

    assert hands(new / "scorekeeper.sqlite3") == [1, 2]
    assert load_or_create_secret_key(new) == key
    assert stat.S_IMODE((new / "secret-key").stat().st_mode) == 0o600
    assert not list(new.glob("secret-key.*"))
    assert "Its secret key came along" in capsys.readouterr().out


def test_the_key_before_stays_beside_the_one_that_came_along(app: Flask, file: Path, everything: Path) -> None:
    instance = Path(app.instance_path)
    restored = load_or_create_secret_key(instance)
    (instance / "secret-key").write_text(f"{'b' * 64}\n")

    assert restore(everything) == 0

    (before,) = instance.glob("secret-key.replaced-*")
    assert (load_or_create_secret_key(instance), before.read_text().strip()) == (restored, "b" * 64)


def test_a_key_that_is_a_setting_is_not_taken_along(
    app: Flask,
    file: Path,
    everything: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("SCOREKEEPER_SECRET_KEY", "c" * 64)

    assert main(["backup", "--everything", str(tmp_path / "other.zip")]) == 1
    assert "Copy that setting yourself" in capsys.readouterr().err
    assert restore(everything) == 0
    assert "SCOREKEEPER_SECRET_KEY is set and holds instead" in capsys.readouterr().out


def test_a_key_that_cannot_be_written_is_not_taken_for_the_database(
    app: Flask, everything: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SCOREKEEPER_SECRET_KEY", "c" * 64)
    key_file = Path(app.instance_path) / "secret-key"
    key_file.unlink()
    key_file.mkdir()

    assert restore(everything) == 1

    assert "is the database now, but its secret key could not be written" in capsys.readouterr().err


def test_an_archive_that_is_damaged_restores_nothing(file: Path, everything: Path) -> None:
    content = bytearray(everything.read_bytes())
    content[200] ^= 0xFF
    everything.write_bytes(content)

    assert restore(everything) == 1
    assert hands(file) == [1, 2]


def test_a_copy_on_another_disk_is_written_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, copy = tmp_path / "instance" / "backups", tmp_path / "copy.zip"
    folder.parent.mkdir()
    copy.write_bytes(b"")

    note_copy_elsewhere(folder, copy)
    assert last_copy_elsewhere(folder) == ""
    monkeypatch.setattr("scorekeeper.database.backup._disk_id", lambda file: 1 if file == copy else 2)
    note_copy_elsewhere(folder, copy)

    assert last_copy_elsewhere(folder).endswith(f", {copy}")
