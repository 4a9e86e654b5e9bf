"""A kept world: a database of today's version, its phones with their cookies, and what they post to it.

A folder in `kept/` is one recording. Its forms stay as some phone has them, whatever a later version renders.
"""

import json
import re
import sqlite3
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.common.apps import close
from tests.common.clock import clock_set
from tests.common.opened_forms import Begun
from tests.common.phone import PART
from tests.common.reading import forms_of, read
from tests.common.sent_forms import rows
from tests.kept.pages import restore

TESTS = Path(__file__).parents[1]
KEPT = TESTS / "contract" / "kept"
SECRET_KEY = "the key of every kept cookie and token"
ANY = "…"
"""Stands for what was not the same each time that a form was posted: a new code, a draw, a moment."""
WRITTEN = {
    "event": ("kind", "payload", "client_key"),
    "book_event": ("kind", "payload", "client_key"),
    "night_event": ("kind", "payload", "client_key"),
    "house_version": ("name", "variant", "options", "notes", "retired", "client_key"),
    "hand_draft": ("fields",),
    "match": (
        *("variant", "house", "seats", "sides", "start", "first_dealer", "title", "played_on", "place", "note", "zone"),
        "client_key",
    ),
    "night": ("title", "rounds", "size", "variant", "house", "client_key"),
}
"""The tables whose rows say what was written, with the columns that say it."""
_JSON = {"payload", "options", "notes", "fields", "house", "seats", "sides", "start"}
_PARTS = re.compile(r"([/?&=#])")


@dataclass(frozen=True, kw_only=True)
class KeptPhone:
    """A phone as it was recorded."""

    name: str
    cookie: str
    path: str
    """The page from which its other pages are found."""
    beside: tuple[str, ...] = ()
    """The rest of the addresses to which no link leads."""


@dataclass(frozen=True, kw_only=True)
class KeptForm:
    """A form as a phone posts it, and the response."""

    name: str
    """Its address and its button, which nothing depends on."""
    phone: str
    action: str
    fields: tuple[tuple[str, str], ...]
    file: tuple[str, str] | None = None
    """The field of the file that goes along, and which one it is, by its path in `tests/`."""
    by_script: bool = False
    """Whether a script posts it, which reads where to go next from a header."""
    first: tuple[str, ...] = ()
    """The names of the forms that were posted before."""
    answer: dict[str, Any] = field(default_factory=dict)

    @property
    def names(self) -> frozenset[str]:
        """The names of its fields, without what stands behind a hyphen: a seat, a side, an award."""
        return frozenset(name.partition("-")[0] for name, _ in self.fields)


def read_lines(file: Path) -> list[Any]:
    """Return the values in a file of JSON lines."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def write_lines(file: Path, values: Iterable[Any]) -> None:
    """Write one value a line."""
    text = "".join(f"{json.dumps(value, ensure_ascii=False)}\n" for value in values)
    file.write_text(text, encoding="utf-8")


class World:
    """The stored world of a recording, as often as it is needed as it was."""

    def __init__(self, folder: Path, app: Flask, file: Path) -> None:
        self.app, self.folder = app, folder
        self.phones = {line["name"]: KeptPhone(**line) for line in read_lines(folder / "phones.jsonl")}
        self.forms = [_form(line) for line in read_lines(folder / "forms.jsonl")]
        self._begun, self._file = Begun(app, file), file

    def restore(self) -> None:
        """Forget what has been written since."""
        self._begun.restore()

    def client(self, phone: str) -> FlaskClient:
        """Return a phone with its kept cookie, and with none where it has no name."""
        client = self.app.test_client()
        if phone:
            client.set_cookie("scorekeeper", self.phones[phone].cookie)
        return client

    def send(self, form: KeptForm) -> TestResponse:
        """Post a form, whatever was posted before."""
        data: dict[str, Any] = {name: [v for n, v in form.fields if n == name] for name, _ in form.fields}
        if form.file:
            name, path = form.file
            data[name] = (BytesIO((TESTS / path).read_bytes()), path)
        return self.client(form.phone).post(form.action, data=data, headers=PART if form.by_script else {})

    def begin(self, form: KeptForm) -> None:
        """Restore the world as it was recorded, and post what precedes a form."""
        self.restore()
        for other in form.first:
            self.send(next(kept for kept in self.forms if kept.name == other))

    def post(self, form: KeptForm) -> dict[str, Any]:
        """Post a form to the world as it was recorded; return the answer, and what was written."""
        self.begin(form)
        before, stored = _last_rows(self._file), rows(self.app)
        response = self.send(form)
        found = {"status": response.status_code, "to": response.headers.get("HX-Redirect") or response.location or ""}
        if not found["to"]:
            found["shows"] = _shown_again(response, form)
        if form.by_script:
            found["reads"] = _read_by_script(response)
        written = _new_rows(before, _last_rows(self._file))
        return {**found, "wrote": written, "stores": rows(self.app) != stored}

    def save(self) -> None:
        """Keep the phones and the forms."""
        write_lines(self.folder / "phones.jsonl", map(asdict, self.phones.values()))
        write_lines(self.folder / "forms.jsonl", map(asdict, self.forms))


def _form(kept: dict[str, Any]) -> KeptForm:
    pairs = {"fields": tuple(map(tuple, kept["fields"])), "file": kept["file"] and tuple(kept["file"])}
    return KeptForm(**{**kept, **pairs, "first": tuple(kept["first"])})


@contextmanager
def opened(folder: Path) -> Iterator[World]:
    """Open a recording by the clock, the secret key and the migrations of which the last is today's."""
    with tempfile.TemporaryDirectory() as temporary, pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        database = folder / "world.sql"
        with database.open(encoding="utf-8") as text:
            recorded_at = datetime.fromisoformat(text.readline().removeprefix("-- recorded at ").strip())
        with clock_set(recorded_at - datetime.now(UTC)):
            app = restore(Path(temporary), database, SCOREKEEPER_SECRET_KEY=SECRET_KEY)
            yield World(folder, app, Path(temporary) / "kept.sqlite3")
            close(app)
    time.tzset()


