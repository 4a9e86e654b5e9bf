"""The rule that a verdict cites is one without which the match would have ended otherwise."""

import json
import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from random import Random
from typing import Any, get_args

from scorekeeper.pitch.records.record import RefusedRecord
from scorekeeper.pitch.rules.groups.winning import TieRule, WinRule
from scorekeeper.pitch.rules.options import options
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.deciding_rules import is_tied_across_hands
from scorekeeper.pitch.scoring.match import MatchState
from scorekeeper.pitch.sheets.citations import citations
from scorekeeper.pitch.sheets.rule_sheet import numbered_rules
from tests.common.library import LIBRARY
from tests.pitch.compare.matches_again import played
from tests.pitch.scoring.random_records import random_record

MATCHES = int(os.environ.get("DECIDING_MATCHES", "500"))
"""How many random matches are tried; always the same ones."""
ENDING = (
    "target win_rule tie_rule win_by length hands set_limit four_points_win_game defenders_stop_at_one "
    "defenders_stop_short moon"
).split()
"""The options that end a match, or decide who wins then."""
NO_END = (None, False, "off")
"""Answers by which there is no such rule: one more rule is no change of those that a match was played by."""
Ended = tuple[dict[str, Any], MatchState]


def random_endings() -> Iterator[Ended]:
    """Yield random matches that somebody has won, as records that end with the hand that decided."""
    for seed in range(MATCHES):
        record = random_record(Random(seed))
        try:
            state = played(record).state
        except RefusedRecord:
            continue
        if state.outcome and state.last_scored:
            yield {**record, "hands": record["hands"][: state.last_scored.position]}, state


def otherwise(record: dict[str, Any], name: str, answer: object) -> tuple[str, ...] | None:
    """Return who wins where the last hand is played with another answer; `None` where that cannot be."""
    *earlier, last = record["hands"]
    stake = {"moon_made": 1, "moon_set": 1} if answer == "stake" else {}
    house = {**last.get("house", {}), name: "none" if answer is None else answer, **stake}
    try:
        return played({**record, "hands": [*earlier, {**last, "house": house}]}).state.winners
    except RefusedRecord:
        return None


def other_answers(ruleset: Ruleset, name: str) -> Iterator[object]:
    """Yield other answers to an option, numbers far and near."""
    option, now = options()[name], ruleset.answer(name)
    if option.is_flag:
        yield not now
    elif option.choices:
        yield from (choice for choice in option.choices if choice != now)
    else:
        near = [now + by for by in (-10, -5, -2, -1, 1, 2, 5, 10, 100)] if isinstance(now, int) else []
        lowest, highest = option.lowest or 0, option.highest or 0
        yield from (number for number in (*near, 1, 2, 500) if lowest <= number <= highest and number != now)
        yield from () if now is None else (None,)


def changes(record: dict[str, Any], state: MatchState, name: str, answers: Iterable[object]) -> bool:
    """Return whether another answer to an option changes who wins."""
    won = (otherwise(record, name, answer) for answer in answers)
    return any(winners is not None and {*winners} != {*state.winners} for winners in won)


def in_force(ruleset: Ruleset) -> list[str]:
    """Return the options that end a match by these rules."""
    is_counted = ruleset.winning.length == "hands"
    names = [name for name in ENDING if ruleset.answer(name) not in NO_END]
    return [name for name in names if name != "hands" or is_counted]


def was_held_before(state: MatchState) -> bool:
    """Return whether somebody had been at the target before the hand: every tie rule may apply then (R5, R46)."""
    standing = state.last_scored.standing if state.last_scored else None
    return is_tied_across_hands(state) or (standing is not None and standing.is_overtime)


def is_decided_by_tie_rule(state: MatchState, rules: Collection[str]) -> bool:
    """Return whether the tie rule decided among several: which points count first is another question.

    A sheet leaves it out where it decides nothing but among those who were at the target on paper.
    """
    assert state.outcome
    assert state.last_scored
    if state.outcome.rule not in AT_TARGET or state.last_scored.hand.penalties_to:
        return False
    return "win.tie_rule" in rules or not is_tied_across_hands(state)


def broken_by(record: dict[str, Any], state: MatchState) -> Iterator[str]:
    """Yield what is wrong with the rules that a verdict cites."""
    assert state.outcome
    assert state.last_scored
    ruleset = state.last_scored.ruleset
    behind = {rule.id: {*rule.decided_by} for rule in numbered_rules(ruleset, LIBRARY[ruleset.id])}
    cited = citations(ruleset, LIBRARY[ruleset.id]).outcome_rules(state)
    if not cited:
        yield "no rule is cited"
    named = {name for rule in cited for name in behind[rule.id]}
    answers = {name: [*other_answers(ruleset, name)] for name in in_force(ruleset)}
    decisive = {name for name, others in answers.items() if name in named and changes(record, state, name, others)}
    for name, without in TAKEN_AWAY.items():
        others = [answer for answer in answers.get(name, ()) if answer in without]
        is_expected = name != "tie_rule" or is_decided_by_tie_rule(state, behind)
        # Who is best of those left when another has lost is in the scores, and the hand cites what held them.
        is_expected &= name != "defenders_stop_short" or state.outcome.rule in AT_TARGET
        if name not in named and is_expected and changes(record, state, name, others):
            yield f"{name} decides, and is not cited"
    for rule in cited:
        names = behind[rule.id].intersection(answers)
        is_any_tie_rule = was_held_before(state) and rule.id in ("win.tie_rule", "win.before")
        is_in_score = any(rule.id in line.rules for line in state.last_scored.lines)
        if names and decisive and not names & decisive and not (is_any_tie_rule or is_in_score):
            yield f"{rule.id} decides nothing, and {decisive} do"


def test_a_verdict_cites_a_rule_without_which_it_would_differ() -> None:
    seen: Counter[str] = Counter()
    for record, state in random_endings():
        wrong = [*broken_by(record, state)]

        assert wrong == [], f"{json.dumps(record)}\n{state.outcome}"
        seen[state.outcome.rule if state.outcome else ""] += 1
    assert len(seen) > 8 or MATCHES < 500


TAKEN_AWAY: Mapping[str, tuple[object, ...]] = {
    "win_by": (None,),
    "set_limit": (None,),
    "four_points_win_game": (False,),
    "defenders_stop_at_one": (False,),
    "defenders_stop_short": (False,),
    "tie_rule": ("bidder_first", "higher_score", "another_hand", "point_order", "higher_score_or_play_on"),
}
"""Rules that hold somebody back or end a match besides, with the answers that take them away or put another there."""
AT_TARGET = (*get_args(WinRule), *get_args(TieRule), "better_score")
"""The outcomes among those who are at the target at the end of a hand."""
