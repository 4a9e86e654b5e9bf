"""The pages that print from the phone: choose a sheet and its options, see its pages, then print or save the file."""

import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from flask import Blueprint, Response, abort, make_response, request, url_for

from scorekeeper import hooks
from scorekeeper.database.engine import db
from scorekeeper.matches.change_log import former_values_words
from scorekeeper.matches.fold import Match
from scorekeeper.matches.log import Correction, to_zone
from scorekeeper.matches.match_list import matches_of_device
from scorekeeper.matches.notices import match_title, paper_rule_sentences
from scorekeeper.pages.find_game.views import show_finder
from scorekeeper.pages.match.hands import paper_row
from scorekeeper.pitch.rules.phrases import capitalize, count_words
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.text.hands import stored_bid_words
from scorekeeper.pitch.text.phrases import SUIT_SIGNS, DateStyle, Names
from scorekeeper.printing import pdf, print_service
from scorekeeper.printing.fitting import PrintedSheet, SheetTooLong
from scorekeeper.printing.kinds import PrintOrder, current_kind_and_size, printable_kinds, sheet_title
from scorekeeper.printing.pdf import PAGE_IMAGE_WIDTH
from scorekeeper.printing.print_options import INK_NAMES, ORDINARY, PAPER_NAMES, PAPER_SIZES, PrintOptions
from scorekeeper.printing.print_process import PrinterBusy, PrintingFailed
from scorekeeper.printing.rules_link import PrintableRules
from scorekeeper.printing.score_sheet import HandRow, MatchDetails, ScoreSheet, score_sheet
from scorekeeper.web.context import device, for_watchers, load_match
from scorekeeper.web.errors import ErrorText, error_response
from scorekeeper.web.library import library, match_rules, shared_ruleset_or_422, standard_rules, variant_rules
from scorekeeper.web.limits import count_sheet
from scorekeeper.web.listed_matches import listed_details, listed_title
from scorekeeper.web.locale import date_style, region
from scorekeeper.web.respond import external_url, file_name, make_download, render_page, see_other, wants_fragment
from scorekeeper.web.widgets import labeled_question

bp = Blueprint("prints", __name__)

TEMPLATE = "prints/choose.html"
PRINTER_BUSY = ErrorText(
    "The printer is busy",
    "Another phone is printing right now.",
    "Stay on this page: it tries again by itself.",
)
PAGE_BEING_DRAWN = ErrorText("Preparing …", "This page is being drawn.", "Stay here: it shows as soon as it is there.")
BUSY_RETRY_SECONDS, DRAWING_RETRY_SECONDS = 2, 1
"""The seconds until a page tries again: while another sheet is printed, and while this page is drawn."""
BROWSER_PRINTS_TEXT, CANNOT_PRINT_TEXT = "Your browser prints this.", "Can’t print just now."
PAPER_LABELS = {"a4": "A4, 210 × 297 mm", "letter": "Letter, 8½ × 11 in"}
MAX_PAGES_SHOWN = 12
"""The most pages of a sheet shown on the screen; the file has all pages."""
MAX_PAGE_NUMBER = 999
"""The highest page number for which an image can be requested."""
MAX_MATCHES_SHOWN = 12
MAX_GLYPHS_SHOWN = 8
"""The most characters without a font that the warning names."""
DESCRIPTION = "Print the rules of a Pitch game, pocket cards, and score pads, on Letter or A4."
"""The description of the page for search engines."""


@dataclass(frozen=True, kw_only=True)
class PrintSource:
    """A source of sheets to print, such as a match or a game."""

    title: str
    back_url: str
    query: Mapping[str, str]
    """The URL parameters that name this source."""
    subjects: tuple[object, ...]
    """The contents of the sheets, such as a score sheet and rules, each for some kinds of sheets."""


@bp.app_errorhandler(pdf.PrintingUnavailable)
@bp.app_errorhandler(PrintingFailed)
@bp.app_errorhandler(SheetTooLong)
def show_cannot_print(reason: Exception) -> Response:
    """Show why a sheet cannot be printed, with status 503."""
    problem = BROWSER_PRINTS_TEXT if isinstance(reason, pdf.PrintingUnavailable) else CANNOT_PRINT_TEXT
    return render_page(
        TEMPLATE, status=503, title="", back_url=url_for("home.index"), problem=problem, advice=str(reason), kind=None
    )


