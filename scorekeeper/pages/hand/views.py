"""The hand entry: a new hand, a forgotten one, or one that is corrected."""

from dataclasses import replace

from flask import Blueprint, Response, abort, request

from scorekeeper.database.engine import db
from scorekeeper.eventlog.refusals import HandRefused, MatchClosed, Refused
from scorekeeper.matches import drafts
from scorekeeper.matches.conflicts import Basis, Conflict, conflict_of_correction, conflict_of_new
from scorekeeper.matches.fold import Match
from scorekeeper.matches.hand_draft import HandDraft
from scorekeeper.matches.log import LoggedHand, MatchLog
from scorekeeper.matches.write import StaleMatch
from scorekeeper.pages.hand.form import (
    AWARD_FIELD,
    CALL_FIELD,
    NOBODY,
    PASSED_FIELD,
    SHOWN_FIELD,
    Entry,
    EntryMode,
    HandForm,
    tapped_call,
)
from scorekeeper.pages.hand.page import (
    REOPENINGS,
    against_the_points,
    change_of,
    conflict_page,
    differing_result,
    first_missing,
    hand_page,
    match_after,
    missing_of_bid,
)
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.web.context import (
    actor,
    current_draft,
    for_scorers,
    has_seen_more,
    load_match,
    posted_key,
    posted_version,
    remember_entry_mode,
    remembered_entry_mode,
    to_match,
    write_change,
)
from scorekeeper.web.errors import closed_view
from scorekeeper.web.request_log import note_hand
from scorekeeper.web.respond import redirect_to

bp = Blueprint("hands", __name__, url_prefix="/matches/<code>/hands")


@bp.get("/new")
@for_scorers
def new(code: str) -> Response:
    """Show the form of the next hand, or with `before` of one that was forgotten."""
    match, before = load_match(code), request.args.get("before", type=int)
    draft = current_draft(match) if before is None else None
    form = HandForm.from_fields(dict(draft.fields), match.setup.ids) if draft else _blank_form(match)
    return _open(_entry(match, form, insert_before=before), draft)


@bp.post("/new")
@for_scorers
def new_submit(code: str) -> Response:
    """Record the hand, or let go what was entered of it."""
    match = load_match(code)
    if (do := request.form.get("do")) in ("clear", "discard"):
        # A hand that was discarded from the outbox takes nothing along that another phone has entered.
        drafts.end_draft(db.session, match) if do == "clear" else drafts.keep_draft(db.session, match, {})
        return redirect_to(".new", code=code)
    return _submit(_posted_entry(match))


@bp.get("/<int:uid>")
@for_scorers
def edit(code: str, uid: int) -> Response:
    """Show a hand as it was entered, to be corrected."""
    match = load_match(code)
    logged = match.log.hand(uid)
    if logged is None and match.log.gone_hand(uid):
        return redirect_to("history.show", code=code, _anchor=f"hand-{uid}")
    if logged is None:
        abort(404)
    form = _form_of(match, logged)
    if request.args.get("by") == EntryMode.CARDS:
        form = replace(form, by_counts=False)
    return _open(_entry(match, form, uid=uid))


@bp.post("/<int:uid>")
@for_scorers
def edit_submit(code: str, uid: int) -> Response:
    """Correct the hand."""
    match = load_match(code)
    # One that was deleted or lost meanwhile is not refused before what was entered is shown again.
    if uid not in match.log.by_uid and posted_version() <= match.version:
        abort(404)
    return _submit(_posted_entry(match, uid))


@bp.post("/preview")
@for_scorers
def preview(code: str) -> Response:
    """Count what has been entered so far, and let others see it as the hand in progress."""
    entry = _with_rest(_posted_entry(load_match(code), request.form.get("uid", type=int)))
    _keep_draft(entry)
    has_same_questions = request.form.get("asks", "") == entry.question_fingerprint and not request.form.get("rest")
    if not has_same_questions:
        return hand_page(entry, blocks=("bottom_bar", "hand_form", "way_menu", "deals"))
    game = entry.ruleset.counted_award
    has_same_game = game is None or entry.takers.get(game, "") == request.form.get(f"{AWARD_FIELD}{game}", "")
    return hand_page(entry, blocks=("bottom_bar", "told_line", *(() if has_same_game else ("awards",))))


