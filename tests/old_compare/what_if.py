"""A match scored again under other rules, hand by hand beside what was played.

The cards stay as they were: who bid what, who dealt and who took what are facts. What the other rules ask for and
nobody wrote down is a `Question`; until it is told, every hand that it may have been is scored, and a total is a `Span`
with both ends. A rule that changed in the middle of the match changes here as well, unless the other rules answer that
very option otherwise, or it is `answered`: then their answer holds all the way.

    what_if(played_match(match), other)                       # nothing told: questions, spans
    what_if(played_match(match), other, {(6, "off_jack"): ("s1",)})   # hand at place 6: side s1 took the Off Jack

| to show                              | is                                                                        |
|--------------------------------------|---------------------------------------------------------------------------|
| the two cards at the top             | `as_played`, `otherwise`: `scores`, `winners`, `heading`, `why`           |
| "Nobody scores the Off Jack."        | `changes`                                                                 |
| a row of the table                   | `rows`: `played` beside `deltas` and `scores`, `status`                   |
| rows that fold into "the same"       | those of `rows` before `first_difference.place`                           |
| "The first difference. …"            | `first_difference.sentence`                                               |
| what is asked in place               | `rows[…].questions`; an answer's `who` goes into `told` under `key`       |
| "14?", "40 to 42"                    | a `Span` that is not `is_known`                                           |
| "Can’t go on past hand 6: …"         | `stop.sentence`; rows from there on are `not_reached`                     |
| nothing can be compared              | `refusal`, and the rest is empty                                          |
| "Other rules, same cards"            | `other_answers(played)`, each with its own `WhatIf`                       |
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.moot import moot_options
from scorekeeper.pitch.rules.options import options
from scorekeeper.pitch.rules.questions import DISPUTED, QUESTIONS, RuleKey, possible_answers, value_of
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.budget import Budget
from scorekeeper.pitch.scoring.deciding_rules import deciding_options
from scorekeeper.pitch.scoring.seats import seat
from scorekeeper.pitch.text.rule_changes import award_sentence, changed_rules
from tests.old_compare.reckoning import (
    MOST_PLAYS,
    MatchEnd,
    PlayedMatch,
    Reckoning,
    Told,
    WhatIf,
    ended_before,
    ending_of,
)
from tests.old_compare.words import NOT_IN_LIST, other_answer_words, without_award


def what_if(
    played: PlayedMatch,
    other: Ruleset,
    told: Told | None = None,
    *,
    answered: Mapping[str, Any] | None = None,
    budget: Budget | None = None,
    most_plays: int = MOST_PLAYS,
) -> WhatIf:
    """Return a match beside itself under other rules, given what was told; never raises, whatever the rules.

    Where it takes more than the `budget`, it stops at a hand.

    What is `answered`, as in house rules, holds for every hand, also where the match began so and changed it.
    """
    state, names = played.state, played.names[-1]
    as_played = ending_of([state], names, stopped=played.stopped)
    refusal = _refusal(played, other)
    if refusal:
        nothing = MatchEnd(scores={}, money=None, possible=(), heading="", why=refusal)
        return WhatIf(
            refusal=refusal,
            other=other,
            as_played=as_played,
            otherwise=nothing,
        )
    reckoning = Reckoning(played, other, told or {}, budget or Budget(), most_plays, answered or {})
    reckoning.run()
    return WhatIf(
        other=other,
        changes=_changes(played, other, answered or {}),
        as_played=as_played,
        otherwise=ending_of(reckoning.branches, names, stopped=played.stopped, stop=reckoning.stop)
        if reckoning.won_before is None
        else ended_before(other, reckoning.branches[0], reckoning.won_before, names),
        rows=tuple(reckoning.rows),
        first_difference=reckoning.first_difference,
        stop=reckoning.stop,
        notes=_notes(played, other),
        plays=reckoning.plays,
    )


def _changes(played: PlayedMatch, other: Ruleset, answered: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what the other rules say otherwise, of the first hand or of a later one."""
    changes = changed_rules(played.rules, other)
    # A hand of many has the rules of the one before, and all of them together few: each is compared once.
    rules = {id(result.ruleset): result.ruleset for result in played.state.results if answered}
    later = (_changes_asked_for(it, other, answered) for it in rules.values())
    return tuple(dict.fromkeys((*changes, *chain.from_iterable(later))))


