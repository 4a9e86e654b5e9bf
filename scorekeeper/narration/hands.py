"""A hand in words: who bid what, what came of it, what each line is for, and what the bidding side took and missed."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from scorekeeper.engine.auction import Auction, Contract, is_unbound
from scorekeeper.engine.hand import Hand, SideId
from scorekeeper.engine.match import SET_REASONS, HandResult, MatchState, sides_set
from scorekeeper.engine.scoring import Reason, ScoreLine, needs_tricks
from scorekeeper.ledger.hand_json import write_hand
from scorekeeper.narration.phrases import (
    SUIT_SIGNS,
    UNNAMED,
    Names,
    bid_word,
    changes_text,
    grouped,
    joined,
    score_text,
    scores_text,
    signed,
)
from scorekeeper.rules import phrases
from scorekeeper.rules.awards import AwardId
from scorekeeper.rules.phrases import digits, listed

_REASONS = {
    Reason.TOOK: "took",
    Reason.MADE_BID: "made",
    Reason.MADE_SPECIAL: "made",
    Reason.WENT_SET: "set",
    Reason.PARTNER_SPARED: "the partner is not set",
    Reason.TOOK_SET: "went set instead of bidding",
    Reason.HELD_AT_ONE: "stopped at 1 against a made bid",
    Reason.HELD_SHORT: "stopped one short without the bid",
    Reason.MOON_WINS: "shot the moon: that wins the match",
    Reason.MOON_LOSES: "missed the moon: that loses the match",
    Reason.MOON_TO_ZERO: "shot the moon from below zero: up to 0",
    Reason.MOON_TO_MINUS_FOUR: "missed the moon: the score becomes −4",
    Reason.MONEY_ONLY: "paid in money, not in points",
    Reason.PENALTY: "penalty",
}


def line_words(result: HandResult, line: ScoreLine) -> str:
    """Return what a line is for, without its points."""
    if line.award:
        award = result.ruleset.awards[line.award]
        return award.name if award.points == 1 else f"{award.name} {award.points}"
    words = _REASONS[line.reason]
    if line.reason == Reason.PENALTY:
        return f"{words} {(result.hand.penalties or {})[line.side]}"
    if line.reason == Reason.TOOK:
        return f"{words} {abs(line.points)}"
    if line.reason == Reason.MONEY_ONLY and result.bid is not None:
        return f"bid {bid_word(result.bid)}{_took_of_bid(result)}: {made_or_set(result)}, {words}"
    if line.reason in (Reason.MADE_BID, Reason.MADE_SPECIAL, Reason.WENT_SET):
        words = f"bid {bid_word(result.bid)}{_took_of_bid(result)}: {words}"
    elif line.reason == Reason.MOON_TO_MINUS_FOUR and line.points > 0:
        words = f"{words}, which is a gain"
    elif line.reason not in (Reason.MOON_LOSES, Reason.MOON_TO_MINUS_FOUR):
        return words
    return f"{words}{_out_of_play(result)}"


def _took_of_bid(result: HandResult) -> str:
    """Return what the bidding side took, and what a bid above the numbers needs."""
    if isinstance(result.bid, int):
        return f", took {result.took}"
    return f", which needs {needs_words(result)}, took {result.took}{tricks_words(result)}"


def needs_words(result: HandResult) -> str:
    """Return what a bid above the numbers needs: "every point in play and every trick"."""
    in_play = result.bid != "smudge" and result.ruleset.moon.moon_counts_burned == "in_play"
    points = "every point in play" if in_play else f"all {result.ruleset.points_per_hand} points"
    return f"{points} and every trick" if _is_for_tricks(result) else points


def tricks_words(result: HandResult) -> str:
    """Return whether a side that had to take every trick did."""
    if not _is_for_tricks(result) or result.hand.all_tricks is None:
        return ""
    return " and every trick" if result.hand.all_tricks else ", but not every trick"


def _is_for_tricks(result: HandResult) -> bool:
    return needs_tricks(result.ruleset, Contract(result.bidder, result.bid))


def _out_of_play(result: HandResult) -> str:
    """Return the reason where a bid for every point failed only for a point that nobody took (`001`, burned cards)."""
    if not isinstance(result.bid, str) or result.score is None or result.made is not False:
        return ""
    left = sum(points for side, points in result.score.points.items() if side not in result.bidders)
    is_short = 0 < result.took < result.ruleset.points_per_hand
    return ", because a point went to nobody" if is_short and not left else ""


_MOST_NAMED = 3
"""So many points are named; of more it is shorter to say which were missed, or taken."""


def made_words(result: HandResult) -> str:
    """Return how a bid was made: "made it with High and Low", "took 3, made it"."""
    took, missed = _named(result)
    if not took:
        return f"took {result.took}, made it" if isinstance(result.bid, int) else "made it"
    if not missed:
        return "made it with every point"
    if len(took) > _MOST_NAMED and len(missed) < len(took):
        return f"made it with all but {listed(missed)}"
    return f"made it with {listed(took)}"


def set_sentence(result: HandResult, names: Names) -> str:
    """Return what a bid that was set lacked: "Us bid 6, took 5: without the Jack."; empty where none was set."""
    if result.made is not False:
        return ""
    bidder, *partners = result.bidders
    who = f"{names[bidder]} bid {bid_word(result.bid)}"
    if partners:
        who = f"{who} with {listed(names[side] for side in partners)}"
    took, missed = _named(result)
    said = f"{who}, took {result.took}"
    if missed and (len(missed) <= _MOST_NAMED or len(missed) <= len(took)):
        return f"{said}: without {listed(missed)}."
    if took and missed:
        return f"{said}: only {listed(took)}."
    if took and result.hand.all_tricks is False:
        return f"{said}, but not every trick."
    return f"{said}."


def not_counted_words(result: HandResult) -> str:
    """Return what a side that was set took in vain: "Jack, Trey 3", "2 points"; empty for nothing, or where it paid."""
    if result.made is not False or not result.took or any(result.payments.values()):
        return ""
    took = awards_of(result, result.bidders[0])
    if took is None:
        return digits(result.took, "point")
    awards = [award for award_id, award in result.ruleset.in_play.items() if award_id in took]
    return ", ".join(award.name if award.points == 1 else f"{award.name} {award.points}" for award in awards)


def _named(result: HandResult) -> tuple[Sequence[str], Sequence[str]]:
    """Return the points that the bidding side took, and those that it did not; nothing where only counts are known."""
    mine = awards_of(result, result.bidders[0])
    if mine is None:
        return (), ()
    in_play = list(result.ruleset.in_play)
    took = [phrases.award_name(result.ruleset, award) for award in in_play if award in mine]
    missed = [phrases.award_name(result.ruleset, award) for award in in_play if award not in mine]
    return took, missed


def awards_of(result: HandResult, side: SideId) -> dict[AwardId, int] | None:
    """Return what a side took, with those it counts with, and its points; `None` where only counts are known."""
    if result.hand.taken is None or result.taken is None or result.hand_sides is None:
        return None
    mine = result.hand_sides.group_of(side)
    return {award: points for award, group, points in result.taken.awards if group == mine}


def bid_words(result: HandResult, names: Names) -> str:
    """Return who bid what: "Dan 2", "Dan stole 3", "Cleo 7 with Ann", "Misdeal"."""
    if result.status == "thrown_in":
        return "Misdeal" if result.hand.thrown_in == "misdeal" else "All passed"
    if result.set_taken_by:
        return f"{names[result.set_taken_by]} went set"
    if result.bidder is None:
        return "Played"
    bidder = f"{names[result.bidder]} stole" if result.was_stolen else _who_bid(names[result.bidder])
    bid = f"{bidder} {bid_word(result.bid)}" if result.bid is not None else bidder
    if result.hand.partner:
        return f"{bid} with {names[result.hand.partner]}"
    return f"{bid} alone" if result.hand.alone else bid


def outcome_word(result: HandResult) -> str:
    """Return what came of a bid: "made", "set", "after the end", "not finished", or nothing."""
    match result.status:
        case "after_end":
            return "after the end"
        case "bid" | "bidding":
            return "not finished"
        case "scored" | "thrown_in":
            return made_or_set(result)
    assert_never(result.status)


def made_or_set(result: HandResult) -> str:
    """Return what came of a bid that was played: "made", "set", or nothing where nobody bid."""
    if result.made is None:
        return ""
    return "made" if result.made else "set"


def auction_words(auction: Auction, names: Names) -> str:
    """Return what the calls came to: "Dan bid 3"; empty as long as somebody has a call left."""
    if not auction.is_over:
        return ""
    if auction.took_set:
        return f"{names[auction.dealer]} went set"
    if auction.bidder is None:
        return "All passed"
    bid = "pitched, which counts as" if auction.pitched else "bid"
    return f"{names[auction.bidder]} {bid} {bid_word(auction.bid)}"


def bid_line(result: HandResult, names: Names) -> str:
    """Return bid, suit and outcome in a line: "Cal 3 ♥ made"."""
    return joined(bid_words(result, names), SUIT_SIGNS.get(result.hand.trump or "", ""), outcome_word(result))


def bid_in_play(state: MatchState, names: Names) -> str:
    """Return who has the bid of a hand that was entered before it is played: "Dan bid 3 ♠"."""
    hand = state.results[-1] if state.results else None
    if hand is None or hand.status != "bid" or hand.bidder is None:
        return ""
    return joined(f"{names[hand.bidder]} bid {bid_word(hand.bid)}", SUIT_SIGNS.get(hand.hand.trump or "", ""))


def stored_bid_words(hand: Hand, names: Names) -> str:
    """Return who bid what in a hand as it is stored: "Dan 3", or "A hand" where that is not known."""
    return joined(*_bidder_and_bid(hand, names)) or "A hand"


def stored_hand_words(hand: Hand, names: Names) -> str:
    """Return a hand as it is stored in a few words: "Dan 3 spades", "all passed", "4 calls"."""
    penalties = [f"penalty {number} for {names[side]}" for side, number in (hand.penalties or {}).items()]
    return ", ".join([_stored_play_words(hand, names), *penalties])


def _stored_play_words(hand: Hand, names: Names) -> str:
    if hand.thrown_in:
        return "misdeal" if hand.thrown_in == "misdeal" else "all passed"
    if bid := joined(*_bidder_and_bid(hand, names), hand.trump or ""):
        return bid
    return f"{len(hand.auction)} calls" if hand.auction else listed(sorted(write_hand(hand)))


def _bidder_and_bid(hand: Hand, names: Names) -> tuple[str, str]:
    return _who_bid(names[hand.bidder]) if hand.bidder else "", bid_word(hand.bid) if hand.bid is not None else ""


def _who_bid(name: str) -> str:
    """Return a bidder's name before a bid: "Dan", but "They bid" of a side that nobody named."""
    return f"{name} bid" if name in UNNAMED else name


