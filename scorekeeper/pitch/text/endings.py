"""What a match goes to, who has won and by which rule, or why nobody has yet: in a few words, and in sentences."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
    two_sides,
)
from scorekeeper.pitch.rules.questions import QUESTIONS
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import PASS, SideId
from scorekeeper.pitch.scoring.match import HandResult, MatchState
from scorekeeper.pitch.scoring.order import counts_in_order
from scorekeeper.pitch.scoring.outcome import ChosenBy, Outcome, OutcomeRule
from scorekeeper.pitch.scoring.score import HandScore, Reason, penalties_first
from scorekeeper.pitch.scoring.standing import (
    Clause,
    SideStanding,
    Standing,
    has_reached_target,
    is_overtime,
    leading,
    target_of,
)
from scorekeeper.pitch.text.dates import DateStyle
from scorekeeper.pitch.text.hands import came_of_bid, made_words, set_sentence
from scorekeeper.pitch.text.phrases import (
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
    """Return how a match ends, whoever is near: "First to 42 …; if both reach it, the bidder wins.".

    `may_tie` says whether several can reach the target on the same hand. It is empty where no score ends the match.
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
    return f"if {'both' if two_sides(ruleset) else 'several'} reach it, {wins}"


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
    return f"{listed(named(state.winners, names))} {verb(state.seats, state.winners, 'win', 'wins')}"


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


def deciding_options(state: MatchState) -> tuple[str, ...]:
    """Return the house options without which a match would have ended otherwise; none where nothing has ended it."""
    if state.outcome is None:
        return ()
    option, last = _words_of(state.outcome.rule).option, state.last_scored
    if state.outcome.rule not in ("first_to_target", "made_bid"):
        return (option,) if option else ()
    down = ("count_down_from",) if state.ruleset.counts_down else ()
    lacking = {side.missing for side in last.standing.at_target if side.missing} if last and last.standing else set()
    if lacking == {(Clause.LEAD,)}:
        return ("win_by",)
    was_held = last and last.score and any(line.reason is Reason.HELD_AT_ONE for line in last.score.lines)
    if was_held or any(Clause.BID_OR_SET in missing for missing in lacking):
        return ("defenders_stop_at_one",)
    return (option, *down, *(("win_by",) if (Clause.LEAD,) in lacking else ()))


def holding_options(state: MatchState) -> tuple[str, ...]:
    """Return the house options by which nobody who is at the target has won; none where nobody is, or it is asked."""
    at_target = state.standing.at_target
    if state.outcome or state.question or not at_target:
        return ()
    clauses = {clause for side in at_target for clause in side.missing}
    if is_overtime(state.ruleset, state.best_of_two):
        return ("tie_rule", "win_by") if state.ruleset.winning.win_by else ("tie_rule",)
    if any(side.may_win for side in at_target) and state.standing.is_end_of_hand:
        return ("tie_rule",)
    found = (name for clause, name in _HOLDS_BACK.items() if clause in clauses)
    return tuple(found) or ("win_rule", "tie_rule")


_HOLDS_BACK = {Clause.MADE_BID: "win_rule", Clause.BID_OR_SET: "defenders_stop_at_one", Clause.LEAD: "win_by"}
"""The option by which somebody lacks a clause."""


def is_tied_before_hand(state: MatchState) -> bool:
    """Return whether several may win at the end of a hand, of whom one was at the target before it."""
    standing = state.last_scored.standing if state.last_scored else None
    return (
        standing is not None
        and len(standing.candidates) > 1
        and any(side.was_at_target for side in standing.candidates)
    )


def changed_in_play(first: Ruleset, state: MatchState, dates: DateStyle) -> Iterator[str]:
    """Yield each rule that decided a match, or came with its last hand, and was another one before.

    Where nobody has won, it yields each by which somebody is at the target that held before. `first` are the rules that
    the match began with.
    """
    deciding, last = deciding_options(state) or ("win_rule", "tie_rule"), state.last_scored
    target = ("target",) if {"win_rule", "tie_rule"}.intersection(deciding) else ()
    with_it = [name for name in (last.hand.house or {} if last else {}) if name in options()]
    played = [hand for hand in state.results if last and hand.place <= last.place]
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
_MOST_ASKED = 5
"""So many awards are named in a question."""
_MOST_ALTERNATIVES = 3
"""In so many ways it is said with which awards a side would win."""


