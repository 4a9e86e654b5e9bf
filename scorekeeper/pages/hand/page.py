"""The page on which a hand is entered, and the one on which somebody chooses where two phones entered the same."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flask import Response, request, url_for

from scorekeeper.eventlog.stream import MatchClosed, Refused
from scorekeeper.matches.change_log import writer_name
from scorekeeper.matches.conflicts import Conflict
from scorekeeper.matches.drafts import HandDraft
from scorekeeper.matches.events import Undone
from scorekeeper.matches.fold import Match
from scorekeeper.matches.load import preview
from scorekeeper.pages.hand.entry import HandEntry, shown_result
from scorekeeper.pages.hand.in_progress import HandInProgress
from scorekeeper.pages.hand.input import (
    AWARD_FIELD,
    CALL_FIELD,
    CALLS_FIELD,
    CARD_FIELD,
    COPIES_FIELD,
    COUNT_FIELD,
    DEALT_FIELD,
    NOBODY,
    PILE_FIELD,
    SHOWN_FIELD,
    UNBOUND_FIELD,
    EntryMode,
    calls_text,
)
from scorekeeper.pages.hand.requirements import fault_target, save_bar
from scorekeeper.pages.hand.view import hand_view
from scorekeeper.pages.match.hands import line_views
from scorekeeper.pitch.rules.awards import CARD_POINTS
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.text.hands import bid_words, outcome_word
from scorekeeper.pitch.text.payments import shown_amounts
from scorekeeper.pitch.text.phrases import bid_word, joined, score_text
from scorekeeper.web.context import MARK_FIELD, posted_key, posted_mark, posted_version
from scorekeeper.web.errors import closed_view
from scorekeeper.web.library import earlier_rules
from scorekeeper.web.respond import render_page
from scorekeeper.web.widgets import LineView, each_once, faults_view

MAX_SCORES = 3
"""Sides whose scores fit beside the number of the hand."""


def hand_page(
    entry: HandEntry,
    *,
    faults: tuple[Fault, ...] = (),
    draft: HandDraft | None = None,
    version: int | None = None,
    blocks: Sequence[str] = (),
    status: int = 200,
) -> Response:
    """Return the page on which a hand is entered; `draft` has its answers, if a phone has posted them before.

    A form that was opened before keeps its `version`, as it has not seen the events that others appended meanwhile.
    Where nothing was posted yet, what this phone still has of the entry may be filled in.
    """
    match, hand, is_fresh = entry.match, entry.hand, request.method != "POST"
    if version is None:
        version = match.version if is_fresh else posted_version()
    mark = match.log.mark if is_fresh or version != posted_version() else posted_mark()
    sheet = url_for("rules.show_match", code=match.code, hand=earlier_rules(match, hand.before.ruleset))
    view, amounts = hand_view(entry, sheet, faults), shown_amounts(hand.before)
    return render_page(
        "hand/show.html",
        block=blocks,
        status=status,
        settles=False,
        match=match,
        number=entry.number,
        uid=entry.uid,
        insert_before=entry.insert_before,
        may_call=hand.may_call,
        scores=[(entry.sides[side], amounts[side]) for side in hand.sides_in_rows if len(amounts) <= MAX_SCORES],
        preview_url=url_for("hands.preview", code=match.code),
        hidden_fields=(
            ("version", str(version)),
            (MARK_FIELD, mark),
            ("client_key", posted_key()),
            ("index", request.form.get("index") or str(entry.index)),
            *((("replaces", replaced),) if (replaced := request.form.get("replaces")) else ()),
            ("asks", question_fingerprint(entry)),
            *hidden_fields(entry),
        ),
        is_fresh=is_fresh,
        draft=draft,
        is_own_draft=draft is not None and draft.link.code == match.code,
        has_just_called=bool(request.form.get(CALL_FIELD)),
        has_just_given=bool(request.form.get("rest")),
        closed=closed_view(match, entry.closed) if entry.closed else None,
        faults=faults_view(
            "Not saved yet",
            each_once((fault.message, fault_target(hand, fault.field)) for fault in faults),
            {fault.message: view.citations.fault(fault) for fault in faults},
        ),
        save_bar=save_bar(entry, is_fresh=is_fresh and draft is None),
        entry=view,
    )


def question_fingerprint(entry: HandEntry) -> str:
    """Return a fingerprint of the page's questions: a phone that shows others needs the whole form."""
    hand = entry.hand
    mode = f"{hand.input.mode.value} {hand.dealer and entry.name(hand.dealer)}"
    if hand.by_auction:
        mode += f" {calls_text(hand.calls_to_keep)}"
    roles = "/".join(view.name for view in entry.columns.values()) if hand.has_roles else ""
    asks = "tricks" if hand.asks_tricks else "unbound" if hand.is_unbound else ""
    asks += " first" if hand.asks_first else ""
    assumed = "".join(f"|{field} {number}" for field, number in hand.assumed_counts.items())
    return f"{mode}|{asks}|{roles}{assumed}{entry.closed and f'|{entry.closed}'}"


