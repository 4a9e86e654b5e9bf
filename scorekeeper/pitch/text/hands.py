"""A hand in words: who bid what, its result, its score lines, and what the bidding side took and missed."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from scorekeeper.pitch.rules import phrases
from scorekeeper.pitch.rules.awards import AwardId, AwardIds, GamePoint, award_description
from scorekeeper.pitch.rules.phrases import capitalize, digits, join_words, placeholders
from scorekeeper.pitch.rules.schema import Award, Ruleset
from scorekeeper.pitch.scoring.auction import Auction, is_played_without_bid
from scorekeeper.pitch.scoring.hand import PASS, PITCH, TAKE_SET, Call, Contract, Hand, SideId
from scorekeeper.pitch.scoring.hand_score import PENALTY_REASONS, Reason, ScoreLine, needs_every_trick
from scorekeeper.pitch.scoring.match import SET_REASONS, HandResult, MatchState, sides_set_in
from scorekeeper.pitch.text.phrases import (
    LETTERS_OF_WE_AND_THEY,
    SUIT_SIGNS,
    Names,
    bid_word,
    changes_text,
    group_by_key,
    is_numbered,
    join_nonempty,
    name_with_verb,
    score_text,
    scores_text,
    signed_text,
    sum_words,
)
from scorekeeper.pitch.text.standing import dollar_text

WORDS_BY_REASON = {
    Reason.TOOK: "took",
    Reason.PARTNER_SPARED: "the partner is not set",
    Reason.TOOK_SET: "went set instead of bidding",
    Reason.BID_OF_OTHERS: "the others’ bid, which was set",
    Reason.HELD_AT_ONE: "stopped at 1 against a made bid",
    Reason.HELD_SHORT: "stopped one short without the bid",
    Reason.RENEGED_SHORT: "stopped one short by a renege",
    Reason.MOON_WINS: "shot the moon: that wins the match",
    Reason.MOON_LOSES: "that loses the match",
    Reason.MOON_TO_ZERO: "shot the moon from below zero: up to 0",
    Reason.MOON_TO_MINUS_FOUR: "the score becomes −4",
    Reason.MONEY_ONLY: "paid in money, not in points",
    Reason.PENALTY: "penalty",
    Reason.PENALTY_TO: "for the others’ mistake",
    Reason.FORFEIT: "a renege: that loses the match",
}
"""The words for score lines without an award, keyed by reason; lines on a bid made or set have words of their own."""


def line_words(result: HandResult, line: ScoreLine) -> str:
    """Return what a score line is for: "Jack", "Trey 3", "took 3", "bid 3, took 2: set"."""
    if line.award:
        award = result.ruleset.awards[line.award]
        if (times := abs(line.points) // award.points) > 1:
            return f"{award.name} {' + '.join([str(award.points)] * times)}"
        return _award_with_points(award)
    if line.reason in (Reason.MADE_BID, Reason.MADE_SPECIAL, Reason.WENT_SET):
        double_clause = ", double for outbidding a led card" if result.lost_double else ""
        return f"{_bid_outcome_words(result)}{out_of_play_reason(result)}{double_clause}"
    reason_words = WORDS_BY_REASON[line.reason]
    match line.reason:
        case Reason.PENALTY:
            return f"{reason_words} {(result.hand.penalties or {})[line.side]}"
        case Reason.PENALTY_TO:
            return f"{reason_words} {(result.hand.penalties_to or {})[line.side]}"
        case Reason.TOOK:
            return f"{reason_words} {abs(line.points)}"
        case Reason.MONEY_ONLY if result.bid is not None:
            return f"{_bid_outcome_words(result)}, {reason_words}"
        case Reason.MOON_LOSES | Reason.MOON_TO_MINUS_FOUR:
            gain_clause = ", which is a gain" if line.points > 0 else ""
            return f"{_bid_outcome_words(result)}{out_of_play_reason(result)}; {reason_words}{gain_clause}"
        case _:
            return reason_words


def _bid_outcome_words(result: HandResult) -> str:
    """Return a bid, what the bidding side took, and the result: "bid 3, took 2: set".

    A special bid is followed by what it needs: "bid smudge, which needs all 4 points and all 6 tricks, took 4: made".
    """
    needs_clause = "" if isinstance(result.bid, int) else f", which needs {needs_words(result)}"
    took_clause = f"took {result.bidders_points}{tricks_words(result)}"
    return f"bid {bid_word(result.bid)}{needs_clause}, {took_clause}: {bid_result_word(result)}"


def needs_words(result: HandResult) -> str:
    """Return what a special bid needs: "every point in play and all 6 tricks"."""
    counts_in_play_only = result.bid != "smudge" and result.ruleset.moon.moon_counts_burned == "in_play"
    points = "every point in play" if counts_in_play_only else f"all {digits(result.ruleset.points_per_hand, 'point')}"
    tricks = f"all {digits(result.ruleset.trick_count, 'trick')}" if result.ruleset.trick_count else "every trick"
    return f"{points} and {tricks}" if _needs_every_trick(result) else points


def tricks_words(result: HandResult) -> str:
    """Return " and every trick" or ", but not every trick", for a bid that needs every trick.

    Empty for any other bid, or if nobody entered who took the tricks.
    """
    if not _needs_every_trick(result) or result.hand.all_tricks is None:
        return ""
    return " and every trick" if result.hand.all_tricks else ", but not every trick"


def _needs_every_trick(result: HandResult) -> bool:
    """Return whether a hand's bid is made only by taking every trick."""
    return needs_every_trick(result.ruleset, Contract(result.bidder, result.bid))


