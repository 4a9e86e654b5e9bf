"""Who has won and by which rule, or why nobody has yet, in a sentence or two."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.engine.hand import SideId
from scorekeeper.engine.match import HandResult, MatchState
from scorekeeper.engine.outcome import Outcome, counts_in_order, has_reached_target, leading, target_of
from scorekeeper.narration.phrases import (
    Names,
    bid_word,
    hands_played,
    joined,
    named,
    score_text,
    scores_text,
    verb,
)
from scorekeeper.narration.taken import made_words, set_sentence
from scorekeeper.rules.phrases import listed, placeholders, times
from scorekeeper.rules.schema import Ruleset

_BROUGHT_BY_A_SET = (
    "first_to_target",
    "bidder_first",
    "higher_score",
    "higher_score_or_play_on",
    "point_order",
    "bidder_then_point_order",
    "moon_lost",
    "set_limit",
)
"""The rules that decide a match in a hand whose bid may have been set: what was missing is then part of the reason."""


def verdict_sentence(state: MatchState, names: Names, *, stopped: bool = False) -> str:
    """Return in a sentence or two who won and by which rule, or why nobody has yet."""
    if state.outcome:
        ending = _Ending(state, state.outcome, names)
        said = _SENTENCES[state.outcome.rule](ending)
        if state.outcome.rule in _BROUGHT_BY_A_SET:
            return joined(said, set_sentence(state.seats, ending.hand, names))
        return said
    if stopped:
        return _stopped(state, names)
    return _nobody_yet(state, names)


@dataclass(frozen=True, slots=True)
class _Ending:
    """A match that is over, with the words that its sentences are made of."""

    state: MatchState
    outcome: Outcome
    names: Names

    @property
    def who(self) -> str:
        return listed(named(self.outcome.winners, self.names))

    @property
    def losers(self) -> str:
        return listed(named(self.outcome.losers, self.names))

    @property
    def win(self) -> str:
        return self.verb("win", "wins")

    @property
    def score(self) -> str:
        return self.score_of(self.outcome.winners[0])

    def score_of(self, side: SideId) -> str:
        return score_text(self.state.scores[side])

    @property
    def hand(self) -> HandResult:
        """The hand that decided; only endings that a hand brought ask for it."""
        return next(hand for hand in reversed(self.state.results) if hand.status == "scored")

    @property
    def bidders(self) -> tuple[SideId, ...]:
        """The side that won the bidding of that hand, and its partner's."""
        return self.hand.hand_sides.bidders if self.hand.hand_sides else ()

    @property
    def at_target(self) -> list[SideId]:
        """Everybody who has reached the target."""
        return _at_target(self.state)

    def at_target_by(self, scores: Mapping[SideId, int]) -> list[SideId]:
        """Return everybody who is at the target now, and was there with the scores on the way."""
        return [side for side in self.at_target if has_reached_target(self.state.ruleset, scores[side])]

    @property
    def several_at_target(self) -> str:
        who = listed(named(self.at_target, self.names))
        return f"{who} reached {target_of(self.state.ruleset)} on the same hand."

    def verb(self, plural: str, singular: str) -> str:
        return verb(self.state.seats, self.outcome.winners, plural, singular)


def _made_bid(ending: _Ending) -> str:
    who, bid = ending.who, bid_word(ending.hand.bid)
    if ending.outcome.winners[0] == ending.bidders[0]:
        made = made_words(ending.state.seats, ending.hand)
        said = f"{who} bid {bid}, {made}, and {ending.verb('have', 'has')} {ending.score}."
    else:
        made = f"{who} {ending.verb('were', 'was')} on the side that bid {bid} and made it"
        said = f"{made}, and {ending.verb('have', 'has')} {ending.score}."
    for side in ending.at_target:
        if side not in ending.bidders:
            have = verb(ending.state.seats, [side], "have", "has")
            said += f" {ending.names[side]} {have} {ending.score_of(side)} but did not bid this hand."
    return said


def _first_to_target(ending: _Ending) -> str:
    others = [side for side in ending.at_target if side not in ending.outcome.winners]
    if others:
        rest = listed([f"{ending.names[side]} {ending.score_of(side)}" for side in others])
        lead = f"a lead of {ending.state.ruleset.winning.win_by} wins"
        return (
            f"{ending.who} {ending.verb('have', 'has')} {ending.score} to {rest}: {lead}, so {ending.who} {ending.win}."
        )
    at = target_of(ending.state.ruleset)
    said = f"{ending.who} {ending.verb('have', 'has')} {ending.score} and {ending.win}: nobody else has reached {at}."
    if ending.bidders and ending.outcome.winners[0] not in ending.bidders:
        said += f" {ending.who} did not bid this hand, and did not need to: points alone win here."
    return said


