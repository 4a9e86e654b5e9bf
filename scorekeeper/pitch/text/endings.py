"""What a match goes to, who has won and by which rule, or why nobody has yet: in a few words, and in sentences."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple, assert_never

from scorekeeper.pitch.rules.awards import AwardId, TurnedUp
from scorekeeper.pitch.rules.options import options
from scorekeeper.pitch.rules.phrases import (
    award_name,
    award_names,
    digits,
    listed,
    placeholders,
    sentence,
    several,
    tie_before_hand,
    times,
)
from scorekeeper.pitch.rules.questions import QUESTIONS
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.deciding_rules import deciding_options, is_tied_before_hand
from scorekeeper.pitch.scoring.hand import PASS, SideId
from scorekeeper.pitch.scoring.match import HandResult, MatchState
from scorekeeper.pitch.scoring.order import counts_in_order
from scorekeeper.pitch.scoring.outcome import Outcome
from scorekeeper.pitch.scoring.score import HandScore, with_penalties
from scorekeeper.pitch.scoring.standing import (
    Clause,
    SideStanding,
    Standing,
    has_reached_target,
    is_overtime,
    leading,
    target_of,
)
from scorekeeper.pitch.text.phrases import (
    DateStyle,
    Names,
    bid_word,
    grouped,
    hands_played,
    joined,
    named,
    score_text,
    scores_text,
    verb,
)


def goal_words(ruleset: Ruleset) -> str:
    """Return in a few words what a match goes to: "to 21", "from 21 down", "12 hands", "for money", "no target"."""
    winning = ruleset.winning
    if winning.length == "hands":
        return digits(winning.hands or 0, "hand")
    if winning.count_down_from:
        return f"from {winning.count_down_from} down"
    if winning.target:
        return f"to {winning.target}"
    if "target" in ruleset.to_agree:
        return "you pick the target"
    return "for money" if ruleset.pays else "no target"


def earlier_goal_words(state: MatchState) -> str:
    """Return what a match went to before that changed: "Through hand 5 it was to 42."; empty where it did not."""
    goals = [(hand.number, goal_words(hand.ruleset)) for hand in state.results]
    now = goal_words(state.ruleset)
    return next((f"Through hand {number} it was {goal}." for number, goal in reversed(goals) if goal != now), "")


def ends_words(ruleset: Ruleset, *, may_tie: bool) -> str:
    """Return how a match ends, regardless of its scores: "First to 42 …; if both reach it, the bidder wins.".

    `may_tie` is true where several can reach the target on the same hand. Empty where no score ends the match.
    """
    winning = ruleset.winning
    if winning.length == "hands":
        return " ".join((*_by_hands(ruleset), *_outright(ruleset)))
    target = target_of(ruleset)
    if target is None:
        return ""
    down = f"Scores count down from {winning.count_down_from}. " if winning.count_down_from else ""
    made = ", and only on a made bid" if winning.win_rule == "made_bid" else ""
    lead = f", with a lead of {winning.win_by}" if winning.win_by else ""
    tie = f"; {_tied(ruleset)}" if may_tie and not winning.pegged else ""
    first = f"First to peg {target}" if winning.pegged else f"First to {target} at the end of a hand"
    return " ".join((f"{down}{first}{made}{lead}{tie}.", *_outright(ruleset)))


def _by_hands(ruleset: Ruleset) -> Iterator[str]:
    winning = ruleset.winning
    best = "lowest" if winning.count_down_from else "highest"
    tied = "play another hand" if winning.plays_on_when_tied else "they share the win"
    yield f"After {digits(winning.hands or 0, 'hand')} the {best} score wins; tied: {tied}."


def _tied(ruleset: Ruleset) -> str:
    """Return who wins where several reach the target on the same hand: "if both reach it, the bidder wins"."""
    answer = QUESTIONS["tie_rule"].label(ruleset.winning.tie_rule, ruleset)
    wins = re.sub("^(the bidder|the higher score|first in .*)", r"\1 wins", answer)
    return f"if {'both' if ruleset.table.has_two_sides else 'several'} reach it, {wins}"


def _outright(ruleset: Ruleset) -> Iterator[str]:
    """Yield what ends a match besides, and who does not win with whom."""
    if ruleset.moon.moon == "win_or_lose":
        yield "A moon can win or lose the match."
    elif ruleset.moon.moon == "win_or_minus_target":
        yield "A made moon can win the match."
    if ruleset.winning.set_limit:
        yield f"Whoever is set {times(ruleset.winning.set_limit)} loses."
    if ruleset.winning.four_points_win_game:
        yield f"All {several(ruleset.points_per_hand, 'point')} in one hand win."
    if ruleset.table.called:
        yield "A called partner wins only with a score of their own."


def outcome_heading(state: MatchState, names: Names, *, stopped: bool) -> str:
    """Return in a word or two how a match stands: "We win", "Stopped", "Not over yet"."""
    if state.outcome is None:
        return "Stopped" if stopped else "It depends" if state.question else "Not over yet"
    return f"{listed(named(state.winners, names))} {verb(state.seats, state.winners, 'win')}"


def final_score(state: MatchState) -> str:
    """Return the scores, the winner's first: "21 to 25"; of more than two sides "with 42".

    It is empty where nobody has won.
    """
    winners = state.winners
    if not winners:
        return ""
    if len(state.scores) > 2:
        return f"with {score_text(state.scores[winners[0]])}"
    others = [side for side in state.scores if side not in winners]
    return " to ".join(score_text(state.scores[side]) for side in (*winners, *others))


def deciding_rule(state: MatchState) -> str:
    """Return the whole rule that decided a match, as the rule sheet has it; empty where nothing has."""
    return rules_text(state, deciding_options(state))


def rules_text(state: MatchState, names: Iterable[str]) -> str:
    """Return the rules that some options state, in the words that hold for those who are at the target."""
    before = tie_before_hand(state.ruleset) if is_tied_before_hand(state) else ""
    rules = (before if name == "tie_rule" and before else QUESTIONS[name].rule(state.ruleset) for name in names)
    return " ".join(rules)


def changed_in_play(first: Ruleset, state: MatchState, dates: DateStyle) -> Iterator[str]:
    """Yield each rule that decided a match, or came with its last hand, and was another one before.

    Where nobody has won, it yields each by which somebody is at the target that held before. `first` are the rules that
    the match began with.
    """
    deciding, last = deciding_options(state) or ("win_rule", "tie_rule"), state.last_scored
    target = ("target",) if {"win_rule", "tie_rule"}.intersection(deciding) else ()
    with_it = [name for name in (last.hand.house or {} if last else {}) if name in options()]
    played = [hand for hand in state.results if last and hand.position <= last.position]
    for option in dict.fromkeys((*target, *deciding, *with_it)):
        earlier = [first, *(hand.ruleset for hand in played)]
        changes = [
            (hand, before)
            for before, hand in zip(earlier, played, strict=False)
            if before.answer(option) != hand.ruleset.answer(option)
        ]
        for hand, before in changes[-1:]:
            if not state.outcome and not any(has_reached_target(before, score) for score in state.scores.values()):
                continue
            words, day = QUESTIONS[option].rule, hand.hand.house_on
            on = f" ({dates.full_day(date.fromisoformat(day))})" if day else ""
            now = f"With hand {hand.number}{on} the table changed this: {words(played[-1].ruleset)}"
            yield f"{now} Until then: {words(before)} A change counts from its hand on."


_FOR_BIDDERS = ("bidder_first", "bidder_then_point_order", "higher_score")
"""The tie rules that prefer a made bid."""
_MAX_ASKED = 5
"""The most awards that are named in a question."""
_MAX_ALTERNATIVES = 3
"""The most sets of awards that are listed with which a side would win."""


class Verdict(NamedTuple):
    """Who won and why, or why nobody has."""

    sentence: str
    """By which bid or rule, in one breath."""
    also: str = ""
    """What a table would want to know beside that; empty for nothing."""


def verdict_sentence(state: MatchState, names: Names, *, stopped: bool = False) -> str:
    """Return a verdict with what a table would want to know beside it."""
    return joined(*verdict(state, names, stopped=stopped))


def verdict(state: MatchState, names: Names, *, stopped: bool = False) -> Verdict:
    """Return who won and by which bid or rule, or why nobody has yet."""
    last = state.last_scored
    if state.outcome:
        if last is None or last.standing is None:
            return Verdict(_by_best_score(state, names))
        if state.outcome.chosen_by == "points":
            return _by_points_alone(state, last, names)
        return _verdict_of(_Ending(state, state.outcome, names, last, last.standing))
    if stopped:
        return _stopped(state, names)
    waiting = held_back_words(state, names)
    return waiting if waiting.sentence else Verdict(_nobody_yet(state))


@dataclass(frozen=True, slots=True)
class _Ending:
    """A match that is over, with the words that its sentences are made of."""

    state: MatchState
    outcome: Outcome
    names: Names
    hand: HandResult
    """The hand that decided."""
    standing: Standing
    """Where every side was at its end."""

    @property
    def who(self) -> str:
        return listed(named(self.outcome.winners, self.names))

    @property
    def winner(self) -> SideId:
        """The first of the winners, where one side alone can win."""
        return self.outcome.winners[0]

    @property
    def have_score(self) -> str:
        """What the winners have: "have 21"."""
        return f"{self.verb('have')} {score_text(self.standing.scores[self.winner])}"

    @property
    def target(self) -> int | None:
        return target_of(self.standing.ruleset)

    @property
    def rivals(self) -> tuple[SideStanding, ...]:
        """Who is at the target as well, and lacks something to win."""
        return tuple(side for side in self.standing.at_target if not side.may_win)

    @property
    def bid_by(self) -> str:
        """Who bid: "A, who called B,"."""
        bidder, *partners = self.standing.bidders
        return (
            f"{self.names[bidder]}, who called {listed(named(partners, self.names))},"
            if partners
            else self.names[bidder]
        )

    def verb(self, plural: str) -> str:
        return verb(self.state.seats, self.outcome.winners, plural)

    @property
    def there(self) -> str:
        """Who of those who may win reached the target in this hand, and who was there before."""
        reached = listed(named(self.standing.reached, self.names))
        were = listed(self.names[side.side] for side in self.standing.candidates if side.was_at_target)
        before = f"{were} had {at_target_words(self.standing.ruleset)} before this hand"
        if not were:
            if "&" in reached and len(self.standing.scores) == 2:
                reached = "Both sides"
            return f"{reached} reached {self.target} on the same hand"
        return f"{before}, and {reached} reached it in this hand" if reached else before


def at_target_words(ruleset: Ruleset) -> str:
    """Return which scores are at the target: "42 or more", "0 or less"."""
    return "0 or less" if ruleset.counts_down else f"{target_of(ruleset)} or more"


def _others_at_target(ending: _Ending) -> str:
    """Return what kept everybody else at the target from winning: "They have 21 too, but did not bid this hand."."""
    score = ending.standing.scores[ending.winner]
    others = [side for side in ending.standing.at_target if side.side not in ending.outcome.winners]
    if ending.outcome.rule != "bidder_or_play_on":
        others = [side for side in others if not side.may_win]
    return _in_a_sentence(
        (
            _lacks(ending.state, ending.hand, side),
            f"{_have(ending.state, side, ending.names)}{' too' if side.now == score else ''}",
        )
        for side in others
    )


def _in_a_sentence(at_target: Iterable[tuple[str, str]]) -> str:
    """Return what sides have with the reason that some have in common: "A has 21 and B has 22, but neither bid"."""
    by_reason = grouped(at_target)
    said = (f"{listed(those)}{_of_several(those, reason)}" for reason, those in by_reason.items())
    return f"{'; '.join(said)}." if by_reason else ""


def _have(state: MatchState, side: SideStanding, names: Names) -> str:
    """Return a side with its score: "They have 25"."""
    return f"{names[side.side]} {verb(state.seats, [side.side], 'have')} {score_text(side.now)}"


def _of_several(those: Sequence[str], reason: str) -> str:
    """Return the reason that some have in common: ", but neither bid this hand"."""
    if len(those) == 1:
        return reason
    neither = "neither" if len(those) == 2 else "none of them"
    for one, other in _SAID_OF_SEVERAL.items():
        reason = reason.replace(f", but {one}", f", but {neither} {other}")
    return reason


_SAID_OF_SEVERAL = {
    "did not win": "won",
    "did not bid": "bid",
    "do not lead": "leads",
    "does not lead": "leads",
}


def _lacks(state: MatchState, hand: HandResult, side: SideStanding, which: str = "this hand") -> str:
    """Return what kept a side at the target from winning, as the end of a sentence: ", but did not bid this hand"."""
    standing = hand.standing
    if standing is None:
        return ""
    were = verb(state.seats, [side.side], "were")
    if side.missing == (Clause.LEAD,):
        do = verb(state.seats, [side.side], "do")
        return f", but {do} not lead by {standing.ruleset.winning.win_by}"
    if side.side == standing.set_taken_by:
        return ", but went set instead of bidding"
    if side.side in standing.was_set:
        bid = f"bid {bid_word(hand.bid)} and {were} set"
        return f", but {bid if side.side == standing.bidder else f'{were} set as the partner'}"
    if side.side in standing.bidders:
        return f", but {were} called and did not bid"
    if Clause.BID_OR_SET in side.missing and standing.made is None:
        return f", but nobody bid {which}"
    return f", but {no_bid_words(state, hand, side.side, which)}"


def no_bid_words(state: MatchState, hand: HandResult, side: SideId, which: str) -> str:
    """Return that a side did not have the bid; not that it did not bid, where the calls show that it did."""
    return "did not win the bidding" if _has_called(state, hand, side) else f"did not bid {which}"


def _has_called(state: MatchState, hand: HandResult, side: SideId) -> bool:
    return any(call != PASS and state.seats.side_of(who) == side for who, call in hand.hand.auction or ())


def _made_bid(ending: _Ending) -> str:
    who, bid = ending.who, bid_word(ending.hand.bid)
    if ending.winner == ending.standing.bidder:
        return f"{who} bid {bid}, made it and {ending.have_score}."
    return f"{who} {ending.verb('were')} on the side that bid {bid} and made it, and {ending.have_score}."


def _first_to_target(ending: _Ending) -> str:
    standing, who = ending.standing, ending.who
    if ending.rivals and all(rival.missing == (Clause.LEAD,) for rival in ending.rivals):
        rest = listed([f"{ending.names[rival.side]} {score_text(rival.now)}" for rival in ending.rivals])
        return f"{who} {ending.have_score} to {rest}: a lead of {standing.ruleset.winning.win_by} wins."
    if standing.made and ending.winner in standing.bidders:
        return _made_bid(ending)
    return f"{_whose_set(ending)}{who} {_took(ending)}{ending.have_score}."


def _whose_set(ending: _Ending) -> str:
    """Return whose bid failed before somebody else wins: "They bid 5 and were set; "."""
    standing = ending.standing
    if not standing.was_set or ending.winner in standing.was_set:
        return ""
    side = standing.was_set[0]
    if side == standing.set_taken_by:
        return f"{ending.names[side]} went set; "
    were = verb(ending.state.seats, [side], "were")
    return f"{ending.names[side]} bid {bid_word(ending.hand.bid)} and {were} set; "


def _took(ending: _Ending) -> str:
    """Return what a hand brought its winner: "took 6 and "; empty for nothing."""
    standing, points = ending.standing, ending.hand.score.points if ending.hand.score else {}
    gain = standing.ruleset.sign * (standing.scores[ending.winner] - standing.before[ending.winner])
    return f"{'took' if gain == points.get(ending.winner) else 'scored'} {gain} and " if gain > 0 else ""


def _win_without_bid(ending: _Ending) -> str:
    """Return that somebody wins who did not bid: points alone do, but where it takes a bid that failed (`002`)."""
    standing = ending.standing
    if ending.rivals and all(side.missing == (Clause.LEAD,) for side in ending.rivals):
        return ""
    if ending.rivals or not standing.bidders or ending.winner in standing.bidders:
        return _others_at_target(ending)
    if standing.ruleset.winning.defenders_stop_at_one:
        return ""
    has_called = _has_called(ending.state, ending.hand, ending.winner)
    return f"{ending.who} did not have to {'win the bidding' if has_called else 'bid'}."


def _bidder_first(ending: _Ending) -> str:
    if ending.outcome.chosen_by != "bid":
        return _better_score(ending)
    was_there = any(side.was_at_target for side in ending.standing.candidates)
    if ending.winner != ending.standing.bidder:
        return f"{ending.there}; {ending.who} {ending.verb('were')} on the side that bid."
    return f"{ending.there}; {ending.who} {'made' if was_there else 'had'} the bid."


def _set_at_target(ending: _Ending) -> str:
    """Return whose bid was set of those who may win: their bid does not win then."""
    among = [
        side
        for side in ending.standing.was_set
        if any(candidate.side == side for candidate in ending.standing.candidates)
    ]
    return f"{listed(named(among, ending.names))} {verb(ending.state.seats, among, 'were')} set" if among else ""


def _better_score(ending: _Ending) -> str:
    have = ending.verb("have")
    best = "best" if len(ending.standing.candidates) > 2 else "better"
    if ending.outcome.chosen_by == "bid":
        return f"{ending.there}; their scores are tied, and {ending.who} had the bid."
    if ending.standing.ruleset.winning.tie_rule in _FOR_BIDDERS and (was_set := _set_at_target(ending)):
        return f"{ending.there}; {was_set}, and {ending.who} {have} the {best} score."
    return f"{ending.there}; {ending.who} {have} the {best} score."


def _point_order(ending: _Ending) -> str:
    """Return who was first as the points count in order, in every way in which they can have been taken."""
    who, target, have = ending.who, ending.target, ending.verb("have")
    first = ending.standing.reached
    if ending.hand.hand.taken is None:
        if ending.outcome.chosen_by == "order":
            reach = ending.verb("reach")
            return f"{ending.there}; counted in order, {who} {reach} {target} first, whoever took which point."
        if ending.winner in first:
            return f"{ending.there}; nobody reaches {target} before {who}, who {have} the better score."
        return f"{ending.there}; {who} {have} a better score than whoever reached {target} first."
    _, there = _counted_in_order(ending)
    were = verb(ending.state.seats, there, "were")
    together = f"{listed(named(there, ending.names))} were there together" if len(there) > 1 else ""
    said = f"{ending.there}; counted in order, {together or f'{listed(named(there, ending.names))} {were} first'}"
    if len(there) == 1 and len(first) == len(ending.standing.candidates):
        return f"{said}."
    return f"{said}, and {who} {have} the better score."


def _counts_in_order(ending: _Ending) -> str:
    """Return the count that decided: "Us 20, Them 19; High makes them 20; Low makes them 21."."""
    steps, _ = _counted_in_order(ending) if ending.hand.hand.taken is not None else ((), ())
    return joined(f"{'; '.join(steps)}." if steps else "", _others_at_target(ending))


def _counted_in_order(ending: _Ending) -> tuple[Sequence[str], Sequence[SideId]]:
    """Return the count up to the target, step by step, and who was there first."""
    hand, standing = ending.hand, ending.standing
    racing = standing.reached
    lines = hand.score.lines if hand.score else ()
    steps = [scores_text(standing.before, ending.names)]
    if hand.score and (after := _penalized(standing.before, hand.score)):
        steps.append(f"penalty points make {scores_text(after, ending.names)}")
    for award, counted in counts_in_order(hand.ruleset, standing.before, lines):
        takers = {line.side for line in lines if line.award == award}
        if moved := {side: score for side, score in counted.items() if side in takers}:
            what = hand.ruleset.awards[award].name if award else "the rest"
            steps.append(f"{what} makes {scores_text(moved, ending.names)}")
            if there := [side for side in racing if has_reached_target(hand.ruleset, counted[side])]:
                return steps, there
    return steps, racing


def _turned_up(ending: _Ending) -> str:
    ruleset, before = ending.standing.ruleset, score_text(ending.standing.before[ending.winner])
    lines = ending.hand.score.lines if ending.hand.score else ()
    turned = [
        line
        for line in lines
        if line.side == ending.winner and line.award and isinstance(ruleset.kinds[line.award], TurnedUp)
    ]
    if not turned:
        reached = (
            f"{ending.who} had {before} and reached {ending.target} with a card turned up, whoever took which point"
        )
        return f"{reached}: that wins at once."
    cards = listed(award_name(ruleset, line.award) for line in turned if line.award)
    after = score_text(ending.standing.before[ending.winner] + sum(line.points for line in turned))
    had = f"{ending.who} had {before}, and {cards} {'make' if len(turned) > 1 else 'makes'} {after}"
    return f"{had}: that wins at once."


def _given_first(ending: _Ending) -> str:
    before = ending.standing.before[ending.winner]
    after = _penalized(ending.standing.before, ending.hand.score) if ending.hand.score else {}
    given = after.get(ending.winner, before) - before
    had = f"{ending.who} had {score_text(before)}, and {digits(abs(given), 'point')} for the others’ mistake"
    return f"{had} {'makes' if abs(given) == 1 else 'make'} {score_text(before + given)}: that counts first."


def _penalized(before: Mapping[SideId, int], score: HandScore) -> dict[SideId, int]:
    """Return the scores of the sides that penalty points move before anything else in a hand counts."""
    after = with_penalties(before, score.lines)
    return {side: points for side, points in after.items() if points != before[side]}


def _forfeit(ending: _Ending) -> str:
    losers = ending.outcome.losers
    lose = verb(ending.state.seats, losers, "lose")
    return f"{listed(named(losers, ending.names))} {lose} the match by a renege."


def _pegged(ending: _Ending) -> str:
    return f"{ending.there}; {ending.who} pegged it first."


def _moon_won(ending: _Ending) -> str:
    said = f"{ending.bid_by} shot the moon and made it: that wins the match"
    is_all = ending.outcome.winners in (ending.standing.bidders, ending.standing.bidders[:1])
    return f"{said}{'' if is_all else ' for whoever was not below zero'}."


def _moon_lost(ending: _Ending) -> str:
    lost = f"{ending.bid_by} shot the moon and did not make it"
    is_all = len(ending.outcome.losers) == len(ending.standing.bidders)
    whose = "" if is_all else f" for {listed(named(ending.outcome.losers, ending.names))}"
    return f"{lost}: that loses the match{whose}."


def _set_limit(ending: _Ending) -> str:
    state, losers = ending.state, ending.outcome.losers
    by_number = grouped(((state.sets.get(side, 0), _on_paper(state, side)), side) for side in losers)
    were = [
        f"{listed(named(those, ending.names))} {verb(state.seats, those, 'were')} set {times(often)}"
        + (f", {before} of them on paper" if before > 0 else "")
        for (often, before), those in by_number.items()
    ]
    return f"{listed(were)}: that loses the match."


def _on_paper(state: MatchState, side: SideId) -> int:
    """Return how many sets of a side came from paper."""
    scored = (hand.score for hand in state.results if hand.score and hand.status == "scored")
    return state.sets.get(side, 0) - sum((score.sets or {}).get(side, 0) for score in scored)


def _by_best_score(state: MatchState, names: Names) -> str:
    """Return who won a match of a number of hands, which may all have been played before its record began."""
    winners = state.winners
    have = "share" if len(winners) > 1 else verb(state.seats, winners, "have")
    score = score_text(state.scores[winners[0]])
    return f"{listed(named(winners, names))} {have} the best score after {digits(state.scored, 'hand')}: {score}."


def _by_points_alone(state: MatchState, last: HandResult, names: Names) -> Verdict:
    """Return who had won by points alone, before the form had a question for who took what."""
    who, score = listed(named(state.winners, names)), score_text(state.scores[state.winners[0]])
    rests = "That rests on points alone, which do not say who won"
    return Verdict(
        f"{who} won when this match ended, with {score}.", f"{rests}: to tell it, correct hand {last.number} by cards."
    )


def _verdict_of(ending: _Ending) -> Verdict:
    """Return who won by which rule, with what the table would want to know beside that."""
    rule, also = ending.outcome.rule, _others_at_target
    match rule:
        case "made_bid" | "bidder_or_play_on":
            won = _made_bid
        case "first_to_target":
            won, also = _first_to_target, _win_without_bid
        case "turned_up":
            won = _turned_up
        case "given_first":
            won = _given_first
        case "forfeit":
            won = _forfeit
        case "pegged":
            won = _pegged
        case "bidder_first":
            won = _bidder_first
        case "better_score" | "higher_score" | "higher_score_or_play_on" | "another_hand":
            won = _better_score
        case "point_order" | "bidder_then_point_order":
            won, also = _point_order, _counts_in_order
            if ending.outcome.chosen_by == "bid":
                won, also = _bidder_first, _others_at_target
        case "moon_won":
            won = _moon_won
        case "moon_lost":
            won = _moon_lost
        case "all_points":
            return Verdict(f"{ending.who} took every point of the hand: that wins the match.", also(ending))
        case "set_limit":
            won = _set_limit
        case "hands":
            return Verdict(_by_best_score(ending.state, ending.names), also(ending))
        case _:
            assert_never(rule)
    return Verdict(won(ending), also(ending))


def question_sentence(state: MatchState) -> str:
    """Return the question about the last hand that decides who won; empty where there is none."""
    last = state.last_scored
    if state.question is None or last is None:
        return ""
    asked = state.question.awards
    if not asked:
        pegged = last.ruleset.winning.pegged
        did, what = ("pegged", "The points") if pegged else ("reached", "Points alone")
        return f"It depends: who {did} {target_of(last.ruleset)} first? {what} do not say who won."
    awards = listed(award_names(last.ruleset, asked)) if len(asked) <= _MAX_ASKED else "what"
    return f"It depends: who took {awards}? Points alone do not say who won."


def answers_sentence(state: MatchState, names: Names) -> str:
    """Return who would win by which answer to a question: "Ann & Cal win with High or Low, Bea & Dan with both.".

    It is empty where that does not fit in a line, or where the same awards are enough for everybody, which the question
    shows already.
    """
    last, question = state.last_scored, state.question
    if last is None or question is None:
        return ""
    enough = {side: question.minimal_winning_awards(side) for side in question.winners}
    if len(set(enough.values())) < 2 or not all(0 < len(sets) <= _MAX_ALTERNATIVES for sets in enough.values()):
        return ""
    told: list[str] = []
    for side, sets in enough.items():
        win = "" if told else f" {verb(state.seats, [side], 'win')}"
        told.append(f"{names[side]}{win} with {_any_of(last.ruleset, sets)}")
    return f"{', '.join(told)}."


def _any_of(ruleset: Ruleset, sets: Sequence[Sequence[AwardId]]) -> str:
    """Return which awards are enough: "High or Low", "High and Low"."""
    return listed([listed(award_name(ruleset, award) for award in awards) for awards in sets], "or")


def _stopped(state: MatchState, names: Names) -> Verdict:
    """Return that nobody has won: to lead, or to have a score where money is played for, wins nothing."""
    target, said = target_of(state.ruleset), "The match stopped before anyone won."
    if target is None:
        return Verdict("Nobody wins by points: you settle up in money." if state.ruleset.pays else said)
    if waiting := held_back_words(state, names).sentence:
        return Verdict(said, waiting)
    is_tied = len(leading(state.ruleset, state.scores, state.scores)) == len(state.scores)
    return Verdict(said, f"Nobody has reached {target}{'' if is_tied else ', and leading does not win'}.")


def _nobody_yet(state: MatchState) -> str:
    if state.ruleset.winning.length == "hands":
        hands = state.ruleset.winning.hands or 0
        if state.scored >= hands:
            return f"{hands_played(state.scored)}, and the best scores are tied: play another hand."
        return f"The match goes on: {state.scored} of {hands} hands are played."
    target = target_of(state.ruleset)
    return no_end_sentence(state.ruleset) if target is None else f"Nobody has reached {target} yet."


def lacking_ends(ruleset: Ruleset) -> list[str]:
    """Return what a table has still to pick before a score can end the match: "a target", "a win rule"."""
    has_target = "target" not in ruleset.to_agree or ruleset.winning.target is not None or ruleset.counts_down
    return [*([] if has_target else ["a target"]), *([] if ruleset.winning.win_rule else ["a win rule"])]


def no_end_sentence(ruleset: Ruleset) -> str:
    """Return why no score ends a match that has no target, or no rule of who wins at it."""
    if lacking := lacking_ends(ruleset):
        return f"Nobody picked {listed(lacking, 'or')}, so no score ends the match."
    end = "you settle up in money when you stop" if ruleset.pays else "it ends when you stop"
    return f"No score ends this match: {end}."


def held_back_words(state: MatchState, names: Names, *, hand: str = "this hand") -> Verdict:
    """Return who is at the target and has not won, each with the reason, and what wins next.

    It is empty where nobody is; `hand` is what the last hand is called.
    """
    last, standing = state.last_scored, state.standing
    if state.question:
        asks, _, why = question_sentence(state).partition("? ")
        return Verdict(f"{asks}?", joined(why, answers_sentence(state, names)))
    if state.outcome or not standing.at_target:
        return Verdict("")
    is_overtime_now = is_overtime(state.ruleset, state.best_of_two)
    hand_ended = last if standing.is_end_of_hand else None
    lead = _in_a_sentence(
        (
            _lacks(state, hand_ended, side, hand) if hand_ended and (side.missing or is_overtime_now) else "",
            _have(state, side, names),
        )
        for side in standing.at_target
    )
    return Verdict(lead, _what_wins_next(state, names))


def _what_wins_next(state: MatchState, names: Names) -> str:
    winning, at_target = state.ruleset.winning, state.standing.at_target
    missing = [side.missing for side in at_target]
    if all(Clause.MADE_BID in clauses for clauses in missing):
        lead = f" with a lead of {winning.win_by}" if winning.win_by else ""
        if len(at_target) > 1:
            return f"The next of them to make a bid wins{lead}."
        side = at_target[0].side
        return f"The next bid that {names[side]} {verb(state.seats, [side], 'make')} wins{lead}."
    if is_overtime(state.ruleset, state.best_of_two):
        return sentence(f"{until_made_bid(state.ruleset)}.")
    if all(Clause.BID_OR_SET in clauses for clauses in missing):
        return "A win takes a made bid, or a bid of the others that is set."
    if any(Clause.LEAD in clauses for clauses in missing):
        return f"A winner needs a lead of {winning.win_by}."
    return "Play another hand to decide."


def until_made_bid(ruleset: Ruleset) -> str:
    """Return how a match goes on that only a bidder can win now."""
    words, goal = placeholders(ruleset), "0" if ruleset.counts_down else at_target_words(ruleset)
    if lead := ruleset.winning.win_by:
        return f"keep playing until the bidder makes the bid, is at {goal} and leads by {lead}"
    return f"keep playing until {words['bidder_who']} makes {words['its']} bid is at {goal}"
