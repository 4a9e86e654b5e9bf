"""Phones that follow a match, ten and two hundred: how soon they show a saved hand, and what their polling costs."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from math import inf
from random import Random
from selectors import EVENT_READ, DefaultSelector
from statistics import median
from threading import Thread
from time import perf_counter, sleep

from scorekeeper.extensions import db
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.roles import WATCHER
from scorekeeper.paths import STATIC
from scorekeeper.store.links import MATCH_LINKS
from tests.bench.bench import HANDS, HTMX, SERVE_BARE, Bench, Connection, Line, Server, WrongAnswer, cookie_of, serving
from tests.bench.figure import Figure, percentile
from tests.bench.in_process import hand_form

FEW = 10
SECONDS = 30.0
"""How long they are watched while nothing changes."""
WRITTEN_FOR_FEW = 12
"""Hands that are written while they follow."""
SHARE_OF_FEW = 0.95
SOON_FOR_FEW = 2.0
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
    phones = [Watcher(Connection(server), path, seen, begin + every * n / FEW) for n in range(FEW)]
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
        label=f"of one core, for {FEW} phones that follow",
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
        value=percentile(delays, SHARE_OF_FEW),
        unit="s",
        floor=SHARE_OF_FEW * period(),
        limit=SOON_FOR_FEW,
        label=f"until other phones have a saved hand, p95 of {len(delays)}",
        floor_label="that share of the time between two questions",
    )


def _delays(server: Server, bench: Bench) -> Iterator[float]:
    match, chance = bench.load(bench.codes[-2]), Random(4)
    base, written = f"/matches/{match.code}/", match.version
    writer = Connection(server)
    token = writer.token(base)
    with watching(server, base, f"{base}board", written) as phones:
        for number in range(HANDS, HANDS + WRITTEN_FOR_FEW):
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


PHONES = 200
WRITTEN = 4
"""Hands that are saved while they follow."""
PERIODS = 3
"""From one hand to the next: quicker than anybody plays."""
SHARE = 0.99
SOON = 2.1
MOST_TIMES = 1.6
_SPREAD = 5


@dataclass(slots=True)
class CrowdPhone:
    """A phone that has the match open, as its script asks."""

    line: Line
    path: str
    """Where it asks, up to the version that it shows."""
    seen: int
    due: float
    request: bytes = b""
    is_waiting: bool = False

    def ask(self) -> None:
        """Ask whether anything is new, and set when to ask again."""
        if self.is_waiting:
            raise WrongAnswer(f"{self.path} was not answered within {period()} s")
        self.request = self.request or self.line.request(f"{self.path}{self.seen}", HTMX)
        self.line.ask(self.request)
        self.is_waiting = True
        self.due += period()

    def read(self) -> bool:
        """Read what has come, and return whether it is something new."""
        status = self.line.read()
        if status is None:
            return False
        if status not in (200, 204):
            raise WrongAnswer(f"{self.path} answered {status}")
        self.is_waiting = False
        if status == 200:
            self.seen, self.request = self.seen + 1, b""
        return status == 200


@dataclass(slots=True)
class CrowdOutcome:
    """What came of an evening."""

    questions: int = 0
    busy: float = 0.0
    """CPU seconds of the server."""
    saved: dict[int, float] = field(default_factory=dict)
    """By version: when it was acknowledged."""
    shown: list[tuple[int, float]] = field(default_factory=list)
    """Each time that a phone had a new version: which, and when."""

    @property
    def delays(self) -> list[float]:
        """The seconds from each saved hand to each phone."""
        return [max(at - self.saved[version], 0.0) for version, at in self.shown]

    @property
    def each(self) -> float:
        """CPU seconds a question."""
        return self.busy / self.questions


def crowd_delay_figure(bench: Bench) -> Figure:
    """Measure how long a hand saved on one phone takes to show on two hundred others."""
    delays = _evenings(bench)[0].delays
    return Figure(
        name="seconds_to_follow_200_p99",
        value=percentile(delays, SHARE),
        unit="s",
        floor=SHARE * period(),
        limit=SOON,
        label=f"until {PHONES} phones have a saved hand, p99 (p50 {median(delays):.2g} s)",
        floor_label="that share of the time between two questions",
    )


def crowd_cost_figure(bench: Bench) -> Figure:
    """Measure what a question of theirs takes, the hands among it, beside one to a bare view."""
    real, bare = _evenings(bench)
    return Figure(
        name="question_of_200_phones",
        value=real.each * 1000,
        floor=bare.each * 1000,
        limit=MOST_TIMES * bare.each * 1000,
        label=f"CPU for a question of {PHONES} phones, a hand each {PERIODS * period():.1f} s",
        floor_label="as many questions to a bare Flask view under the same server",
    )


@lru_cache(maxsize=1)
def _evenings(bench: Bench) -> tuple[CrowdOutcome, CrowdOutcome]:
    """Return what came of an evening, and of as many questions to a bare view."""
    match = bench.load(bench.codes[-3])
    codes = _links(bench, match)
    with serving(bench) as server:
        homes = [f"/matches/{code}/" for code in codes]
        paths = [f"{home}board?role={WATCHER}&v=" for home in homes]
        with _phones(server, homes, paths, match.version) as phones:
            real = _evening(server, phones, match)
    with serving(bench, SERVE_BARE) as server:
        with _phones(server, ["/"] * PHONES, ["/?v="] * PHONES, 0) as phones:
            bare = _evening(server, phones, None)
    return real, bare


def _links(bench: Bench, match: Match) -> list[str]:
    """Let each phone in by a link of its own."""
    codes = [f"{match.code}{number:03}"[-len(match.code) :] for number in range(PHONES)]
    with bench.app.app_context():
        for code in codes:
            MATCH_LINKS.add(db.session, match.id, code, WATCHER, datetime.now(UTC))
        db.session.commit()
    return codes


@contextmanager
def _phones(server: Server, homes: list[str], paths: list[str], seen: int) -> Iterator[list[CrowdPhone]]:
    """Open the match on every phone, which then asks from any moment of a period on."""
    lines = [Line(server, cookie_of(server, home)) for home in homes]
    begin, chance = perf_counter(), Random(_SPREAD)
    named = zip(lines, paths, strict=True)
    phones = [CrowdPhone(line, path, seen, begin + chance.uniform(0, period())) for line, path in named]
    try:
        yield phones
    finally:
        for line in lines:
            line.close()


def _evening(server: Server, phones: list[CrowdPhone], match: Match | None) -> CrowdOutcome:
    """Let the phones ask while hands are saved, if there is a match, and until all have shown the last one."""
    outcome = CrowdOutcome()
    writer = Thread(target=_write, args=(server, match, outcome)) if match else None
    selector = DefaultSelector()
    for phone in phones:
        selector.register(phone.line.socket, EVENT_READ, phone)
    busy, until = server.busy(), perf_counter() + (PERIODS * WRITTEN + 1) * period()
    if writer:
        writer.start()
    while (now := perf_counter()) < until or any(phone.is_waiting for phone in phones):
        upcoming = until
        for phone in phones:
            if phone.due <= now < until:
                phone.ask()
                outcome.questions += 1
            upcoming = min(upcoming, phone.due)
        for key, _ in selector.select(timeout=max(upcoming - perf_counter(), 0.0005)):
            if key.data.read() and match:
                outcome.shown.append((key.data.seen, perf_counter()))
    outcome.busy = max(server.busy() - busy, 0.01)
    if writer:
        writer.join()
    selector.close()
    if len(outcome.shown) != len(outcome.saved) * len(phones):
        raise WrongAnswer(f"{len(outcome.saved)} hands were shown {len(outcome.shown)} times by {len(phones)} phones")
    return outcome


def _write(server: Server, match: Match, outcome: CrowdOutcome) -> None:
    """Save one hand after the other."""
    line, path = Connection(server), f"/matches/{match.code}/"
    token = line.token(path)
    for number in range(WRITTEN):
        sleep(PERIODS * period() * (0.5 if number == 0 else 1.0))
        line.post(f"{path}hands/new", hand_form(match, HANDS + number, token))
        outcome.saved[match.version + number + 1] = perf_counter()
    line.close()
