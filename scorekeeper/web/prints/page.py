"""What the pages for printing show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scorekeeper.ledger.derive_match import Match
from scorekeeper.narration.endings import goal_words
from scorekeeper.printing import layout
from scorekeeper.printing.fitting import PrintedSheet
from scorekeeper.printing.layout import WIDTH
from scorekeeper.printing.print_options import INK_NAMES, ORDINARY, PAPER_NAMES, PAPER_SIZES, PrintOptions
from scorekeeper.rules.phrases import sentence, several
from scorekeeper.web.find_game import Finder
from scorekeeper.web.match.page import match_title
from scorekeeper.web.prints.form import Origin, PrintSource
from scorekeeper.web.shared.widgets import QuestionView, labeled_question

PAPER_LABELS = {"a4": "A4, 210 × 297 mm", "letter": "Letter, 8½ × 11 in"}
MOST_PAGES = 12
MOST_MATCHES = 12
MOST_GLYPHS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintLine:
    """A match that can be printed."""

    code: str
    name: str
    small: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintIndexPage:
    """Template prints/index.html, which extends find_game/show.html."""

    finder: Finder
    matches: tuple[PrintLine, ...]

    @property
    def description(self) -> str:
        """What the page is, for who looks for such a thing; empty where it shows matches."""
        if self.matches or self.finder.is_answered:
            return ""
        return "Print the rules of a Pitch game, pocket cards, and score pads, on Letter or A4."


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewView:
    """A sheet before it is printed, and what can be chosen for it."""

    questions: tuple[QuestionView, ...]
    sizes: QuestionView | None
    query: Mapping[str, str]
    """How an address names this sheet, as it is chosen."""
    kind: str
    """"Score sheet"."""
    pages: int
    shown_pages: Sequence[int]
    width: int
    height: int
    """Of a page's image."""
    summary: str
    """"Two pages, A4"."""
    file_name: str
    missing_glyphs: str
    """"ミ ラ": what is printed as boxes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintPage:
    """Template prints/choose.html. Blocks: sizes, preview, bottom_bar."""

    origin: Origin = field(default_factory=Origin)
    preview: PreviewView | None = None
    """`None` where nothing can be printed."""
    advice: str = ""
    """What to do about letters that are missing, or so that anything can be printed."""


def print_index_page(matches: Sequence[Match], finder: Finder) -> PrintIndexPage:
    """Return everything that can be printed: a phone's matches, and every game."""
    return PrintIndexPage(
        finder=finder,
        matches=tuple(
            PrintLine(
                code=match.code,
                name=match_title(match),
                small=f"{match.state.ruleset.name}, {goal_words(match.state.ruleset)}",
            )
            for match in matches[:MOST_MATCHES]
        ),
    )


def print_page(
    source: PrintSource, kind_id: str, options: PrintOptions, sheet: PrintedSheet, file_name: str
) -> PrintPage:
    """Return the page with what is chosen, and the pages that come of it."""
    kind = source.kinds[kind_id][0]
    chosen = {"kind": kind_id, "paper": options.paper, "ink": options.ink, "size": options.size}
    questions = (
        labeled_question("kind", "Sheet", {known: it.name for known, (it, _) in source.kinds.items()}, kind_id),
        labeled_question("paper", "Paper size", PAPER_LABELS, options.paper),
        labeled_question("ink", "Color", INK_NAMES, options.ink),
    )
    width, height = PAPER_SIZES[options.paper]
    size_question = "Text size" if ORDINARY in kind.sizes else "Layout"
    preview = PreviewView(
        questions=tuple(question for question in questions if len(question.choices) > 1),
        sizes=labeled_question("size", size_question, kind.sizes, options.size) if len(kind.sizes) > 1 else None,
        query={**source.origin.query, **chosen},
        kind=kind.name,
        pages=sheet.pages,
        shown_pages=range(1, min(sheet.pages, MOST_PAGES) + 1),
        width=WIDTH,
        height=round(WIDTH * height / width),
        summary=f"{sentence(several(sheet.pages, 'page'))}, {PAPER_NAMES[options.paper]}",
        file_name=file_name,
        missing_glyphs=_missing_glyphs(sheet),
    )
    return PrintPage(origin=source.origin, preview=preview, advice=layout.INSTALL_FONTS)


def _missing_glyphs(sheet: PrintedSheet) -> str:
    shown = [letter for letter in sheet.missing_glyphs if letter.isprintable()][:MOST_GLYPHS]
    more = " …" if shown and len(shown) < len(sheet.missing_glyphs) else ""
    return f"{' '.join(shown)}{more}"
