"""The end of a match in words: its target, who has won and by which rule, or why nobody has yet."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from scorekeeper.pitch.rules.options import options
from scorekeeper.pitch.rules.phrases import (
    already_at_target_rule,
    award_name,
    award_names,
    count_words,
    digits,
    join_words,
    placeholders,
    times_word,
)
from scorekeeper.pitch.rules.questions import QUESTIONS
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.counting_order import scores_in_counting_order
from scorekeeper.pitch.scoring.deciding_rules import deciding_options, is_tied_across_hands
from scorekeeper.pitch.scoring.hand import PASS, SideId
from scorekeeper.pitch.scoring.hand_score import with_penalties
from scorekeeper.pitch.scoring.match import HandResult, MatchState
from scorekeeper.pitch.scoring.outcome import Outcome, OutcomeRule
from scorekeeper.pitch.scoring.standing import (
    Clause,
    SideStanding,
    Standing,
    has_reached_target,
    leading_sides,
    target_score,
)
from scorekeeper.pitch.text.phrases import (
    DateStyle,
    Names,
    bid_word,
    group_by_key,
    join_nonempty,
    names_of,
    score_text,
    scores_text,
    verb_for,
)
from scorekeeper.pitch.text.rule_changes import changed_rule_sentences


def goal_words(ruleset: Ruleset) -> str:
    """Return the goal: "to 21", "from 21 down", "12 hands", "for money", "you pick the target", "no target"."""
    winning = ruleset.winning
    if winning.length == "hands":
        return digits(winning.hands or 0, "hand")
    if winning.count_down_from:
        return f"from {winning.count_down_from} down"
    if winning.target:
        return f"to {winning.target}"
    if "target" in ruleset.to_agree:
        return "you pick the target"
    return "for money" if ruleset.is_for_money else "no target"


def goals_with_differences(rulesets: Sequence[Ruleset]) -> Iterator[str]:
    """Yield the goal of each ruleset: "to 21".

    To tell rulesets with the same name and goal apart, a rule in which each differs is added: "to 21. Low scores 2."
    """
    for ruleset in rulesets:
        goal = goal_words(ruleset)
        alike = (other for other in rulesets if (other.name, goal_words(other)) == (ruleset.name, goal))
        changed = dict.fromkeys(rule for other in alike for rule in changed_rule_sentences(other, ruleset)[:1])
        yield " ".join((f"{goal}.", *changed)) if changed else goal


def earlier_goal_words(state: MatchState) -> str:
    """Return the goal before its last change: "Through hand 5 it was to 42."; empty if the goal never changed."""
    goals = [(hand.number, goal_words(hand.ruleset)) for hand in state.results]
    present_goal = goal_words(state.ruleset)
    return next(
        (f"Through hand {number} it was {goal}." for number, goal in reversed(goals) if goal != present_goal), ""
    )


def possible_endings_words(ruleset: Ruleset, *, has_tie_rule: bool) -> str:
    """Return how a match can end: "First to 42 at the end of a hand; if both reach it, the bidder wins.".

    The part after the semicolon is only there with `has_tie_rule`. Empty if the match has neither a target nor a number
    of hands.
    """
    winning = ruleset.winning
    if winning.length == "hands":
        best_word = "lowest" if winning.count_down_from else "highest"
        tied_words = "play another hand" if winning.plays_on_when_tied else "they share the win"
        by_hands = f"After {digits(winning.hands or 0, 'hand')} the {best_word} score wins; tied: {tied_words}."
        return " ".join((by_hands, *_further_ending_sentences(ruleset)))
    target = target_score(ruleset)
    if target is None:
        return ""
    down_sentence = f"Scores count down from {winning.count_down_from}. " if winning.count_down_from else ""
    made_clause = ", and only on a made bid" if winning.win_rule == "made_bid" else ""
    lead_clause = f", with a lead of {winning.win_by}" if winning.win_by else ""
    tie_clause = f"; {_tie_words(ruleset)}" if has_tie_rule and not winning.pegged else ""
    first_clause = f"First to peg {target}" if winning.pegged else f"First to {target} at the end of a hand"
    return " ".join(
        (f"{down_sentence}{first_clause}{made_clause}{lead_clause}{tie_clause}.", *_further_ending_sentences(ruleset))
    )


def _tie_words(ruleset: Ruleset) -> str:
    """Return what happens if several sides reach the target in the same hand: "if both reach it, the bidder wins"."""
    answer = QUESTIONS["tie_rule"].label(ruleset.winning.tie_rule, ruleset)
    winner_clause = re.sub("^(the bidder|the higher score|first in .*|whoever leads .*)", r"\1 wins", answer)
    return f"if {placeholders(ruleset)['several']} reach it, {winner_clause}"


def _further_ending_sentences(ruleset: Ruleset) -> Iterator[str]:
    """Yield further sentences on how a match can end: "A moon can win or lose the match."."""
    if ruleset.moon.moon == "win_or_lose":
        yield "A moon can win or lose the match."
    elif ruleset.moon.moon == "win_or_minus_target":
        yield "A made moon can win the match."
    if ruleset.winning.set_limit:
        yield f"Whoever is set {times_word(ruleset.winning.set_limit)} loses."
    if ruleset.winning.four_points_win_game:
        yield f"All {count_words(ruleset.points_per_hand, 'point')} in one hand win."
    if ruleset.table.called:
        yield "A called partner wins only with a score of their own."


def outcome_heading(state: MatchState, names: Names, *, stopped: bool) -> str:
    """Return the outcome of a match: "Ann & Cal win", "Stopped", "It depends", "Not over yet"."""
    if state.outcome is None:
        return "Stopped" if stopped else "It depends" if state.question else "Not over yet"
    return _sides_with_verb(state, state.winners, "win", names)


def final_score(state: MatchState) -> str:
    """Return the scores of two sides, the winner's first, "21 to 25", or only the winner's of more sides, "with 42".

    Empty if nobody has won.
    """
    winners = state.winners
    if not winners:
        return ""
    if len(state.scores) > 2:
        return f"with {score_text(state.scores[winners[0]])}"
    others = [side for side in state.scores if side not in winners]
    return " to ".join(score_text(state.scores[side]) for side in (*winners, *others))


def deciding_rules_text(state: MatchState) -> str:
    """Return the rules that decided who won, in the words of the rule sheet; empty if none did."""
    return option_rules_text(state, deciding_options(state))


def option_rules_text(state: MatchState, option_names: Iterable[str]) -> str:
    """Return the rules for these options as one text: "The match is played to 21.".

    The tie rule has other words if sides were at the target before the last hand.
    """
    tied_before_rule = already_at_target_rule(state.ruleset) if is_tied_across_hands(state) else ""
    rules = (
        tied_before_rule if name == "tie_rule" and tied_before_rule else QUESTIONS[name].rule(state.ruleset)
        for name in option_names
    )
    return " ".join(rules)


def rule_change_sentences(first_rules: Ruleset, state: MatchState, dates: DateStyle) -> Iterator[str]:
    """Yield earlier rules of a match: "Before hand 5 the rule was: The match is played to 42.".

    They are those that were changed among the rules that decided the match, or with the last hand. While nobody has
    won, a rule is left out unless a side is at the target of the rules before its change. `first_rules` are the rules
    at the start.
    """
    deciding, last = deciding_options(state) if state.outcome else ("win_rule", "tie_rule"), state.last_scored
    target = ("target",) if {"win_rule", "tie_rule"}.intersection(deciding) else ()
    of_last_hand = [name for name in (last.hand.house or {} if last else {}) if name in options()]
    played = [hand for hand in state.results if last and hand.position <= last.position]
    for option in dict.fromkeys((*target, *deciding, *of_last_hand)):
        earlier = [first_rules, *(hand.ruleset for hand in played)]
        changes = [
            (hand, before)
            for before, hand in zip(earlier, played, strict=False)
            if before.answer(option) != hand.ruleset.answer(option)
        ]
        for hand, before in changes[-1:]:
            if not state.outcome and not any(has_reached_target(before, score) for score in state.scores.values()):
                continue
            day = hand.hand.house_on
            on = f" ({dates.full_day(date.fromisoformat(day))})" if day else ""
            yield f"Before hand {hand.number}{on} the rule was: {QUESTIONS[option].rule(before)}"


_TIE_RULES_FOR_BIDDERS = ("bidder_first", "bidder_then_point_order", "higher_score")
"""The tie rules by which a made bid can decide."""
_MAX_NAMED_AWARDS = 5
"""The most awards that a question names; if there are more, it asks "who took what?"."""
_MAX_ALTERNATIVES = 3
"""The most sets of awards to list for a side, with each of which the side wins."""


class Verdict(NamedTuple):
    """Who won a match and why, or why nobody has won: a main sentence, and further ones with the details."""

    sentence: str
    """The main sentence: who won, and by which bid or rule, or why nobody has won."""
    supplement: str = ""
    """Further sentences with the details; may be empty."""


def verdict_text(state: MatchState, names: Names, *, stopped: bool = False) -> str:
    """Return as one text who won and why, or why nobody has won; `stopped` is whether people ended the match early."""
    return join_nonempty(*verdict(state, names, stopped=stopped))


def verdict(state: MatchState, names: Names, *, stopped: bool = False) -> Verdict:
    """Return who won and why, or why nobody has won; `stopped` is whether people ended the match early."""
    last = state.last_scored
    if state.outcome:
        if last is None or last.standing is None:
            return Verdict(_best_score_sentence(state, names))
        if state.outcome.chosen_by == "points":
            # Stored before the form asked who took what.
            winner_words = f"{join_words(names_of(state.winners, names))} won when this match ended"
            rests = "That rests on points alone, which do not say who won"
            return Verdict(
                f"{winner_words}, with {score_text(state.scores[state.winners[0]])}.",
                f"{rests}: to tell it, correct hand {last.number} by cards.",
            )
        won_match, rule = _WonMatch(state, state.outcome, names, last, last.standing), state.outcome.rule
        return Verdict(
            _SENTENCE_WRITERS[rule](won_match),
            _FURTHER_SENTENCE_WRITERS.get(rule, _others_at_target_sentence)(won_match),
        )
    if stopped:
        return _stopped_verdict(state, names)
    held_back = held_back_verdict(state, names)
    return held_back if held_back.sentence else Verdict(_nobody_yet_sentence(state))


@dataclass(frozen=True, slots=True)
class _WonMatch:
    """A match that somebody has won, with phrases for the verdict on it."""

    state: MatchState
    outcome: Outcome
    names: Names
    hand: HandResult
    """The hand that decided the match."""
    standing: Standing
    """The scores at the end, and which conditions to win each side at the target lacked."""

    @property
    def winners(self) -> str:
        """The names of the winners: "Ann and Bea"."""
        return join_words(names_of(self.outcome.winners, self.names))

    @property
    def winner(self) -> SideId:
        """The first of the winners; there are more only if several sides win together."""
        return self.outcome.winners[0]

    @property
    def have_score_phrase(self) -> str:
        """The winners' score after the verb that agrees with them: "have 21", "has 21"."""
        return f"{self.verb('have')} {score_text(self.standing.scores[self.winner])}"

    @property
    def target(self) -> int | None:
        """The score that wins; `None` where no score ends the match."""
        return target_score(self.standing.ruleset)

    @property
    def rivals(self) -> tuple[SideStanding, ...]:
        """The sides that are at the target too, but do not meet every other condition to win."""
        return tuple(side for side in self.standing.at_target if side.missing)

    @property
    def is_decided_by_lead(self) -> bool:
        """Whether other sides are at the target too, and lack only the lead that the rules require."""
        return bool(self.rivals) and all(rival.missing == (Clause.LEAD,) for rival in self.rivals)

    @property
    def bidder_phrase(self) -> str:
        """The name of the bidding side; with a called partner: "A, who called B,"."""
        bidder, *partners = self.standing.bidders
        return (
            f"{self.names[bidder]}, who called {join_words(names_of(partners, self.names))},"
            if partners
            else self.names[bidder]
        )

    def verb(self, plural: str) -> str:
        """Return a verb, given in the `plural`, that agrees with the winners: "has" for "have"."""
        return verb_for(self.state.seats, self.outcome.winners, plural)

    @property
    def reached_target_clause(self) -> str:
        """A clause on which sides reached the target, and when: "A and B reached 21 on the same hand"."""
        reached = join_words(names_of(self.standing.new_candidates, self.names))
        before = (side for side in self.standing.candidates if side not in self.standing.new_candidates)
        if earlier := join_words(names_of(before, self.names)):
            had = f"{earlier} had {placeholders(self.standing.ruleset)['at_target']} before this hand"
            return f"{had}, and {reached} reached it in this hand" if reached else had
        if "&" in reached and len(self.standing.scores) == 2:
            reached = "Both sides"
        return f"{reached} reached {self.target} on the same hand"


