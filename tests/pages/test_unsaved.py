"""A database that cannot be written or reached: pages can still be read; what was entered is kept and saved later."""

import errno
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
from flask import Flask

from scorekeeper.database.engine import db
from tests.browser.playing import begin_match
from tests.common.apps import close, make_app, postgres_database
from tests.common.calling import took
from tests.common.phone import PART, Page, Phone

FROM_HERE = {"Origin": "http://localhost"}
Fault = Callable[[Flask], AbstractContextManager[None]]


@pytest.fixture
def app(own_app: Flask) -> Flask:
    """Return an app whose database a test may damage."""
    return own_app


@contextmanager
def each_connection(app: Flask, pragma: str, *, is_left: bool = False) -> Iterator[None]:
    """Run a pragma on every connection opened meanwhile, and close these afterwards unless `is_left`."""

    def set_pragma(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute(pragma)

    with app.app_context():
        engine = db.engine
    engine.dispose()
    sa.event.listen(engine, "connect", set_pragma)
    yield
    sa.event.remove(engine, "connect", set_pragma)
    if not is_left:
        engine.dispose()


def read_only(app: Flask) -> AbstractContextManager[None]:
    """Refuse every write, as on a read-only disk."""
    return each_connection(app, "PRAGMA query_only=ON")


def full(app: Flask) -> AbstractContextManager[None]:
    """Keep the database file from growing, with no free page left, as on a full disk."""
    with app.app_context():
        db.engine.dispose()
        with closing(sqlite3.connect(str(db.engine.url.database))) as connection:
            connection.execute("VACUUM")
    return each_connection(app, "PRAGMA max_page_count=1")


@contextmanager
def locked(app: Flask) -> Iterator[None]:
    """Let another program hold the write lock of the file."""
    with app.app_context():
        file = str(db.engine.url.database)
    with each_connection(app, "PRAGMA busy_timeout=20"), closing(sqlite3.connect(file)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.rollback()


cannot_write = pytest.mark.parametrize("fault", [read_only, locked])


def entered(match: Page, **answers: str) -> dict[str, str]:
    """Return the fields of the form of a hand with these answers."""
    return {
        **match.open("hands/new").form("/hands/new").fields,
        "call": "p4:3",
        **took("s2", low="s1"),
        "do": "save",
        **answers,
    }


def save(match: Page, fields: dict[str, str] | None = None, /, **headers: str) -> Page:
    """Save a hand, as a browser without scripts does."""
    client, sent = match.phone.client, {**FROM_HERE, **headers}
    return Page(client.post(f"{match.path}hands/new", data=fields or entered(match), headers=sent), match.phone)


SAVED = ["1 Dan 3 made +1 1 +3 3"]


@cannot_write
def test_a_hand_that_cannot_be_saved_is_kept_in_the_page_and_sent_again(app: Flask, match: Page, fault: Fault) -> None:
    with fault(app):
        page = save(match)

    assert page.status == 503
    assert page.response.headers["Retry-After"] == "5"
    assert page.response.headers["Cache-Control"] == "no-store"
    assert "Can’t save just now" in page.text
    assert "Everything you entered is still here" in page.faults
    assert page.form("/hands/new").fields["took-low"] == "s1"
    assert 'data-seconds="5"' in page.response.text
    assert "js/again" in page.response.text
    assert match.open().scores == {"s1": "0", "s2": "0"}

    assert page.tap("Try again").rows == SAVED


def test_a_match_that_a_full_disk_does_not_take_is_started_once(app: Flask, phone: Phone) -> None:
    form = phone.open("/new/partnership-pitch").form("partnership-pitch")
    with full(app):
        answer = phone.client.post(form.action, data=form.filled({}, "Start"), headers=FROM_HERE)
    page = Page(answer, phone)

    assert answer.status_code == 503
    assert "Everything you entered is still here" in page.faults

    match = page.tap("Try again")
    assert match.scores == {"s1": "0", "s2": "0"}
    assert page.tap("Try again").path == match.path


@cannot_write
def test_a_first_look_needs_no_writing_and_is_listed_later(
    app: Flask, match: Page, other_phone: Phone, fault: Fault
) -> None:
    with fault(app):
        page = other_phone.open(match.path)
    listed = other_phone.open("/")

    assert page.status == 200
    assert page.scores == {"s1": "0", "s2": "0"}
    assert match.path in listed.response.text


@cannot_write
def test_the_open_page_gets_a_notice_and_stays(app: Flask, match: Page, fault: Fault) -> None:
    with fault(app):
        answer = save(match, **PART).response

    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "5"
    assert answer.headers["HX-Retarget"] == "#trouble"
    assert "can’t save anything right now" in answer.text


@cannot_write
def test_what_another_site_sends_is_not_sent_again(app: Flask, match: Page, fault: Fault) -> None:
    with fault(app):
        page = save(match, Origin="http://elsewhere.example")

    assert page.status == 503
    assert not page.offers("Try again")
    assert "data-again" not in page.response.text


def test_what_fails_is_logged_once_a_while(app: Flask, match: Page, caplog: pytest.LogCaptureFixture) -> None:
    with read_only(app):
        for key in ("one", "two", "three"):
            save(match, entered(match, client_key=key))

    assert [record.getMessage().partition(": ")[2].partition(" ")[2] for record in caplog.records] == [
        "cannot be written. Check the rights of the file and its folder."
    ]


def test_two_problems_by_turns_are_each_logged_once_a_while(
    app: Flask, phone: Phone, caplog: pytest.LogCaptureFixture
) -> None:
    def write(file: str) -> str:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), file)

    app.add_url_rule("/write/<file>", view_func=write)

    for file in ("upload", "backup", "upload", "backup"):
        phone.open(f"/write/{file}")

    assert [record.getMessage().partition(" cannot")[0].split()[-1] for record in caplog.records] == [
        "upload",
        "backup",
    ]


