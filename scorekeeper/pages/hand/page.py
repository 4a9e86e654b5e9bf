"""What the hand entry asks, as its template sees it; its save bar, and two phones that entered the same hand."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from flask import Response, request, url_for

from scorekeeper.eventlog.refusals import HandRefused, MatchClosed, Refused
from scorekeeper.matches.change_log import consequences, writer_name
from scorekeeper.matches.conflicts import Conflict
from scorekeeper.matches.events import Change, Fact, HandAdded, HandCorrected, MatchPlace, Resumed, Undeleted, Undone
from scorekeeper.matches.fold import Match
from scorekeeper.matches.hand_draft import HandDraft
from scorekeeper.matches.write import preview
from scorekeeper.pages.hand.form import (
    ALONE,
    AWARD_FIELD,
    CALL_FIELD,
    CALLS_FIELD,
    CARD_FIELD,
    COPIES_FIELD,
    COUNT_FIELD,
    DEALT_FIELD,
    NOBODY,
    NUMBER_FIELD,
    PENALTY_FIELD,
    PILE_FIELD,
    SHOWN_FIELD,
    TIMES_FIELD,
    UNBOUND_FIELD,
    Entry,
    EntryMode,
    RunningAuction,
    calls_text,
)
from scorekeeper.pages.match.hands import line_views
from scorekeeper.pitch.drawings.markers import SideView
from scorekeeper.pitch.drawings.race import StripView, draw_strip
from scorekeeper.pitch.rules.awards import CARD_POINTS, RANK_NAMES
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.rules.phrases import listed, row_name
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.auction import all_calls, objection
from scorekeeper.pitch.scoring.hand import HAND_FIELDS, PASS, Bid, Call, FieldKind
from scorekeeper.pitch.scoring.match import HandResult, ImpossibleHand, play
from scorekeeper.pitch.scoring.standing import target_of
from scorekeeper.pitch.text.hands import bid_words, made_or_set, outcome_word, result_words
from scorekeeper.pitch.text.outlook import win_words
from scorekeeper.pitch.text.phrases import bid_word, call_word, joined, score_text, scores_text, signed
from scorekeeper.web.context import MARK_FIELD, posted_key, posted_mark, posted_version
from scorekeeper.web.errors import closed_view
from scorekeeper.web.respond import render_page
from scorekeeper.web.widgets import (
    Choice,
    LineView,
    OtherNumber,
    QuestionView,
    each_once,
    faults_view,
    labeled_question,
)

MOST_BUTTONS = 16
"""Bids that each have a button: two rows on a phone."""
MOST_LIKELY = 15
"""Buttons beside a field for any other number."""
FEWEST_FREE = 4
"""How many of these at least are free for what a match bids, beside the round numbers."""
STEPS = (5, 10, 25)


def has_many_bids(ruleset: Ruleset) -> bool:
    """Return whether a game has more bids than a row of buttons can show."""
    return len(ruleset.bids) > MOST_BUTTONS


def likely_numbers(numbers: Sequence[int], wanted: Iterable[int]) -> tuple[int, ...]:
    """Return the lowest and the highest of these numbers, round ones between, and as many `wanted` ones as fit."""
    if len(numbers) <= MOST_LIKELY:
        return tuple(numbers)
    rounded = ({numbers[0], numbers[-1], *(it for it in numbers if it % step == 0)} for step in STEPS)
    likely = next(found for found in rounded if len(found) <= MOST_LIKELY - FEWEST_FREE)
    for number in wanted:
        if len(likely) < MOST_LIKELY and number in numbers:
            likely.add(number)
    return tuple(sorted(likely))


@dataclass(frozen=True, slots=True, kw_only=True)
class BidView:
    """Who bid, and how much, where no board asks for both: people over bids.

    Where a partner is called, a board of who bid with whom stands over the bids.
    """

    people: tuple[Choice, ...] = ()
    bids: tuple[Choice, ...] = ()
    other: OtherNumber | None = None
    """Where there are too many bids for a button each: a field for any other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuctionView:
    """What can be called next; nothing when the bidding is over, and as long as it is not known who deals."""

    calls: tuple[Choice, ...] = ()
    """Everything that can be called in this game; quiet where it cannot be called now.

    Of many bids only the likely ones that can be called now.
    """
    other: OtherNumber | None = None
    """Where there are too many bids for a button each: a field for any other, with a button of its own."""
    why_no_pass: str = ""