def _others_at_target_sentence(won_match: _WonMatch) -> str:
    """Return why other sides at the target did not win: "They have 21 too, but did not bid this hand.".

    Empty if there are none. Sides that lost by the tie rule are usually in the main sentence of the verdict.
    """
    score = won_match.standing.scores[won_match.winner]
    others = won_match.standing.at_target if won_match.outcome.rule == "bidder_or_play_on" else won_match.rivals
    return _reasons_sentence(
        (
            _reason_not_won(won_match.state, won_match.hand, side),
            f"{_score_clause(won_match.state, side, won_match.names)}{' too' if side.score == score else ''}",
        )
        for side in others
        if side.side not in won_match.outcome.winners
    )


def _reasons_sentence(reasons_and_scores: Iterable[tuple[str, str]]) -> str:
    """Return why sides have not won, from pairs of reason and score: "A has 21 and B has 22, but neither bid."."""
    clauses = (
        f"{join_words(score_clauses)}{_shared_reason(score_clauses, reason)}"
        for reason, score_clauses in group_by_key(reasons_and_scores).items()
    )
    text = "; ".join(clauses)
    return text and f"{text}."


def _sides_with_verb(state: MatchState, sides: Sequence[SideId], plural: str, names: Names) -> str:
    """Return sides with a verb that agrees, given its plural: "Ann and Bea win", "Ann wins"."""
    return f"{join_words(names_of(sides, names))} {verb_for(state.seats, sides, plural)}"


