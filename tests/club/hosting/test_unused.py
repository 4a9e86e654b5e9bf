"""Remove what nobody has used for long, with everything linked to it, after each is exported as a file."""

import errno
import gzip
import json
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from threading import enumerate as enumerate_threads
from time import monotonic, sleep

import pytest
import sqlalchemy as sa
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.access.invitations import invite
from scorekeeper.access.phones import note_presence_in_memory
from scorekeeper.access.roles import UnknownCode
from scorekeeper.book.store import book_id_of_match, put_match
from scorekeeper.club.hosting.serving import folder_of_removed_files
from scorekeeper.club.hosting.unused import (
    CHECK_INTERVAL,
    CHECKS_NEEDED,
    FILES_KEPT_FOR,
    RemovalResult,
    check_and_remove_unused,
    delete_old_files,
    note_check,
    remove_unused,
)
from scorekeeper.club.money.service import change_players
from scorekeeper.club.nights.events import EntrantArrived
from scorekeeper.club.nights.service import write_night
from scorekeeper.database.engine import db
from scorekeeper.database.migrating import try_single_server_lock
from scorekeeper.database.tables import BookRow, EventRow, MatchRow, NightRow, metadata
from scorekeeper.eventlog.store import Writer
from scorekeeper.eventlog.stream import SCORER
from scorekeeper.matches.drafts import save_draft
from scorekeeper.matches.files.import_export import export_match
from scorekeeper.matches.match_list import record_visit
from scorekeeper.matches.service import load_match
from scorekeeper.operating_system import UNFINISHED_ENDING
from scorekeeper.pitch.rules.library import Library
from scorekeeper.server.database_in_use import hold_database
from tests.common.hands import HAND
from tests.common.interleaving import before_first_write, cut_off_before
from tests.common.match_actions import record_hand
from tests.common.nights import store_night
from tests.matches.conftest import Begin

DAYS = 90
KEPT = timedelta(days=DAYS)
Remove = Callable[[], RemovalResult]
Started = Callable[..., str]


