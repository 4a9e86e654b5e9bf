"""What is measured: a real app on its own database, with unfinished matches of forty hands."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from flask import Flask

from scorekeeper.app import create_app
from scorekeeper.config import DATABASE_FILE
from scorekeeper.extensions import db, migrate
from scorekeeper.ledger.derive_match import Match
from scorekeeper.paths import instance_folder
from scorekeeper.services.import_export import import_file
from scorekeeper.services.load import load_match
from scorekeeper.serving.network import LOOPBACK
from scorekeeper.web.shared.library import library

HANDS = 40
MATCHES = 72
"""More than are kept in memory at once."""
_MATCH = Path(__file__).parent / "match.json"


@dataclass(frozen=True, slots=True)
class Bench:
    """An app and the codes of the matches in it."""

    app: Flask
    folder: Path
    codes: tuple[str, ...]

    def load(self, code: str) -> Match:
        """Load one of the matches."""
        with self.app.app_context():
            return load_match(db.session, code)


@contextmanager
def open_bench(database_url: str = "") -> Iterator[Bench]:
    """Set up an app on the disk that matches are stored on, or in an empty database, and remove it afterwards."""
    disk = instance_folder()
    disk.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="bench-", dir=disk) as name:
        folder = Path(name)
        own = {"SCOREKEEPER_DATABASE_URL": database_url} if database_url else {}
        app = create_app({**settings(folder), **own})
        migrate(app)
        with app.app_context():
            codes = import_file(db.session, library(), json.dumps([match_record()] * MATCHES).encode())
        try:
            yield Bench(app, folder, tuple(codes))
        finally:
            with app.app_context():
                db.engine.dispose()


def settings(folder: Path) -> dict[str, str]:
    """Return every setting, so that none comes from the environment."""
    return {
        "SCOREKEEPER_INSTANCE": str(folder),
        "SCOREKEEPER_DATABASE_URL": f"sqlite:///{folder / DATABASE_FILE}",
        "SCOREKEEPER_HOST": LOOPBACK[0],
        "SCOREKEEPER_PORT": "0",
        "SCOREKEEPER_PUBLIC_URL": "",
        "SCOREKEEPER_SECRET_KEY": "",
    }


def match_record() -> dict[str, Any]:
    """Return a record of forty hands after which both sides may go out on the next."""
    record = _cycle()
    return {**record, "hands": [hand_after(number) for number in range(HANDS)]}


def hand_after(number: int) -> dict[str, Any]:
    """Return the hand after this many."""
    hands = _cycle()["hands"]
    hand: dict[str, Any] = hands[number % len(hands)]
    return hand


@cache
def _cycle() -> dict[str, Any]:
    record: dict[str, Any] = json.loads(_MATCH.read_text(encoding="utf-8"))
    return record
