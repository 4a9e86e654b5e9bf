"""Hostile requests to every route of the app, made from its own map of addresses."""

import gzip
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from random import Random
from typing import Any
from urllib.parse import quote, urlencode

import sqlalchemy as sa
from flask.testing import FlaskClient
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from scorekeeper.database.engine import db
from tests.common.reading import forms_of, read
from tests.fuzz.hostile import MAX_QUERY_LENGTH, as_file, changed, changed_book, damaged, hostile_text
from tests.fuzz.world import RECORDS, World, house_file

SLOW = ("prints.", "rules.print_")
"""Endpoints that lay out pages for a printer."""
SLOW_SHARE = 0.5
"""How many of the requests to them may reach the printer."""
DOORS = ("transfer.upload", "book_transfer.upload")
"""Endpoints that take the file of a book."""
LONGEST = 10.0
"""Seconds of the processor: ten times what the budget of a request takes, for a machine that is slow."""
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY")
HEADERS = (
    {"HX-Request": "true"},
    {"HX-Request": "true", "HX-Boosted": "true"},
    {"HX-Request": "yes", "HX-Target": "\x1b", "HX-Current-URL": "http://[", "HX-Trigger": "x" * 500},
    {"Origin": "http://localhost"},
    {"Origin": "http://[", "Referer": "http://["},
    {"Accept-Language": "xx-" + "y" * 300 + ";q=a,en-US;q=NaN,*;q=-1"},
    {"Accept-Language": "de-DE-1996-u-hc-h12,zz"},
    {"Accept-Encoding": "br;q=x, gzip;q=2, *;q=0, identity;q=0"},
    {"Range": "bytes=5-1,-0,999-", "If-Range": "x"},
    {"If-None-Match": '*, W/"x', "If-Modified-Since": "yesterday"},
    {"X-Forwarded-For": "1.2.3.4, ::g", "X-Forwarded-Host": "evil.example", "X-Forwarded-Prefix": "//evil"},
    {"User-Agent": "\x1b[31m", "Content-Encoding": "gzip"},
    {"Host": "evil.example:99999"},
    {"Host": "[::1"},
    {"Host": ""},
)
COOKIES = (
    "scorekeeper=",
    "scorekeeper=x.y.z; scorekeeper=a",
    "scorekeeper=" + "A" * 5000,
    "scorekeeper=\x01\xff; =; ;;; a=b=c; theme=" + "z" * 200,
    "theme=dark\x00; size=; scorekeeper=eyJkZXZpY2UiOjF9.aaaa.bbbb",
    "theme=<script>; scorekeeper=.eJwNAAAA.x.x",
)


@dataclass(frozen=True, kw_only=True)
class HostileRequest:
    """One request, as the client of the tests sends it."""

    method: str
    path: str
    """With what follows the question mark, and quoted."""
    endpoint: str
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | dict[str, Any] | None = None
    content_type: str | None = None
    address: str = "127.0.0.1"
    """Where it comes from: of one, not everything is taken for long."""

    def __str__(self) -> str:
        body = repr(self.body)
        shown = body if len(body) < 1000 else f"{body[:1000]}… ({len(body)})"
        return f"{self.method} {self.path}\n  {self.headers} {self.content_type or ''}\n  {shown}"


class ServerFault(Exception):
    """A request was answered with a server error that was not meant."""


def routes(world: World) -> list[tuple[Rule, str]]:
    """Return every route with each of its methods."""
    rules = world.app.url_map.iter_rules()
    return sorted(
        ((rule, method) for rule in rules for method in (rule.methods or ()) if method not in ("HEAD", "OPTIONS")),
        key=lambda route: (route[0].rule, route[1]),
    )


