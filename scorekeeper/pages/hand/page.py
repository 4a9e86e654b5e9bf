"""The page that enters a hand, and the save bar at its bottom: the count so far, and a button with the result."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from flask import Response, request, url_for

from scorekeeper.eventlog.stream import HandRefused, Refused
from scorekeeper.matches.change_log import consequences_text
from scorekeeper.matches.drafts import HandDraft
from scorekeeper.pages.hand.form import HandForm, encode_result
from scorekeeper.pages.hand.in_progress import (
    bid_requirements,
    fault_target,
    first_missing,
    hand_requirements,
)
from scorekeeper.pages.hand.input import (
    AWARD_PREFIX,
    CALLS_FIELD,
    CARD_PREFIX,
    COPIES_PREFIX,
    GIVEN_PREFIX,
    PILE_PREFIX,
    POINTS_PREFIX,
    TAPPED_CALL_FIELD,
    UNBOUND_FIELD,
    EntryMode,
    calls_text,
)
from scorekeeper.pages.hand.view import hand_view
from scorekeeper.pages.match.hands import rules_url
from scorekeeper.pitch.drawings.markers import SideView, StripView, draw_strip
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.rules.phrases import inflect, join_words
from scorekeeper.pitch.scoring.match import HandResult, ImpossibleHand, play
from scorekeeper.pitch.text.hands import bid_result_word, result_words
from scorekeeper.pitch.text.phrases import resolve_pronouns, signed_text
from scorekeeper.pitch.text.standing import score_or_money_texts, win_with_hand_words
from scorekeeper.web.context import END_FIELD, posted_end_digest, posted_key, posted_version
from scorekeeper.web.errors import closed_view
from scorekeeper.web.respond import render_page
from scorekeeper.web.widgets import distinct_faults, faults_view

MAX_NAMED_SIDES = 3
"""The most sides that are all named in the save bar; of more sides, only those with points or a change of score."""
MAX_STRIP_POINTS = 20
"""The most points in a hand for which the count so far is also drawn, as a strip."""


@dataclass(frozen=True, kw_only=True)
class RunningCount:
    """The points so far of the bidding side and of the others, compared with the bid."""

    side: SideView
    took: int
    """The points that the bidding side has taken so far."""
    wanted: int
    """The points that its bid needs."""
    others: tuple[tuple[SideView, int], ...]
    """The other columns with their points; of many columns, only those with points."""
    spoken: str
    """The count in words for screen readers: "Them 2 of 3, Us 1: 1 left"."""
    strip: StripView | None
    """The count as a drawing; `None` if a hand has too many points for one."""
    outcome: str
    """The result of the bid, `made` or `set`; empty for an incomplete hand."""
    left: int
    """The number of points not entered yet; 0 once the hand has a result, or if takers are entered."""


@dataclass(frozen=True, kw_only=True)
class SaveBar:
    """The bar at the bottom of the form, with the save button and the result of the hand."""

    label: str
    """The text of the button."""
    outcome: str = ""
    """The result of the bid, `made` or `set`; empty for none."""
    changes: tuple[tuple[SideView, str], ...] = ()
    """The change of each side's score in words, bidding sides first; of many sides, only those that change."""
    note: str = ""
    """Who wins the match with this hand, for the line below the label; empty if nobody does."""
    target: str = ""
    """The id of the HTML element to which the button leads, such as a missing input; empty if it saves."""
    fault: Fault | None = None
    """Why the hand or one of its calls is refused; `None` if neither is."""
    message: str = ""
    """What a correction or a forgotten hand changes in the match; or why card points do not decide Game yet."""
    count: RunningCount | None = None
    shown_result: str = ""
    """The shown result as a form field's text, so that only this result is saved; empty if none is shown."""


def save_bar(form: HandForm, *, is_fresh: bool) -> SaveBar:
    """Return the save bar: with the result of the hand, what is missing or wrong, or why the match is closed.

    With `is_fresh`, no result is shown: on a page without scripts it would not be updated. Raises `MatchClosed`.
    """
    if form.closed_reason:
        lead = closed_view(form.match, form.closed_reason).lead.removesuffix(".")
        return SaveBar(label=lead, target="closed")
    if unfinished := unfinished_bar(form):
        return unfinished
    after, result = form.match_after, form.result
    fault = _call_fault(form) or (after.faults[0].fault if isinstance(after, Refused) else None)
    bar = SaveBar(label="Save", fault=fault, count=running_count(form, result))
    if isinstance(after, Refused) or result is None:
        return bar
    if not form.is_next:
        bar = replace(bar, message=consequences_text(form.match, after, form.position))
    if is_fresh:
        return bar
    wins = win_with_hand_words(after.state, form.names) if after.state.last_scored is result else ""
    bar = replace(bar, shown_result=encode_result(result), note=wins)
    if result.status in ("thrown_in", "after_end"):
        return replace(bar, label=f"Save: {result_words(result, form.names)}")
    return replace(bar, outcome=bid_result_word(result), changes=_score_changes(form, result))


