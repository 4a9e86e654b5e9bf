"""The pages of a database that an earlier version wrote, in the words that a reader of them sees."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.database.engine import db
from scorekeeper.database.migrating import migrate
from tests.common.apps import make_app
from tests.common.reading import read

FOLDER = Path(__file__).parent
DATABASE = FOLDER / "database.sql"
EXPECTED = FOLDER / "pages.txt"

DEVICES = {"Ann": "itn5Dx2vkLQJtftdhTwK6Y", "Mary-Ann": "x4UZBb8a2vEs81Y3odyg9y"}
"""The phones that wrote it, by the code in their cookies."""
OF_A_MATCH = ("", "history", "history/journal", "menu", "rules", "tv", "room", "record.json")
OTHERS = ("/", "/house", "/transfer/matches.json")


def restore(folder: Path, database: Path = DATABASE, **config: Any) -> Flask:
    """Return an app on a copy of a database, `kept.sqlite3` in a folder, brought up to date."""
    file = folder / "kept.sqlite3"
    connection = sqlite3.connect(file)
    connection.executescript(database.read_text(encoding="utf-8"))
    connection.close()
    app = make_app(folder / "instance", f"sqlite:///{file}", **config)
    migrate(app)
    return app


def addresses(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield every page to look at: whose phone, and the address."""
    connection = sqlite3.connect(folder / "kept.sqlite3")
    links = connection.execute("SELECT code, role FROM link ORDER BY id").fetchall()
    houses = connection.execute("SELECT code FROM house_ruleset ORDER BY id").fetchall()
    connection.close()
    for name in DEVICES:
        yield from ((name, address) for address in OTHERS)
    for code, role in links:
        pages = OF_A_MATCH if role == "owner" else ("", "history", "menu")
        yield from (("Ann" if role == "owner" else "Mary-Ann", f"/matches/{code}/{page}") for page in pages)
    yield from (("Ann", f"/house/{code}{page}") for (code,) in houses for page in ("", "/share", "/rules.toml"))


def pages(folder: Path) -> dict[str, str]:
    """Return the text of every page, by phone and address."""
    app = restore(folder)
    clients = {name: _client(app, device) for name, device in DEVICES.items()}
    texts = {f"{name} {address}": _text(clients[name], address) for name, address in addresses(folder)}
    with app.app_context():
        db.engine.dispose()
    return texts


def _client(app: Flask, device: str) -> FlaskClient:
    client = app.test_client()
    with client.session_transaction() as session:
        session["device"] = device
    return client


def _text(client: FlaskClient, address: str) -> str:
    response = client.get(address)
    text = read(response.text).text if response.mimetype == "text/html" else response.text.strip()
    return f"{response.status_code} {text}"


def expected() -> dict[str, str]:
    """Return the text of the pages when the database was written."""
    lines = EXPECTED.read_text(encoding="utf-8").split("\n\n### ")
    return dict(part.removeprefix("### ").rstrip("\n").split("\n", 1) for part in lines)


def write(texts: dict[str, str]) -> None:
    """Write the expected pages."""
    EXPECTED.write_text("\n\n".join(f"### {key}\n{text}" for key, text in texts.items()) + "\n", encoding="utf-8")
