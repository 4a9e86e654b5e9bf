"""A database filled for the bench: its matches are whole, and what is measured in it stands beside an empty one."""

import pytest
import sqlalchemy as sa
from flask import Flask

from scorekeeper.database.engine import db
from scorekeeper.matches.load import load_match
from scorekeeper.web.library import library
from tests.bench import bench, grow
from tests.bench import figure as timing
from tests.bench.bench import HANDS, match_record, open_bench
from tests.bench.grow import GROWN, fill
from tests.common.importing import import_records

pytestmark = pytest.mark.xdist_group("bench")
MATCHES = 7
NAMES = ("page", "cold_page", "poll", "recording", "home", "new_match", "phones", "pin", "export")


@pytest.mark.every_database
def test_what_is_filled_in_are_whole_matches(app: Flask) -> None:
    with app.app_context():
        [model] = import_records(db.session, library(), [match_record()])
        fill(db.engine, model.id, 0, MATCHES)
        fill(db.engine, model.id, MATCHES, MATCHES)

        match = load_match(db.session, f"{GROWN}{2 * MATCHES - 1}")
        events = db.session.execute(sa.text("SELECT count(*) FROM event")).scalar_one()

    assert match.state.scores == model.state.scores
    assert events == (2 * MATCHES + 1) * HANDS


def test_everything_is_measured_beside_an_empty_database(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(tmp_path_factory.mktemp("grow")))
    monkeypatch.setattr(bench, "MATCHES", 8)
    monkeypatch.setattr(grow, "ROUNDS", 2)
    monkeypatch.setattr(grow, "COLD", 3)
    monkeypatch.setattr(timing, "PATIENCE", 1)
    with open_bench() as small, open_bench() as large:
        grow._fill(large, 0, MATCHES)
        figures = list(grow._figures("SQLite", small, large, MATCHES))

    assert [figure.name for figure in figures] == [f"grown_sqlite_{name}" for name in NAMES]
    assert all(0 < figure.value and 0 < figure.floor for figure in figures)
    assert all(figure.limit == pytest.approx(grow.MOST_TIMES * figure.floor) for figure in figures)
