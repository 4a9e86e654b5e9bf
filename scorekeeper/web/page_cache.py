"""Pages of a match that are rendered and compressed once for all phones that see the same.

Values that differ between phones, or are new in every response, have placeholders in such a page: the code of the link,
the token and the keys of forms, and the theme. Nobody can type a placeholder: it is secret, and a new one each time
that this program starts.

A gzip file is a sequence of blocks, and some of them are not compressed: the value of a placeholder becomes one of
these. The text between two placeholders is compressed by itself, and may refer back to the text before it but not to
values.
"""

import re
import secrets
import zlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from struct import pack
from typing import TYPE_CHECKING, TypeVar

from flask import Response, current_app, g, make_response, request, session
from flask_wtf.csrf import generate_csrf
from markupsafe import Markup

from scorekeeper.access.roles import Link
from scorekeeper.eventlog.cache import Cache
from scorekeeper.eventlog.stream import WATCHER
from scorekeeper.matches.fold import Match
from scorekeeper.web.context import new_form_key
from scorekeeper.web.locale import FIXED, date_style, theme, today, zone
from scorekeeper.web.respond import may_install, rendered, values_of, vary, wanted_blocks

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_SECRET = secrets.token_hex(16)
CODE, _TOKEN, _KEY, _THEME = (f"{_SECRET}{letter}" for letter in "ctkl")
_PLACE_OF_CODE, _PLACE_OF_TOKEN, _PLACE_OF_KEY, _PLACE_OF_THEME = (
    place.encode() for place in (CODE, _TOKEN, _KEY, _THEME)
)
_NOBODYS = Link(id=0, code=CODE, role=WATCHER, stream_id=0)
"""Takes the place of the link in a cached page, which must have nothing of the phone that it is rendered for."""
_PLACES = re.compile(f"({_SECRET}[ctkl])".encode())
_cache = Cache[Hashable, list[bytes]](64)
"""The pieces of each page, of some 35 kB; every second one is a placeholder."""
_tokens = Cache[str, str](1000)
"""The tokens of forms, by the cookie that they were made for: each lasts as long as that does."""

Viewer = TypeVar("Viewer", bound=Hashable)

POLLED = "scorekeeper.polled"
"""The key in a request's environment of the `Polled` that is to be filled in."""


@dataclass(slots=True)
class Polled:
    """The answer to a poll, where it is the same for other phones."""

    match: Match | None = None
    pieces: list[bytes] = field(default_factory=list)


def render_cached(
    match: Match,
    viewer: Viewer,
    template: str,
    page: Callable[[Match, Viewer], "DataclassInstance"],
    *,
    block: Sequence[str] = (),
    is_own: bool = False,
) -> Response:
    """Return a page of a match as it was rendered for another phone that saw the same, or a newly rendered one.

    `viewer` is all that the page depends on besides the match and what every page depends on; with `is_own` it depends
    on the phone as well. `page` returns the values of the template, given the match and the viewer: the link of that
    match is no phone's, and has the placeholder of the code.
    """
    blocks = wanted_blocks(block)
    reader = date_style(), zone(), today()
    key = (identity(match), template, blocks, viewer, request.script_root, may_install(), *reader)
    pieces = _cache.get(key)
    if pieces is None:
        with _rendering():
            shown = values_of(page(replace(match, link=_NOBODYS), viewer))
            pieces = _cache.put(key, _PLACES.split(rendered(template, shown, blocks).encode()))
    own = [_own(place, match.code).encode() for place in pieces[1::2]]
    polled: Polled | None = request.environ.get(POLLED)
    if polled and not is_own:
        polled.match, polled.pieces = match, pieces
    return vary(make_response(joined(pieces[::2], own)))


def identity(match: Match) -> Hashable:
    """Return a key that is unique to a match at its present version."""
    return match.id, match.setup.created_at, match.log.end


@contextmanager
def _rendering() -> Iterator[None]:
    g.has_places = True
    try:
        yield
    finally:
        g.has_places = False


def _own(place: bytes, code: str) -> str:
    """Return the value of a placeholder for this phone: the same throughout the page, but for the keys of forms."""
    if place == _PLACE_OF_TOKEN:
        return _own_token()
    return _chosen_theme() if place == _PLACE_OF_THEME else filling(place, code, "")


def _own_token() -> str:
    token: str = generate_csrf()
    if not session.modified:  # otherwise the token belongs to the cookie that is only now sent
        cookie = request.cookies.get(current_app.config["SESSION_COOKIE_NAME"], "")
        _tokens.put(cookie, token)
    return token


def known_token(cookie: str) -> str:
    """Return the last token that was sent to a phone with this cookie; empty where it got none lately."""
    return _tokens.get(cookie) or ""


def filling(place: bytes, code: str, token: str) -> str:
    """Return the value of a placeholder for a phone with this link and this token; raises `KeyError`."""
    if place == _PLACE_OF_KEY:
        return new_form_key()
    known = {_PLACE_OF_CODE: code, _PLACE_OF_TOKEN: token} if token else {_PLACE_OF_CODE: code}
    return known[place]


def form_token() -> str:
    """Return the token of a form: this phone's, or the placeholder in a page that is cached."""
    return _TOKEN if g.get("has_places") else generate_csrf()


def form_key() -> str:
    """Return the idempotency key of a form: a new one, or the placeholder in a page that is cached."""
    return _KEY if g.get("has_places") else new_form_key()


def theme_attribute() -> Markup:
    """Return the attribute of the theme that this phone chose, or the placeholder in a page that is cached."""
    return Markup(_THEME if g.get("has_places") else _chosen_theme())


def _chosen_theme() -> str:
    chosen = theme()
    return f' data-theme="{chosen}"' if chosen in FIXED else ""


_HEAD = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
_EMPTY_BLOCK = b"\0\0\xff\xff"
"""The length, 0, of the uncompressed block with which a flush ends the data so far."""
_NEVER = b"\xff"
"""A byte that no text has, so that no text refers back to it; it stands for the values."""
_WINDOW = 1 << zlib.MAX_WBITS


class PackedPage:
    """The compressed text before, between and after placeholders whose values have given lengths in bytes."""

    def __init__(self, texts: Sequence[bytes], lengths: Sequence[int]) -> None:
        self._texts, self._blocks, before = texts, [], b""
        for text, length in zip(texts, (*lengths, None), strict=True):
            packer = zlib.compressobj(wbits=-zlib.MAX_WBITS, zdict=before[-_WINDOW:])
            block = packer.compress(text) + packer.flush(zlib.Z_FINISH if length is None else zlib.Z_SYNC_FLUSH)
            if length is not None:
                block = block.removesuffix(_EMPTY_BLOCK) + pack("<HH", length, length ^ 0xFFFF)
                before += text + _NEVER * length
            self._blocks.append(block)

    def filled(self, own: Sequence[bytes]) -> bytes:
        """Return the page as a gzip file, with these values for the placeholders."""
        plain = joined(self._texts, own)
        return b"".join((_HEAD, joined(self._blocks, own), pack("<II", zlib.crc32(plain), len(plain))))


def joined(texts: Iterable[bytes], own: Sequence[bytes]) -> bytes:
    """Join texts with one of `own` between each two."""
    parts = [part for pair in zip(texts, (*own, b""), strict=True) for part in pair]
    return b"".join(parts)
