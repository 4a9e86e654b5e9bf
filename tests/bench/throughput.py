"""How many match pages one server answers to several phones that ask without a pause."""

from selectors import EVENT_READ, DefaultSelector
from time import perf_counter

from tests.bench.bench import Bench
from tests.bench.client import WrongAnswer
from tests.bench.figure import Figure
from tests.bench.line import Line, cookie_of
from tests.bench.server import SERVE_BARE, Server, serving

CLIENTS = 8
SECONDS = 5.0
SLOWEST = 2.5
"""Milliseconds a page: 400 of them in a second."""


def throughput_figure(bench: Bench) -> Figure:
    """Ask for one match's page on several connections at once, each phone with a cookie of its own."""
    path = f"/matches/{bench.codes[0]}/"
    with serving(bench) as server:
        pages = _ask_for(server, path, [cookie_of(server, path) for _ in range(CLIENTS)])
    with serving(bench, SERVE_BARE) as server:
        bare = _ask_for(server, "/", [""] * CLIENTS)
    return Figure(
        name="match_page_served",
        value=1000 / pages,
        floor=1000 / bare,
        limit=SLOWEST,
        label=f"a match page from one server to {CLIENTS} phones at once",
        floor_label="a bare Flask view that answers with one word, under the same server",
    )


def _ask_for(server: Server, path: str, cookies: list[str]) -> float:
    """Return how many answers came in a second."""
    selector, answered = DefaultSelector(), 0
    lines = [Line(server, cookie) for cookie in cookies]
    for line in lines:
        request = line.request(path)
        selector.register(line.socket, EVENT_READ, (line, request))
        line.ask(request)
    begin = perf_counter()
    while (passed := perf_counter() - begin) < SECONDS:
        for key, _ in selector.select(timeout=1):
            line, request = key.data
            status = line.read()
            if status is None:
                continue
            if status != 200:
                raise WrongAnswer(f"{path} answered {status}")
            answered += 1
            line.ask(request)
    for line in lines:
        line.close()
    selector.close()
    return answered / passed
