"""Changing a rule in mid-match: it holds from the next hand on."""

from dataclasses import replace
from datetime import date
from typing import Any

from flask import Blueprint, Response, abort, request, url_for

from scorekeeper.extensions import db
from scorekeeper.rules.house import fewest_answers
from scorekeeper.rules.offers import LOW
from scorekeeper.rules.options import options
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
    house = {**_waiting(match, draft.ruleset), **fewest_answers(draft.base, draft.ruleset)}
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


def _waiting(match: LoadedMatch, wanted: Ruleset) -> dict[str, Any]:
    """Answer anew what was answered for the same hand already: what was said for it before still counts."""
    said = match.log.next_house or {}
    return {name: answer_to(wanted, name) if name in options() else wanted.worth(name) for name in said if name != LOW}


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
