"""Rule sheets: in regular print on one page, with a back if needed, and in large print on several pages.

As text, for the command line and for comparing versions, a sheet shows the origin of each rule.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import ceil

from scorekeeper.pitch.rules.questions import answer_word
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.sources import Interpretation, InterpretationNumber, Reference
from scorekeeper.pitch.sheets.parts import RuleOrigin, WorkedHand
from scorekeeper.pitch.sheets.rule_sheet import RuleSheet
from scorekeeper.printing.columns import (
    TITLE_LINE_HEIGHT_EM,
    SheetColumns,
    columns_height,
    count_source_lines,
    height_above_columns,
    height_below_columns,
    height_in_one_column,
    split_into_columns,
)
from scorekeeper.printing.fitting import AS_MANY_AS_NEEDED, Draft, StyleRow, render_sheet
from scorekeeper.printing.print_options import PAPER_NAMES, PAPER_SIZES, Paper
from scorekeeper.printing.rules_link import NO_LINK, RulesLink

TEXT_SIZES = (13.0, 12.5, 12.0, 11.75, 11.5, 11.25, 11.0, 10.75, 10.5, 10.25, 10.0, 9.75, 9.5, 9.25, 9.0)
"""Text sizes in points, descending; no text on a sheet is smaller than the last."""
LARGE_TEXT_SIZES = tuple(size / 5 for size in range(120, 79, -1))
"""Text sizes of large print in points, descending; even notes are no smaller than the last."""
_FINE_PRINT_RATIO = 0.885
_SIDE_MARGIN_MM, _TOP_MARGIN_MM, _BOTTOM_MARGIN_MM = 10.5, 8.0, 6.0
"""The margins of a sheet: side, top, bottom."""
_MAX_PAGE_SHARE = 1.08
"""The ratio of estimated height to page height up to which a sheet with close lines may fit."""
_FRONT_OVERESTIMATE = 1.05
"""The factor by which the height of a front is usually estimated too high."""
_MAX_FRONT_SHARE_WITH_HAND = 1.03
"""The share of the page above which a front in the smallest type leaves its worked hand to the back."""
_BACK_TEXT_SIZES = (12.0, 11.5, 11.0, 10.5, 10.0, 9.5, 9.0)
"""Text sizes of the back in points, which may differ from the front's."""
_NUMBER_OF_ROOMY_SIZES = 4
"""The number of back sizes, from the largest, in which a third hand or a scoring card may be added."""
_SURE_BACK_SHARE = 0.94
"""The share of the back's height up to which an estimated height surely fits."""
_MIN_SCORING_CARD_HEIGHT_EM = 10.0
"""The least height at which a scoring card is useful."""
_LARGE_TOP_MARGIN_MM = 9.0
_MAX_CARDS_IN_LARGE_TRUMPS_ROW = 18
_COLUMN_SHARE = 0.484
"""The share of the page's width that each of two columns has."""
_POINTS_PER_MM = 72 / 25.4
_SCORING_CARD_CSS = ".rule-sheet .tally{display:block;continue:discard}"
"""The CSS for a back with a scoring card, which has as many whole rows as fit on the page."""
_MIN_QR_CODE_WIDTH_MM = 15.0
"""The least width of the QR code."""
_QR_CODE_GAP_MM = 3.5
"""The space between the QR code and the text beside it, as in `print.css`."""
_FINE_LINE_HEIGHT_EM = 1.3
"""The height of a line of fine print, in em of its size."""
_HIDE_WRITING_LINES_CSS = ".rule-sheet .house .write,.rule-sheet .bare{display:none}"
_CLOSE_LINES_CSS = (
    ".rule-sheet{line-height:1.16}.rule-sheet .part,.rule-sheet .hand{margin-bottom:.45em}"
    ".rule-sheet .cols,.rule-sheet .beside,.rule-sheet .house{margin-top:.6em}"
)
"""The CSS for a sheet that is slightly too long for its page."""
_BACK_CSS = (
    ".rule-sheet .rest{break-before:page}.rule-sheet .over,.rule-sheet .again{display:block}"
    ".rule-sheet .rest .argue .blank{width:5em}"
)
_TWO_HANDS_CSS = (
    ".rule-sheet .second + .second{float:right}"
    ".rule-sheet .beside.pair .argue{float:none;clear:both;width:auto;padding-top:.8em}"
    ".rule-sheet .rest .argue .blank{width:24em}"
)
"""The CSS for a back with two worked hands or more: the disputes are below them."""
_SPARE_HAND_CSS = ".rule-sheet .rest .spare{display:block}"


