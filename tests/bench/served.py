"""What is measured of a server or a command: pages a second, memory, and ten thousand records."""

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from html import unescape
from itertools import cycle, islice, product
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from scorekeeper.matches.fold import Match
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.printing.kinds import SHEET_KINDS
from scorekeeper.printing.print_options import INK_NAMES, PAPER_NAMES
from scorekeeper.web.library import library
from tests.bench.bench import (
    HANDS,
    HTMX,
    SERVE_BARE,
    Bench,
    Connection,
    Server,
    WrongAnswer,
    serving,
)
from tests.bench.figure import Figure, percentile, timed
from tests.bench.in_process import hand_form
from tests.cluster.line import Line
from tests.common.threads import in_thread

CLIENTS = 8
SECONDS = 5.0
SLOWEST = 3.5
"""Milliseconds a page: 285 of them in a second."""


def throughput_figure(bench: Bench) -> Figure:
    """Ask for one match's page on several connections at once, each phone with a cookie of its own."""
    path = f"/matches/{bench.codes[0]}/"
    with serving(bench) as server:
        pages = in_thread(lambda: asyncio.run(_ask_for(server, path)))
    with serving(bench, SERVE_BARE) as server:
        bare = in_thread(lambda: asyncio.run(_ask_for(server, "/")))
    return Figure(
        name="match_page_served",
        value=1000 / pages,
        floor=1000 / bare,
        limit=SLOWEST,
        label=f"a match page from one server to {CLIENTS} phones at once",
        floor_label="a bare Flask view that answers with one word, under the same server",
    )


async def _ask_for(server: Server, path: str) -> float:
    """Return how many answers came in a second, after the first ones, which bring the cookies."""
    lines = [Line(server.port) for _ in range(CLIENTS)]
    for line in lines:
        await line.get(path)
    begin = perf_counter()

    async def ask(line: Line) -> int:
        answered = 0
        while perf_counter() < begin + SECONDS:
            answer = await line.get(path)
            if answer.status != 200:
                raise WrongAnswer(f"{path} answered {answer.status}")
            answered += 1
        line.close()
        return answered

    return sum(await asyncio.gather(*map(ask, lines))) / (perf_counter() - begin)


REQUESTS = 1000
TABLES = 8
MAX_MEMORY = 140.0


def memory_figure(bench: Bench) -> Figure:
    """Request every kind of page but the PDFs, record hands, and measure how large the process has grown."""
    match = bench.load(bench.codes[0])
    with serving(bench) as server:
        line = Connection(server)
        for visit in islice(_visits(line, match, bench.codes[:TABLES]), REQUESTS):
            visit()
        held = server.megabytes()
        line.close()
    with serving(bench, SERVE_BARE) as server:
        line = Connection(server)
        for _ in range(REQUESTS):
            line.get("/")
        least = server.megabytes()
        line.close()
    return Figure(
        name="server_memory",
        value=held,
        unit="MiB",
        floor=least,
        limit=MAX_MEMORY,
        label=f"memory of the server after {REQUESTS:,} requests",
        floor_label="a bare Flask view under the same server, after as many",
    )


def _visits(line: Connection, match: Match, codes: tuple[str, ...]) -> Iterator[Callable[[], object]]:
    """Yield requests for one page after the other, of every kind."""
    code, number = match.code, HANDS
    base = f"/matches/{code}"
    token = line.token(f"{base}/")
    rulesets = [ruleset.id for ruleset in library()]
    while True:
        variant, form = rulesets[number % len(rulesets)], hand_form(match, number, token)
        yield partial(line.get, f"{base}/hands/new")
        yield partial(line.post, f"{base}/hands/preview", {**form, "asks": "|"}, status=200, headers=HTMX)
        yield partial(line.post, f"{base}/hands/new", form)
        number += 1
        yield partial(_poll_twice, line, f"{base}/board?v={number - 1}")
        other = codes[number % len(codes)]
        paths = (f"/matches/{other}/", "/", f"{base}/history", f"{base}/menu", f"{base}/rules")
        for path in (*paths, f"/rules/{variant}", "/new", f"/new/{variant}", "/transfer", "/static/css/base.css"):
            yield partial(line.get, path)


def _poll_twice(line: Connection, path: str) -> None:
    """Poll for a newer board, then poll the address in that board, which must report nothing new."""
    board = line.get(path, headers=HTMX).text
    following = re.search(r'id="board" hx-get="([^"]+)"', board)
    if not following:
        raise WrongAnswer(f"{path} has no board that asks again")
    line.get(unescape(following[1]), status=204, headers=HTMX)


MAX_WHILE_PRINTING = 50.0
SHARE = 0.99
PRINTERS = 4
PRINTED = 6
QUIET = 2.0
"""Seconds of the same pages without any printing."""


