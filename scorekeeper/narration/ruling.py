"""One hand settled, in words: made or set, what each side scores, who has won or why nobody has, and the rule."""

from collections.abc import Iterator
from dataclasses import dataclass

from scorekeeper.engine.hand import SideId
from scorekeeper.engine.match import MatchState
from scorekeeper.engine.outlook import outlook
from scorekeeper.engine.readings import Ruling
from scorekeeper.narration.endings import deciding_rule, final_score, outcome_heading
from scorekeeper.narration.hands import HandLine, bid_words, hand_lines, made_or_set, result_words
from scorekeeper.narration.lines import needs_words, tricks_words
from scorekeeper.narration.outlook import held_back_words, outlook_sentence
from scorekeeper.narration.phrases import Names, bid_word, joined, score_text
from scorekeeper.narration.readings import payments_words
from scorekeeper.narration.verdict import verdict_sentence
from scorekeeper.rules.phrases import sentence
from scorekeeper.rules.questions import QUESTIONS


@dataclass(frozen=True, slots=True)
class SideRuling:
    """What a hand does to the score of one side."""

    side: SideId
    before: int
    after: int
    lines: tuple[HandLine, ...]
    """What it scored, and for what."""


def side_rulings(ruling: Ruling) -> tuple[SideRuling, ...]:
    """Return what the hand does to every score."""
    lines = tuple(hand_lines(ruling.result))
    return tuple(
        SideRuling(side, before, ruling.state.scores[side], tuple(line for line in lines if side in line.sides))
        for side, before in ruling.before.scores.items()
    )


def bid_sentence(ruling: Ruling, names: Names) -> str:
    """Return what came of the bid: "Us bid 6 and took 5: set."; what a bid above the numbers needs is said, too."""
    result = ruling.result
    if result.status == "after_end":
        return "The match was over before this hand, so it scores nothing."
    if result.status == "thrown_in":
        return f"{bid_words(result, names)}: {result_words(result, names)}."
    if result.set_taken_by:
        return f"{names[result.set_taken_by]} went set instead of bidding."
    if result.bidder is None or result.hand_sides is None or result.score is None:
        return ""
    took = f"took {result.score.points[result.hand_sides.bidders[0]]}"
    partner = " alone" if result.hand.alone else f" with {names[result.hand.partner]}" if result.hand.partner else ""
    bid = f"{names[result.bidder]} bid {bid_word(result.bid)}{partner}"
    if isinstance(result.bid, int):
        return f"{bid} and {took}: {made_or_set(result)}."
    return f"{bid}, which needs {needs_words(result)}, and {took}{tricks_words(result)}: {made_or_set(result)}."


def ending_words(state: MatchState, names: Names, *, stopped: bool = False) -> str:
    """Return who has won, or that nobody has, with the scores: "Us win, 21 to 25", "Nobody yet, 31 to 40".

    Of more than two sides only the winner's score is among them.
    """
    are_two = len(state.scores) == 2
    if state.outcome:
        return f"{outcome_heading(state, names, stopped=stopped)}{',' if are_two else ''} {final_score(state)}"
    heading = "Stopped" if stopped else "Nobody yet" if state.goes_on else "It depends"
    return f"{heading}, {' to '.join(map(score_text, state.scores.values()))}" if are_two else heading


def reason_words(state: MatchState, names: Names, *, stopped: bool = False) -> str:
    """Return why somebody has won, or why nobody has and how the next hand may change that."""
    verdict = verdict_sentence(state, names, stopped=stopped)
    if stopped or not state.goes_on:
        return verdict
    held_back = joined(*held_back_words(state, names))
    if state.ruleset.winning.length == "hands":
        return verdict
    ahead = outlook_sentence(state, names, outlook(state).sides, hand="the next hand")
    return joined(held_back or verdict, "" if ahead == verdict else ahead)


def ending_rule(state: MatchState) -> str:
    """Return the rule that decided; where nobody has won, what ends the match."""
    if state.outcome:
        return deciding_rule(state)
    return " ".join(QUESTIONS[option].rule(state.ruleset) for option in _ending_options(state))


def _ending_options(state: MatchState) -> Iterator[str]:
    winning = state.ruleset.winning
    if winning.length == "hands":
        yield "hands"
        return
    if winning.count_down_from:
        yield "count_down_from"
    elif winning.target:
        yield "target"
    if (winning.target or winning.count_down_from) and winning.win_rule:
        yield "win_rule"
    if winning.win_by:
        yield "win_by"


def money_words(ruling: Ruling, names: Names) -> str:
    """Return what the hand pays, and who is owed how much now; empty where nobody pays."""
    score, owed = ruling.result.score, ruling.state.money
    paid = payments_words(score.payments, names) if score and score.payments else ""
    settled = payments_words(owed, names) if owed else ""
    hand = sentence(f"for this hand {paid}.") if paid else ""
    return joined(hand, f"Settled now: {settled}." if settled and settled != paid else "")