@dataclass(frozen=True, slots=True)
class SheetView:
    """The values of the rule sheet's template, for paper and screen."""

    sheet: RuleSheet
    columns: SheetColumns
    hands: tuple[WorkedHand, ...]
    """The worked hand in the second column; none if rules fill the page."""
    more_hands: tuple[WorkedHand, ...]
    """The worked hands after the rules: the second one, or both."""


def view_sheet(sheet: RuleSheet, *, rules_fill_page: bool = False) -> SheetView:
    """Return the values of a rule sheet in two columns; if `rules_fill_page`, the second has no worked hand."""
    size = TEXT_SIZES[min(_likely_size_index(sheet, "a4", NO_LINK), len(TEXT_SIZES) - 1)]
    hands = () if rules_fill_page else sheet.hands[:1]
    columns = split_into_columns(replace(sheet, hands=hands), _text_width_em("a4", size) * _COLUMN_SHARE)
    return SheetView(sheet, columns, hands, sheet.hands[len(hands) :])


def rule_sheet_markup(
    sheet: RuleSheet, link: RulesLink = NO_LINK, *, rules_fill_page: bool = False, is_large: bool = False
) -> str:
    """Return the markup of a rule sheet in regular print with its back, or in large print.

    For `rules_fill_page` see `view_sheet`.
    """
    view, on_paper = view_sheet(sheet, rules_fill_page=rules_fill_page), "large" if is_large else "sheet"
    return render_sheet("printing/_rule_sheet.html", view=view, link=link, on_paper=on_paper)


def draft_rule_sheet(sheet: RuleSheet, paper: Paper, link: RulesLink = NO_LINK) -> Draft:
    """Return the draft of a rule sheet in regular print, on one page or on front and back.

    The back has all but the rules, and a third worked hand and a scoring card if they fit. Only a sheet that fits in no
    style takes a third page.
    """
    styles = [_sheet_css(sheet, paper, size, link) for size in TEXT_SIZES]
    close_style = styles[-1] + _CLOSE_LINES_CSS
    front_index, one_page_index = (
        _likely_size_index(sheet, paper, link, has_back=has_back) for has_back in (True, False)
    )
    likely_index = _likely_size_index(sheet, paper, link, has_back=True, max_share=_MAX_FRONT_SHARE_WITH_HAND)
    rules_fill_page = likely_index == len(styles)
    back_styles = _back_styles(sheet, paper, link, sheet.hands if rules_fill_page else sheet.hands[1:])
    backs = [tuple(style + back for style in (*styles, close_style)) for back in back_styles]
    one_page = StyleRow((*styles, close_style + _HIDE_WRITING_LINES_CSS), 1, one_page_index)
    return Draft(
        title=f"{sheet.title}: rules",
        body=rule_sheet_markup(sheet, link, rules_fill_page=rules_fill_page),
        stylesheets=("faces.css", "print.css"),
        style_rows=(
            *([one_page] if one_page_index < len(styles) else []),
            *(StyleRow(back, 2, front_index) for back in backs),
        ),
    )


def _back_styles(sheet: RuleSheet, paper: Paper, link: RulesLink, hands: Sequence[WorkedHand]) -> Sequence[str]:
    """Return the CSS of the styles to try for the back: the best that fits, with and without a card; the smallest.

    The back has these worked hands and, where it fits, the spare one.
    """
    height = (
        PAPER_SIZES[paper][1] - _TOP_MARGIN_MM - _foot_height_mm(sheet, paper, TEXT_SIZES[0], link)
    ) * _POINTS_PER_MM

    def back_css(size: float, spare: Sequence[WorkedHand], *, has_card: bool = False) -> str:
        """Return the CSS of a back in a text size in points; with `has_card`, a scoring card fills the rest of it."""
        further_css = (_TWO_HANDS_CSS if len(hands) + len(spare) > 1 else "") + (_SPARE_HAND_CSS if spare else "")
        card_css = _SCORING_CARD_CSS if has_card else ""
        return f"{_BACK_CSS}.rule-sheet .rest{{font-size:{size}pt}}{further_css}{card_css}"

    smallest = back_css(_BACK_TEXT_SIZES[-1], ())
    with_spare = ((sheet.spare_hand,), ()) if sheet.spare_hand else ((),)
    for has_card, spare in product((True, False), with_spare):
        for size in _BACK_TEXT_SIZES if not (spare or has_card) else _BACK_TEXT_SIZES[:_NUMBER_OF_ROOMY_SIZES]:
            below = height_below_columns(sheet, _text_width_em(paper, size), [*hands, *spare])
            card_height = _MIN_SCORING_CARD_HEIGHT_EM if has_card else 0
            if (TITLE_LINE_HEIGHT_EM + below + card_height) * size < height * _SURE_BACK_SHARE:
                with_card = (back_css(size, spare, has_card=card) for card in (has_card, False))
                return *dict.fromkeys(with_card), smallest
    return (smallest,)


