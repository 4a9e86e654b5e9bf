"""Every sheet of the standard rules, laid out once for all tests and examined box by box."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import inf
from typing import Any

import pytest

from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.printing.fitting import Draft, print_draft
from scorekeeper.printing.kinds import SHEET_KINDS, current_kind_and_size, draft_sheet
from scorekeeper.printing.pdf import Layout
from scorekeeper.printing.print_options import PAPER_NAMES, Paper, PrintOptions
from scorekeeper.printing.rules_link import PrintableRules
from tests.common.ci import paired
from tests.common.library import LAW_RULESETS, LIBRARY
from tests.printing.pages import page_texts

URL = "https://pitch.example/rules"
SLACK = 0.75
"""Pixels that a word may stick out by rounding."""
Edges = tuple[float, float, float, float]
"""Of a box: left, right, top and bottom."""

each_ruleset_on_paper = pytest.mark.parametrize(
    ("ruleset", "paper"),
    [pytest.param(ruleset, paper, id=f"{ruleset.id}-{paper}") for ruleset, paper in paired(LAW_RULESETS, PAPER_NAMES)],
)
"""The sheets that are laid out: in CI on both papers; elsewhere one ruleset on the one, the next on the other."""


each_paper = pytest.mark.parametrize("paper", PAPER_NAMES)


@dataclass(frozen=True, kw_only=True)
class Made:
    """A printed sheet, and what could be seen on the way."""

    body: str
    """The markup that was laid out."""
    content: bytes
    style: str
    warnings: tuple[str, ...]
    """What WeasyPrint logged about it."""
    pages: int
    """How many pages it takes, or one of its pieces."""
    texts: tuple[str, ...]
    """The text of each page, its lines run together."""
    in_order: str
    """The text without any space in the order of its lines; in the PDF what floats is painted last."""
    faults: tuple[str, ...]
    """Words that are cut, or lie over others."""
    sizes: frozenset[float]
    """Every size of its type, in points."""
    feet: tuple[float, ...]
    """How far down each page, between its margins, its last word stands, as a part of its height."""

    @property
    def text(self) -> str:
        """The text of all pages."""
        return " ".join(self.texts)

    @property
    def packed(self) -> str:
        """The text without any space: where a line breaks does not matter."""
        return packed(self.text)


def packed(text: str) -> str:
    """Return a text without any space."""
    return "".join(text.split())


NEARLY_EVERYTHING: dict[str, object] = {
    "dirty": True,
    "target": 52,
    "win_rule": "made_bid",
    "tie_rule": "higher_score",
    "dealer_steal": "yes",
    "all_pass": "may_take_set",
    "forced_bid": 6,
    "min_bid": 6,
    "moon_made": 30,
    "moon_set": 28,
    "reverse": True,
    "joker_order": "first_played",
    "trey": 4,
    "off_ace": True,
    "win_by": 2,
    "set_limit": 3,
    "share_the_wealth": True,
    "cut": True,
    "game": True,
    "game_tie": "joker_breaks",
    "last_trick": True,
}
"""What a house may change about Colorado Fourteen Point."""


def changed(ruleset: Ruleset, **answers: object) -> Ruleset:
    """Return the rules of a house."""
    changed, faults = with_house(ruleset, answers)
    assert not faults
    return changed


def draft(kind: str, ruleset: Ruleset, paper: Paper = "a4", size: str = "", base: Ruleset | None = None) -> Draft:
    kind_id, size = current_kind_and_size(kind, size)
    options = PrintOptions(paper, "colour", size or next(iter(SHEET_KINDS[kind_id].sizes)))
    return draft_sheet(SHEET_KINDS[kind_id], PrintableRules(ruleset, base or LIBRARY[ruleset.id], URL), options)


def of_book(kind: str, ruleset_id: str, paper: Paper, size: str = "") -> Made:
    """Return a sheet of the book, made once in each process: conftest.py keeps the tests of a ruleset in one."""
    return _of_book(kind, ruleset_id, paper, size)


@cache
def _of_book(kind: str, ruleset_id: str, paper: Paper, size: str) -> Made:
    return made(draft(kind, LIBRARY[ruleset_id], paper, size))


def made(wanted: Draft) -> Made:
    """Print a draft, and keep its layout and warnings."""
    documents: dict[str, Any] = {}
    warnings: list[str] = []
    render = Layout.render

    def watched(layout: Layout, css: str) -> Any:
        documents[css] = render(layout, css)
        return documents[css]

    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: warnings.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("weasyprint")
    logger.addHandler(handler)
    setattr(Layout, "render", watched)  # noqa: B010
    try:
        printed = print_draft(wanted)
    finally:
        setattr(Layout, "render", render)  # noqa: B010
        logger.removeHandler(handler)
    shown = documents[printed.style]
    return Made(
        body=wanted.body,
        content=printed.content,
        style=printed.style,
        warnings=tuple(warnings),
        pages=len(shown.pages),
        texts=tuple(page_texts(printed.content)),
        in_order="".join(text for page in shown.pages for box in _texts(page._page_box) for text in box.text.split()),
        faults=tuple(_faults(shown)),
        sizes=frozenset(_sizes(shown)),
        feet=tuple(_foot(page) for page in shown.pages),
    )


@dataclass(frozen=True)
class Word:
    """A piece of text, the ink of its letters, and the boxes that it has to keep to."""

    text: str
    left: float
    right: float
    top: float
    bottom: float
    size: float
    bounds: tuple[Edges, ...]
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


def _faults(document: Any) -> list[str]:
    """Return every word that is cut, that leaves its box or its line, or that lies over another."""
    found = []
    for number, page in enumerate(document.pages, 1):
        words = sorted(_words(page), key=lambda word: word.top)
        found += [f"page {number}: {broken}" for broken in (*_broken(page), *_cut_rows(page._page_box))]
        found += [f"page {number}: {word.text!r} is cut" for word in words if not word.is_inside]
        for i, word in enumerate(words):
            for other in words[i + 1 :]:
                if other.top > word.bottom:
                    break
                if word.lies_over(other) and not word.is_turned and not other.is_turned:
                    found.append(f"page {number}: {word.text!r} lies over {other.text!r}")
    return found


def _broken(page: Any) -> Iterator[str]:
    """Return every line that ends in a box to tick, or in its first half though the next word had room in it.

    A title is left out: it may stand beside the date.
    """
    for box in _blocks(page._page_box):
        lines = [line for line in box.children if type(line).__name__ == "LineBox"]
        for line, following in pairwise(lines):
            texts, more = _texts(line), _texts(following)
            if not texts or not more or not more[0].text.strip():
                continue
            end = texts[-1].position_x + texts[-1].width
            word = more[0].width * (len(more[0].text.split()[0]) + 1) / len(more[0].text)
            is_short = end < box.position_x + box.width / 2 and end + 1.5 * word < box.position_x + box.width
            if box.element_tag != "h1" and (is_short or texts[-1].text == "☐"):
                yield f"{texts[-1].text!r} is left alone by {more[0].text!r}"


def _cut_rows(box: Any, floor: float = inf) -> Iterator[str]:
    """Return every row of a table of which the foot of what holds it shows a part."""
    if type(box).__name__ == "TableRowBox" and box.position_y + SLACK < floor < box.position_y + box.height - SLACK:
        yield "a row is cut"
    if getattr(box, "style", {"overflow": ""})["overflow"] == "hidden":
        floor = box.content_box_y() + box.height
    for child in getattr(box, "children", ()):
        yield from _cut_rows(child, floor)


def _blocks(box: Any) -> Iterator[Any]:
    children = getattr(box, "children", ())
    if any(type(child).__name__ == "LineBox" for child in children):
        yield box
    for child in children:
        yield from _blocks(child)


def _texts(box: Any) -> list[Any]:
    if type(box).__name__ == "TextBox":
        return [box]
    return [text for child in getattr(box, "children", ()) for text in _texts(child)]


def _sizes(document: Any) -> set[float]:
    """Return every size of type on the pages, in points."""
    return {round(word.size * 0.75, 2) for page in document.pages for word in _words(page)}


def _foot(page: Any) -> float:
    root = page._page_box
    own = [box for box in root.children if type(box).__name__ != "MarginBox"]
    words = (word for box in own for word in _inside(box, (), None))
    lowest: float = max((word.bottom for word in words), default=0.0)
    return (lowest - float(root.content_box_y())) / float(root.height)


def _words(page: Any) -> Iterator[Word]:
    root = page._page_box
    yield from _inside(root, ((0, root.margin_width(), 0, root.margin_height()),), None)


def _inside(box: Any, bounds: tuple[Edges, ...], turned: Any) -> Iterator[Word]:
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
    """Return whether nothing may stick out of a box: a cell, a card, the heads of a pad."""
    of_its_own = {"pcard", "cell", "heads", "row", "house", "grid"}
    return type(box).__name__ == "TableCellBox" or bool(of_its_own & {*classes_of(box)})


def classes_of(box: Any) -> list[str]:
    """Return the classes of the element of a box."""
    element = getattr(box, "element", None)
    return [] if element is None else (element.get("class") or "").split()


def _edges(box: Any) -> Edges:
    left, top = box.position_x, box.position_y
    right, bottom = left + box.margin_width(), top + box.margin_height()
    if "cell" in classes_of(box):  # it stands at the foot of the heads, as high as what is in it
        return left, right, -inf, inf
    return left, right, top - SLACK, bottom + SLACK


def _word(text: Any, bounds: tuple[Edges, ...], turned: Any) -> Word:
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