def _score_clause(state: MatchState, side: SideStanding, names: Names) -> str:
    """Return a clause on a side's score: "They have 25"."""
    return f"{_sides_with_verb(state, [side.side], 'have', names)} {score_text(side.score)}"


def _shared_reason(score_clauses: Sequence[str], reason: str) -> str:
    """Return the reason that sides share: ", but did not bid this hand"; of two, ", but neither bid this hand"."""
    if len(score_clauses) == 1:
        return reason
    neither = "neither" if len(score_clauses) == 2 else "none of them"
    return re.sub(
        ", but (did|do|does) not (win|bid|lead)",
        lambda found: f", but {neither} {_VERBS_AFTER_NEITHER[found[2]]}",
        reason,
    )


_VERBS_AFTER_NEITHER = {"win": "won", "bid": "bid", "lead": "leads"}
"""The form of each verb after "neither"."""


def _reason_not_won(state: MatchState, hand: HandResult, side: SideStanding, hand_name: str = "this hand") -> str:
    """Return a clause on why a side at the target did not win: ", but did not bid this hand".

    `hand_name` is what the clause calls the hand. Empty if the hand was not scored.
    """
    standing = hand.standing
    if standing is None:
        return ""
    were = verb_for(state.seats, [side.side], "were")
    if side.missing == (Clause.LEAD,):
        do = verb_for(state.seats, [side.side], "do")
        return f", but {do} not lead by {standing.ruleset.winning.win_by}"
    if side.side == standing.set_taken_by:
        return ", but went set instead of bidding"
    if side.side in standing.sides_that_were_set:
        bid_clause = f"bid {bid_word(hand.bid)} and {were} set"
        return f", but {bid_clause if side.side == standing.bidder else f'{were} set as the partner'}"
    if side.side in standing.bidders:
        return f", but {were} called and did not bid"
    if Clause.BID_OR_SET in side.missing and standing.made is None:
        return f", but nobody bid {hand_name}"
    # "Did not bid" would be wrong where the calls show a bid of this side.
    return f", but did not {'win the bidding' if _has_called(state, hand, side.side) else f'bid {hand_name}'}"


