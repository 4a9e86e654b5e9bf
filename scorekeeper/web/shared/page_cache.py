"""Pages of a match that are rendered once for all who see the same.

What differs from one phone to the next, and what is new in every answer, has a place in such a page: the code of the
link, the token and the keys of forms, and the theme. Nobody can type what stands for a place: it is secret, and another
one each time that this program starts.
"""

import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from threading import Lock

from flask import Response, g, make_response, request
from flask_wtf.csrf import generate_csrf
from markupsafe import Markup

from scorekeeper.ledger.derive_match import Match
from scorekeeper.web.shared.form_keys import new_form_key
from scorekeeper.web.shared.respond import rendered, vary, wanted_blocks
from scorekeeper.web.shared.theme import FIXED, theme
from scorekeeper.web.shared.times import date_style, today
from scorekeeper.web.shared.urls import may_install

MOST_CACHED = 64
"""Of some 35 kB each."""

_SECRET = secrets.token_hex(16)
CODE, _TOKEN, _KEY, _THEME = (f"{_SECRET}{letter}" for letter in "ctkl")
_PLACE_OF_TOKEN, _PLACE_OF_KEY, _PLACE_OF_THEME = (place.encode() for place in (_TOKEN, _KEY, _THEME))
_PLACES = re.compile(f"({_SECRET}[ctkl])".encode())
_cache: OrderedDict[Hashable, list[bytes]] = OrderedDict()
"""The pieces of each page; every second one stands for a place."""
_lock = Lock()


def render_cached(
    match: Match, viewer: Hashable, template: str, page: Callable[[Match], object], *, block: Sequence[str] = ()
) -> Response:
    """Answer with a page of a match as it was rendered for the last one who saw the same, or with a new one.

    `viewer` is all that the page depends on besides the match and what every page depends on. `page` returns what the
    template shows, given the match with a place for the code of the link.
    """
    blocks = wanted_blocks(block)
    key = (identity(match), template, blocks, viewer, request.script_root, may_install(), date_style(), today())
    with _lock:
        pieces = _cache.get(key)
        if pieces is not None:
            _cache.move_to_end(key)
    if pieces is None:
        with _rendering():
            shown = page(replace(match, link=replace(match.link, code=CODE)))
            pieces = _PLACES.split(rendered(template, shown, blocks).encode())
        with _lock:
            _cache[key] = pieces
            if len(_cache) > MOST_CACHED:
                _cache.popitem(last=False)
    return vary(make_response(b"".join(_filled(pieces, match.code))))


def identity(match: Match) -> Hashable:
    """Return what tells a match as it is now from every other, and from itself before and after."""
    last = match.log.events[-1].client_key if match.log.events else ""
    return match.id, match.setup.created_at, match.version, last


@contextmanager
def _rendering() -> Iterator[None]:
    g.has_places = True
    try:
        yield
    finally:
        g.has_places = False


def _filled(pieces: list[bytes], code: str) -> Iterator[bytes]:
    own: dict[bytes, bytes] = {}
    for i, piece in enumerate(pieces):
        if i % 2 == 0:
            yield piece
        elif piece == _PLACE_OF_KEY:
            yield new_form_key().encode()
        else:
            if piece not in own:
                own[piece] = _own(piece, code).encode()
            yield own[piece]


def _own(place: bytes, code: str) -> str:
    """Return what a phone has in a place, the same throughout the page."""
    if place == _PLACE_OF_TOKEN:
        return str(generate_csrf())
    return _chosen_theme() if place == _PLACE_OF_THEME else code


def form_token() -> str:
    """Return the token of a form: this phone's, or its place in a page that is cached."""
    return _TOKEN if g.get("has_places") else generate_csrf()


def form_key() -> str:
    """Return the key of a form: a fresh one, or its place in a page that is cached."""
    return _KEY if g.get("has_places") else new_form_key()


def theme_attribute() -> Markup:
    """Return the attribute of the theme that this phone chose, or its place in a page that is cached."""
    return Markup(_THEME if g.get("has_places") else _chosen_theme())


def _chosen_theme() -> str:
    chosen = theme()
    return f' data-theme="{chosen}"' if chosen in FIXED else ""
