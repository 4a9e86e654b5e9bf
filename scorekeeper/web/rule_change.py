"""Changing a rule in mid-match: it holds from the next hand on."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from flask import Blueprint, Response, abort, request, url_for

from scorekeeper.extensions import db
from scorekeeper.rules.house import fewest_answers
from scorekeeper.rules.offers import LOW
from scorekeeper.rules.options import options
from scorekeeper.rules.overlay import differences
from scorekeeper.rules.schema import Ruleset
from scorekeeper.services import matches
from scorekeeper.services.load import LoadedMatch
from scorekeeper.services.refusals import Refused, StaleMatch
from scorekeeper.web.contexts.parts import BarView, Notice
from scorekeeper.web.forms.composer import RulesDraft, answer_to, from_form
from scorekeeper.web.house import TEMPLATE, composed
from scorekeeper.web.keys import actor, key_of, new_key, version_of
from scorekeeper.web.matches import to_match
from scorekeeper.web.present.board import match_title
from scorekeeper.web.present.composer_page import SAVE, Setting, composer_page
from scorekeeper.web.reached import reach
from scorekeeper.web.respond import page

bp = Blueprint("rule_change", __name__, url_prefix="/matches/<code>/rules/change")

SETTLED = frozenset({"count_down_from"})
"""Which way a match counts is settled before its first hand."""


@bp.get("")
def show(code: str) -> Response:
    """Ask what is to be otherwise from the next hand on."""
    match = _open(code)
    return page(TEMPLATE, composer_page(_setting(match, new_key(), match.version), RulesDraft(match.state.ruleset)))


@bp.post("")
def submit(code: str) -> Response:
    """Let other rules hold from the next hand on, or look at them again."""
    match, key, version = _open(code), key_of(request), version_of(request)
    draft = from_form(match.state.ruleset, request.form)
    setting = _setting(match, key, version)
    if request.form.get("do") != SAVE or draft.faults:
        return composed(setting, draft)
    house = next_house(match, draft.ruleset)
    try:
        today = date.today().isoformat()
        changed = matches.change_rules(
            db.session, code, house, seq=version + 1, client_key=key, on=today, actor=actor()
        )
    except StaleMatch as stale:
        notice = Notice(
            lead="Another phone wrote something first.",
            text=f"The next hand is now hand {_next(stale.match)}. Save again to let the change count from there.",
            kind="bad",
        )
        setting = replace(_setting(stale.match, new_key(), stale.match.version), notices=(notice,))
        return page(TEMPLATE, composer_page(setting, replace(draft, base=stale.match.state.ruleset)), status=409)
    except Refused as refused:
        return composed(setting, draft, refused)
    return to_match(changed)


def next_house(match: LoadedMatch, wanted: Ruleset) -> dict[str, Any]:
    """Say what makes the next hand's rules these; what was said for the same hand already is answered anew."""
    if not differences(match.state.ruleset, wanted):
        return {}
    return answers_anew(match.replayed.ruleset, match.log.next_house or {}, wanted)


def answers_anew(base: Ruleset, said: Mapping[str, Any], wanted: Ruleset) -> dict[str, Any]:
    """Give answers that, laid over those that were given before, turn one ruleset into the other."""
    return {**{name: _answer(wanted, name, value) for name, value in said.items()}, **fewest_answers(base, wanted)}


def _answer(ruleset: Ruleset, name: str, said: object) -> Any:
    is_worth = name not in options() or (name == LOW and not isinstance(said, str))
    return ruleset.worth(name) if is_worth else answer_to(ruleset, name)


def _open(code: str) -> LoadedMatch:
    """Give a match that goes on; one that is over keeps its rules."""
    match = reach(code)
    if match.state.outcome or match.log.is_deleted:
        abort(404)
    return match


def _next(match: LoadedMatch) -> int:
    return len(match.state.hands) + 1


def _setting(match: LoadedMatch, key: str, version: int) -> Setting:
    number = _next(match)
    return Setting(
        title="Change a rule",
        bar=BarView(
            title="Change a rule",
            sub=f"{match_title(match)}, from hand {number} on",
            back_url=url_for("settings.show", code=match.code),
            back_label="Menu",
        ),
        action=url_for("rule_change.submit", code=match.code),
        hidden=(("client_key", key), ("version", str(version))),
        save_label=f"Let it count from hand {number} on",
        since=f"from hand {number} on",
        legend="as it is now",
        is_named=False,
        settled=SETTLED,
    )