def send(world: World, request: HostileRequest) -> int:
    """Send a request, and return the status; raises `ServerFault`."""
    client, begun = world.client(), time.thread_time()
    books, owners = _owners(world) if request.endpoint in DOORS else ({}, set())
    try:
        answer = client.open(
            request.path,
            method=request.method,
            headers=request.headers,
            data=request.body,
            content_type=request.content_type,
            environ_base={"REMOTE_ADDR": request.address},
        )
        content = answer.data
        if request.endpoint in DOORS and answer.status_code == 200:
            answer = _confirmed(client, answer)
    except Exception as error:
        raise ServerFault(f"{type(error).__name__}: {error}") from error
    took = time.thread_time() - begun
    if took > LONGEST:
        raise ServerFault(f"it took {took:.1f} s of the processor")
    is_explained = content or request.method == "HEAD"
    if answer.status_code >= 500 and not (answer.status_code == 503 and is_explained):
        raise ServerFault(f"status {answer.status_code}")
    new = _owners(world)[1] - owners if books else set()
    # Whoever has the book that a match was in had the match anyway.
    if any(by_book is None or by_book != books[match] for match, _, by_book in new if match in books):
        raise ServerFault("an import made a phone an owner of a match that was here")
    return int(answer.status_code)


BOOKS = sa.text('SELECT "match".id, book_id FROM "match" LEFT JOIN book_match ON match_id = "match".id')
OWNERS = sa.text("""SELECT link.match_id, link.id, book_link.book_id FROM link
    LEFT JOIN book_link ON book_link.id = link.book_link_id WHERE link.role = 'owner'""")
"""The links that own each match, with the book that gave them."""


def _owners(world: World) -> tuple[dict[int, int | None], set[tuple[int, int, int | None]]]:
    """Return the book of each match, and the links that own one."""
    with world.app.app_context():
        books = {match: book for match, book in db.session.execute(BOOKS)}
        return books, {(match, link, book) for match, link, book in db.session.execute(OWNERS)}


def _confirmed(client: FlaskClient, answer: TestResponse) -> TestResponse:
    """Import the file that was looked at, as its page offers."""
    page = gzip.decompress(answer.data).decode() if answer.content_encoding == "gzip" else answer.text
    for form in forms_of(read(page)):
        if form.action.endswith("confirm"):
            return client.post(form.action, data=form.fields)
    return answer


def fuzz(world: World, rng: Random, count: int) -> Iterator[tuple[HostileRequest, int]]:
    """Send hostile requests, the routes in turn, and yield each with its status; raises `ServerFault`."""
    turn: list[tuple[Rule, str]] = []
    for _ in range(count):
        if not turn:
            turn = routes(world)
            rng.shuffle(turn)
        request = hostile_request(world, rng, *turn.pop())
        yield request, send_noted(world, request)


def send_noted(world: World, request: HostileRequest) -> int:
    """Send a request, and return the status; a `ServerFault` has the request in its note."""
    try:
        return send(world, request)
    except ServerFault as fault:
        fault.add_note(str(request))
        raise


def hostile_request(world: World, rng: Random, rule: Rule, method: str) -> HostileRequest:
    """Return a request to a route, in which something is as nobody would send it."""
    key = f"{method} {rule.endpoint}"
    learned = world.forms[key]
    is_slow = rule.endpoint.startswith(SLOW) and rng.random() > SLOW_SHARE
    path, fields = _path(world, rng, rule, is_broken=is_slow), [("version", "3"), ("client_key", "k")]
    if learned and not is_slow:
        known_path, form = rng.choice(learned)
        fields = list(form.items())
        path = known_path if rng.random() < 0.75 else path
    known = sorted({name for forms in world.forms.values() for _, form in forms for name in form})
    fields = _changed_fields(rng, fields, known)
    query = fields if method == "GET" else _changed_fields(rng, [], known)
    if rule.endpoint in DOORS and rng.random() < 0.8:
        path = _path(world, rng, rule, is_broken=False)
    if method == "GET" or rng.random() < 0.2:
        path = f"{path}{'&' if '?' in path else '?'}{urlencode(query, errors='replace')[:MAX_QUERY_LENGTH]}"
    body, content_type = (None, None) if method == "GET" else _body(world, rng, fields, rule.endpoint)
    headers = dict(rng.choice(HEADERS)) if rng.random() < 0.4 else {}
    if rng.random() < 0.15:
        headers["Cookie"] = rng.choice(COOKIES)
    if rng.random() < 0.06:
        method = rng.choice(METHODS)
    return HostileRequest(
        method=method,
        path=path,
        endpoint=rule.endpoint,
        headers=headers,
        body=body,
        content_type=content_type,
        address=f"10.{rng.randrange(256)}.{rng.randrange(256)}.{rng.randrange(256)}",
    )


