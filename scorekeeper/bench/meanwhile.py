"""How long other pages take while a PDF is being made."""

from collections.abc import Callable
from threading import Thread
from time import perf_counter

from scorekeeper.bench.figure import Figure
from scorekeeper.bench.house import House
from scorekeeper.bench.served import Line, serving
from scorekeeper.bench.timing import percentile

LONGEST = 50.0
SHARE = 0.99
PRINTED = 5
QUIET = 2.0
"""Seconds of the same pages without any printing."""


def meanwhile_figure(house: House) -> Figure:
    """Ask for the match page again and again while another phone prints sheets that nobody has printed yet."""
    match = house.load(house.codes[-1])
    with serving(house) as server:
        pages, printer = Line(server), Line(server)
        path, sheet = f"/matches/{match.code}/", f"/rules/{match.state.ruleset.id}.pdf"
        printer.get(f"{sheet}?target=99")  # what printing needs is read in once
        quiet = _ask_until(pages, path, _after(QUIET))
        printing = Thread(target=_print, args=(printer, sheet))
        printing.start()
        busy = _ask_until(pages, path, lambda: not printing.is_alive())
        printing.join()
        pages.close()
        printer.close()
    return Figure(
        name="page_while_printing_p99",
        value=percentile(busy, SHARE) * 1000,
        unit="ms",
        floor=percentile(quiet, SHARE) * 1000,
        limit=LONGEST,
        told="other pages while a PDF is made, p99",
        floor_told="the same pages while nothing is printed",
        is_held_to=False,
    )


def _print(line: Line, sheet: str) -> None:
    for number in range(PRINTED):
        line.get(f"{sheet}?target={100 + number}")


def _after(seconds: float) -> Callable[[], bool]:
    until = perf_counter() + seconds
    return lambda: perf_counter() > until


def _ask_until(line: Line, path: str, is_over: Callable[[], bool]) -> list[float]:
    taken = []
    while not is_over():
        taken.append(line.get(path).seconds)
    return taken