def _large_trumps_row_cards(sheet: RuleSheet) -> int:
    """Return the width in cards of a row of trumps in large print; a long row is split into two."""
    cards = _trumps_row_cards(sheet)
    return cards if cards <= _MAX_CARDS_IN_LARGE_TRUMPS_ROW else cards // 2 + 2


def _likely_size_index(
    sheet: RuleSheet, paper: Paper, link: RulesLink, *, has_back: bool = False, max_share: float = _MAX_PAGE_SHARE
) -> int:
    """Return the index in `TEXT_SIZES` of the largest that probably fits one page.

    One past the end if the smallest takes more than `max_share` of the page. With `has_back`, only the front counts.
    """

    def page_share(size: float) -> float:
        """Return the estimated height of the sheet in a text size, as a share of the page."""
        room = (PAPER_SIZES[paper][1] - _TOP_MARGIN_MM - _foot_height_mm(sheet, paper, size, link)) * _POINTS_PER_MM
        width = _text_width_em(paper, size)
        front = height_above_columns(sheet, width) + 0.8 + columns_height(sheet, width * _COLUMN_SHARE)
        return size * (front if has_back else front + height_below_columns(sheet, width, sheet.hands[1:])) / room

    if page_share(TEXT_SIZES[-1]) > max_share:
        return len(TEXT_SIZES)
    fitting_share = _FRONT_OVERESTIMATE if has_back else 1
    return bisect_left(range(len(TEXT_SIZES) - 1), True, key=lambda i: page_share(TEXT_SIZES[i]) <= fitting_share)


def _likely_large_size_index(sheet: RuleSheet, paper: Paper) -> int:
    """Return the index in `LARGE_TEXT_SIZES` of the largest that probably takes as few pages as the smallest."""

    def pages(size: float) -> float:
        """Return the estimated number of pages in a text size."""
        return height_in_one_column(sheet, _text_width_em(paper, size)) * size / room

    room = (PAPER_SIZES[paper][1] - 2 * _LARGE_TOP_MARGIN_MM) * _POINTS_PER_MM
    max_pages = ceil(pages(LARGE_TEXT_SIZES[-1]))
    return bisect_left(range(len(LARGE_TEXT_SIZES) - 1), True, key=lambda i: pages(LARGE_TEXT_SIZES[i]) <= max_pages)


def _text_width_em(paper: Paper, size: float) -> float:
    """Return the width between a paper's side margins, in em of a text size, which is in points."""
    return (PAPER_SIZES[paper][0] - 2 * _SIDE_MARGIN_MM) * _POINTS_PER_MM / size


def _foot_height_mm(sheet: RuleSheet, paper: Paper, size: float, link: RulesLink) -> float:
    """Return the height of the foot of a page, with room for its QR code and its fine print."""
    fine, qr_width = _fine_print_size_pt(size), _qr_code_width_mm(link)
    width = PAPER_SIZES[paper][0] - 2 * _SIDE_MARGIN_MM - (qr_width + _QR_CODE_GAP_MM if qr_width else 0)
    lines = count_source_lines(sheet, width * _POINTS_PER_MM / fine, has_code=bool(link.code))
    return max(
        12.0, qr_width + _BOTTOM_MARGIN_MM, lines * _FINE_LINE_HEIGHT_EM * fine / _POINTS_PER_MM + _BOTTOM_MARGIN_MM
    )


def _fine_print_size_pt(size: float) -> float:
    """Return the size of the fine print beside text of this size, both in points."""
    return max(size * _FINE_PRINT_RATIO, TEXT_SIZES[-1])


