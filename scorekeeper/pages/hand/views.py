"""The pages that enter the next hand, a forgotten hand or a correction, and resolve conflicts of two phones."""

from dataclasses import dataclass, replace

from flask import Blueprint, Response, abort, request

from scorekeeper.database.engine import db
from scorekeeper.eventlog.stream import HandRefused, MatchClosed, Refused
from scorekeeper.matches import drafts, service
from scorekeeper.matches.change_log import new_winner_words, writer_name
from scorekeeper.matches.drafts import HandDraft
from scorekeeper.matches.events import Undone
from scorekeeper.matches.fold import Match
from scorekeeper.matches.hand_conflicts import Conflict, KnownEvents, conflict_of_correction, conflict_of_new_hand
from scorekeeper.matches.log import MatchLog
from scorekeeper.matches.service import StaleMatch
from scorekeeper.pages.hand.form import HandForm, encode_result
from scorekeeper.pages.hand.in_progress import bid_requirements, first_missing, hand_requirements
from scorekeeper.pages.hand.input import (
    NOBODY,
    SHOWN_RESULT_FIELD,
    TAPPED_CALL_FIELD,
    EntryMode,
    HandInput,
    tapped_call,
)
from scorekeeper.pages.hand.page import hand_page, question_fingerprint
from scorekeeper.pages.match.hands import line_views, rules_url
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.text.hands import bid_words, outcome_word
from scorekeeper.pitch.text.phrases import bid_word, join_nonempty, score_text
from scorekeeper.web.context import (
    actor,
    current_draft,
    for_scorers,
    is_form_ahead_of_log,
    load_match,
    posted_key,
    posted_version,
    redirect_to_match,
    remember_entry_mode,
    remembered_entry_mode,
    write_change,
)
from scorekeeper.web.errors import closed_view
from scorekeeper.web.respond import mark_request_as_hand, redirect_to, render_page
from scorekeeper.web.widgets import LineView

bp = Blueprint("hands", __name__, url_prefix="/matches/<code>/hands")


@bp.get("/new")
@for_scorers
def new(code: str) -> Response:
    """Show the form of the next hand, with its draft; or of a forgotten hand, if the URL has `before`."""
    match, before = load_match(code), request.args.get("before", type=int)
    draft = current_draft(match) if before is None else None
    entered = HandInput.parse(dict(draft.fields), match.setup.ids) if draft else _blank_input(match)
    return _show_form(HandForm(match, entered, insert_before=before), draft)


@bp.post("/new")
@for_scorers
def new_submit(code: str) -> Response:
    """Save the posted new hand, discard its draft, or show the form again, as the tapped button says."""
    match = load_match(code)
    if (action := request.form.get("do")) in ("clear", "discard"):
        # Discarding a hand from the outbox discards nothing that another phone has entered.
        drafts.end_draft(db.session, match) if action == "clear" else drafts.save_draft(db.session, match, {})
        return redirect_to(".new", code=code)
    return _submit(_read_form(match))


@bp.get("/<int:uid>")
@for_scorers
def edit(code: str, uid: int) -> Response:
    """Show the form that corrects a stored hand; a removed hand is shown in the history instead.

    With `by=cards` in the URL, the form asks for takers even if the hand was entered by points.
    """
    match = load_match(code)
    logged = match.log.hand(uid)
    if logged is None:
        is_removed = uid in match.log.by_uid
        return redirect_to("history.show", code=code, _anchor=f"hand-{uid}") if is_removed else abort(404)
    entered = HandInput.from_hand(logged.hand, match.state.seats.ids)
    if request.args.get("by") == EntryMode.CARDS:
        entered = replace(entered, by_points=False)
    return _show_form(HandForm(match, entered, uid))


@bp.post("/<int:uid>")
@for_scorers
def edit_submit(code: str, uid: int) -> Response:
    """Save the posted correction of a hand, or show its form again."""
    match = load_match(code)
    # For a hand deleted or lost meanwhile the input is shown again first, instead of 404.
    if uid not in match.log.by_uid and posted_version() <= match.version:
        abort(404)
    return _submit(_read_form(match, uid))


@bp.post("/preview")
@for_scorers
def preview(code: str) -> Response:
    """Send htmx the result of the input so far; input for the next hand is stored as its draft.

    If the input changes the questions of the form, the form is sent as well.
    """
    form = _with_rest(_read_form(load_match(code), request.form.get("uid", type=int)))
    _store_draft(form)
    form = _as_opened(form)
    has_same_questions = request.form.get("asks", "") == question_fingerprint(form) and not request.form.get("rest")
    if not has_same_questions:
        return hand_page(form, blocks=("bottom_bar", "hand_form", "way_menu", "deals"))
    awards = () if form.hand.has_same_game_taker(request.form) else ("awards",)
    return hand_page(form, blocks=("bottom_bar", "told_line", *awards))


