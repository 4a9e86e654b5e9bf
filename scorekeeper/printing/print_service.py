"""Printing for the server: what was printed lately is cached, and all else is made by the print process."""

from dataclasses import dataclass
from threading import Lock

from scorekeeper import paths
from scorekeeper.printing import press
from scorekeeper.printing.cache import Shelf
from scorekeeper.printing.fitting import CSS, Draft, draft_key, print_draft
from scorekeeper.printing.kinds import Kind, Subject
from scorekeeper.printing.missing_glyphs import unknown_letters
from scorekeeper.printing.page_images import page_count, page_picture
from scorekeeper.printing.print_options import Wish
from scorekeeper.printing.print_process import PrintProcess

ROOM = 12_000_000
"""Bytes of sheets, and as many of pictures, that are kept at hand."""
STYLESHEETS = ("faces.css", "print.css", "pocket.css", "pad.css", "large.css", "result.css")
EVERY_FACE = '<article class="rule-sheet"><h2>A♠</h2><p>A <b>B</b> ☐</p></article>'


@dataclass(frozen=True, slots=True)
class Sheet:
    """A finished sheet."""

    content: bytes
    pages: int
    unknown: str = ""
    """Letters of names and notes that this machine has no face for."""


@dataclass(frozen=True, slots=True)
class Order:
    """A sheet that somebody wants, ready to be set; the same page has the same key."""

    draft: Draft
    is_black: bool

    @property
    def key(self) -> str:
        """Stand for everything that is on the pages, in a few letters."""
        return draft_key(self.draft, is_black=self.is_black)


_sheets = Shelf[Sheet](ROOM, lambda sheet: len(sheet.content))
_pictures = Shelf[bytes](ROOM, len)
_one_at_a_time = Lock()


def order(kind: Kind, subject: Subject, wish: Wish) -> Order:
    """Draft a sheet; nothing is laid out yet."""
    return Order(kind.draft(subject, wish), wish.ink == "black")


def sheet_of(wanted: Order) -> Sheet:
    """Give the sheet; raises `PrintingUnavailable` without Pango, and `PrintingFailed`."""
    if not press.is_available():
        raise press.PrintingUnavailable
    key = wanted.key
    found = _sheets.find(key)
    if found:
        return found
    with _one_at_a_time:  # the next in line may find it done
        return _sheets.find(key) or _sheets.put(key, PROCESS.run(make_sheet, wanted))


def picture_of(wanted: Order, number: int) -> bytes:
    """Give a page of it as a picture; raises `IndexError` where there is no such page."""
    key = f"{wanted.key}-{number}"
    found = _pictures.find(key)
    return found or _pictures.put(key, PROCESS.run(page_picture, sheet_of(wanted).content, number))


def make_sheet(wanted: Order) -> Sheet:
    """Lay a sheet out, here and now."""
    with unknown_letters() as unknown:
        content = print_draft(wanted.draft, is_black=wanted.is_black).content
    return Sheet(content, page_count(content), "".join(unknown))


def get_ready() -> None:
    """Start the print process, for whoever sees a page from which one prints may soon do so."""
    if press.is_available():
        PROCESS.start()


def forget() -> None:
    """Forget everything that was made."""
    _sheets.clear()
    _pictures.clear()


def warm_up() -> None:
    """Load what every job needs: lay out a small page in every face that we have, and make its image."""
    page = press.Press(EVERY_FACE, [CSS / name for name in STYLESHEETS], paths.STATIC).lay_out("@page{size:A6}")
    page_picture(page.write_pdf(), 1, 100)


PROCESS = PrintProcess(warm_up)
