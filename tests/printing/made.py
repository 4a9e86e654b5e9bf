"""Every sheet of the book, laid out once for all tests, and looked at box by box."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from scorekeeper.paths import RULESETS
from scorekeeper.printing.fitting import Draft, print_draft
from scorekeeper.printing.kinds import KINDS, Rules
from scorekeeper.printing.papers import Paper
from scorekeeper.printing.press import Press
from scorekeeper.printing.wishes import Wish
from scorekeeper.rules.library import read_library
from scorekeeper.rules.schema import Ruleset
from tests.printing.pages import read, text_of

LIBRARY = read_library(RULESETS)
URL = "https://pitch.example/rules"
SLACK = 0.75
"""Pixels that a word may stick out by rounding."""


@dataclass(frozen=True)
class Made:
    """A finished sheet, and what there was to see on the way."""

    content: bytes
    style: str
    said: tuple[str, ...]
    """What WeasyPrint had to say about it."""
    document: Any

    @property
    def pages(self) -> int:
        return len(read(self.content).pages)

    @property
    def text(self) -> str:
        return text_of(self.content)

    @property
    def packed(self) -> str:
        """The text without any space: where a line breaks does not matter."""
        return "".join(self.text.split())


def draft(kind: str, ruleset: Ruleset, paper: Paper = "a4", size: str = "", base: Ruleset | None = None) -> Draft:
    wish = Wish(paper, "colour", size or next(iter(KINDS[kind].sizes)))
    return KINDS[kind].draft(Rules(ruleset, base or LIBRARY[ruleset.id], URL), wish)


@cache
def of_book(kind: str, ruleset_id: str, paper: Paper, size: str = "") -> Made:
    return made(draft(kind, LIBRARY[ruleset_id], paper, size))


def made(wanted: Draft) -> Made:
    """Print a draft, and keep what was laid out and said."""
    documents: dict[str, Any] = {}
    said: list[str] = []
    lay_out = Press.lay_out

    def watched(press: Press, css: str) -> Any:
        documents[css] = lay_out(press, css)
        return documents[css]

    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("weasyprint")
    logger.addHandler(handler)
    setattr(Press, "lay_out", watched)  # noqa: B010
    try:
        printed = print_draft(wanted)
    finally:
        setattr(Press, "lay_out", lay_out)  # noqa: B010
        logger.removeHandler(handler)
    last = next(reversed(documents))
    shown = last if last.startswith(printed.style) else printed.style
    return Made(printed.content, printed.style, tuple(said), documents[shown])


@dataclass(frozen=True)
class Word:
    """A piece of text, the ink of its letters, and the boxes that it has to keep to."""

    text: str
    left: float
    right: float
    top: float
    bottom: float
    size: float
    bounds: tuple[tuple[float, float, float, float], ...]
    is_turned: bool

    @property
    def is_inside(self) -> bool:
        return all(
            left - SLACK <= self.left and self.right <= right + SLACK and top <= self.top and self.bottom <= bottom
            for left, right, top, bottom in self.bounds
        )

    def lies_over(self, other: "Word") -> bool:
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across > SLACK and down > SLACK


def faults(document: Any) -> list[str]:
    """Name every word that is cut, that leaves its box, or that lies over another."""
    found = []
    for number, page in enumerate(document.pages, 1):
        words = sorted(_words(page), key=lambda word: word.top)
        found += [f"page {number}: {word.text!r} is cut" for word in words if not word.is_inside]
        for i, word in enumerate(words):
            for other in words[i + 1 :]:
                if other.top > word.bottom:
                    break
                if word.lies_over(other) and not word.is_turned and not other.is_turned:
                    found.append(f"page {number}: {word.text!r} lies over {other.text!r}")
    return found


def sizes(document: Any) -> set[float]:
    """Give every size of type on the pages, in points."""
    return {round(word.size * 0.75, 2) for page in document.pages for word in _words(page)}


def _words(page: Any) -> Iterator[Word]:
    root = page._page_box
    yield from _inside(root, ((0, root.margin_width(), 0, root.margin_height()),), None)


def _inside(box: Any, bounds: tuple[tuple[float, float, float, float], ...], turned: Any) -> Iterator[Word]:
    if type(box).__name__ == "TextBox":
        if box.text.strip():
            yield _word(box, bounds, turned)
        return
    style = getattr(box, "style", None)
    if style is not None and style["transform"]:
        turned = box
    if _keeps_to_itself(box) and turned is None:
        bounds = (*bounds, _edges(box))
    for child in getattr(box, "children", ()):
        yield from _inside(child, bounds if turned is None else (*bounds,), turned)


def _keeps_to_itself(box: Any) -> bool:
    """Tell whether nothing may stick out of a box: a cell, a card, a piece of the page."""
    classes = (box.element.get("class") or "").split() if getattr(box, "element", None) is not None else []
    return type(box).__name__ == "TableCellBox" or bool({"place", "pcard", "cell", "row", "house", "grid"} & {*classes})


def _edges(box: Any) -> tuple[float, float, float, float]:
    left, top = box.position_x, box.position_y
    return left, left + box.margin_width(), top - SLACK, top + box.margin_height() + SLACK


def _word(text: Any, bounds: tuple[tuple[float, float, float, float], ...], turned: Any) -> Word:
    size = text.style["font_size"]
    baseline = text.position_y + text.baseline
    left, right = text.position_x, text.position_x + text.width
    top, bottom = baseline - 0.62 * size, baseline + 0.05 * size
    if turned is not None:
        # On end it runs upwards from its foot, as far as it would be long.
        bottom = turned.position_y + turned.margin_height()
        top = bottom - turned.margin_width()
        left = right = turned.position_x
    return Word(text.text, left, right, top, bottom, size, bounds, turned is not None)