# ---------- what is entered ----------


def _blank_form(match: Match) -> HandForm:
    """Return a form for the mode that was asked for, else the mode of the last hand."""
    asked = request.args.get("by", "")
    if asked in tuple(EntryMode):
        return HandForm.in_mode(asked)
    for logged in reversed(match.log.hands):
        # One that was not played took one tap, in any mode.
        if logged.hand.is_played:
            return replace(HandForm.from_hand(logged.hand), answers={})
    # A new match goes on as this phone entered its last one of this game.
    return HandForm.in_mode(remembered_entry_mode(match.setup.variant))


def _form_of(match: Match, logged: LoggedHand) -> HandForm:
    """Fill in the form with a hand; of an auction also with its contract, for whoever goes on without the calls."""
    form, result = HandForm.from_hand(logged.hand, match.state.seats.ids), match.result(logged.uid)
    if logged.hand.auction is None or result is None or result.bidder is None:
        return form
    bid = {} if result.bid is None else {"bid": str(result.bid)}
    return replace(form, answers={**form.answers, "bidder": result.bidder, **bid})


def _posted_entry(match: Match, uid: int | None = None) -> Entry:
    before = request.form.get("before", type=int) if uid is None else None
    return _entry(match, HandForm.from_fields(request.form, match.setup.ids), uid=uid, insert_before=before)


def _entry(match: Match, form: HandForm, *, uid: int | None = None, insert_before: int | None = None) -> Entry:
    place = match.log.hand_place(uid if uid is not None else insert_before) or len(match.log.hands) + 1
    before = match.state_before(place) if uid is None else match.state_at(place)
    entry = Entry(match, before, place, form, uid, insert_before, reopens=_reopens(match))
    if form.by_auction and not entry.may_call:
        return replace(entry, form=replace(form, by_auction=False, by_counts=False))
    return entry


def _reopens(match: Match) -> str:
    """Return what the button does first in a match that does not go on."""
    do = request.form.get("do", "")
    return do if do in REOPENINGS and match.closed() else ""


# ---------- showing it ----------


def _open(entry: Entry, draft: HandDraft | None = None) -> Response:
    """Show a form that nobody has sent yet; raises `MatchClosed` where it could not be saved."""
    if entry.closed:
        raise MatchClosed(entry.closed)
    return hand_page(entry, draft=draft)


# ---------- saving it ----------


def _submit(entry: Entry) -> Response:
    """Save, or give the rest to somebody, or count and come back: whatever the button said."""
    fields = request.form
    # Without scripts these buttons post the whole form, and saving counts first.
    counts = fields.get("do") == "look" or any(map(fields.get, ("way", CALL_FIELD, PASSED_FIELD)))
    if counts or tapped_call(fields):
        return _counted(entry)
    if entry.match.log.has_key(posted_key()):
        return _saved(entry, write_change(entry.match.code, change_of(entry)))
    entry = _with_rest(entry)
    if fields.get("rest") or (fields.get("do") == "rest" and not fields.get(SHOWN_FIELD)):
        return _counted(entry)
    missing = None if entry.form["thrown_in"] or missing_of_bid(entry) else first_missing(entry)
    if missing and entry.reopens:
        return hand_page(replace(entry, faults=(Fault("", "missing", missing[0]),)), status=422)
    return _counted(entry) if missing else _save(entry, posted_version())


def _with_rest(entry: Entry) -> Entry:
    """Return the entry with what is open given to the column, or to nobody, whose button was tapped.

    The big button of earlier pages gave it to the bidders, or to the one side without a number, and saved.
    """
    rest_to = request.form.get("rest", "")
    if request.form.get("do") == "rest":
        sides = entry.open_counts if entry.form.by_counts else (entry.bidding_side,)
        rest_to = sides[0].side_id if len(sides) == 1 and sides[0] else ""
    return entry.with_rest(rest_to) if rest_to in (NOBODY, *(side.side_id for side in entry.columns)) else entry


def _counted(entry: Entry) -> Response:
    _keep_draft(entry)
    return hand_page(entry)


