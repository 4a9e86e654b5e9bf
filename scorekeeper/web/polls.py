"""Polls of open match pages, answered without Flask where possible.

Nearly every request is one of these: each phone at a table polls every other second. Where nothing is new a poll takes
one small select; the rest of Flask's work for any page takes three times as long. A new page is rendered for the first
phone that polls for it, and sent to the others with their own link, token and keys. Flask answers everything else.
"""

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header, parse_cookie

from scorekeeper.access.phones import note_poll
from scorekeeper.access.roles import Head
from scorekeeper.database.engine import engine_of
from scorekeeper.eventlog.cache import Cache
from scorekeeper.matches.load import head_reader
from scorekeeper.server.watch import KIND, RULE
from scorekeeper.web.context import FIRST_VISIT
from scorekeeper.web.locale import today_in, zone_of
from scorekeeper.web.page_cache import POLLED, PackedPage, Polled, filling, joined, known_token
from scorekeeper.web.respond import READ_HEADERS
from scorekeeper.web.security import common_headers, is_answered

_UNLIKE = ("content-length", "content-encoding", "date")
"""Headers that are not copied from one response to another."""

Headers = list[tuple[str, str]]


@dataclass(slots=True)
class PolledParts:
    """The parts of a page, with placeholders for the values that are each phone's own."""

    headers: Headers
    pieces: Sequence[bytes]
    """Every second one is a placeholder."""
    is_packed: bool
    _packed: tuple[list[int], PackedPage] | None = field(default=None, init=False)

    def filled(self, code: str, token: str) -> tuple[Headers, bytes]:
        """Return the headers and the content for a phone with this link and this token; raises `KeyError`."""
        own = [filling(place, code, token).encode() for place in self.pieces[1::2]]
        headers = [*self.headers, ("Content-Encoding", "gzip")] if self.is_packed else [*self.headers]
        content = (
            self._pack([len(text) for text in own]).filled(own) if self.is_packed else joined(self.pieces[::2], own)
        )
        return [*headers, ("Content-Length", str(len(content)))], content

    def _pack(self, lengths: list[int]) -> PackedPage:
        packed = self._packed
        if packed is None or packed[0] != lengths:  # the codes of nearly all links are of one length
            packed = self._packed = lengths, PackedPage(self.pieces[::2], lengths)
        return packed[1]


_POLL = re.compile(r"/matches/([A-Za-z0-9_-]{1,32})/board")
_RULE = "/matches/<code>/board"
_READ = (
    *("QUERY_STRING", "SCRIPT_NAME", "wsgi.url_scheme", "HTTP_HOST", "HTTP_ACCEPT_LANGUAGE", "HTTP_ACCEPT_ENCODING"),
    *(f"HTTP_{name.upper().replace('-', '_')}" for name in READ_HEADERS),
)
"""The parts of a poll's environment that its answer may depend on, besides the link and each phone's own values."""


def init_polls(app: Flask) -> None:
    """Wrap the app so that polls are answered before it, and after the middleware for proxies."""
    app.wsgi_app = Polls(app)  # type: ignore[method-assign]


class Polls:
    """A middleware that calls the app only for a poll whose answer is not cached, or that has something wrong."""

    def __init__(self, app: Flask) -> None:
        self._app: WSGIApplication = app.wsgi_app
        self._config = app.config
        self._cookie: str = app.config["SESSION_COOKIE_NAME"]
        self._engine = engine_of(app)
        self._head_now = head_reader(self._engine)
        vary = ", ".join((*READ_HEADERS, "Accept-Encoding"))
        self._headers = [("Vary", vary), *common_headers(app).items()]
        self._kept = Cache[Hashable, PolledParts](32)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        poll = _POLL.fullmatch(environ["PATH_INFO"]) if environ["REQUEST_METHOD"] == "GET" else None
        if poll:
            environ[KIND], environ[RULE] = "poll", _RULE
        # The app stores, once, what a phone opened before it had a cookie.
        is_first = f"{FIRST_VISIT}=" in environ.get("HTTP_COOKIE", "")
        head = self._head(poll[1]) if poll and not is_first and self._is_answered(environ) else None
        if head is None or head.is_ended:
            return self._app(environ, start_response)
        if _finds_nothing(head, environ["QUERY_STRING"]):
            if note_poll(self._engine, head.link.code):
                return self._app(environ, start_response)
            start_response("204 No Content", [*self._headers])
            return ()
        return self._news(head, environ, start_response)

    def _is_answered(self, environ: WSGIEnvironment) -> bool:
        return is_answered(f"//{environ.get('HTTP_HOST', '')}", self._config)

    def _head(self, code: str) -> Head | None:
        try:
            return self._head_now(code)
        except SQLAlchemyError:  # the app has a page for it
            return None

    def _news(self, head: Head, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        link = head.link
        cookies = parse_cookie(environ)
        zone = zone_of(cookies)
        day = today_in(zone)
        key = (link.stream_id, head.version, head.key, head.draft, link.role, link.seat, zone, day, *_read(environ))
        kept = self._kept.get(key)
        if kept and not note_poll(self._engine, head.link.code):
            try:
                headers, content = kept.filled(head.link.code, known_token(cookies.get(self._cookie, "")))
            except KeyError:
                pass
            else:
                start_response("200 OK", headers)
                return (content,)
        return self._asked(key, head, environ, start_response)

    def _asked(
        self, key: Hashable, head: Head, environ: WSGIEnvironment, start_response: StartResponse
    ) -> Iterable[bytes]:
        """Let the app answer, and cache its answer where other phones will poll for the same."""
        polled = environ[POLLED] = Polled()
        sent: Headers = []

        def start(status: str, headers: Headers, fault: Any = None) -> Any:
            sent[:] = headers if status.startswith("200 ") else []
            return start_response(status, headers, fault)

        parts = self._app(environ, start)
        match = polled.match
        is_own = any(name.lower() == "set-cookie" for name, _ in sent)
        # It may have changed again before the app looked.
        if match and sent and not is_own and (head.version, head.key) == match.log.end:
            common = [(name, value) for name, value in sent if name.lower() not in _UNLIKE]
            self._kept.put(key, PolledParts(common, polled.pieces, _takes_gzip(environ)))
        return parts


def _finds_nothing(head: Head, query: str) -> bool:
    seen = dict(parse_qsl(query))
    known = seen.get("v"), seen.get("role", head.link.role), seen.get("d", "0")
    return known == (str(head.version), head.link.role, str(head.draft))


def _read(environ: WSGIEnvironment) -> Iterable[str]:
    return (environ.get(name, "") for name in _READ)


def _takes_gzip(environ: WSGIEnvironment) -> bool:
    return parse_accept_header(environ.get("HTTP_ACCEPT_ENCODING", ""), Accept)["gzip"] > 0
