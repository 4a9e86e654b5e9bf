"""What the server holds in memory after an evening of visits."""

from collections.abc import Iterator
from itertools import islice

from scorekeeper.bench.figure import Figure
from scorekeeper.bench.house import HANDS, House
from scorekeeper.bench.phone import HTMX, token_in
from scorekeeper.bench.recording import hand_form
from scorekeeper.bench.served import SERVE_BARE, Line, serving
from scorekeeper.services.load import LoadedMatch
from scorekeeper.web.rulesets import library

REQUESTS = 1000
TABLES = 8
MOST = 120.0


def memory_figure(house: House) -> Figure:
    """Ask for every kind of page but the PDFs, and record hands, then look how large the process has grown."""
    match = house.load(house.codes[0])
    with serving(house) as server:
        line = Line(server)
        for _ in islice(_visits(line, match, house.codes[:TABLES]), REQUESTS):
            pass
        held = server.megabytes()
        line.close()
    with serving(house, SERVE_BARE) as server:
        line = Line(server)
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
        told=f"memory of the server after {REQUESTS:,} requests",
        floor_told="a bare Flask view under the same server, after as many",
    )


def _visits(line: Line, match: LoadedMatch, codes: tuple[str, ...]) -> Iterator[None]:
    """Make one request after the other: at the table, on the sofa, and all round the house."""
    code, number = match.code, HANDS
    base = f"/matches/{code}"
    token = token_in(line.get(f"{base}/").text)
    rulesets = [ruleset.id for ruleset in library()]
    yield
    while True:
        variant = rulesets[number % len(rulesets)]
        form = hand_form(match, number, token)
        line.get(f"{base}/hands/new")
        yield
        line.post(f"{base}/hands/preview", {**form, "asks": "|"}, status=200, headers=HTMX)
        yield
        line.post(f"{base}/hands/new", form)
        yield
        number += 1
        line.get(f"{base}/board?v={number - 1}", headers=HTMX)
        yield
        line.get(f"{base}/board?v={number}", status=204, headers=HTMX)
        yield
        other = codes[number % len(codes)]
        paths = (f"/matches/{other}/", "/", f"{base}/history", f"{base}/menu", f"{base}/rules")
        for path in (*paths, f"/rules/{variant}", "/new", f"/new/{variant}", "/transfer", "/static/css/base.css"):
            line.get(path)
            yield
