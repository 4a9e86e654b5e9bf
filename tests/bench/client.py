"""Clients that keep their cookies and time each answer, and one that calls the app in process, as the server does."""

import gzip
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from http.cookies import SimpleCookie
from time import perf_counter
from typing import Any
from urllib.parse import urlencode
from wsgiref.types import WSGIApplication

from werkzeug.datastructures import Headers
from werkzeug.test import EnvironBuilder

from scorekeeper.web.shared.respond import READ_HEADERS

TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')
HEADERS = {"Accept-Encoding": "gzip, deflate"}
"""What a browser accepts over plain http."""
_BETWEEN = "between-the-parts-of-a-form"
HTMX = {READ_HEADERS[0]: "true"}


class WrongAnswer(Exception):
    """The app gave a wrong answer, so nothing that was measured counts."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A response, and how many seconds it took."""

    status: int
    headers: Headers
    body: bytes
    seconds: float

    @property
    def text(self) -> str:
        """The page, decompressed."""
        is_packed = self.headers.get("Content-Encoding") == "gzip"
        return (gzip.decompress(self.body) if is_packed else self.body).decode()


class Client(ABC):
    """A phone's browser: it keeps its cookies."""

    def __init__(self, accepts: Mapping[str, str] = HEADERS) -> None:
        self._accepts = accepts
        self._cookies: dict[str, str] = {}

    def get(self, path: str, *, status: int | None = 200, headers: Mapping[str, str] | None = None) -> Answer:
        """Request a page; a `status` of `None` accepts any."""
        return self._ask("GET", path, None, status, headers or {})

    def post(
        self, path: str, form: Mapping[str, str], *, status: int = 303, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Send a form."""
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self._ask("POST", path, urlencode(form), status, {**kind, **(headers or {})})

    def upload(self, path: str, form: Mapping[str, str], field: str, text: str) -> Answer:
        """Send a form with a file of text in this field, which leads to another page."""
        parts = [f'"{name}"\r\n\r\n{value}' for name, value in form.items()]
        parts.append(f'"{field}"; filename="{field}.txt"\r\n\r\n{text}')
        body = "".join(f"--{_BETWEEN}\r\nContent-Disposition: form-data; name={part}\r\n" for part in parts)
        kind = {"Content-Type": f"multipart/form-data; boundary={_BETWEEN}"}
        return self._ask("POST", path, f"{body}--{_BETWEEN}--\r\n", 303, kind)

    def token(self, path: str) -> str:
        """Return the CSRF token of a page's forms."""
        found = TOKEN.search(self.get(path).text)
        if not found:
            raise WrongAnswer(f"{path} has no form with a token")
        return found[1]

    def _ask(self, method: str, path: str, body: str | None, status: int | None, more: Mapping[str, str]) -> Answer:
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        kept = {"Cookie": cookies} if cookies else {}
        answer = self._send(method, path, body, {**self._accepts, **kept, **more})
        if status not in (None, answer.status):
            raise WrongAnswer(f"{path} answered {answer.status} and not {status}")
        for cookie in answer.headers.getlist("Set-Cookie"):
            self._cookies.update({name: morsel.value for name, morsel in SimpleCookie(cookie).items()})
        return answer

    @abstractmethod
    def _send(self, method: str, path: str, body: str | None, headers: Mapping[str, str]) -> Answer:
        """Send a request, and time its answer."""


class Phone(Client):
    """A client of an app in this process."""

    def __init__(self, app: WSGIApplication, *, packed: bool = True) -> None:
        """Call this app; `packed` is whether compressed responses are accepted, as by browsers."""
        super().__init__(HEADERS if packed else {})
        self._app = app

    def _send(self, method: str, path: str, body: str | None, headers: Mapping[str, str]) -> Answer:
        environ = EnvironBuilder(path=path, method=method, data=body, headers=Headers(headers)).get_environ()
        began: list[Any] = []

        def start_response(line: str, found: list[tuple[str, str]], _fault: Any = None) -> Any:
            began[:] = line, found
            return lambda _data: None

        begin = perf_counter()
        parts = self._app(environ, start_response)
        content = b"".join(parts)
        if close := getattr(parts, "close", None):
            close()
        seconds = perf_counter() - begin
        line, found = began
        return Answer(int(line.split()[0]), Headers(found), content, seconds)
