"""A database with every kind of event, written by an earlier version, migrates and shows the same pages."""

import gzip
import io
import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from scorekeeper.cli import main
from scorekeeper.club.book_files.service import import_book, write_book_file
from scorekeeper.database.engine import db
from scorekeeper.matches.events import EVENT_KINDS
from tests.common.apps import close, make_app
from tests.common.each import each
from tests.contract.world import KEPT
from tests.kept.pages import DATABASE, expected, pages, restore

EXPECTED = expected()

pytestmark = pytest.mark.xdist_group("kept")  # in one process, which opens all pages once


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Open every page once, by the clock that the database was written by."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield pages(tmp_path_factory.mktemp("kept"))
    time.tzset()


@pytest.mark.club
@each("page", EXPECTED)
def test_a_page_says_what_it_said_when_it_was_written(shown: dict[str, str], page: str) -> None:
    assert shown[page] == EXPECTED[page]


def test_every_page_is_looked_at(shown: dict[str, str]) -> None:
    assert list(shown) == list(EXPECTED)


@pytest.mark.parametrize("kind", EVENT_KINDS)
def test_every_kind_of_fact_is_in_the_database(kind: str) -> None:
    assert f",'{kind}'," in DATABASE.read_text(encoding="utf-8")


def own_lines(file: io.BytesIO) -> list[dict[str, Any]]:
    """Return the lines of a book's file without events about matches that are not in it, which no import reads."""
    lines = [json.loads(line) for line in gzip.decompress(file.getvalue()).splitlines()]
    strangers = {line["payload"].get("match") for line in lines if "payload" in line}
    strangers -= {0, None, *(line["match"] for line in lines if "seats" in line)}
    return [line for line in lines if line.get("payload", {}).get("match") not in strangers]


@pytest.mark.parametrize("database", sorted(KEPT.glob("*/world.sql")), ids=lambda file: file.parent.name)
def test_every_book_comes_into_an_empty_place_and_goes_out_of_it_the_same(
    database: Path, tmp_path: Path, migrated_file: Path
) -> None:
    app, files = restore(tmp_path, database), []
    with app.app_context():
        for book_id in db.session.execute(sa.text("SELECT id FROM book")).scalars().all():
            files.append(io.BytesIO())
            write_book_file(db.session, book_id, files[-1])
    close(app)
    empty = make_app(tmp_path, f"sqlite:///{shutil.copy(migrated_file, tmp_path / 'empty.sqlite3')}")

    with empty.app_context():
        for file in files:
            exported, again = io.BytesIO(), import_book(db.session, file).book_id
            write_book_file(db.session, again, exported)
            assert own_lines(exported) == own_lines(file)
            assert not import_book(db.session, file, book_id=again).preview.changes_anything
    close(empty)
    assert files


@pytest.mark.parametrize("database", [DATABASE, *sorted(KEPT.glob("*/world.sql"))], ids=lambda file: file.parent.name)
def test_every_match_scores_as_when_it_ended(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    close(restore(tmp_path, database))
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(tmp_path))
    monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", f"sqlite:///{tmp_path / 'kept.sqlite3'}")

    assert main(["verify"]) == 0, capsys.readouterr().out
