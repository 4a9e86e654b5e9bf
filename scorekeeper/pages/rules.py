"""The pages that show and print rules: of a variant with house answers, of a share code, or of a match."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal
from urllib.parse import urlencode

from flask import Blueprint, Response, abort, request

from scorekeeper.pages.find_game.views import show_finder
from scorekeeper.pages.house_rules.form import field_name
from scorekeeper.pages.prints.views import requested_order, send_sheet
from scorekeeper.pitch.rules.awards import OWN_AWARD_IDS
from scorekeeper.pitch.rules.entered_text import normalize_spaces
from scorekeeper.pitch.rules.house_rules import minimal_answers
from scorekeeper.pitch.rules.library import SOURCES_BY_NUMBER
from scorekeeper.pitch.rules.options import options
from scorekeeper.pitch.rules.questions import RuleKey, answer_word
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.share_codes import BadCode
from scorekeeper.pitch.rules.sources import InterpretationNumber, Source
from scorekeeper.pitch.sheets.citations import citations
from scorekeeper.pitch.sheets.find_rule import find_rules
from scorekeeper.pitch.sheets.parts import Rule
from scorekeeper.pitch.sheets.rule_sheet import RuleSheet, numbered_rules, rule_sheet
from scorekeeper.printing import print_service
from scorekeeper.printing.rule_sheets import view_sheet
from scorekeeper.printing.rules_link import PrintableRules
from scorekeeper.web.context import for_watchers, load_match
from scorekeeper.web.library import (
    UnplayableCode,
    basis,
    joined_messages,
    library,
    match_rules,
    requested_hand,
    shared_rules,
    shared_ruleset_or_422,
    standard_rules,
    url_of_new_match_form,
    variant_rules,
)
from scorekeeper.web.respond import external_url, render_page

bp = Blueprint("rules", __name__)

SEARCH_PARAMETER, MAX_SEARCH_LENGTH = "q", 200
"""The URL parameter with the words of a search, and the most characters of it that are used."""
DESCRIPTION = "The rules of the Pitch card games, from Setback to Ten Point: read them, compare them, print them."
"""The description of the page for search engines."""


@bp.get("/rules")
def index() -> Response:
    """Show the rules of the share code in the URL, or without one, the games to read about."""
    code = request.args.get("r", "")
    return _show_shared(code) if code else _show_index()


def _show_index(refusal: Literal["", "unreadable", "unplayable"] = "", reason: str = "") -> Response:
    """Show the games to read about; `refusal` and `reason` say what is wrong with the share code in the URL."""
    about = "" if refusal else DESCRIPTION
    return show_finder("read", "rules/index.html", description=about, refusal=refusal, reason=reason)


def _show_shared(code: str) -> Response:
    """Show the rules of a share code, or if it cannot be used, the games to read about."""
    try:
        rules = shared_rules(code)
    except BadCode as bad:
        return _show_index("unplayable" if isinstance(bad, UnplayableCode) else "unreadable", str(bad))
    return _show_rules(
        "rules/shared.html",
        rules.ruleset,
        rules.base,
        share_code=rules.share_code,
        ruleset_id=rules.base.id,
        table=url_of_new_match_form(),
        older=rules.older,
    )


@bp.get("/rules.pdf")
def print_shared() -> Response:
    """Send the rules of a share code as a PDF or, without Pango, as HTML; 422 for an invalid code."""
    return _send_requested_sheet(shared_ruleset_or_422(request.args.get("r", "")))


@bp.get("/rules/<ruleset_id>")
def show(ruleset_id: str) -> Response:
    """Show a variant's rules with the house answers in the URL, or only those that a search finds."""
    rules = variant_rules(ruleset_id)
    conflict = joined_messages(rules.faults)
    about = f"The rules of {rules.ruleset.name}: how to deal, bid, play, score and win. Read or print them."
    return _show_rules(
        "rules/show.html",
        rules.ruleset,
        rules.base,
        conflict=conflict,
        description="" if rules.answers or conflict or SEARCH_PARAMETER in request.args else about,
        ruleset_id=rules.base.id,
        answers=rules.answers,
        table=url_of_new_match_form(),
    )


@bp.get("/rules/<ruleset_id>.pdf")
def print_rules(ruleset_id: str) -> Response:
    """Send a variant's rules with the house answers in the URL as a PDF or, without Pango, as HTML.

    422 if the answers contradict each other.
    """
    rules = variant_rules(ruleset_id)
    return abort(422) if rules.faults else _send_requested_sheet(rules.ruleset)


@bp.get("/matches/<code>/rules")
@for_watchers
def show_match(code: str) -> Response:
    """Show the rules of a match: the present ones, or those of the `hand` whose uid is in the URL."""
    match = load_match(code)
    hand = requested_hand(match)
    ruleset = match_rules(match, hand)
    may_change = match.link.is_owner and not match.state.outcome and not match.log.is_deleted
    return _show_rules(
        "rules/match.html",
        ruleset,
        standard_rules(ruleset),
        match_code=code,
        hand=request.args.get("hand", ""),
        hand_number=hand.number if hand else 0,
        may_change=may_change and not hand,
    )