# ---------- on a board ----------


def bid_view(entry: Entry) -> BidView | None:
    """Return the question of who bid, and how much: one tap for both where there are few bids."""
    if not entry.ruleset.bids or entry.is_unbound:
        return None
    if entry.has_board:
        return BidView()
    return BidView(
        people=() if entry.asks_pair else _people_choices(entry, entry.people, entry.form["bidder"]),
        bids=tuple(
            _call_choice(
                bid,
                value=str(bid),
                spoken=bid_word(bid) if isinstance(bid, str) else "",
                is_chosen=entry.form["bid"] == str(bid),
            )
            for bid in _shown_bids(entry)
        ),
        other=_other_bid(entry),
    )


def _shown_bids(entry: Entry) -> tuple[Bid, ...]:
    """Return the bids that have a button: all, or of many the likely ones."""
    bids = entry.ruleset.bids
    if not has_many_bids(entry.ruleset):
        return bids
    made = (result.bid for result in reversed(entry.before.results))
    numbers = likely_numbers(_numbers(bids), (bid for bid in made if isinstance(bid, int)))
    return (*numbers, *entry.ruleset.special_bids)


def _numbers(bids: Sequence[Call]) -> tuple[int, ...]:
    return tuple(bid for bid in bids if isinstance(bid, int))


def _other_bid(entry: Entry) -> OtherNumber | None:
    """Return the field for a bid that has no button; `None` where every bid has one."""
    if not has_many_bids(entry.ruleset):
        return None
    bid = entry.form["bid"]
    return _other_number(_numbers(entry.ruleset.bids), "" if bid in map(str, _shown_bids(entry)) else bid)


def _other_number(numbers: Sequence[int], value: str = "") -> OtherNumber:
    label = f"Another bid, {numbers[0]} to {numbers[-1]}"
    return OtherNumber(field=NUMBER_FIELD, label=label, value=value, max_length=len(str(numbers[-1])))


def _call_choice(call: Call, *, value: str, spoken: str, is_chosen: bool = False, is_quiet: bool = False) -> Choice:
    icon = {"moon": "moon", "double_moon": "moons"}.get(str(call), "")
    return Choice(value=value, label=call_word(call), icon=icon, spoken=spoken, is_chosen=is_chosen, is_quiet=is_quiet)


def _people_choices(entry: Entry, people: Sequence[str], chosen: str | None) -> tuple[Choice, ...]:
    return tuple(
        Choice(value=who, label=entry.name(who), is_chosen=who == chosen, side=entry.side_of(who)) for who in people
    )


# ---------- call by call ----------


def auction_view(entry: Entry) -> AuctionView:
    """Return the calls to choose from next."""
    bidding = entry.bidding
    caller, every_call = bidding.next_caller if bidding else None, all_calls(entry.ruleset)
    if bidding is None or caller is None:
        return AuctionView()
    why_not = {call: objection(entry.ruleset, bidding.auction, caller, call) for call in every_call}
    shown, other = every_call, None
    if has_many_bids(entry.ruleset):
        numbers = _numbers([call for call in every_call if why_not[call] is None])
        likely = likely_numbers(numbers, numbers)
        shown = tuple(call for call in every_call if isinstance(call, str) or call in likely)
        if len(numbers) > MOST_LIKELY:
            other = _other_number(numbers, _call_to_correct(bidding, entry))
    no_pass = why_not[PASS]
    return AuctionView(
        calls=tuple(
            _call_choice(
                call,
                value=f"{len(bidding.calls)}:{caller}:{call}",
                spoken=f"{entry.name(caller)}: {call_word(call)}",
                is_quiet=why_not[call] is not None,
            )
            for call in shown
        ),
        other=other,
        why_no_pass=no_pass.named(entry.names).message if no_pass else "",
    )


def _call_to_correct(bidding: RunningAuction, entry: Entry) -> str:
    """Return the call that was typed and is not allowed, to be corrected; empty where there is none."""
    _, call = entry.form.calls[len(bidding.calls)] if bidding.refused else ("", PASS)
    return "" if call in all_calls(entry.ruleset) and isinstance(call, str) else str(call)


# ---------- what a game, or a bid, asks besides ----------


