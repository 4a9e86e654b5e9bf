"""The hand entry: a new hand, a forgotten one, or one that is put right."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, abort, request

from scorekeeper.extensions import db
from scorekeeper.rules.faults import Fault
from scorekeeper.services import changes, matches
from scorekeeper.services.before import place_of, state_before
from scorekeeper.services.load import LoadedMatch
from scorekeeper.services.refusals import HandRefused, Refused, StaleMatch
from scorekeeper.services.writing import preview
from scorekeeper.web.contexts.hand import HandPage
from scorekeeper.web.forms.calls import SAY_FIELD
from scorekeeper.web.forms.hand import AUCTION, CARDS, WAY_FIELD, WAYS, HandDraft
from scorekeeper.web.hand_facts import as_entered, told_of
from scorekeeper.web.keys import actor, key_of, new_key, remember_way, remembered_way, version_of
from scorekeeper.web.matches import to_match
from scorekeeper.web.present.clash import clash_page, clashes, written_first
from scorekeeper.web.present.entry import Entry
from scorekeeper.web.present.entry_page import entry_page
from scorekeeper.web.present.foot import REST
from scorekeeper.web.reached import reach
from scorekeeper.web.respond import page

bp = Blueprint("hands", __name__, url_prefix="/matches/<code>/hands")

TEMPLATE = "match/hand.html"


@bp.get("/new")
def new(code: str) -> Response:
    """Ask for the next hand, or with `before` for one that was forgotten."""
    match = reach(code)
    before = request.args.get("before", type=int)
    draft = _blank(match)
    return page(TEMPLATE, _page(_entry(match, draft, before=before), is_fresh=True))


@bp.post("/new")
def new_submit(code: str) -> Response:
    """Write the hand down."""
    match = reach(code)
    before = request.form.get("before", type=int)
    return _take(_entry(match, HandDraft.from_form(request.form), before=before))


@bp.get("/<int:uid>")
def edit(code: str, uid: int) -> Response:
    """Show a hand as it was entered, to be put right."""
    match = reach(code)
    logged = match.log.hand(uid)
    if logged is None:
        abort(404)
    return page(TEMPLATE, _page(_entry(match, as_entered(match, logged), uid=uid), is_fresh=True))


@bp.post("/<int:uid>")
def edit_submit(code: str, uid: int) -> Response:
    """Put the hand right."""
    match = reach(code)
    # One that was taken out meanwhile is not refused before what was typed is shown again.
    if not (match.log.hand(uid) or match.log.gone_hand(uid)):
        abort(404)
    return _take(_entry(match, HandDraft.from_form(request.form), uid=uid))


@bp.post("/preview")
def count(code: str) -> Response:
    """Count what has been tapped so far, and write nothing."""
    match = reach(code)
    uid, before = request.form.get("uid", type=int), request.form.get("before", type=int)
    entry = _entry(match, HandDraft.from_form(request.form), uid=uid, before=before)
    # The form stays the one that was opened: what others write meanwhile is not taken for known.
    context = _page(entry, key=key_of(request), version=version_of(request))
    return page(TEMPLATE, context, block="foot" if not _asks_more(entry) else ("foot", "hand_form"))


def _asks_more(entry: Entry) -> bool:
    """Tell whether what was tapped brings a question that the form on the phone has not yet."""
    shown = request.form.get("asks", "")
    return shown != entry.asks


def _blank(match: LoadedMatch) -> HandDraft:
    """Enter hands the way that was asked for, else the way that the last one was entered."""
    asked = request.args.get("by")
    if asked in WAYS:
        return HandDraft(by=asked)
    for logged in reversed(match.log.hands):
        last = HandDraft.from_hand(logged.hand)
        # One that was not played tells nothing: it took one tap.
        if logged.hand.keys() & {"taken", "points"}:
            return HandDraft(by=last.by, taking=last.taking)
    # A match that begins goes on as this phone wrote its last one.
    way = remembered_way()
    return HandDraft(by=way) if way in WAYS else HandDraft()


def _entry(match: LoadedMatch, draft: HandDraft, *, uid: int | None = None, before: int | None = None) -> Entry:
    place = place_of(match, uid if uid is not None else before)
    state = state_before(db.session, match, place)
    if not draft.dealer and uid is None and place < len(match.log.hands):
        # A forgotten hand takes the deal of the one that it goes before.
        draft = replace(draft, dealer="")
    entry = Entry(match, state, place + 1, draft, uid, before)
    if draft.by == AUCTION and not entry.may_call:
        return replace(entry, draft=replace(draft, by=CARDS))
    return entry


def _rehearsal(entry: Entry) -> Any:
    def rehearse(draft: HandDraft) -> LoadedMatch:
        return preview(db.session, entry.match.code, _change(entry, told_of(entry, draft))).after

    return rehearse


def _change(entry: Entry, hand: Mapping[str, Any]) -> changes.Change:
    if entry.uid is not None:
        return changes.correcting(entry.uid, hand)
    return changes.adding(hand, entry.insert_before)


def _page(
    entry: Entry, faults: Sequence[Fault] = (), *, key: str = "", version: int | None = None, is_fresh: bool = False
) -> HandPage:
    hidden = (
        ("version", str(entry.match.version if version is None else version)),
        ("client_key", key or new_key()),
        ("asks", entry.asks),
        *((("uid", str(entry.uid)),) if entry.uid is not None else ()),
        *((("before", str(entry.insert_before)),) if entry.insert_before is not None else ()),
    )
    just_said = bool(request.form.get(SAY_FIELD))
    return entry_page(entry, _rehearsal(entry), hidden, faults, just_said=just_said, is_fresh=is_fresh)


def _take(entry: Entry) -> Response:
    """Save, or place the rest, or count and come back: whatever the button said."""
    draft, form = entry.draft, request.form
    key, version = key_of(request), version_of(request)
    if form.get(WAY_FIELD) or form.get(SAY_FIELD):
        return page(TEMPLATE, _page(entry, key=key, version=version))
    if form.get("rest"):
        entry = replace(entry, draft=draft.with_rest(entry.unplaced, form["rest"]))
        return page(TEMPLATE, _page(entry, key=key, version=version))
    if form.get("do") == REST and entry.bidding_column and not entry.by_counts:
        entry = replace(entry, draft=draft.with_rest(entry.unplaced, entry.bidding_column[0]))
    elif not draft.thrown_in and _is_half_entered(entry):
        # Without scripts this is how the count is asked for.
        return page(TEMPLATE, _page(entry, key=key, version=version))
    return _save(entry, key, version)


def _is_half_entered(entry: Entry) -> bool:
    """Tell whether awards are still to be placed on a phone that has not been offered to place them."""
    return not entry.by_counts and bool(entry.unplaced) and entry.bidding_column is not None


def _save(entry: Entry, key: str, version: int) -> Response:
    told = told_of(entry, entry.draft)
    try:
        match = _write(entry, told, key, version)
    except StaleMatch as stale:
        return _save_after_all(entry, stale, key)
    except HandRefused as refused:
        return page(TEMPLATE, _page(entry, _all_faults(refused), key=key, version=version), status=422)
    except Refused as refused:
        faults = [item.fault for item in refused.faults]
        return page(TEMPLATE, _page(entry, faults, key=key, version=version), status=422)
    remember_way(entry.draft.by)
    return to_match(match)


def _save_after_all(entry: Entry, stale: StaleMatch, key: str) -> Response:
    """Write the hand where what others wrote first is not about it; else show both."""
    match, draft = stale.match, entry.draft
    if not clashes(stale, entry):
        again = _entry(match, draft, uid=entry.uid, before=entry.insert_before)
        return _save(again, key, match.version)
    theirs = written_first(stale, entry)
    uid = theirs if theirs is not None else _standing(match, entry.uid)
    mine = _entry(match, draft, uid=uid, before=_standing(match, entry.insert_before))
    context = clash_page(mine, theirs, _rehearsal(mine), is_new=entry.uid is None, settles=key)
    return page("match/clash.html", context, status=409)


def _standing(match: LoadedMatch, uid: int | None) -> int | None:
    return uid if uid is not None and match.log.hand(uid) else None


def _write(entry: Entry, told: dict[str, Any], key: str, version: int) -> LoadedMatch:
    code, seq = entry.match.code, version + 1
    if entry.uid is not None:
        return matches.correct_hand(db.session, code, entry.uid, told, seq=seq, client_key=key, actor=actor())
    return matches.record_hand(
        db.session, code, told, seq=seq, client_key=key, actor=actor(), before=entry.insert_before
    )


def _all_faults(refused: HandRefused) -> list[Fault]:
    """Give what is wrong with the hand, and what would be wrong with those after it."""
    others = [
        Fault("", item.fault.code, f"Hand {item.hand} could then not have been so: {item.fault.message}")
        for item in refused.elsewhere
    ]
    return [*refused.own, *others]