def out_of_play_reason(result: HandResult) -> str:
    """Return why a bid was set by points that nobody took: ", because the Jack was not in play"; else empty."""
    if result.made or not result.has_unclaimed_points:
        return ""
    why = out_of_play_words(result) or ("a point went to nobody" if isinstance(result.bid, str) else "")
    return f", because {why}" if why else ""


def out_of_play_words(result: HandResult) -> str:
    """Return the cards whose awards nobody got: "the Low Joker was not in play"; empty if there are none."""
    ruleset, missing_awards = result.ruleset, result.awards_out_of_play
    cards = phrases.award_names(ruleset, (award for award in missing_awards if not _is_game_award(ruleset, award)))
    missing_games = (award for award in missing_awards if _is_game_award(ruleset, award))
    cards += [
        award_description(ruleset.kinds[award], ruleset.how_won(award)).partition(",")[0] for award in missing_games
    ]
    return f"{join_words(cards)} {'was' if len(missing_awards) == 1 else 'were'} not in play" if cards else ""


def _is_game_award(ruleset: Ruleset, award_id: AwardId) -> bool:
    """Return whether an award is Game, won either by the most card points or with a card."""
    return isinstance(ruleset.kinds[award_id], GamePoint)


def not_counted_words(result: HandResult) -> str:
    """Return what a bidding side that was set took in vain: "Jack, Trey 3", or "2 points" if only points were entered.

    Empty if the side was not set or took nothing, or if the set was paid in money.
    """
    if result.made is not False or not result.bidders_points or any(result.payments.values()):
        return ""
    points_by_award = group_points_by_award(result, result.bidders[0])
    if points_by_award is None:
        return digits(result.bidders_points, "point")
    awards = (award for award_id, award in result.ruleset.in_play.items() if award_id in points_by_award)
    return ", ".join(map(_award_with_points, awards))


def _award_with_points(award: Award) -> str:
    """Return the name of an award, with its points if it is worth more than one: "Jack", "Trey 3"."""
    return award.name if award.points == 1 else f"{award.name} {award.points}"


def group_points_by_award(result: HandResult, side: SideId) -> dict[AwardId, int] | None:
    """Return the points of the awards that a side's group took, keyed by award: `{"high": 1, "trey": 3}`.

    `None` if only points were entered, or if nothing was played.
    """
    if result.hand.taken is None or result.taken is None:
        return None
    group_of_side = result.hand_sides.group_of(side)
    return {award: points for award, group, points in result.taken.awards if group == group_of_side}


