"""Pocket cards: the essential rules on a quarter page, folded once; four to cut out, or one alone."""

from collections.abc import Iterator, Mapping

from markupsafe import Markup

from scorekeeper.pitch.sheets.small_sheets import PocketCard, pocket_card
from scorekeeper.printing.fitting import Draft, StyleRow, render_sheet
from scorekeeper.printing.imposition import quarter_alone, quarters
from scorekeeper.printing.print_options import ALONE, Paper, PrintOptions
from scorekeeper.printing.rules_link import PrintableRules, RulesLink

TEXT_SIZES = (11.5, 11.0, 10.7, 10.4, 10.2, 10.0, 9.8, 9.6, 9.4, 9.2, 9.0)
"""Text sizes in points; no text on a card is smaller than the last."""
_PANELS = 2
"""The number of panels of a card, which is folded once."""
_CARD_CAPACITY: dict[Paper, int] = {"a4": 2220, "letter": 2065}
"""The estimated number of characters in the smallest type that fill a card."""
_BIDS_TABLE_CHARACTERS = 190
"""The approximate room of a table of bids, in characters."""
_QUESTION_CHARACTERS = 60
"""The approximate room of an open question with its boxes, in characters."""
_LOOSE_LINES_FACTOR = 1.04
"""The ratio of a text's height to that in close lines."""
_FINE_PRINT_RATIO = 0.9
_MIN_QR_CODE_WIDTH_MM = 15.0
_MARGIN = "3.5mm 5mm 3mm"
"""The CSS margins of a panel."""
_FOLD_MARGINS_CSS = "@page:first{margin-bottom:2.2mm}@page:nth(2){margin-top:2.2mm}"
"""Smaller margins at the fold, where no printer's edge or cut is."""
_CLOSE_LINES_CSS = ".pocket{line-height:1.08}"
_CLOSEST_LINES_CSS = (
    ".pocket{line-height:1.02}.pocket h1,.pocket h1.long{font-size:1.2em}.pocket .head{padding-bottom:.4mm}"
    ".pocket .rank{margin:.8mm 0 0}.pocket section{margin-top:.2mm}"
)
"""The tightest style, for house rules that change nearly everything."""
_RULES_REMOVED_LAST = 3
"""The number of rules that are left out only after lines are set closest."""
_HIDE_TABLE_CSS = ".pocket .as-table{display:none}.pocket .as-text,.pocket .as-text~p{display:inline}"


def draft_pocket_card(rules: PrintableRules, options: PrintOptions) -> Draft:
    """Return the draft of a pocket card, alone or four to a page.

    Rules are left out only if even the smallest type with close lines does not fit.
    """
    card, link, paper = pocket_card(rules.ruleset, rules.base), rules.link, options.paper
    turns = _removal_turns(card)
    body = render_sheet("printing/_pocket.html", card=card, link=link, turns=turns)
    styles = list(_styles_to_try(card, link, len(Markup(body).striptags())))
    fitting_indexes = (index for index, (_, characters) in enumerate(styles) if characters <= _CARD_CAPACITY[paper])
    return Draft(
        title=f"{card.sheet.title}: pocket card",
        body=body,
        stylesheets=("faces.css", "print.css", "pocket.css"),
        style_rows=(StyleRow(tuple(css for css, _ in styles), _PANELS, next(fitting_indexes, len(styles) - 1)),),
        pieces=(quarter_alone if options.size == ALONE else quarters)(paper, panels=_PANELS),
        margin=_MARGIN,
    )


def _removal_turns(card: PocketCard) -> Mapping[str, int]:
    """Return the turn, from 1, in which each dispensable rule is left out, by its id.

    A section that may become empty has the turn of its last rule, by the section's id.
    """
    turns = {rule_id: turn for turn, rule_id in enumerate(card.dispensable_rule_ids, 1)}
    for section in card.sections:
        ids = [rule.id for rule in section.all_rules]
        if not section.bids and all(rule_id in turns for rule_id in ids):
            turns[section.id] = max(turns[rule_id] for rule_id in ids)
    return turns


def _styles_to_try(card: PocketCard, link: RulesLink, characters: int) -> Iterator[tuple[str, float]]:
    """Yield the CSS of each style, largest first, and the estimated room that the card takes in it.

    The room is in characters of the smallest type. `characters` is the length of the card's text with all its rules.
    """
    lengths = {rule.id: len(rule.lead + rule.text) for section in card.sections for rule in section.all_rules}
    characters += _QUESTION_CHARACTERS * len(card.questions)
    table = _BIDS_TABLE_CHARACTERS if any(section.bids for section in card.sections) else 0
    for size in TEXT_SIZES:
        yield _card_css(card, link, size), (characters + table) * (size / TEXT_SIZES[-1]) ** 2 * _LOOSE_LINES_FACTOR
    smallest_css = _card_css(card, link, TEXT_SIZES[-1]) + _CLOSE_LINES_CSS
    yield smallest_css, characters + table
    smallest_css += _HIDE_TABLE_CSS
    turn_before_closest_lines = len(card.dispensable_rule_ids) - _RULES_REMOVED_LAST
    for turn in range(len(card.dispensable_rule_ids) + 1):
        css = smallest_css + _hide_rules_css(turn)
        yield css, characters - sum(lengths[rule_id] for rule_id in card.dispensable_rule_ids[:turn])
        if turn == turn_before_closest_lines:
            smallest_css += _CLOSEST_LINES_CSS
            yield smallest_css + _hide_rules_css(turn), 0  # with 0, the search starts here at the latest


def _hide_rules_css(turns: int) -> str:
    """Return the CSS that hides the rules left out in the first `turns`, and the sections that become empty."""
    selectors = ",".join(f".pocket .t{n}" for n in range(1, turns + 1))
    return f"{selectors}{{display:none}}" if selectors else ""


def _card_css(card: PocketCard, link: RulesLink, size: float) -> str:
    """Return the CSS of a card for a text size in points."""
    width = max(link.width, _MIN_QR_CODE_WIDTH_MM)
    return (
        f"{_FOLD_MARGINS_CSS}.pocket{{font-size:{size}pt;--fine:{max(size * _FINE_PRINT_RATIO, TEXT_SIZES[-1]):.3f}pt}}"
        f".pocket .rank{{--cards:{len(card.sheet.trumps.cards)}}}.pocket .qr{{width:{width}mm;height:{width}mm}}"
    )