def verdict_sentence(state: MatchState, names: Names, *, stopped: bool = False) -> str:
    """Return in a sentence or two who won and by which rule, or why nobody has yet."""
    last = state.last_scored
    if state.outcome:
        if last is None or last.standing is None:
            return _by_best_score(state, names)
        if state.outcome.chosen_by == "points":
            return _by_points_alone(state, last, names)
        words = _words_of(state.outcome.rule)
        said = words.sentence(_Ending(state, state.outcome, names, last, last.standing))
        return joined(said, set_sentence(last, names)) if words.says_set else said
    if stopped:
        return _stopped(state, names)
    if state.question:
        return joined(question_sentence(state), answers_sentence(state, names))
    return _nobody_yet(state, names)


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
    def win(self) -> str:
        return self.verb("win", "wins")

    @property
    def score(self) -> str:
        return self.score_of(self.winner)

    @property
    def have_score(self) -> str:
        """What the winners have: "have 21"."""
        return f"{self.verb('have', 'has')} {self.score}"

    @property
    def target(self) -> int | None:
        return target_of(self.standing.ruleset)

    @property
    def rivals(self) -> tuple[SideStanding, ...]:
        """Who is at the target as well, and lacks something to win."""
        return tuple(it for it in self.standing.at_target if not it.may_win)

    @property
    def bid_by(self) -> str:
        """Who bid: "A, who called B,"."""
        bidder, *partners = self.standing.bidders
        return (
            f"{self.names[bidder]}, who called {listed(named(partners, self.names))},"
            if partners
            else self.names[bidder]
        )

    def score_of(self, side: SideId) -> str:
        return score_text(self.standing.scores[side])

    def verb(self, plural: str, singular: str) -> str:
        return verb(self.state.seats, self.outcome.winners, plural, singular)

    def have(self, side: SideId) -> str:
        """Return a side with its score: "They have 25"."""
        return f"{self.names[side]} {verb(self.state.seats, [side], 'have', 'has')} {self.score_of(side)}"

    def with_rivals(self, said: str) -> str:
        """Return a sentence with what everybody else at the target lacks to win."""
        return joined(said, *(f"{self.have(it.side)}{lacks(self.state, self.hand, it)}." for it in self.rivals))

    @property
    def there(self) -> str:
        """Who of those who may win reached the target in this hand, and who was there before."""
        may_win = self.standing.candidates
        reached = listed(self.names[it.side] for it in may_win if it.reached_target)
        were = listed(self.names[it.side] for it in may_win if it.was_at_target)
        before = f"{were} had {at_target_words(self.standing.ruleset)} before this hand"
        if not were:
            if "&" in reached and len(self.standing.scores) == 2:
                reached = "Both sides"
            return f"{reached} reached {self.target} on the same hand."
        return f"{before}, and {reached} reached it in this hand." if reached else f"{before}."


def at_target_words(ruleset: Ruleset) -> str:
    """Return which scores are at the target: "42 or more", "0 or less"."""
    return "0 or less" if ruleset.counts_down else f"{target_of(ruleset)} or more"


def lacks(state: MatchState, hand: HandResult, side: SideStanding) -> str:
    """Return what a side at the target lacks to win, as the end of a sentence: " but did not bid this hand"."""
    standing, clause = hand.standing, side.missing[0] if side.missing else None
    if standing is None or clause is None:
        return ""
    was = verb(state.seats, [side.side], "were", "was")
    if clause is Clause.LEAD:
        return f" but {verb(state.seats, [side.side], 'do', 'does')} not lead by {standing.ruleset.winning.win_by}"
    if side.side in standing.was_set:
        return f" but {was} set"
    if side.side in standing.bidders:
        return f" but {was} called and did not bid"
    if clause is Clause.BID_OR_SET and standing.made is None:
        return " but nobody bid this hand"
    return f" but {no_bid_words(state, hand, side.side)}"


