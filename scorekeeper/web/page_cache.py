"""A cache of match pages, rendered once for all phones that see the same, also as answers to polls.

A cached page has placeholders for values that differ between phones or responses: the code of the link, the token and
keys of forms, and the theme. A placeholder is random at each start of the program, so nobody can type one.

Polls of open match pages are answered here without Flask where possible, since nearly every request is a poll: each
phone at a table polls every other second. If nothing is new, a poll takes one small select, a third of the time that
Flask needs for any page. A new page is rendered for the first phone that polls, and sent to the others with their own
link, token and keys.
"""

import re
import secrets
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from gzip import compress
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import parse_qsl
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, Response, current_app, g, make_response, request, session
from flask_wtf.csrf import generate_csrf
from markupsafe import Markup
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header, parse_cookie

from scorekeeper.access.phones import note_poll
from scorekeeper.access.roles import Head, Link
from scorekeeper.database.engine import engine_of
from scorekeeper.eventlog.cache import Cache
from scorekeeper.eventlog.stream import WATCHER
from scorekeeper.matches.fold import Match
from scorekeeper.matches.service import head_reader
from scorekeeper.server.watch import KIND, RULE
from scorekeeper.web.context import FIRST_VISIT, new_form_key
from scorekeeper.web.locale import FIXED_THEMES, date_style, theme, today, today_in, zone, zone_of
from scorekeeper.web.respond import READ_HEADERS, may_install, rendered, values_of, vary, wanted_blocks
from scorekeeper.web.security import common_headers, is_answered

if TYPE_CHECKING:
    from _typeshed import DataclassInstance, OptExcInfo

_SECRET = secrets.token_hex(16)
CODE, _TOKEN, _KEY, _THEME = (f"{_SECRET}{letter}" for letter in "ctkl")
_NOBODYS = Link(id=0, code=CODE, role=WATCHER, stream_id=0)
"""The link in a cached page, which must have nothing of the phone for which it is rendered."""
_PLACEHOLDER = re.compile(f"({_SECRET}[ctkl])".encode())
_cache = Cache[Hashable, list[bytes]](64)
"""The pieces of each page, some 35 kB in all; every second piece is a placeholder."""
_tokens = Cache[str, str](1000)
"""The CSRF tokens of forms by session cookie: a token lasts as long as its cookie."""

Viewer = TypeVar("Viewer", bound=Hashable)

POLLED = "scorekeeper.polled"
"""The key of the `Polled` in a request's environment."""


@dataclass(slots=True)
class Polled:
    """The answer to a poll, filled in by `render_cached` if other phones can share it."""

    match: Match | None = None
    pieces: list[bytes] = field(default_factory=list)


def render_cached(
    match: Match,
    viewer: Viewer,
    template: str,
    page: Callable[[Match, Viewer], "DataclassInstance"],
    *,
    block: Sequence[str],
    is_own: bool,
) -> Response:
    """Return a page of a match from the cache, or render it.

    `viewer` has all that the page depends on besides the match and the locale; with `is_own` the page also depends on
    the phone, and no poll of another phone gets it. `page` returns the values of the template, given the viewer and the
    match with a placeholder for its link.
    """
    blocks = wanted_blocks(block)
    reader = date_style(), zone(), today()
    key = (identity(match), template, blocks, viewer, request.script_root, may_install(), *reader)
    pieces = _cache.get(key)
    if pieces is None:
        with _rendering():
            shown = values_of(page(replace(match, link=_NOBODYS), viewer))
            pieces = _cache.put(key, _PLACEHOLDER.split(rendered(template, shown, blocks).encode()))
    own = {CODE: lambda: match.code, _TOKEN: _own_token, _KEY: new_form_key, _THEME: _chosen_theme}
    polled: Polled | None = request.environ.get(POLLED)
    if polled and not is_own:
        polled.match, polled.pieces = match, pieces
    return vary(make_response(_filled(pieces, own)))


def identity(match: Match) -> Hashable:
    """Return a key that identifies a match at its current version."""
    return match.id, match.setup.created_at, match.log.end


@contextmanager
def _rendering() -> Iterator[None]:
    g.has_placeholders = True
    try:
        yield
    finally:
        g.has_placeholders = False


def _filled(pieces: Sequence[bytes], values: Mapping[str, Callable[[], str]]) -> bytes:
    """Return a page with its placeholders filled in; raises `KeyError` for a missing value."""
    return b"".join(values[piece.decode()]().encode() if index % 2 else piece for index, piece in enumerate(pieces))


def _own_token() -> str:
    token: str = generate_csrf()
    if not session.modified:  # without a session cookie the token belongs to the cookie of this response
        cookie = request.cookies.get(current_app.config["SESSION_COOKIE_NAME"], "")
        _tokens.put(cookie, token)
    return token


def form_token() -> str:
    """Return the CSRF token of this phone, or in a cached page its placeholder."""
    return _TOKEN if g.get("has_placeholders") else generate_csrf()


def form_key() -> str:
    """Return a new idempotency key for a form, or in a cached page the placeholder."""
    return _KEY if g.get("has_placeholders") else new_form_key()


def theme_attribute() -> Markup:
    """Return the HTML attribute of this phone's theme, or in a cached page the placeholder."""
    return Markup(_THEME if g.get("has_placeholders") else _chosen_theme())