def _has_called(state: MatchState, hand: HandResult, side: SideId) -> bool:
    """Return whether a side made any call other than a pass in a hand."""
    return any(call != PASS and state.seats.side_of(caller) == side for caller, call in hand.hand.auction or ())


def _made_bid_sentence(won_match: _WonMatch) -> str:
    """Return who won with a made bid, and the score: "We bid 3, made it and have 21."."""
    winners, bid = won_match.winners, bid_word(won_match.hand.bid)
    if won_match.winner == won_match.standing.bidder:
        return f"{winners} bid {bid}, made it and {won_match.have_score_phrase}."
    return (
        f"{winners} {won_match.verb('were')} on the side that bid {bid} and made it, and {won_match.have_score_phrase}."
    )


def _first_to_target_sentence(won_match: _WonMatch) -> str:
    """Return who won as the only side that met all conditions: "They bid 5 and were set; we took 6 and have 21."."""
    standing, winners = won_match.standing, won_match.winners
    if won_match.is_decided_by_lead:
        rest = join_words([f"{won_match.names[rival.side]} {score_text(rival.score)}" for rival in won_match.rivals])
        return f"{winners} {won_match.have_score_phrase} to {rest}: a lead of {standing.ruleset.winning.win_by} wins."
    if standing.made and won_match.winner in standing.bidders:
        return _made_bid_sentence(won_match)
    return f"{_set_of_loser_clause(won_match)}{winners} {_gain_clause(won_match)}{won_match.have_score_phrase}."


