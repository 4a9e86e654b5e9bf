"""WeasyPrint, read in only when something is printed: without Pango the rest of the program runs."""

import atexit
import gc
import sys
from collections.abc import Sequence
from ctypes import CDLL
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from scorekeeper.printing.fetcher import address, allowed_file

HOW_TO_GET_IT = (
    "Printing needs the library Pango. Debian and Ubuntu: sudo apt-get install libpangoft2-1.0-0. "
    "macOS: brew install pango. Fedora: sudo dnf install pango. Until then print the page from the browser."
)

HOW_TO_GET_LETTERS = (
    "The machine that prints has no font with these letters. Debian and Ubuntu: sudo apt-get install "
    "fonts-droid-fallback for Chinese, Japanese and Korean, fonts-noto-core for most others."
)

PANGO = ("libpangoft2-1.0.so.0", "libpangoft2-1.0.dylib", "libpangoft2-1.0-0.dll", "libpangoft2-1.0-0")


class PrintingUnavailable(Exception):
    """WeasyPrint cannot run here; the message says how to mend that."""

    def __init__(self) -> None:
        super().__init__(HOW_TO_GET_IT)


def load() -> Any:
    """Give WeasyPrint; raises `PrintingUnavailable` where its libraries are missing."""
    try:
        return import_module("weasyprint")
    except (ImportError, OSError) as error:
        raise PrintingUnavailable from error


@cache
def is_available() -> bool:
    """Tell whether sheets can be printed here, without reading WeasyPrint in: a page only wants to know."""
    if find_spec("weasyprint") is None:
        return False
    return "weasyprint" in sys.modules or any(map(_opens, PANGO))


def _opens(library: str) -> bool:
    try:
        CDLL(library)
    except OSError:
        return False
    return True


class Press:
    """A page being laid out: the same markup may be set in several sizes, and is then written once."""

    def __init__(self, markup: str, stylesheets: Sequence[Path], static: Path) -> None:
        self._weasyprint = load()
        self._static = static
        self._fetcher = _fetcher(static)
        self._fonts = _fonts()
        self._html = self._weasyprint.HTML(string=markup, base_url=address(static), url_fetcher=self._fetcher)
        self._styles = [self._kept_style(sheet) for sheet in stylesheets]

    def lay_out(self, css: str) -> Any:
        """Lay the page out with some more style, and give the document."""
        extra = self._style(css, self._static)
        return self._html.render(font_config=self._fonts, stylesheets=[*self._styles, extra])

    def _kept_style(self, sheet: Path) -> Any:
        """Read a stylesheet, with the fonts that it names, once for all pages."""
        key = type(self), sheet, sheet.stat().st_mtime_ns
        if key not in _read_in:
            _read_in[key] = self._style(sheet.read_text(encoding="utf-8"), sheet.parent)
        return _read_in[key]

    def _style(self, css: str, folder: Path) -> Any:
        return self._weasyprint.CSS(
            string=css, base_url=address(folder), url_fetcher=self._fetcher, font_config=self._fonts
        )


_read_in: dict[tuple[type[Press], Path, int], Any] = {}


@cache
def _fonts() -> Any:
    atexit.register(_let_go)
    return import_module("weasyprint.text.fonts").FontConfiguration()


def _let_go() -> None:
    """Let the fonts go while there is still an interpreter to free what C holds of them."""
    _read_in.clear()
    _fonts.cache_clear()
    gc.collect()


@cache
def _fetcher(static: Path) -> Any:
    """Make a fetcher that gives out files of this folder only; all else is refused and left out."""
    urls = import_module("weasyprint.urls")

    class StaticOnly(urls.URLFetcher):  # type: ignore[misc, name-defined]
        def fetch(self, url: str, headers: Any = None) -> Any:
            file = allowed_file(url, static)
            return urls.URLFetcherResponse(url, body=file.read_bytes())

    return StaticOnly()
