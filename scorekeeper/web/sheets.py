"""The rules, to read and to print: of every variant, with house options, and of a match."""

from typing import Any

from flask import Blueprint, Response, abort, request, url_for
from werkzeug.datastructures import MultiDict

from scorekeeper.extensions import db
from scorekeeper.printing import orders, press, sheets
from scorekeeper.printing.kinds import Rules, kinds_of
from scorekeeper.printing.wishes import PAPER_NAMES
from scorekeeper.rules.code import BadCode, decode, encode
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.house import resolve
from scorekeeper.rules.overlay import with_house
from scorekeeper.rules.questions import QUESTIONS, value_of
from scorekeeper.rules.schema import Ruleset
from scorekeeper.rules.sheet import RuleSheet
from scorekeeper.services.load import ruleset_of
from scorekeeper.web.contexts.parts import Action, BarView, Notice
from scorekeeper.web.contexts.rules import RulesIndexPage
from scorekeeper.web.contexts.sheet import SheetPage
from scorekeeper.web.keys import new_key
from scorekeeper.web.links import shown_url
from scorekeeper.web.present.choose import rules_groups
from scorekeeper.web.present.rule_changes import told_rules
from scorekeeper.web.prints import send_sheet, wish_of
from scorekeeper.web.reached import reach
from scorekeeper.web.respond import page
from scorekeeper.web.rulesets import library

bp = Blueprint("sheets", __name__)

TEMPLATE = "rules/show.html"


@bp.get("/rules")
def index() -> Response:
    """List every variant, or show the rules that the address carries."""
    if code := request.args.get("r", ""):
        return _carried(code)
    return _index()


def _index(notices: tuple[Notice, ...] = (), *, status: int = 200) -> Response:
    groups = rules_groups(library(), "sheets.rules")
    bar = BarView(title="Rules", back_url=url_for("home.index"))
    context = RulesIndexPage(title="Rules", bar=bar, groups=groups, notices=notices)
    return page("rules/index.html", context, status=status)


def _carried(code: str) -> Response:
    """Show rules that came as a code, with what can be done with them."""
    try:
        house = decode(code)
    except BadCode as bad:
        return _index((Notice(kind="bad", lead="These rules cannot be read", text=str(bad)),), status=422)
    ruleset, faults = resolve(house, library())
    if ruleset is None:
        said = " ".join(dict.fromkeys(fault.message for fault in faults))
        return _index((Notice(kind="bad", lead="These rules cannot be played", text=said),), status=422)
    code = encode(house)
    shown = sheets.tell(ruleset, library()[house.variant])
    bar = BarView(title=shown.title, sub="The rules", back_url=url_for("house.index"), back_label="Our rules")
    keep = Action(
        label="Keep as our rules",
        url=url_for("house.take"),
        icon="pencil",
        is_post=True,
        fields=(("r", code), ("client_key", new_key())),
    )
    play = Action(label="Play by these rules", url=url_for("new.table", ruleset_id=house.variant, r=code), icon="cards")
    return _show(shown, bar, _papers("sheets.carried_pdf", {"r": code}, {"r": code}), ways=(play, keep))


@bp.get("/rules.pdf")
def carried_pdf() -> Response:
    """Print the rules that the address carries."""
    try:
        house = decode(request.args.get("r", ""))
    except BadCode:
        abort(422)
    ruleset, _ = resolve(house, library())
    return _printed(ruleset, library()[house.variant]) if ruleset else abort(422)


@bp.get("/rules/<ruleset_id>")
def rules(ruleset_id: str) -> Response:
    """Show a variant's rules, with the house options that the address gives."""
    base = _variant(ruleset_id)
    ruleset, faults = _with_house(base)
    house = MultiDict() if faults else request.args
    options = {name: word for name, word in house.items() if name in QUESTIONS}
    papers = _papers("sheets.rules_pdf", {"ruleset_id": ruleset_id, **options}, {"rules": ruleset_id, **options})
    shown = sheets.tell(base if faults else ruleset, base)
    bar = BarView(title=shown.title, sub="The rules", back_url=url_for(".index"), back_label="Rules")
    return _show(shown, bar, papers, _said(faults), status=422 if faults else 200)


