"""Who has won and by which rule, or why nobody has yet, in a sentence or two."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.engine.hand import SideId
from scorekeeper.engine.matches import HandResult, MatchState
from scorekeeper.engine.outcome import Outcome, is_there, target_of, worth
from scorekeeper.engine.words.phrases import bid_word, hands_played, listed, plain, times, verb


def because(state: MatchState, *, stopped: bool = False) -> str:
    """Say in a sentence or two who won and by which rule, or why nobody has yet."""
    if state.outcome:
        ending = _Ending(state, state.outcome)
        return _SENTENCES[state.outcome.rule](ending)
    if stopped:
        return f"The table stopped before there was a winner. {_lead(state)}"
    return _nobody_yet(state)


@dataclass(frozen=True, slots=True)
class _Ending:
    """A match that is over, in the words that its sentences are made of."""

    state: MatchState
    outcome: Outcome

    @property
    def who(self) -> str:
        return listed(self.outcome.winners)

    @property
    def losers(self) -> str:
        return listed(self.outcome.losers)

    @property
    def win(self) -> str:
        return self.verb("win", "wins")

    @property
    def score(self) -> str:
        return plain(self.state.scores[self.outcome.winners[0]])

    @property
    def hand(self) -> HandResult:
        """The hand that decided; only endings that a hand brought ask for it."""
        return next(hand for hand in reversed(self.state.hands) if hand.status == "scored")

    @property
    def bidders(self) -> tuple[SideId, ...]:
        """The side that won the bidding of that hand, and its partner's."""
        camps = self.hand.camps
        return camps.groups[0] if camps and camps.has_bidders else ()

    @property
    def there(self) -> list[SideId]:
        """Everybody who has reached the target."""
        return [name for name in self.state.seats.names if is_there(self.state.ruleset, self.state.scores[name])]

    @property
    def several_there(self) -> str:
        return f"{listed(self.there)} got to {target_of(self.state.ruleset)} in the same hand."

    def verb(self, plural: str, singular: str) -> str:
        return verb(self.state.seats, self.outcome.winners, plural, singular)


def _made_bid(ending: _Ending) -> str:
    who, bid = ending.who, bid_word(ending.hand.bid)
    if ending.outcome.winners[0] == ending.bidders[0]:
        said = f"{who} bid {bid}, made it, and {ending.verb('stand', 'stands')} at {ending.score}."
    else:
        made = f"{who} {ending.verb('were', 'was')} on the side that bid {bid} and made it"
        said = f"{made}, and {ending.verb('stand', 'stands')} at {ending.score}."
    for name in ending.there:
        if name not in ending.bidders:
            have = verb(ending.state.seats, [name], "have", "has")
            said += f" {name} {have} {plain(ending.state.scores[name])} but did not bid this hand."
    return said


def _first_to_target(ending: _Ending) -> str:
    others = [name for name in ending.there if name not in ending.outcome.winners]
    if others:
        rest = listed([f"{name} {plain(ending.state.scores[name])}" for name in others])
        lead = f"the lead of {ending.state.ruleset.winning.win_by} that it takes"
        return (
            f"{ending.who} {ending.verb('have', 'has')} {ending.score} to {rest}: {lead}, so {ending.who} {ending.win}."
        )
    at = "down at 0" if ending.state.ruleset.winning.count_down_from else f"at {target_of(ending.state.ruleset)}"
    return f"{ending.who} {ending.verb('have', 'has')} {ending.score}, and {ending.win}: nobody else is {at}."


def _bidder_first(ending: _Ending) -> str:
    who = ending.who
    if ending.bidders and ending.outcome.winners[0] == ending.bidders[0]:
        return f"{ending.several_there} {who} won the bidding, so {who} {ending.win} with {ending.score}."
    if ending.outcome.winners[0] in ending.bidders:
        return f"{ending.several_there} The bidding side goes first, so {who} {ending.win} with {ending.score}."
    best = f"{who} {ending.verb('have', 'has')} the best score of them"
    return f"{ending.several_there} {best}, so {who} {ending.win} with {ending.score}."


