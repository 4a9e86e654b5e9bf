"""What nobody has used for long: removed with all that hangs together, each as a file first."""

import errno
import gzip
import json
import os
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from threading import Barrier, Thread
from threading import enumerate as enumerate_threads
from time import monotonic, sleep

import pytest
import sqlalchemy as sa
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.access.invitations import invite
from scorekeeper.access.phones import note_here
from scorekeeper.access.roles import UnknownCode
from scorekeeper.book.store import book_of_match, put_match
from scorekeeper.club.hosting.serving import removed_folder
from scorekeeper.club.hosting.unused import (
    FILES_KEPT,
    LOOK_INTERVAL,
    LOOKS,
    Removed,
    delete_old_files,
    note_look,
    remove_unused,
    remove_what_is_unused,
)
from scorekeeper.club.money.service import change_players
from scorekeeper.club.nights.events import PairArrived
from scorekeeper.club.nights.service import start_night, write_night
from scorekeeper.database.backup import UNFINISHED
from scorekeeper.database.engine import db
from scorekeeper.database.migrating import only_one
from scorekeeper.database.tables import BookRow, EventRow, LinkRow, MatchRow, NightRow, metadata
from scorekeeper.eventlog.store import Writer
from scorekeeper.eventlog.stream import SCORER
from scorekeeper.matches.drafts import keep_draft
from scorekeeper.matches.files.import_export import export_match
from scorekeeper.matches.match_list import remember
from scorekeeper.matches.service import load_match
from scorekeeper.pitch.rules.library import Library
from scorekeeper.server.in_use import in_use
from tests.common.hands import HAND
from tests.common.interleaving import before_first_write, cut_off_before
from tests.common.match_actions import record_hand, start_match

DAYS = 90
KEPT = timedelta(days=DAYS)
Begin = Callable[..., str]
Remove = Callable[[], Removed]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder that is not there yet."""
    return tmp_path / "removed"


@pytest.fixture
def started(app: Flask, library: Library) -> Begin:
    """Begin a match of one hand on a phone, in that phone's book, and return its code."""
    numbers = iter(range(100))

    def begin(device: str = "a", name: str = "Agnes") -> str:
        key = f"form-{next(numbers)}"
        people = [name, "Bo", "Cal", "Di"]
        match = start_match(
            db.session, library, variant="partnership-pitch", idempotency_key=key, players=people, device=device
        )
        record_hand(db.session, match.code, HAND, seq=1, idempotency_key="hand")
        return match.code

    return begin


@pytest.fixture
def remove(library: Library, folder: Path) -> Remove:
    """Remove what was not used for a while."""
    return lambda: remove_unused(db.session, library, folder, datetime.now(UTC) - KEPT)


def look_for_days(folder: Path) -> None:
    """Let a server have looked so often that the next look removes something."""
    now = datetime.now(UTC)
    for hours in range(LOOKS, 0, -1):
        note_look(folder, now - hours * LOOK_INTERVAL)


def pass_by(session: Session, days: float) -> None:
    """Let everything that is stored have happened so many days earlier."""
    for table in metadata.sorted_tables:
        times = [column for column in table.c if isinstance(column.type, sa.DateTime)]
        for row in session.execute(sa.select(table)).mappings().all():
            is_it = [column == row[column.name] for column in table.primary_key]
            earlier = {it.name: row[it.name] - timedelta(days=days) for it in times if row[it.name]}
            if earlier:
                session.execute(sa.update(table).where(*is_it).values(earlier))
    session.commit()


def how_many(session: Session) -> int:
    """Return how many rows there are of anything."""
    return sum(
        session.execute(sa.select(sa.func.count()).select_from(it)).scalar_one() for it in metadata.sorted_tables
    )


def files(folder: Path) -> list[str]:
    return sorted(it.name for it in folder.glob("*"))


@pytest.mark.every_database
def test_a_match_that_nobody_uses_is_exported_and_gone_with_all_that_is_its(
    session: Session, started: Begin, remove: Remove, library: Library, folder: Path
) -> None:
    code = started()
    match = load_match(session, code)
    invite(session, match, SCORER)
    keep_draft(session, match, {"bidder": "a"})
    put_match(session, match.id, None, before=book_of_match(session, match.id))
    session.commit()
    record, uid = export_match(session, library, code), match.setup.uid
    pass_by(session, DAYS + 1)

    done = remove()

    assert done.counts == {"match": 1, "book": 1, "night": 0}
    assert how_many(session) == 0
    with pytest.raises(UnknownCode):
        load_match(session, code)
    file = folder / f"match-{date.today()}-{uid}.json"
    assert json.loads(file.read_text()) == record
    assert (folder.stat().st_mode & 0o777, file.stat().st_mode & 0o777) == (0o700, 0o600)


