"""Checks of an installation that should run for years; each finding is fine, or says what to do.

No check repairs anything, and none depends on another.
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
"""The free bytes needed for the journal, two weeks of backups and printing, besides twice the database's size."""
MAX_BACKUP_AGE = timedelta(days=2)
"""The greatest accepted age of the latest backup: the server makes one a day, but may be off for a night."""
MIN_CLOCK_YEAR, MAX_CLOCK_YEAR = 2026, 2100
"""The plausible years of the clock: without a battery it starts in 1970, or when its system was built."""
RESPONSE_TIMEOUT_S = 5.0
"""Seconds to wait for the server's response, or for the database's lock."""
PRINT_TIMEOUT_S = 120.0
"""Seconds within which a rule sheet must be printed."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check, and what to do about it."""

    says: str
    """The result in a sentence or a phrase; `doctor --json` has it by this name."""
    to_do: str = ""
    """What to do; empty if all is well."""


def run_checks(app: Flask, settings: Settings) -> Iterator[tuple[str, Finding]]:
    """Run the checks one by one, and yield the name and the finding of each.

    The database is closed at the end.
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
    """Check that the database exists, is undamaged and up to date.

    `sqlite_file` is `None` for PostgreSQL, in which no damage is looked for.
    """
    newest = _newest_backup(backup_folder(app))
    restore = f"Stop the server and run scorekeeper restore {quote_for_shell(newest or Path('FILE'))}."
    if sqlite_file is not None and not sqlite_file.is_file():
        return Finding(f"{sqlite_file} is not there.", restore if newest else "Start the server, which makes it.")
    try:
        if sqlite_file and (fault := _first_damage(sqlite_file)):
            return Finding(f"{sqlite_file} is damaged: {fault}.", restore)
        if not is_up_to_date(app):
            return Finding("It is not up to date.", "Run scorekeeper migrate.")
    except IncompleteDatabase as incomplete:
        return Finding(f"{incomplete.problem}.", restore)
    except UnusableDatabase as fault_found:
        if isinstance(fault_found.__cause__, CommandError):
            return Finding("A newer version of Scorekeeper wrote it.", "Update Scorekeeper.")
        cause = fault_found.__cause__ or fault_found
        reason = str(getattr(cause, "orig", None) or cause).strip().partition("\n")[0].rstrip(".")
        return Finding(f"It cannot be reached: {reason}.", "Check SCOREKEEPER_DATABASE_URL.")
    except sqlite3.DatabaseError as error:
        to_do = restore if is_damage(error) else "Check that its disk has room, and who may write its folder."
        return Finding(f"{sqlite_file} cannot be read: {error}.", to_do)
    return Finding("whole and up to date" if sqlite_file else "PostgreSQL answers and is up to date")


def _first_damage(file: Path) -> str:
    """Return the first damage in a SQLite file, in words; empty without any.

    Rows that refer to missing ones count as damage. Raises `sqlite3.DatabaseError` if the file cannot be read.
    """
    # A read-only connection of its own: the check of a damaged file changes nothing in it.
    address = f"{file.resolve().as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True, timeout=RESPONSE_TIMEOUT_S)) as connection:
        found = str(connection.execute("PRAGMA integrity_check(1)").fetchone()[0])
        if found != "ok":
            return found
        lost = len(connection.execute("PRAGMA foreign_key_check").fetchall())
        return f"{digits(lost, 'reference')} to missing rows" if lost else ""


def check_space(instance: Path, sqlite_file: Path | None) -> Finding:
    """Check that the disk of the instance folder has room for the journal, backups and printing."""
    needed = MIN_FREE_BYTES + 2 * (sqlite_file.stat().st_size if sqlite_file and sqlite_file.is_file() else 0)
    # The folder is not there before the first start.
    free = shutil.disk_usage(next(folder for folder in (instance, *instance.parents) if folder.exists())).free
    free_text = f"{free / 1e9:.1f} GB free"
    if free < needed:
        to_do = f"Free some on the disk of {instance}: backups and the journal need {needed / 1e9:.1f} GB."
        return Finding(f"Only {free_text}.", to_do)
    return Finding(free_text)


def newest_event_time(app: Flask, sqlite_file: Path | None) -> datetime | None:
    """Return the time of the latest event of all matches; `None` if there is none to read."""
    if sqlite_file and not sqlite_file.is_file():  # a query would create the file
        return None
    try:
        with app.app_context():
            newest = db.session.execute(sa.select(sa.func.max(EventRow.__table__.c.at))).scalar()
    except sa.exc.SQLAlchemyError:  # another check reports what is wrong with the database
        return None
    return utc(newest) if newest else None


def check_clock(newest: datetime | None, now: datetime) -> Finding:
    """Check that the year is plausible, and that no event is more than a minute later than `now`."""
    time_text = f"{now.astimezone():%Y-%m-%d %H:%M, in the time zone %Z (UTC%z)}"
    to_do = clock_instruction()
    if not MIN_CLOCK_YEAR <= now.year <= MAX_CLOCK_YEAR:
        return Finding(f"{time_text} cannot be right.", to_do)
    if newest and now < newest - timedelta(minutes=1):
        return Finding(f"{time_text} is before the last entry of a match, {newest.astimezone():%Y-%m-%d %H:%M}.", to_do)
    return Finding(time_text)


def check_printing(command: Sequence[str]) -> Finding:
    """Check that the `scorekeeper` command prints a sheet; `command` is how to call it.

    Without Pango all is well, as the browser then prints the sheets.
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
    """Check that other computers can reach the server, and that its home page loads here."""
    url = base_url(settings.host, settings.port, settings.public_url)
    if not settings.public_url:
        if settings.host in LOOPBACK_HOSTS:
            to_do = "Set SCOREKEEPER_HOST to 0.0.0.0, or put a proxy in front and set SCOREKEEPER_PUBLIC_URL."
            return Finding("The server listens to this computer only.", to_do)
        if settings.host in ALL_INTERFACES and lan_address() in LOOPBACK_HOSTS:
            return Finding("This computer is not on a network.", "Connect it to the Wi-Fi or by cable.")
    if not (why := home_page_fault(url)):
        return Finding(f"{url}/ answers")
    if settings.public_url:
        to_do = "Check that the server runs, the proxy passes it on, and the name leads here."
    elif settings.host in ALL_INTERFACES and is_listening(settings.port):
        to_do = open_port_instruction(settings.port)
    else:
        to_do = start_instruction()
    return Finding(f"{url}/ does not answer: {why}.", to_do)


