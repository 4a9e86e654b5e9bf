"""A copy of the database while it is in use."""

import os
import socket
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.database.backup import NoBackup, back_up
from scorekeeper.database.engine import db
from scorekeeper.matches.fold import Match
from tests.common.hands import HAND
from tests.common.match_actions import record_hand


def versions(copy: Path) -> list[int]:
    connection = sqlite3.connect(f"file:{copy}?mode=ro", uri=True)
    try:
        return [seq for (seq,) in connection.execute("SELECT seq FROM event ORDER BY seq")]
    finally:
        connection.close()


pytestmark = pytest.mark.usefixtures("match")


def record(match: Match) -> None:
    """Record the first hand."""
    record_hand(db.session, match.code, HAND, seq=1, idempotency_key="one")


def test_a_copy_holds_everything_in_one_file(match: Match, tmp_path: Path) -> None:
    record(match)
    copy = tmp_path / "copies" / "copy.sqlite3"
    copy.parent.mkdir()

    size = back_up(db.engine, copy)

    assert versions(copy) == [1]
    assert size == copy.stat().st_size
    assert [file.name for file in copy.parent.iterdir()] == ["copy.sqlite3"]
    assert copy.stat().st_mode & 0o077 == 0


def test_copies_made_while_hands_are_written_are_whole(
    app: Flask, session: Session, match: Match, tmp_path: Path
) -> None:
    done = threading.Event()

    def play() -> None:
        with app.app_context():
            for number in range(1, 61):
                record_hand(db.session, match.code, HAND, seq=number, idempotency_key=str(number))
        done.set()

    player = threading.Thread(target=play)
    player.start()
    copies: list[Path] = []
    while not done.is_set() or not copies:
        copies.append(tmp_path / f"{len(copies)}.sqlite3")
        back_up(db.engine, copies[-1])
    player.join()

    found = [versions(copy) for copy in copies]
    assert [seqs == list(range(1, len(seqs) + 1)) for seqs in found] == [True] * len(copies)
    assert sorted(found, key=len) == found


def test_a_copy_takes_the_place_of_an_older_one(match: Match, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite3"
    back_up(db.engine, copy)
    record(match)

    back_up(db.engine, copy)

    assert versions(copy) == [1]


def not_ours(folder: Path) -> dict[str, Path]:
    """Return files that are no database of Scorekeeper."""
    letter, empty, other, text = (folder / name for name in ("letter.txt", "empty", "other.sqlite3", "ours.sqlite3"))
    letter.write_text("Dear Ann")
    empty.touch()
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE photo (id INTEGER)")
    text.write_bytes(b"SQLite format 3\x00 and more")
    return {file.name: file for file in (letter, empty, other, text)}


@pytest.mark.parametrize("name", ["letter.txt", "empty", "other.sqlite3", "ours.sqlite3"])
@pytest.mark.parametrize("is_link", [False, True])
def test_only_a_database_of_scorekeeper_is_replaced_unless_it_is_forced(
    match: Match, tmp_path: Path, name: str, is_link: bool
) -> None:
    record(match)
    target = not_ours(tmp_path)[name]
    named, before = target, target.read_bytes()
    if is_link:
        named = tmp_path / "link"
        named.symlink_to(target)

    with pytest.raises(NoBackup, match=rf"{named.name} is not a database of Scorekeeper.* --force"):
        back_up(db.engine, named)
    assert target.read_bytes() == before

    back_up(db.engine, named, force=True)
    assert versions(target) == [1]
    assert named.is_symlink() == is_link


@pytest.mark.parametrize("kind", ["folder", "pipe", "socket"])
@pytest.mark.parametrize("is_link", [False, True])
@pytest.mark.parametrize("force", [False, True])
def test_what_is_no_file_is_never_replaced(tmp_path: Path, kind: str, is_link: bool, force: bool) -> None:
    target = tmp_path / kind
    with closing(socket.socket(socket.AF_UNIX)) as listening:
        match kind:
            case "folder":
                target.mkdir()
            case "pipe":
                os.mkfifo(target)
            case _:
                listening.bind(str(target))
        named, before = target, target.stat()
        if is_link:
            named = tmp_path / "link"
            named.symlink_to(target)

        with pytest.raises(NoBackup, match=f"{named.name} is not a file that can be replaced"):
            back_up(db.engine, named, force=force)

    assert (target.stat().st_ino, target.stat().st_mode) == (before.st_ino, before.st_mode)
    assert named.is_symlink() == is_link
    assert len(list(tmp_path.iterdir())) == 1 + is_link


@pytest.mark.parametrize("path", ["/", ".", "name" * 60, "no/such/folder/copy"])
def test_what_cannot_be_written_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.chdir(tmp_path)

    with pytest.raises(NoBackup, match=r"could not be written|can be replaced"):
        back_up(db.engine, Path(path), force=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", ["-wal", "-journal"])
def test_a_database_that_may_be_in_use_is_not_replaced(match: Match, tmp_path: Path, ending: str) -> None:
    copy = tmp_path / "copy.sqlite3"
    back_up(db.engine, copy)
    before = copy.read_bytes()
    record(match)
    journal = copy.with_name(f"{copy.name}{ending}")
    journal.write_bytes(b"the newest hands of another database")

    with pytest.raises(NoBackup, match="in use"):
        back_up(db.engine, copy)
    assert (copy.read_bytes(), journal.exists()) == (before, True)

    back_up(db.engine, copy, force=True)
    assert (versions(copy), journal.exists()) == ([1], False)


def test_a_copy_that_fails_leaves_the_older_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = tmp_path / "copies" / "copy.sqlite3"
    copy.parent.mkdir()
    back_up(db.engine, copy)
    before = copy.read_bytes()

    def full(_file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)

    with pytest.raises(NoBackup, match="No space left"):
        back_up(db.engine, copy)
    assert copy.read_bytes() == before
    assert [file.name for file in copy.parent.iterdir()] == ["copy.sqlite3"]


def test_the_database_is_not_copied_over_itself() -> None:
    with pytest.raises(NoBackup, match="the database itself"):
        back_up(db.engine, Path(str(db.engine.url.database)))


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_postgresql_has_its_own_way(tmp_path: Path) -> None:
    with pytest.raises(NoBackup, match="pg_dump"):
        back_up(db.engine, tmp_path / "copy")
