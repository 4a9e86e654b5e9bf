"""Phones that follow a match: how soon they show a saved hand, and what their polling costs."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from random import Random
from time import perf_counter, sleep

from scorekeeper.paths import STATIC
from tests.bench.bench import HANDS, Bench
from tests.bench.client import HTMX, WrongAnswer
from tests.bench.figure import Figure
from tests.bench.record_hand import hand_form
from tests.bench.server import SERVE_BARE, Connection, Server, serving
from tests.bench.timing import percentile

PHONES = 10
SECONDS = 30.0
"""How long they are watched while nothing changes."""
WRITTEN = 12
"""Hands that are written while they follow."""
SHARE = 0.95
SOON = 2.0
MOST_OF_A_CORE = 1.5
"""Per cent."""


def period() -> float:
    """Return the seconds between two polls of a phone, read from its script."""
    found = re.search(r"EVERY = ([0-9]+)", (STATIC / "js" / "live.js").read_text(encoding="utf-8"))
    if found is None:
        raise WrongAnswer("live.js does not say how often it asks")
    return int(found[1]) / 1000


@dataclass(slots=True)
class Watcher:
    """A phone that polls, and knows the last version that it has seen."""

    line: Connection
    path: str
    seen: int
    due: float

    def ask(self) -> bool:
        """Poll once, and return whether something was new."""
        status = self.line.get(f"{self.path}?v={self.seen}", headers=HTMX, status=None).status
        if status not in (200, 204):
            raise WrongAnswer(f"{self.path} answered {status}")
        self.due += period()
        return status == 200


@contextmanager
def watching(server: Server, home: str, path: str, seen: int) -> Iterator[list[Watcher]]:
    """Open a match on several phones, one after the other within one period."""
    begin, every = perf_counter(), period()
    phones = [Watcher(Connection(server), path, seen, begin + every * n / PHONES) for n in range(PHONES)]
    for phone in phones:
        phone.line.get(home)
    try:
        yield phones
    finally:
        for phone in phones:
            phone.line.close()


def _next(phones: list[Watcher], until: float = inf) -> Watcher | None:
    """Wait for the next phone that is due; return `None` if that is after the deadline."""
    phone = min(phones, key=lambda phone: phone.due)
    if phone.due > until:
        sleep(max(until - perf_counter(), 0))
        return None
    sleep(max(phone.due - perf_counter(), 0))
    return phone


def polling_figure(bench: Bench) -> Figure:
    """Measure how much of one core ten polling phones take while nobody writes."""
    match = bench.load(bench.codes[0])
    base = f"/matches/{match.code}/"
    with serving(bench) as server:
        real = _share(server, base, f"{base}board", match.version)
    with serving(bench, SERVE_BARE) as server:
        floor = _share(server, "/", "/", 0)
    return Figure(
        name="ten_phones_polling",
        value=real,
        unit="%",
        floor=floor,
        limit=MOST_OF_A_CORE,
        label=f"of one core, for {PHONES} phones that follow",
        floor_label="as many questions to a bare Flask view under the same server",
    )


def _share(server: Server, home: str, path: str, seen: int) -> float:
    with watching(server, home, path, seen) as phones:
        begin, busy = perf_counter(), server.busy()
        while phone := _next(phones, begin + SECONDS):
            phone.ask()
        # No processor time is counted finer than this.
        return max(server.busy() - busy, 0.01) / (perf_counter() - begin) * 100


def following_figure(bench: Bench) -> Figure:
    """Measure how long a hand saved on one phone takes to show on ten others."""
    with serving(bench) as server:
        delays = list(_delays(server, bench))
    return Figure(
        name="seconds_to_follow_p95",
        value=percentile(delays, SHARE),
        unit="s",
        floor=SHARE * period(),
        limit=SOON,
        label=f"until other phones have a saved hand, p95 of {len(delays)}",
        floor_label="that share of the time between two questions",
    )


def _delays(server: Server, bench: Bench) -> Iterator[float]:
    match, chance = bench.load(bench.codes[-2]), Random(4)
    base, written = f"/matches/{match.code}/", match.version
    writer = Connection(server)
    token = writer.token(base)
    with watching(server, base, f"{base}board", written) as phones:
        for number in range(HANDS, HANDS + WRITTEN):
            pause = perf_counter() + chance.uniform(0, period())
            while phone := _next(phones, pause):
                phone.ask()
            writer.post(f"{base}hands/new", hand_form(match, number, token))
            saved, behind, written = perf_counter(), list(phones), written + 1
            while behind and (phone := _next(behind)):
                if phone.ask():
                    yield perf_counter() - saved
                    phone.seen = written
                    behind.remove(phone)
    writer.close()