def _chosen_theme() -> str:
    chosen = theme()
    return f' data-theme="{chosen}"' if chosen in FIXED_THEMES else ""


Headers = list[tuple[str, str]]

_UNLIKE = ("content-length", "content-encoding", "date")
"""Headers that are not copied from one response to another."""
_PACKED = ("Content-Encoding", "gzip")
_COMPRESSION = 4
"""The gzip level, the same as for other pages."""
_POLL = re.compile(r"/matches/([A-Za-z0-9_-]{1,32})/board")
_READ = (
    *("QUERY_STRING", "SCRIPT_NAME", "wsgi.url_scheme", "HTTP_HOST", "HTTP_ACCEPT_LANGUAGE", "HTTP_ACCEPT_ENCODING"),
    *(f"HTTP_{name.upper().replace('-', '_')}" for name in READ_HEADERS),
)
"""The keys of a poll's environment on which its answer may depend, besides the link and the phone's own values."""


def init_polls(app: Flask) -> None:
    """Wrap the app in `Polls`, inside the middleware for proxies."""
    app.wsgi_app = Polls(app)  # type: ignore[method-assign]


class Polls:
    """A middleware that answers polls from the cache; the app gets other requests, and polls that it cannot answer."""

    def __init__(self, app: Flask) -> None:
        self._app: WSGIApplication = app.wsgi_app
        self._config = app.config
        self._cookie: str = app.config["SESSION_COOKIE_NAME"]
        self._engine = engine_of(app)
        self._head_now = head_reader(self._engine)
        vary = ", ".join((*READ_HEADERS, "Accept-Encoding"))
        self._headers = [("Vary", vary), *common_headers(app).items()]
        self._kept = Cache[Hashable, tuple[Headers, list[bytes]]](32)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        poll = _POLL.fullmatch(environ["PATH_INFO"]) if environ["REQUEST_METHOD"] == "GET" else None
        if poll is None:
            return self._app(environ, start_response)
        environ[KIND], environ[RULE] = "poll", "/matches/<code>/board"
        head = self._head(poll[1], environ)
        if head is None or head.is_ended:
            return self._app(environ, start_response)
        if _finds_nothing(head, environ["QUERY_STRING"]):
            if note_poll(self._engine, head.link.code):
                return self._app(environ, start_response)
            start_response("204 No Content", [*self._headers])
            return ()
        return self._news(head, environ, start_response)

    def _head(self, code: str, environ: WSGIEnvironment) -> Head | None:
        """Return the link with the version of its match; `None` if the app has to answer."""
        # The app has to put the match of the phone's first visit on its list.
        is_first = f"{FIRST_VISIT}=" in environ.get("HTTP_COOKIE", "")
        if is_first or not is_answered(f"//{environ.get('HTTP_HOST', '')}", self._config):
            return None
        try:
            return self._head_now(code)
        except SQLAlchemyError:  # the app has a page for this error
            return None

    def _news(self, head: Head, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        link = head.link
        cookies = parse_cookie(environ)
        zone = zone_of(cookies)
        shown = head.version, head.key, head.draft, link.role, link.seat, zone, today_in(zone)
        key = (link.stream_id, *shown, *(environ.get(name, "") for name in _READ))
        kept = self._kept.get(key)
        if kept and not note_poll(self._engine, link.code):
            headers, pieces = kept
            token = _tokens.get(cookies.get(self._cookie, ""))
            own = {CODE: lambda: link.code, _KEY: new_form_key} | ({_TOKEN: lambda: token} if token else {})
            with suppress(KeyError):
                content = _filled(pieces, own)
                content = compress(content, _COMPRESSION, mtime=0) if _PACKED in headers else content
                start_response("200 OK", [*headers, ("Content-Length", str(len(content)))])
                return (content,)
        return self._answer_of_app(key, head, environ, start_response)

    def _answer_of_app(
        self, key: Hashable, head: Head, environ: WSGIEnvironment, start_response: StartResponse
    ) -> Iterable[bytes]:
        """Let the app answer, and cache its answer if other phones can share it."""
        polled = environ[POLLED] = Polled()
        sent: Headers = []

        def start(status: str, headers: Headers, fault: "OptExcInfo | None" = None) -> Callable[[bytes], object]:
            sent[:] = headers if status.startswith("200 ") else []
            return start_response(status, headers, fault)

        parts = self._app(environ, start)
        match = polled.match
        is_own = any(name.lower() == "set-cookie" for name, _ in sent)
        # The match may have changed again before the app loaded it.
        if match and sent and not is_own and (head.version, head.key) == match.log.end:
            common = [(name, value) for name, value in sent if name.lower() not in _UNLIKE]
            is_packed = parse_accept_header(environ.get("HTTP_ACCEPT_ENCODING", ""), Accept)["gzip"] > 0
            self._kept.put(key, ([*common, _PACKED] if is_packed else common, polled.pieces))
        return parts


def _finds_nothing(head: Head, query: str) -> bool:
    seen = dict(parse_qsl(query))
    known = seen.get("v"), seen.get("role", head.link.role), seen.get("d", "0")
    return known == (str(head.version), head.link.role, str(head.draft))