def test_a_fault_of_the_program_stays_one(app: Flask, phone: Phone) -> None:
    app.config["PROPAGATE_EXCEPTIONS"] = False
    app.add_url_rule("/wrong", view_func=lambda: str(db.session.execute(sa.text("SELECT nothing"))), endpoint="wrong")

    assert phone.open("/wrong").status == 500


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS])
def test_a_disk_that_cannot_be_written_is_not_called_the_database(
    app: Flask, phone: Phone, number: int, caplog: pytest.LogCaptureFixture
) -> None:
    def write() -> str:
        raise OSError(number, os.strerror(number), "upload")

    app.add_url_rule("/write", view_func=write)

    assert phone.open("/write").status == 503
    assert f"upload cannot be written ({os.strerror(number)})" in caplog.text


@pytest.mark.parametrize("damage", [b"not a database" * 999, b"\0" * 99], ids=["other bytes", "cut short"])
def test_a_damaged_file_is_said_and_keeps_what_was_typed(
    app: Flask, match: Page, damage: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    fields = entered(match)
    with app.app_context():
        file = Path(str(db.engine.url.database))
    close(app)
    whole = file.read_bytes()
    file.write_bytes(damage)
    page, looked = save(match, fields), match.open()
    close(app)
    file.write_bytes(whole)

    assert page.status == 503
    assert looked.status == 503
    assert "Can’t open this just now" in looked.text
    assert '<noscript><meta http-equiv="refresh" content="5"></noscript>' in looked.response.text
    assert "scorekeeper restore" in caplog.text
    assert page.tap("Try again").rows == SAVED


@contextmanager
def unreachable(server: str, url: str) -> Iterator[None]:
    """Close every connection to a PostgreSQL database, and refuse new ones."""
    name = url.partition("?")[0].rpartition("/")[2]
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        connection.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
        yield
        connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")


@pytest.fixture
def postgres_app(postgres_url: str, tmp_path: Path) -> Iterator[tuple[Flask, str]]:
    """Make an app on a PostgreSQL database that no other test uses."""
    with postgres_database(postgres_url, "migrated") as url:
        app = make_app(tmp_path, url)
        yield app, url
        close(app)


def test_a_database_server_that_is_away_is_waited_for(postgres_app: tuple[Flask, str], postgres_url: str) -> None:
    app, url = postgres_app
    match = begin_match(Phone(app.test_client()))
    fields = entered(match)

    with unreachable(postgres_url, url):
        page, looked = save(match, fields), match.open()

    assert page.status == 503
    assert "Everything you entered is still here" in page.text
    assert looked.status == 503
    assert page.tap("Try again").rows == SAVED


def test_a_connection_that_was_opened_while_nothing_could_be_written_is_not_kept(app: Flask, match: Page) -> None:
    with each_connection(app, "PRAGMA query_only=ON", is_left=True):
        refused = save(match)

    assert refused.status == 503
    assert refused.tap("Try again").rows == SAVED


def test_postgresql_that_only_read_for_a_while_is_written_to_again(postgres_app: tuple[Flask, str]) -> None:
    app, url = postgres_app
    name = url.partition("?")[0].rpartition("/")[2]
    phone = Phone(app.test_client())

    def set_read_only(value: str) -> None:
        with psycopg.connect(url, autocommit=True, options="-c default_transaction_read_only=off") as connection:
            connection.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = {value}")

    set_read_only("on")
    page = phone.open("/new/partnership-pitch")
    refused = page.send("partnership-pitch", press="Start")
    set_read_only("off")

    assert refused.status == 503
    # A connection on which nothing was written may be left.
    assert 200 in [page.send("partnership-pitch", press="Start").status for _ in range(2)]
