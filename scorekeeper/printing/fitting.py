"""A sheet as PDF, in the best of several styles with which it fits its pages."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from unicodedata import category

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from scorekeeper import paths
from scorekeeper.pitch.text.phrases import bind_seat_numbers, isolate_rtl_names, resolve_pronouns
from scorekeeper.printing.imposition import CutMark, ImposedPage, PagePieces
from scorekeeper.printing.pdf import (
    CSS_FOLDER,
    Layout,
    WeasyPrintObject,
    collect_missing_glyphs,
    gray_css,
    gray_drawings,
)

AS_MANY_AS_NEEDED = 0
"""The value of `StyleRow.max_pages` for as many pages as the last style needs."""
MAX_PAGES = 120
"""The most pages of a sheet; the longest match takes a third of them."""
_MISSING_GLYPH_BOX = "\N{BALLOT BOX}"
"""The replacement of a letter that no font has; our font of suits has it on every machine."""


@dataclass(frozen=True, slots=True)
class StyleRow:
    """Styles to try, as CSS, from the best to the smallest."""

    styles: tuple[str, ...]
    max_pages: int
    """The most pages, or `AS_MANY_AS_NEEDED`; the number of panels in a piece if the page is cut."""
    start_index: int = 0
    """The index of the best style that probably fits; outside the row if none does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A sheet ready for layout, with the styles to try until it fits its pages."""

    title: str
    body: str
    """The markup of the page, or of a piece if the page is cut."""
    stylesheets: tuple[str, ...]
    """The names of files in `CSS_FOLDER`."""
    style_rows: tuple[StyleRow, ...]
    """The rows of styles to try, one after another."""
    pieces: PagePieces | None = None
    margin: str = "0"
    """The CSS margin of a piece, or of each of its panels."""
    is_grayscale: bool = False

    @property
    def markup(self) -> str:
        """The HTML of the page, or of one piece."""
        return self.page(self.body)

    def page_for_browser(self, root: str) -> str:
        """Return the HTML for a browser to print, in the style that probably fits.

        `root` is the URL of our static files.
        """
        likely_styles = (
            row.styles[row.start_index] for row in self.style_rows if 0 <= row.start_index < len(row.styles)
        )
        css = [(CSS_FOLDER / name).read_text(encoding="utf-8").replace('"../', f'"{root}') for name in self.stylesheets]
        css.append(next(likely_styles, self.style_rows[-1].styles[-1]))
        css = [gray_css(text) for text in css] if self.is_grayscale else css
        body = gray_drawings(self.body) if self.is_grayscale else self.body
        copies = 1
        if not self.pieces:
            css.append("@page{margin-bottom:8mm}")  # browsers print no running footer, so no room for one
        else:
            copies = self.pieces.columns * self.pieces.rows
            body = f'<div class="piece">{body}</div>'
            css.append(_pieces_css(self.pieces, self.margin))
        return self.page(body, copies=copies, style=Markup(f"<style>{''.join(css)}</style>"))

    def page(self, body: str, *, cuts: Sequence[CutMark] = (), copies: int = 1, style: str = "") -> str:
        """Return the HTML of a page with `copies` of a body; `style` is a style element."""
        values = {"title": self.title, "body": Markup(body), "cuts": cuts, "copies": copies, "style": style}
        return render_sheet("printing/_page.html", **values)


@dataclass(frozen=True, slots=True)
class PrintedSheet:
    """A sheet as PDF, with its number of pages, its style and missing letters."""

    content: bytes
    pages: int
    """The number of pages."""
    style: str
    """The CSS of the chosen style."""
    missing_glyphs: str
    """The characters that no font of this machine has; letters and symbols among them are printed as boxes."""


class SheetTooLong(Exception):
    """A sheet has more than `MAX_PAGES`; the message has both numbers, and what to do."""


def print_draft(draft: Draft) -> PrintedSheet:
    """Print a sheet in the best style that fits its pages, or else in the last one.

    A letter that no font has becomes a box.

    Raises:
        SheetTooLong: It has more than `MAX_PAGES`.
        PrintingUnavailable: The libraries of WeasyPrint are missing.
    """
    sheet = _print_once(draft)
    if not sheet.missing_glyphs:
        return sheet
    # Boxes show that letters are missing, where gaps would hide a whole name.
    replacements = {ord(letter): _missing_glyph_replacement(letter) for letter in sheet.missing_glyphs}
    boxed = _print_once(replace(draft, body=draft.body.translate(replacements)))
    return replace(boxed, missing_glyphs=sheet.missing_glyphs)


def _print_once(draft: Draft) -> PrintedSheet:
    """Print a sheet, with gaps for letters that no font has; raises the same as `print_draft`."""
    with collect_missing_glyphs() as missing:
        page_css = ""
        if pieces := draft.pieces:
            page_css = f"@page{{size:{pieces.width:.3f}mm {pieces.panel_height:.3f}mm;margin:{draft.margin}}}"
        layout = Layout(draft.markup, draft.stylesheets, is_grayscale=draft.is_grayscale)
        rows = [replace(row, styles=tuple(page_css + css for css in row.styles)) for row in draft.style_rows]
        document, style = _render_best_style(layout, rows)
        if pieces and pieces.cut_marks:
            cuts_layout = Layout(
                draft.page("", cuts=pieces.cut_marks), draft.stylesheets, is_grayscale=draft.is_grayscale
            )
            cuts_document = cuts_layout.render(_cut_marks_css(pieces))
            document = cuts_document.copy([ImposedPage(cuts_document.pages[0], document.pages, pieces.corners)])
        if (page_count := len(document.pages)) > MAX_PAGES:
            raise SheetTooLong(
                f"The sheet has {page_count} pages, and at most {MAX_PAGES} are printed. Try regular print."
            )
        content = document.write_pdf()
    return PrintedSheet(content, len(document.pages), style, "".join(missing))


def _missing_glyph_replacement(letter: str) -> str:
    """Return a box for a letter or symbol that no font has, and nothing for an accent or a joiner.

    ASCII, spaces, digits and punctuation are unchanged.
    """
    if category(letter) in ("Mn", "Mc", "Me", "Cf"):
        return ""
    return letter if letter.isascii() or letter.isspace() or category(letter)[0] in "NPZ" else _MISSING_GLYPH_BOX


def render_sheet(template: str, **values: object) -> str:
    """Return a rendered template of printed sheets, with pronouns as words.

    Raises `UndefinedError` if a value that the template needs is missing.
    """
    return isolate_rtl_names(
        bind_seat_numbers(resolve_pronouns(_template_environment().get_template(template).render(values)))
    )


def drawing_style_element(stylesheet: str) -> Markup:
    """Return a style element with a stylesheet of our files, for the drawings in a sheet's markup."""
    return Markup(f"<style>{(CSS_FOLDER / stylesheet).read_text(encoding='utf-8')}</style>")