def no_bid_words(state: MatchState, hand: HandResult, side: SideId, which: str = "this hand") -> str:
    """Return that a side did not have the bid; not that it did not bid, where the calls say otherwise."""
    calls = hand.hand.auction or ()
    has_called = any(call != PASS and state.seats.side_of(who) == side for who, call in calls)
    return "did not win the bidding" if has_called else f"did not bid {which}"


def _made_bid(ending: _Ending) -> str:
    who, bid = ending.who, bid_word(ending.hand.bid)
    if ending.winner == ending.standing.bidder:
        made = made_words(ending.hand)
        said = f"{who} bid {bid}, {made}, and {ending.have_score}."
    else:
        made = f"{who} {ending.verb('were', 'was')} on the side that bid {bid} and made it"
        said = f"{made}, and {ending.have_score}."
    return ending.with_rivals(said)


def _first_to_target(ending: _Ending) -> str:
    standing, who = ending.standing, ending.who
    have = f"{who} {ending.have_score}"
    if ending.rivals and all(it.missing == (Clause.LEAD,) for it in ending.rivals):
        rest = listed([f"{ending.names[it.side]} {ending.score_of(it.side)}" for it in ending.rivals])
        lead = f"a lead of {standing.ruleset.winning.win_by} wins"
        return f"{have} to {rest}: {lead}, so {who} {ending.win}."
    if ending.rivals:
        return ending.with_rivals(f"{have} and {ending.win}.")
    were_there = any(it.was_at_target for it in standing.sides if it.side != ending.winner)
    alone = f"has {at_target_words(standing.ruleset)}" if were_there else f"has reached {ending.target}"
    said = f"{have} and {ending.win}: nobody else {alone}."
    if standing.bidders and ending.winner not in standing.bidders:
        no_bid = no_bid_words(ending.state, ending.hand, ending.winner)
        said += f" {who} {no_bid}, and {_win_without_bid(ending)}."
    return said


def _win_without_bid(ending: _Ending) -> str:
    """Return why somebody wins who did not bid: points alone do, or a bid of the others that failed (`002`)."""
    bidder = ending.standing.bidder
    if bidder is None or not ending.standing.ruleset.winning.defenders_stop_at_one:
        return "did not need to: points alone win here"
    return f"{ending.win} because the bid of {ending.names[bidder]} failed"


def _bidder_first(ending: _Ending) -> str:
    who, wins = ending.who, f"so {ending.who} {ending.win} with {ending.score}"
    if ending.outcome.chosen_by == "bid":
        is_bidder = ending.winner == ending.standing.bidder
        was_there = any(side.was_at_target for side in ending.standing.candidates)
        won = "made the bid" if was_there else "won the bidding"
        why = f"{who} {won}" if is_bidder else "The bidding side comes first"
        return ending.with_rivals(f"{ending.there} {why}, {wins}.")
    best = f"{who} {ending.verb('have', 'has')} the best score of them"
    return ending.with_rivals(f"{ending.there} {best}, {wins}.")


def _set_at_target(ending: _Ending) -> str:
    """Return whose bid was set of those who may win: their bid does not win then."""
    among = [side for side in ending.standing.was_set if any(it.side == side for it in ending.standing.candidates)]
    return f"{listed(named(among, ending.names))} {verb(ending.state.seats, among, 'were', 'was')} set" if among else ""


def _better_score(ending: _Ending) -> str:
    wins = f"so {ending.who} {ending.win} with {ending.score}"
    if ending.outcome.chosen_by == "bid":
        return ending.with_rivals(f"{ending.there} Their scores are tied, and {ending.who} had the bid, {wins}.")
    if ending.standing.ruleset.winning.tie_rule in _FOR_BIDDERS and (was_set := _set_at_target(ending)):
        return ending.with_rivals(
            f"{ending.there} {was_set}, so the better score wins: {ending.who}, with {ending.score}."
        )
    return ending.with_rivals(f"{ending.there} The better score wins, {wins}.")


