"""Changing a rule in the middle of a match, from the next hand on."""

from typing import Any

from flask import Blueprint, Response, request

from scorekeeper.eventlog.stream import MatchClosed
from scorekeeper.matches.events import RulesChanged
from scorekeeper.matches.fold import Match
from scorekeeper.matches.load import StaleMatch
from scorekeeper.pages.house_rules.form import RulesForm, merged, read_form
from scorekeeper.pages.house_rules.views import MatchRules, answer_form, asked_notes, show_editor
from scorekeeper.pitch.rules.house_rules import differences, without_moot
from scorekeeper.pitch.rules.questions import answers_after
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.text.rule_changes import changed_rules
from scorekeeper.web.context import (
    for_owners,
    load_match,
    load_unfinished_match,
    posted_key,
    posted_version,
    to_match,
    write_change,
)
from scorekeeper.web.locale import today

bp = Blueprint("rule_change", __name__, url_prefix="/matches/<code>/rules/change")


@bp.get("")
@for_owners
def show(code: str) -> Response:
    """Show the editor for the rules from the next hand on."""
    match = load_unfinished_match(code, may_be_stopped=True)
    form = RulesForm(match.state.ruleset, notes=asked_notes())
    return show_editor(MatchRules(match=match, version=match.version), form)


@bp.post("")
@for_owners
def submit(code: str) -> Response:
    """Change the rules from the next hand on, or show what follows from the answers."""
    match, version = load_match(code), posted_version()
    if not match.log.has_key(posted_key()):
        load_unfinished_match(code, may_be_stopped=True)
    opened = (match.as_of(version) if 0 <= version < match.version else None) or match
    form = read_form(opened.state.ruleset, request.form, is_of_match=True)

    def save() -> Response:
        house, day = _next_house(match, form.ruleset), today().isoformat()
        changed_now = RulesChanged(house=dict(house), on=day, notes=form.notes or None)
        try:
            return to_match(write_change(code, changed_now, version=version))
        except StaleMatch as stale:
            now = stale.match
            if now.is_over:
                raise MatchClosed(now.closed()) from None
            before, theirs = RulesForm(opened.state.ruleset), RulesForm(now.state.ruleset)
            changed = changed_rules(before.ruleset, theirs.ruleset)
            return show_editor(MatchRules(match=now, version=now.version), merged(form, before, theirs), theirs=changed)

    return answer_form(MatchRules(match=match, version=version), form, save)


def _next_house(match: Match, wanted: Ruleset) -> dict[str, Any]:
    """Return the house rules that make the next hand's rules the wanted ones; none where they are already."""
    if not differences(match.state.ruleset, wanted):
        return {}
    before, earlier = match.ruleset_before_changes, match.log.pending.house or {}
    stated = answers_after(before, earlier, wanted)
    # What was answered before, for the same hand, holds unless it is answered again.
    decisive = without_moot(before, stated)
    return {name: answer for name, answer in stated.items() if name in decisive or name in earlier}
