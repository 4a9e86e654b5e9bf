"""A start, or any command, reports a database that it cannot use in a sentence, and never with a traceback."""

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from scorekeeper.app import create_app
from scorekeeper.cli import main
from scorekeeper.config import DATABASE_FILE
from scorekeeper.database.migrating import migrate
from tests.common.apps import close
from tests.server.test_serve import PATIENCE, running, status_of, stop

RUN = "import sys; from scorekeeper.cli import main; sys.exit(main())"


def run(instance: Path, *words: str, before: str = "") -> tuple[int, str]:
    """Run a command in a process of its own, and return its status and its error output."""
    environ = os.environ | {"SCOREKEEPER_INSTANCE": str(instance), "SCOREKEEPER_HOST": "127.0.0.1"}
    command = [sys.executable, "-c", f"{before}{RUN}", *words]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=PATIENCE * 3, check=False)
    return done.returncode, done.stderr


Refusal = Callable[..., str]


@pytest.fixture
def refusal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Refusal:
    """Return a function that runs a command in this process, which has to fail, and returns its error message."""

    def served(_app: object) -> None:
        raise AssertionError("it serves")

    def refusal(instance: Path, *words: str) -> str:
        monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(instance))
        monkeypatch.setattr("scorekeeper.server.server.serve", served)
        status = main(words)
        message = capsys.readouterr().err
        assert status == 1
        assert message.count("\n") == 1
        return message

    return refusal


@pytest.fixture
def instance(tmp_path: Path, migrated_file: Path) -> Path:
    """Make an installation with an empty database."""
    folder = tmp_path / "instance"
    create_app({"SCOREKEEPER_INSTANCE": folder})
    shutil.copy(migrated_file, folder / DATABASE_FILE)
    return folder


def change(instance: Path, statement: str) -> None:
    with closing(sqlite3.connect(instance / DATABASE_FILE)) as connection:
        connection.execute(statement)
        connection.commit()


GO_BACK = "Go back to a backup: scorekeeper restore FILE"
COMMANDS = pytest.mark.parametrize(
    "words", [["serve", "--migrate", "--port", "0"], ["serve", "--port", "0"], ["migrate"], ["matches"]], ids=" ".join
)


@COMMANDS
@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda file: file.write_bytes(b"not a database" * 999), f"{DATABASE_FILE} is damaged. {GO_BACK}"),
        (lambda file: file.write_bytes(file.read_bytes()[:6000]), f"{DATABASE_FILE} is damaged. {GO_BACK}"),
        ("DROP TABLE event", f"{DATABASE_FILE} has lost the table event. {GO_BACK}"),
        ("ALTER TABLE match DROP COLUMN title", f"has lost the column title of the table match. {GO_BACK}"),
        ("DELETE FROM alembic_version", f"has lost the revision of its tables. {GO_BACK}"),
        ("DROP TABLE alembic_version", f"has lost the revision of its tables. {GO_BACK}"),
        ("UPDATE alembic_version SET version_num = '9999'", "made by a newer version of Scorekeeper"),
    ],
    ids=["other bytes", "cut short", "a table", "a column", "no revision", "no revisions", "newer"],
)
def test_what_is_wrong_with_a_database_is_told_in_a_sentence(
    instance: Path, refusal: Refusal, words: list[str], spoil: str | Callable[[Path], object], reason: str
) -> None:
    if isinstance(spoil, str):
        change(instance, spoil)
    else:
        spoil(instance / DATABASE_FILE)

    assert reason in refusal(instance, *words)


def test_damage_that_only_a_look_at_every_page_finds_is_told_before_the_first_phone_comes(
    instance: Path, refusal: Refusal
) -> None:
    # An entry is missing in an index: every page can be read, and yet a match would not be found by its link.
    with closing(sqlite3.connect(instance / DATABASE_FILE)) as connection:
        connection.execute("PRAGMA writable_schema=ON")
        connection.execute("UPDATE sqlite_master SET rootpage = 2 WHERE name = 'link'")
        connection.commit()

    assert "is damaged" in refusal(instance, "serve")


@pytest.mark.parametrize("room", [0, 40, 4096, 20000, 60000])
def test_a_start_on_a_full_disk_says_so_leaves_nothing_half_made_and_can_be_tried_again(
    tmp_path: Path, room: int
) -> None:
    # What one file may hold stands for the room on the disk: at first there is none for the key, then for the tables.
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, {room}));"

    status, message = run(tmp_path / "new", "migrate", before=limit)

    assert (status, message.count("\n"), "cannot be read or written" in message) == (1, 1, True)
    assert {left.name for left in (tmp_path / "new").iterdir()} <= {"secret-key", f"{DATABASE_FILE}.lock"}
    assert run(tmp_path / "new", "migrate")[0] == 0


def emptied(instance: Path) -> Path:
    """Cut a database to nothing, as a file system does that was not closed; return the file."""
    file = instance / DATABASE_FILE
    file.write_bytes(b"")
    return file