def _point_order(ending: _Ending) -> str:
    hand, standing, who, target = ending.hand, ending.standing, ending.who, ending.target
    racing = [it.side for it in standing.candidates if it.reached_target]
    if hand.hand.taken is None:
        return ending.with_rivals(f"{ending.there} {_in_whatever_order(ending)}")
    lines = hand.score.lines if hand.score else ()
    steps = [scores_text(standing.before, ending.names)]
    if hand.score and (after := _penalized(standing.before, hand.score)):
        steps.append(f"penalty points make {scores_text(after, ending.names)}")
    there: list[SideId] = []
    for award, counted in counts_in_order(hand.ruleset, standing.before, lines):
        takers = {line.side for line in lines if line.award == award}
        moved = {side: score for side, score in counted.items() if side in takers}
        if there or not moved:
            continue
        what = hand.ruleset.awards[award].name if award else "the rest"
        steps.append(f"{what} makes {scores_text(moved, ending.names)}")
        there = [side for side in racing if has_reached_target(hand.ruleset, counted[side])]
    said = f"{ending.there} Counted in order: {'; '.join(steps)}."
    were = verb(ending.state.seats, there, "were", "was")
    if len(there) > 1:
        first = f"{listed(named(there, ending.names))} reach {target} together"
    else:
        first = f"{listed(named(there, ending.names))} {were} first to reach {target}"
    if len(there) == 1 and len(racing) == len(standing.candidates):
        return ending.with_rivals(f"{said} {first}.")
    return ending.with_rivals(f"{said} {first}, and the better score wins, so {who} {ending.win}.")


def _in_whatever_order(ending: _Ending) -> str:
    """Return how the order decided where only points were entered: in every way in which they can have been taken."""
    who, target, wins = ending.who, ending.target, f"so {ending.who} {ending.win} with {ending.score}"
    if ending.outcome.chosen_by == "order":
        reach = ending.verb("reach", "reaches")
        return f"Counted in order, {who} {reach} {target} first, whoever took which point."
    if any(it.side == ending.winner and it.reached_target for it in ending.standing.candidates):
        return f"Counted in order, nobody reaches {target} before {who}, and the better score wins, {wins}."
    have = ending.verb("have", "has")
    return f"{who} {have} a better score than whoever reached {target} first, counted in order, {wins}."


def _bidder_or_play_on(ending: _Ending) -> str:
    bid = f"{ending.who} bid {bid_word(ending.hand.bid)}, made it, and {ending.have_score}"
    said = f"{bid}: the bidder wins before anyone else."
    for side in ending.standing.at_target:
        if side.side != ending.winner:
            called = side.side in ending.standing.bidders
            no_bid = no_bid_words(ending.state, ending.hand, side.side)
            said += f" {ending.have(side.side)}, but {'was called and did not bid' if called else no_bid}."
    return said


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
        return f"{reached}: that wins at once, before the hand is played."
    cards = listed(award_name(ruleset, line.award) for line in turned if line.award)
    after = score_text(ending.standing.before[ending.winner] + sum(line.points for line in turned))
    had = f"{ending.who} had {before}, and {cards} {'make' if len(turned) > 1 else 'makes'} {after}"
    return f"{had}: that wins at once, before the hand is played."


def _given_first(ending: _Ending) -> str:
    before = ending.standing.before[ending.winner]
    after = _penalized(ending.standing.before, ending.hand.score) if ending.hand.score else {}
    given = after.get(ending.winner, before) - before
    had = f"{ending.who} had {score_text(before)}, and {digits(abs(given), 'point')} for the others’ mistake"
    return f"{had} {'makes' if abs(given) == 1 else 'make'} {score_text(before + given)}: that counts first, and wins."


def _penalized(before: Mapping[SideId, int], score: HandScore) -> dict[SideId, int]:
    """Return the scores of the sides that penalty points move before anything else in a hand counts."""
    after = penalties_first(before, score)
    return {side: points for side, points in after.items() if points != before[side]}


def _forfeit(ending: _Ending) -> str:
    losers = ending.outcome.losers
    lose = verb(ending.state.seats, losers, "lose", "loses")
    return f"{listed(named(losers, ending.names))} {lose} the match by a renege, so {ending.who} {ending.win}."


def _pegged(ending: _Ending) -> str:
    return ending.with_rivals(f"{ending.there} {ending.who} pegged it first, and {ending.win} with {ending.score}.")