def unfinished_bar(form: HandForm) -> SaveBar | None:
    """Return the save bar of an incomplete hand, with what is missing or wrong; `None` for a complete hand."""
    hand = form.hand
    missing = first_missing(hand_requirements(hand))
    if missing is None:
        return None
    label, target = missing.label(form.names_including_columns), missing.target
    if fault := _call_fault(form) or (None if first_missing(bid_requirements(hand)) else _fault_before_play(form)):
        label, target = "Fix this first", fault_target(hand, fault.field) or target
    count, open_game = running_count(form), _undecided_game_note(form)
    return SaveBar(label=label, target=target, fault=fault, count=count, message=open_game)


def _call_fault(form: HandForm) -> Fault | None:
    """Return the fault of the first call that is not allowed, with players' names; `None` without one."""
    refused = form.hand.call_refusal
    return refused.with_names(form.names) if refused else None


def _undecided_game_note(form: HandForm) -> str:
    """Return why card points do not decide Game yet: "40 of 80 decides nothing: count the other pile."; else empty."""
    hand, points = form.hand, form.input.card_points
    piles = [points[who] for who in hand.columns if who in points]
    if not piles or hand.input.by_points or hand.ruleset.card_points_award not in hand.open_awards:
        return ""
    others = inflect("pile", len(hand.columns) - len(piles))
    does = "decides" if len(piles) == 1 else "decide"
    return f"{join_words(piles)} of {hand.ruleset.card_points_in_deck} {does} nothing: count the other {others}."


def _fault_before_play(form: HandForm) -> Fault | None:
    """Return a fault for which the hand is refused whatever points or takers are entered; `None` without one."""
    try:
        play(form.hand.before, replace(form.hand.to_hand(), taken=None, times=None, points=None, card_points=None))
    except (HandRefused, ImpossibleHand) as refused:
        return next(item.fault.with_names(form.names) for item in refused.faults)
    return None


def _score_changes(form: HandForm, result: HandResult) -> tuple[tuple[SideView, str], ...]:
    """Return the change of each side's score in words, bidding sides first; of many sides, only those that change."""
    names_all = len(result.deltas) <= MAX_NAMED_SIDES
    order = sorted(result.deltas, key=lambda side: side not in result.bidders)
    return tuple(
        (form.sides[side], signed_text(result.deltas[side])) for side in order if names_all or result.deltas[side]
    )


def running_count(form: HandForm, result: HandResult | None = None) -> RunningCount | None:
    """Return the count toward the bid, by the `result` if there is one; `None` without bidder or bid."""
    hand = form.hand
    column, bid = hand.bidding_column, hand.contract.bid
    if column is None or bid is None:
        return None
    side, points = form.columns[column], hand.compute_points(result.score if result else None)
    ours, in_hand = points.get(column, 0), hand.ruleset.points_per_hand
    wanted = bid if isinstance(bid, int) else in_hand
    all_others = [(view, points.get(who, 0)) for who, view in form.columns.items() if who != column]
    others = tuple((view, number) for view, number in all_others if number or len(all_others) < MAX_NAMED_SIDES)
    rest = "".join(f", {view.name} {number}" for view, number in others)
    # The button names the open rows.
    outcome, left = (bid_result_word(result), 0) if result else ("", hand.points_left if hand.input.by_points else 0)
    ending = outcome or (f"{left} left" if left else "")
    strip = draw_strip(
        points=in_hand,
        bid=wanted,
        bidders_points=ours,
        bidders_shape=side.shape,
        others=[(view.shape, number) for view, number in others],
    )
    return RunningCount(
        side=side,
        took=ours,
        wanted=wanted,
        others=others,
        spoken=f"{side.name} {ours} of {wanted}{rest}{f': {ending}' if ending else ''}",
        strip=strip if in_hand <= MAX_STRIP_POINTS else None,
        outcome=outcome,
        left=left,
    )


MAX_SHOWN_SCORES = 3
"""The most sides for which the page shows scores beside the number of the hand."""


