"""Pages laid out by WeasyPrint, in color or in grays, and as images.

WeasyPrint is imported only when something is printed: without Pango the rest of the program runs.
"""

import atexit
import gc
import logging
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from ctypes import CDLL, util
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from scorekeeper import paths
from scorekeeper.operating_system import pango_instruction

WeasyPrintObject = Any
"""An object of WeasyPrint, which has no types."""

_HEX_COLOR = re.compile(r"#([0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b")
_COLOR_ATTRIBUTE = re.compile(r'((?:fill|stroke|stop-color|color)=")(#[0-9a-fA-F]{3,6})(")')
_STYLE_ELEMENT = re.compile("<style>.*?</style>", re.DOTALL)
_LUMINANCE_WEIGHTS = (0.2126, 0.7152, 0.0722)
_DARKEST_GRAY = 0x70
"""The gray level below which a color is printed black: printers make dots of a dark gray, and small type ragged."""


def gray_css(css: str) -> str:
    """Return a stylesheet with its colors in hexadecimal replaced by grays."""
    return _HEX_COLOR.sub(lambda found: gray_of_color(found[0]), css)


def gray_drawings(markup: str) -> str:
    """Return markup with the colors of its drawings, in attributes and styles, replaced by grays.

    No text from people can match, as its quotation marks and angle brackets are escaped.
    """
    markup = _STYLE_ELEMENT.sub(lambda found: gray_css(found[0]), markup)
    return _COLOR_ATTRIBUTE.sub(lambda found: f"{found[1]}{gray_of_color(found[2])}{found[3]}", markup)


def gray_of_color(color: str) -> str:
    """Return the gray that is as light as a color in hexadecimal; black in place of a dark gray."""
    digits = color.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    channels = [_srgb_to_linear(int(digits[i : i + 2], 16) / 255) for i in (0, 2, 4)]
    luminance = sum(weight * channel for weight, channel in zip(_LUMINANCE_WEIGHTS, channels, strict=True))
    level = round(_linear_to_srgb(luminance) * 255)
    return f"#{level:02x}{level:02x}{level:02x}" if level >= _DARKEST_GRAY else "#000000"


def _srgb_to_linear(channel: float) -> float:
    """Return the linear value of an sRGB channel, both from 0 to 1."""
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def _linear_to_srgb(luminance: float) -> float:
    """Return the sRGB value of a linear channel, both from 0 to 1."""
    return luminance * 12.92 if luminance <= 0.0031308 else 1.055 * luminance ** (1 / 2.4) - 0.055


PAGE_IMAGE_WIDTH = 860
"""The width in pixels of a page as an image: that of a phone's screen."""
_MAX_IMAGE_COLORS = 256


def draw_page(content: bytes, number: int, width: int = PAGE_IMAGE_WIDTH) -> bytes:
    """Return a page of a PDF as PNG, `width` pixels wide.

    Pages count from 1; raises `IndexError` without such a page.
    """
    document = import_module("pypdfium2").PdfDocument(content)
    try:
        if not 1 <= number <= len(document):
            raise IndexError(number)
        page = document[number - 1]
        picture = page.render(scale=width / page.get_width()).to_pil()
    finally:
        document.close()
    # Flat colors compress well, and the palette must keep the few red dots around a set.
    image = import_module("PIL.Image")
    paletted = picture.convert("RGB").quantize(
        _MAX_IMAGE_COLORS, method=image.Quantize.FASTOCTREE, dither=image.Dither.NONE
    )
    png = BytesIO()
    paletted.save(png, "PNG", optimize=True)
    return png.getvalue()


CSS_FOLDER = paths.STATIC / "css"

INSTALL_PANGO_TEXT = f"A PDF, in which sheets are set more tightly, needs the library Pango. {pango_instruction()}"

INSTALL_FONTS_TEXT = (
    "The computer that prints has no font with these letters. Debian and Ubuntu: sudo apt-get install "
    "fonts-droid-fallback for Chinese, Japanese and Korean, fonts-noto-core for most others."
)

PANGO_LIBRARY_NAMES = ("libpangoft2-1.0.so.0", "libpangoft2-1.0.dylib", "libpangoft2-1.0-0.dll", "libpangoft2-1.0-0")

_MISSING_GLYPH_WARNING = re.compile(r"notdef.*\(U\+([0-9A-F]+)\)")


class PrintingUnavailable(Exception):
    """WeasyPrint cannot run here; the message says what to install."""

    def __init__(self) -> None:
        super().__init__(INSTALL_PANGO_TEXT)


@cache
def is_available() -> bool:
    """Return whether WeasyPrint and Pango are installed, without importing WeasyPrint; loads Pango; cached."""
    if find_spec("weasyprint") is None:
        return False
    return "weasyprint" in sys.modules or any(map(_can_load, PANGO_LIBRARY_NAMES))


