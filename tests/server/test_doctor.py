"""Every check of an installation passes, or reports what to do."""

import json
import os
import re
import shlex
import shutil
import socket
import sqlite3
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from flask import Flask

from scorekeeper.app import create_app
from scorekeeper.cli import main
from scorekeeper.config import DATABASE_FILE, Settings, read_settings
from scorekeeper.database.engine import backup_folder, database_path
from scorekeeper.database.migrating import migrate
from scorekeeper.server import doctor
from scorekeeper.server.doctor import Finding
from tests.common.apps import close, serving
from tests.server.test_starting import change

NOW = datetime(2026, 11, 22, 20, 0, tzinfo=UTC)


@pytest.fixture
def instance(tmp_path: Path) -> Path:
    """Make a folder that only its owner can open."""
    folder = tmp_path / "instance"
    folder.mkdir(mode=0o700)
    return folder


@pytest.fixture
def settings(instance: Path) -> Settings:
    """Return the settings of an installation on this machine alone."""
    return replace(read_settings({"SCOREKEEPER_INSTANCE": str(instance)}), host="127.0.0.1")


@pytest.fixture
def installed(instance: Path, migrated_file: Path) -> Iterator[Flask]:
    """Install on an empty database."""
    app = create_app({"SCOREKEEPER_INSTANCE": instance, "TESTING": True})
    shutil.copy(migrated_file, instance / DATABASE_FILE)
    for file in instance.iterdir():
        file.chmod(0o600)
    yield app
    close(app)


def database(app: Flask) -> Finding:
    return doctor.check_database(app, database_path(app))


def test_without_pango_it_says_that_the_browser_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorekeeper.printing.pdf.is_available", lambda: False)

    found = doctor.check_printing([sys.executable, "-m", "scorekeeper"])

    assert found.says.startswith("the browser prints the sheets. A PDF")
    assert found.to_do == ""


def test_a_whole_database_is_fine(installed: Flask, settings: Settings) -> None:
    assert database(installed) == Finding("whole and up to date")


def test_a_database_that_is_not_there_is_said_and_not_made(installed: Flask, settings: Settings) -> None:
    file = settings.instance / DATABASE_FILE
    file.unlink()

    assert "is not there" in database(installed).says
    assert doctor.newest_event_time(installed, file) is None
    assert not file.exists()


def test_a_damaged_database_is_found_and_the_last_backup_named(installed: Flask, settings: Settings) -> None:
    file = settings.instance / DATABASE_FILE
    backups = settings.instance / "backups"
    backups.mkdir()
    (backups / "daily-2026-11-21.sqlite3").touch()
    whole = file.read_bytes()
    file.write_bytes(whole[:8192] + bytes(len(whole) - 8192))

    found = database(installed)

    assert str(file) in found.says
    assert "scorekeeper restore" in found.to_do
    assert "daily-2026-11-21.sqlite3" in found.to_do


def test_nobody_goes_back_to_a_backup_of_a_database_that_is_whole(
    installed: Flask, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "RESPONSE_TIMEOUT_S", 0.0)
    holding = sqlite3.connect(settings.instance / DATABASE_FILE)
    holding.execute("PRAGMA locking_mode = EXCLUSIVE")
    holding.execute("BEGIN EXCLUSIVE")

    found = database(installed)
    holding.close()

    assert "is locked" in found.says
    assert "restore" not in found.to_do


@pytest.mark.parametrize(("revision", "to_do"), [("0012", "Run scorekeeper migrate."), ("9999", "Update Scorekeeper.")])
def test_a_database_of_another_version_is_found(
    installed: Flask, settings: Settings, revision: str, to_do: str
) -> None:
    change(settings.instance, f"UPDATE alembic_version SET version_num = '{revision}'")

    assert database(installed).to_do == to_do


@pytest.mark.parametrize("empty_database_url", ["postgresql"], indirect=True)
def test_postgresql_is_checked_too(instance: Path, empty_database_url: str) -> None:
    app = create_app({"SCOREKEEPER_INSTANCE": instance, "SCOREKEEPER_DATABASE_URL": empty_database_url})
    before = database(app)
    migrate(app)
    after = database(app)
    close(app)

    assert (before.to_do, after.to_do) == ("Run scorekeeper migrate.", "")


def test_a_disk_that_fills_up_is_found_also_before_the_first_start(
    instance: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    instance = instance / "not" / "there"
    plenty = doctor.check_space(instance, None)
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=50_000_000))

    assert not plenty.to_do
    assert doctor.check_space(instance, None).says == "Only 0.1 GB free."


@pytest.mark.parametrize(
    ("newest", "now", "is_fine"),
    [
        (None, NOW, True),
        (NOW - timedelta(days=1), NOW, True),
        (NOW + timedelta(seconds=5), NOW, True),
        (NOW + timedelta(hours=1), NOW, False),
        (None, datetime(1970, 1, 1, tzinfo=UTC), False),
        (None, datetime(2300, 1, 1, tzinfo=UTC), False),
    ],
)
def test_a_clock_that_cannot_be_right_is_found(newest: datetime | None, now: datetime, is_fine: bool) -> None:
    assert (doctor.check_clock(newest, now).to_do == "") is is_fine


def test_the_clock_is_said_with_its_time_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/Chicago")
    time.tzset()
    try:
        assert doctor.check_clock(None, NOW).says == "2026-11-22 14:00, in the time zone CST (UTC-0600)"
    finally:
        monkeypatch.undo()
        time.tzset()


