"""The foot of the hand entry: the running count, and a button that says what it will do."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from scorekeeper.engine.hand import Bid
from scorekeeper.engine.matches import HandResult
from scorekeeper.engine.words import bid_word, plain, signed
from scorekeeper.rules.faults import Fault
from scorekeeper.services.load import LoadedMatch
from scorekeeper.services.refusals import Refused
from scorekeeper.services.writing import Preview
from scorekeeper.web.contexts.drawing import draw_strip
from scorekeeper.web.contexts.hand import CountView, FootView, MainButton
from scorekeeper.web.forms.hand import COUNT_FIELD, HandDraft
from scorekeeper.web.present.agreement import would_wait
from scorekeeper.web.present.changes import grave_change
from scorekeeper.web.present.entry import Entry
from scorekeeper.web.present.entry_bid import asks_pair

SAVE, REST = "save", "rest"
WIDEST_STRIP = 20

Rehearsal = Callable[[HandDraft], LoadedMatch]
"""Says where the match would stand with a hand; raises `Refused`."""


def foot_view(entry: Entry, rehearse: Rehearsal, *, says: str = "") -> FootView:
    """Say what has been counted, and what the main button does now."""
    if entry.by_auction and entry.bidding and entry.bidding.refused:
        says = says or entry.bidding.refused.message
    missing = _missing(entry)
    if missing:
        return FootView(main=missing, says=says, count=_count(entry, None))
    draft, label = entry.draft, "Save"
    unplaced = () if entry.by_counts or entry.ended_unplayed else entry.unplaced
    if unplaced:
        column = entry.bidding_column
        if column is None:
            number = len(unplaced)
            more = MainButton(label=f"{number} to place", is_ready=False, target=f"row-{unplaced[0]}")
            return FootView(main=more, says=says, count=_count(entry, None))
        draft = draft.with_rest(unplaced, column[0])
        label = f"The rest to {column[1].name}, and save"
    try:
        would_be = rehearse(draft)
    except Refused as refused:
        return _refused(entry, [item.fault for item in refused.faults], label, unplaced, says)
    result, says = _this_hand(entry, would_be), says or _what_follows(entry, would_be)
    if unplaced:
        note = _outcome(entry, result)
        return FootView(main=MainButton(label=label, note=note, value=REST), says=says, count=_count(entry, None))
    return FootView(
        main=MainButton(label=f"Save: {_moves(result)}", value=SAVE), says=says, count=_count(entry, result)
    )


def _refused(entry: Entry, faults: Sequence[Fault], label: str, unplaced: Sequence[str], says: str) -> FootView:
    """Say at once what cannot be; saving then says it in full."""
    main = MainButton(label=label, value=REST if unplaced else SAVE)
    return FootView(main=main, says=says or faults[0].message, count=_count(entry, None))


def _missing(entry: Entry) -> MainButton | None:
    """Name the first thing that is still needed, where it is no award."""
    draft, ruleset = entry.draft, entry.ruleset
    if entry.by_auction:
        if entry.bidding is None:
            return _dashed("Who dealt?", "dealer")
        if entry.bidding.speaker:
            return _dashed(f"{entry.bidding.speaker} is to speak", "q-bid")
        if entry.ended_unplayed:
            return None
    elif ruleset.bidding.auction:
        if not draft.bidder and not draft.bid:
            return _dashed("Who bid, and how much?", "q-bid")
        if not draft.bidder:
            return _dashed(f"Who bid {bid_word(draft.bid_value)}?", "q-bid")
        if not draft.bid:
            return _dashed(f"How much did {entry.name(draft.bidder)} bid?", "q-bid")
    if entry.needs_partner and not draft.partner:
        return _dashed("Who held the called card?", "q-bid" if asks_pair(entry) else "partner")
    if entry.needs_tricks and not draft.all_tricks:
        return _dashed("Every trick, or not?", "all_tricks")
    if entry.by_counts:
        wanted = [entry.bidding_column] if ruleset.only_bidder_counts and entry.bidding_column else list(entry.columns)
        for value, view in wanted:
            if not draft.counts.get(value):
                return _dashed(f"How many did {view.name} take?", f"{COUNT_FIELD}{value}")
    return None


def _dashed(label: str, target: str) -> MainButton:
    return MainButton(label=label, is_ready=False, target=target)


def _this_hand(entry: Entry, would_be: LoadedMatch) -> HandResult:
    return would_be.state.hands[entry.number - 1]


def _what_follows(entry: Entry, would_be: LoadedMatch) -> str:
    """Say where the match would stand after an older hand is changed, and whether that makes or unmakes a winner."""
    match = entry.match
    if entry.uid is None and entry.insert_before is None:
        return ""
    deal = " ".join(part for part in (_moved_deal(entry, would_be), would_wait(match, would_be)) if part)
    if (match.state.scores, match.state.outcome) == (would_be.state.scores, would_be.state.outcome):
        return deal
    moved = ", ".join(
        f"{name} {plain(match.state.scores[name])} → {plain(score)}"
        for name, score in would_be.state.scores.items()
        if score != match.state.scores[name]
    )
    grave = grave_change(Preview(match, would_be))
    return " ".join(part for part in (f"The score: {moved}." if moved else "", grave, deal) if part)


def _moved_deal(entry: Entry, would_be: LoadedMatch) -> str:
    """Say from which hand on others deal, where the dealer of a hand is put right."""
    before, after = entry.match.state, would_be.state
    if entry.uid is None or len(before.hands) != len(after.hands):
        return ""
    moved = [
        (number, new.dealer)
        for number, (old, new) in enumerate(zip(before.hands, after.hands, strict=True), 1)
        if old.dealer != new.dealer and number > entry.number
    ]
    if before.dealer != after.dealer:
        moved.append((len(after.hands) + 1, after.dealer))
    return f"The deal moves: {moved[0][1]} deals hand {moved[0][0]}." if moved and moved[0][1] else ""


def _moves(result: HandResult) -> str:
    """Write what a hand does to each score: "Us +7, Them +2"."""
    if result.status == "after_end":
        return "after the end, it scores nothing"
    if result.status == "thrown_in":
        return f"{result.next_dealer} deals again" if result.next_dealer else "the cards are dealt again"
    moved = list(result.deltas.items())
    if len(moved) > 3:
        groups: dict[int, list[str]] = {}
        for name, points in moved:
            groups.setdefault(points, []).append(name)
        return ", ".join(f"{' & '.join(names)} {signed(points)}" for points, names in groups.items() if points) or "0"
    return ", ".join(f"{name} {signed(points)}" for name, points in moved)


def _outcome(entry: Entry, result: HandResult) -> str:
    made = result.score.made if result.score else None
    word = "" if made is None else "made: " if made else "set: "
    return f"{word}{_moves(result)}"


def _count(entry: Entry, result: HandResult | None) -> CountView | None:
    """Count what has been placed so far."""
    column = entry.bidding_column
    bid: Bid | None = entry.contract.bid
    if column is None or bid is None:
        return None
    tallies = _tallies(entry, result)
    ours = tallies.get(column[0], 0)
    worth = entry.ruleset.on_offer
    wanted = bid if isinstance(bid, int) else worth
    others = [(view, tallies.get(value, 0)) for value, view in entry.columns if value != column[0]]
    rest = ", ".join(f"{view.name} {number}" for view, number in others if number or len(others) < 3)
    made = result.score.made if result and result.score else None
    left = worth - sum(tallies.values())
    to_place = "" if result or entry.by_counts or not entry.unplaced else f"{len(entry.unplaced)} to place"
    strip = None
    if worth <= WIDEST_STRIP:
        label = f"{column[1].name} {ours}, the bid {wanted}, {left} of {worth} open"
        strip = draw_strip(
            label,
            points=worth,
            bid=wanted,
            ours=ours,
            mark=column[1].mark,
            others=[(view.mark, number) for view, number in others],
        )
    return CountView(
        lead=f"{column[1].name} {ours}",
        rest=f"of {wanted}{', ' + rest if rest else ''}",
        strip=strip,
        made="made" if made else "",
        went_set="set" if made is False else "",
        to_place=to_place,
    )


def _tallies(entry: Entry, result: HandResult | None) -> Mapping[str, int]:
    """Add up what each column has been given."""
    groups = entry.camps.groups
    if result and result.score and (entry.has_roles or all(len(group) == 1 for group in groups)):
        # With everything placed the hand's own count holds: it knows whose Game is by its card points.
        leads = [group[0] for group in groups] if entry.has_roles else [view.name for _, view in entry.columns]
        return {value: result.score.points[name] for (value, _), name in zip(entry.columns, leads, strict=True)}
    tallies: dict[str, int] = {}
    if entry.by_counts:
        return {who: int(n) for who, n in entry.draft.counts.items() if n.isdigit() and len(n) < 4}
    for award_id, who in entry.draft.took.items():
        if award_id in entry.ruleset.in_play:
            tallies[who] = tallies.get(who, 0) + entry.ruleset.awards[award_id].points
    return tallies


def refused_foot(foot: FootView) -> FootView:
    """Say, where nothing was saved, that nothing is lost."""
    return replace(foot, says="Everything you entered is still here.")