def _can_load(library: str) -> bool:
    """Load a library for the rest of the program's run, and return whether the system has it."""
    try:
        CDLL(library)
    except OSError:
        return False
    return True


@contextmanager
def _skip_library_search() -> Iterator[None]:
    """Make imports in a block on Linux load libraries by name, without searching for them.

    Python's search runs a linker and a compiler for each name: up to fifty processes before the first page.
    """
    find = util.find_library
    if sys.platform == "linux":  # there WeasyPrint also tries the names on other systems
        util.find_library = lambda name: None
    try:
        yield
    finally:
        util.find_library = find


class Layout:
    """A sheet's markup and its `stylesheets`, files in `CSS_FOLDER`, parsed once to be laid out in several styles.

    Raises:
        PrintingUnavailable: The libraries of WeasyPrint are missing.
    """

    def __init__(self, markup: str, stylesheets: Sequence[str], *, is_grayscale: bool = False) -> None:
        try:
            with _skip_library_search():
                self._weasyprint = import_module("weasyprint")
        except (ImportError, OSError) as error:
            raise PrintingUnavailable from error
        self._is_grayscale = is_grayscale
        self._html = self._weasyprint.HTML(
            string=gray_drawings(markup) if is_grayscale else markup,
            base_url=paths.STATIC.as_uri(),
            url_fetcher=_url_fetcher(),
        )
        self._styles = [self._parse_stylesheet_file(CSS_FOLDER / name) for name in stylesheets]

    def render(self, css: str) -> WeasyPrintObject:
        """Return the document laid out with additional CSS."""
        return self._html.render(
            font_config=_font_configuration(), stylesheets=[*self._styles, self._parse_css(css, paths.STATIC)]
        )

    def _parse_stylesheet_file(self, file: Path) -> WeasyPrintObject:
        """Return a stylesheet with its fonts as WeasyPrint parses it, cached until the file changes."""
        key = self._is_grayscale, file, file.stat().st_mtime_ns
        if key not in _parsed_stylesheets:
            _parsed_stylesheets[key] = self._parse_css(file.read_text(encoding="utf-8"), file)
        return _parsed_stylesheets[key]

    def _parse_css(self, css: str, base: Path) -> WeasyPrintObject:
        """Return CSS as WeasyPrint parses it, in grays if the layout is; its relative URLs start at `base`."""
        return self._weasyprint.CSS(
            string=gray_css(css) if self._is_grayscale else css,
            base_url=base.as_uri(),
            url_fetcher=_url_fetcher(),
            font_config=_font_configuration(),
        )


_parsed_stylesheets: dict[tuple[bool, Path, int], WeasyPrintObject] = {}


@cache
def _font_configuration() -> WeasyPrintObject:
    """Return the fonts of all pages; cached, and freed when the interpreter ends."""
    atexit.register(_free_fonts)
    return import_module("weasyprint.text.fonts").FontConfiguration()


def _free_fonts() -> None:
    """Free the cached fonts and stylesheets while the interpreter can still free their C objects."""
    _parsed_stylesheets.clear()
    _font_configuration.cache_clear()
    gc.collect()


@cache
def _url_fetcher() -> WeasyPrintObject:
    """Return WeasyPrint's fetcher of URLs, which refuses all but our static files; cached."""
    urls = import_module("weasyprint.urls")

    class StaticFetcher(urls.URLFetcher):  # type: ignore[misc, name-defined]
        def fetch(self, url: str, headers: object = None) -> WeasyPrintObject:
            return urls.URLFetcherResponse(url, body=file_of_url(url, paths.STATIC).read_bytes())

    return StaticFetcher()


def file_of_url(url: str, folder: Path) -> Path:
    """Return the path of a file URL; raises `ValueError` unless it is a file inside the folder."""
    parts = urlsplit(url)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        raise ValueError(f"Scorekeeper prints only its own files, not {url}")
    file = Path(url2pathname(parts.path)).resolve()
    if not file.is_relative_to(folder.resolve()) or not file.is_file():
        raise ValueError(f"There is no such file to print: {url}")
    return file


@contextmanager
def collect_missing_glyphs() -> Iterator[dict[str, None]]:
    """Yield a dictionary that collects, during a block, the letters that no font of this machine has."""
    found: dict[str, None] = {}

    def collect(record: logging.LogRecord) -> bool:
        if match := _MISSING_GLYPH_WARNING.search(record.getMessage()):
            found[chr(int(match[1], 16))] = None
        return True

    logger = logging.getLogger("weasyprint")
    logger.addFilter(collect)
    try:
        yield found
    finally:
        logger.removeFilter(collect)