@bp.get("/matches/<code>/rules.pdf")
@for_watchers
def print_match(code: str) -> Response:
    """Send the rules of a match, or of the hand in the URL, as a PDF or, without Pango, as HTML."""
    match = load_match(code)
    return _send_requested_sheet(match_rules(match, requested_hand(match)))


def _show_rules(
    template: str,
    ruleset: Ruleset,
    base: Ruleset,
    *,
    conflict: str = "",
    may_change: bool = False,
    **values: Any,
) -> Response:
    """Show a rule sheet, or if the URL has search words, only the rules that match.

    `base` are the standard rules to compare with. With a `conflict` between house answers, the status is 422.
    """
    if SEARCH_PARAMETER in request.args and not conflict:
        return _show_found_rules(ruleset, base, values.get("match_code", ""), may_change=may_change)
    print_service.start()
    sheet = rule_sheet(ruleset, base)
    return render_page(
        template,
        status=422 if conflict else 200,
        sheet=sheet,
        view=view_sheet(sheet),
        conflict=conflict,
        differences=[*_differences(sheet)],
        **values,
    )


def _show_found_rules(ruleset: Ruleset, base: Ruleset, match_code: str, *, may_change: bool) -> Response:
    """Show the rules that best match the search words in the URL.

    `match_code` is empty without a match; `may_change` is whether this phone may change the match's rules.
    """
    sheet = rule_sheet(ruleset, base)
    text = normalize_spaces(request.args[SEARCH_PARAMETER])[:MAX_SEARCH_LENGTH]
    found = find_rules(sheet.rules, sheet.house_frame.notes, base, library().rule_index, text)
    first = found[0].rule if found else None
    cited = citations(ruleset, base).by_id.get(first.id) if first else None
    standard = numbered_rules(base, base) if first and first.mark == "house" else ()
    other_args = {name: value for name, value in request.args.items() if name != SEARCH_PARAMETER}
    return render_page(
        "rules/find.html",
        sheet=sheet,
        text=text,
        found=found,
        sections={section.id: section.title for section in (*sheet.sections, sheet.disputes)},
        other_args=other_args,
        rules_url=f"{request.path}?{urlencode(other_args)}" if other_args else request.path,
        field=_field_of_rule(first, ruleset if match_code else base) if first else "",
        basis=basis(cited) if cited else "",
        source=_source_of(first) if first else None,
        standard=next((rule for rule in standard if first and rule.id == first.id), None),
        house_answers={name: answer_word(answer) for name, answer in minimal_answers(base, ruleset).items()},
        base_id=base.id,
        match_code=match_code,
        may_change=may_change,
    )


def _field_of_rule(rule: Rule, edited: Ruleset) -> str:
    """Return the form field of the editor whose answer decides a rule; empty if no answer does.

    `edited` are the rules that the editor changes.
    """
    names = [name for name in rule.decided_by if name in options()] or rule.decided_by
    if names and names[0] in OWN_AWARD_IDS and names[0] not in edited.awards:
        return names[0]  # the id under which the editor has all fields of the point
    return field_name(RuleKey(names[0], is_worth=names[0] not in options())) if names else ""


def _source_of(rule: Rule) -> Source | None:
    """Return the first document that a rule is taken from; `None` if it is taken from none."""
    documents = (
        SOURCES_BY_NUMBER[reference.document_number]
        for reference in rule.origin.references
        if not isinstance(reference, InterpretationNumber)
    )
    return next(documents, None)


def _send_requested_sheet(ruleset: Ruleset) -> Response:
    """Send these rules as a PDF, with the kind of sheet and the printing options in the URL.

    Without Pango, as an HTML page for the browser to print.
    """
    return send_sheet(requested_order([PrintableRules(ruleset, standard_rules(ruleset), external_url(".index"))]))


def _differences(sheet: RuleSheet) -> Iterator[tuple[str, Sequence[Rule]]]:
    """Yield each change and each answer of the house in words, with the rules that it decides.

    The notes of the house come last, without rules.
    """
    frame = sheet.house_frame
    for text, option in zip((*frame.changes, *frame.agreed), frame.options, strict=True):
        yield text, _rules_of_option(sheet, option)
    yield from ((note, ()) for note in frame.notes)


def _rules_of_option(sheet: RuleSheet, option: str) -> Sequence[Rule]:
    """Return the rules that the house's answer to an option decides.

    Only the rules that depend on the fewest answers are returned.
    """
    answers = {rule: {*rule.origin.changed, *rule.origin.agreed} for rule in sheet.rules}
    decided = [rule for rule in sheet.rules if option in answers[rule]]
    fewest = min((len(answers[rule]) for rule in decided), default=0)
    return [rule for rule in decided if len(answers[rule]) == fewest]