@pytest.fixture
def folder(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a server that keeps what is unused for a while; it is not there yet."""
    monkeypatch.setitem(app.config, "KEEP_UNUSED", DAYS)
    monkeypatch.setattr(app, "instance_path", str(tmp_path))
    return folder_of_removed_files(app)


@pytest.fixture
def started(session: Session, begin: Begin) -> Started:
    """Begin a match of one hand on a phone, in that phone's book, and return its code."""

    def start(device: str = "a", name: str = "Agnes") -> str:
        code = begin(device=device, players=[name, "Bo", "Cal", "Di"]).code
        record_hand(session, code, HAND)
        return code

    return start


@pytest.fixture
def old(session: Session, started: Started) -> str:
    """Begin a match that nobody uses for long, and return its code."""
    code = started()
    pass_by(session, DAYS + 1)
    return code


@pytest.fixture
def remove(session: Session, folder: Path) -> Remove:
    """Remove what was not used for a while."""
    return lambda: remove_unused(session, folder, datetime.now(UTC) - KEPT)


def look_for_days(folder: Path) -> None:
    """Let a server have looked so often that the next look removes something."""
    now = datetime.now(UTC)
    for hours in range(CHECKS_NEEDED, 0, -1):
        note_check(folder, now - hours * CHECK_INTERVAL)


def pass_by(session: Session, days: float) -> None:
    """Let everything that is stored have happened so many days earlier."""
    columns = [column for table in metadata.sorted_tables for column in table.c]
    for column in columns:
        if isinstance(column.type, sa.DateTime):
            for at in session.scalars(sa.select(column).where(column.is_not(None)).distinct()).all():
                is_then = sa.update(column.table).where(column == at)
                session.execute(is_then.values({column: at - timedelta(days=days)}))
    session.commit()


def how_many(session: Session) -> int:
    """Return how many rows there are of anything."""
    return sum(len(session.execute(sa.select(table)).all()) for table in metadata.sorted_tables)


def files(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.glob("*"))


@pytest.mark.every_database
def test_a_match_that_nobody_uses_is_exported_and_gone_with_all_that_is_its(
    session: Session, started: Started, remove: Remove, library: Library, folder: Path
) -> None:
    code = started()
    match = load_match(session, code)
    invite(session, match, SCORER)
    save_draft(session, match, {"bidder": "a"})
    put_match(session, match.id, None, old_book_id=book_id_of_match(session, match.id))
    session.commit()
    record, uid = export_match(session, library, code), match.setup.uid
    pass_by(session, DAYS + 1)

    done = remove()

    assert done.counts_by_kind == {"match": 1, "book": 1, "night": 0}
    assert how_many(session) == 0
    with pytest.raises(UnknownCode):
        load_match(session, code)
    file = folder / f"match-{date.today()}-{uid}.json"
    assert json.loads(file.read_text()) == record
    assert (folder.stat().st_mode & 0o777, file.stat().st_mode & 0o777) == (0o700, 0o600)


def open_page(session: Session, code: str) -> None:
    record_visit(session, "another phone", load_match(session, code))


def keep_open(_session: Session, code: str) -> None:
    note_presence_in_memory(db.engine, code)


def go_back_two_days(session: Session, _code: str) -> None:
    pass_by(session, -2)


@pytest.mark.every_database
@pytest.mark.parametrize("use", [open_page, keep_open, go_back_two_days])
def test_what_is_used_stays(
    session: Session, old: str, remove: Remove, folder: Path, use: Callable[[Session, str], None]
) -> None:
    use(session, old)

    assert not remove().counts_by_kind
    assert files(folder) == []
    assert session.execute(sa.select(EventRow.__table__)).all()


@pytest.mark.every_database
def test_a_book_with_one_match_that_is_used_keeps_all(
    session: Session, started: Started, remove: Remove, folder: Path
) -> None:
    old, other = started(), started("b", "Bertha")
    pass_by(session, DAYS + 1)
    new = started()

    assert remove().counts_by_kind == {"match": 1, "book": 1, "night": 0}

    assert [len(load_match(session, code).log.hands) for code in (old, new)] == [1, 1]
    with pytest.raises(UnknownCode):
        load_match(session, other)
    [file] = folder.iterdir()
    assert b"Bertha" in gzip.decompress(file.read_bytes())
    assert file.name.startswith(f"book-{date.today()}-")


@pytest.mark.every_database
def test_a_night_for_money_goes_as_a_whole(session: Session, begin: Begin, remove: Remove) -> None:
    first = begin(variant="racehorse", players=["Gilda", "Bo", "Cal", "Di"], house={})
    pass_by(session, DAYS + 1)
    later = change_players(session, first, ["Gilda", "Bo", "Eve", "Di"], Writer("next"), version=None)
    assert not remove().counts_by_kind
    assert load_match(session, first.code)

    pass_by(session, DAYS + 1)
    assert remove().counts_by_kind["match"] == 2
    with pytest.raises(UnknownCode):
        load_match(session, later)


@pytest.mark.every_database
def test_a_night_is_exported_as_its_list(session: Session, remove: Remove, folder: Path) -> None:
    code = store_night(session, "n", title="Zorro night")
    write_night(session, code, EntrantArrived(players=("Zelda", "Zeno")), Writer("pair"))
    session.execute(sa.update(NightRow.__table__).values(book_id=None))
    session.execute(sa.delete(BookRow.__table__))
    pass_by(session, DAYS - 1)
    assert not remove().counts_by_kind
    pass_by(session, 2)

    assert remove().counts_by_kind == {"match": 0, "book": 0, "night": 1}
    assert how_many(session) == 0
    [file] = folder.iterdir()
    assert file.suffix == ".csv"


def test_nothing_of_a_removed_match_is_taken_for_the_next_one_of_its_number(
    session: Session, old: str, started: Started, remove: Remove
) -> None:
    removed = load_match(session, old)
    remove()
    new = load_match(session, started("b", "Zelda"))

    assert new.id == removed.id
    assert "Agnes" not in new.names.values()


def test_the_files_go_after_a_while(folder: Path) -> None:
    folder.mkdir()
    today = date.today()
    old, new = (f"match-{today - FILES_KEPT_FOR - timedelta(days=days)}-u-{days}d.json" for days in (1, 0))
    for name in (old, new, f"book-{today}-x.gz", "notes.txt", "0123.unfinished"):
        (folder / name).touch()

    delete_old_files(folder)

    assert files(folder) == sorted([new, f"book-{today}-x.gz", "notes.txt"])


def test_on_a_full_disk_nothing_is_removed(
    session: Session, old: str, remove: Remove, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        remove()

    monkeypatch.undo()
    assert load_match(session, old).log.hands
    assert files(folder) == []


@pytest.mark.every_database
def test_killed_between_file_and_removal_nothing_is_lost(
    session: Session, old: str, remove: Remove, folder: Path
) -> None:
    with cut_off_before("DELETE"):
        remove()
    session.rollback()
    assert load_match(session, old).log.hands
    first = files(folder)
    assert first

    assert remove().counts_by_kind["match"] == 1
    assert files(folder) == first


@pytest.mark.every_database
def test_what_is_used_while_its_file_is_written_stays(app: Flask, session: Session, old: str, remove: Remove) -> None:
    with before_first_write(app, lambda: record_hand(db.session, old, HAND)):
        assert not remove().counts_by_kind

    assert len(load_match(session, old).log.hands) == 2


def test_a_match_that_no_file_can_be_made_of_stays_and_others_go(
    session: Session, started: Started, remove: Remove
) -> None:
    kept, gone = started(), started("b", "Bertha")
    match_id = load_match(session, kept).id
    put_match(session, match_id, None, old_book_id=book_id_of_match(session, match_id))
    events = EventRow.__table__
    session.execute(sa.update(events).where(events.c.match_id == match_id).values(kind="tomorrow"))
    session.commit()
    pass_by(session, DAYS + 1)

    done = remove()

    assert done.unreadable_count == 1
    with pytest.raises(UnknownCode):
        load_match(session, gone)
    assert session.execute(sa.select(MatchRow.__table__.c.id)).scalars().all() == [match_id]


def test_a_book_stays_of_which_an_entry_cannot_be_read(session: Session, started: Started, remove: Remove) -> None:
    started()
    session.execute(sa.text("UPDATE book_event SET kind = 'tomorrow'"))
    session.commit()
    pass_by(session, DAYS + 1)

    assert remove().unreadable_count == 1


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_of_two_servers_one_does_it(
    app: Flask, session: Session, started: Started, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = started()
    pass_by(session, DAYS + 4)
    folder.mkdir()
    unfinished = folder / f"of the other{UNFINISHED_ENDING}"
    unfinished.touch()
    look_for_days(folder)
    with try_single_server_lock(app) as is_one:
        assert is_one
        check_and_remove_unused(app)
        assert unfinished.exists()
        assert load_match(session, code)
    session.rollback()

    with ThreadPoolExecutor(2) as pool:
        assert [*pool.map(check_and_remove_unused, [app] * 2)] == [None] * 2

    printed = capsys.readouterr()
    assert printed.out.count("Removed what nobody uses: matches 1 and books 1.") == 1
    assert printed.err == ""
    assert how_many(session) == 0


@pytest.mark.every_database
@pytest.mark.parametrize("days", [DAYS, 0])
def test_a_server_looks_by_itself(
    app: Flask, session: Session, started: Started, folder: Path, monkeypatch: pytest.MonkeyPatch, days: int
) -> None:
    app.config["KEEP_UNUSED"] = days
    monkeypatch.setattr("scorekeeper.server.hourly.FIRST_DELAY_RANGE_S", (0.0, 0.0))
    started()
    pass_by(session, DAYS + 4)
    if days:
        look_for_days(folder)
    looked = files(folder)
    with hold_database(app):
        threads = [thread for thread in enumerate_threads() if thread.name == "removing what nobody uses"]
        until = monotonic() + 20
        while threads and files(folder) == looked and monotonic() < until:
            sleep(0.05)
    assert bool(threads) == (files(folder) != looked) == bool(days)
    session.rollback()
    assert bool(how_many(session)) != bool(days)


def test_a_clock_that_is_wrong_for_a_day_removes_nothing(session: Session, started: Started, folder: Path) -> None:
    code, now = started(), datetime.now(UTC)
    right = [now + hours * CHECK_INTERVAL for hours in range(100)]
    wrong = [at + 10 * KEPT for at in right]

    for at in (*right[:50], *wrong[50:80], *right[80:]):
        look = note_check(folder, at)
        assert look is None or not remove_unused(session, folder, look - KEPT).counts_by_kind

    assert load_match(session, code).log.hands


def test_what_is_unused_is_removed_after_two_days_of_looks(session: Session, started: Started, folder: Path) -> None:
    started()
    pass_by(session, DAYS + 3)
    now = datetime.now(UTC)

    # Every start looks, but starting again and again removes nothing any sooner.
    at = (
        now + hours * CHECK_INTERVAL + timedelta(minutes=minutes)
        for hours in range(CHECKS_NEEDED)
        for minutes in (0, 5)
    )
    looks = [note_check(folder, each) for each in at]

    assert looks == [*[None] * (2 * CHECKS_NEEDED - 2), now, now]
    assert remove_unused(session, folder, now - KEPT).counts_by_kind["match"] == 1


def test_what_is_wrong_is_logged(
    app: Flask, session: Session, old: str, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder.touch()

    check_and_remove_unused(app)

    assert load_match(session, old).log.hands
    assert "What nobody uses stays: File exists. Check the disk, and the rights of" in caplog.text
