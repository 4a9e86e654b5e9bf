"""The hands of a match in rows, for the match page, the TV and the history."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from scorekeeper.engine.hand import SideId
from scorekeeper.engine.match import HandResult, sides_set
from scorekeeper.engine.scoring import Reason
from scorekeeper.graphics.markers import SideView
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.log import LoggedHand
from scorekeeper.ledger.signatures import holder_of
from scorekeeper.narration.change_log import changed_words
from scorekeeper.narration.hands import (
    HandLine,
    bid_words,
    changes_in_short,
    hand_lines,
    moon_goes_on,
    not_counted_words,
    outcome_word,
    paper_words,
    remarks,
)
from scorekeeper.narration.notices import uncounted_words
from scorekeeper.narration.payments import dollars, hand_payments
from scorekeeper.narration.phrases import score_text, signed, sits_in_words
from scorekeeper.narration.rule_changes import rule_changes
from scorekeeper.rules.awards import AwardId
from scorekeeper.rules.phrases import digits, times
from scorekeeper.sheets.citations import CitedRule
from scorekeeper.web.shared.library import earlier_rules, rules_of_hand
from scorekeeper.web.shared.match_views import memoized, side_views, side_views_in
from scorekeeper.web.shared.widgets import LineView

_LONGEST_CHANGE = 60
"""Letters of a correction that are said in a row; the history tells the rest."""
MOST_COLUMNS = 3
"""More sides than these have no columns in a table: their hands are a list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandCell:
    """What one side scored in one hand, over its running total."""

    points: str
    total: str
    old_total: str
    """The total before the last change, struck beside the new one."""
    is_set: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRow:
    """One hand."""

    uid: int
    number: int
    earlier_rules: int | None
    """A hand on whose page its rules are, where the match has others by now."""
    bid: str
    """"Dan 2", "Ann smudge", "Cleo 7 with Ann", "Misdeal"."""
    suit: str
    """spades, hearts, diamonds, clubs or nothing."""
    outcome: str
    """"made", "set", "after the end", "not finished" or nothing."""
    waits: str
    """"waits for Them": why it does not count yet."""
    cells: tuple[HandCell, ...]
    """One for each column of a table."""
    bidders: tuple[SideView, ...]
    """The sides that played the bid, for a list."""
    others: str
    """"the others +2 each", for a list."""
    end: str
    """"+8 each", for a list."""
    is_new: bool = False
    """Whether it was written since the page was last seen: its marks are then drawn before the reader's eyes."""
    notes: tuple[str, ...] = ()
    """What else a table asks about it: "penalty 2 for Us", "corrected: bid 3 → 4", what it paid, new rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedHand:
    """The hand that everybody asks about."""

    lines: tuple[LineView, ...]
    """What it scored, line by line."""
    turned_on: tuple[CitedRule, ...]
    """The rules that a loser asks for."""
    earlier_rules: int | None
    """A hand on whose page its rules are, where the match has others by now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperRow:
    """What a match brought from paper, under its first hand."""

    hands: str
    """"3 hands, Us set twice"; empty where nobody said how many."""
    totals: tuple[str, ...]
    """One for each column of a table."""
    sentence: str
    """"From paper after 3 hands: Us 10, Them 7", for a list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandsView:
    """Hands, the latest first: a table up to three sides, a list beyond."""

    sides: tuple[SideView, ...]
    rows: tuple[HandRow, ...]
    paper: PaperRow | None
    """Where all hands are there."""
    all_hands: str
    """The link to every hand: "All hands", or "All 15 hands" where some are left out."""
    last: OpenedHand | None
    """What the last hand opens to; `None` where it scored nothing."""

    @property
    def is_table(self) -> bool:
        """Whether every side has a column."""
        return len(self.sides) <= MOST_COLUMNS

    @property
    def columns(self) -> int:
        """All columns of the table, with those of the number and the bid."""
        return 2 + len(self.sides)


def latest_hands(match: Match, at_most: int, since: int | None, *, is_told: bool = True) -> HandsView:
    """Return the last hands; what was written after the version `since` is new.

    `is_told` adds what a table asks about them: the notes of each, and what the last one opens to.
    """
    seen = match.version if since is None else since
    rows = tuple(
        replace(
            hand_row(
                match, result, logged, is_new=max(logged.uid, *(it.stamp.seq for it in logged.corrections), 0) > seen
            ),
            notes=tuple(_notes(match, result, logged)) if is_told else (),
        )
        for result, logged in zip(match.state.results[-at_most:], match.log.hands[-at_most:], strict=True)
    )
    paper = paper_row(match) if len(match.log.hands) <= at_most else None
    hands = len(match.log.hands)
    return HandsView(
        sides=tuple(side_views(match).values()),
        rows=rows[::-1],
        paper=paper,
        all_hands=f"All {hands} hands" if hands > at_most else "All hands",
        last=_last_hand(match) if is_told else None,
    )


@memoized
def _last_hand(match: Match) -> OpenedHand | None:
    """Return the last hand of a match that goes on; where one is over, the verdict has the hand that decided."""
    last = match.state.results[-1] if match.state.results else None
    if last is None or not last.changes_scores or match.counted.outcome:
        return None
    moon = moon_goes_on(last)
    lines = (*line_views(match, last), *([LineView(side=None, text=moon, points="")] if moon else []))
    return OpenedHand(lines=lines, turned_on=turned_on(last), earlier_rules=earlier_rules(match, last.ruleset))


def turned_on(result: HandResult) -> tuple[CitedRule, ...]:
    """Return the rules that a hand turned on and a loser asks for."""
    return rules_of_hand(result).turned_on(result)


def _notes(match: Match, result: HandResult, logged: LoggedHand) -> Iterator[str]:
    """Yield what else a table asks about a hand."""
    names = match.names_in(result.place)
    if sentences := _new_rules(match).get(result.place):
        yield f"New rules: {' '.join(sentences)}"
    if newcomers := sits_in_words(match.newcomers(result.place)):
        yield newcomers
    for side, points in (result.hand.penalties or {}).items():
        yield f"penalty {points} for {names[side]}"
    if result.status == "thrown_in" and result.next_dealer:
        yield f"{names[result.next_dealer]} deals again"
    if result.place < len(match.state.results):
        yield from hand_payments(result, names)
    if logged.corrections:
        yield correction_words(match, result, logged)


def correction_words(match: Match, result: HandResult, logged: LoggedHand) -> str:
    """Return what was corrected in a hand since it was first written: "corrected by Bea: bid 3 → 4"."""
    last = logged.corrections[-1]
    change = changed_words(logged.corrections[0].before, last.after, match.names_in(result.place), result.ruleset)
    who = match.names_when(last.stamp.seq).get(holder_of(last.stamp.actor) or "")
    return f"corrected{f' by {who}' if who else ''}{f': {change}' if 0 < len(change) <= _LONGEST_CHANGE else ''}"


@memoized
def _new_rules(match: Match) -> dict[int, tuple[str, ...]]:
    """Return what changed in the rules, by the place of the first hand that it holds for."""
    return {change.place: change.sentences for change in rule_changes(match.rules, match.state, match.log)}


def paper_row(match: Match) -> PaperRow | None:
    """Return what a match brought from paper; `None` where that was nothing."""
    begun = match.begun
    if begun is None:
        return None
    names = match.names_at(0)
    played = [digits(begun.scored, "hand")] if begun.scored else []
    was_set = [f"{names[side]} set {times(often)}" for side, often in begun.sets.items() if often]
    return PaperRow(
        hands=", ".join(played + was_set),
        totals=tuple(score_text(score) for score in begun.scores.values()),
        sentence=f"{', '.join([paper_words(begun.scores, begun.scored, names), *was_set])}.",
    )


def hand_row(
    match: Match,
    result: HandResult,
    logged: LoggedHand,
    *,
    earlier: Mapping[SideId, int] | None = None,
    is_new: bool = False,
) -> HandRow:
    """Return a hand's row; `earlier` are the totals after it before the last change."""
    sides, names = side_views_in(match, result.place), match.names_of(logged)
    is_table = len(sides) <= MOST_COLUMNS
    end, others = ("", "") if is_table else changes_in_short(result, names)
    bidders = result.hand_sides.bidders if result.hand_sides else ()
    return HandRow(
        uid=logged.uid,
        number=result.number,
        earlier_rules=earlier_rules(match, result.ruleset),
        bid=bid_words(result, names),
        suit=result.hand.trump or "",
        outcome=outcome_word(result),
        waits=uncounted_words(match, result.place),
        cells=_cells(match, result, earlier or result.scores) if is_table else (),
        bidders=() if is_table else tuple(sides[side] for side in bidders),
        others=others,
        end=end,
        is_new=is_new,
    )