def _moon_won(ending: _Ending) -> str:
    said = f"{ending.bid_by} shot the moon and made it: that wins the match"
    if ending.outcome.winners == ending.standing.bidders[:1]:
        return f"{said}."
    if len(ending.outcome.winners) == len(ending.standing.bidders):
        return f"{said}, so {ending.who} {ending.win}."
    return f"{said} for whoever was not below zero, so {ending.who} {ending.win}."


def _moon_lost(ending: _Ending) -> str:
    lost = f"{ending.bid_by} shot the moon and did not make it"
    is_all = len(ending.outcome.losers) == len(ending.standing.bidders)
    whose = "" if is_all else f" for {listed(named(ending.outcome.losers, ending.names))}"
    return f"{lost}: that loses the match{whose}, so {ending.who} {ending.win}."


def _set_limit(ending: _Ending) -> str:
    state, losers = ending.state, ending.outcome.losers
    by_number = grouped(((state.sets.get(side, 0), _on_paper(state, side)), side) for side in losers)
    were = [
        f"{listed(named(those, ending.names))} {verb(state.seats, those, 'were', 'was')} set {times(often)}"
        + (f", {before} of them on paper" if before > 0 else "")
        for (often, before), those in by_number.items()
    ]
    return f"{listed(were)}: that loses the match, so {ending.who} {ending.win}."


def _on_paper(state: MatchState, side: SideId) -> int:
    """Return how many sets of a side came from paper."""
    scored = (hand.score for hand in state.results if hand.score and hand.status == "scored")
    return state.sets.get(side, 0) - sum((score.sets or {}).get(side, 0) for score in scored)


def _by_best_score(state: MatchState, names: Names) -> str:
    """Return who won a match of a number of hands, which may all have been played before its record began."""
    winners = state.winners
    share = "share the win" if len(winners) > 1 else verb(state.seats, winners, "win", "wins")
    best = f"{listed(named(winners, names))} {verb(state.seats, winners, 'have', 'has')} the best score"
    return f"{hands_played(state.scored)}. {best}, {score_text(state.scores[winners[0]])}, and {share}."


def _by_points_alone(state: MatchState, last: HandResult, names: Names) -> str:
    """Return who had won before it was asked who took what."""
    who, score = listed(named(state.winners, names)), score_text(state.scores[state.winners[0]])
    rests = "That rests on points alone, which do not say who won"
    return f"{who} won when this match ended, with {score}. {rests}: to tell it, correct hand {last.number} by cards."


class _RuleWords(NamedTuple):
    """What is said of a match that one rule decided."""

    sentence: Callable[[_Ending], str]
    option: str
    """The house option that decided; empty where none did."""
    in_short: str = ""
    """On a card with little room; empty where it depends on how the winner was chosen."""
    says_set: bool = True
    """Whether what was missing is part of the reason where the bid of the hand was set."""


def _words_of(rule: OutcomeRule) -> _RuleWords:
    match rule:
        case "made_bid":
            return _RuleWords(_made_bid, "win_rule", "made the bid")
        case "first_to_target":
            return _RuleWords(_first_to_target, "win_rule")
        case "turned_up":
            return _RuleWords(_turned_up, "win_rule", "a card turned up", says_set=False)
        case "given_first":
            return _RuleWords(_given_first, "win_rule", "the others’ mistake", says_set=False)
        case "forfeit":
            return _RuleWords(_forfeit, "", "a renege", says_set=False)
        case "pegged":
            return _RuleWords(_pegged, "", "pegged it first")
        case "bidder_first":
            return _RuleWords(_bidder_first, "tie_rule")
        case "better_score" | "higher_score" | "higher_score_or_play_on" | "another_hand":
            return _RuleWords(_better_score, "tie_rule")
        case "point_order":
            return _RuleWords(_point_order, "tie_rule")
        case "bidder_then_point_order":
            return _RuleWords(
                lambda it: _bidder_first(it) if it.outcome.chosen_by == "bid" else _point_order(it), "tie_rule"
            )
        case "bidder_or_play_on":
            return _RuleWords(_bidder_or_play_on, "tie_rule", "made the bid")
        case "moon_won":
            return _RuleWords(_moon_won, "moon", "made the moon")
        case "moon_lost":
            return _RuleWords(_moon_lost, "moon", "the moon was set")
        case "all_points":
            took_all = "took every point"
            return _RuleWords(
                lambda it: f"{it.who} {took_all} of the hand: that wins the match.",
                "four_points_win_game",
                took_all,
                says_set=False,
            )
        case "set_limit":
            return _RuleWords(_set_limit, "set_limit", "on sets")
        case "hands":
            return _RuleWords(lambda it: _by_best_score(it.state, it.names), "length", says_set=False)
    assert_never(rule)