def bid_words(result: HandResult, names: Names) -> str:
    """Return who bid how much: "Dan 2", "Dan stole 3", "Cleo 7 with Ann".

    For a hand without a bid, return what happened: "Misdeal", "No bid".
    """
    if result.is_redealt:
        return _redealt_word(result.hand)
    if result.set_taken_by:
        return f"{names[result.set_taken_by]} went set"
    if result.bidder is None:
        played = "No bid" if result.ruleset.has_bidding else "Played"
        return played if result.was_played else "Not played"
    bidder = f"{names[result.bidder]} stole" if result.was_stolen else _bidder_name(names[result.bidder])
    bid = f"{bidder} {bid_word(result.bid)}" if result.bid is not None else bidder
    if result.hand.partner:
        return f"{bid} with {names[result.hand.partner]}"
    return f"{bid} alone" if result.hand.alone else bid


def _redealt_word(hand: Hand) -> str:
    """Return why a hand was dealt again: "Misdeal", "Deck ran out" or "All passed"."""
    return {"misdeal": "Misdeal", "ran_out": "Deck ran out"}.get(hand.thrown_in or "", "All passed")


def outcome_word(result: HandResult) -> str:
    """Return how a hand ended: "made", "set", "not finished", "after the end"; empty for a scored hand without bid."""
    unscored = {"after_end": "after the end", "bid": "not finished", "bidding": "not finished"}
    return unscored.get(result.status) or bid_result_word(result)


def bid_result_word(result: HandResult) -> str:
    """Return "made" or "set", the result of a hand's bid; empty if it has none."""
    return {True: "made", False: "set", None: ""}[result.made]


def auction_words(auction: Auction, names: Names) -> str:
    """Return the result of an auction that is over: "Dan bid 3", "All passed"."""
    if auction.took_set:
        return f"{names[auction.dealer]} went set"
    if auction.bidder is None:
        return "All passed"
    bid = "pitched, which counts as" if auction.is_pitched else "bid"
    return f"{names[auction.bidder]} {bid} {bid_word(auction.bid)}"


def bid_in_play_words(state: MatchState, names: Names) -> str:
    """Return the bid of the hand that is being played: "Dan bid 3 ♠"; empty if there is none."""
    hand = state.open_hand
    if not (hand and hand.bidder):
        return ""
    return join_nonempty(f"{names[hand.bidder]} bid {bid_word(hand.bid)}", SUIT_SIGNS.get(hand.hand.trump or "", ""))


def stored_bid_words(hand: Hand, names: Names) -> str:
    """Return the bidder and the bid of a stored hand: "Dan 3", or "A hand" where neither was entered."""
    return _stored_bid_text(hand, names) or "A hand"


def _stored_bid_text(hand: Hand, names: Names) -> str:
    """Return the bidder and the bid of a stored hand: "Dan 3"; empty where neither was entered."""
    bidder = _bidder_name(names[hand.bidder]) if hand.bidder else ""
    return join_nonempty(bidder, bid_word(hand.bid) if hand.bid is not None else "")


def stored_hand_words(hand: Hand, names: Names, renege_loss: str) -> str:
    """Return a stored hand in a few words: "Dan 3 spades, penalty 2 for Us", "all passed", "4 calls".

    `renege_loss` is what a renege costs.

    >>> stored_hand_words(Hand(points={"s1": 3}), {}, "Game")
    'played'
    >>> stored_hand_words(Hand(penalties={"s1": 2}, forfeits={"s1": "game"}), {"s1": "Us"}, "Muck")
    'not played, penalty 2 for Us, a renege costs Us Muck'
    """
    if hand.thrown_in:
        played_words = _redealt_word(hand).lower()
    else:
        played_words = join_nonempty(_stored_bid_text(hand, names), hand.trump or "")
    if not played_words and hand.auction:
        played_words = f"{len(hand.auction)} calls"
    return ", ".join(
        [played_words or ("played" if hand.is_played else "not played"), *mistake_words(hand, names, renege_loss)]
    )