def _changes_asked_for(before: Ruleset, other: Ruleset, answered: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the other rules say otherwise than those of a hand where they are what was answered."""
    asked = {
        award_sentence(other, it, before) if RuleKey.of_answer(it, answer).is_worth else QUESTIONS[it].rule(other)
        for it, answer in answered.items()
    }
    yield from (it for it in changed_rules(before, other) if it in asked)


def _refusal(played: PlayedMatch, other: Ruleset) -> str:
    """Return why a match cannot be scored by other rules at all."""
    own, seats = played.rules, played.state.seats
    if own.bidding.auction != other.bidding.auction:
        return "Nobody bids in one of the two games, so the hands can’t be compared."
    if own.table.called != other.table.called:
        return "The bidder calls a partner in only one of the two games, so the hands can’t be compared."
    if own.table != other.table:
        sides = [(side.id, side.seats) for side in seats.sides]
        fits, _ = seat(other, seats.players or None, sides, is_new=False)
        if fits is None:
            return f"{other.name} is not played with these sides."
    if own.winning.count_down_from != other.winning.count_down_from and played.start.scores:
        return "The scores from paper count from another start, so they can’t be carried over."
    return ""


def _notes(played: PlayedMatch, other: Ruleset) -> tuple[str, ...]:
    """Return what the other rules count and the paper did not say."""
    start, own = played.start, played.rules
    if not (start.scores or start.hands):
        return ()
    notes = []
    if other.winning.set_limit and not own.winning.set_limit and not start.sets:
        notes.append("Sets from before the first hand are not counted: nobody wrote them down.")
    if other.winning.length == "hands" and own.winning.length != "hands" and not start.hands:
        notes.append("Hands from before the first hand are not counted: nobody wrote down how many.")
    return tuple(notes)


MOST = 24
"""Other answers that are tried."""
PLAYS_MEANWHILE = 300
"""Hands scored for a reading while a match goes on, or as many as the match has: each hand that is saved waits."""
_PLAYS_FOR_EACH = 500
"""Hands scored for each of them, or as many as the match has; where more are needed, too much is open."""
MOST_PLAYS_FOR_ALL = 2000
"""Hands scored for all of them; of a very long match the last ones are left to their own pages."""
_CALLS = ("dealer_steal", "all_pass", "rounds", "forced_bid")
"""Options about who may call what: without the calls there is nothing to tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherAnswer:
    """One other answer, and the match under it."""

    house: Mapping[str, Any]
    """The answer as a house gives it, laid over the rules that the match began with."""
    label: str
    """"Both reach it: the higher score", "Without the Off Jack"."""
    detail: str
    """"as played up to hand 10, 43 to 44", "40 to 40 after hand 10", "either way", "no change"."""
    heading: str
    """"Bea & Dan win", "Nobody yet", "Not known"."""
    match: WhatIf


def other_answers(played: PlayedMatch, budget: Budget | None = None) -> tuple[OtherAnswer, ...]:
    """Return the match under each other answer to the options argued about, and without each of its points.

    Those that change the winner come first, then those of which it is not known, and last those that change nothing.
    """
    found: list[OtherAnswer] = []
    budget = budget or Budget()
    left, for_each = MOST_PLAYS_FOR_ALL, max(_PLAYS_FOR_EACH, len(played.state.results))
    for house in _houses(played):
        other, faults = with_house(played.rules, house)
        if faults or len(found) == MOST:
            continue
        match = what_if(played, other, answered=house, budget=budget, most_plays=min(left, for_each))
        left -= match.plays
        if not match.refusal:
            found.append(_answer(played, other, house, match))
    return tuple(sorted(found, key=lambda it: _RANKS[it.match.changes_winner, not it.match.first_difference]))


_RANKS = {(True, False): 0, (True, True): 0, (None, False): 1, (None, True): 1, (False, False): 2, (False, True): 3}


def _houses(played: PlayedMatch) -> Iterator[dict[str, Any]]:
    """Yield single answers: to what changed in the match, decided it or is argued about, and without an award."""
    rules, hands = played.rules, played.state.results
    changed = (name for result in hands for name in result.hand.house or {})
    burned = ("moon_counts_burned",) if any(isinstance(result.bid, str) for result in hands) else ()
    for name in dict.fromkeys((*changed, *deciding_options(played.state), *rules.sheet.argued, *burned, *DISPUTED)):
        if name in options() and _may_matter(played, name):
            yield from ({name: answer} for answer in _answers(played, name))
    yield from ({award_id: False} for award_id in rules.award_rows)


def _may_matter(played: PlayedMatch, name: str) -> bool:
    """Return whether an option can move a score, or the winner, of hands that are written down."""
    if options()[name].group == "play":
        return False
    in_force = {id(rules): rules for rules in (played.rules, *(hand.ruleset for hand in played.state.results))}
    if all(name in moot_options(rules) for rules in in_force.values()):
        return False
    hands = [result.hand for result in played.state.results]
    return name not in _CALLS or any(hand.auction or hand.thrown_in == "all_passed" for hand in hands)


def _answers(played: PlayedMatch, name: str) -> Iterator[Any]:
    """Yield what else an option could have been answered all the way; each of its own answers, where it changed."""
    rules, option = played.rules, options()[name]
    held = dict.fromkeys([rules.answer(name), *(result.ruleset.answer(name) for result in played.state.results)])
    found: Iterable[Any]
    if QUESTIONS[name].is_number:
        found = rules.sheet.offers.get(name, [])
    else:
        found = [option.read(value_of(word)) for word in possible_answers(rules, name)]
    if len(held) > 1:
        yield from held
    yield from (answer for answer in found if answer not in held)


def _answer(played: PlayedMatch, other: Ruleset, house: Mapping[str, Any], match: WhatIf) -> OtherAnswer:
    ((name, answer),) = house.items()
    spans = match.otherwise.scores.values()
    heading, detail = other_answer_words(
        match.otherwise.heading,
        scores=[span.lowest for span in spans] if not match.stop and all(span.is_known for span in spans) else None,
        is_same=match.first_difference is None and not match.changes_winner,
        stop=match.stop.sentence if match.stop and not match.is_too_much else "",
        is_as_played=all(row.status == "same" for row in match.rows if row.status != "already_over"),
        last=_last_number(match),
    )
    if match.is_too_much and not match.questions:  # nothing is open: there are too many hands for a list
        detail = NOT_IN_LIST
    if RuleKey.of_answer(name, answer).is_worth:
        label = without_award(played.rules, name)
    else:
        label = f"{QUESTIONS[name].title(other)}: {QUESTIONS[name].label(answer, other)}"
    return OtherAnswer(house=house, label=label, detail=detail, heading=heading, match=match)


def _last_number(match: WhatIf) -> int | None:
    """Return the number of the last hand that counts under the other rules."""
    numbers = [row.number for row in match.rows if row.status in ("same", "differs", "open")]
    return numbers[-1] if numbers else None