def address_of(rule: Rule, part: Callable[[str, bool], str]) -> str:
    """Return an address of a route, each part of which is chosen by its name and whether it is a number."""
    parts = [
        part(data, "Integer" in type(rule._converters[data]).__name__) if is_dynamic else data.replace("|", "")
        for is_dynamic, data in rule._trace
    ]
    return f"/{''.join(parts).lstrip('/')}"


def _path(world: World, rng: Random, rule: Rule, *, is_broken: bool) -> str:
    """Return an address of a route; a broken one leads to nothing."""

    def part(name: str, is_number: bool) -> str:
        if is_number:
            return rng.choice(("1", "2", "3", "0", "999", "2026", "9" * 25, "2147483648", "9223372036854775808"))
        if is_broken or rng.random() < 0.15:
            return quote(hostile_text(rng)[:300].replace("/", "") or "x", safe="", errors="replace")
        return _named(world, rng, rule, name)

    return address_of(rule, part)


def _named(world: World, rng: Random, rule: Rule, name: str) -> str:
    """Return what an address names there; now and then what another one names."""
    before = rule.rule.partition(f"{name}>")[0].rpartition("<")[0]
    return rng.choice(world.named[before] if rng.random() < 0.9 else rng.choice([*world.named.values()]))


def _changed_fields(rng: Random, fields: list[tuple[str, str]], known: list[str]) -> list[tuple[str, str]]:
    fields = list(fields)
    for _ in range(rng.choice((0, 1, 1, 2, 3, 6))):
        kind, at = rng.random(), rng.randrange(len(fields) + 1)
        if kind < 0.5 and fields:
            at %= len(fields)
            fields[at] = (fields[at][0], hostile_text(rng))
        elif kind < 0.6 and fields:
            del fields[at % len(fields)]
        elif kind < 0.7 and fields:
            fields.insert(at, (fields[at % len(fields)][0], hostile_text(rng)))
        elif kind < 0.95 and known:
            fields.append((rng.choice(known), hostile_text(rng)))
        else:
            fields.append((hostile_text(rng)[:50], hostile_text(rng)))
    return fields


def _body(
    world: World, rng: Random, fields: list[tuple[str, str]], endpoint: str
) -> tuple[bytes | dict[str, Any], str | None]:
    kind = rng.random()
    if endpoint in DOORS and kind < 0.8:
        return _multipart(rng, fields, changed_book(rng, world.file))
    if kind < 0.65:
        return urlencode(fields, errors="replace").encode(), "application/x-www-form-urlencoded"
    if kind < 0.85:
        return _multipart(rng, fields)
    if kind < 0.9:
        content, content_type = _multipart(rng, fields)
        return damaged(rng, content), rng.choice(
            (content_type, "multipart/form-data", "multipart/form-data; boundary=")
        )
    if kind < 0.95:
        return as_file(rng, changed(rng, RECORDS[0])), rng.choice(
            ("application/json", "text/plain", "a/b;charset=\x1b")
        )
    return rng.randbytes(rng.choice((0, 1, 50, 140_000))), "application/x-www-form-urlencoded; charset=utf-16"


def _multipart(rng: Random, fields: list[tuple[str, str]], file: bytes | None = None) -> tuple[bytes, str]:
    boundary = "b0undary"
    content = BytesIO()
    for name, value in fields:
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{quote(name, errors="replace")}"\r\n\r\n'
        content.write(head.encode() + value.encode("utf-8", "replace") + b"\r\n")
    file = file or (house_file(rng) if rng.random() < 0.3 else _records(rng))
    name = quote(hostile_text(rng)[:100], errors="replace")
    for part in ("record", "file"):
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{part}"; filename="{name}"\r\n\r\n'
        content.write(head.encode() + file + b"\r\n")
    content.write(f"--{boundary}--\r\n".encode())
    return content.getvalue(), f"multipart/form-data; boundary={boundary}"


def _records(rng: Random) -> bytes:
    records = [changed(rng, rng.choice(RECORDS), rng.choice((0, 1, 1, 2, 5))) for _ in range(rng.choice((1, 1, 2)))]
    return b"\n".join(as_file(rng, record) for record in records)