def _set_of_loser_clause(won_match: _WonMatch) -> str:
    """Return a clause on a losing side that was set: "They bid 5 and were set; "; empty if none was."""
    standing = won_match.standing
    if not standing.sides_that_were_set or won_match.winner in standing.sides_that_were_set:
        return ""
    side = standing.sides_that_were_set[0]
    bid_clause = f"bid {bid_word(won_match.hand.bid)} and {verb_for(won_match.state.seats, [side], 'were')} set"
    return f"{won_match.names[side]} {'went set' if side == standing.set_taken_by else bid_clause}; "


def _gain_clause(won_match: _WonMatch) -> str:
    """Return what the winner gained in the hand: "took 6 and "; empty if the winner gained nothing."""
    standing, points = won_match.standing, won_match.hand.points.get(won_match.winner)
    gain = standing.ruleset.score_sign * (standing.scores[won_match.winner] - standing.before[won_match.winner])
    return f"{'took' if gain == points else 'scored'} {gain} and " if gain > 0 else ""


def _without_bid_sentence(won_match: _WonMatch) -> str:
    """Return why other sides at the target lost, or else that the winner won without a bid: "We did not have to bid.".

    Empty if neither is worth a sentence, or if the lead decided.
    """
    standing = won_match.standing
    if won_match.is_decided_by_lead:
        return ""
    if won_match.rivals or not standing.bidders or won_match.winner in standing.bidders:
        return _others_at_target_sentence(won_match)
    if standing.ruleset.winning.defenders_stop_at_one:
        return ""
    has_called = _has_called(won_match.state, won_match.hand, won_match.winner)
    return f"{won_match.winners} did not have to {'win the bidding' if has_called else 'bid'}."


def _bidder_first_sentence(won_match: _WonMatch) -> str:
    """Return which of several sides at the target won: the one with the bid, or else the one with the better score."""
    if won_match.outcome.chosen_by != "bid":
        return _better_score_sentence(won_match)
    had_clause = (
        "bid and made it"
        if len(won_match.standing.new_candidates) < len(won_match.standing.candidates)
        else "had the bid"
    )
    bid_clause = (
        had_clause
        if won_match.winner == won_match.standing.bidder
        else f"{won_match.verb('were')} on the side that bid"
    )
    return f"{won_match.reached_target_clause}; {won_match.winners} {bid_clause}."


def _better_score_sentence(won_match: _WonMatch) -> str:
    """Return which side won by its better score: "Both sides reached 21 on the same hand; we have the better score.".

    If the scores are tied, the sentence says that the side with the bid won.
    """
    standing, winners, have = won_match.standing, won_match.winners, won_match.verb("have")
    if won_match.outcome.chosen_by == "bid":
        return f"{won_match.reached_target_clause}; their scores are tied, and {winners} had the bid."
    best_word = "best" if len(standing.candidates) > 2 else "better"
    set_candidates = [side for side in standing.sides_that_were_set if side in standing.candidates]
    if set_candidates and standing.ruleset.winning.tie_rule in _TIE_RULES_FOR_BIDDERS:
        winners = f"{_sides_with_verb(won_match.state, set_candidates, 'were', won_match.names)} set, and {winners}"
    return f"{won_match.reached_target_clause}; {winners} {have} the {best_word} score."


def _point_order_sentence(won_match: _WonMatch) -> str:
    """Return which side reached the target first when awards count in order, or why another side won.

    If only points were entered, the sentence says what holds for every way to hand out the awards.
    """
    if won_match.outcome.chosen_by == "bid":
        return _bidder_first_sentence(won_match)
    winners, target, have = won_match.winners, won_match.target, won_match.verb("have")
    new_candidates = won_match.standing.new_candidates
    if won_match.hand.hand.taken is None:
        if won_match.outcome.chosen_by == "order":
            order = f"counted in order, {winners} {won_match.verb('reach')} {target} first, whoever took which point"
        elif won_match.winner in new_candidates:
            order = f"nobody reaches {target} before {winners}, who {have} the better score"
        else:
            order = f"{winners} {have} a better score than whoever reached {target} first"
        return f"{won_match.reached_target_clause}; {order}."
    _, first_sides = _count_to_target(won_match)
    together = "there together" if len(first_sides) > 1 else "first"
    order = f"counted in order, {_sides_with_verb(won_match.state, first_sides, 'were', won_match.names)} {together}"
    if len(first_sides) > 1 or len(new_candidates) < len(won_match.standing.candidates):
        order += f", and {winners} {have} the better score"
    return f"{won_match.reached_target_clause}; {order}."