def _higher_score(ending: _Ending) -> str:
    winner = ending.outcome.winners[0]
    level = [name for name in ending.there if ending.state.scores[name] == ending.state.scores[winner]]
    why = f"The scores are level, and {ending.who} had the bid" if len(level) > 1 else "The better score wins"
    return f"{ending.several_there} {why}, so {ending.who} {ending.win} with {ending.score}."


def _point_order(ending: _Ending) -> str:
    order = ", ".join(award.name for award in ending.state.ruleset.in_play.values())
    first = f"{ending.who} {ending.verb('were', 'was')} there first"
    return f"{ending.several_there} Counted in the order {order}, {first}."


def _bidder_or_play_on(ending: _Ending) -> str:
    bid = f"{ending.who} bid {bid_word(ending.hand.bid)} and {ending.verb('have', 'has')} {ending.score}"
    return f"{bid}: the bidder goes out before anybody else."


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
    return f"{ending.losers} {were} set {often}: that loses the match, so {ending.who} {ending.win}."


def _hands(ending: _Ending) -> str:
    share = "share the win" if len(ending.outcome.winners) > 1 else ending.win
    best = f"{ending.who} {ending.verb('have', 'has')} the best score, {ending.score}, and {share}"
    return f"{hands_played(ending.state.ruleset.winning.hands or 0)}. {best}."


_SENTENCES: Mapping[str, Callable[[_Ending], str]] = {
    "made_bid": _made_bid,
    "first_to_target": _first_to_target,
    "bidder_first": _bidder_first,
    "higher_score": _higher_score,
    "point_order": _point_order,
    "bidder_or_play_on": _bidder_or_play_on,
    "moon_won": _moon_won,
    "moon_lost": _moon_lost,
    "all_points": _all_points,
    "set_limit": _set_limit,
    "hands": _hands,
}
"""How each way that a match ends is told, by the rule that decided."""


def _lead(state: MatchState) -> str:
    best = max(worth(state.ruleset, score) for score in state.scores.values())
    leaders = [name for name, score in state.scores.items() if worth(state.ruleset, score) == best]
    if len(leaders) == len(state.scores):
        return f"All are level at {plain(state.scores[leaders[0]])}."
    rest = [f"{name} {plain(score)}" for name, score in state.scores.items() if name not in leaders]
    lead = verb(state.seats, leaders, "lead", "leads")
    return f"{listed(leaders)} {lead} with {plain(state.scores[leaders[0]])}; {listed(rest)}."


def _nobody_yet(state: MatchState) -> str:
    ruleset, winning = state.ruleset, state.ruleset.winning
    if winning.length == "hands":
        return _hands_to_come(state)
    if winning.win_rule is None:
        return "No win rule has been agreed, so no score ends the match."
    target = target_of(ruleset)
    if target is None:
        if "target" in ruleset.to_agree:
            return "No target has been agreed, so no score ends the match."
        return "No score ends this match: it is settled in money when the table stops."
    there = [name for name in state.seats.names if is_there(ruleset, state.scores[name])]
    if not there:
        return f"Nobody has {'come down to 0' if winning.count_down_from else f'reached {target}'} yet."
    return _there_but_not_out(state, there)


def _hands_to_come(state: MatchState) -> str:
    hands = state.ruleset.winning.hands or 0
    if state.scored >= hands:
        return f"{hands_played(hands)}, and the best score is level: play another hand."
    return f"The match goes on: {state.scored} of {hands} hands are played. {_lead(state)}"


def _there_but_not_out(state: MatchState, there: Sequence[SideId]) -> str:
    winning = state.ruleset.winning
    have = listed([f"{name} {verb(state.seats, [name], 'have', 'has')} {plain(state.scores[name])}" for name in there])
    if state.overtime:
        return f"{have}, and none of them was the bidder: play on until a bidder makes a bid and is there."
    if winning.win_rule == "made_bid":
        return f"{have}, but only a made bid goes out. Play on."
    if winning.win_by:
        return f"{have}, but a lead of {winning.win_by} is needed. Play on."
    return f"{have}: that is not decided by the rule of this table. Play another hand."
