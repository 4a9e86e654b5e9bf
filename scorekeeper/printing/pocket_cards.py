"""Pocket cards: the essentials on a quarter of a page, four to cut out or one alone."""

from markupsafe import Markup

from scorekeeper.printing.fitting import Draft, render
from scorekeeper.printing.imposition import quarter_alone, quarters
from scorekeeper.printing.print_options import Paper
from scorekeeper.printing.rules_link import RulesLink
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.pocket_card import pocket_card

SIZES = (10.4, 10.0, 9.75, 9.5, 9.25, 9.0)
"""Sizes of the text in points; nothing on a card is set smaller than the last."""
_FULL_CARD: dict[Paper, int] = {"a4": 1180, "letter": 1040}
"""About the number of characters that fill a card in the first attempt."""
_MORE = 67
"""About how many more each further attempt takes."""
_FINE = 0.9
_QR_CODE = 16.0
_MARGIN = "5mm 6mm 4mm"
_WITHOUT_PLAY = ".pocket .more{display:none}"
_WITHOUT_SPARE = _WITHOUT_PLAY + ".pocket .spare{display:none}"
_RUN_ON = _WITHOUT_SPARE + (
    ".pocket .text>h2,.pocket .text>h2+p,.pocket ul:not(.rank) li{display:inline}"
    ".pocket .text>h2::after,.pocket ul:not(.rank) li::after{content:' '}.pocket .text{margin-top:1.1mm}"
)
_CLOSE = _RUN_ON + ".pocket{line-height:1.1}.pocket .ask{display:none}"
_UNTYPED = _CLOSE + ".pocket .typed{display:none}"
"""For a name that takes half the card: the share code is in the QR code as well."""


def draft_pocket_card(
    ruleset: Ruleset, base: Ruleset, paper: Paper, link: RulesLink, *, is_alone: bool = False
) -> Draft:
    """Return a card; how a hand is played stands on it where there is room."""
    card = pocket_card(ruleset, base)
    pieces = (quarter_alone if is_alone else quarters)(paper, has_fold=True)
    styles = tuple(_style(size, link, len(card.trumps)) for size in SIZES)
    line_by_line = (
        styles[0],
        *(style + _WITHOUT_PLAY for style in styles[:2]),
        *(style + _WITHOUT_SPARE for style in styles[:4]),
    )
    run_on = (*(style + _RUN_ON for style in styles), styles[-1] + _CLOSE, styles[-1] + _UNTYPED)
    body = render("printing/_pocket.html", card=card, link=link)
    likely = (len(Markup(body).striptags()) - _FULL_CARD[paper]) // _MORE
    return Draft(
        title=f"{card.title}: pocket card",
        body=body,
        stylesheets=("faces.css", "print.css", "pocket.css"),
        attempts=(line_by_line, run_on),
        pages=1,
        starts=(likely, likely - len(line_by_line)),
        pieces=pieces,
        margin=_MARGIN,
    )


def _style(size: float, link: RulesLink, cards: int) -> str:
    width = max(link.width, _QR_CODE)
    return (
        f".pocket{{font-size:{size}pt;--fine:{max(size * _FINE, SIZES[-1]):.3f}pt;--cards:{cards}}}"
        f".pocket .qr{{width:{width}mm;height:{width}mm}}"
    )