@bp.get("/rules/<ruleset_id>.pdf")
def rules_pdf(ruleset_id: str) -> Response:
    """Print a variant's rules, with the house options that the address gives."""
    base = _variant(ruleset_id)
    ruleset, faults = _with_house(base)
    if faults:
        abort(422)
    return _printed(ruleset, base)


@bp.get("/matches/<code>/rules")
def match_rules(code: str) -> Response:
    """Show the rules that a match is played by."""
    shown = sheets.tell(*_match_rules(code))
    bar = BarView(title=shown.title, sub="The rules", back_url=url_for("matches.show", code=code), back_label="Match")
    return _show(shown, bar, _papers("sheets.match_rules_pdf", {"code": code}, {"match": code, "kind": "rules"}))


@bp.get("/matches/<code>/rules.pdf")
def match_rules_pdf(code: str) -> Response:
    """Print the rules that a match is played by."""
    return _printed(*_match_rules(code))


def _match_rules(code: str) -> tuple[Ruleset, Ruleset]:
    """Give the rules in force in a match, with the day of every change since it began, and the book's own."""
    match = reach(code)
    told = told_rules(match, ruleset_of(db.session, match.match))
    variants = library()
    return told, variants[told.id] if told.id in variants else told


def _variant(ruleset_id: str) -> Ruleset:
    if ruleset_id not in library():
        abort(404)
    return library()[ruleset_id]


def _with_house(base: Ruleset) -> tuple[Ruleset, list[Fault]]:
    """Lay the options of the address over a variant; other parts of an address are none of ours."""
    house = {name: value_of(word) for name, word in request.args.items() if name in QUESTIONS}
    return with_house(base, house)


def _papers(endpoint: str, values: dict[str, Any], choice: dict[str, Any]) -> tuple[Action, ...]:
    """Offer the sheet on each paper, and the page on which one chooses and sees it first."""
    if not press.is_available():
        return ()
    return (
        *(
            Action(label=f"Print on {name}", url=url_for(endpoint, paper=paper, **values), icon="print", new_tab=True)
            for paper, name in PAPER_NAMES.items()
        ),
        Action(label="More to print", url=url_for("prints.choose", **choice), icon="cards"),
    )


def _said(faults: list[Fault]) -> tuple[Notice, ...]:
    if not faults:
        return ()
    said = " ".join(dict.fromkeys(fault.message for fault in faults))
    return (
        Notice(kind="bad", lead="These house rules cannot stand together", text=f"{said} Below is the book’s version."),
    )


def _show(
    shown: RuleSheet,
    bar: BarView,
    papers: tuple[Action, ...],
    notices: tuple[Notice, ...] = (),
    *,
    ways: tuple[Action, ...] = (),
    status: int = 200,
) -> Response:
    if papers:
        orders.get_ready()
    else:
        notices = (*notices, Notice(lead="No printed sheet here yet.", text=press.HOW_TO_GET_IT, icon="print"))
    context = SheetPage(title=f"{shown.title}: rules", bar=bar, sheet=shown, papers=papers, ways=ways, notices=notices)
    return page(TEMPLATE, context, status=status)


def _printed(ruleset: Ruleset, base: Ruleset) -> Response:
    """Answer with the kind of sheet that the address asks for; where nothing can be printed, with the rules to read."""
    subject = Rules(ruleset, base, shown_url(".index"))
    kinds = kinds_of(subject)
    kind_id, wish = wish_of(tuple(kinds))
    if not press.is_available():
        return _unavailable(sheets.tell(ruleset, base))
    return send_sheet(kinds[kind_id], subject, wish)


def _unavailable(sheet: RuleSheet) -> Response:
    """Show the rules instead, and how to get them printed."""
    bar = BarView(title=sheet.title, sub="The rules", back_url=url_for(".index"), back_label="Rules")
    return _show(sheet, bar, (), status=503)
