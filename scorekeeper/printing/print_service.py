"""Printing for the server: what was printed lately is cached, and all else is made by the print process.

It makes one sheet at a time, and only the request for that sheet waits: the others are told that it is busy.
"""

from collections.abc import Callable
from threading import Lock
from typing import TypeVar

from scorekeeper.printing import layout
from scorekeeper.printing.fitting import PrintedSheet, print_draft
from scorekeeper.printing.kinds import Order
from scorekeeper.printing.layout import draw_page
from scorekeeper.printing.print_process import PrintProcess
from scorekeeper.serving.cache import Cache

T = TypeVar("T")

CACHE_SIZE = 12_000_000
"""Bytes of sheets, and as many of images."""
STYLESHEETS = ("faces.css", "print.css", "pocket.css", "pad.css", "large.css", "result.css", "picture.css")
EVERY_FACE = '<article class="rule-sheet"><h2>A♠</h2><p>A <b>B</b> ☐</p></article>'

LONGEST_DRAWING = 3.0
"""Seconds that an image waits for another one."""

_drawing = Lock()
_sheets = Cache[str, PrintedSheet](most_weight=CACHE_SIZE, weigh=lambda sheet: len(sheet.content))
_images = Cache[str, bytes](most_weight=CACHE_SIZE, weigh=len)


def print_sheet(order: Order) -> PrintedSheet:
    """Return a sheet as PDF.

    Raises:
        PrintingUnavailable: Pango is missing.
        PrinterBusy: The print process makes another sheet.
        PrintingFailed: The print process did not make it.
    """
    key = order.key
    return _sheets.get(key) or _sheets.put(key, _run(_print, order))


def print_preview(order: Order, most_pages: int) -> PrintedSheet:
    """Return a sheet of which the first pages are cached as images; raises what `print_sheet` raises.

    A browser asks for the images all at once, and the print process does one thing at a time.
    """
    key = order.key
    sheet = _sheets.get(key)
    if sheet and all(_images.get(_image_key(key, number)) for number in _first_pages(sheet, most_pages)):
        return sheet
    sheet, images = _run(_print_with_images, order, most_pages)
    for number, image in enumerate(images, start=1):
        _images.put(_image_key(key, number), image)
    return _sheets.put(key, sheet)


def page_image(order: Order, number: int) -> bytes:
    """Return a page of a sheet as PNG; raises `IndexError` where it has no such page, and what `print_sheet` raises.

    Where several processes serve, another one than this may have shown the sheet. Its images are then asked for here
    all at once, and wait for each other instead of being told that the printer is busy.
    """
    key, width = _image_key(order.key, number), order.kind.image_width
    if image := _images.get(key):
        return image
    is_turn = _drawing.acquire(timeout=LONGEST_DRAWING)
    try:
        return _images.get(key) or _images.put(key, _run(draw_page, print_sheet(order).content, number, width))
    finally:
        if is_turn:
            _drawing.release()


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


def _run(function: Callable[..., T], *arguments: object) -> T:
    if not layout.is_available():
        raise layout.PrintingUnavailable
    return process.run(function, *arguments)


def _print(order: Order) -> PrintedSheet:
    return print_draft(order.draft())


def _print_with_images(order: Order, most_pages: int) -> tuple[PrintedSheet, list[bytes]]:
    sheet = _print(order)
    return sheet, [draw_page(sheet.content, number) for number in _first_pages(sheet, most_pages)]


def _first_pages(sheet: PrintedSheet, most: int) -> range:
    return range(1, min(sheet.pages, most) + 1)


def _image_key(key: str, number: int) -> str:
    return f"{key}-{number}"