@bp.app_errorhandler(PrinterBusy)
def show_printer_busy(busy: PrinterBusy) -> Response:
    """Show that the printer is busy or the page is being drawn, on a page that tries again by itself.

    A request by htmx is redirected to its own URL as a whole page.
    """
    if wants_fragment():
        return see_other(request.full_path)  # the page that is open cannot try again by itself
    is_being_drawn = isinstance(busy, print_service.ImageBeingDrawn)
    text, seconds = (PAGE_BEING_DRAWN, DRAWING_RETRY_SECONDS) if is_being_drawn else (PRINTER_BUSY, BUSY_RETRY_SECONDS)
    return error_response(503, text, retry_seconds=seconds, retry_after=seconds)


@bp.get("/print")
def choose() -> Response:
    """Show the preview of the source in the URL; without one, the matches and games to print.

    Also start the print process.
    """
    source = requested_source()
    print_service.start()
    return _show_index() if source is None else _show_preview(source)


def _show_index() -> Response:
    """Show what can be printed: this phone's latest matches, and games, with a search for a game."""
    matches = [item for item in matches_of_device(db.session, device()) if item.match][:MAX_MATCHES_SHOWN]
    return show_finder(
        "print",
        "prints/index.html",
        description="" if matches else DESCRIPTION,
        matches=[(item.link.code, listed_title(item), listed_details(item)) for item in matches],
    )


def _show_preview(source: PrintSource) -> Response:
    """Show the pages of the requested sheet, and the options to print it with; without Pango only the options.

    The preview counts as a printed sheet; raises `TooManyAnHour`.
    """
    order = requested_order(source.subjects)
    kind, options = order.kind, order.options
    sheet = None
    if pdf.is_available():
        with count_sheet(order):
            sheet = print_service.print_preview(order, MAX_PAGES_SHOWN)
    kinds = {kind_id: offered for kind_id, (offered, _) in printable_kinds(source.subjects).items()}
    kind_id = next(kind_id for kind_id, offered in kinds.items() if offered is kind)
    questions = (
        labeled_question("kind", "Sheet", {offered_id: offered.name for offered_id, offered in kinds.items()}, kind_id),
        labeled_question("paper", "Paper size", PAPER_LABELS, options.paper),
        labeled_question("ink", "Color", INK_NAMES, options.ink),
    )
    width, height = PAPER_SIZES[options.paper]
    size_question = "Text size" if ORDINARY in kind.sizes else "Layout"
    return render_page(
        TEMPLATE,
        block=("sizes", "preview", "bottom_bar"),
        title=source.title,
        back_url=source.back_url,
        source_query=source.query,
        query={**source.query, "kind": kind_id, "paper": options.paper, "ink": options.ink, "size": options.size},
        problem="" if sheet else BROWSER_PRINTS_TEXT,
        pages=sheet.pages if sheet else 0,
        kind=kind,
        questions=[question for question in questions if len(question.choices) > 1],
        sizes=labeled_question("size", size_question, kind.sizes, options.size),
        shown_pages=range(1, min(sheet.pages, MAX_PAGES_SHOWN) + 1) if sheet else (),
        width=PAGE_IMAGE_WIDTH,
        height=round(PAGE_IMAGE_WIDTH * height / width),
        summary=f"{capitalize(count_words(sheet.pages, 'page'))}, {PAPER_NAMES[options.paper]}" if sheet else "",
        file_name=sheet_file_name(order),
        missing_glyphs=_missing_glyphs_text(sheet) if sheet else "",
        advice=pdf.INSTALL_FONTS_TEXT if sheet else pdf.INSTALL_PANGO_TEXT,
    )


def _missing_glyphs_text(sheet: PrintedSheet) -> str:
    """Return the characters of a sheet that no font has, with spaces between, for the warning.

    At most `MAX_GLYPHS_SHOWN` are named, and only printable ones, then how many more there are: "ミ ラ and 2 more".
    """
    letters = [letter for letter in sheet.missing_glyphs if letter.isprintable()]
    more = f" and {len(letters) - MAX_GLYPHS_SHOWN} more" if len(letters) > MAX_GLYPHS_SHOWN else ""
    return f"{' '.join(letters[:MAX_GLYPHS_SHOWN])}{more}"


@bp.get("/print/sheet.pdf")
def print_pdf() -> Response:
    """Send the sheet that the URL describes as a PDF; 404 if the URL names no source.

    Without Pango, send an HTML page for the browser to print.
    """
    source = requested_source() or abort(404)
    return send_sheet(requested_order(source.subjects), is_download=request.args.get("keep") == "yes")


@bp.get("/print/page-<int:number>.png")
def show_page(number: int) -> Response:
    """Send one page of the sheet that the URL describes as an image; 404 if there is none.

    503 while the image is being drawn.
    """
    source = requested_source() or abort(404)
    return send_page_image(requested_order(source.subjects), number, print_service.page_image_if_ready)


