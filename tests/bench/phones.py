"""Two hundred phones that follow a match: how soon they show a saved hand, and what their polling costs."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache, partial
from random import Random
from selectors import EVENT_READ, DefaultSelector
from statistics import median
from threading import Thread
from time import perf_counter, sleep

from scorekeeper.access.links import MATCH_LINKS
from scorekeeper.database.engine import db
from scorekeeper.eventlog.stream import WATCHER
from scorekeeper.matches.fold import Match
from scorekeeper.paths import STATIC
from tests.bench.bench import HANDS, HTMX, SERVE_BARE, Bench, Connection, Line, Server, WrongAnswer, cookie_of, serving
from tests.bench.figure import Figure, percentile
from tests.bench.in_process import hand_form

_SPREAD = 5


def period() -> float:
    """Return the seconds between two polls of a phone, read from its script."""
    found = re.search(r"EVERY = ([0-9]+)", (STATIC / "js" / "live.js").read_text(encoding="utf-8"))
    if found is None:
        raise WrongAnswer("live.js does not say how often it asks")
    return int(found[1]) / 1000


@dataclass(slots=True)
class Phone:
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
class Outcome:
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


@contextmanager
def _phones(server: Server, homes: Sequence[str], paths: Sequence[str], seen: int) -> Iterator[list[Phone]]:
    """Open a match on every phone, which then asks from any moment of a period on."""
    lines = [Line(server, cookie_of(server, home)) for home in homes]
    begin, chance = perf_counter(), Random(_SPREAD)
    named = zip(lines, paths, strict=True)
    phones = [Phone(line, path, seen, begin + chance.uniform(0, period())) for line, path in named]
    try:
        yield phones
    finally:
        for line in lines:
            line.close()


def _evening(
    server: Server, phones: list[Phone], seconds: float, write: Callable[[Server, Outcome], object] | None = None
) -> Outcome:
    """Let the phones ask for so long, while somebody may save hands, and until all have shown the last one."""
    outcome = Outcome()
    writer = Thread(target=write, args=(server, outcome)) if write else None
    selector = DefaultSelector()
    for phone in phones:
        selector.register(phone.line.socket, EVENT_READ, phone)
    busy, until = server.busy(), perf_counter() + seconds
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
            if key.data.read() and write:
                outcome.shown.append((key.data.seen, perf_counter()))
    # No processor time is counted finer than this.
    outcome.busy = max(server.busy() - busy, 0.01)
    if writer:
        writer.join()
    selector.close()
    if len(outcome.shown) != len(outcome.saved) * len(phones):
        raise WrongAnswer(f"{len(outcome.saved)} hands were shown {len(outcome.shown)} times by {len(phones)} phones")
    return outcome


def _write(match: Match, pauses: Sequence[float], server: Server, outcome: Outcome) -> None:
    """Save a hand after each pause."""
    line, path = Connection(server), f"/matches/{match.code}/"
    token = line.token(path)
    for number, pause in enumerate(pauses):
        sleep(pause)
        line.post(f"{path}hands/new", hand_form(match, HANDS + number, token))
        outcome.saved[match.version + number + 1] = perf_counter()
    line.close()


PHONES = 200
WRITTEN = 4
"""Hands that are saved while they follow."""
PERIODS = 3
"""From one hand to the next: quicker than anybody plays."""
SHARE = 0.99
SOON = 2.1
MAX_TIMES = 1.6


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
        limit=MAX_TIMES * bare.each * 1000,
        label=f"CPU for a question of {PHONES} phones, a hand each {PERIODS * period():.1f} s",
        floor_label="as many questions to a bare Flask view under the same server",
    )


@lru_cache(maxsize=1)
def _evenings(bench: Bench) -> tuple[Outcome, Outcome]:
    """Return what came of an evening, and of as many questions to a bare view."""
    match, between = bench.load(bench.codes[-3]), PERIODS * period()
    pauses, seconds = [between / 2, *[between] * (WRITTEN - 1)], WRITTEN * between + period()
    homes = [f"/matches/{code}/" for code in _links(bench, match)]
    paths = [f"{home}board?role={WATCHER}&v=" for home in homes]
    with serving(bench) as server, _phones(server, homes, paths, match.version) as phones:
        real = _evening(server, phones, seconds, partial(_write, match, pauses))
    with serving(bench, SERVE_BARE) as server, _phones(server, ["/"] * PHONES, ["/?v="] * PHONES, 0) as phones:
        bare = _evening(server, phones, seconds)
    return real, bare


def _links(bench: Bench, match: Match) -> list[str]:
    """Let each phone in by a link of its own."""
    codes = [f"{match.code}{number:03}"[-len(match.code) :] for number in range(PHONES)]
    with bench.app.app_context():
        for code in codes:
            MATCH_LINKS.add(db.session, match.id, code, WATCHER, datetime.now(UTC))
        db.session.commit()
    return codes
