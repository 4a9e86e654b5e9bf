"""A client that calls the app in process, as the server does, and keeps its cookies."""

import gzip
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from time import perf_counter
from typing import Any
from wsgiref.types import WSGIApplication

from werkzeug.datastructures import Headers
from werkzeug.test import EnvironBuilder

from scorekeeper.web.shared.respond import READ_HEADERS

TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')
HEADERS = {"Accept-Encoding": "gzip, deflate"}
"""What a browser accepts over plain http."""
HTMX = {READ_HEADERS[0]: "true"}


class WrongAnswer(Exception):
    """The app gave a wrong answer, so nothing that was measured counts."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A response, and how many seconds it took."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    seconds: float

    @property
    def text(self) -> str:
        """The page, decompressed."""
        is_packed = self.headers.get("content-encoding") == "gzip"
        return (gzip.decompress(self.body) if is_packed else self.body).decode()


@dataclass(slots=True)
class Phone:
    """A client of an app that keeps its cookies."""

    app: WSGIApplication
    packed: bool = True
    """Whether it accepts compressed responses, as browsers do."""
    cookies: dict[str, str] = field(default_factory=dict)

    def get(self, path: str, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
        """Request a page."""
        return self._ask(EnvironBuilder(path=path, headers=Headers(self._headers(headers))), status)

    def post(self, path: str, form: Mapping[str, str], *, status: int = 303) -> Answer:
        """Send a form."""
        return self._ask(EnvironBuilder(path=path, method="POST", data=form, headers=Headers(self._headers())), status)

    def token(self, path: str) -> str:
        """Return the CSRF token of a page's forms."""
        return token_in(self.get(path).text)

    def _headers(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        kept = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())} if self.cookies else {}
        return {**(HEADERS if self.packed else {}), **kept, **(more or {})}

    def _ask(self, builder: EnvironBuilder, status: int) -> Answer:
        environ = builder.get_environ()
        began: list[Any] = []

        def start_response(line: str, headers: list[tuple[str, str]], _fault: Any = None) -> Any:
            began[:] = [int(line.split()[0]), headers]
            return lambda _data: None

        begin = perf_counter()
        parts = self.app(environ, start_response)
        body = b"".join(parts)
        if close := getattr(parts, "close", None):
            close()
        seconds = perf_counter() - begin
        builder.close()
        answer = Answer(began[0], {name.lower(): value for name, value in began[1]}, body, seconds)
        if answer.status != status:
            raise WrongAnswer(f"{builder.path} answered {answer.status} and not {status}")
        for name, value in began[1]:
            if name.lower() == "set-cookie":
                self.cookies.update({cookie.key: cookie.value for cookie in SimpleCookie(value).values()})
        return answer


def token_in(page: str) -> str:
    """Return the CSRF token in a page."""
    found = TOKEN.search(page)
    if not found:
        raise WrongAnswer("a page has no form with a token")
    return found[1]