def holds(kept: Any, now: Any) -> bool:
    """Return whether all that was kept is there now; an object may have got more keys."""
    if kept == ANY:
        return True
    if isinstance(kept, dict) and isinstance(now, dict):
        return all(key in now and holds(value, now[key]) for key, value in kept.items())
    if isinstance(kept, list) and isinstance(now, list):
        return len(kept) == len(now) and all(map(holds, kept, now))
    if isinstance(kept, str) and isinstance(now, str) and ANY in kept:
        return holds(_PARTS.split(kept), _PARTS.split(now))
    return bool(kept == now)


def alike(one: Any, other: Any) -> Any:
    """Return what two answers to one form have in common, with `ANY` for the rest."""
    if isinstance(one, dict) and isinstance(other, dict):
        return {key: alike(one[key], other[key]) for key in one if key in other}
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return list(map(alike, one, other))
    if one == other:
        return one
    if isinstance(one, str) and isinstance(other, str):
        parts, others = _PARTS.split(one), _PARTS.split(other)
        if len(parts) == len(others) > 1:
            return "".join(map(alike, parts, others))
    return ANY


BY_OUTBOX = (".say h2", "[data-settles]", "[data-taken]", "[name=csrf_token]")
"""What the outbox of a phone looks for on a page that answers a post."""


def _read_by_script(response: TestResponse) -> list[str]:
    """Return what the outbox of a phone reads of an answer."""
    page = read(response.text)
    found = [name for name in ("Vary", "HX-Redirect") if name in response.headers]
    return [*found, *(selector for selector in BY_OUTBOX if page.chosen(selector))]


def _shown_again(response: TestResponse, form: KeptForm) -> list[str]:
    """Return which fields of a form came back with what was sent in them."""
    if response.mimetype != "text/html":
        return []
    shown = {pair for page in forms_of(read(response.text)) for pair in page.fields.items()}
    return sorted({name for name, value in form.fields if value and (name, value) in shown} - {"csrf_token"})


def _last_rows(file: Path) -> dict[str, dict[Any, list[Any]]]:
    """Return all rows that say what was written, by table and number."""
    connection = sqlite3.connect(file)
    found = {}
    for table, columns in WRITTEN.items():
        chosen = connection.execute(f'SELECT rowid, {", ".join(columns)} FROM "{table}" ORDER BY rowid')
        found[table] = {number: [_value(*pair) for pair in zip(columns, row, strict=True)] for number, *row in chosen}
    connection.close()
    return found


def _value(column: str, value: Any) -> Any:
    return json.loads(value) if column in _JSON else value


def _new_rows(before: dict[str, dict[Any, list[Any]]], after: dict[str, dict[Any, list[Any]]]) -> list[Any]:
    """Return each row that is new or changed, with the name of its table."""
    return [
        [table, *row] for table in WRITTEN for number, row in after[table].items() if before[table].get(number) != row
    ]