def _count_in_order_sentences(won_match: _WonMatch) -> str:
    """Return the count of awards in order, "Us 20, Them 19; Low makes Us 21.", and why other sides did not win.

    The count is left out if the bid decided the match, or if only points were entered.
    """
    is_counted = won_match.outcome.chosen_by != "bid" and won_match.hand.hand.taken is not None
    steps = f"{'; '.join(_count_to_target(won_match)[0])}." if is_counted else ""
    return join_nonempty(steps, _others_at_target_sentence(won_match))


def _count_to_target(won_match: _WonMatch) -> tuple[Sequence[str], Sequence[SideId]]:
    """Return the steps of the count in order, and the sides that reached the target first.

    A step is a text: "Us 20, Them 19", then "Low makes Us 21".
    """
    ruleset, scores_before, lines = won_match.hand.ruleset, won_match.standing.before, won_match.hand.lines
    steps = [scores_text(scores_before, won_match.names)]
    penalized_scores = with_penalties(scores_before, lines).items()
    if moved_scores := {side: score for side, score in penalized_scores if score != scores_before[side]}:
        steps.append(f"penalty points make {scores_text(moved_scores, won_match.names)}")
    for award, counted_scores in scores_in_counting_order(ruleset, scores_before, lines):
        takers = {line.side for line in lines if line.award == award}
        if moved_scores := {side: score for side, score in counted_scores.items() if side in takers}:
            award_word = ruleset.awards[award].name if award else "the rest"
            steps.append(f"{award_word} makes {scores_text(moved_scores, won_match.names)}")
            if first_sides := [
                side for side in won_match.standing.new_candidates if has_reached_target(ruleset, counted_scores[side])
            ]:
                return steps, first_sides
    return steps, won_match.standing.new_candidates


def _turned_up_sentence(won_match: _WonMatch) -> str:
    """Return who won with a card turned up for trump: "We had 20, and the Jack makes 21: that wins at once."."""
    ruleset, before = won_match.standing.ruleset, won_match.standing.before[won_match.winner]
    turned = {
        line.award: line.points
        for line in won_match.hand.lines
        if line.side == won_match.winner and line.award in ruleset.turned_awards
    }
    cards = join_words(award_name(ruleset, award) for award in turned)
    make_clause = f", and {cards} {'make' if len(turned) > 1 else 'makes'} {score_text(before + sum(turned.values()))}"
    reached_clause = f" and reached {won_match.target} with a card turned up, whoever took which point"
    return (
        f"{won_match.winners} had {score_text(before)}{make_clause if turned else reached_clause}: that wins at once."
    )


def _given_first_sentence(won_match: _WonMatch) -> str:
    """Return who won with points for a mistake of the others: "We had 19, and 2 points for the others’ mistake …"."""
    before, after = (
        scores[won_match.winner]
        for scores in (won_match.standing.before, with_penalties(won_match.standing.before, won_match.hand.lines))
    )
    given = abs(after - before)
    had_clause = f"{won_match.winners} had {score_text(before)}, and {digits(given, 'point')} for the others’ mistake"
    return f"{had_clause} {'makes' if given == 1 else 'make'} {score_text(after)}: that counts first."


def _moon_won_sentence(won_match: _WonMatch) -> str:
    """Return who won by a moon: "Ann shot the moon and made it: that wins the match."."""
    is_all = won_match.outcome.winners in (won_match.standing.bidders, won_match.standing.bidders[:1])
    whose = "" if is_all else " for whoever was not below zero"
    return f"{won_match.bidder_phrase} shot the moon and made it: that wins the match{whose}."


def _moon_lost_sentence(won_match: _WonMatch) -> str:
    """Return who lost by a moon: "Ann shot the moon and did not make it: that loses the match."."""
    is_all = len(won_match.outcome.losers) == len(won_match.standing.bidders)
    whose = "" if is_all else f" for {join_words(names_of(won_match.outcome.losers, won_match.names))}"
    return f"{won_match.bidder_phrase} shot the moon and did not make it: that loses the match{whose}."