def hidden_fields(entry: HandEntry) -> Iterator[tuple[str, str]]:
    """Yield the hidden fields: the form's hand and mode, and the answers to questions that are not shown now."""
    hand, entered, contract = entry.hand, entry.hand.input, entry.hand.contract
    fields = {
        "uid": entry.uid,
        "before": entry.insert_before,
        "by": entered.mode,
        DEALT_FIELD: hand.before.dealer,
        CALLS_FIELD: calls_text(hand.calls_to_keep) if hand.by_auction or entered.calls else None,
        "taking": EntryMode.COUNTS if hand.by_auction and entered.by_counts else None,
    }
    yield from ((name, str(value)) for name, value in fields.items() if value is not None)
    typed = {"bidder": entered.bidder, "bid": entered.bid}
    overtook = {"overtook_pitch": "yes" if contract.overtook_pitch else ""}
    if hand.by_auction and contract.bidder is not None:
        bid = {"bidder": contract.bidder, "bid": str(contract.bid), **overtook}
    elif hand.by_auction:
        bid = {**typed, "overtook_pitch": "yes" if entered.overtook_pitch else ""}
    elif hand.is_unbound:
        # A bid that was tapped before waits until this is taken back.
        bid = {UNBOUND_FIELD: "yes", **typed, "partner": entered.partner}
    elif hand.asks_pair and not (entered.bidder and entered.partner):
        # Half of a pair is on no square of the board.
        bid = {"bidder": entered.bidder, "partner": entered.partner}
    else:
        bid = {}
    yield from ((name, text) for name, text in bid.items() if text)
    yield from entered.unasked_fields(_asked_fields(hand), is_before_play=not hand.is_played)


def _asked_fields(hand: HandInProgress) -> set[str]:
    """Return the fields for who took what that the page shows."""
    if not hand.is_played:
        return set()
    first = {"first_there"} if hand.asks_first else set()
    if hand.input.by_counts:
        return first | {f"{COUNT_FIELD}{who}" for who in hand.counted_columns}
    asked = first | {f"{AWARD_FIELD}{award}" for award in hand.ruleset.in_play}
    for row in hand.ruleset.award_rows.values():
        asked |= {f"{COPIES_FIELD}{'.'.join(row)}-{who}" for who in (*hand.columns, NOBODY)}
    if hand.ruleset.counted_award:
        for who in hand.columns:
            asked |= {f"{PILE_FIELD}{who}", *(f"{CARD_FIELD}{who}-{rank}" for rank in CARD_POINTS)}
    return asked


# ---------- two phones that entered the same hand ----------


@dataclass(frozen=True, slots=True, kw_only=True)
class EnteredHand:
    """One of the two hands."""

    bid: str
    """"Dan 3 ♠ set"."""
    lines: tuple[LineView, ...]
    result: str
    """"Us 19 → 21, Them 17 → 14", or why it cannot be so."""


