"""A cache of match pages, rendered once for all phones that see the same, and the response to polls without news.

A cached page has random placeholders for what differs between phones: the link's code, the forms' token and keys.
Nearly every request is a poll, so polls without news are answered here, before Flask.
"""

import re
import secrets
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import parse_qsl
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, Response, g, make_response, request
from flask_wtf.csrf import generate_csrf
from sqlalchemy.exc import SQLAlchemyError

from scorekeeper.access.links import MATCH_LINKS
from scorekeeper.access.phones import note_presence_in_memory
from scorekeeper.access.roles import Head, Link
from scorekeeper.database.engine import engine_of
from scorekeeper.eventlog.cache import Cache
from scorekeeper.eventlog.stream import WATCHER
from scorekeeper.matches.fold import Match
from scorekeeper.server.watch import KIND_KEY, ROUTE_KEY
from scorekeeper.web.context import FIRST_VISIT_COOKIE, new_form_key
from scorekeeper.web.locale import date_style, theme, today, zone
from scorekeeper.web.respond import (
    HTMX_HEADERS,
    add_vary,
    may_install,
    public_url_note,
    render_html,
    template_values,
    wanted_blocks,
)
from scorekeeper.web.security import common_headers, is_own_host

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_PLACEHOLDER_SECRET = secrets.token_hex(16)  # random, so that nobody can type a placeholder
CODE_PLACEHOLDER, _TOKEN_PLACEHOLDER, _KEY_PLACEHOLDER = (f"{_PLACEHOLDER_SECRET}{letter}" for letter in "ctk")
_PLACEHOLDER_LINK = Link(id=0, code=CODE_PLACEHOLDER, role=WATCHER, stream_id=0)
"""The link in a cached page, which must have nothing of the phone for which it is rendered."""
_PLACEHOLDER_PATTERN = re.compile(f"({_PLACEHOLDER_SECRET}[ctk])".encode())
_cached_pages = Cache[Hashable, list[bytes]](64)
"""Rendered pages of some 35 kB, each split into pieces, of which every second one is a placeholder."""

Viewer = TypeVar("Viewer", bound=Hashable)


def render_cached(
    match: Match,
    viewer: Viewer,
    template: str,
    page: Callable[[Match, Viewer], "DataclassInstance"],
    *,
    block: Sequence[str],
) -> Response:
    """Return a page of a match, rendered or from the cache, with this phone's link, token and keys.

    Besides the match, the locale and the theme, the page may depend only on `viewer`. If htmx requested a part, only
    the blocks `block` are returned.
    """
    blocks = wanted_blocks(block)
    date_key = date_style(), zone(), today()
    match_key = match.id, match.setup.created_at, match.log.end
    key = (
        *match_key,
        template,
        blocks,
        viewer,
        request.script_root,
        may_install(),
        public_url_note(),
        theme(),
        *date_key,
    )
    pieces = _cached_pages.get(key)
    if pieces is None:
        g.has_placeholders = True
        try:
            values = template_values(page(replace(match, link=_PLACEHOLDER_LINK), viewer))
            pieces = _cached_pages.put(key, _PLACEHOLDER_PATTERN.split(render_html(template, values, blocks).encode()))
        finally:
            g.has_placeholders = False
    value_functions = {
        CODE_PLACEHOLDER: lambda: match.code,
        _TOKEN_PLACEHOLDER: generate_csrf,
        _KEY_PLACEHOLDER: new_form_key,
    }
    filled = (value_functions[piece.decode()]().encode() if index % 2 else piece for index, piece in enumerate(pieces))
    return add_vary(make_response(b"".join(filled)))


def form_token() -> str:
    """Return the CSRF token of this phone; while a page for the cache is rendered, its placeholder."""
    return _TOKEN_PLACEHOLDER if g.get("has_placeholders") else generate_csrf()


def key_field() -> tuple[str, str]:
    """Return a form’s field with a new idempotency key; while a page for the cache is rendered, its placeholder."""
    return "client_key", _KEY_PLACEHOLDER if g.get("has_placeholders") else new_form_key()


_POLL_PATH = re.compile(r"/matches/([A-Za-z0-9_-]{1,32})/board")


class PollMiddleware:
    """A middleware that responds to polls without news itself, and passes every other request to the app."""

    def __init__(self, app: Flask) -> None:
        self._app: WSGIApplication = app.wsgi_app
        self._config = app.config
        self._engine = engine_of(app)
        vary = ", ".join((*HTMX_HEADERS, "Accept-Encoding"))
        self._headers = [("Vary", vary), *common_headers(app).items()]

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Respond with 204 to a poll without news; pass any other request to the app."""
        poll = _POLL_PATH.fullmatch(environ["PATH_INFO"]) if environ["REQUEST_METHOD"] == "GET" else None
        if poll:
            environ[KIND_KEY], environ[ROUTE_KEY] = "poll", "/matches/<code>/board"
            head = self._head(poll[1], environ)
            # The app stores now and then that a phone is here.
            if (
                head
                and _has_no_news(head, environ["QUERY_STRING"])
                and not note_presence_in_memory(self._engine, head.link.code)
            ):
                start_response("204 No Content", [*self._headers])
                return ()
        return self._app(environ, start_response)

    def _head(self, code: str, environ: WSGIEnvironment) -> Head | None:
        """Return the link of a poll and the state of its match; `None` if the app has to respond."""
        # The app has to put the match of the phone's first visit on its list.
        has_first_visit = f"{FIRST_VISIT_COOKIE}=" in environ.get("HTTP_COOKIE", "")
        if has_first_visit or not is_own_host(f"//{environ.get('HTTP_HOST', '')}", self._config):
            return None
        try:
            with self._engine.connect() as connection:
                return MATCH_LINKS.head(connection, code)
        except SQLAlchemyError:  # the app has a page for this error
            return None


def _has_no_news(head: Head, query: str) -> bool:
    """Return whether a link is in force, and the polling page shows the current match."""
    query_values = dict(parse_qsl(query))
    seen = query_values.get("v"), query_values.get("role", head.link.role), query_values.get("d", "0")
    return not head.link.ended_at and seen == (str(head.version), head.link.role, str(head.draft_count))
