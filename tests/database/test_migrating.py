"""A migration is made whole or not at all, and takes no rows with it."""

import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from flask import Flask

from scorekeeper.app import create_app
from scorekeeper.config import DATABASE_FILE
from scorekeeper.database.backup import BEFORE_MIGRATION_KIND, copies_of_kind
from scorekeeper.database.engine import backup_folder, database_path, db, engine_of
from scorekeeper.database.faults import UnusableDatabase
from scorekeeper.database.file_lock import hold_file_lock
from scorekeeper.database.migrating import is_up_to_date, migrate

HEAD = """
import sqlalchemy as sa
from alembic import op
revision = "{number}"
down_revision = {before!r}
branch_labels = None
depends_on = None
"""

TABLES = """
def upgrade():
    op.create_table("parent", sa.Column("id", sa.Integer, primary_key=True), sa.Column("extra", sa.Integer))
    op.create_table(
        "child",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("parent_id", sa.Integer, sa.ForeignKey("parent.id", ondelete="CASCADE", name="fk"), nullable=False),
    )

def downgrade():
    op.drop_table("child")
    op.drop_table("parent")
"""

DROPPED_COLUMN = """
def upgrade():
    with op.batch_alter_table("parent") as batch:
        batch.drop_column("extra")

def downgrade():
    with op.batch_alter_table("parent") as batch:
        batch.add_column(sa.Column("extra", sa.Integer))
"""

BROKEN = """
def upgrade():
    op.create_table("half", sa.Column("id", sa.Integer, primary_key=True))
    op.execute("DELETE FROM child")
    raise RuntimeError("the power went")

def downgrade():
    pass
"""

LOST = """
def upgrade():
    op.execute("DELETE FROM parent")

def downgrade():
    pass
"""

on_sqlite = pytest.mark.parametrize("empty_database_url", ["sqlite"], indirect=True)
every_kind = pytest.mark.parametrize("empty_database_url", ["sqlite", "postgresql"], indirect=True)


Family = Callable[..., Flask]


@pytest.fixture
def family(empty_database_url: str, tmp_path: Path) -> Iterator[Family]:
    """Fill a database with one parent and five children; then make apps on it that have further migrations to make."""
    apps: list[Flask] = []

    def app_with(*further: str) -> Flask:
        folder = tmp_path / f"migrations{len(apps)}"
        folder.mkdir()
        for number, script in enumerate((TABLES, *further), 1):
            before = f"{number - 1:04}" if number > 1 else None
            (folder / f"{number:04}_x.py").write_text(HEAD.format(number=f"{number:04}", before=before) + script)
        app = create_app({"SCOREKEEPER_INSTANCE": tmp_path, "SCOREKEEPER_DATABASE_URL": empty_database_url})
        app.config["ALEMBIC"]["script_location"] = str(folder)
        apps.append(app)
        return app

    first = app_with()
    migrate(first)
    with first.app_context(), db.engine.begin() as connection:
        connection.execute(sa.text("INSERT INTO parent (id, extra) VALUES (1, 7)"))
        connection.execute(sa.text("INSERT INTO child (id, parent_id) VALUES (1,1), (2,1), (3,1), (4,1), (5,1)"))
    yield app_with
    for app in apps:
        with app.app_context():
            db.engine.dispose()


def children(app: Flask) -> int:
    with app.app_context(), db.engine.connect() as connection:
        return int(connection.execute(sa.text("SELECT count(*) FROM child")).scalar_one())


def columns(app: Flask) -> dict[str, set[str]]:
    """Name the columns of every table."""
    with app.app_context():
        inspector = sa.inspect(db.engine)
        return {
            table: {column["name"] for column in inspector.get_columns(table)}
            for table in inspector.get_table_names()
            if table != "alembic_version"
        }


@every_kind
def test_changing_a_table_keeps_the_rows_that_refer_to_it(family: Family) -> None:
    app = family(DROPPED_COLUMN)

    assert migrate(app) is True

    assert children(app) == 5
    assert columns(app) == {"parent": {"id"}, "child": {"id", "parent_id"}}
    assert is_up_to_date(app)
    with app.app_context(), db.engine.connect() as connection, pytest.raises(sa.exc.IntegrityError):
        connection.execute(sa.text("INSERT INTO child (id, parent_id) VALUES (6, 2)"))  # no such parent


