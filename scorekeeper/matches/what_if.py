"""A stored match scored again under other rules."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from scorekeeper.matches.fold import Match
from scorekeeper.pitch.compare.alternatives import (
    MOST_READINGS,
    Effect,
    OtherReading,
    Replayed,
    Ruling,
    rule_on,
)
from scorekeeper.pitch.compare.reckoning import (
    MOST_PLAYS,
    PlayedMatch,
    WhatIf,
)
from scorekeeper.pitch.compare.what_if import PLAYS_MEANWHILE, _last_number, other_answers, what_if
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.budget import Budget
from scorekeeper.pitch.scoring.match import HandResult


def played_match(match: Match) -> PlayedMatch:
    """Return a kept match, up to the last hand that counts."""
    hands = len(match.state.results)
    return PlayedMatch(
        rules=match.rules,
        start=match.setup.carried_over,
        first_dealer=match.setup.first_dealer,
        state=match.state,
        names=(*(match.names_in(place) for place in range(1, hands + 1)), match.names),
        stopped=match.log.is_stopped,
    )


def rule_on_match(match: Match, base: Ruleset, agreed: Collection[str], budget: Budget | None = None) -> Ruling:
    """Return what comes of the last hand that counts, with what each other reading comes to in the whole match.

    `base` and what is `agreed` are as for `rule_on`. A reading of the last hand holds in the hands before it as well;
    where one of those comes out otherwise, it is `replayed`. Raises `ImpossibleHand` where the hand cannot be scored.
    """
    last = match.state.last_scored
    assert last is not None
    before, budget = match.state_at(last.place), budget or Budget()
    if len(match.state.results) == 1:
        return rule_on(before, last.hand, base, agreed, budget=budget)
    played = played_match(match)
    # All the others are tried only once somebody has won: until then each hand that is saved would wait for them.
    is_over = match.state.outcome is not None
    known = {_key(it.house): it for it in other_answers(played, budget)} if is_over else {}
    most_plays = MOST_PLAYS if is_over else max(PLAYS_MEANWHILE, len(match.state.results))
    changed = {name for result in match.state.results for name in result.hand.house or {}}
    also = [
        it.house
        for it in known.values()
        if (it.match.changes_winner and _is_earlier(it.match, last))
        or (it.match.changes_winner is not False and not changed.isdisjoint(it.house))
    ]
    ruling, others = rule_on(before, last.hand, base, agreed, budget=budget, also=also), []
    for reading in ruling.others:
        answer = known.get(_key(reading.house))
        other, faults = (answer.match.other, []) if answer else with_house(played.rules, reading.house)
        if not faults:
            found = (
                answer.match
                if answer
                else what_if(played, other, answered=reading.house, budget=budget, most_plays=most_plays)
            )
            is_same = reading.winners == found.otherwise.winners
            is_of_last = not _is_earlier(found, last) and changed.isdisjoint(reading.house)
            is_told = is_same and (is_of_last or reading.won_before is not None)
            others.append(reading if is_told else _replayed(reading, found, played))
    others.sort(key=lambda reading: reading.effect)
    return replace(ruling, others=tuple(others[:MOST_READINGS]))


def _is_earlier(match: WhatIf, last: HandResult) -> bool:
    """Return whether a match under other rules comes out otherwise before its last hand."""
    return match.first_difference is not None and match.first_difference.place < last.place


def _key(house: Mapping[str, Any]) -> frozenset[tuple[str, Any]]:
    return frozenset(house.items())


def _replayed(reading: OtherReading, match: WhatIf, played: PlayedMatch) -> OtherReading:
    """Return a reading of the last hand with what comes of the whole match."""
    end = match.otherwise
    is_known = not match.stop and all(span.is_known for span in end.scores.values())
    replayed = Replayed(
        winners=end.winners,
        scores={side: span.lowest for side, span in end.scores.items()} if is_known else None,
        after=_last_number(match),
        untold=tuple(dict.fromkeys(question.number for question in match.questions)),
        is_more_untold=match.is_too_much,
        stop=match.stop.sentence if match.stop and not match.is_too_much else "",
    )
    if end.winners != played.state.winners:
        effect = Effect.PERHAPS_WINNER if end.winners is None else Effect.WINNER
    elif is_known:
        effect = Effect.NOTHING if replayed.scores == played.state.scores else Effect.SCORE
    else:
        effect = Effect.PERHAPS_SCORE
    return replace(reading, replayed=replayed, effect=effect)