@bp.get("/matches/<code>/result.pdf")
@for_watchers
def print_score_sheet(code: str) -> Response:
    """Send the score sheet of a match as a PDF or, without Pango, as HTML."""
    return send_sheet(requested_order([match_score_sheet(load_match(code), date_style())]))


# ---------- what a URL names ----------


def requested_source() -> PrintSource | None:
    """Load and return the source of sheets that the URL names; `None` if it names none."""
    sources = {**_SOURCE_LOADERS, **hooks.print_sources}
    return next((load(value) for name, load in sources.items() if (value := request.args.get(name))), None)


def match_source(match: Match) -> PrintSource:
    """Return a match as a source of sheets: its score sheet and its present rules."""
    return PrintSource(
        title=match_title(match),
        back_url=url_for("matches.show", code=match.code),
        query={"match": match.code},
        subjects=(match_score_sheet(match, date_style()), _printable_rules(match_rules(match))),
    )


def _share_code_source(code: str) -> PrintSource:
    """Return the rules of a share code as a source of sheets; 422 for an invalid code."""
    ruleset, back_url = shared_ruleset_or_422(code), url_for("rules.index", r=code)
    return PrintSource(title=ruleset.name, back_url=back_url, query={"r": code}, subjects=(_printable_rules(ruleset),))


def _variant_source(ruleset_id: str) -> PrintSource:
    """Return a variant with the house answers in the URL as a source of sheets.

    404 for an unknown variant; 422 for answers that contradict each other.
    """
    rules = variant_rules(ruleset_id)
    if rules.faults:
        abort(422)
    answers: Mapping[str, Any] = rules.answers
    return PrintSource(
        title=rules.ruleset.name,
        back_url=url_for("rules.show", ruleset_id=ruleset_id, **answers),
        query={"rules": ruleset_id, **rules.answers},
        subjects=(_printable_rules(rules.ruleset),),
    )


_SOURCE_LOADERS: Mapping[str, Callable[[str], PrintSource]] = {
    "match": lambda code: match_source(load_match(code)),
    "r": _share_code_source,
    "rules": _variant_source,
}
"""The functions that load a source of sheets, by the URL parameter whose value they get.

The loaders of optional parts are in `hooks.print_sources`.
"""


def _printable_rules(ruleset: Ruleset) -> PrintableRules:
    """Return rules to print, with their standard rules and the URL for the sheet."""
    return PrintableRules(ruleset, standard_rules(ruleset), external_url("rules.index"))


def requested_order(subjects: Iterable[object]) -> PrintOrder:
    """Return the print order in the URL, for a sheet of one of `subjects`.

    What the URL does not say has its usual value. 404 for an unknown paper or ink, or for a sheet that no subject has.
    """
    kinds = printable_kinds(subjects)
    wanted_kind, wanted_size = request.args.get("kind") or next(iter(kinds)), request.args.get("size", "")
    kind_id, size = current_kind_and_size(wanted_kind, wanted_size)
    paper, ink = request.args.get("paper", region().paper), request.args.get("ink", "colour")
    if kind_id not in kinds or paper not in PAPER_NAMES or ink not in INK_NAMES:
        abort(404)
    kind, subject = kinds[kind_id]
    options = PrintOptions(paper, ink, size if size in kind.sizes else next(iter(kind.sizes)))
    return PrintOrder(kind, subject, options)


# ---------- the score sheet of a match ----------


def match_score_sheet(match: Match, dates: DateStyle) -> ScoreSheet:
    """Return the current score sheet of a match, with dates in this style."""
    match = match.with_pronouns("names")
    occasion, zone = match.occasion, match.setup.zone
    first_hand_at = to_zone(match.log.hands[0].added.at if match.log.hands else match.setup.created_at, zone)
    paper = paper_row(match)
    details = MatchDetails(
        title=occasion.title,
        played_on=occasion.day,
        dates=dates,
        venue=occasion.venue,
        note="\n".join(filter(None, (occasion.note, *paper_rule_sentences(match, dates)))),
        is_stopped=match.log.is_stopped,
        carried_over=paper.sentence if paper else "",
        markers=match.markers,
        corrections={
            result.position: tuple(
                _correction_sentence(item, first_hand_at, match.names_of(logged), result.ruleset, dates)
                for item in logged.corrections
            )
            for logged, result in zip(match.log.hands, match.state.results, strict=True)
            if logged.corrections
        },
        deleted=tuple(_deleted_hand_rows(match, first_hand_at, dates)),
        names=[*map(match.names_of, match.log.hands)],
        substitutes=[match.substitutes(result.position) for result in match.state.results],
    )
    return score_sheet(match.state, match.names, details, library().rulesets.get(match.state.ruleset.id))