@every_kind
def test_a_migration_that_fails_leaves_everything_as_it_was(family: Family) -> None:
    app = family(DROPPED_COLUMN, BROKEN)

    with pytest.raises(UnusableDatabase, match="Report this: the power went"):
        migrate(app)

    assert children(app) == 5
    assert columns(app) == {"parent": {"id", "extra"}, "child": {"id", "parent_id"}}
    assert not is_up_to_date(app)


@on_sqlite
def test_rows_that_lost_what_they_refer_to_are_noticed_and_put_back(family: Family) -> None:
    app = family(LOST)

    with pytest.raises(UnusableDatabase, match="Report this: 5 references to missing rows"):
        migrate(app)

    assert children(app) == 5
    assert not is_up_to_date(app)
    with app.app_context(), db.engine.connect() as connection:
        assert connection.execute(sa.text("SELECT count(*) FROM parent")).scalar_one() == 1


def test_a_file_of_another_program_is_put_back_too(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / DATABASE_FILE)) as connection:
        connection.executescript("CREATE TABLE stamp (album REFERENCES album); INSERT INTO stamp VALUES (1)")
    app = create_app({"SCOREKEEPER_INSTANCE": tmp_path})

    with pytest.raises(UnusableDatabase, match="1 reference to missing rows"):
        migrate(app)

    assert columns(app) == {"stamp": {"album"}}


@on_sqlite
def test_a_copy_is_made_before_a_migration(family: Family) -> None:
    app = family(DROPPED_COLUMN)

    migrate(app)

    (copy,) = copies_of_kind(backup_folder(app), BEFORE_MIGRATION_KIND)
    assert copy.stat().st_mode & 0o077 == 0
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT extra FROM parent").fetchall() == [(7,)]


@on_sqlite
def test_without_a_copy_nothing_is_migrated(family: Family) -> None:
    app = family(DROPPED_COLUMN)
    backup_folder(app).write_text("in the way of the folder")

    with pytest.raises(UnusableDatabase, match="no backup"):
        migrate(app)

    assert columns(app)["parent"] == {"id", "extra"}


@on_sqlite
def test_what_a_server_uses_is_not_migrated(family: Family, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorekeeper.database.migrating.MIGRATION_TIMEOUT_S", 0)
    app = family(DROPPED_COLUMN)
    path = database_path(app)
    assert path

    with hold_file_lock(path), pytest.raises(UnusableDatabase, match="Stop the server first"):
        migrate(app)

    assert columns(app)["parent"] == {"id", "extra"}


@pytest.mark.parametrize("empty_database_url", ["postgresql"], indirect=True)
def test_a_migration_by_another_start_meanwhile_is_not_a_loss(empty_database_url: str, tmp_path: Path) -> None:
    app, other = (
        create_app({"SCOREKEEPER_INSTANCE": tmp_path / name, "SCOREKEEPER_DATABASE_URL": empty_database_url})
        for name in ("one", "other")
    )
    others = iter([other])

    @sa.event.listens_for(engine_of(app), "before_cursor_execute")
    def migrate_other(_connection: sa.Connection, _cursor: object, statement: str, *_rest: object) -> None:
        if "pg_attribute" in statement:  # the columns are looked for, after the revision
            for start in others:
                migrate(start)

    assert is_up_to_date(app)
    assert not [*others]
    for start in (app, other):
        with start.app_context():
            db.engine.dispose()


@every_kind
def test_of_several_starts_at_once_one_migrates_and_the_others_wait(empty_database_url: str, tmp_path: Path) -> None:
    apps = [
        create_app({"SCOREKEEPER_INSTANCE": tmp_path / str(number), "SCOREKEEPER_DATABASE_URL": empty_database_url})
        for number in range(3)
    ]

    with ThreadPoolExecutor(len(apps)) as pool:
        done = list(pool.map(migrate, apps))

    assert sorted(done) == [False, False, True]
    for app in apps:
        with app.app_context():
            db.engine.dispose()
