"""Printing for the server: a cache of recent sheets and page images, which the print process makes.

The process makes one at a time, and other requests fail with `PrinterBusy` meanwhile. `page_image_if_ready` queues
images, which a browser requests all at once.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from scorekeeper.eventlog.cache import Cache
from scorekeeper.printing import pdf
from scorekeeper.printing.fitting import PrintedSheet, print_draft
from scorekeeper.printing.kinds import PrintOrder
from scorekeeper.printing.pdf import draw_page
from scorekeeper.printing.print_process import PrinterBusy, PrintProcess

T = TypeVar("T")

MAX_CACHE_BYTES = 12_000_000
"""The most bytes of cached sheets, and also of cached images."""
_WARM_UP_STYLESHEETS = (
    "faces.css",
    "print.css",
    "pocket.css",
    "pad.css",
    "large.css",
    "paper.css",
    "result.css",
    "picture.css",
)
_WARM_UP_MARKUP = '<article class="rule-sheet"><h2>A♠</h2><p>A <b>B</b> ☐</p></article>'
"""A page with letters of every font, for `warm_up`."""

MAX_WAITING_IMAGES = 48
"""The most images of pages that wait to be drawn."""


class ImageBeingDrawn(PrinterBusy):
    """An image of a page is not ready; it waits or is being drawn, for a later request."""


_drawing_executor = ThreadPoolExecutor(1, "drawing")
_waiting_images: set[tuple[str, int]] = set()
"""The images that wait or are being drawn, by the key of the sheet and the number of the page."""
_image_errors: dict[tuple[str, int], Exception] = {}
"""The errors of images that could not be drawn, until requested again."""
_sheets = Cache[str, PrintedSheet](max_weight=MAX_CACHE_BYTES, weigh=lambda sheet: len(sheet.content))
_images = Cache[tuple[str, int], bytes](max_weight=MAX_CACHE_BYTES, weigh=len)
"""The images of pages, by the key of the sheet and the number of the page."""


def print_sheet(order: PrintOrder) -> PrintedSheet:
    """Return a sheet as PDF, from the cache or newly printed.

    Raises:
        PrintingUnavailable: Pango is missing.
        PrinterBusy: The print process is busy.
        PrintingFailed: The print process did not make it.
        SheetTooLong: It has more than `MAX_PAGES`.
    """
    key = order.key
    return _sheets.get(key) or _sheets.put(key, _run_in_process(_print_order, order))


def print_preview(order: PrintOrder, max_pages: int) -> PrintedSheet:
    """Return a sheet as PDF, and cache images of its first `max_pages` pages.

    Raises the same as `print_sheet`.
    """
    key = order.key
    sheet = _sheets.get(key)
    if sheet and all(_images.get((key, number)) for number in _first_page_numbers(sheet, max_pages)):
        return sheet
    # A browser requests all images at once, but the print process runs one job at a time.
    sheet, images = _run_in_process(_print_with_images, order, max_pages)
    for number, image in enumerate(images, start=1):
        _images.put((key, number), image)
    return _sheets.put(key, sheet)


def page_image(order: PrintOrder, number: int) -> bytes:
    """Return a page as PNG, cached or newly drawn.

    Raises `IndexError` without such a page, and otherwise the same as `print_sheet`.
    """
    key, width = (order.key, number), order.kind.image_width
    return _images.get(key) or _images.put(key, _run_in_process(draw_page, print_sheet(order).content, number, width))


def page_image_if_ready(order: PrintOrder, number: int) -> bytes:
    """Return a cached page as PNG, or queue it to be drawn.

    If the last drawing failed, its error is raised.

    Raises:
        ImageBeingDrawn: The page waits or is being drawn.
        IndexError: A cached sheet has no such page.
        PrintingUnavailable: Pango is missing.
        PrinterBusy: `MAX_WAITING_IMAGES` wait already.
    """
    key = order.key, number
    if image := _images.get(key):
        return image
    if (sheet := _sheets.get(order.key)) and number > sheet.pages:
        raise IndexError
    if not pdf.is_available():
        raise pdf.PrintingUnavailable
    if error := _image_errors.pop(key, None):
        raise error
    if key not in _waiting_images:
        if len(_waiting_images) >= MAX_WAITING_IMAGES:
            raise PrinterBusy
        _waiting_images.add(key)
        _drawing_executor.submit(_draw_and_cache, order, number)
    raise ImageBeingDrawn


def is_cached_or_queued(order: PrintOrder) -> bool:
    """Return whether a sheet is cached, or one of its images is waiting or being drawn."""
    return bool(_sheets.get(order.key)) or any(key == order.key for key, _ in [*_waiting_images])


def queue_length() -> int:
    """Return the number of images that wait or are being drawn; at least 1 while the print process is busy."""
    return max(len(_waiting_images), int(process.is_busy))


def start() -> None:
    """Start the print process early, if printing is available, for a person who may soon print a sheet."""
    if pdf.is_available():
        process.start()


def warm_up() -> None:
    """Load modules and fonts for later jobs, by printing and drawing a small page in every font."""
    page = pdf.Layout(_WARM_UP_MARKUP, _WARM_UP_STYLESHEETS).render("@page{size:A6}")
    draw_page(page.write_pdf(), 1, 100)


process = PrintProcess(warm_up)


def _run_in_process(function: Callable[..., T], *arguments: object) -> T:
    """Run a function in the print process, and return its result or raise its exception.

    Raises:
        PrintingUnavailable: Pango is missing.
        PrinterBusy: The print process is busy.
        PrintingFailed: The print process did not run it to its end.
    """
    if not pdf.is_available():
        raise pdf.PrintingUnavailable
    return process.run(function, *arguments)


def _draw_and_cache(order: PrintOrder, number: int) -> None:
    """Draw a page after other jobs, and cache the image, or the error for the next request."""
    key = order.key, number
    try:
        sheet = _sheets.get(order.key) or _sheets.put(order.key, process.run(_print_order, order, waits=True))
        image = process.run(draw_page, sheet.content, number, order.kind.image_width, waits=True)
        _images.put(key, image)
    except Exception as error:
        if len(_image_errors) >= MAX_WAITING_IMAGES:  # nobody has requested these errors again
            _image_errors.clear()
        _image_errors[key] = error
    finally:
        _waiting_images.discard(key)


def _print_order(order: PrintOrder) -> PrintedSheet:
    """Draft and print a sheet; called in the print process."""
    return print_draft(order.draft())


def _print_with_images(order: PrintOrder, max_pages: int) -> tuple[PrintedSheet, list[bytes]]:
    """Draft and print a sheet, and return it and its first pages as PNG; called in the print process."""
    sheet = _print_order(order)
    return sheet, [draw_page(sheet.content, number) for number in _first_page_numbers(sheet, max_pages)]


def _first_page_numbers(sheet: PrintedSheet, max_pages: int) -> range:
    """Return the numbers of a sheet's first pages, `max_pages` at most."""
    return range(1, min(sheet.pages, max_pages) + 1)
