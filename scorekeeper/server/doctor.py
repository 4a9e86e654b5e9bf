"""The checks of `scorekeeper doctor`, for an installation that should run for years.

The finding of each check says that all is well, or what to do. No check repairs anything, and none depends on another.
"""

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.client import HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import HTTPError, URLError
from urllib.request import ProxyHandler, build_opener

import sqlalchemy as sa
from alembic.util import CommandError
from flask import Flask

from scorekeeper.config import Settings
from scorekeeper.database.backup import last_copy_elsewhere
from scorekeeper.database.engine import backup_folder, database_path, db
from scorekeeper.database.faults import IncompleteDatabase, UnusableDatabase, is_damage
from scorekeeper.database.migrating import is_up_to_date
from scorekeeper.database.rows import utc
from scorekeeper.database.tables import EventRow
from scorekeeper.operating_system import clock_instruction, open_port_instruction, quote_for_shell, start_instruction
from scorekeeper.paths import RULESETS
from scorekeeper.pitch.rules.library import read_library
from scorekeeper.pitch.rules.phrases import digits
from scorekeeper.printing import pdf
from scorekeeper.server.network import ALL_INTERFACES, LOOPBACK_HOSTS, base_url, is_listening, lan_address

MIN_FREE_BYTES = 200_000_000
"""The bytes that have to be free for the journal, two weeks of backups and printing.

Twice the size of the database is needed in addition.
"""
MAX_BACKUP_AGE = timedelta(days=2)
"""The greatest age of the latest backup with which all is well.

The server makes one a day, but may be off for a night.
"""
MIN_CLOCK_YEAR, MAX_CLOCK_YEAR = 2026, 2100
"""The years that a clock may show. A clock without a battery starts in 1970, or when its system was built."""
RESPONSE_TIMEOUT_S = 5.0
"""The seconds to wait for the server's response, and for the database to be unlocked."""
PRINT_TIMEOUT_S = 120.0
"""The seconds within which a rule sheet has to be printed."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found, and what to do about it."""

    says: str
    """The result, as a sentence or a phrase: "whole and up to date". The output of `doctor --json` has this key."""
    to_do: str = ""
    """A sentence on what to do: "Start the server, which makes it." Empty if all is well."""


def run_checks(app: Flask, settings: Settings) -> Iterator[tuple[str, Finding]]:
    """Run the checks one by one, and yield the name and the finding of each: "Space", Finding("9.2 GB free").

    At the end the database is closed.
    """
    sqlite_file = database_path(app)
    try:
        yield "Database", check_database(app, sqlite_file)
        yield "Space", check_space(settings.instance, sqlite_file)
        yield "Clock", check_clock(newest_event_time(app, sqlite_file), datetime.now(UTC))
        yield "Printing", check_printing([sys.executable, "-m", "scorekeeper"])
        yield "Address", check_address(settings)
        yield "Backups", check_backups(backup_folder(app), sqlite_file, datetime.now(UTC))
    finally:
        with app.app_context():
            db.engine.dispose()


def check_database(app: Flask, sqlite_file: Path | None) -> Finding:
    """Check that the database exists, is undamaged and needs no migration.

    `sqlite_file` is `None` for PostgreSQL, which is not checked for damage.
    """
    backup = _newest_backup(backup_folder(app))
    to_restore = f"Stop the server and run scorekeeper restore {quote_for_shell(backup or Path('FILE'))}."
    if sqlite_file is not None and not sqlite_file.is_file():
        return Finding(f"{sqlite_file} is not there.", to_restore if backup else "Start the server, which makes it.")
    try:
        if sqlite_file and (damage := _first_damage(sqlite_file)):
            return Finding(f"{sqlite_file} is damaged: {damage}.", to_restore)
        if not is_up_to_date(app):
            return Finding("It is not up to date.", "Run scorekeeper migrate.")
    except IncompleteDatabase as error:
        return Finding(f"{error.problem}.", to_restore)
    except UnusableDatabase as error:
        if isinstance(error.__cause__, CommandError):
            return Finding("A newer version of Scorekeeper wrote it.", "Update Scorekeeper.")
        cause = error.__cause__ or error
        reason = str(getattr(cause, "orig", None) or cause).strip().partition("\n")[0].rstrip(".")
        return Finding(f"It cannot be reached: {reason}.", "Check SCOREKEEPER_DATABASE_URL.")
    except sqlite3.DatabaseError as error:
        to_do = to_restore if is_damage(error) else "Check that its disk has room, and who may write its folder."
        return Finding(f"{sqlite_file} cannot be read: {error}.", to_do)
    return Finding("whole and up to date" if sqlite_file else "PostgreSQL answers and is up to date")