def _set_limit_sentence(won_match: _WonMatch) -> str:
    """Return who lost by being set too often: "Ann was set three times, 1 of them on paper: that loses the match."."""
    state = won_match.state
    sets_of_hands = [hand.score.sets or {} for hand in state.results if hand.score and hand.status == "scored"]
    sides_by_sets = group_by_key(
        ((sets := state.sets.get(side, 0), sets - sum(hand_sets.get(side, 0) for hand_sets in sets_of_hands)), side)
        for side in won_match.outcome.losers
    )
    were = [
        f"{_sides_with_verb(state, sides, 'were', won_match.names)} set {times_word(sets)}"
        + (f", {on_paper} of them on paper" if on_paper > 0 else "")
        for (sets, on_paper), sides in sides_by_sets.items()
    ]
    return f"{join_words(were)}: that loses the match."


def _best_score_sentence(state: MatchState, names: Names) -> str:
    """Return who won a match of a fixed number of hands: "Ann has the best score after 12 hands: 40."."""
    winners = state.winners
    have = "share" if len(winners) > 1 else verb_for(state.seats, winners, "have")
    score = score_text(state.scores[winners[0]])
    hands = digits(state.hands_scored, "hand")
    return f"{join_words(names_of(winners, names))} {have} the best score after {hands}: {score}."


_SENTENCE_WRITERS: Mapping[OutcomeRule, Callable[[_WonMatch], str]] = {
    "made_bid": _made_bid_sentence,
    "bidder_or_play_on": _made_bid_sentence,
    "first_to_target": _first_to_target_sentence,
    "turned_up": _turned_up_sentence,
    "given_first": _given_first_sentence,
    "forfeit": lambda won: (
        f"{_sides_with_verb(won.state, won.outcome.losers, 'lose', won.names)} the match by a renege."
    ),
    "pegged": lambda won: f"{won.reached_target_clause}; {won.winners} pegged it first.",
    "bidder_first": _bidder_first_sentence,
    "better_score": _better_score_sentence,
    "higher_score": _better_score_sentence,
    "higher_score_or_play_on": _better_score_sentence,
    "another_hand": _better_score_sentence,
    "point_order": _point_order_sentence,
    "bidder_then_point_order": _point_order_sentence,
    "moon_won": _moon_won_sentence,
    "moon_lost": _moon_lost_sentence,
    "all_points": lambda won: f"{won.winners} took every point of the hand: that wins the match.",
    "set_limit": _set_limit_sentence,
    "hands": lambda won: _best_score_sentence(won.state, won.names),
}
"""The functions that write the main sentence of a verdict, keyed by the rule that decided the match."""
_FURTHER_SENTENCE_WRITERS: Mapping[OutcomeRule, Callable[[_WonMatch], str]] = {
    "first_to_target": _without_bid_sentence,
    "point_order": _count_in_order_sentences,
    "bidder_then_point_order": _count_in_order_sentences,
}
"""The functions that write the further sentences of a verdict, keyed by rule.

For all other rules, `_others_at_target_sentence` writes them.
"""


def question_sentence(state: MatchState) -> str:
    """Return the question that decides who won: "It depends: who took Low? …"; empty if no question does."""
    last = state.last_scored
    if state.question is None or last is None:
        return ""
    deciding = state.question.awards
    if not deciding:
        pegged = last.ruleset.winning.pegged
        verb, subject = ("pegged", "The points") if pegged else ("reached", "Points alone")
        return f"It depends: who {verb} {target_score(last.ruleset)} first? {subject} do not say who won."
    awards = join_words(award_names(last.ruleset, deciding)) if len(deciding) <= _MAX_NAMED_AWARDS else "what"
    return f"It depends: who took {awards}? Points alone do not say who won."


def answers_sentence(state: MatchState, names: Names) -> str:
    """Return with which awards each side wins: "Ann & Cal win with High or Low, Bea & Dan win with High and Low.".

    Empty if no question is open, or if no short list of awards tells the sides apart.
    """
    last, question = state.last_scored, state.question
    if last is None or question is None:
        return ""
    winning_awards = {side: question.minimal_winning_awards(side) for side in question.winners}
    if len(set(winning_awards.values())) < 2 or not all(
        0 < len(sets) <= _MAX_ALTERNATIVES for sets in winning_awards.values()
    ):
        return ""
    answers: list[str] = []
    for side, sets in winning_awards.items():
        awards = join_words([join_words(award_name(last.ruleset, award) for award in awards) for awards in sets], "or")
        answers.append(f"{_sides_with_verb(state, [side], 'win', names)} with {awards}")
    return f"{', '.join(answers)}."


