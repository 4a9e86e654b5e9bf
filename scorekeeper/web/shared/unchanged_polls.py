"""Polls of open match pages that find nothing new, answered before Flask is asked.

Nearly every request is one of these: each phone at a table asks every other second. They take one small select; what
Flask does besides for any page takes three times as long. Whatever else comes of a poll is Flask's.
"""

import re
from collections.abc import Iterable
from urllib.parse import parse_qsl
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask
from sqlalchemy.exc import SQLAlchemyError

from scorekeeper.extensions import db
from scorekeeper.services.load import head_now
from scorekeeper.services.phones import note_poll
from scorekeeper.web.shared.respond import READ_HEADERS
from scorekeeper.web.shared.security import common_headers, is_answered

_POLL = re.compile(r"/matches/([A-Za-z0-9_-]{1,32})/board")


def init_unchanged_polls(app: Flask) -> None:
    """Answer polls that find nothing new before the app does, and after what is done about a proxy."""
    app.wsgi_app = UnchangedPolls(app)  # type: ignore[method-assign]


class UnchangedPolls:
    """The app, asked only where a poll finds something, or something is wrong with it."""

    def __init__(self, app: Flask) -> None:
        self._app: WSGIApplication = app.wsgi_app
        self._public_url: str = app.config["PUBLIC_URL"]
        with app.app_context():
            self._engine = db.engine
        vary = ", ".join((*READ_HEADERS, "Accept-Encoding"))
        self._headers = [("Vary", vary), *common_headers(app).items()]

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        poll = _POLL.fullmatch(environ["PATH_INFO"]) if environ["REQUEST_METHOD"] == "GET" else None
        if poll and self._is_answered(environ) and self._finds_nothing(poll[1], environ["QUERY_STRING"]):
            is_due = note_poll(self._engine, poll[1])
            if not is_due:
                start_response("204 No Content", [*self._headers])
                return ()
        return self._app(environ, start_response)

    def _is_answered(self, environ: WSGIEnvironment) -> bool:
        return is_answered(f"//{environ.get('HTTP_HOST', '')}", self._public_url)

    def _finds_nothing(self, code: str, query: str) -> bool:
        seen = dict(parse_qsl(query))
        try:
            head = head_now(self._engine, code)
        except SQLAlchemyError:  # the app has a page for it
            return False
        if head is None or head.is_ended:
            return False
        return (seen.get("v"), seen.get("role", head.link.role)) == (str(head.version), head.link.role)