def dealer_question(entry: Entry) -> QuestionView:
    """Return the question of who dealt."""
    choices = _people_choices(entry, entry.before.seats.chairs, entry.dealer)
    return QuestionView(field="dealer", question="Who dealt?", choices=choices, fault=entry.fault("dealer"))


def questions(entry: Entry) -> tuple[QuestionView, ...]:
    """Return what else is asked in this game, or with this bid."""
    asked = []
    if entry.asks_partner:
        ranks = {rank: rank for rank in RANK_NAMES if rank in entry.ruleset.cards.ranks.split()}
        asked.append(_question(entry, "called", "Which card was called?", ranks, "trump.call", note="or skip it"))
        if not entry.asks_pair:
            asked.append(_partner_question(entry))
    if entry.asks_tricks:
        bidders = entry.bidding_side.name if entry.bidding_side else "the bidders"
        answers = {"yes": "yes, every one", "no": "no"}
        question = f"Did {bidders} take every trick?"
        asked.append(_question(entry, "all_tricks", question, answers, f"bid.{entry.contract.bid}"))
    if entry.asks_first:
        pegged = {side: entry.name(side) for side in entry.asks_first}
        asked.append(_question(entry, "first_there", _who_first(entry), pegged, "win.pegged"))
    return tuple(asked)


def _who_first(entry: Entry) -> str:
    return f"Who pegged {target_of(entry.ruleset)} first?"


def _question(
    entry: Entry, field: str, question: str, answers: dict[str, str], rule: str, *, note: str = ""
) -> QuestionView:
    """Return the question of a field of the form, which has one of these answers and rests on a rule."""
    asked = labeled_question(field, question, answers, entry.form[field], note=note, fault=entry.fault(field))
    return replace(asked, cited=entry.citations.rule(rule))


def _partner_question(entry: Entry) -> QuestionView:
    partner = entry.form["partner"]
    others = [who for who in entry.people if who != entry.form["bidder"]]
    alone = Choice(value=ALONE, label="nobody: alone", is_chosen=partner == ALONE)
    return QuestionView(
        field="partner",
        question="Who held it?",
        choices=(*_people_choices(entry, others, partner), alone),
        fault=entry.fault("partner"),
        cited=entry.citations.rule("trump.call"),
    )


MOST_COLUMNS = 4
"""Sides whose names, or numbers, fit over their columns."""
FEW_ROWS = 4


def awards_layout(entry: Entry) -> str:
    """Return the classes that lay out the grid of awards: a column for each side, and one for nobody beside them."""
    columns = entry.columns
    few = " few" if len(entry.ruleset.award_rows) <= FEW_ROWS else ""
    is_numbered = len(columns) > MOST_COLUMNS and all(side.letter.isdecimal() for side in columns)
    return f"by{len(columns)}{few}{' numbered' if is_numbered else ''}"


def points_questions(entry: Entry) -> list[QuestionView]:
    """Return the question of how many points each side took."""
    fault, asked = entry.fault("points"), []
    answers = {str(n): str(n) for n in range(entry.ruleset.points_per_hand + 1)}
    for side in entry.counted_sides:
        field = f"{COUNT_FIELD}{side.side_id}"
        asked.append(labeled_question(field, side.name, answers, entry.form[field], fault=fault))
        fault = ""  # what is wrong with them all is said at the first
    return asked


def asked_fields(entry: Entry) -> set[str]:
    """Return the fields of the form that this question has on the page."""
    if not entry.is_played:
        return set()
    first = {"first_there"} if entry.asks_first else set()
    if entry.form.by_counts:
        return first | {f"{COUNT_FIELD}{side.side_id}" for side in entry.counted_sides}
    asked = first | {f"{AWARD_FIELD}{award}" for award in entry.ruleset.in_play}
    for row in entry.ruleset.award_rows.values():
        asked |= {f"{COPIES_FIELD}{'.'.join(row)}-{who}" for who in (*(it.side_id for it in entry.columns), NOBODY)}
    if entry.ruleset.counted_award:
        for side in entry.columns:
            asked |= {f"{PILE_FIELD}{side.side_id}", *(f"{CARD_FIELD}{side.side_id}-{rank}" for rank in CARD_POINTS)}
    return asked


# ---------- the save bar ----------