def _correction_sentence(
    item: Correction, first_hand_at: datetime, names: Names, ruleset: Ruleset, dates: DateStyle
) -> str:
    """Return a sentence on when a hand was corrected, with the former values: "Corrected 9:30 pm: bid 3."."""
    earlier = former_values_words(item.before, item.after, names, ruleset)
    corrected = f"Corrected {_time_words(item.stamp.at, first_hand_at, dates)}"
    return f"{corrected}: {earlier}." if earlier else f"{corrected}."


def _deleted_hand_rows(match: Match, first_hand_at: datetime, dates: DateStyle) -> Iterator[tuple[int, HandRow]]:
    """Yield each deleted hand as a row, with the position of the hand before it; 0 if it was the first.

    Hands that were undone are left out.
    """
    for logged in match.log.removed_hands:
        if not logged.was_undone:
            stamp = logged.removed or logged.added
            row = HandRow(
                number="",
                bid=stored_bid_words(logged.hand, match.names_of(logged)),
                suit=SUIT_SIGNS.get(logged.hand.trump or "", ""),
                corrections=(f"Deleted {_time_words(stamp.at, first_hand_at, dates)}.",),
            )
            yield sum(other.uid < logged.uid for other in match.log.hands), row


def _time_words(at: datetime, first_hand_at: datetime, dates: DateStyle) -> str:
    """Return the time of an event in words, with the day unless it is that of the first hand."""
    local = at.astimezone(first_hand_at.tzinfo)
    clock = dates.time(local)
    return clock if local.date() == first_hand_at.date() else f"{dates.day(local)}, {clock}"


# ---------- sending ----------


def send_sheet(order: PrintOrder, *, is_download: bool = False) -> Response:
    """Return a sheet as a PDF, to open or to download; without Pango, as an HTML page for the browser to print.

    A PDF counts as a printed sheet; raises `TooManyAnHour`.
    """
    if not pdf.is_available():
        return _send_page_for_browser(order)
    response = _send_unless_cached(
        order, order.key, "application/pdf", lambda: print_service.print_sheet(order).content
    )
    return make_download(response, sheet_file_name(order), is_inline=not is_download)


def _send_page_for_browser(order: PrintOrder) -> Response:
    """Return a sheet as an HTML page for the browser to print."""
    page = order.draft().page_for_browser(url_for("static", filename=""))
    response = make_response(page)
    # The page has only inline styles, and no scripts.
    digests = (b64encode(sha256(style.encode()).digest()).decode() for style in _STYLE_ELEMENTS.findall(page))
    styles = " ".join(f"'sha256-{digest}'" for digest in digests)
    response.headers["Content-Security-Policy"] = f"default-src 'none'; font-src 'self'; style-src {styles}"
    response.headers["Cache-Control"] = "private, no-cache"
    return response


_STYLE_ELEMENTS = re.compile("<style>(.*?)</style>", re.DOTALL)


def send_page_image(order: PrintOrder, number: int, draw: Callable[[PrintOrder, int], bytes]) -> Response:
    """Return a page of a sheet, numbered from 1, as an image made by `draw`; 404 if there is no such page.

    The image counts as a printed sheet; raises `TooManyAnHour`.
    """
    if not 1 <= number <= MAX_PAGE_NUMBER:
        abort(404)
    return _send_unless_cached(order, f"{order.key}-{number}", "image/png", lambda: draw(order, number))


def sheet_file_name(order: PrintOrder) -> str:
    """Return the name of a sheet's PDF file: its title, its paper, and its size and ink where these are unusual."""
    kind, options = order.kind, order.options
    words = [sheet_title(kind, order.subject), PAPER_NAMES[options.paper]]
    words += [kind.sizes[options.size]] if options.size != next(iter(kind.sizes)) else []
    words += ["black and white"] if options.is_grayscale else []
    return file_name(" ".join(words), "pdf")


def _send_unless_cached(order: PrintOrder, etag: str, content_type: str, make: Callable[[], bytes]) -> Response:
    """Return the content from `make`, or 304 if the browser has it cached under this `etag`.

    New content counts as a printed sheet. 404 if `make` raises `IndexError`; raises `TooManyAnHour`.
    """
    response = make_response(b"")
    response.set_etag(etag)
    if not request.if_none_match.contains(etag):
        try:
            with count_sheet(order):
                response.data = make()
        except IndexError:
            abort(404)
    response.content_type = content_type
    response.headers["Cache-Control"] = "private, no-cache"
    response.make_conditional(request)
    return response
