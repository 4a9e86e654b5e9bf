"""Printing for the server: what was printed lately is cached, and all else is made by the print process."""

from threading import Lock

from scorekeeper.printing import layout
from scorekeeper.printing.cache import SizedCache
from scorekeeper.printing.fitting import Draft, PrintedSheet, print_draft
from scorekeeper.printing.page_images import draw_page
from scorekeeper.printing.print_process import PrintProcess

CACHE_SIZE = 12_000_000
"""Bytes of sheets, and as many of images."""
STYLESHEETS = ("faces.css", "print.css", "pocket.css", "pad.css", "large.css", "result.css")
EVERY_FACE = '<article class="rule-sheet"><h2>A♠</h2><p>A <b>B</b> ☐</p></article>'

_sheets = SizedCache[PrintedSheet](CACHE_SIZE, lambda sheet: len(sheet.content))
_images = SizedCache[bytes](CACHE_SIZE, len)
_one_at_a_time = Lock()


def print_sheet(draft: Draft) -> PrintedSheet:
    """Return a sheet as PDF.

    Raises:
        PrintingUnavailable: Pango is missing.
        PrintingFailed: The print process did not make it.
    """
    if not layout.is_available():
        raise layout.PrintingUnavailable
    key = draft.key
    cached = _sheets.get(key)
    if cached:
        return cached
    with _one_at_a_time:  # whoever waits for the same sheet finds it in the cache
        return _sheets.get(key) or _sheets.put(key, process.run(print_draft, draft))


def page_image(draft: Draft, number: int) -> bytes:
    """Return a page of a sheet as PNG; raises `IndexError` where it has no such page, and what `print_sheet` raises."""
    key = f"{draft.key}-{number}"
    return _images.get(key) or _images.put(key, process.run(draw_page, print_sheet(draft).content, number))


def start() -> None:
    """Start the print process, for whoever sees a page from which one prints may soon do so."""
    if layout.is_available():
        process.start()


def clear_cache() -> None:
    """Drop everything that was printed."""
    _sheets.clear()
    _images.clear()


def warm_up() -> None:
    """Load what every job needs: lay out a small page in every face that we have, and draw it."""
    page = layout.Layout(EVERY_FACE, STYLESHEETS).render("@page{size:A6}")
    draw_page(page.write_pdf(), 1, 100)


process = PrintProcess(warm_up)