def _keep_draft(entry: Entry) -> None:
    """Let others see the next hand from its bid on; one that was saved meanwhile is no longer the next."""
    is_next = entry.uid is None and entry.insert_before is None and not entry.closed
    if is_next and not _is_overtaken(entry.match.log):
        drafts.keep_draft(db.session, entry.match, dict(entry.form.fields()) if entry.contract.is_bid else {})


def _is_overtaken(log: MatchLog) -> bool:
    """Return whether the posted form was saved, or another phone has changed what the next hand is."""
    ended = (event for event in log.events if event.fact.ends_draft)
    return log.has_key(posted_key()) or not all(map(_basis().has, ended))


def _save(entry: Entry, version: int) -> Response:
    try:
        if version == entry.match.version and (differs := differing_result(entry)):
            return hand_page(replace(entry, faults=(differs,)), version=version, status=409)
        if against := against_the_points(entry):
            return hand_page(replace(entry, faults=(against,)), version=version, status=422)
        match = write_change(entry.match.code, change_of(entry), version=version)
    except StaleMatch as stale:
        return _save_after_others(entry, stale)
    except MatchClosed as closed:
        now = _entry(load_match(entry.match.code), entry.form, uid=entry.uid, insert_before=entry.insert_before)
        if closed.reason != now.closed:
            why = closed_view(now.match, closed.reason)
            now = replace(now, faults=(Fault("", "refused", f"{why.lead} {why.text}"),))
        return hand_page(now, version=version, status=409)
    except Refused as refused:
        return hand_page(replace(entry, faults=_faults_of(refused, entry)), version=version, status=422)
    return _saved(entry, match)


def _saved(entry: Entry, match: Match) -> Response:
    note_hand()
    remember_entry_mode(match.setup.variant, entry.form.mode)
    return to_match(match)


def _save_after_others(entry: Entry, stale: StaleMatch) -> Response:
    """Save the hand where what others wrote first is not about it; else show both."""
    match, form, log = stale.match, entry.form, stale.match.log
    conflict, has_lost = _conflict(entry, log), has_seen_more(log)
    again = _entry(match, form, uid=entry.uid, insert_before=entry.insert_before)
    if conflict is None and not has_lost:
        return _save(again, match.version)
    mine = _in_place(entry, match, conflict)
    if mine.closed and again.closed and not entry.reopens:
        # Once the match goes on, the question is which one counts: the form keeps its version.
        return hand_page(again, version=posted_version(), status=409)
    try:
        after: Match | Refused | MatchClosed = match_after(mine)
    except MatchClosed as closed:  # of a correction whose hand is gone: it would be a new one
        after = closed
    if conflict and after is match:  # the same hand, on two phones
        return to_match(match)
    return conflict_page(mine, conflict, after, is_new=entry.uid is None)


def _in_place(entry: Entry, match: Match, conflict: Conflict | None) -> Entry:
    """Return the entry as a correction of the hand that is there, or as a new one in the place of what is gone."""
    log, uid = match.log, conflict.hand.uid if conflict else entry.uid
    uid = uid if uid is not None and log.hand(uid) else None
    beside = entry.insert_before if entry.uid is None else entry.uid
    if uid == entry.uid is not None or beside is None:
        before = None
    else:
        before = beside if log.hand(beside) else log.next_in_force(beside)
    return _entry(match, entry.form, uid=uid, insert_before=before)


def _basis() -> Basis:
    return Basis(version=posted_version(), actor=actor(), replaces=frozenset(request.form.get("replaces", "").split()))


def _conflict(entry: Entry, log: MatchLog) -> Conflict | None:
    basis = _basis()
    if entry.uid is None:
        return conflict_of_new(log, basis, entry.insert_before, request.form.get("index", 1, type=int))
    return conflict_of_correction(log, basis, entry.uid) if entry.uid in log.by_uid else None


def _faults_of(refused: Refused, entry: Entry) -> tuple[Fault, ...]:
    """Return what is wrong with the hand, and what would be wrong with those after it."""
    if not isinstance(refused, HandRefused):
        return refused.reasons
    others = (
        replace(
            item.fault,
            field="",
            text=f"Hand {entry.number_at(item.hand)} would then be wrong: {item.fault.message}",
            people=(),
        )
        for item in refused.elsewhere
    )
    return (*refused.own, *others)