def result_words(result: HandResult, names: Names) -> str:
    """Return what a hand does to each score: "Us +7, Them +2"; of many sides, to those whose score it changes."""
    match result.status:
        case "after_end":
            return "after the end, it scores nothing"
        case "thrown_in":
            again = f"{names[result.next_dealer]} deals again" if result.next_dealer else "the dealer deals again"
            if result.next_dealer != result.dealer and result.next_dealer:
                again = f"{names[result.next_dealer]} deals next"
            return f"{_deltas_text(result, names)}, {again}" if result.changes_scores else again
        case "bid" | "bidding" | "scored":
            return _deltas_text(result, names)
    assert_never(result.status)


def _deltas_text(result: HandResult, names: Names) -> str:
    if len(result.deltas) <= 3:
        return changes_text(result.deltas, names)
    groups = grouped((points, names[side]) for side, points in result.deltas.items())
    return ", ".join(f"{' & '.join(sides)} {signed(points)}" for points, sides in groups.items() if points) or "0"


def changes_in_short(result: HandResult, names: Names) -> tuple[str, str]:
    """Return what a hand changed, for the bidding side and for the others: "+8 each", "the others +2 each"."""
    if not result.changes_scores or (result.payments and not any(result.deltas.values())):
        return "", ""
    ours = [result.deltas[side] for side in result.bidders]
    end = (signed(ours[0]) + (" each" if len(ours) > 1 else "")) if len(set(ours)) == 1 else ""
    others = {side: points for side, points in result.deltas.items() if side not in result.bidders}
    if len(set(others.values())) == 1 and len(others) > 1:
        return end, f"the others {signed(next(iter(others.values())))} each"
    return end, ", ".join(f"{names[side]} {signed(points)}" for side, points in others.items() if points)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandLine:
    """What sides that scored the same scored in a hand, and for what."""

    sides: tuple[SideId, ...]
    text: str
    """"High, Low, Jack", "Game, 44 to 36", "took 3", "bid 3, took 2: set"."""
    points: int
    award: AwardId | None = None
    """Where one award has a line to itself."""
    awards: tuple[AwardId, ...]
    """Everything that it is for."""
    parts: tuple[str, ...] = ()
    """What each of these is called, where the text names them all: "High", "Game, 44 to 36"."""
    reason: Reason = Reason.TOOK
    is_set: bool = False
    is_count: bool = False
    """Whether only a number says what one side took."""


