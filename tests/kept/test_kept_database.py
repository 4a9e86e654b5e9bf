"""A database with every kind of fact, written by an earlier version, migrates and shows the same pages."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorekeeper.cli import main
from scorekeeper.matches.events import FACTS
from tests.common.apps import close
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


@each("page", EXPECTED)
def test_a_page_says_what_it_said_when_it_was_written(shown: dict[str, str], page: str) -> None:
    assert shown[page] == EXPECTED[page]


def test_every_page_is_looked_at(shown: dict[str, str]) -> None:
    assert list(shown) == list(EXPECTED)


@pytest.mark.parametrize("kind", FACTS)
def test_every_kind_of_fact_is_in_the_database(kind: str) -> None:
    assert f",'{kind}'," in DATABASE.read_text(encoding="utf-8")


@pytest.mark.parametrize("database", [DATABASE, *sorted(KEPT.glob("*/world.sql"))], ids=lambda file: file.parent.name)
def test_every_match_scores_as_when_it_ended(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    close(restore(tmp_path, database))
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(tmp_path))
    monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", f"sqlite:///{tmp_path / 'kept.sqlite3'}")

    assert main(["verify"]) == 0, capsys.readouterr().out