def while_printing_figure(bench: Bench) -> Figure:
    """Request the match page again and again while phones print rules and scores that are not cached yet.

    The printer serves one of them at a time; the others ask again without a pause.
    """
    match = bench.load(bench.codes[-1])
    with serving(bench) as server:
        pages, printers = Connection(server), [Connection(server) for _ in range(PRINTERS)]
        path, rules = f"/matches/{match.code}/", f"/rules/{match.state.ruleset.id}.pdf"
        printers[0].get(f"{rules}?target=99")  # what printing needs is read in once
        quiet = _ask_until(pages, path, _after(QUIET))
        rule_sheets = [f"{rules}?target={100 + n}" for n in range(PRINTED)]
        sheets = [rule_sheets[first :: PRINTERS - 1] for first in range(PRINTERS - 1)]
        sheets.append(_score_sheet_paths(match.code)[:PRINTED])
        with ThreadPoolExecutor() as threads:
            printing = [threads.submit(_print, line, paths) for line, paths in zip(printers, sheets, strict=True)]
            busy = _ask_until(pages, path, lambda: all(job.done() for job in printing))
        for job in printing:
            job.result()  # a sheet that was not printed is no figure
        for line in (pages, *printers):
            line.close()
    return Figure(
        name="page_while_printing_p99",
        value=percentile(busy, SHARE) * 1000,
        floor=percentile(quiet, SHARE) * 1000,
        limit=MAX_WHILE_PRINTING,
        label="other pages while PDFs are made, p99",
        floor_label="the same pages while nothing is printed",
    )


def _score_sheet_paths(code: str) -> list[str]:
    printings = product(PAPER_NAMES, INK_NAMES, SHEET_KINDS["result"].sizes)
    return [f"/matches/{code}/result.pdf?paper={paper}&ink={ink}&size={size}" for paper, ink, size in printings]


def _print(line: Connection, sheets: list[str]) -> None:
    for sheet in sheets:
        while (status := line.get(sheet, status=None).status) != 200:
            if status != 503:
                raise WrongAnswer(f"{sheet} answered {status}")


def _after(seconds: float) -> Callable[[], bool]:
    until = perf_counter() + seconds
    return lambda: perf_counter() > until


def _ask_until(line: Connection, path: str, is_over: Callable[[], bool]) -> list[float]:
    taken = []
    while not is_over():
        taken.append(line.get(path).seconds)
    return taken


RECORDS = 10_000
HANDS_OF_A_RECORD = 10
"""About as many as it takes two sides to get to the end."""
MAX_SCORING = 10.0
PEOPLE = (("Us", "Ann", "Cal"), ("Them", "Bo", "Dee"))
SCORE = ("-m", "scorekeeper", "score", "--lines")
COPY = ("-c", "import json, sys\nfor line in sys.stdin: print(json.dumps(json.loads(line)))")


def score_records_figure(bench: Bench) -> Figure:
    """Time the command against a program that only reads and writes the same lines as JSON."""
    records, results = bench.folder / "records.jsonl", bench.folder / "results.jsonl"
    with records.open("w", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(record)}\n" for record in islice(_records(), RECORDS))
    floor = timed(lambda: _through(COPY, records, results))()
    real = timed(lambda: _through(SCORE, records, results))()
    _check(results)
    return Figure(
        name="score_10000_records",
        value=real,
        unit="s",
        floor=floor,
        limit=MAX_SCORING,
        label="10,000 records through score --lines",
        floor_label="reading and writing the same lines as JSON",
    )


def _through(command: tuple[str, ...], records: Path, results: Path) -> None:
    with records.open("rb") as given, results.open("wb") as written:
        subprocess.run([sys.executable, *command], stdin=given, stdout=written, check=True)


def _check(results: Path) -> None:
    with results.open(encoding="utf-8") as file:
        statuses = [json.loads(line)["status"] for line in file]
    if len(statuses) != RECORDS or "refused" in statuses:
        raise WrongAnswer("not every record was scored")


def _records() -> Iterator[dict[str, Any]]:
    """Yield records of every variant that two pairs play and that leaves nothing to agree."""
    random = Random(21)
    pairs = [ruleset for ruleset in library() if ruleset.table.partners == {4: 2} and not ruleset.to_agree]
    pairs = [ruleset for ruleset in pairs if not ruleset.rare_awards]
    for ruleset in cycle(pairs):
        sides = [{"name": side, "players": players} for side, *players in PEOPLE]
        hands = [_hand(ruleset, random) for _ in range(HANDS_OF_A_RECORD)]
        yield {"format": "pitch-record/1", "variant": ruleset.id, "sides": sides, "hands": hands}


def _hand(ruleset: Ruleset, random: Random) -> dict[str, Any]:
    bidding = random.choice(PEOPLE)
    hand: dict[str, Any] = {"taken": {award: random.choice(PEOPLE)[0] for award in ruleset.in_play}}
    if ruleset.bidding.auction:
        hand["bidder"] = random.choice(bidding[1:])
        hand["bid"] = random.choice([bid for bid in ruleset.bids if isinstance(bid, int)])
    return hand