@pytest.mark.every_database
def test_what_was_used_the_day_before_stays(session: Session, started: Begin, remove: Remove, folder: Path) -> None:
    code = started()
    pass_by(session, DAYS - 1)

    assert not remove().counts
    assert load_match(session, code).log.hands
    assert not folder.exists()


@pytest.mark.every_database
def test_a_page_that_a_phone_opens_is_a_use(session: Session, started: Begin, remove: Remove) -> None:
    code = started()
    pass_by(session, DAYS + 1)
    remember(session, "another phone", load_match(session, code))

    assert not remove().counts


@pytest.mark.every_database
def test_a_book_with_one_match_that_is_used_keeps_all(
    session: Session, started: Begin, remove: Remove, folder: Path
) -> None:
    old, other = started(), started("b", "Bertha")
    pass_by(session, DAYS + 1)
    new = started()

    assert remove().counts == {"match": 1, "book": 1, "night": 0}

    assert [len(load_match(session, it).log.hands) for it in (old, new)] == [1, 1]
    with pytest.raises(UnknownCode):
        load_match(session, other)
    [file] = folder.iterdir()
    assert b"Bertha" in gzip.decompress(file.read_bytes())
    assert file.name.startswith(f"book-{date.today()}-")


@pytest.mark.every_database
def test_a_night_for_money_goes_as_a_whole(session: Session, library: Library, remove: Remove) -> None:
    people = ["Gilda", "Bo", "Cal", "Di"]
    first = start_match(session, library, variant="racehorse", idempotency_key="m", players=people)
    pass_by(session, DAYS + 1)
    later = change_players(session, first, ["Gilda", "Bo", "Eve", "Di"], Writer("next"), version=None)
    assert not remove().counts
    assert load_match(session, first.code)

    pass_by(session, DAYS + 1)
    assert remove().counts["match"] == 2
    with pytest.raises(UnknownCode):
        load_match(session, later)


@pytest.mark.every_database
def test_a_night_is_exported_as_its_list(session: Session, remove: Remove, folder: Path) -> None:
    code = start_night(session, "n", title="Zorro night", rounds=3, idempotency_key="night")
    write_night(session, code, PairArrived(players=("Zelda", "Zeno")), Writer("pair"))
    session.execute(sa.update(NightRow.__table__).values(book_id=None))
    session.execute(sa.delete(BookRow.__table__))
    pass_by(session, DAYS - 1)
    assert not remove().counts
    pass_by(session, 2)

    assert remove().counts == {"match": 0, "book": 0, "night": 1}
    assert how_many(session) == 0
    [file] = folder.iterdir()
    assert file.suffix == ".csv"


def test_what_is_being_imported_stays(session: Session, started: Begin, remove: Remove) -> None:
    code = started()
    match_id = load_match(session, code).id
    pass_by(session, DAYS + 1)
    session.execute(sa.delete(LinkRow.__table__))
    session.commit()

    assert not remove().counts
    assert session.execute(sa.select(MatchRow.__table__.c.id)).scalars().all() == [match_id]


def test_what_a_phone_has_open_stays(session: Session, started: Begin, remove: Remove) -> None:
    code = started()
    pass_by(session, DAYS + 1)
    note_here(code)

    assert not remove().counts


def test_nothing_of_a_removed_match_is_taken_for_the_next_one_of_its_number(
    session: Session, library: Library, remove: Remove
) -> None:
    def begin(name: str) -> str:
        people = [name, "Bo", "Cal", "Di"]
        key = f"form-{name}"
        return start_match(session, library, variant="partnership-pitch", idempotency_key=key, players=people).code

    old = load_match(session, begin("Agnes"))
    pass_by(session, DAYS + 1)
    remove()
    new = load_match(session, begin("Zelda"))

    assert new.id == old.id
    assert "Agnes" not in new.names.values()


def test_the_files_go_after_a_while(folder: Path) -> None:
    folder.mkdir()
    today = date.today()
    old, new = (f"match-{today - FILES_KEPT - timedelta(days=it)}-u-{it}d.json" for it in (1, 0))
    for name in (old, new, f"book-{today}-x.gz", "notes.txt", "0123.unfinished"):
        (folder / name).touch()

    delete_old_files(folder)

    assert files(folder) == sorted([new, f"book-{today}-x.gz", "notes.txt"])


