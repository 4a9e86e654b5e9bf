"""The bar at the bottom of the hand entry: the running count, and a button that says what it will do."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from scorekeeper.engine.match import HandResult
from scorekeeper.graphics.race_and_strip import StripView, draw_strip
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.refusals import Refused
from scorekeeper.narration.differences import new_winner_words, score_changes
from scorekeeper.narration.phrases import bid_word, changes_text, joined, signed
from scorekeeper.narration.waiting import would_wait_words
from scorekeeper.web.hand.bid_questions import asks_pair
from scorekeeper.web.hand.entry import Entry
from scorekeeper.web.hand.form import AWARD_FIELD, COUNT_FIELD, HandForm

WIDEST_STRIP = 20
"""Points that fit in the strip."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningCount:
    """What the bidding side has of its bid so far."""

    lead: str
    """"Them 2"."""
    rest: str
    """"of 3, Us 1"."""
    strip: StripView | None
    outcome: str
    """made, set, or nothing while awards are open."""
    open_awards: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveBar:
    """What has been counted, and the button."""

    label: str
    note: str = ""
    """The result, under the label: "made: Us +4, Them 0"."""
    action: Literal["save", "rest"] = "save"
    """`rest`: what nobody has yet goes to the bidding side first."""
    target: str = ""
    """Where something is missing: the button leads there, and its label says what."""
    sentence: str = ""
    count: RunningCount | None = None


def form_to_save(entry: Entry) -> HandForm | None:
    """Return what the button would save, the rest to the bidding side; `None` while something is missing."""
    if _first_missing(entry):
        return None
    return entry.form.with_rest(_rest(entry), entry.bidding_side.side_id) if entry.bidding_side else entry.form


def save_bar(entry: Entry, after: Match | Refused | None) -> SaveBar:
    """Return the bar, where the match would stand so `after` this hand, or where it is refused."""
    refused = entry.bidding.refused if entry.by_auction and entry.bidding else None
    sentence = refused.message if refused else ""
    if missing := _first_missing(entry):
        label, target = missing
        return SaveBar(label=label, target=target, sentence=sentence, count=_count(entry))
    side, has_rest = entry.bidding_side, bool(_rest(entry))
    label = f"The rest to {side.name}, and save" if side and has_rest else "Save"
    action: Literal["save", "rest"] = "rest" if has_rest else "save"
    if not isinstance(after, Match):
        sentence = sentence or (after.faults[0].fault.message if after else "")
        return SaveBar(label=label, action=action, sentence=sentence, count=_count(entry))
    result, sentence = after.results[entry.number - 1], sentence or _what_follows(entry, after)
    if has_rest:
        note = f"{_outcome(result, 'made: ', 'set: ')}{_changes(entry, result)}"
        return SaveBar(label=label, note=note, action=action, sentence=sentence, count=_count(entry))
    return SaveBar(label=f"Save: {_changes(entry, result)}", sentence=sentence, count=_count(entry, result))


def _rest(entry: Entry) -> tuple[str, ...]:
    """Return the awards that are still to be given to somebody."""
    return () if entry.form.by_counts or entry.ended_unplayed else entry.open_awards


def _first_missing(entry: Entry) -> tuple[str, str] | None:
    """Return the first thing that is still needed, and where it is asked."""
    form, ruleset = entry.form, entry.ruleset
    if entry.by_auction:
        if entry.bidding is None:
            return "Who dealt?", "dealer"
        if entry.next_caller:
            return f"{entry.name(entry.next_caller)} is to speak", "q-bid"
        if entry.ended_unplayed:
            return None
    elif ruleset.bidding.auction and not (form["bidder"] and form["bid"]):
        if form["bidder"]:
            return f"How much did {entry.name(form['bidder'])} bid?", "q-bid"
        return f"Who bid {bid_word(form.bid)}?" if form["bid"] else "Who bid, and how much?", "q-bid"
    if entry.needs_partner and not form["partner"]:
        return "Who held the called card?", "q-bid" if asks_pair(entry) else "partner"
    if entry.needs_tricks and not form["all_tricks"]:
        return "Every trick, or not?", "all_tricks"
    if form.by_counts:
        counts = form.parts(COUNT_FIELD)
        side = next((side for side in entry.counted_sides if side.side_id not in counts), None)
        return (f"How many did {side.name} take?", f"{COUNT_FIELD}{side.side_id}") if side else None
    if entry.open_awards and entry.bidding_side is None:
        return f"{len(entry.open_awards)} to place", f"row-{entry.open_awards[0]}"
    return None


