"""Phones that follow a match and look at its pages, and one in each that writes; what none of them may ever see."""

import asyncio
import math
import random
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter

from scorekeeper.matches.fold import Match
from scorekeeper.web.respond import HTMX_HEADERS
from tests.bench.bench import TOKEN
from tests.bench.in_process import hand_form
from tests.cluster.line import Answer, Line, Unanswered
from tests.cluster.proxy import FLOOR

POLLS = 2.0
"""Seconds between two questions of a phone that follows."""
LOOKS = 10.0
"""Seconds between two whole pages of a phone."""
RETRY = 0.1
_VERSION = re.compile(r"/board\?v=(\d+)")
_SCORES = re.compile(r'data-score="(\w+)">\s*([^<]+?)\s*<')


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a table and its phones are."""

    hand: tuple[float, float]
    """Seconds from one hand to the next, at least and at most; the first comes as late at most."""
    polls: float = POLLS
    looks: float = LOOKS
    taps: tuple[float, float] | None = None
    """Seconds between two taps of the phone that saves, which opens the form, taps, and sees the match again; `None`
    where it only sends what it would have tapped."""


REAL = Pace(hand=(120.0, 240.0), polls=1.8, looks=math.inf, taps=(1.0, 4.0))
"""A hand every two to four minutes, and an open page that polls as `static/js/live.js` does."""
_BEFORE_A_TAP = ("csrf_token", "client_key", "version")


class SeenWrong(Exception):
    """A phone saw what nobody may see."""


@dataclass(eq=False)
class Table:
    """A match with its phones: what was acknowledged, and what has been seen."""

    match: Match
    newest: int = 0
    """The newest version that any phone has had an answer of."""
    seen: dict[int, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    """The scores at each version."""
    acknowledged: list[str] = field(default_factory=list)
    """The keys of the hands."""
    sent_again: int = 0

    def see(self, version: int, at_least: int, scores: tuple[tuple[str, str], ...] = ()) -> None:
        """Note what a phone sees; `at_least` is the newest version when it sent the request."""
        if version < at_least:
            raise SeenWrong(f"version {version} after version {at_least}")
        if scores and self.seen.setdefault(version, scores) != scores:
            raise SeenWrong(f"version {version} with {scores} and with {self.seen[version]}")
        self.newest = max(self.newest, version)


@dataclass
class Times:
    """How long responses took, by kind of request, each with when it was sent."""

    taken: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    failed: int = 0
    """How many requests had to be sent again."""

    async def of(self, kind: str, ask: Callable[[], Awaitable[Answer]]) -> Answer:
        """Time a request until it is answered, with every time that it had to be sent again."""
        begin = perf_counter()
        answer = await until_answered(ask, self.fail)
        self.taken.setdefault(kind, []).append((begin, perf_counter() - begin))
        return answer

    def fail(self) -> None:
        """Count a request that had to be sent again."""
        self.failed += 1

    def outside(self, kind: str, begin: float, end: float) -> list[float]:
        """Return the seconds of all that neither began nor waited within a time."""
        return [took for at, took in self.taken.get(kind, []) if at + took < begin or at > end]


async def until_answered(ask: Callable[[], Awaitable[Answer]], again: Callable[[], object] = lambda: None) -> Answer:
    """Ask until an answer comes."""
    while True:
        try:
            return await ask()
        except Unanswered:
            again()
            await asyncio.sleep(RETRY)


async def follow(port: int, path: str, table: Table, times: Times, until: float, pace: Pace) -> None:
    """Follow a match as a phone does that has its page open, and open the page now and then."""
    line, looks_at = Line(port), 0.0
    await asyncio.sleep(random.uniform(0, 5 * pace.polls))
    version = 0
    while perf_counter() < until:
        at_least = table.newest
        if perf_counter() >= looks_at:
            page = await times.of("page", partial(line.get, path))
            await times.of("floor", partial(line.get, FLOOR))
            looks_at = perf_counter() + random.uniform(0.5, 1.5) * pace.looks
        else:
            page = await times.of("poll", partial(line.get, f"{path}board?v={version}", **{HTMX_HEADERS[0]: "true"}))
        version = _see(page, version, table, at_least)
        await asyncio.sleep(pace.polls)
    line.close()


def _see(page: Answer, version: int, table: Table, at_least: int) -> int:
    if page.status == 204:
        table.see(version, at_least)
        return version
    found = _VERSION.search(page.text)
    if page.status != 200 or not found:
        raise SeenWrong(f"{page.status}: {page.text[:300]}")
    table.see(int(found[1]), at_least, tuple(_SCORES.findall(page.text)))
    return int(found[1])


async def write(port: int, table: Table, times: Times, until: float, pace: Pace) -> None:
    """Record one hand after the other, each until it is acknowledged."""
    line, path = Line(port), f"/matches/{table.match.code}/"
    page = await until_answered(lambda: line.get(f"{path}hands/new"))
    token = TOKEN.search(page.text)
    assert token
    number, longest = table.match.version, pace.hand[1]
    wait = random.uniform(0, longest)
    while perf_counter() + wait < until:
        await asyncio.sleep(wait)
        wait = random.uniform(*pace.hand)
        form = hand_form(table.match, number, token[1])
        if pace.taps:
            await _tap(line, path, form, times, pace.taps)

        async def send(form: dict[str, str] = form) -> Answer:
            return await line.post(f"{path}hands/new", form)

        def again() -> None:
            table.sent_again += 1
            times.fail()

        begin = perf_counter()
        answer = await until_answered(send, again)
        times.taken.setdefault("hand", []).append((begin, perf_counter() - begin))
        if answer.status != 303:
            raise SeenWrong(f"a hand was answered with {answer.status}: {answer.text[:500]}")
        number = int(answer.headers["location"].rpartition("said=")[2])
        table.acknowledged.append(form["client_key"])
        table.see(number, number)
        if pace.taps:
            await times.of("page", partial(line.get, answer.headers["location"]))
    line.close()


async def _tap(line: Line, path: str, form: dict[str, str], times: Times, pause: tuple[float, float]) -> None:
    """Open the form of a hand and fill it in, each answer counted and shown to other phones as it is tapped."""
    await times.of("page", partial(line.get, f"{path}hands/new"))
    tapped = {name: form[name] for name in _BEFORE_A_TAP}
    for name in [name for name in form if name not in (*_BEFORE_A_TAP, "do")]:
        await asyncio.sleep(random.uniform(*pause))
        tapped[name] = form[name]
        answer = await times.of("tap", partial(line.post, f"{path}hands/preview", tapped))
        if answer.status != 200:
            raise SeenWrong(f"a tap was answered with {answer.status}: {answer.text[:500]}")
