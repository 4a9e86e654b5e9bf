"""The server's memory after an evening of visits."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice

from scorekeeper.ledger.derive_match import Match
from scorekeeper.web.shared.library import library
from tests.bench.bench import HANDS, Bench
from tests.bench.client import HTMX
from tests.bench.figure import Figure
from tests.bench.record_hand import hand_form
from tests.bench.server import SERVE_BARE, Connection, serving

REQUESTS = 1000
TABLES = 8
MOST = 140.0


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
        limit=MOST,
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
        yield partial(line.get, f"{base}/board?v={number - 1}", headers=HTMX)
        yield partial(line.get, f"{base}/board?v={number}", status=204, headers=HTMX)
        other = codes[number % len(codes)]
        paths = (f"/matches/{other}/", "/", f"{base}/history", f"{base}/menu", f"{base}/rules")
        for path in (*paths, f"/rules/{variant}", "/new", f"/new/{variant}", "/transfer", "/static/css/base.css"):
            yield partial(line.get, path)
