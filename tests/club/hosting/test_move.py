"""A whole database copied into another: everything and nothing else, or nothing."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import sqlalchemy as sa
from flask import Flask

from scorekeeper.access import invitations
from scorekeeper.club.hosting.moving import TABLES, NotMoved, copy_database, count_and_checksum
from scorekeeper.database.engine import db
from scorekeeper.database.migrating import migrate
from scorekeeper.eventlog.stream import SCORER
from scorekeeper.matches import phones as match_phones
from scorekeeper.matches.match_list import record_visit
from scorekeeper.matches.service import load_match
from scorekeeper.web.library import library
from tests.common.apps import close, make_app, postgres_database
from tests.common.commands import Run
from tests.common.importing import import_records
from tests.common.interleaving import cut_off_before
from tests.common.match_actions import rename
from tests.matches.files.test_records import RECORD

MATCHES = 5
Other = Callable[[str], tuple[str, Flask]]


@pytest.fixture
def full(app: Flask) -> str:
    """Fill a database with something in most of its tables, and return the code of a match that goes on."""
    with app.app_context():
        matches = import_records(db.session, library(), [RECORD] * MATCHES)
        for match in matches:
            record_visit(db.session, "owner", match)
            match_phones.join_match(db.session, invitations.invite(db.session, match, SCORER), "phone", None)
        db.session.execute(sa.text('DELETE FROM "match" WHERE id = (SELECT min(id) FROM "match")'))
        db.session.commit()
    return matches[-1].code


@pytest.fixture
def other(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Other]:
    """Make an app on a database without tables, of either kind."""
    with ExitStack() as stack:

        def other(kind: str) -> tuple[str, Flask]:
            url = f"sqlite:///{tmp_path / 'other.sqlite3'}"
            if kind == "postgresql":
                url = stack.enter_context(postgres_database(request.getfixturevalue("postgres_url"), "template0"))
            app = make_app(tmp_path / "other", url)
            stack.callback(close, app)
            return url, app

        yield other


def contents(app: Flask) -> dict[str, tuple[int, int]]:
    with app.app_context(), db.engine.connect() as connection:
        return {table.name: count_and_checksum(connection, table) for table in TABLES}


@pytest.mark.every_database
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_everything_is_copied_and_goes_on_there(
    app: Flask, database_url: str, full: str, other: Other, kind: str, run: Run
) -> None:
    url, target = other(kind)
    before = contents(app)

    out, err = run("move", database_url, url)

    assert err == ""
    assert f"{MATCHES - 1} matches copied" in out
    assert contents(app) == contents(target) == before
    with target.app_context():
        # New rows get ids of their own, and phones write where they left off.
        match = load_match(db.session, full)
        after = rename(db.session, full, {}, title="Moved")
        assert after.version == match.version + 1
        assert len(import_records(db.session, library(), [RECORD])) == 1


@pytest.mark.every_database
def test_nothing_is_copied_into_a_database_that_has_matches(
    app: Flask, database_url: str, full: str, other: Other, run: Run
) -> None:
    url, target = other("sqlite")
    migrate(target)
    with target.app_context():
        import_records(db.session, library(), [RECORD])
    before = contents(target)

    err = run("move", database_url, url, status=1).err

    assert "not empty" in err
    assert contents(target) == before


def copy(app: Flask, target: Flask) -> None:
    with app.app_context():
        source = db.engine
    with target.app_context():
        copy_database(source, db.engine)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_copy_that_breaks_off_leaves_nothing(app: Flask, full: str, other: Other, kind: str) -> None:
    _, target = other(kind)
    migrate(target)

    with target.app_context(), cut_off_before("INSERT INTO event"):
        copy(app, target)

    assert not any(rows for rows, _ in contents(target).values())


def test_what_is_altered_on_the_way_is_noticed(app: Flask, full: str, other: Other) -> None:
    _, target = other("sqlite")
    migrate(target)
    with target.app_context():
        alters = "CREATE TRIGGER alters AFTER INSERT ON link BEGIN UPDATE link SET role = 'owner'; END"
        db.session.execute(sa.text(alters))
        db.session.commit()

    with pytest.raises(NotMoved, match="link"):
        copy(app, target)

    assert not any(rows for rows, _ in contents(target).values())


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        ("{here}", "{here}", "the same database"),
        ("sqlite:///{folder}/none.sqlite3", "{here}", "There is no database"),
        ("{here}", "mysql://localhost/x", "postgresql://user@host/name"),
        ("{here}", "postgresql://localhost:port/x", "postgresql://user@host/name"),
        ("{here}", "postgresql://127.0.0.1:1/x", "cannot be reached"),
        ("{here}", "sqlite:////nowhere/at/all", "cannot be opened"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused_in_a_sentence(
    installed: None, database_url: str, tmp_path: Path, source: str, target: str, message: str, run: Run
) -> None:
    words = [url.format(here=database_url, folder=tmp_path) for url in (source, target)]

    err = run("move", *words, status=1).err

    assert message in err
    assert err.count("\n") == 1