def _first_damage(file: Path) -> str:
    """Return the first damage that SQLite finds in a file, as a phrase; empty if there is none.

    Rows that refer to missing ones count as damage: "2 references to missing rows". Raises `sqlite3.DatabaseError` if
    the file cannot be read.
    """
    # A read-only connection of its own: the check of a damaged file changes nothing in it.
    read_only_url = f"{file.resolve().as_uri()}?mode=ro"
    with closing(sqlite3.connect(read_only_url, uri=True, timeout=RESPONSE_TIMEOUT_S)) as connection:
        check_result = str(connection.execute("PRAGMA integrity_check(1)").fetchone()[0])
        if check_result != "ok":
            return check_result
        lost_reference_count = len(connection.execute("PRAGMA foreign_key_check").fetchall())
        return f"{digits(lost_reference_count, 'reference')} to missing rows" if lost_reference_count else ""


def check_space(instance: Path, sqlite_file: Path | None) -> Finding:
    """Check that the disk with the folder `instance` has room for the journal, backups and printing."""
    needed_bytes = MIN_FREE_BYTES + 2 * (sqlite_file.stat().st_size if sqlite_file and sqlite_file.is_file() else 0)
    # The folder is not there before the first start.
    free_bytes = shutil.disk_usage(next(folder for folder in (instance, *instance.parents) if folder.exists())).free
    free_text = f"{free_bytes / 1e9:.1f} GB free"
    if free_bytes < needed_bytes:
        to_do = f"Free some on the disk of {instance}: backups and the journal need {needed_bytes / 1e9:.1f} GB."
        return Finding(f"Only {free_text}.", to_do)
    return Finding(free_text)


def newest_event_time(app: Flask, sqlite_file: Path | None) -> datetime | None:
    """Return the time of the latest event of all matches; `None` without events, or if they cannot be read."""
    if sqlite_file and not sqlite_file.is_file():  # a query would create the file
        return None
    try:
        with app.app_context():
            newest_time = db.session.execute(sa.select(sa.func.max(EventRow.__table__.c.at))).scalar()
    except sa.exc.SQLAlchemyError:  # another check reports what is wrong with the database
        return None
    return utc(newest_time) if newest_time else None


def check_clock(newest_event_at: datetime | None, now: datetime) -> Finding:
    """Check that the year of `now` is plausible, and that no event of a match is more than a minute later."""
    time_text = f"{now.astimezone():%Y-%m-%d %H:%M, in the time zone %Z (UTC%z)}"
    to_do = clock_instruction()
    if not MIN_CLOCK_YEAR <= now.year <= MAX_CLOCK_YEAR:
        return Finding(f"{time_text} cannot be right.", to_do)
    if newest_event_at and now < newest_event_at - timedelta(minutes=1):
        return Finding(
            f"{time_text} is before the last entry of a match, {newest_event_at.astimezone():%Y-%m-%d %H:%M}.", to_do
        )
    return Finding(time_text)