def hand_page(
    form: HandForm,
    *,
    faults: tuple[Fault, ...] = (),
    draft: HandDraft | None = None,
    version: int | None = None,
    blocks: Sequence[str] = (),
    status: int = 0,
) -> Response:
    """Return the page with the form for a hand, or only its `blocks` for htmx.

    `version` is the version of the match that the phone has seen, by default that of the posted form, or the current
    one. By default, the `status` is 422 with `faults`, else 200.
    """
    match, hand, is_fresh = form.match, form.hand, request.method != "POST"
    if version is None:
        version = match.version if is_fresh else posted_version()
    end_digest = match.log.end_digest if is_fresh or version != posted_version() else posted_end_digest()
    view = hand_view(form, rules_url(match, hand.before.ruleset), faults)
    amounts = score_or_money_texts(hand.before)
    return render_page(
        "hand/show.html",
        block=blocks,
        status=status,
        settles=False,
        match=match,
        uid=form.uid,
        insert_before=form.insert_before,
        scores=[(form.sides[side], amounts[side]) for side in hand.sides_in_rows if len(amounts) <= MAX_SHOWN_SCORES],
        preview_url=url_for("hands.preview", code=match.code),
        hidden_fields=(
            ("version", str(version)),
            (END_FIELD, end_digest),
            ("client_key", posted_key()),
            ("index", request.form.get("index") or str(form.position)),
            *((("replaces", replaced),) if (replaced := request.form.get("replaces")) else ()),
            ("asks", question_fingerprint(form)),
            *hidden_fields(form),
        ),
        is_fresh=is_fresh,
        draft=draft,
        is_own_draft=draft is not None and draft.link.code == match.code,
        has_just_called=bool(request.form.get(TAPPED_CALL_FIELD)),
        has_just_given_rest=bool(request.form.get("rest")),
        closed=closed_view(match, form.closed_reason) if form.closed_reason else None,
        faults=faults_view(
            "Not saved yet",
            distinct_faults(faults, lambda fault: fault_target(hand, fault.field)),
            {fault.message: view.citations.refusal_rules(fault) for fault in faults},
        ),
        save_bar=save_bar(form, is_fresh=is_fresh and draft is None),
        hand=hand,
        hand_form=form,
        view=view,
    )


def question_fingerprint(form: HandForm) -> str:
    """Return a text that identifies the questions on the page: a phone whose text differs gets the form anew."""
    hand = form.hand
    mode = f"{hand.input.mode.value} {hand.dealer and form.name(hand.dealer)}"
    if hand.by_auction:
        mode += f" {calls_text(hand.calls_to_keep)}"
    roles = "/".join(view.name for view in form.columns.values()) if hand.has_roles else ""
    questions = "tricks" if hand.asks_tricks else "unbound" if hand.is_unbound else ""
    questions += " first" if hand.possible_first_sides else ""
    assumed = "".join(f"|{field} {number}" for field, number in hand.assumed_points.items())
    # The phone sends it back with the names as it shows them.
    return resolve_pronouns(f"{mode}|{questions}|{roles}{assumed}{form.closed_reason and f'|{form.closed_reason}'}")


_FIELDS_AFTER_BIDDING = ("trump", "called", "partner", "all_tricks")
"""The fields that the page shows in every mode once the bidding is over, and hides before."""
_FIELD_PREFIXES_OF_CARDS = (AWARD_PREFIX, PILE_PREFIX, CARD_PREFIX, COPIES_PREFIX)
"""The prefixes of fields about takers and cards, which the page shows unless points are entered."""


def hidden_fields(form: HandForm) -> Iterator[tuple[str, str]]:
    """Yield the name and text of each hidden field about the hand, such as its calls.

    Answers for which the page shows no question now are hidden fields.
    """
    hand, entered, contract = form.hand, form.hand.input, form.hand.contract
    fields = {
        "uid": form.uid,
        "before": form.insert_before,
        "by": entered.mode,
        "dealt": hand.before.dealer,
        CALLS_FIELD: calls_text(hand.calls_to_keep) if hand.by_auction or entered.calls else None,
        "taking": EntryMode.POINTS if hand.by_auction and entered.by_points else None,
    }
    yield from ((name, str(value)) for name, value in fields.items() if value is not None)
    bid: dict[str, str] = {}
    if hand.by_auction:
        called = contract if contract.bidder else entered
        overtook = "yes" if called.overtook_pitch else ""
        bid = {"bidder": called.bidder or "", "bid": str(called.bid), "overtook_pitch": overtook}
    elif hand.is_unbound:
        # An earlier bid is kept in case playing without a bid is taken back.
        bid = {UNBOUND_FIELD: "yes", "bidder": entered.bidder, "bid": entered.bid, "partner": entered.partner}
    elif hand.asks_pair and not (entered.bidder and entered.partner):
        # A bidder without a partner, or the reverse, is on no square of the board.
        bid = {"bidder": entered.bidder, "partner": entered.partner}
    yield from ((name, text) for name, text in bid.items() if text)
    is_shown_after_bidding = {
        **dict.fromkeys(_FIELDS_AFTER_BIDDING, True),
        **dict.fromkeys(_FIELD_PREFIXES_OF_CARDS, not entered.by_points),
        "first_there": bool(hand.possible_first_sides),
        POINTS_PREFIX: False,
        GIVEN_PREFIX: False,
    }
    hidden_prefixes = tuple(
        prefix for prefix, is_shown in is_shown_after_bidding.items() if not (is_shown and hand.asks_play)
    )
    points = {f"{POINTS_PREFIX}{who}" for who in hand.counted_columns if hand.asks_play and entered.by_points}
    yield from (
        (name, text)
        for name, text in entered.filled_fields()
        if name.startswith(hidden_prefixes) and name not in points
    )