def conflict_page(
    mine: HandEntry, conflict: Conflict | None, after: Match | Refused | MatchClosed, *, is_new: bool
) -> Response:
    """Return the page with the hand that the other phone saved first beside this phone's, with everything entered.

    Without a conflict the phone has seen events that the server no longer has. `mine` is this phone's hand where it
    would go: in the place of theirs, if there is such a hand. `after` is the match with it, or why it is refused. The
    form that could not be saved is kept on its phone, by its idempotency key, until somebody has chosen.
    """
    match, theirs = mine.match, conflict is not None and not conflict.hand.gone
    shown = ((SHOWN_FIELD, shown_result(after.state.results[mine.index - 1])),) if isinstance(after, Match) else ()
    more = preview(match, lambda _place: mine.reopening()).closed(mine.insert_before) if is_new else ""
    added_number = match.state_before(mine.index + 1).next_number if mine.insert_before else match.state.next_number
    return render_page(
        "hand/conflict.html",
        status=409,
        match=match,
        number=mine.number,
        uid=mine.uid,
        insert_before=mine.insert_before,
        reopens=mine.reopens,
        sheet=url_for("rules.show_match", code=match.code, hand=earlier_rules(match, mine.hand.before.ruleset)),
        closed=closed_view(match, more) if more else None,
        # The number of this phone's hand if it is one more; none where it is a correction, or the other one is gone.
        added_number=added_number if not more and is_new and theirs else None,
        holder=writer_name(conflict.event.actor, match.names) if conflict else "",
        lead=_what_came_first(mine, conflict),
        is_lost=conflict is None,
        theirs=_scored(match, mine) if theirs else None,
        mine=_scored(after, mine) if isinstance(after, Match) else _unscored(mine, after),
        fields=(*mine.hand.input.fields(), *shown),
        settled_key=posted_key(),
    )


def _what_came_first(mine: HandEntry, conflict: Conflict | None) -> str:
    if conflict is None:
        first = mine.match.state.next_number
        # At the end of a match that went on, this would have been one of more hands than there are now.
        last = first + request.form.get("index", 0, type=int) - 2 - len(mine.match.log.hands)
        hands = f"hands {first} to {last}" if last > first else f"hand {first}" if last == first else "more"
        return f"This phone has seen {hands}, which the server no longer has"
    holder = writer_name(conflict.event.actor, mine.match.names)
    phone = f"{holder}’s phone" if holder else "Another phone"
    if not conflict.hand.gone:
        return f"{phone} saved hand {mine.number} first"
    return f"{phone} {'undid' if isinstance(conflict.event.data, Undone) else 'deleted'} hand {mine.number}"


def _scored(match: Match, entry: HandEntry) -> EnteredHand:
    result, names = match.state.results[entry.index - 1], match.names_in(entry.index)
    return EnteredHand(
        bid=joined(bid_words(result, names), outcome_word(result)),
        lines=tuple(line_views(match, result)),
        result=", ".join(
            f"{names[side]} {score_text(score - result.deltas[side])} → {score_text(score)}"
            for side, score in result.scores.items()
        ),
    )


def _unscored(entry: HandEntry, refused: Refused | MatchClosed) -> EnteredHand:
    """Return a hand as it was entered, where it cannot be scored."""
    hand, columns = entry.hand, entry.columns
    bidder, bid = hand.contract.bidder, hand.contract.bid
    return EnteredHand(
        bid=f"{entry.name(bidder) if bidder else ''} {hand.input.bid if bid is None else bid_word(bid)}".strip(),
        lines=tuple(
            LineView(
                side=columns.get(who),
                text=hand.ruleset.awards[award].name,
                points=columns[who].name if who in columns else "nobody",
            )
            for award, who in hand.input.taken.items()
            if award in hand.ruleset.awards
        ),
        result=str(refused),
    )