def home_page_fault(url: str) -> str:
    """Return why the home page of Scorekeeper does not load at a URL; empty if it does."""
    try:
        # Without the proxy that this computer may use: a phone has none either.
        with build_opener(ProxyHandler({})).open(f"{url}/", timeout=RESPONSE_TIMEOUT_S) as answer:
            is_ours = b"Scorekeeper" in answer.read(100_000)
    except HTTPError as error:
        error.close()
        return f"it says {error.code} {error.reason}"
    except URLError as error:
        return str(getattr(error.reason, "strerror", None) or error.reason)
    except (OSError, HTTPException) as error:
        return str(error) or type(error).__name__
    return "" if is_ours else "something else answers there"


def check_backups(folder: Path, sqlite_file: Path | None, now: datetime) -> Finding:
    """Check that the latest backup is recent, and find out whether one is on another disk.

    `sqlite_file` is `None` for PostgreSQL, which has its own backups.
    """
    if sqlite_file is None:
        return Finding("PostgreSQL has its own: run pg_dump every day")
    newest = _newest_backup(folder)
    # So that the backup is in the folder that this check reads.
    quoted_path = quote_for_shell(folder / "by-hand.sqlite3")
    to_do = f"Leave the server running, which makes one a day, or run scorekeeper backup {quoted_path}."
    if newest is None:
        return Finding(f"There is none in {folder}.", to_do)
    age = now - datetime.fromtimestamp(newest.stat().st_mtime, UTC)
    if age > MAX_BACKUP_AGE:
        return Finding(f"The last one is {age.days} days old: {newest}.", to_do)
    newest_text = f"the last one is {newest.name}"
    if elsewhere := last_copy_elsewhere(folder):
        return Finding(f"{newest_text}; on another disk: {elsewhere}")
    return Finding(f"{newest_text}; none is on another disk, where scorekeeper backup --everything FILE puts one")


def _newest_backup(folder: Path) -> Path | None:
    """Return the copy in a folder that was written last; `None` without any."""
    files = [file for file in folder.glob("*.sqlite3") if file.is_file()]
    return max(files, key=lambda file: file.stat().st_mtime, default=None)
