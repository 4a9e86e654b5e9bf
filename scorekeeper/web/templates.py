"""The templates with their globals and filters, and the static files.

A static file is cached for a year by a URL that changes with its content, a font for a week by a fixed one.
"""

import os
import re
import sys
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from gzip import compress
from hashlib import sha256
from importlib.util import cache_from_source
from mimetypes import guess_type
from pathlib import Path
from stat import S_ISREG

from flask import Flask, Response, abort, current_app, request
from flask_compress import Compress
from jinja2 import FileSystemBytecodeCache, StrictUndefined
from jinja2.bccache import Bucket
from werkzeug.local import LocalProxy
from werkzeug.security import safe_join

from scorekeeper.matches.notices import match_title, rules_words, side_view_of, side_views
from scorekeeper.paths import STATIC, TEMPLATES
from scorekeeper.pitch.rules.entered_text import MAX_NAME_LENGTH, MAX_NOTE_LENGTH, MAX_PLACE_LENGTH, MAX_TITLE_LENGTH
from scorekeeper.pitch.text.phrases import bid_word, call_word, object_pronoun, score_text, signed_text
from scorekeeper.web.context import book_label
from scorekeeper.web.library import basis
from scorekeeper.web.locale import date_style, day, moment, papers, theme
from scorekeeper.web.page_cache import form_token, key_field
from scorekeeper.web.respond import (
    contact,
    external_url,
    is_match_page,
    may_install,
    public_url_note,
    removal_time,
    without_scheme,
)
from scorekeeper.web.widgets import compact_layout, qr_svg, strip_columns


class _CompiledTemplates(FileSystemBytecodeCache):
    """A cache of compiled templates in `__pycache__`, as compiling a template takes longer than rendering it.

    A template stays cached until its text changes, even if a filter that Jinja applied while compiling changes.
    """

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write a compiled template; does nothing where the cache cannot be written, or bytecode is turned off."""
        if sys.dont_write_bytecode:
            return
        with suppress(OSError):
            os.makedirs(self.directory, exist_ok=True)
            super().dump_bytecode(bucket)


def init_templates(app: Flask) -> None:
    """Add to templates the macros of shared/_ui.html as `ui`, the filters, and the global functions and values.

    Compiled templates are cached, and a name without a value is an error.
    """
    environment = app.jinja_env
    environment.bytecode_cache = _CompiledTemplates(os.path.dirname(cache_from_source(str(TEMPLATES / "_.py"))))
    environment.undefined = StrictUndefined
    # A global reaches every block, also where it is rendered by itself, and is compiled when a page first uses it.
    environment.globals["ui"] = LocalProxy(lambda: environment.get_template("shared/_ui.html").module)
    for function in (
        public_url_note,
        contact,
        external_url,
        compact_layout,
        is_match_page,
        removal_time,
        without_scheme,
        qr_svg,
        strip_columns,
        asset_url,
        date_style,
        key_field,
        may_install,
        papers,
        theme,
    ):
        environment.globals[function.__name__] = function
    environment.globals.update(
        csrf_token=form_token,
        name_length=MAX_NAME_LENGTH,
        title_length=MAX_TITLE_LENGTH,
        place_length=MAX_PLACE_LENGTH,
        remark_length=MAX_NOTE_LENGTH,
    )
    for filter_function in (
        day,
        moment,
        bid_word,
        call_word,
        object_pronoun,
        score_text,
        signed_text,
        match_title,
        rules_words,
        side_views,
        side_view_of,
        book_label,
        basis,
    ):
        environment.filters[filter_function.__name__] = filter_function


CACHE_FOR_A_WEEK = "public, max-age=604800"
CACHE_FOR_A_YEAR = "public, max-age=31536000, immutable"
MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".woff2": "font/woff2"}
"""The media types of static files by file ending, as not every system knows them all."""

_COMMENT_PATTERNS = {".js": re.compile(rb"(?m)^\s*//.*\n|[ \t]+// .*$"), ".css": re.compile(rb"(?s)/\*.*?\*/")}
_INDENTATION = re.compile(rb"(?m)^\s+")
_CSS_SPACES = re.compile(rb"(?<=[{};,])\n|(?<=:) (?!\")| (?=\{)")
"""White space that a stylesheet does not need."""

_MAX_GZIP_RATIO = 0.9
"""The ratio of compressed to original size below which the compressed content is sent."""

_compression = Compress()


@dataclass(frozen=True, slots=True)
class Asset:
    """A static file to send, minified if it is a style or script of ours."""

    content: bytes
    digest: str
    gzipped: bytes | None
    """The content compressed by gzip; `None` if compression saves too little."""


def init_assets(app: Flask) -> None:
    """Compress responses, and serve static files with compression and cache headers."""
    app.config.from_mapping(
        # Browsers take brotli over https only; at home, where it is plain http, gzip is what counts.
        COMPRESS_ALGORITHM=["br", "gzip"],
        COMPRESS_BR_LEVEL=5,
        # Two thirds of the time of the usual level, for pages a twentieth larger.
        COMPRESS_LEVEL=4,
        # A file that is streamed would be compressed piece by piece and then left open: static files are sent whole.
        COMPRESS_STREAMS=False,
    )
    app.view_functions["static"] = send_asset
    _compression.init_app(app)


def asset_url(name: str) -> str:
    """Return the URL of a static file, with the version of its content; a font's URL has none."""
    address = f"{request.script_root}{current_app.static_url_path}/{name}"
    # Fonts have the address used by the stylesheets, or they would be fetched twice.
    return address if _is_font(name) else f"{address}?v={asset_version(name)}"


