"""How long other pages take while PDFs are being made."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from time import perf_counter

from scorekeeper.printing.kinds import KINDS
from scorekeeper.printing.print_options import INK_NAMES, PAPER_NAMES
from tests.bench.bench import Bench
from tests.bench.client import WrongAnswer
from tests.bench.figure import Figure
from tests.bench.server import Connection, serving
from tests.bench.timing import percentile

LONGEST = 50.0
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
        limit=LONGEST,
        label="other pages while PDFs are made, p99",
        floor_label="the same pages while nothing is printed",
    )


def _score_sheet_paths(code: str) -> list[str]:
    ways = product(PAPER_NAMES, INK_NAMES, KINDS["result"].sizes)
    return [f"/matches/{code}/result.pdf?paper={paper}&ink={ink}&size={size}" for paper, ink, size in ways]


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