def mistake_words(hand: Hand, names: Names, renege_loss: str) -> Iterator[str]:
    """Yield what each mistake in a hand cost or gave a side: "penalty 2 for Us", "a renege costs Them Game"."""
    yield from (f"penalty {points} for {names[side]}" for side, points in (hand.penalties or {}).items())
    points_by_side = (hand.penalties_to or {}).items()
    yield from (f"{points} to {names[side]} for the others’ mistake" for side, points in points_by_side)
    for side, forfeit in (hand.forfeits or {}).items():
        yield f"a renege costs {names[side]} {renege_loss}" if forfeit == "game" else f"match lost by {names[side]}"


def _bidder_name(name: str) -> str:
    """Return a bidder's name to put before a number: "Dan"; a pronoun or a numbered name has a verb: "They bid"."""
    return f"{name} bid" if name in LETTERS_OF_WE_AND_THEY or is_numbered(name) else name


def result_words(result: HandResult, names: Names) -> str:
    """Return how a hand changed the scores: "Us +7, Them +2"; a redealt hand has who deals next: "Ann deals again".

    With more than three sides, unchanged scores are left out.
    """
    if result.status == "after_end":
        return "after the end, it scores nothing"
    if result.status != "thrown_in" or result.ended_unplayed:
        return _deltas_text(result, names)
    redeal_text = redeal_words(result, names)
    return f"{_deltas_text(result, names)}, {redeal_text}" if result.changes_scores else redeal_text


def redeal_words(result: HandResult, names: Names) -> str:
    """Return who deals after a hand that was not played: "Ann deals again", "Bea deals next"."""
    if result.next_dealer is None:
        return "the dealer deals again"
    when = "again" if result.next_dealer == result.dealer else "next"
    return f"{name_with_verb(names[result.next_dealer], 'deal')} {when}"


def _deltas_text(result: HandResult, names: Names) -> str:
    """Return how a hand changed the scores: "Us +7, Them +2", "0".

    With more than three sides, unchanged scores are left out.
    """
    if len(result.deltas) <= 3:
        return changes_text(result.deltas, names)
    groups = group_by_key((points, names[side]) for side, points in result.deltas.items())
    return ", ".join(f"{' & '.join(sides)} {signed_text(points)}" for points, sides in groups.items() if points) or "0"