@cache
def _template_environment() -> Environment:
    """Return the Jinja environment of printed sheets; cached."""
    loader = FileSystemLoader(paths.TEMPLATES)
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)


def _render_best_style(layout: Layout, rows: Sequence[StyleRow]) -> tuple[WeasyPrintObject, str]:
    """Return the document in the first style that fits, or else in the last of all rows, with the style."""
    for row in rows:
        if found := _render_first_fitting_style(layout, row):
            return found
    return layout.render(rows[-1].styles[-1]), rows[-1].styles[-1]


def _render_first_fitting_style(layout: Layout, row: StyleRow) -> tuple[WeasyPrintObject, str] | None:
    """Return the document in the best style of a row that fits, with the style; `None` if none fits."""
    best, pages = None, row.max_pages
    low, high = 0, len(row.styles)
    if pages == AS_MANY_AS_NEEDED:
        high -= 1
        best = layout.render(row.styles[high]), row.styles[high]
        pages = len(best[0].pages)
    step, next_step = 1, 1  # steps of 1, 1, 2, 3, …: a start is seldom wrong by more than two
    index = min(max(row.start_index, 0), high - 1)
    while low < high:
        document = layout.render(row.styles[index])
        if len(document.pages) <= pages:
            best = document, row.styles[index]
            high = index
            index -= step
        else:
            low = index + 1
            index += max(step, len(document.pages) - pages)  # a style that takes many more pages is far from fitting
        step, next_step = next_step, step + next_step
        if not low <= index < high:
            index = (low + high) // 2
    return best


def _pieces_css(pieces: PagePieces, margin: str) -> str:
    """Return the CSS that lays out pieces on a page in a browser, without folds."""
    return (
        f"@page{{size:{pieces.page_width}mm {pieces.page_height}mm;margin:0}}@page:first{{margin:0}}"
        f"body{{margin:0;display:grid;grid-template-columns:repeat({pieces.columns},{pieces.width:.3f}mm)}}"
        f".piece{{box-sizing:border-box;min-height:{pieces.height - 0.1:.3f}mm;padding:{margin};"
        "break-inside:avoid;overflow-wrap:anywhere}"
    )


def _cut_marks_css(pieces: PagePieces) -> str:
    """Return the CSS of a page with its marks of cuts and folds."""
    marks = [
        f".cutmark:nth-of-type({i}){{left:{cut.x:.3f}mm;top:{cut.y:.3f}mm;width:{cut.width}mm;height:{cut.height}mm}}"
        for i, cut in enumerate(pieces.cut_marks, start=1)
    ]
    return f"@page{{size:{pieces.page_width}mm {pieces.page_height}mm;margin:0}}{''.join(marks)}"