@COMMANDS
def test_an_empty_file_is_not_begun_anew_where_there_are_backups(
    instance: Path, refusal: Refusal, words: list[str]
) -> None:
    backups = instance / "backups"
    backups.mkdir(exist_ok=True)
    for age, name in ((200, "before-migration-2026-11-20-101500"), (100, "scorekeeper-2026-11-21")):
        shutil.copy(instance / DATABASE_FILE, backups / f"{name}.sqlite3")
        os.utime(backups / f"{name}.sqlite3", (time.time() - age,) * 2)
    file = emptied(instance)

    message = refusal(instance, *words)

    assert f"scorekeeper restore {backups / 'scorekeeper-2026-11-21.sqlite3'}" in message
    assert f"{file} is empty" in message
    assert file.read_bytes() == b""


@COMMANDS
def test_a_file_that_vanished_is_not_begun_anew_where_there_are_backups(
    instance: Path, refusal: Refusal, words: list[str]
) -> None:
    backup = instance / "backups" / "scorekeeper-2026-11-21.sqlite3"
    backup.parent.mkdir()
    (instance / DATABASE_FILE).rename(backup)
    file = instance / DATABASE_FILE

    message = refusal(instance, *words)

    assert f"{file} is not there, and {backup} shows that it was not always." in message
    assert f"Go back to the newest backup: scorekeeper restore {backup}" in message
    assert f"To begin without what was in it, move {backup.parent} elsewhere." in message
    assert not file.exists()


@pytest.mark.parametrize("choice", ["go back", "begin"])
def test_both_ways_on_from_a_file_that_vanished_lead_on(instance: Path, choice: str) -> None:
    backup = instance / "backups" / "scorekeeper-2026-11-21.sqlite3"
    backup.parent.mkdir()
    (instance / DATABASE_FILE).rename(backup)
    if choice == "begin":
        backup.parent.rename(instance.parent / "backups")
    else:
        assert run(instance, "restore", str(backup))[0] == 0

    assert run(instance, "migrate") == (0, "")
    assert (instance / DATABASE_FILE).exists()


def test_a_database_is_copied_to_a_new_file_beside_the_backups_of_another(instance: Path) -> None:
    (instance / "backups").mkdir()
    shutil.copy(instance / DATABASE_FILE, instance / "backups" / "scorekeeper-2026-11-21.sqlite3")
    urls = [f"sqlite:///{instance / name}" for name in (DATABASE_FILE, "other.sqlite3")]

    assert run(instance, "move", *urls) == (0, "")


def test_an_empty_file_is_not_begun_anew_beside_a_journal_which_stays(instance: Path, refusal: Refusal) -> None:
    journal = instance / f"{emptied(instance).name}-wal"
    journal.write_bytes(b"the newest hands")

    message = refusal(instance, "serve", "--migrate")

    assert f"{journal} shows that it was not always. There is no backup." in message
    assert journal.read_bytes() == b"the newest hands"


def test_an_empty_file_is_not_begun_anew_beside_an_earlier_key(instance: Path, refusal: Refusal) -> None:
    emptied(instance)
    os.utime(instance / "secret-key", (time.time() - 3600,) * 2)

    assert "secret-key shows that it was not always." in refusal(instance, "serve", "--migrate")


def test_an_empty_file_without_a_past_is_where_a_database_begins(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / DATABASE_FILE).touch()

    assert run(tmp_path / "new", "migrate")[0] == 0


def test_a_folder_that_cannot_be_made_is_told_in_a_sentence(tmp_path: Path, refusal: Refusal) -> None:
    (tmp_path / "file").touch()

    message = refusal(tmp_path / "file" / "instance", "serve", "--migrate")

    assert "cannot be read or written: Not a directory" in message


def test_a_first_start_says_what_it_makes_and_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(tmp_path / "new"))
    monkeypatch.setattr("scorekeeper.server.server.serve", stop)

    assert (main(["serve"]), main(["serve"])) == (130, 130)

    assert capsys.readouterr().out == f"A new database is made: {tmp_path / 'new' / DATABASE_FILE}.\n"


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def test_what_is_kept_is_private_from_the_start(tmp_path: Path) -> None:
    instance = tmp_path / "instance"
    app = create_app({"SCOREKEEPER_INSTANCE": instance})
    migrate(app)
    close(app)

    assert mode(instance) == 0o700
    assert {file.name: oct(mode(file)) for file in instance.iterdir() if file.is_file()} == {
        name: "0o600" for name in ("secret-key", DATABASE_FILE, f"{DATABASE_FILE}.lock")
    }


@pytest.mark.usefixtures("interruptible")
def test_a_server_makes_an_older_installation_private_and_leaves_one_file(instance: Path) -> None:
    (instance / DATABASE_FILE).chmod(0o644)

    with running(instance) as (server, port):
        status_of(port, "/")
        while_running = mode(instance / DATABASE_FILE)
        _out, err = stop(server)

    assert (server.returncode, err, while_running) == (0, "", 0o600)
    assert not [*instance.glob("*-wal"), *instance.glob("*-shm")]