def asset_version(name: str) -> str:
    """Return a short digest of a static file's content, for its URL; empty without such a file."""
    asset = _find_asset(name)
    return asset.digest if asset else ""


def asset_content(name: str) -> bytes:
    """Return the content of a static file, minified if it is ours; raises `FileNotFoundError`."""
    asset = _find_asset(name)
    if asset is None:
        raise FileNotFoundError(name)
    return asset.content


def send_asset(filename: str) -> Response:
    """Return a static file with cache headers, compressed if the browser accepts it; raises 404 if missing."""
    asset = _find_asset(filename)
    if asset is None:
        abort(404)
    media_type = MEDIA_TYPES.get(Path(filename).suffix) or guess_type(filename)[0] or "application/octet-stream"
    gzipped = asset.gzipped if request.accept_encodings["gzip"] else None
    response = Response(gzipped or asset.content, mimetype=media_type)
    response.set_etag(f"{asset.digest}:gzip" if gzipped else asset.digest)
    if gzipped:
        response.content_encoding = "gzip"
    cache_control = CACHE_FOR_A_YEAR if request.args.get("v") == asset.digest else "no-cache"
    response.headers["Cache-Control"] = CACHE_FOR_A_WEEK if _is_font(filename) else cache_control
    response.make_conditional(request)
    return response


def _find_asset(name: str) -> Asset | None:
    """Return a static file, which is read again after a change; `None` if there is none."""
    path = safe_join(str(STATIC), name)
    if path is None:
        return None
    try:
        status = os.stat(path)
        return _read_asset(path, status.st_mtime_ns) if S_ISREG(status.st_mode) else None
    except (OSError, ValueError):
        return None


@lru_cache(maxsize=128)
def _read_asset(path: str, _modified_ns: int) -> Asset:
    """Return the static file at a path; cached until it changes."""
    content = _minify(Path(path))
    gzipped = compress(content, mtime=0)
    is_smaller = len(gzipped) < len(content) * _MAX_GZIP_RATIO
    return Asset(content, sha256(content).hexdigest()[:10], gzipped if is_smaller else None)


def _minify(path: Path) -> bytes:
    """Return the content of a file; of our own styles and scripts, without comments and needless spaces."""
    content = path.read_bytes()
    comments = _COMMENT_PATTERNS.get(path.suffix) if "vendor" not in path.parts else None
    if comments is None:
        return content
    content = _INDENTATION.sub(b"", comments.sub(b"", content))
    return _CSS_SPACES.sub(b"", content) if path.suffix == ".css" else content


def _is_font(name: str) -> bool:
    return name.endswith(".woff2")