def _bidder_first(ending: _Ending) -> str:
    who = ending.who
    if ending.bidders and ending.outcome.winners[0] == ending.bidders[0]:
        return f"{ending.several_at_target} {who} won the bidding, so {who} {ending.win} with {ending.score}."
    if ending.outcome.winners[0] in ending.bidders:
        return f"{ending.several_at_target} The bidding side goes out first, so {who} {ending.win} with {ending.score}."
    best = f"{who} {ending.verb('have', 'has')} the best score of them"
    return f"{ending.several_at_target} {best}, so {who} {ending.win} with {ending.score}."


def _higher_score(ending: _Ending) -> str:
    winner = ending.outcome.winners[0]
    level = [side for side in ending.at_target if ending.state.scores[side] == ending.state.scores[winner]]
    why = f"Their scores are tied, and {ending.who} had the bid" if len(level) > 1 else "The better score wins"
    return f"{ending.several_at_target} {why}, so {ending.who} {ending.win} with {ending.score}."


def _point_order(ending: _Ending) -> str:
    hand, names, target = ending.hand, ending.names, target_of(ending.state.ruleset)
    lines = hand.score.lines if hand.score else ()
    before = {side: score - hand.deltas[side] for side, score in hand.scores.items()}
    steps, there = [scores_text(before, names)], ending.at_target_by(before)
    for award, counted in counts_in_order(hand.ruleset, before, lines):
        takers = {line.side for line in lines if line.award == award}
        moved = {side: score for side, score in counted.items() if side in takers}
        if there or not moved:
            continue
        what = hand.ruleset.awards[award].name if award else "the rest"
        steps.append(f"{what} makes {scores_text(moved, names)}")
        there = ending.at_target_by(counted)
    said = f"{ending.several_at_target} Counted in order: {'; '.join(steps)}."
    if len(there) > 1:
        return f"{said} They reach {target} together, and the better score wins, so {ending.who} {ending.win}."
    return f"{said} {ending.who} {ending.verb('were', 'was')} first to reach {target}."


def _bidder_then_point_order(ending: _Ending) -> str:
    return _bidder_first(ending) if ending.outcome.winners[0] in ending.bidders else _point_order(ending)


def _bidder_or_play_on(ending: _Ending) -> str:
    bid = f"{ending.who} bid {bid_word(ending.hand.bid)} and {ending.verb('have', 'has')} {ending.score}"
    said = f"{bid}: the bidder goes out before anyone else."
    for side in ending.at_target:
        if side not in ending.outcome.winners:
            have = f"{ending.names[side]} {verb(ending.state.seats, [side], 'have', 'has')} {ending.score_of(side)}"
            called = side in ending.bidders
            said += f" {have}, but {'was called and did not bid' if called else 'did not bid this hand'}."
    return said


def _moon_won(ending: _Ending) -> str:
    return f"{ending.who} shot the moon and made it: that wins the match."


def _moon_lost(ending: _Ending) -> str:
    lost = f"{ending.losers} shot the moon and did not make it"
    return f"{lost}: that loses the match, so {ending.who} {ending.win}."


def _all_points(ending: _Ending) -> str:
    return f"{ending.who} took every point of the hand: that wins the match."


def _set_limit(ending: _Ending) -> str:
    were = verb(ending.state.seats, ending.outcome.losers, "were", "was")
    often = times(ending.state.ruleset.winning.set_limit or 0)
    said = f"{ending.losers} {were} set {often}{_on_paper(ending)}"
    return f"{said}: that loses the match, so {ending.who} {ending.win}."


def _on_paper(ending: _Ending) -> str:
    """Return how many of the sets that decided a match came from paper: ", 2 of them on paper"."""
    state, loser = ending.state, ending.outcome.losers[0]
    scored = (hand.score for hand in state.results if hand.score and hand.status == "scored")
    here = sum((score.sets or {}).get(loser, 0) for score in scored)
    before = state.sets.get(loser, 0) - here
    return f", {before} of them on paper" if before > 0 else ""


