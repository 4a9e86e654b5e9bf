"""A phone's connection: it keeps its cookies, and opens another one where the last was cut."""

import asyncio
import gzip
from dataclasses import dataclass, field
from http.client import HTTPMessage, parse_headers
from http.cookies import SimpleCookie
from io import BytesIO
from urllib.parse import urlencode

LONGEST = 10.0
"""Seconds until an answer is given up."""
AWAY = (502, 503, 504)
"""What a proxy answers, or the server itself, while something behind it is away."""


class Unanswered(Exception):
    """Nothing came back, or only that it has to be tried again."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    headers: HTTPMessage
    text: str


@dataclass(slots=True)
class Line:
    """A connection to a port of this machine."""

    port: int
    cookies: dict[str, str] = field(default_factory=dict)
    _reader: asyncio.StreamReader | None = None
    _writer: asyncio.StreamWriter | None = None

    async def get(self, path: str, **headers: str) -> Answer:
        """Ask for a page; raises `Unanswered`."""
        return await self._ask("GET", path, "", headers)

    async def post(self, path: str, form: dict[str, str]) -> Answer:
        """Send a form; raises `Unanswered`."""
        return await self._ask("POST", path, urlencode(form), {"Content-Type": "application/x-www-form-urlencoded"})

    def close(self) -> None:
        """Close the connection."""
        if self._writer:
            self._writer.close()
        self._reader = self._writer = None

    async def _ask(self, method: str, path: str, body: str, headers: dict[str, str]) -> Answer:
        try:
            async with asyncio.timeout(LONGEST):
                answer = await self._exchange(method, path, body, headers)
        except (OSError, EOFError, ValueError, TimeoutError) as fault:
            self.close()
            raise Unanswered(f"{method} {path}: {fault!r}") from fault
        if answer.status in AWAY:
            raise Unanswered(f"{method} {path}: {answer.status}")
        return answer

    async def _exchange(self, method: str, path: str, body: str, headers: dict[str, str]) -> Answer:
        if self._writer is None or self._reader is None:
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self.port)
        sent_headers = {"Host": f"127.0.0.1:{self.port}", "Accept-Encoding": "gzip", **headers}
        if body:
            sent_headers["Content-Length"] = str(len(body))
        if self.cookies:
            sent_headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        lines = "".join(f"{name}: {value}\r\n" for name, value in sent_headers.items())
        self._writer.write(f"{method} {path} HTTP/1.1\r\n{lines}\r\n{body}".encode())
        return await self._answer(self._reader)

    async def _answer(self, reader: asyncio.StreamReader) -> Answer:
        line, _, rest = (await reader.readuntil(b"\r\n\r\n")).partition(b"\r\n")
        headers = parse_headers(BytesIO(rest))
        for cookie in headers.get_all("Set-Cookie", ()):
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(cookie).items()}
        content = await self._content(reader, headers)
        if headers["Content-Encoding"] == "gzip":
            content = gzip.decompress(content)
        if headers.get("Connection", "").lower() == "close":
            self.close()
        return Answer(int(line.split()[1]), headers, content.decode("utf-8", "replace"))

    async def _content(self, reader: asyncio.StreamReader, headers: HTTPMessage) -> bytes:
        if "chunked" not in headers.get("transfer-encoding", ""):
            return await reader.readexactly(int(headers.get("content-length", 0)))
        parts = []
        while size := int(await reader.readline(), 16):
            parts.append(await reader.readexactly(size))
            await reader.readexactly(2)
        await reader.readexactly(2)
        return b"".join(parts)