def test_the_newest_entry_is_read(installed: Flask, settings: Settings) -> None:
    change(
        settings.instance,
        "INSERT INTO match (id, uid, created_at, variant, house, ruleset, digest, seats, sides, start, title)"
        " VALUES (1, 'u', '2026-01-01', 'x', '{}', '', '', '[]', '[]', '{}', '')",
    )
    change(
        settings.instance,
        "INSERT INTO event (match_id, seq, client_key, kind, at, actor, payload)"
        " VALUES (1, 1, 'x', 'hand', '2026-11-22 20:00:00.000000', '', '{}')",
    )

    assert doctor.newest_event_time(installed, settings.instance / DATABASE_FILE) == NOW


def test_a_sheet_is_printed() -> None:
    assert doctor.check_printing([sys.executable, "-m", "scorekeeper"]) == Finding("a rule sheet prints")


@pytest.mark.parametrize(
    ("code", "to_do"),
    [
        ("import sys; sys.exit('scorekeeper sheet: Printing needs the library Pango.')", "Printing needs the library"),
        ("import os; os.abort()", "fonts-dejavu-core"),
        ("", "no sheet came out"),
        ("import time; time.sleep(60)", "from the browser"),
    ],
    ids=["without Pango", "without a font", "nothing", "too slow"],
)
def test_why_no_sheet_is_printed_is_said(
    tmp_path: Path, code: str, to_do: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "PRINT_TIMEOUT_S", 1.0 if "sleep" in code else 60.0)
    (tmp_path / "program.py").write_text(code)

    assert to_do in doctor.check_printing([sys.executable, str(tmp_path / "program.py")]).to_do


def test_a_server_that_answers_is_fine(installed: Flask, settings: Settings) -> None:
    with serving(installed) as url:
        assert doctor.check_address(replace(settings, public_url=url)) == Finding(f"{url}/ answers")


@pytest.mark.parametrize(("host", "to_do"), [("0.0.0.0", "ufw allow"), ("127.0.0.2", "./run")])
def test_a_server_that_does_not_answer_is_to_be_started_or_behind_a_firewall(
    settings: Settings, host: str, to_do: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("doctor", "network"):
        monkeypatch.setattr(f"scorekeeper.server.{module}.lan_address", lambda: "127.0.0.2")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        found = doctor.check_address(replace(settings, host=host, port=listening.getsockname()[1]))

    assert "Connection refused" in found.says
    assert to_do in found.to_do


def test_a_server_for_this_computer_alone_reaches_no_phone(settings: Settings) -> None:
    assert "SCOREKEEPER_HOST" in doctor.check_address(settings).to_do


@pytest.mark.parametrize(("days", "is_fine"), [(0, True), (1, True), (3, False)])
def test_the_age_of_the_last_backup_is_looked_at(tmp_path: Path, days: int, is_fine: bool) -> None:
    for name, age in (("daily-a.sqlite3", days), ("daily-b.sqlite3", 9)):
        made = (NOW - timedelta(days=age)).timestamp()
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (made, made))

    found = doctor.check_backups(tmp_path, Path("it"), NOW)

    assert "daily-a" in found.says
    assert (found.to_do == "") is is_fine


def test_the_command_lists_every_check_and_what_to_do(
    installed: Flask, instance: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(instance))
    monkeypatch.setenv("SCOREKEEPER_HOST", "127.0.0.1")
    monkeypatch.setattr(doctor, "check_printing", lambda _: Finding("a rule sheet prints"))

    assert main(["doctor"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert main(["doctor", "--json"]) == 1
    checks = json.loads(capsys.readouterr().out)["checks"]

    checked = ["Database", "Space", "Clock", "Printing", "Address", "Backups"]
    assert [line.split(":")[0].split()[-1] for line in lines if line[:2] in ("ok", "to")] == checked
    assert [check["about"] for check in checks] == checked
    assert {"about": "Printing", "says": "a rule sheet prints", "to_do": ""} in checks
    assert lines[-1] == "To do: 2."


def test_a_copy_that_cannot_be_noted_is_made_all_the_same(
    installed: Flask, instance: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(instance))
    monkeypatch.setattr("scorekeeper.database.backup._disk_id", hash)
    backup_folder(installed).write_text("This is no folder.")

    assert main(["backup", str(tmp_path / "pitch.sqlite3")]) == 0


def test_the_backup_that_is_asked_for_counts(
    installed: Flask, instance: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(instance))
    folder, file = backup_folder(installed), instance / DATABASE_FILE
    to_do = doctor.check_backups(folder, file, datetime.now(UTC)).to_do

    [command] = re.findall(r"scorekeeper (backup .*)\.$", to_do)
    assert main(shlex.split(command)) == 0

    assert doctor.check_backups(folder, file, datetime.now(UTC)) == Finding(
        "the last one is by-hand.sqlite3; none is on another disk, where scorekeeper backup --everything FILE puts one"
    )
    (folder / "copied-elsewhere").write_text("2026-07-04, /media/stick/pitch.zip\n")
    assert doctor.check_backups(folder, file, datetime.now(UTC)) == Finding(
        "the last one is by-hand.sqlite3; on another disk: 2026-07-04, /media/stick/pitch.zip"
    )
