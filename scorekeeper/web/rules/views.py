"""Rules to read and to print: of every variant, with house answers, as a share code, and of a match."""

from typing import Literal

from flask import Blueprint, Response, abort, request

from scorekeeper.ledger.roles import WATCHER
from scorekeeper.printing import layout, print_service
from scorekeeper.printing.kinds import Rules, kinds_of
from scorekeeper.rules.codes import BadCode, encode
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.rule_sheet import rule_sheet
from scorekeeper.web.find_game import BLOCKS, part_or, read_finder
from scorekeeper.web.prints.form import read_options
from scorekeeper.web.prints.send import send_sheet
from scorekeeper.web.rules.page import RulesIndexPage, RulesPage, messages
from scorekeeper.web.rules.source import (
    asked_hand,
    match_rules,
    opened_from,
    rules_to_print,
    shared_rules,
    standard_rules,
    variant_rules,
)
from scorekeeper.web.shared.library import library
from scorekeeper.web.shared.permissions import requires
from scorekeeper.web.shared.places import load_match
from scorekeeper.web.shared.respond import external_url, render_page

bp = Blueprint("rules", __name__)

TEMPLATE, INDEX = "rules/show.html", "rules/index.html"


@bp.get("/rules")
def index() -> Response:
    """Show the games to read about, or the rules of the share code in the address."""
    code = request.args.get("r", "")
    return _shared(code) if code else _index()


def _index(refusal: Literal["", "unreadable", "unplayable"] = "", reason: str = "") -> Response:
    found = read_finder("read")
    page = RulesIndexPage(finder=found, refusal=refusal, reason=reason)
    if refusal:
        return render_page(INDEX, page, status=422, finder=found)
    return render_page(part_or(INDEX), page, block=BLOCKS, finder=found)


def _shared(code: str) -> Response:
    try:
        shared = shared_rules(code)
    except BadCode as bad:
        return _index("unreadable", str(bad))
    if shared.ruleset is None:
        return _index("unplayable", messages(shared.faults))
    sheet = rule_sheet(shared.ruleset, library()[shared.house.variant])
    page = RulesPage(sheet=sheet, ruleset_id=shared.house.variant, share_code=encode(shared.house), table=opened_from())
    return _show("rules/shared.html", page)


@bp.get("/rules.pdf")
def print_shared() -> Response:
    """Print the rules of the share code in the address."""
    return _print(rules_to_print(request.args.get("r", "")))


@bp.get("/rules/<ruleset_id>")
def show(ruleset_id: str) -> Response:
    """Show a variant's rules, with the house answers of the address."""
    rules = variant_rules(ruleset_id)
    sheet, conflict = rule_sheet(rules.ruleset, rules.base), messages(rules.faults)
    page = RulesPage(sheet=sheet, ruleset_id=ruleset_id, answers=rules.answers, conflict=conflict, table=opened_from())
    return _show(TEMPLATE, page, status=422 if conflict else 200)


@bp.get("/rules/<ruleset_id>.pdf")
def print_rules(ruleset_id: str) -> Response:
    """Print a variant's rules, with the house answers of the address."""
    rules = variant_rules(ruleset_id)
    return abort(422) if rules.faults else _print(rules.ruleset)


@bp.get("/matches/<code>/rules")
@requires(WATCHER)
def show_match(code: str) -> Response:
    """Show the rules that a match is played by; with `hand` in the address those that this hand was played by."""
    match = load_match(code)
    hand = asked_hand(match)
    ruleset = match_rules(match, hand)
    base = standard_rules(ruleset)
    page = RulesPage(
        sheet=rule_sheet(ruleset, base),
        ruleset_id=base.id,
        match_code=code,
        hand=request.args.get("hand", ""),
        hand_number=hand.number if hand else 0,
    )
    return _show("rules/match.html", page)


@bp.get("/matches/<code>/rules.pdf")
@requires(WATCHER)
def print_match(code: str) -> Response:
    """Print the rules that a match is played by, or that a hand of it was played by."""
    match = load_match(code)
    return _print(match_rules(match, asked_hand(match)))


def _show(template: str, page: RulesPage, *, status: int = 200) -> Response:
    print_service.start()
    return render_page(template, page, status=status)


def _print(ruleset: Ruleset) -> Response:
    """Answer with the kind of sheet that the address asks for; with the rules to read where nothing can be printed."""
    base = standard_rules(ruleset)
    rules = Rules(ruleset, base, external_url(".index"))
    kinds = kinds_of(rules)
    kind_id, options = read_options(kinds)
    if not layout.is_available():
        return _show(TEMPLATE, RulesPage(sheet=rule_sheet(ruleset, base), ruleset_id=base.id), status=503)
    return send_sheet(kinds[kind_id], rules, options)
