"""Printing from the phone: choose what and how, see the pages themselves, then print, share or keep the file."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from flask import Blueprint, Response, abort, make_response, request, url_for

from scorekeeper.extensions import db
from scorekeeper.printing import orders, press
from scorekeeper.printing.kinds import KINDS, Kind, Rules, Subject, kinds_of, title_of
from scorekeeper.printing.office import PrintingFailed
from scorekeeper.printing.orders import Order
from scorekeeper.printing.wishes import INK_NAMES, PAPER_NAMES, Wish
from scorekeeper.rules.code import BadCode, decode
from scorekeeper.rules.house import resolve
from scorekeeper.rules.overlay import with_house
from scorekeeper.rules.questions import QUESTIONS, value_of
from scorekeeper.rules.schema import Ruleset
from scorekeeper.services.load import LoadedMatch, ruleset_of
from scorekeeper.web.file_names import attachment, file_name
from scorekeeper.web.links import shown_url
from scorekeeper.web.present.board import match_title
from scorekeeper.web.present.prints import index_page, print_page, without_printer
from scorekeeper.web.present.result import result_sheet
from scorekeeper.web.present.rule_changes import told_rules
from scorekeeper.web.reached import reach
from scorekeeper.web.respond import page
from scorekeeper.web.rulesets import library

bp = Blueprint("prints", __name__)

TEMPLATE = "prints/choose.html"
MOST_PAGES = 999


@dataclass(frozen=True)
class Source:
    """What there is to print from: the rules, and the match where there is one."""

    title: str
    back_url: str
    query: Mapping[str, str]
    """How an address says it."""
    subjects: tuple[Subject, ...]

    @property
    def kinds(self) -> dict[str, tuple[Kind, Subject]]:
        """Every kind of sheet that can be made from it."""
        return {kind_id: (kind, it) for it in self.subjects for kind_id, kind in kinds_of(it).items()}


@bp.get("/print")
def choose() -> Response:
    """Show what can be printed, and how it will look."""
    source = _source()
    orders.get_ready()
    if source is None:
        return page("prints/index.html", index_page(library()))
    kind_id, wish = _wish(source)
    if not press.is_available():
        return page(TEMPLATE, without_printer(source.title, source.back_url))
    kind, subject = source.kinds[kind_id]
    try:
        sheet = orders.sheet_of(orders.order(kind, subject, wish))
    except (press.PrintingUnavailable, PrintingFailed) as cannot:
        return _cannot(str(cannot))
    kinds = {known: offered for known, (offered, _) in source.kinds.items()}
    name = _name(kind, subject, wish)
    context = print_page(source.title, source.back_url, source.query, kinds, kind_id, wish, sheet, name)
    return page(TEMPLATE, context, block=("sizes", "preview", "foot"))


@bp.get("/print/sheet.pdf")
def sheet() -> Response:
    """Give the sheet that the address describes."""
    source = _source() or abort(404)
    kind_id, wish = _wish(source)
    kind, subject = source.kinds[kind_id]
    return send_sheet(kind, subject, wish, is_kept=request.args.get("keep") == "yes")


@bp.get("/print/page-<int:number>.png")
def picture(number: int) -> Response:
    """Give one page of it as a picture."""
    source = _source() or abort(404)
    kind_id, wish = _wish(source)
    wanted = orders.order(*source.kinds[kind_id], wish)
    if not 1 <= number <= MOST_PAGES:
        abort(404)
    return _answer(wanted, "image/png", f"-{number}", number)


@bp.get("/matches/<code>/result.pdf")
def result(code: str) -> Response:
    """Give the result sheet of a match."""
    source = _of_match(reach(code))
    _, wish = _wish(source)
    return send_sheet(*source.kinds["result"], wish)


def send_sheet(kind: Kind, subject: Subject, wish: Wish, *, is_kept: bool = False) -> Response:
    """Answer with a sheet as PDF, to be opened or to be kept; a browser that has it already is only told so."""
    response = _answer(orders.order(kind, subject, wish), "application/pdf")
    if response.status_code in (200, 304):
        attachment(response, _name(kind, subject, wish))
        if not is_kept:
            said = response.headers["Content-Disposition"].replace("attachment", "inline", 1)
            response.headers["Content-Disposition"] = said
    return response


def _answer(wanted: Order, content_type: str, more: str = "", number: int = 0) -> Response:
    response = make_response(b"")
    response.set_etag(f"{wanted.key}{more}")
    if not request.if_none_match.contains(f"{wanted.key}{more}"):
        try:
            made = orders.picture_of(wanted, number) if number else orders.sheet_of(wanted).content
        except IndexError:
            abort(404)
        except (press.PrintingUnavailable, PrintingFailed) as cannot:
            return _cannot(str(cannot))
        response.data = made
    response.content_type = content_type
    response.headers["Cache-Control"] = "private, no-cache"
    response.make_conditional(request)
    return response


def _cannot(why: str) -> Response:
    return page(TEMPLATE, without_printer("", url_for("home.index"), why), status=503)


def _name(kind: Kind, subject: Subject, wish: Wish) -> str:
    words = [title_of(kind, subject), PAPER_NAMES[wish.paper]]
    words += [kind.sizes[wish.size]] if wish.size != next(iter(kind.sizes)) else []
    words += ["black and white"] if wish.ink == "black" else []
    return file_name(" ".join(words), "pdf")


def _source() -> Source | None:
    """Find what the address asks for; it names a match, rules as a code, or a variant with house options."""
    if code := request.args.get("match"):
        return _of_match(reach(code))
    if code := request.args.get("r"):
        return _of_code(code)
    if ruleset_id := request.args.get("rules"):
        return _of_variant(ruleset_id)
    return None


def _of_match(match: LoadedMatch) -> Source:
    return Source(
        match_title(match),
        url_for("matches.show", code=match.code),
        {"match": match.code},
        (result_sheet(match), _rules(told_rules(match, ruleset_of(db.session, match.match)))),
    )


def _of_code(code: str) -> Source:
    try:
        house = decode(code)
    except BadCode:
        abort(422)
    ruleset, _ = resolve(house, library())
    if ruleset is None:
        abort(422)
    return Source(ruleset.name, url_for("sheets.index", r=code), {"r": code}, (_rules(ruleset),))


def _of_variant(ruleset_id: str) -> Source:
    if ruleset_id not in library():
        abort(404)
    words = {name: word for name, word in request.args.items() if name in QUESTIONS}
    ruleset, faults = with_house(library()[ruleset_id], {name: value_of(word) for name, word in words.items()})
    if faults:
        abort(422)
    back = url_for("sheets.rules", ruleset_id=ruleset_id, **cast(Any, words))
    return Source(ruleset.name, back, {"rules": ruleset_id, **words}, (_rules(ruleset),))


def _rules(ruleset: Ruleset) -> Rules:
    variants = library()
    return Rules(ruleset, variants[ruleset.id] if ruleset.id in variants else ruleset, shown_url("sheets.index"))


def _wish(source: Source) -> tuple[str, Wish]:
    return wish_of(tuple(source.kinds))


def wish_of(kinds: tuple[str, ...]) -> tuple[str, Wish]:
    """Read from the address which of these kinds is wanted, and how; what is not said is as it usually is."""
    kind_id = request.args.get("kind") or kinds[0]
    paper, ink = request.args.get("paper", "a4"), request.args.get("ink", "colour")
    if kind_id not in kinds or paper not in PAPER_NAMES or ink not in INK_NAMES:
        abort(404)
    sizes = KINDS[kind_id].sizes
    size = request.args.get("size", "")
    return kind_id, Wish(paper, ink, size if size in sizes else next(iter(sizes)))