def _cells(match: Match, result: HandResult, earlier: Mapping[SideId, int]) -> tuple[HandCell, ...]:
    was_set = sides_set(result)
    paid = result.score.payments if result.score and result.score.payments else {}
    in_money = result.ruleset.money.settles == "hand"
    return tuple(
        HandCell(
            points="" if not result.changes_scores else _paid(paid, side) if in_money else signed(result.deltas[side]),
            total="" if in_money else score_text(total),
            old_total=score_text(earlier[side]) if earlier.get(side, total) != total else "",
            is_set=side in was_set,
        )
        for side, total in result.scores.items()
    )


def _paid(paid: Mapping[SideId, int], side: SideId) -> str:
    return dollars(paid[side]) if paid.get(side) else ""


def line_views(match: Match, result: HandResult, was: Mapping[AwardId, str] | None = None) -> tuple[LineView, ...]:
    """Return what a hand scored, line by line; `was` names who had an award before a correction."""
    sides, rules, was = side_views_in(match, result.place), rules_of_hand(result), was or {}
    bidders = result.hand_sides.bidders if result.hand_sides else ()
    lines = tuple(
        LineView(
            side=sides[line.sides[0]],
            text=line.text,
            points="" if line.reason == Reason.MONEY_ONLY else _points(line, sides),
            was=was.get(line.award or "", ""),
            is_bad=line.is_set,
            cited=rules.awards(line.awards)
            if line.awards
            else _only(rules.reason(line.reason, result.bid, is_bidder=line.sides[0] in bidders)),
        )
        for line in hand_lines(result, was)
    )
    by_bid = made_or_set_by(result)
    lines += tuple(
        LineView(side=None, text=text, points="", cited=by_bid)
        for text in hand_payments(result, match.names_in(result.place))
    )
    lines += tuple(LineView(side=None, text=text, points="") for text in remarks(result, match.names_in(result.place)))
    in_vain = not_counted_words(match.state.seats, result)
    if not in_vain:
        return lines
    remark = LineView(side=None, text=f"Does not count: {in_vain}", points="")
    place = next((place for place, line in enumerate(lines, 1) if line.is_bad), len(lines))
    return (*lines[:place], remark, *lines[place:])


def _points(line: HandLine, sides: Mapping[SideId, SideView]) -> str:
    return f"{' & '.join(sides[side].name for side in line.sides)} {signed(line.points)}"


def made_or_set_by(result: HandResult) -> tuple[CitedRule, ...]:
    """Return the rule by which a bid was made, or set."""
    if result.score is None or result.score.made is None:
        return ()
    rules = rules_of_hand(result)
    return _only(rules.made(result.bid) if result.score.made else rules.set(result.bid))


def _only(rule: CitedRule | None) -> tuple[CitedRule, ...]:
    return (rule,) if rule else ()