def hand_lines(result: HandResult, apart: Container[AwardId] = ()) -> Iterator[HandLine]:
    """Yield what a hand scored, the awards of a side in one line but for those that stand `apart`."""
    if result.score is None:
        return
    for sides, lines in _shared_lines(result, result.score.lines).items():
        together = [line for line in lines if line.award and line.award not in apart]
        if together:
            parts = tuple(_award_words(result, line) for line in together)
            yield HandLine(
                sides=sides,
                text=", ".join(parts),
                parts=parts,
                points=sum(line.points for line in together),
                awards=tuple(line.award for line in together if line.award),
            )
        for line in lines:
            if not line.award or line.award in apart:
                yield HandLine(
                    sides=sides,
                    text=line_words(result, line),
                    points=line.points,
                    award=line.award,
                    awards=(line.award,) if line.award else (),
                    reason=line.reason,
                    is_set=line.reason in SET_REASONS,
                    is_count=line.reason == Reason.TOOK and not line.award and len(sides) == 1,
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class HandCell:
    """What one side scored in one hand, over its running total."""

    points: str
    total: str
    is_set: bool = False
    old_total: str = ""
    """The total before the last change, struck beside the new one."""


def hand_cells(result: HandResult) -> tuple[HandCell, ...]:
    """Return what each side scored in a hand, in the order of the sides."""
    was_set = sides_set(result)
    return tuple(
        HandCell(
            points=signed(result.deltas[side]) if result.changes_scores else "",
            total=score_text(total),
            is_set=side in was_set,
        )
        for side, total in result.scores.items()
    )


def remarks(result: HandResult, names: Names) -> Iterator[str]:
    """Yield what no line of a hand says: that the dealer was stuck, that nobody scored a tied Game."""
    if result.was_stuck and result.bidder is not None:
        yield f"Everyone else passed, so {names[result.bidder]} had to bid."
    if result.score and result.bidder is None and result.status == "scored" and is_unbound(result.ruleset, Contract()):
        yield "Everyone passed, so nobody was bound."
    if result.has_tied_game and (counted := result.ruleset.counted_award):
        counts = " to ".join(map(str, _counts(result)))
        yield f"{result.ruleset.awards[counted].name} is tied{f', {counts}' if counts else ''}: nobody scores it."


def moon_goes_on(result: HandResult) -> str:
    """Return that a made moon has not won the match by itself; empty for every other hand."""
    score = result.score
    if result.bid not in ("moon", "double_moon") or score is None or not score.made or score.outright or score.payments:
        return ""
    return "A made moon scores its points here; by itself it does not win the match."


def _shared_lines(result: HandResult, lines: Sequence[ScoreLine]) -> dict[tuple[SideId, ...], list[ScoreLine]]:
    """Return the lines of sides that scored the same together, by those sides."""
    by_side = grouped((line.side, line) for line in lines)
    together = grouped(
        (tuple((line.points, line.reason, line_words(result, line)) for line in own), side)
        for side, own in by_side.items()
    )
    return {tuple(sides): by_side[sides[0]] for sides in together.values()}


def _award_words(result: HandResult, line: ScoreLine) -> str:
    """Return an award with what decided it: "Game, 44 to 36"."""
    words = line_words(result, line)
    if line.award and line.award == result.ruleset.counted_award and (counts := _counts(result)):
        tied = "tied " if counts[1:2] == counts[:1] else ""
        return f"{words}, {tied}{' to '.join(map(str, counts))}"
    return words


def _counts(result: HandResult) -> list[int]:
    """Return everybody's card points, the most first."""
    return sorted((result.hand.card_points or {}).values(), reverse=True)


def paper_words(scores: Mapping[SideId, int], hands: int, names: Names) -> str:
    """Return what a match brought from paper: "From paper after 3 hands: Us 10, Them 7"."""
    after = f" after {hands} hand{'' if hands == 1 else 's'}" if hands else ""
    return f"From paper{after}: {scores_text(scores, names)}"