def _qr_code_width_mm(link: RulesLink) -> float:
    """Return the width of the QR code; 0 without one."""
    return max(link.width, _MIN_QR_CODE_WIDTH_MM) if link.width else 0


def draft_large_print(sheet: RuleSheet, paper: Paper, link: RulesLink = NO_LINK) -> Draft:
    """Return the draft of a rule sheet in large print, as large as fits on the fewest pages."""
    styles = tuple(_large_sheet_css(paper, size, link, _large_trumps_row_cards(sheet)) for size in LARGE_TEXT_SIZES)
    return Draft(
        title=f"{sheet.title}: rules in large print",
        body=rule_sheet_markup(sheet, link, is_large=True),
        stylesheets=("faces.css", "print.css", "large.css"),
        style_rows=(StyleRow(styles, AS_MANY_AS_NEEDED, _likely_large_size_index(sheet, paper)),),
    )


def _trumps_row_cards(sheet: RuleSheet) -> int:
    """Return the width of the row of trumps in cards; an award beside it counts as two."""
    return len(sheet.trumps.cards) + 2 * len(sheet.trumps.other_awards)


def _sheet_css(sheet: RuleSheet, paper: Paper, size: float, link: RulesLink) -> str:
    """Return the CSS for a paper and a text size in points, with the foot at the bottom of the page."""
    bottom = _foot_height_mm(sheet, paper, size, link)
    foot = "@bottom-center{content:element(footer);width:100%;text-align:left;vertical-align:top}"
    return (
        f"@page{{size:{PAPER_NAMES[paper]};margin:{_TOP_MARGIN_MM}mm {_SIDE_MARGIN_MM}mm {bottom:.1f}mm;{foot}}}"
        f".rule-sheet{{font-size:{size}pt;--fine:{_fine_print_size_pt(size):.3f}pt;--cards:{_trumps_row_cards(sheet)}}}"
        f".footer{{position:running(footer)}}{_qr_code_css(link)}"
    )


def _large_sheet_css(paper: Paper, size: float, link: RulesLink, cards: int) -> str:
    """Return the CSS for large print in a text size in points, with room for `cards` cards in a row of trumps."""
    return (
        f"@page{{size:{PAPER_NAMES[paper]};margin:{_LARGE_TOP_MARGIN_MM}mm {_SIDE_MARGIN_MM}mm}}"
        f".rule-sheet{{font-size:{size}pt;--fine:{LARGE_TEXT_SIZES[-1]}pt;--cards:{cards}}}{_qr_code_css(link)}"
    )


def _qr_code_css(link: RulesLink) -> str:
    """Return the CSS for the size of the QR code."""
    width = _qr_code_width_mm(link)
    return f".footer .qr{{width:{width}mm;height:{width}mm}}"


def sheet_text(sheet: RuleSheet, ruleset: Ruleset, interpretations: Mapping[int, Interpretation]) -> str:
    """Return a rule sheet as text: each rule on a line, and below it its ids and its origin."""

    def reference_texts(references: Iterable[Reference]) -> Iterator[str]:
        """Yield references in words, interpretations with their titles."""
        for reference in references:
            interpretation = (
                interpretations.get(reference.number) if isinstance(reference, InterpretationNumber) else None
            )
            yield f"{reference}: {interpretation.title}" if interpretation else str(reference)

    def option_text(option: str) -> str:
        """Return an option with its answer: "target = 15"."""
        return f"{option} = {answer_word(ruleset.answer(option))}"

    def origin_text(origin: RuleOrigin) -> str:
        """Return an origin in words: "002 L22; R6: Tied for Game; house rule: target = 15"."""
        found = [
            *reference_texts(origin.references),
            *(f"house rule: {option_text(name)}" for name in origin.changed),
            *(f"agreed: {option_text(name)}" for name in origin.agreed),
            *(f"to agree: {name}" for name in origin.open),
            *(["the sources are silent"] if origin.is_silent else []),
        ]
        return "; ".join(found) or "no origin"

    return render_sheet("printing/sheet_text.txt", sheet=sheet, origin_text=origin_text)


def rules_without_origin(sheet: RuleSheet) -> tuple[str, ...]:
    """Return the ids of the rules of a sheet that have no known origin."""
    return tuple(rule.id for rule in sheet.rules if not rule.origin.is_known)