# ---------- what is entered ----------


def _blank_input(match: Match) -> HandInput:
    """Return an empty input in the mode of the URL, of the match's last hand, or of this phone's last entry."""
    mode = request.args.get("by", "")
    if mode in tuple(EntryMode):
        return HandInput.parse({"by": mode}, ())
    for logged in reversed(match.log.hands):
        # A hand that was not played is entered with one tap in any mode, so its mode says nothing.
        if logged.hand.is_played:
            entered = HandInput.from_hand(logged.hand)
            return HandInput.parse({"by": entered.mode, "taking": entered.play_mode}, ())
    # A new match starts in the mode in which this phone entered its last hand of this game.
    return HandInput.parse({"by": remembered_entry_mode(match.setup.variant)}, ())


def _read_form(match: Match, uid: int | None = None) -> HandForm:
    """Return the posted form: a correction of the hand with this `uid`; without one, a next or a forgotten hand."""
    before = request.form.get("before", type=int) if uid is None else None
    entered = HandInput.parse(request.form, match.setup.ids)
    return HandForm(match, entered, uid, before, request.form.get("do", ""))


# ---------- showing it ----------


def _show_form(form: HandForm, draft: HandDraft | None = None) -> Response:
    """Show the form before anything is posted; raises `MatchClosed` if the match is closed to the hand."""
    if form.closed_reason:
        raise MatchClosed(form.closed_reason)
    return hand_page(form, draft=draft)


# ---------- saving it ----------


def _submit(form: HandForm) -> Response:
    """Save the hand if that was tapped and the hand is complete; else show the form again.

    A hand that the same post has saved before is not saved again.
    """
    fields = request.form
    # Without scripts these buttons post the whole form, and saving counts first.
    is_preview = fields.get("do") == "look" or any(map(fields.get, ("way", TAPPED_CALL_FIELD, "passed")))
    if is_preview or tapped_call(fields):
        return _store_draft_and_show(form)
    if form.match.log.has_key(posted_key()):
        return _redirect_after_saving(form, write_change(form.match.code, form.events_to_append))
    form = _with_rest(form)
    if fields.get("rest") or (fields.get("do") == "rest" and not fields.get(SHOWN_RESULT_FIELD)):
        return _store_draft_and_show(form)
    # The rules refuse a hand with an incomplete bid, and give the reason.
    is_checked_by_rules = form.input.thrown_in or first_missing(bid_requirements(form.hand))
    missing = None if is_checked_by_rules else first_missing(hand_requirements(form.hand))
    if missing and form.reopening_action:
        return hand_page(form, faults=(Fault("", "missing", missing.label(form.names_including_columns)),))
    return _store_draft_and_show(form) if missing else _save(form, posted_version())


def _with_rest(form: HandForm) -> HandForm:
    """Return the form with all missing takers or points given to the column whose "the rest" button was tapped.

    Without such a tap the form is unchanged.
    """
    hand, rest_to = form.hand, request.form.get("rest", "")
    # In forms of earlier versions, `do=rest` names no column: the bidding side or the only open column has the rest.
    if request.form.get("do") == "rest":
        columns = hand.open_columns if hand.input.by_points else (hand.bidding_column,)
        rest_to = columns[0] if len(columns) == 1 and columns[0] else ""
    return replace(form, input=hand.with_rest(rest_to)) if rest_to in (NOBODY, *hand.columns) else form


def _store_draft_and_show(form: HandForm) -> Response:
    """Store the form as the draft if it is of the next hand, and show it with the result so far."""
    _store_draft(form)
    return hand_page(_as_opened(form))


def _as_opened(form: HandForm) -> HandForm:
    """Return the form of a new hand as its page was opened, without one that another phone has saved in its place.

    Otherwise the page would have the number, the dealer and the scores of the next hand; saving asks which one counts.
    """
    match, conflict = form.match, _find_conflict(form, form.match.log)
    if form.closed_reason or conflict is None or conflict.hand.uid <= posted_version():
        return form
    return replace(form, match=match.as_of(conflict.hand.uid - 1) or match)


def _store_draft(form: HandForm) -> None:
    """Store a form of the next hand as this phone's draft, or drop the draft if the form lacks a bidder or bid.

    Nothing is done once the hand is saved, the match closed, or the draft ended by another phone.
    """
    if form.is_next and not form.closed_reason and not _has_draft_ended(form.match.log):
        fields = dict(form.hand.input.fields()) if form.hand.contract.is_bid else {}
        drafts.save_draft(db.session, form.match, fields)