def question_sentence(state: MatchState) -> str:
    """Return what the last hand has to be told before anybody knows who won; empty where it is known."""
    last = state.last_scored
    if state.question is None or last is None:
        return ""
    asked = state.question.awards
    if not asked:
        pegged = last.ruleset.winning.pegged
        did, what = ("pegged", "The points") if pegged else ("reached", "Points alone")
        return f"It depends: who {did} {target_of(last.ruleset)} first? {what} do not say who won."
    awards = listed(award_names(last.ruleset, asked)) if len(asked) <= _MOST_ASKED else "what"
    return f"It depends: who took {awards}? Points alone do not say who won."


def answers_sentence(state: MatchState, names: Names) -> str:
    """Return who would win by which answer to a question: "Ann & Cal win with High or Low, Bea & Dan with both.".

    It is empty where that cannot be said in a line, or where the question says it: the same is enough for everybody.
    """
    last, question = state.last_scored, state.question
    if last is None or question is None:
        return ""
    enough = {side: question.enough(side) for side in question.winners}
    if len(set(enough.values())) < 2 or not all(0 < len(sets) <= _MOST_ALTERNATIVES for sets in enough.values()):
        return ""
    told: list[str] = []
    for side, sets in enough.items():
        win = "" if told else f" {verb(state.seats, [side], 'win', 'wins')}"
        told.append(f"{names[side]}{win} with {_any_of(last.ruleset, sets)}")
    return f"{', '.join(told)}."


def _any_of(ruleset: Ruleset, sets: Sequence[Sequence[AwardId]]) -> str:
    """Return which awards are enough: "High or Low", "High and Low"."""
    return listed([listed(award_name(ruleset, it) for it in awards) for awards in sets], "or")


def _stopped(state: MatchState, names: Names) -> str:
    """Return that nobody has won: to lead, or to have a score where money is played for, wins nothing."""
    target = target_of(state.ruleset)
    if target is None and state.ruleset.pays:
        return "The match stopped: nobody wins by points, you settle up in money."
    said = f"The match stopped before anyone won. {_lead(state, names)}"
    is_tied = len(leading(state.ruleset, state.scores, state.scores)) == len(state.scores)
    if target is None or is_tied or state.standing.at_target:
        return said
    return f"{said} Nobody has reached {target}, and leading does not win."


def _lead(state: MatchState, names: Names) -> str:
    leaders = leading(state.ruleset, state.scores, state.scores)
    if len(leaders) == len(state.scores):
        return f"Everyone is tied at {score_text(state.scores[leaders[0]])}."
    rest = [f"{names[side]} {score_text(score)}" for side, score in state.scores.items() if side not in leaders]
    lead = verb(state.seats, leaders, "lead", "leads")
    return f"{listed(named(leaders, names))} {lead} with {score_text(state.scores[leaders[0]])}; {listed(rest)}."


def _nobody_yet(state: MatchState, names: Names) -> str:
    ruleset = state.ruleset
    if ruleset.winning.length == "hands":
        return _hands_to_come(state, names)
    target = target_of(ruleset)
    if target is None:
        return no_end_sentence(ruleset)
    return short_of_target(state) or _at_target_but_not_won(state, names)


def short_of_target(state: MatchState) -> str:
    """Return that nobody has won because nobody is at the target; empty where somebody is, or where there is none."""
    target = target_of(state.ruleset)
    if target is None or state.ruleset.winning.length == "hands" or state.standing.at_target:
        return ""
    return f"Nobody has reached {target} yet."


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


