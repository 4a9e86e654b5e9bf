"""A database file that is deleted or replaced under a running server: noticed before a hand is acknowledged."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from scorekeeper.database.backup import NoBackup, back_up
from scorekeeper.database.engine import backup_folder, db
from scorekeeper.database.migrating import is_up_to_date
from scorekeeper.matches.fold import Match
from scorekeeper.matches.service import load_match
from tests.common.apps import close
from tests.common.hands import HAND
from tests.common.match_actions import record_hand
from tests.database.closing import close_database


@pytest.fixture
def app(own_app: Flask) -> Flask:
    """Return an app whose database may be taken away."""
    return own_app


@pytest.fixture
def file(session: Session, match: Match) -> Path:
    """Return the file of a database with a match in it and one hand."""
    record_hand(session, match.code, HAND, seq=1, idempotency_key="one")
    return Path(str(db.engine.url.database))


def hands(file: Path) -> list[int]:
    with closing(sqlite3.connect(file)) as connection:
        return [seq for (seq,) in connection.execute("SELECT seq FROM event ORDER BY seq")]


def record(match: Match) -> None:
    """Record a second hand."""
    record_hand(db.session, match.code, HAND, seq=2, idempotency_key="two")


def replace(file: Path) -> None:
    """Move another database to where this one is."""
    other = file.with_name("other.sqlite3")
    back_up(db.engine, other)
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("DELETE FROM event")
        connection.commit()
    other.replace(file)


def rescued(app: Flask) -> Path:
    (copy,) = backup_folder(app).glob("rescued-*.sqlite3")
    return copy


def test_a_hand_is_not_acknowledged_once_the_file_is_deleted(
    app: Flask, match: Match, file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file.unlink()

    with pytest.raises(OperationalError, match="is not there"):
        record(match)

    assert hands(rescued(app)) == [1]
    assert f"scorekeeper restore {rescued(app)}" in caplog.text
    assert not file.exists()


def test_a_hand_is_not_acknowledged_once_the_file_is_replaced(
    app: Flask, session: Session, match: Match, file: Path
) -> None:
    replace(file)

    with pytest.raises(OperationalError, match="was replaced"):
        record(match)
    session.rollback()
    close_database(app)

    assert hands(rescued(app)) == [1]
    assert hands(file) == []


def test_what_could_only_be_read_for_a_while_leaves_no_journal_that_cannot_be_written(
    app: Flask, session: Session, match: Match, file: Path
) -> None:
    journals = [file.with_name(f"{file.name}-{end}") for end in ("wal", "shm")]
    session.rollback()
    close_database(app)
    file.chmod(0o400)
    with closing(sqlite3.connect(file)) as reader:
        reader.execute("SELECT seq FROM event")
        file.chmod(0o600)
        found = load_match(session, match.code)

    assert found.log.version == 1
    assert [oct(journal.stat().st_mode & 0o777) for journal in journals] == ["0o600", "0o600"]


def test_a_file_that_goes_while_a_hand_is_written_is_noticed(
    app: Flask, session: Session, match: Match, file: Path
) -> None:
    load_match(session, match.code)  # it has a connection from here on
    file.unlink()

    with pytest.raises(OperationalError, match="is not there"):
        record(match)
    session.rollback()

    # Sent again, it is not taken for saved.
    with pytest.raises(OperationalError, match="is not there"):
        record(match)
    assert hands(rescued(app)) == [1, 2]


def test_no_further_hand_goes_into_either_file(session: Session, match: Match, file: Path) -> None:
    replace(file)
    for key in ("two", "three"):
        with pytest.raises(OperationalError):
            record_hand(session, match.code, HAND, seq=2, idempotency_key=key)
        session.rollback()
    session.close()

    # A connection that is opened anew does not take what lies there for the same database.
    db.engine.pool.dispose()
    with pytest.raises(OperationalError, match="was replaced"):
        load_match(session, match.code)


def test_a_file_that_comes_back_is_used_again(app: Flask, session: Session, match: Match, file: Path) -> None:
    load_match(session, match.code)
    away = file.with_name("away")
    file.rename(away)
    with pytest.raises(OperationalError):
        record(match)
    session.rollback()
    away.rename(file)

    # The same form again: what was written before counts once.
    record(match)
    session.close()
    close_database(app)

    assert hands(file) == [1, 2]


def test_a_replacement_that_nobody_wrote_into_is_noticed_when_the_server_stops(
    app: Flask, session: Session, file: Path
) -> None:
    replace(file)
    session.close()

    close_database(app)

    assert hands(file) == []
    assert hands(rescued(app)) == [1]
    assert is_up_to_date(app)


def test_a_backup_is_not_made_of_another_file(session: Session, file: Path, tmp_path: Path) -> None:
    whole = tmp_path / "whole.sqlite3"
    back_up(db.engine, whole)
    session.close()
    db.engine.pool.dispose()
    shutil.copy(whole, file.with_name("same"))
    file.with_name("same").replace(file)

    with pytest.raises(NoBackup, match="was replaced"):
        back_up(db.engine, tmp_path / "backup.sqlite3")


def test_whoever_wants_to_read_makes_no_file(app: Flask, file: Path) -> None:
    close(app)
    file.unlink()

    with app.app_context(), pytest.raises(OperationalError, match="is not there"):
        db.engine.connect()

    assert not is_up_to_date(app)
    assert not file.exists()


def test_a_connection_that_could_only_read_leaves_nothing_open_while_its_fault_is_known(
    session: Session, file: Path
) -> None:
    session.execute(text("PRAGMA query_only=ON"))

    with pytest.raises(OperationalError, match="readonly") as fault:
        session.execute(text("DELETE FROM event"))
    session.rollback()

    # SQLite takes the journal away with the last connection.
    assert fault.value
    assert not file.with_name(f"{file.name}-shm").exists()