def _what_follows(entry: Entry, after: Match) -> str:
    """Return what else changes where an older hand does: the score, the winner, who deals, what counts."""
    match = entry.match
    if entry.uid is None and entry.insert_before is None:
        return ""
    scores = score_changes(match.state, after.state, match.names)
    return joined(
        f"The score: {scores}." if scores else "",
        new_winner_words(match.state, after.state, match.names),
        _changed_dealer(entry, after),
        would_wait_words(match.log, after.log),
    )


def _changed_dealer(entry: Entry, after: Match) -> str:
    """Return from which hand on others deal, where the dealer of a hand is corrected."""
    old, new = ([*(hand.dealer for hand in state.results), state.dealer] for state in (entry.match.state, after.state))
    if entry.uid is None or len(old) != len(new):
        return ""
    place = next((place for place in range(entry.number, len(old)) if old[place] != new[place]), 0)
    dealer = new[place]
    return f"The deal moves: {entry.name(dealer)} deals hand {place + 1}." if place and dealer else ""


def _changes(entry: Entry, result: HandResult) -> str:
    """Return what a hand does to each score: "Us +7, Them +2"."""
    if result.status == "after_end":
        return "after the end, it scores nothing"
    if result.status == "thrown_in":
        dealer = result.next_dealer
        return f"{entry.name(dealer)} deals again" if dealer else "the cards are dealt again"
    if len(result.deltas) <= 3:
        return changes_text(result.deltas, entry.match.names)
    groups: dict[int, list[str]] = {}
    for side, points in result.deltas.items():
        groups.setdefault(points, []).append(entry.name(side))
    return ", ".join(f"{' & '.join(names)} {signed(points)}" for points, names in groups.items() if points) or "0"


def _outcome(result: HandResult, made: str, went_set: str) -> str:
    """Return the word for what came of a bid."""
    if result.score is None or result.score.made is None:
        return ""
    return made if result.score.made else went_set


def _count(entry: Entry, result: HandResult | None = None) -> RunningCount | None:
    """Count what has been placed so far, or a whole hand."""
    side, bid = entry.bidding_side, entry.contract.bid
    if side is None or bid is None:
        return None
    points = _points(entry, result)
    ours, in_hand = points.get(side.side_id, 0), entry.ruleset.points_per_hand
    wanted = bid if isinstance(bid, int) else in_hand
    others = [(view, points.get(view.side_id, 0)) for view in entry.columns if view.side_id != side.side_id]
    rest = "".join(f", {view.name} {number}" for view, number in others if number or len(others) < 3)
    strip = draw_strip(
        f"{side.name} {ours}, the bid {wanted}, {in_hand - sum(points.values())} of {in_hand} open",
        points=in_hand,
        bid=wanted,
        ours=ours,
        mark=side.mark,
        others=[(view.mark, number) for view, number in others],
    )
    return RunningCount(
        lead=f"{side.name} {ours}",
        rest=f"of {wanted}{rest}",
        strip=strip if in_hand <= WIDEST_STRIP else None,
        outcome=_outcome(result, "made", "set") if result else "",
        open_awards=0 if result or entry.form.by_counts else len(entry.open_awards),
    )


def _points(entry: Entry, result: HandResult | None) -> Mapping[str, int]:
    """Return the points of each column."""
    if result and result.score and (scored := entry.points_of(result.score)):
        # With everything placed the hand's own count is right: it knows who has Game by the card points.
        return scored
    if entry.form.by_counts:
        return {who: int(n) for who, n in entry.form.parts(COUNT_FIELD).items() if n.isdecimal() and len(n) < 4}
    points: dict[str, int] = {}
    for award_id, who in entry.form.parts(AWARD_FIELD).items():
        if award_id in entry.ruleset.in_play:
            points[who] = points.get(who, 0) + entry.ruleset.in_play[award_id].points
    return points
