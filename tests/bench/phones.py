"""Two hundred phones that follow a match: how soon they show a saved hand, and what their polling costs."""

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache, partial
from random import Random
from statistics import median
from time import perf_counter, sleep

from scorekeeper.access.links import MATCH_LINKS
from scorekeeper.database.engine import db
from scorekeeper.eventlog.stream import WATCHER
from scorekeeper.matches.fold import Match
from scorekeeper.paths import STATIC
from tests.bench.bench import HANDS, HTMX, SERVE_BARE, Bench, Connection, Server, WrongAnswer, serving
from tests.bench.figure import Figure, percentile
from tests.bench.in_process import hand_form
from tests.cluster.line import Line
from tests.common.threads import in_thread

_SPREAD = 5


def period() -> float:
    """Return the seconds between two polls of a phone, read from its script."""
    found = re.search(r"EVERY = ([0-9]+)", (STATIC / "js" / "live.js").read_text(encoding="utf-8"))
    if found is None:
        raise WrongAnswer("live.js does not say how often it asks")
    return int(found[1]) / 1000


@dataclass(slots=True)
class Outcome:
    """The measurements of an evening."""

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


async def _evening(
    server: Server,
    homes: Sequence[str],
    board: str,
    seen: int,
    seconds: float,
    write: Callable[[Server, Outcome], object] | None = None,
) -> Outcome:
    """Let phones ask at a board for so long, each for what came after the version that it shows; one may save hands."""
    outcome, lines, chance = Outcome(), [Line(server.port) for _ in homes], Random(_SPREAD)
    for line, home in zip(lines, homes, strict=True):
        await line.get(home)
    busy, until = server.busy(), perf_counter() + seconds
    asking = [
        _ask(line, f"{home}{board}", seen, chance.uniform(0, period()), until, outcome)
        for line, home in zip(lines, homes, strict=True)
    ]
    await asyncio.gather(*asking, *([asyncio.to_thread(write, server, outcome)] if write else []))
    # No processor time is counted finer than this.
    outcome.busy = max(server.busy() - busy, 0.01)
    if write and len(outcome.shown) != len(outcome.saved) * len(lines):
        raise WrongAnswer(f"{len(outcome.saved)} hands were shown {len(outcome.shown)} times by {len(lines)} phones")
    return outcome


async def _ask(line: Line, path: str, seen: int, wait: float, until: float, outcome: Outcome) -> None:
    """Ask once a period, as the script of a page does, beginning after a while."""
    due = perf_counter() + wait
    while due < until:
        await asyncio.sleep(due - perf_counter())
        due += period()
        answer = await line.get(f"{path}{seen}", **HTMX)
        if answer.status not in (200, 204) or perf_counter() > due:
            raise WrongAnswer(f"{path} answered {answer.status}, {perf_counter() - due + period():.1f} s later")
        outcome.questions += 1
        if answer.status == 200:
            seen += 1
            outcome.shown.append((seen, perf_counter()))
    line.close()


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
    """Return the measurements of an evening, and of as many requests to a bare view."""
    match, between = bench.load(bench.codes[-3]), PERIODS * period()
    pauses, seconds = [between / 2, *[between] * (WRITTEN - 1)], WRITTEN * between + period()
    homes = [f"/matches/{code}/" for code in _links(bench, match)]
    write = partial(_write, match, pauses)
    with serving(bench) as server:
        evening = _evening(server, homes, f"board?role={WATCHER}&v=", match.version, seconds, write)
        real = in_thread(partial(asyncio.run, evening))
    with serving(bench, SERVE_BARE) as server:
        bare = in_thread(partial(asyncio.run, _evening(server, ["/"] * PHONES, "?v=", 0, seconds)))
    return real, bare


def _links(bench: Bench, match: Match) -> list[str]:
    """Let each phone in by a link of its own."""
    codes = [f"{match.code}{number:03}"[-len(match.code) :] for number in range(PHONES)]
    with bench.app.app_context():
        for code in codes:
            MATCH_LINKS.add(db.session, match.id, code, WATCHER, datetime.now(UTC))
        db.session.commit()
    return codes