def _stopped_verdict(state: MatchState, names: Names) -> Verdict:
    """Return why nobody has won a match that people stopped early."""
    target, stopped_sentence = target_score(state.ruleset), "The match stopped before anyone won."
    if target is None:
        return Verdict(
            "Nobody wins by points: you settle up in money." if state.ruleset.is_for_money else stopped_sentence
        )
    are_all_tied = len(leading_sides(state.ruleset, state.scores, state.scores)) == len(state.scores)
    nobody_sentence = f"Nobody has reached {target}{'' if are_all_tied else ', and leading does not win'}."
    return Verdict(stopped_sentence, held_back_verdict(state, names).sentence or nobody_sentence)


def _nobody_yet_sentence(state: MatchState) -> str:
    """Return why a match that goes on has no winner yet."""
    if state.ruleset.winning.length == "hands":
        hands = state.ruleset.winning.hands or 0
        if state.hands_scored >= hands:
            played = f"{digits(state.hands_scored, 'hand')} {'is' if state.hands_scored == 1 else 'are'} played"
            return f"{played}, and the best scores are tied: play another hand."
        return f"The match goes on: {state.hands_scored} of {hands} hands are played."
    target = target_score(state.ruleset)
    return no_end_sentence(state.ruleset) if target is None else f"Nobody has reached {target} yet."


def missing_end_choices(ruleset: Ruleset) -> list[str]:
    """Return what still has to be chosen before a score can end the match: "a target", "a win rule"."""
    has_target = "target" not in ruleset.to_agree or ruleset.winning.target is not None or ruleset.counts_down
    return [*([] if has_target else ["a target"]), *([] if ruleset.winning.win_rule else ["a win rule"])]


def no_end_sentence(ruleset: Ruleset) -> str:
    """Return why no score ends a match: "Nobody picked a target, so no score ends the match."."""
    if missing_choices := missing_end_choices(ruleset):
        return f"Nobody picked {join_words(missing_choices, 'or')}, so no score ends the match."
    end_clause = "you settle up in money when you stop" if ruleset.is_for_money else "it ends when you stop"
    return f"No score ends this match: {end_clause}."


def held_back_verdict(state: MatchState, names: Names, *, hand_name: str = "this hand") -> Verdict:
    """Return why sides at the target have not won, and what wins next, or else the question that decides who won.

    Empty if somebody has won, or if no side is at the target. `hand_name` is what the text calls the last hand.
    """
    last, standing = state.last_scored, state.standing
    if state.question:
        question, _, explanation = question_sentence(state).partition("? ")
        return Verdict(f"{question}?", join_nonempty(explanation, answers_sentence(state, names)))
    if state.outcome or not standing.at_target:
        return Verdict("")
    hand_ended = last if standing.is_end_of_hand else None
    reasons = _reasons_sentence(
        (
            _reason_not_won(state, hand_ended, side, hand_name)
            if hand_ended and (side.missing or state.is_overtime)
            else "",
            _score_clause(state, side, names),
        )
        for side in standing.at_target
    )
    return Verdict(reasons, _next_win_sentence(state, names))


def _next_win_sentence(state: MatchState, names: Names) -> str:
    """Return what will win the match, "The next bid that we make wins.", where sides at the target have not won."""
    winning, at_target = state.ruleset.winning, state.standing.at_target
    missing = [side.missing for side in at_target]
    if all(Clause.MADE_BID in clauses for clauses in missing):
        lead = f" with a lead of {winning.win_by}" if winning.win_by else ""
        if len(at_target) > 1:
            return f"The next of them to make a bid wins{lead}."
        return f"The next bid that {_sides_with_verb(state, [at_target[0].side], 'make', names)} wins{lead}."
    if state.is_overtime:
        words = placeholders(state.ruleset)
        goal = words["target" if state.ruleset.counts_down else "at_target"]
        if winning.win_by:
            return f"Keep playing until the bidder makes the bid, is at {goal} and leads by {winning.win_by}."
        return f"Keep playing until {words['bidder_who']} makes {words['its']} bid is at {goal}."
    if all(Clause.BID_OR_SET in clauses for clauses in missing):
        return "A win takes a made bid, or a bid of the others that is set."
    if any(Clause.LEAD in clauses for clauses in missing):
        return f"A winner needs a lead of {winning.win_by}."
    if len(state.standing.candidates) == 1:
        return "A side wins only when a hand ends: play the next one."
    return "Play another hand to decide."