def _hands_to_come(state: MatchState, names: Names) -> str:
    hands = state.ruleset.winning.hands or 0
    if state.scored >= hands:
        return f"{hands_played(state.scored)}, and the best scores are tied: play another hand."
    return f"The match goes on: {state.scored} of {hands} hands are played. {_lead(state, names)}"


def _at_target_but_not_won(state: MatchState, names: Names) -> str:
    """Return who is at the target, why each has not won, and how the match goes on."""
    standing, last = state.standing, state.last_scored
    have = [
        (it, f"{names[it.side]} {verb(state.seats, [it.side], 'have', 'has')} {score_text(it.now)}")
        for it in standing.at_target
    ]
    lacking = grouped((lacks(state, last, it) if last and standing.is_end_of_hand else "", said) for it, said in have)
    all_have = listed(said for those in lacking.values() for said in those)
    clauses = {clause for it in standing.at_target for clause in it.missing}
    if is_overtime(state.ruleset, state.best_of_two):
        if any(_lacks_lead(standing, side) for side in standing.at_target):
            each = "; ".join(said + _overtime_words(state, side) for side, said in have)
            return f"{each}. {sentence(until_made_bid(state.ruleset))}."
        return f"{all_have}{_no_bidder(standing)}: {until_made_bid(state.ruleset)}."
    if clauses in ({Clause.MADE_BID}, {Clause.LEAD}) or (clauses and not standing.is_end_of_hand):
        rules = ", and ".join(clause_words(state.ruleset, clause) for clause in Clause if clause in clauses)
        if last and any(_set_words(state, last, it.side) for it in standing.at_target):
            return f"{'; '.join(said + _not_done(state, it) for it, said in have)}. {sentence(rules)}. Play on."
        return f"{all_have}, but {rules}. Play on."
    if clauses:
        said = ", and ".join(f"{listed(those)}{reason}" for reason, those in lacking.items())
        return f"{said}. Play on."
    return f"{all_have}. Play another hand to decide."


def held_back_words(state: MatchState, names: Names, *, hand: str = "this hand") -> tuple[str, str]:
    """Return who is at the target and has not won, each with the reason, and by which rule the match goes on.

    Both are empty where nobody is; `hand` is what the last hand is called.
    """
    if state.question and (last := state.last_scored):
        asks, _, why = question_sentence(state).partition("? ")
        enter = "enter the cards" if state.question.awards or not last.ruleset.winning.pegged else "say so"
        return f"{asks}?", joined(why, answers_sentence(state, names), f"Correct hand {last.number} and {enter}.")
    standing = state.standing
    if state.outcome or not standing.at_target:
        return "", ""
    reasons = grouped(
        (
            _overtime_words(state, it) or _not_done(state, it, hand),
            f"{names[it.side]} {verb(state.seats, [it.side], 'are', 'is')} at {score_text(it.now)}",
        )
        for it in standing.at_target
    )
    is_said = any(_lacks_lead(standing, side) for side in standing.at_target)
    no_bidder = _no_bidder(standing) if is_overtime(state.ruleset, state.best_of_two) and not is_said else ""
    lead = " ".join(f"{listed(those)}{_of_several(those, reason) or no_bidder}." for reason, those in reasons.items())
    return lead, _how_it_goes_on(state)


def _of_several(those: Sequence[str], reason: str) -> str:
    """Return the reason that some have in common: ", but neither bid this hand"."""
    neither = "neither" if len(those) == 2 else "none of them"
    if len(those) == 1:
        return reason
    return reason.replace("did not win", f"{neither} won").replace("did not bid", f"{neither} bid")


def _not_done(state: MatchState, side: SideStanding, which: str = "this hand") -> str:
    """Return what a side at the target did not do in the last hand, where a win takes a made bid."""
    standing, last = state.standing, state.last_scored
    if not standing.is_end_of_hand or last is None or not {Clause.MADE_BID, Clause.BID_OR_SET} & set(side.missing):
        return ""
    return f", but {_set_words(state, last, side.side) or no_bid_words(state, last, side.side, which)}"