def check_printing(command: Sequence[str]) -> Finding:
    """Check that a rule sheet can be printed. `command` is how the `scorekeeper` command is called here.

    Without Pango all is well, as the phone's browser prints the sheets then.
    """
    if not pdf.is_available():
        return Finding(f"the browser prints the sheets. {pdf.INSTALL_PANGO_TEXT}")
    with TemporaryDirectory() as folder:
        sheet = Path(folder) / "sheet.pdf"
        arguments = [*command, "sheet", next(iter(read_library(RULESETS).rulesets)), "-o", str(sheet)]
        # In another process, as Pango ends the one that it runs in if there are no fonts.
        try:
            process = subprocess.run(arguments, capture_output=True, text=True, timeout=PRINT_TIMEOUT_S, check=False)
        except subprocess.TimeoutExpired:
            return Finding("A rule sheet takes more than two minutes.", "Print the pages from the browser.")
        if process.returncode == 0 and sheet.is_file() and sheet.read_bytes().startswith(b"%PDF"):
            return Finding("a rule sheet prints")
    if process.returncode < 0:
        to_do = "Install a font: sudo apt-get install fonts-dejavu-core."
        return Finding("Laying out a sheet ended its process.", to_do)
    fault = (process.stderr.strip().splitlines() or ["no sheet came out"])[-1].removeprefix("scorekeeper sheet: ")
    return Finding("Sheets cannot be printed here.", fault)


def check_address(settings: Settings) -> Finding:
    """Check that other computers can reach the server, and that its home page loads on this one."""
    url = base_url(settings.host, settings.port, settings.public_url)
    if not settings.public_url:
        if settings.host in LOOPBACK_HOSTS:
            to_do = "Set SCOREKEEPER_HOST to 0.0.0.0, or put a proxy in front and set SCOREKEEPER_PUBLIC_URL."
            return Finding("The server listens to this computer only.", to_do)
        if settings.host in ALL_INTERFACES and lan_address() in LOOPBACK_HOSTS:
            return Finding("This computer is not on a network.", "Connect it to the Wi-Fi or by cable.")
    if not (fault := home_page_fault(url)):
        return Finding(f"{url}/ answers")
    if settings.public_url:
        to_do = "Check that the server runs, the proxy passes it on, and the name leads here."
    elif settings.host in ALL_INTERFACES and is_listening(settings.port):
        to_do = open_port_instruction(settings.port)
    else:
        to_do = start_instruction()
    return Finding(f"{url}/ does not answer: {fault}.", to_do)


def home_page_fault(url: str) -> str:
    """Return why the home page of Scorekeeper does not load at `url`: "Connection refused". Empty if it loads."""
    try:
        # Without the proxy that this computer may use: a phone has none either.
        with build_opener(ProxyHandler({})).open(f"{url}/", timeout=RESPONSE_TIMEOUT_S) as response:
            is_scorekeeper = b"Scorekeeper" in response.read(100_000)
    except HTTPError as error:
        error.close()
        return f"it says {error.code} {error.reason}"
    except URLError as error:
        return str(getattr(error.reason, "strerror", None) or error.reason)
    except (OSError, HTTPException) as error:
        return str(error) or type(error).__name__
    return "" if is_scorekeeper else "something else answers there"


def check_backups(folder: Path, sqlite_file: Path | None, now: datetime) -> Finding:
    """Check that the latest backup is recent. The finding also says whether a copy is on another disk.

    `sqlite_file` is `None` for PostgreSQL, which has its own backups.
    """
    if sqlite_file is None:
        return Finding("PostgreSQL has its own: run pg_dump every day")
    newest_backup = _newest_backup(folder)
    # So that the backup is in the folder that this check reads.
    quoted_path = quote_for_shell(folder / "by-hand.sqlite3")
    to_do = f"Leave the server running, which makes one a day, or run scorekeeper backup {quoted_path}."
    if newest_backup is None:
        return Finding(f"There is none in {folder}.", to_do)
    age = now - datetime.fromtimestamp(newest_backup.stat().st_mtime, UTC)
    if age > MAX_BACKUP_AGE:
        return Finding(f"The last one is {age.days} days old: {newest_backup}.", to_do)
    backup_text = f"the last one is {newest_backup.name}"
    if copy_elsewhere := last_copy_elsewhere(folder):
        return Finding(f"{backup_text}; on another disk: {copy_elsewhere}")
    return Finding(f"{backup_text}; none is on another disk, where scorekeeper backup --everything FILE puts one")


def _newest_backup(folder: Path) -> Path | None:
    """Return the backup in a folder that was written last; `None` if there is none."""
    files = [file for file in folder.glob("*.sqlite3") if file.is_file()]
    return max(files, key=lambda file: file.stat().st_mtime, default=None)