def _has_draft_ended(log: MatchLog) -> bool:
    """Return whether the posted hand is saved already, or another phone has ended its draft."""
    ended = (event for event in log.events if event.data.ends_draft)
    return log.has_key(posted_key()) or not all(map(_posted_known_events().includes, ended))


def _save(form: HandForm, version: int) -> Response:
    """Save the hand and redirect to the match, or show why it is not saved.

    `version` is the version of the match that the hand takes into account; later events may be in conflict with it.
    """
    try:
        shown = request.form.get(SHOWN_RESULT_FIELD, "") if version == form.match.version else ""
        if fault := form.changed_result_fault(shown):
            return hand_page(form, faults=(fault,), version=version, status=409)
        if fault := form.contradicted_points_fault():
            return hand_page(form, faults=(fault,), version=version)
        match = write_change(form.match.code, form.events_to_append, version=version)
    except StaleMatch as stale:
        return _save_after_others(form, stale)
    except MatchClosed as closed:
        current_form = replace(form, match=load_match(form.match.code))
        why = closed_view(current_form.match, closed.reason)
        refusal = Fault("", "refused", f"{why.lead} {why.text}")
        faults = () if closed.reason == current_form.closed_reason else (refusal,)
        return hand_page(current_form, faults=faults, version=version, status=409)
    except Refused as refused:
        return hand_page(form, faults=_faults_of(refused, form), version=version)
    return _redirect_after_saving(form, match)


def _redirect_after_saving(form: HandForm, match: Match) -> Response:
    """Redirect to the match; remember the entry mode for this phone, and mark the request for the log."""
    mark_request_as_hand()
    remember_entry_mode(match.setup.variant, form.hand.input.mode)
    return redirect_to_match(match)


def _save_after_others(form: HandForm, stale: StaleMatch) -> Response:
    """Save the hand if it is not in conflict with what other phones saved meanwhile; else show the conflict.

    The conflict is also shown if the server has lost events that this phone saw.
    """
    match, log = stale.match, stale.match.log
    conflict, has_lost = _find_conflict(form, log), is_form_ahead_of_log(log)
    current_form = replace(form, match=match)
    if conflict is None and not has_lost:
        return _save(current_form, match.version)
    mine = _rebase_form(form, match, conflict)
    if mine.closed_reason and current_form.closed_reason and not form.reopening_action:
        # The form keeps its version: the conflict is to be resolved once the match is reopened.
        return hand_page(current_form, version=posted_version(), status=409)
    try:
        after: Match | Refused | MatchClosed = mine.match_after
    except MatchClosed as closed:  # a correction whose hand is gone would be a new hand
        after = closed
    if conflict and after is match:  # the same hand, on two phones
        return redirect_to_match(match)
    return conflict_page(mine, conflict, after, is_new=form.uid is None)


def _rebase_form(form: HandForm, match: Match, conflict: Conflict | None) -> HandForm:
    """Return the form in the later `match`, as a correction of the hand in conflict, else of the one it corrected.

    If there is no such hand in force, the form is of a new hand at its position.
    """
    log, uid = match.log, conflict.hand.uid if conflict else form.uid
    uid = uid if uid is not None and log.hand(uid) else None
    neighbor_uid = form.insert_before if form.uid is None else form.uid
    if uid == form.uid is not None or neighbor_uid is None:
        before = None
    else:
        before = neighbor_uid if log.hand(neighbor_uid) else log.next_hand_in_force(neighbor_uid)
    return replace(form, match=match, uid=uid, insert_before=before)


def _posted_known_events() -> KnownEvents:
    """Return which events of the match this phone had seen when it opened the form."""
    return KnownEvents(
        version=posted_version(), actor=actor(), replaces=frozenset(request.form.get("replaces", "").split())
    )


def _find_conflict(form: HandForm, log: MatchLog) -> Conflict | None:
    """Return the conflict of the posted hand with events that other phones appended meanwhile; `None` without one."""
    known_events = _posted_known_events()
    if form.uid is None:
        return conflict_of_new_hand(log, known_events, form.insert_before, request.form.get("index", 1, type=int))
    return conflict_of_correction(log, known_events, form.uid) if form.uid in log.by_uid else None


def _faults_of(refused: Refused, form: HandForm) -> tuple[Fault, ...]:
    """Return the faults of this hand, then those that it would cause in later hands."""
    if not isinstance(refused, HandRefused):
        return refused.reasons
    others = (
        replace(
            item.fault,
            field="",
            text=f"Hand {form.number_of_hand_at(item.hand)} would then be wrong: {item.fault.message}",
            people=(),
        )
        for item in refused.faults_elsewhere
        if item.hand is not None
    )
    return (*refused.own_faults, *others)


# ---------- two phones that entered the same hand ----------