def _set_words(state: MatchState, hand: HandResult, side: SideId) -> str:
    """Return how a side was set: "bid 3, took 2: set"; empty where it was not."""
    standing = hand.standing
    if standing is None or side not in standing.was_set:
        return ""
    if side == standing.set_taken_by:
        return "went set instead of bidding"
    if side == standing.bidder:
        return came_of_bid(hand)
    return f"{verb(state.seats, [side], 'were', 'was')} set as the partner"


def _how_it_goes_on(state: MatchState) -> str:
    ruleset, at_target = state.ruleset, state.standing.at_target
    if all(Clause.MADE_BID in it.missing for it in at_target):
        clause = Clause.MADE_BID
    elif is_overtime(ruleset, state.best_of_two):
        return sentence(f"{until_made_bid(ruleset)}.")
    elif all(Clause.BID_OR_SET in it.missing for it in at_target):
        clause = Clause.BID_OR_SET
    elif any(Clause.LEAD in it.missing for it in at_target):
        clause = Clause.LEAD
    else:
        return "Nobody wins yet. Play another hand to decide."
    return sentence(f"{clause_words(ruleset, clause)}. Play on.")


def clause_words(ruleset: Ruleset, clause: Clause) -> str:
    """Return what a win takes besides the target: "only a made bid wins"."""
    if clause is Clause.LEAD:
        return f"a winner needs a lead of {ruleset.winning.win_by}"
    if clause is Clause.BID_OR_SET:
        return "a win takes a made bid, or a bid of the others that is set"
    return "only a made bid wins"


def _lacks_lead(standing: Standing, side: SideStanding) -> bool:
    """Return whether a side made its bid in the last hand, and lacks nothing to win but the lead."""
    made = standing.is_end_of_hand and standing.made and side.side == standing.bidder
    return bool(made) and side.missing == (Clause.LEAD,)


def _overtime_words(state: MatchState, side: SideStanding) -> str:
    """Return why a side has not won that only a bidder with a lead can win: ", and made the bid, but does not lead"."""
    standing, last = state.standing, state.last_scored
    if not is_overtime(state.ruleset, state.best_of_two):
        return ""
    if last is None or not any(_lacks_lead(standing, side) for side in standing.at_target):
        return ""
    if _lacks_lead(standing, side):
        does = verb(state.seats, [side.side], "do", "does")
        return f", and made the bid, but {does} not lead by {standing.ruleset.winning.win_by}"
    if side.side in standing.bidders:
        return f", but {verb(state.seats, [side.side], 'were', 'was')} called and did not bid"
    return f", but {no_bid_words(state, last, side.side)}"


def until_made_bid(ruleset: Ruleset) -> str:
    """Return how a match goes on that only a bidder can win now."""
    words, goal = placeholders(ruleset), "0" if ruleset.counts_down else at_target_words(ruleset)
    if lead := ruleset.winning.win_by:
        return f"keep playing until the bidder makes the bid, is at {goal} and leads by {lead}"
    return f"keep playing until {words['bidder_who']} makes {words['its']} bid is at {goal}"


def _no_bidder(standing: Standing) -> str:
    """Return that nobody at the target won by the bid; nothing before the first hand."""
    if not standing.is_end_of_hand:
        return ""
    if any(it.side == standing.bidder for it in standing.at_target):
        return ", and the bidder was set" if standing.made is False else ""
    there = len(standing.at_target)
    return f", and {'neither' if there == 2 else 'none of them'} was the bidder" if there > 1 else ""


_CHOSEN: Mapping[ChosenBy, str] = {
    "bid": "had the bid",
    "order": "got there first",
    "score": "the higher score",
    "points": "by points alone",
}


def ending_reason(outcome: Outcome | None, last: HandResult) -> str:
    """Return why the last hand ended a match: "had the bid"; empty where that is not known."""
    if outcome is None:
        return ""
    winning = last.ruleset.winning
    if outcome.rule == "first_to_target":
        down = winning.count_down_from
        return f"counted down from {down}" if down else f"reached {winning.target}"
    if outcome.rule == "hands":
        return f"after {digits(winning.hands or 0, 'hand')}"
    if outcome.chosen_by == "score" and winning.count_down_from:
        return "the lower score"
    return _words_of(outcome.rule).in_short or _CHOSEN.get(outcome.chosen_by, "")