WIDEST_STRIP = 20
"""Points that fit in the strip."""
MOST_NAMED = 3
"""Sides that are all named; of more, those that have anything. And open rows that are named; more are "…"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningCount:
    """What the bidding side has of its bid so far."""

    side: SideView
    took: int
    wanted: int
    others: tuple[tuple[SideView, int], ...]
    spoken: str
    """Read aloud: "Them 2 of 3, Us 1: 1 left"."""
    strip: StripView | None
    outcome: str
    """made, set, or nothing while awards are open."""
    left: int
    """Points that nobody has yet."""


_POINTS = re.compile(r"-?[0-9]{1,6}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveBar:
    """What has been counted, and the button."""

    label: str
    outcome: str = ""
    """made, set, or nothing."""
    changes: tuple[tuple[SideView, str], ...] = ()
    """What each side scores, the bidders first."""
    note: str = ""
    """Who wins the match by it, under the label."""
    target: str = ""
    """Where something is missing: the button leads there, and its label says what."""
    fault: Fault | None = None
    """Why the hand, or the last call, is refused."""
    consequences: str = ""
    """What else comes of a hand that is not the last one, or what a count for Game still needs."""
    count: RunningCount | None = None
    shown: str = ""
    """The result as the form sends it along, to be what is saved; empty while nothing says what it is."""
    plain: str = ""
    """What the button says without scripts, where nobody would change its label with what is entered."""


def entry_to_save(entry: Entry) -> Entry | None:
    """Return what the button would save; `None` while something is missing."""
    return None if entry.closed or first_missing(entry) else entry


def save_bar(entry: Entry, after: Match | Refused | None, *, is_fresh: bool = False) -> SaveBar:
    """Return the bar, where the match would stand so `after` this hand, or where it is refused.

    A form that `is_fresh` has no result yet: without scripts it is changed and saved before its button says another.
    """
    if entry.closed:
        return SaveBar(
            label=closed_view(entry.match, entry.closed).lead.removesuffix("."), target="closed", plain="Save"
        )
    if unfinished := unfinished_bar(entry):
        return replace(unfinished, plain="Save")
    refused = _refused_call(entry)
    bar = SaveBar(label="Save", fault=refused, count=running_count(entry))
    if not isinstance(after, Match):
        return replace(bar, fault=refused or (after.faults[0].fault if after else None))
    if entry.uid is not None or entry.insert_before is not None:
        bar = replace(bar, consequences=consequences(entry.match, after, entry.place))
    result = after.state.results[entry.place - 1]
    bar = replace(bar, count=running_count(entry, result))
    if is_fresh:
        return bar
    wins = win_words(after.state, entry.names) if after.state.last_scored is result else ""
    bar = replace(bar, shown=sent_along(result), note=wins)
    if result.status in ("thrown_in", "after_end"):
        return replace(bar, label=f"Save: {result_words(result, entry.names)}")
    return replace(bar, outcome=made_or_set(result), changes=_changes(entry, result))


def unfinished_bar(entry: Entry) -> SaveBar | None:
    """Return the bar that says what is missing, or what cannot be so far; `None` where nothing is missing."""
    missing = first_missing(entry)
    if missing is None:
        return None
    label, target = missing
    if fault := _refused_call(entry) or (None if missing_of_bid(entry) else _fault_so_far(entry)):
        label, target = "Fix this first", fault_target(entry, fault.field) or target
    count, open_game = running_count(entry), undecided_count(entry)
    return SaveBar(label=label, target=target, fault=fault, count=count, consequences=open_game)


def _refused_call(entry: Entry) -> Fault | None:
    """Return why the last call is not allowed."""
    return entry.bidding.refused if entry.by_auction and entry.bidding else None


def undecided_count(entry: Entry) -> str:
    """Return that what was counted leaves Game open: "40 of 80 decides nothing: count the other pile."."""
    piles = entry.undecided_piles
    if not piles:
        return ""
    others = "pile" if len(entry.columns) - len(piles) == 1 else "piles"
    does = "decides" if len(piles) == 1 else "decide"
    return f"{listed(piles)} of {entry.ruleset.card_points_in_deck} {does} nothing: count the other {others}."


def _fault_so_far(entry: Entry) -> Fault | None:
    """Return why the bid, or what else was entered, cannot be, whoever took the rest."""
    try:
        play(entry.before, replace(entry.hand(), taken=None, times=None, points=None, card_points=None))
    except (HandRefused, ImpossibleHand) as refused:
        return next(item.fault.named(entry.names) for item in refused.faults)
    return None


def _changes(entry: Entry, result: HandResult) -> tuple[tuple[SideView, str], ...]:
    """Return what a hand does to each score, the bidders first; of many sides, to those whose score it changes."""
    is_few = len(result.deltas) <= MOST_NAMED
    order = sorted(result.deltas, key=lambda side: side not in result.bidders)
    return tuple((entry.sides[it], signed(result.deltas[it])) for it in order if is_few or result.deltas[it])


def sent_along(result: HandResult) -> str:
    """Return what a hand does to each score as its form sends it along: "s1:1 s2:3"."""
    return " ".join(f"{side}:{points}" for side, points in result.deltas.items())


def differing_result(entry: Entry) -> Fault | None:
    """Return why a hand is not saved yet: it comes to something else than its form has shown.

    `None` where it has shown nothing, or this.
    """
    shown = request.form.get(SHOWN_FIELD, "")
    if not shown or entry.form["thrown_in"] or entry.match.log.has_key(posted_key()):
        return None
    after = match_after(entry)
    result = after.state.results[entry.place - 1] if isinstance(after, Match) else None
    if result is None or shown == sent_along(result):
        return None
    words = (word.rpartition(":") for word in shown.split())
    deltas = {side: int(points) for side, _, points in words if _POINTS.fullmatch(points)}
    now = f"this hand now comes to {result_words(result, entry.names)}. Check it, then tap Save again."
    if deltas.keys() != result.deltas.keys():
        return Fault("", "differs", f"This is not what the button said: {now}")
    was = result_words(result._replace(status="scored", deltas=deltas), entry.names)
    return Fault("", "differs", f"The button said {was}, but {now}")


def against_the_points(entry: Entry) -> Fault | None:
    """Return why the cards of a hand that waits for them are not saved: they make other points than were counted."""
    counted, now = entry.match.state, None
    last = counted.last_scored
    if not (counted.question and last and last.score and last.place == entry.place and entry.corrects):
        return None
    after = match_after(entry)
    if isinstance(after, Match) and after.state.results[entry.place - 1].hand.taken is not None:
        now = after.state.results[entry.place - 1].score
    if now is None or now.points == last.score.points:
        return None
    make, were = scores_text(now.points, entry.names), scores_text(last.score.points, entry.names)
    said = f"These cards make {make}, and the points were {were}. Change the cards, or correct the points first."
    return Fault("taken", "against_the_count", said)


def first_missing(entry: Entry) -> tuple[str, str] | None:
    """Return the first thing that is still needed, and where it is asked."""
    return None if entry.ended_unplayed else missing_of_bid(entry) or _missing_of_play(entry)


def missing_of_bid(entry: Entry) -> tuple[str, str] | None:
    """Return what is still needed of the bidding, or with this bid, and where it is asked."""
    form, ruleset = entry.form, entry.ruleset
    if entry.by_auction:
        if entry.bidding is None:
            return "Who dealt?", "dealer"
        if entry.bidding.next_caller:
            return f"{entry.name(entry.bidding.next_caller)} to bid", "q-bid"
    elif ruleset.bidding.auction and not entry.is_unbound and not (form["bidder"] and form["bid"]):
        if form["bidder"]:
            return f"How much did {entry.name(form['bidder'])} bid?", "q-bid"
        return f"Who bid {bid_word(form.bid)}?" if form.bid is not None else "Tap who bid, and how much", "q-bid"
    if entry.asks_partner and not form["partner"]:
        return "Who held the called card?", "q-bid" if entry.asks_pair else "partner"
    if entry.asks_tricks and not form["all_tricks"]:
        return "Every trick, or not?", "all_tricks"
    return None


def _missing_of_play(entry: Entry) -> tuple[str, str] | None:
    """Return what is still needed of what each side took, and where it is asked."""
    if entry.form.by_counts:
        for side in entry.open_counts:
            return f"How many did {side.name} take?", f"{COUNT_FIELD}{side.side_id}"
    elif entry.open_awards:
        return _open_rows(entry)
    if entry.asks_first and not entry.form["first_there"]:
        return _who_first(entry), "first_there"
    return None


def _open_rows(entry: Entry) -> tuple[str, str]:
    """Return which rows nobody has yet, "3 left: who took Low, Jack, Game?", and the first of them."""
    rows = entry.ruleset.award_rows
    awards = [award_id for award_id, row in rows.items() if not set(row).isdisjoint(entry.open_awards)]
    names = [
        row_name(entry.ruleset, award_id) if len(rows[award_id]) > 1 else entry.ruleset.awards[award_id].name
        for award_id in awards
    ]
    more = ("…",) if len(names) > MOST_NAMED else ()
    return f"{entry.points_left} left: who took {', '.join((*names[:MOST_NAMED], *more))}?", f"row-{awards[0]}"


def running_count(entry: Entry, result: HandResult | None = None) -> RunningCount | None:
    """Count what has been placed so far, or a whole hand."""
    side, bid = entry.bidding_side, entry.contract.bid
    if side is None or bid is None:
        return None
    points = _points(entry, result)
    ours, in_hand = points.get(side.side_id, 0), entry.ruleset.points_per_hand
    wanted = bid if isinstance(bid, int) else in_hand
    all_others = [(view, points.get(view.side_id, 0)) for view in entry.columns if view.side_id != side.side_id]
    others = tuple((view, number) for view, number in all_others if number or len(all_others) < MOST_NAMED)
    rest = "".join(f", {view.name} {number}" for view, number in others)
    # Which rows are open, the button says.
    outcome, left = (made_or_set(result), 0) if result else ("", entry.points_left if entry.form.by_counts else 0)
    after = outcome or (f"{left} left" if left else "")
    strip = draw_strip(
        points=in_hand,
        bid=wanted,
        ours=ours,
        mark=side.mark,
        others=[(view.mark, number) for view, number in others],
    )
    return RunningCount(
        side=side,
        took=ours,
        wanted=wanted,
        others=others,
        spoken=f"{side.name} {ours} of {wanted}{rest}{f': {after}' if after else ''}",
        strip=strip if in_hand <= WIDEST_STRIP else None,
        outcome=outcome,
        left=left,
    )


def _points(entry: Entry, result: HandResult | None) -> Mapping[str, int]:
    """Return the points of each column."""
    if result and result.score and (scored := entry.points_of(result.score)):
        # With everything placed the hand's own count is right: it knows who has Game by the card points.
        return scored
    if entry.form.by_counts:
        return entry.form.counts
    points: dict[str, int] = {}
    for award_id, who in entry.takers.items():
        if award_id in entry.ruleset.in_play:
            points[who] = points.get(who, 0) + entry.ruleset.in_play[award_id].points
    return points


@dataclass(frozen=True, slots=True, kw_only=True)
class EnteredHand:
    """One of the two hands."""

    bid: str
    """"Dan 3 ♠ set"."""
    lines: tuple[LineView, ...]
    result: str
    """"Us 19 → 21, Them 17 → 14", or why it cannot be so."""


def conflict_page(
    mine: Entry, conflict: Conflict | None, after: Match | Refused | MatchClosed, *, is_new: bool
) -> Response:
    """Answer with what the other phone wrote first beside what this one has, with everything that was entered.

    Without a conflict the phone has seen what the server no longer has. `mine` is where the hand would go: in the place
    of theirs, where there is such a hand. The match would stand so `after` it, or it is refused. The form that could
    not be saved waits on its phone, by its key, until somebody has chosen.
    """
    match, theirs = mine.match, conflict is not None and not conflict.hand.gone
    holder = writer_name(conflict.event.actor, match.names) if conflict else ""
    shown = ((SHOWN_FIELD, sent_along(after.state.results[mine.place - 1])),) if isinstance(after, Match) else ()
    more = preview(match, lambda _place: reopening(mine)).closed(mine.insert_before) if is_new else ""
    added_number = match.state_before(mine.place + 1).next_number if mine.insert_before else match.state.next_number
    return render_page(
        "hand/conflict.html",
        status=409,
        entry=mine,
        closed=closed_view(match, more) if more else None,
        # The number of this phone's hand if it is one more; none where it is a correction, or the other one is gone.
        added_number=added_number if not more and is_new and theirs else None,
        holder=holder,
        lead=_what_came_first(mine, conflict),
        is_lost=conflict is None,
        theirs=_scored(match, mine) if theirs else None,
        mine=_scored(after, mine) if isinstance(after, Match) else _unscored(mine, after),
        fields=(*mine.form.fields(), *shown),
        settled_key=posted_key(),
    )


def _what_came_first(mine: Entry, conflict: Conflict | None) -> str:
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
    return f"{phone} {'undid' if isinstance(conflict.event.fact, Undone) else 'deleted'} hand {mine.number}"


def _scored(match: Match, entry: Entry) -> EnteredHand:
    result, names = match.state.results[entry.place - 1], match.names_in(entry.place)
    return EnteredHand(
        bid=joined(bid_words(result, names), outcome_word(result)),
        lines=tuple(line_views(match, result)),
        result=", ".join(
            f"{names[side]} {score_text(score - result.deltas[side])} → {score_text(score)}"
            for side, score in result.scores.items()
        ),
    )


def _unscored(entry: Entry, refused: Refused | MatchClosed) -> EnteredHand:
    """Return what was entered where it cannot be scored."""
    sides = {side.side_id: side for side in entry.columns}
    bidder, bid = entry.contract.bidder, entry.contract.bid
    return EnteredHand(
        bid=f"{entry.name(bidder) if bidder else ''} {entry.form['bid'] if bid is None else bid_word(bid)}".strip(),
        lines=tuple(
            LineView(
                side=sides.get(who),
                text=entry.ruleset.awards[award].name,
                points=sides[who].name if who in sides else "nobody",
            )
            for award, who in entry.form.parts(AWARD_FIELD).items()
            if award in entry.ruleset.awards
        ),
        result=str(refused),
    )


REOPENINGS: Mapping[str, Fact] = {"resume": Resumed(), "restore": Undeleted()}
"""What the buttons of a form write first whose match does not go on."""


def reopening(entry: Entry) -> Sequence[Fact]:
    """Return what is written with a hand so that its match takes it: one that is added goes on after a stop as well."""
    if not entry.reopens:
        return ()
    return (REOPENINGS[entry.reopens], *((Resumed(),) if entry.uid is None else ()))


def change_of(entry: Entry) -> Change:
    """Return what records the hand: it is read when it is written, as what others wrote first comes first."""

    def change(_place: MatchPlace) -> Sequence[Fact]:
        hand = entry.hand()
        if entry.uid is None:
            return (*reopening(entry), HandAdded(hand=hand, before=entry.insert_before))
        return (*reopening(entry), HandCorrected(uid=entry.uid, hand=hand))

    return change


def match_after(entry: Entry) -> Match | Refused:
    """Return where the match would stand after a hand, or why it cannot be; raises `MatchClosed`."""
    try:
        return preview(entry.match, change_of(entry))
    except Refused as refused:
        return refused


def hand_page(
    entry: Entry,
    *,
    draft: HandDraft | None = None,
    version: int | None = None,
    blocks: Sequence[str] = (),
    status: int = 200,
) -> Response:
    """Answer with a hand that is entered; `draft` is where its answers come from, if a phone has sent them before.

    What others write meanwhile is not taken for known by a form that was opened before: it keeps its `version`. Where
    nothing was sent yet, what this phone still has of the entry may be filled in.
    """
    is_fresh, to_save = request.method != "POST", entry_to_save(entry)
    if version is None:
        version = entry.match.version if is_fresh else posted_version()
    mark = entry.match.log.mark if is_fresh or version != posted_version() else posted_mark()
    return render_page(
        "hand/show.html",
        block=blocks,
        status=status,
        settles=False,
        preview_url=url_for("hands.preview", code=entry.match.code),
        hidden_fields=(
            ("version", str(version)),
            (MARK_FIELD, mark),
            ("client_key", posted_key()),
            ("index", request.form.get("index") or str(entry.place)),
            *((("replaces", replaced),) if (replaced := request.form.get("replaces")) else ()),
            ("asks", entry.question_fingerprint),
            *hidden_fields(entry),
        ),
        is_fresh=is_fresh,
        draft=draft,
        is_own_draft=draft is not None and draft.link.code == entry.match.code,
        has_just_called=bool(request.form.get(CALL_FIELD)),
        has_just_given=bool(request.form.get("rest")),
        closed=closed_view(entry.match, entry.closed) if entry.closed else None,
        faults=faults_view(
            "Not saved yet",
            each_once((it.message, fault_target(entry, it.field)) for it in entry.faults),
            {it.message: entry.citations.fault(it) for it in entry.faults},
        ),
        save_bar=save_bar(entry, match_after(to_save) if to_save else None, is_fresh=is_fresh and draft is None),
        **questions_of(entry, url_for("rules.show_match", code=entry.match.code, hand=entry.earlier_rules)),
    )


def questions_of(entry: Entry, sheet: str) -> dict[str, object]:
    """Return what the templates ask of a hand, whose rules are on a sheet at that address."""
    # What follows the bidding is asked when it is over, and where something is played then.
    is_played, by_counts = entry.is_played, entry.form.by_counts
    return {
        "entry": entry,
        "sheet": sheet,
        "may_misdeal": not (entry.corrects and entry.corrects.is_played),
        "after_passing": entry.after_passing,
        "may_go_set": (),
        "asks_dealer": entry.knows_dealer or not entry.by_auction,
        "unplayed": "",
        "dealer": dealer_question(entry),
        "forfeits": labeled_question(
            "forfeits", "Lost besides", {"none": "nothing", **dict(entry.forfeits)}, entry.form["forfeits"] or "none"
        ),
        "auction": auction_view(entry) if entry.by_auction else None,
        "bid": None if entry.by_auction else bid_view(entry),
        "asks_trump": is_played,
        "questions": questions(entry) if is_played else (),
        "awards_layout": awards_layout(entry) if is_played and not by_counts else "",
        "points": points_questions(entry) if is_played and by_counts else [],
    }


def hidden_fields(entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield what the form has to send beside what the page asks, to be there when it is asked again."""
    form, contract = entry.form, entry.contract
    fields = {
        "uid": entry.uid,
        "before": entry.insert_before,
        "by": form.mode,
        DEALT_FIELD: entry.before.dealer,
        CALLS_FIELD: calls_text(entry.calls_to_keep) if entry.by_auction or form.calls else None,
        "taking": EntryMode.COUNTS if entry.by_auction and form.by_counts else None,
    }
    yield from ((name, str(value)) for name, value in fields.items() if value is not None)
    bid = {name: form[name] for name in ("bidder", "bid", "overtook_pitch")}
    if entry.by_auction and contract.bidder is not None:
        overtook_pitch = "yes" if contract.overtook_pitch else ""
        bid = {"bidder": contract.bidder, "bid": str(contract.bid), "overtook_pitch": overtook_pitch}
    elif not entry.by_auction:
        # Half of a pair is on no square of the board.
        is_half = entry.asks_pair and not (form["bidder"] and form["partner"])
        bid = {name: form[name] for name in ("bidder", "partner")} if is_half else {}
    if entry.is_unbound and not entry.by_auction:
        # A bid that was tapped before waits for whoever takes this back.
        yield UNBOUND_FIELD, "yes"
        bid = {name: form[name] for name in ("bidder", "bid", "partner")}
    yield from ((name, text) for name, text in bid.items() if text)
    yield from form.unasked_fields(asked_fields(entry), is_before_play=not entry.is_played)


def fault_target(entry: Entry, field: str) -> str:
    """Return the id of the element that a fault is about; empty where there is none."""
    name, _, rest = field.partition(".")
    match next((item.kind for item in HAND_FIELDS if item.name == name), None):
        case FieldKind.TAKEN:
            return f"row-{rest}" if rest in entry.ruleset.in_play else ""
        case FieldKind.COUNTS:
            if name == "penalties":
                return f"{PENALTY_FIELD}{rest}"
            if name == "penalties_to":
                return "penalties"
            return "card-points" if name == "card_points" else f"{COUNT_FIELD}{entry.columns[0].side_id}"
        case FieldKind.PARTNER if entry.asks_pair:
            return "q-bid"
        case FieldKind.YES_OR_NO if not entry.asks_tricks:
            return ""
        case FieldKind.FORFEITS:
            return "penalties"
        case FieldKind.TIMES:
            return f"{TIMES_FIELD}{rest}"
        case None | FieldKind.CHECK | FieldKind.THROWN_IN:
            return ""
        case _ if name in ("auction", "bidder", "bid"):
            return "q-bid" if entry.ruleset.bids else ""
        case _:
            return name