@dataclass(frozen=True, kw_only=True)
class ConflictingHand:
    """One of two hands in conflict, as the conflict page shows it."""

    bid: str
    """The bid with its outcome: "Dan 3 ♠ set"."""
    lines: tuple[LineView, ...]
    result: str
    """The scores before and after, "Us 19 → 21, Them 17 → 14"; or why the hand is refused."""


def conflict_page(
    mine: HandForm, conflict: Conflict | None, after: Match | Refused | MatchClosed, *, is_new: bool
) -> Response:
    """Return the page that shows the hand that another phone saved first and this phone's hand, to choose one.

    `conflict` is `None` if the server has lost events that this phone saw. `mine` is this phone's hand, `after` the
    match with it or why it is refused; `is_new` is whether it was entered as a new hand.
    """
    match, has_theirs = mine.match, conflict is not None and not conflict.hand.removed
    shown = (
        ((SHOWN_RESULT_FIELD, encode_result(after.state.results[mine.position - 1])),)
        if isinstance(after, Match)
        else ()
    )
    # Why the match would accept no further hand even after it is reopened.
    reason_after_reopening = (
        service.preview_change(match, lambda _: mine.reopening_events()).closed_reason(mine.insert_before)
        if is_new
        else ""
    )
    holder_name = writer_name(match, conflict.event.stamp) if conflict else ""
    added_number = match.state_before(mine.position + 1).next_number if mine.insert_before else match.state.next_number
    return render_page(
        "hand/conflict.html",
        status=409,
        match=match,
        number=mine.number,
        uid=mine.uid,
        insert_before=mine.insert_before,
        reopening_action=mine.reopening_action,
        sheet_url=rules_url(match, mine.hand.before.ruleset),
        closed=closed_view(match, reason_after_reopening) if reason_after_reopening else None,
        # The number of this phone's hand if added beside the other; none for a correction, or if the other is gone.
        added_number=added_number if not reason_after_reopening and is_new and has_theirs else None,
        holder=holder_name,
        lead=_conflict_lead(mine, conflict, holder_name),
        is_lost=conflict is None,
        theirs=_scored_hand(match, mine) if has_theirs else None,
        mine=_scored_hand(after, mine) if isinstance(after, Match) else _unscored_hand(mine, after),
        new_winner=new_winner_words(match.state, after.state, match.names) if isinstance(after, Match) else "",
        fields=(*mine.hand.input.fields(), *shown),
        settled_key=posted_key(),
    )


def _conflict_lead(mine: HandForm, conflict: Conflict | None, holder_name: str) -> str:
    """Return the heading: which phone changed the hand first, or which hands the server has lost.

    `holder_name` is the name of the player who holds the other phone; empty if no player does.
    """
    if conflict is None:
        first = mine.match.state.next_number
        # The form may have been rendered when the match had more hands than now.
        last = first + request.form.get("index", 0, type=int) - 2 - len(mine.match.log.hands)
        hands = f"hands {first} to {last}" if last > first else f"hand {first}" if last == first else "more"
        return f"This phone has seen {hands}, which the server no longer has"
    phone = f"{holder_name}’s phone" if holder_name else "Another phone"
    if not conflict.hand.removed:
        return f"{phone} saved hand {mine.number} first"
    return f"{phone} {'undid' if isinstance(conflict.event.data, Undone) else 'deleted'} hand {mine.number}"


def _scored_hand(match: Match, form: HandForm) -> ConflictingHand:
    """Return the hand at the form's position in this match, with its score."""
    result, names = match.state.results[form.position - 1], match.names_in(form.position)
    return ConflictingHand(
        bid=join_nonempty(bid_words(result, names), outcome_word(result)),
        lines=tuple(line_views(match, result)),
        result=", ".join(
            f"{names[side]} {score_text(score - result.deltas[side])} → {score_text(score)}"
            for side, score in result.scores.items()
        ),
    )


def _unscored_hand(form: HandForm, refused: Refused | MatchClosed) -> ConflictingHand:
    """Return an entered hand that cannot be scored, with the reason in place of the score."""
    hand, columns = form.hand, form.columns
    bidder, bid = hand.contract.bidder, hand.contract.bid
    if hand.input.by_points:
        lines = [
            LineView(side=side, text=side.name, points=hand.input.points.get(who, "")) for who, side in columns.items()
        ]
    else:
        lines = [
            LineView(
                side=columns.get(who),
                text=hand.ruleset.awards[award].name,
                points=columns[who].name if who in columns else "nobody",
            )
            for award, who in hand.input.taken.items()
            if award in hand.ruleset.awards
        ]
    return ConflictingHand(
        bid=f"{form.name(bidder) if bidder else ''} {hand.input.bid if bid is None else bid_word(bid)}".strip(),
        lines=tuple(lines),
        result=str(refused),
    )
