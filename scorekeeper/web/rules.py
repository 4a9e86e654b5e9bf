"""Rules to read and to print: of every variant, with house answers, as a share code, and of a match."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from flask import Blueprint, Response, abort, request

from scorekeeper.ledger.roles import WATCHER
from scorekeeper.printing import layout, print_service
from scorekeeper.printing.kinds import kinds_of
from scorekeeper.printing.rule_sheets import SheetView, view_sheet
from scorekeeper.printing.rules_link import Rules
from scorekeeper.rules.codes import BadCode
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.parts import Rule
from scorekeeper.sheets.rule_sheet import ARGUE, HOUSE, RuleSheet, rule_sheet
from scorekeeper.web.find_game import BLOCKS, part_or, read_finder
from scorekeeper.web.prints import read_options, send_sheet
from scorekeeper.web.shared.named_rules import (
    UnplayableCode,
    asked_hand,
    match_rules,
    messages,
    opened_from,
    rules_to_print,
    shared_rules,
    standard_rules,
    variant_rules,
)
from scorekeeper.web.shared.permissions import requires
from scorekeeper.web.shared.places import load_match
from scorekeeper.web.shared.respond import external_url, render_page

bp = Blueprint("rules", __name__)

TEMPLATE, INDEX = "rules/show.html", "rules/index.html"
DESCRIPTION = "The rules of the Pitch card games, from Setback to Ten Point: read them, compare them, print them."


@dataclass(frozen=True, slots=True)
class Difference:
    """What a table plays differently, or agreed beside the book, and the rules in which it stands."""

    text: str
    rules: tuple[Rule, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesPage:
    """Template rules/show.html, and rules/shared.html and rules/match.html, which extend it."""

    sheet: RuleSheet
    ruleset_id: str
    answers: Mapping[str, str] = field(default_factory=dict)
    """The house answers in the address of a variant."""
    share_code: str = ""
    match_code: str = ""
    hand: str = ""
    """The hand of a match whose rules these are, as the address has it; empty for the rules as they are now."""
    hand_number: int = 0
    """What the table calls that hand."""
    table: str = ""
    """The address of the new match that these rules were opened from."""
    conflict: str = ""
    """Why the house answers of the address cannot stand together."""

    @property
    def description(self) -> str:
        """What the page is, for who looks for such a thing; empty where it shows the rules of a match or a house."""
        if self.answers or self.share_code or self.match_code or self.conflict:
            return ""
        return f"The rules of {self.sheet.title}: how to deal, bid, play, score and win. Read or print them."

    @property
    def view(self) -> SheetView:
        """The sheet, as its template shows it."""
        return view_sheet(self.sheet)

    @property
    def contents(self) -> tuple[tuple[str, str], ...]:
        """The sections to jump to: their ids, and their numbers with their titles."""
        listed: list[tuple[str, str]] = [(it.id, f"{it.number} {it.title}") for it in self.sheet.sections]
        if self.sheet.arguments:
            listed.append(("argue", f"{ARGUE} Where tables argue"))
        if not self.sheet.house.is_empty:
            listed.append(("house", f"{HOUSE} House rules"))
        return tuple(listed)

    @property
    def differences(self) -> tuple[Difference, ...]:
        """What this table plays that the book does not say, each with its rules."""
        house = self.sheet.house
        answered = zip((*house.changes, *house.agreed), house.options, strict=True)
        return (
            *(Difference(text, _rules_of(self.sheet, option)) for text, option in answered),
            *(Difference(note) for note in house.notes),
        )

    @property
    def how_to_print(self) -> str:
        """What to install before anything can be printed here; empty where it can."""
        return "" if layout.is_available() else layout.INSTALL_PANGO


@bp.get("/rules")
def index() -> Response:
    """Show the games to read about, or the rules of the share code in the address."""
    code = request.args.get("r", "")
    return _shared(code) if code else _index()


def _index(refusal: Literal["", "unreadable", "unplayable"] = "", reason: str = "") -> Response:
    """Show the games to read about; `refusal` is what is wrong with the share code that was opened."""
    found = read_finder("read")
    return render_page(
        INDEX if refusal else part_or(INDEX),
        block=() if refusal else BLOCKS,
        description="" if refusal or found.described.is_anything else DESCRIPTION,
        finder=found,
        refusal=refusal,
        reason=reason,
    )


def _shared(code: str) -> Response:
    try:
        rules = shared_rules(code)
    except BadCode as bad:
        return _index("unplayable" if isinstance(bad, UnplayableCode) else "unreadable", str(bad))
    sheet = rule_sheet(rules.ruleset, rules.base)
    page = RulesPage(sheet=sheet, ruleset_id=rules.base.id, share_code=rules.share_code, table=opened_from())
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


def _rules_of(sheet: RuleSheet, option: str) -> tuple[Rule, ...]:
    """Return the rules that an option of the house decides: those that the fewest others decide as well."""
    answers = {rule: {*rule.origin.house, *rule.origin.agreed} for rule in sheet.rules}
    decided = [rule for rule in sheet.rules if option in answers[rule]]
    fewest = min((len(answers[rule]) for rule in decided), default=0)
    return tuple(rule for rule in decided if len(answers[rule]) == fewest)