def _hands(ending: _Ending) -> str:
    share = "share the win" if len(ending.outcome.winners) > 1 else ending.win
    best = f"{ending.who} {ending.verb('have', 'has')} the best score, {ending.score}, and {share}"
    return f"{hands_played(ending.state.ruleset.winning.hands or 0)}. {best}."


_SENTENCES: Mapping[str, Callable[[_Ending], str]] = {
    "made_bid": _made_bid,
    "first_to_target": _first_to_target,
    "bidder_first": _bidder_first,
    "higher_score": _higher_score,
    "higher_score_or_play_on": _higher_score,
    "point_order": _point_order,
    "bidder_then_point_order": _bidder_then_point_order,
    "bidder_or_play_on": _bidder_or_play_on,
    "moon_won": _moon_won,
    "moon_lost": _moon_lost,
    "all_points": _all_points,
    "set_limit": _set_limit,
    "hands": _hands,
}
"""The sentence for each way that a match ends, by the rule that decided."""


def _stopped(state: MatchState, names: Names) -> str:
    """Return that nobody has won: to lead, or to have a score where money is played for, wins nothing."""
    target = target_of(state.ruleset)
    if target is None and state.ruleset.pays:
        return "The match stopped: nobody wins by points, you settle up in money."
    said = f"The match stopped before anyone won. {_lead(state, names)}"
    is_tied = len(leading(state.ruleset, state.scores, state.scores)) == len(state.scores)
    if target is None or is_tied or _at_target(state):
        return said
    return f"{said} Nobody has reached {target}, and leading does not win."


def _lead(state: MatchState, names: Names) -> str:
    leaders = leading(state.ruleset, state.scores, state.scores)
    if len(leaders) == len(state.scores):
        return f"Everyone is tied at {score_text(state.scores[leaders[0]])}."
    rest = [f"{names[side]} {score_text(score)}" for side, score in state.scores.items() if side not in leaders]
    lead = verb(state.seats, leaders, "lead", "leads")
    return f"{listed(named(leaders, names))} {lead} with {score_text(state.scores[leaders[0]])}; {listed(rest)}."


def _at_target(state: MatchState) -> list[SideId]:
    return [side for side in state.seats.ids if has_reached_target(state.ruleset, state.scores[side])]


def _nobody_yet(state: MatchState, names: Names) -> str:
    ruleset = state.ruleset
    if ruleset.winning.length == "hands":
        return _hands_to_come(state, names)
    target = target_of(ruleset)
    if target is None:
        return no_end_sentence(ruleset)
    at_target = _at_target(state)
    if not at_target:
        return f"Nobody has reached {target} yet."
    return _at_target_but_not_out(state, names, at_target)


def no_end_sentence(ruleset: Ruleset) -> str:
    """Return why no score ends a match that has no target, or no rule of who goes out at it."""
    if ruleset.winning.win_rule is None:
        return "Nobody picked a win rule, so no score ends the match."
    if "target" in ruleset.to_agree:
        return "Nobody picked a target, so no score ends the match."
    end = "you settle up in money when you stop" if ruleset.pays else "it ends when you stop"
    return f"No score ends this match: {end}."


def _hands_to_come(state: MatchState, names: Names) -> str:
    hands = state.ruleset.winning.hands or 0
    if state.scored >= hands:
        return f"{hands_played(hands)}, and the best scores are tied: play another hand."
    return f"The match goes on: {state.scored} of {hands} hands are played. {_lead(state, names)}"


def _at_target_but_not_out(state: MatchState, names: Names, at_target: Sequence[SideId]) -> str:
    winning = state.ruleset.winning
    have = listed(
        [
            f"{names[side]} {verb(state.seats, [side], 'have', 'has')} {score_text(state.scores[side])}"
            for side in at_target
        ]
    )
    if state.overtime:
        goal = "0" if winning.count_down_from else f"{target_of(state.ruleset)} or more"
        words = placeholders(state.ruleset)
        until = f"{words['bidder_who']} makes {words['its']} bid is at {goal}"
        return f"{have}, and none of them was the bidder: keep playing until {until}."
    if winning.win_rule == "made_bid":
        return f"{have}, but only a made bid goes out. Play on."
    if winning.win_by:
        return f"{have}, but a winner needs a lead of {winning.win_by}. Play on."
    return f"{have}. Play another hand to decide."