def test_on_a_full_disk_nothing_is_removed(
    session: Session, started: Begin, remove: Remove, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = started()
    pass_by(session, DAYS + 1)

    def full(_file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        remove()

    monkeypatch.undo()
    assert load_match(session, code).log.hands
    assert files(folder) == []


@pytest.mark.every_database
def test_killed_between_file_and_removal_nothing_is_lost(
    session: Session, started: Begin, remove: Remove, folder: Path
) -> None:
    code = started()
    pass_by(session, DAYS + 1)

    with cut_off_before("DELETE"):
        remove()
    session.rollback()
    assert load_match(session, code).log.hands
    first = files(folder)
    assert first

    assert remove().counts["match"] == 1
    assert files(folder) == first


@pytest.mark.every_database
def test_what_is_used_while_its_file_is_written_stays(
    app: Flask, session: Session, started: Begin, remove: Remove
) -> None:
    code = started()
    pass_by(session, DAYS + 1)

    with before_first_write(app, lambda: record_hand(db.session, code, HAND, seq=2, idempotency_key="second")):
        assert not remove().counts

    assert len(load_match(session, code).log.hands) == 2


def test_a_match_that_no_file_can_be_made_of_stays_and_others_go(
    session: Session, started: Begin, remove: Remove
) -> None:
    kept, gone = started(), started("b", "Bertha")
    match_id = load_match(session, kept).id
    put_match(session, match_id, None, before=book_of_match(session, match_id))
    events = EventRow.__table__
    session.execute(sa.update(events).where(events.c.match_id == match_id).values(kind="tomorrow"))
    session.commit()
    pass_by(session, DAYS + 1)

    done = remove()

    assert done.unreadable == 1
    with pytest.raises(UnknownCode):
        load_match(session, gone)
    assert session.execute(sa.select(MatchRow.__table__.c.id)).scalars().all() == [match_id]


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_of_two_servers_one_does_it(
    app: Flask, started: Begin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    app.config["KEEP_UNUSED"] = DAYS
    monkeypatch.setattr(app, "instance_path", str(tmp_path))
    with app.app_context():
        code = started()
        pass_by(db.session, DAYS + 4)
        unfinished = tmp_path / "removed" / f"of the other{UNFINISHED}"
        unfinished.parent.mkdir()
        unfinished.touch()
        look_for_days(unfinished.parent)
        with only_one(app) as is_one:
            assert is_one
            remove_what_is_unused(app)
            assert unfinished.exists()
            assert load_match(db.session, code)
            db.session.rollback()
    both = Barrier(2)

    def serve() -> None:
        both.wait()
        remove_what_is_unused(app)

    threads = [Thread(target=serve) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    printed = capsys.readouterr()
    assert printed.out.count("Removed what nobody uses: matches 1 and books 1.") == 1
    assert printed.err == ""
    with app.app_context():
        assert how_many(db.session) == 0


@pytest.mark.every_database
@pytest.mark.parametrize("days", [DAYS, 0])
def test_a_server_looks_by_itself(
    app: Flask, started: Begin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days: int
) -> None:
    app.config["KEEP_UNUSED"] = days
    monkeypatch.setattr(app, "instance_path", str(tmp_path))
    monkeypatch.setattr("scorekeeper.database.backup.FIRST_LOOK", (0.0, 0.0))
    with app.app_context():
        started()
        pass_by(db.session, DAYS + 4)
    if days:
        look_for_days(removed_folder(app))
    looked = files(removed_folder(app))
    with in_use(app):
        threads = [it for it in enumerate_threads() if it.name == "unused"]
        until = monotonic() + 20
        while threads and files(removed_folder(app)) == looked and monotonic() < until:
            sleep(0.05)
    assert bool(threads) == (files(removed_folder(app)) != looked) == bool(days)
    with app.app_context():
        assert bool(how_many(db.session)) != bool(days)


def test_a_clock_that_is_wrong_for_a_day_removes_nothing(
    session: Session, started: Begin, library: Library, folder: Path
) -> None:
    code, now = started(), datetime.now(UTC)
    right = [now + hours * LOOK_INTERVAL for hours in range(100)]
    wrong = [at + 10 * KEPT for at in right]

    for at in (*right[:50], *wrong[50:80], *right[80:]):
        look = note_look(folder, at)
        assert look is None or not remove_unused(session, library, folder, look - KEPT).counts

    assert load_match(session, code).log.hands


def test_what_is_unused_is_removed_after_two_days_of_looks(
    session: Session, started: Begin, library: Library, folder: Path
) -> None:
    started()
    pass_by(session, DAYS + 3)
    now, looks = datetime.now(UTC), list[datetime | None]()

    # Every start looks, and what is started again and again is no longer there for that.
    for hours in range(LOOKS):
        looks += [note_look(folder, now + hours * LOOK_INTERVAL + timedelta(minutes=it)) for it in (0, 5)]

    assert looks == [*[None] * (2 * LOOKS - 2), now, now]
    assert remove_unused(session, library, folder, now - KEPT).counts["match"] == 1


def test_what_is_wrong_is_logged(
    app: Flask, started: Begin, folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    app.config["KEEP_UNUSED"] = DAYS
    monkeypatch.setattr(app, "instance_path", str(folder.parent))
    removed_folder(app).touch()

    with app.app_context():
        code = started()
        pass_by(db.session, DAYS + 1)
        db.session.rollback()
        remove_what_is_unused(app)
        assert load_match(db.session, code).log.hands

    assert "What nobody uses stays: File exists. Check the disk, and the rights of" in caplog.text