def score_change_words(result: HandResult, names: Names) -> tuple[str, str]:
    """Return how a hand changed the bidders' scores, and those of the others: ("+8 each", "the others +2 each").

    Both are empty if the hand changed no score. The first is empty unless the bidders' scores changed alike.
    """
    if not result.changes_scores or (result.payments and not any(result.deltas.values())):
        return "", ""
    bidder_changes = [result.deltas[side] for side in result.bidders]
    bidders_text = (
        f"{signed_text(bidder_changes[0])}{' each' if len(bidder_changes) > 1 else ''}"
        if len(set(bidder_changes)) == 1
        else ""
    )
    changes_of_others = {side: points for side, points in result.deltas.items() if side not in result.bidders}
    if len(set(changes_of_others.values())) == 1 and len(changes_of_others) > 1:
        return bidders_text, f"the others {signed_text(next(iter(changes_of_others.values())))} each"
    return bidders_text, ", ".join(
        f"{names[side]} {signed_text(points)}" for side, points in changes_of_others.items() if points
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HandLine:
    """A line in the score of a hand: points, what they are for, and by which rules, for sides with the same line."""

    sides: tuple[SideId, ...]
    text: str
    """The words: "High, Low, Jack", "Game, 44 to 36", "took 3", "bid 3, took 2: set"."""
    points: int
    award: AwardId | None = None
    """The award of a line for one award; `None` for a line for several, or for none."""
    awards: AwardIds
    """All awards that the line is for."""
    rules: tuple[str, ...]
    """The ids of the rules that explain the line."""
    parts: tuple[str, ...] = ()
    """The words for each of several `awards`: ("High", "Game, 44 to 36"); empty where `award` is set."""
    reason: Reason = Reason.TOOK
    is_set: bool = False
    is_by_points: bool = False
    """Whether the line is for points that were entered without the awards behind them."""


def hand_lines(result: HandResult, separate_awards: Container[AwardId] = ()) -> Iterator[HandLine]:
    """Yield the lines of a hand's score: for each side, one for all its awards, and one for each other score line.

    Each of `separate_awards` has a line of its own. Sides that scored the same share their lines, but bidders and
    others never share any.
    """
    for sides, lines in _lines_by_sides(result).items():
        award_lines = [line for line in lines if line.award and line.award not in separate_awards]
        single_lines = [line for line in lines if line not in award_lines]
        # Penalty points count before everything else.
        yield from (_single_line(result, sides, line) for line in single_lines if line.reason in PENALTY_REASONS)
        if award_lines:
            parts = tuple(_award_words(result, line) for line in award_lines)
            yield HandLine(
                sides=sides,
                text=", ".join(parts),
                parts=parts,
                points=sum(line.points for line in award_lines),
                awards=tuple(line.award for line in award_lines if line.award),
                rules=tuple(chain.from_iterable(line.rules for line in award_lines)),
            )
        yield from (_single_line(result, sides, line) for line in single_lines if line.reason not in PENALTY_REASONS)


def _single_line(result: HandResult, sides: tuple[SideId, ...], line: ScoreLine) -> HandLine:
    """Return the line for one score line that these sides share."""
    return HandLine(
        sides=sides,
        text=line_words(result, line),
        points=line.points,
        award=line.award,
        awards=(line.award,) if line.award else (),
        rules=line.rules,
        reason=line.reason,
        is_set=line.reason in SET_REASONS,
        is_by_points=line.reason == Reason.TOOK and not line.award,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HandCell:
    """A cell of a score sheet: one side's points in a hand, and its total after the hand."""

    points: str
    total: str
    is_set: bool
    old_total: str = ""
    """The total before the last correction, shown struck out; empty if it is the same."""


def hand_cells(result: HandResult, old_totals: Mapping[SideId, int] | None = None) -> tuple[HandCell, ...]:
    """Return a cell for each side, in order; `old_totals` are the totals before the last correction, keyed by side.

    Where hands are paid in money, the cells have what each side was paid, and empty totals.
    """
    is_in_money, set_sides = result.ruleset.pays_by_hand, sides_set_in(result)
    payment_texts = {side: dollar_text(cents) for side, cents in result.payments.items() if cents}
    change_texts = (
        payment_texts if is_in_money else {side: signed_text(change) for side, change in result.deltas.items()}
    )
    old_totals = {} if is_in_money else old_totals or {}
    return tuple(
        HandCell(
            points=change_texts.get(side, "") if result.changes_scores else "",
            total="" if is_in_money else score_text(total),
            is_set=side in set_sides,
            old_total=score_text(old_totals[side]) if old_totals.get(side, total) != total else "",
        )
        for side, total in result.scores.items()
    )


class Remark(NamedTuple):
    """A sentence about a hand, with the ids of the rules behind it, most specific first."""

    text: str
    rules: tuple[str, ...]


def bidding_remark(result: HandResult, names: Names) -> Remark | None:
    """Return a remark on the calls of a hand: "Bea bid 2, Cal passed, Ann stole it for 2."; `None` without calls."""
    calls = result.hand.auction or ()
    if not calls:
        return None
    clauses: list[str] = []
    rules: tuple[str, ...] = ()
    highest: Call | None = None
    for caller, call in calls:
        is_again = call == highest and call != PASS
        if call == highest == PITCH:
            clauses.append(f"{names[caller]} took the bid with a led card")
        elif is_again and caller == result.dealer:
            rules = ("argue.smudge_steal", "bid.dealer_steal") if call == "smudge" else ("bid.dealer_steal",)
            word = bid_word(call)
            clauses.append(f"{names[caller]} stole {f'the {word}' if isinstance(call, str) else f'it for {word}'}")
        else:
            rules = ("bid.top_bid_again",) if is_again else rules
            clauses.append(f"{names[caller]} {_CALL_PHRASES.get(call, f'bid {bid_word(call)}')}")
        highest = highest if call == PASS else call
    may_go_on = result.ruleset.bidding.rounds == "until_passed" or result.dealer not in (None, caller)
    if call not in (PASS, TAKE_SET) and may_go_on:
        clauses.append("and nobody can bid more")
    return Remark(f"{', '.join(clauses)}.", ("bid.pitching",) if PITCH in (call for _, call in calls) else rules)


_CALL_PHRASES: Mapping[Call, str] = {PASS: "passed", TAKE_SET: "went set", PITCH: "pitched"}
"""The verb for each call that is not a bid, in the past tense."""


def hand_remarks(result: HandResult, names: Names) -> Iterator[Remark]:
    """Yield remarks on what the score lines do not show: "The Jack was not in play: nobody gets its point."."""
    if result.was_stuck and result.bidder is not None:
        or_set = " or go set" if result.ruleset.bidding.all_pass == "may_take_set" else ""
        yield Remark(f"Everyone else passed, so {names[result.bidder]} had to bid{or_set}.", ("bid.all_pass",))
    if (
        result.score
        and result.bidder is None
        and result.status == "scored"
        and is_played_without_bid(result.ruleset, Contract())
    ):
        yield Remark("Everyone passed, so nobody was bound.", ("bid.all_pass",))
    if result.hand.called and result.bidder is not None and len(result.bidders) == 1:
        yield Remark(f"{names[result.bidder]} called the {result.hand.called}, and played alone.", ("trump.alone",))
    for side, forfeit in (result.hand.forfeits or {}).items():
        if forfeit == "game":
            renege_loss = phrases.renege_cost(result.ruleset)
            yield Remark(f"{names[side]} cannot score {renege_loss} in this hand.", ("play.renege",))
    if (tie_remark := _tied_game_remark(result, names)) is not None:
        yield tie_remark
    if result.status == "scored" and (out_of_play_clause := out_of_play_words(result)):
        awards = result.ruleset.awards
        points = sum(map(result.ruleset.worth, result.awards_out_of_play))
        whose_points = (
            "their points" if " were " in out_of_play_clause else "its point" if points == 1 else f"its {points} points"
        )
        game_names = join_words(
            awards[award].name for award in result.awards_out_of_play if _is_game_award(result.ruleset, award)
        )
        game_clause = game_names and f", and so nobody scores {game_names}"
        yield Remark(capitalize(f"{out_of_play_clause}: nobody gets {whose_points}{game_clause}."), ("count.missing",))


def card_points_sentence(result: HandResult) -> str:
    """Return that Game went to the most card points, and what each card counts toward them.

    Empty if no card points were entered, or if two sides are tied for the most.
    """
    award_id, counts = result.ruleset.card_points_award, _card_points_by_group(result)
    if award_id is None or not counts or _is_tied_for_most(counts):
        return ""
    card_values = placeholders(result.ruleset)["card_points"]
    return f"{result.ruleset.game_name} went to the most card points: {card_values}, and nothing else."


def _tied_game_remark(result: HandResult, names: Names) -> Remark | None:
    """Return a remark on a tie for Game in this or an earlier hand: "Game is tied, 40 to 40: nobody scores it.".

    `None` if no tie is known, or if all tied sides score Game, which the score lines show.
    """
    ruleset, game_award, counts = result.ruleset, result.ruleset.card_points_award, _card_points_by_group(result)
    if game_award is None or result.taken is None:
        return None
    game_name, rule_ids = ruleset.game_name, ("count.game_tie", "count.game")
    counts_words = f", {' to '.join(map(str, counts))}" if counts else ""
    if result.has_tied_game:
        nobody_clause = "it is carried over" if ruleset.points.game_tie == "carried_over" else "nobody scores it"
        # A side that was set may think that its cards do not count for Game either.
        is_set = result.made is False and any(
            (result.hand.card_points or {}).get(bidder) in counts[:1] for bidder in result.bidders
        )
        set_sentence = " The cards of a bid that is set count, too." if is_set else ""
        return Remark(f"{game_name} is tied{counts_words}: {nobody_clause}.{set_sentence}", rule_ids)
    game_lines = [line for line in result.lines if line.award == game_award]
    if any(abs(line.points) > ruleset.worth(game_award) for line in game_lines):
        return Remark(f"{game_name} was tied in an earlier hand: its points are added to this one’s.", rule_ids)
    if not game_lines or not _is_tied_for_most(counts):
        return None
    winner = join_words(dict.fromkeys(names[line.side] for line in game_lines))
    match ruleset.points.game_tie:
        case "joker_breaks":
            group = result.hand_sides.group_of(game_lines[0].side)
            taken_jokers = (
                award for award, taker, _ in result.taken.awards if taker == group and award in ruleset.joker_awards
            )
            joker_names = (ruleset.awards[joker].name for joker in taken_jokers)
            jokers = join_words(f"the {joker}" for joker in joker_names if joker.endswith("Joker")) or "the joker"
            verb = "give" if " and " in jokers else "gives"
            return Remark(f"{game_name} is tied{counts_words}: {jokers} {verb} it to {winner}.", rule_ids)
        case "non_dealer":
            return Remark(f"{game_name} is tied{counts_words}: {winner} did not deal.", rule_ids)
        case _:
            return None


def explanation_sentences(result: HandResult, names: Names) -> Iterator[str]:
    """Yield sentences that explain a hand to a child: "Ann had 17.", then "High: 17 + 1 = 18." and so on."""
    for side, score_after in result.scores.items():
        score = score_after - result.deltas[side]
        yield f"{names[side]} had {score_text(score)}."
        for line in hand_lines(result, result.ruleset.in_play):
            if side in line.sides and line.points:
                score, before = score + line.points, score
                yield capitalize(f"{line.text}: {sum_words(before, line.points)} {score_text(score)}.")


def moon_goes_on_sentence(result: HandResult) -> str:
    """Return that a made moon does not win the match by itself; empty without such a moon, or if it did win."""
    score = result.score
    if (
        result.bid not in ("moon", "double_moon")
        or score is None
        or not score.made
        or score.instant_ending
        or score.payments
    ):
        return ""
    only_reached_zero = any(line.reason is Reason.MOON_TO_ZERO for line in result.lines)  # from there it cannot win
    return "" if only_reached_zero else "A made moon scores its points here; by itself it does not win the match."


def _lines_by_sides(result: HandResult) -> dict[tuple[SideId, ...], list[ScoreLine]]:
    """Return the score lines, keyed by the sides that share them; bidders and others never share any."""
    lines_by_side = group_by_key((line.side, line) for line in result.lines)
    sides_by_lines = group_by_key(
        ((side in result.bidders, *((line.points, line.reason, line_words(result, line)) for line in lines)), side)
        for side, lines in lines_by_side.items()
    )
    return {tuple(sides): lines_by_side[sides[0]] for sides in sides_by_lines.values()}


def _award_words(result: HandResult, line: ScoreLine) -> str:
    """Return the words for the score line of an award; for Game, with everyone's card points: "Game, 44 to 36"."""
    words = line_words(result, line)
    if line.award and line.award == result.ruleset.card_points_award and (counts := _card_points_by_group(result)):
        return f"{words}, {'tied ' if _is_tied_for_most(counts) else ''}{' to '.join(map(str, counts))}"
    return words


def _card_points_by_group(result: HandResult) -> list[int]:
    """Return the entered card points, one number for each group of sides, highest first: `[44, 36]`.

    Card points that were entered for each player, or for bidders and others, stay as they were entered.
    """
    counts = result.hand.card_points or {}
    counts_by_group = [[counts[side] for side in group if side in counts] for group in result.hand_sides.groups]
    if sum(map(len, counts_by_group)) < len(counts):  # entered by player, or by role
        counts_by_group = [[number] for number in counts.values()]
    return sorted((sum(numbers) for numbers in counts_by_group if numbers), reverse=True)


def _is_tied_for_most(counts: Sequence[int]) -> bool:
    """Return whether the two highest of `counts`, card points from highest to lowest, are equal."""
    return len(counts) > 1 and counts[0] == counts[1]


def carried_from_paper_words(scores: Mapping[SideId, int], hands: int, names: Names) -> str:
    """Return the scores carried over from paper: "From paper after 3 hands: Us 10, Them 7"."""
    after = f" after {digits(hands, 'hand')}" if hands else ""
    return f"From paper{after}: {scores_text(scores, names)}"
