"""A match scored again under other rules, hand by hand beside what was played.

The cards stay as they were: who bid what, who dealt and who took what are facts. What the other rules ask for and
nobody wrote down is a `Question`; until it is told, every hand that it may have been is scored, and a total is a `Span`
with both ends. A rule that changed in the middle of the match changes here as well, unless the other rules answer that
very option otherwise: then their answer holds all the way.

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

Only hands that count are scored: one that waits until another side accepts it is left out.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scorekeeper.engine.seats import seat
from scorekeeper.ledger.derive_match import Match
from scorekeeper.narration.rule_changes import changed_rules
from scorekeeper.narration.what_if import other_answer_words, without_award
from scorekeeper.records.reckoning import (
    MOST_PLAYS,
    MatchEnd,
    PlayedMatch,
    Reckoning,
    Told,
    WhatIf,
    ending_of,
)
from scorekeeper.rules.house_rules import with_house
from scorekeeper.rules.options import options
from scorekeeper.rules.questions import DISPUTED, QUESTIONS, RuleKey, has_end, possible_answers, value_of
from scorekeeper.rules.schema import Ruleset


def played_match(match: Match) -> PlayedMatch:
    """Return a kept match, up to the last hand that counts."""
    hands = len(match.counted.results)
    return PlayedMatch(
        rules=match.rules,
        start=match.setup.carried_over,
        first_dealer=match.setup.first_dealer,
        state=match.counted,
        names=(*(match.names_in(place) for place in range(1, hands + 1)), match.names),
        stopped=match.log.is_stopped,
    )


def what_if(played: PlayedMatch, other: Ruleset, told: Told | None = None, *, most_plays: int = MOST_PLAYS) -> WhatIf:
    """Return a match beside itself under other rules, given what was told; never raises, whatever the rules."""
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
    reckoning = Reckoning(played, other, told or {}, most_plays)
    reckoning.run()
    return WhatIf(
        other=other,
        changes=changed_rules(played.rules, other),
        as_played=as_played,
        otherwise=ending_of(reckoning.branches, names, stopped=played.stopped, stop=reckoning.stop),
        rows=tuple(reckoning.rows),
        first_difference=reckoning.first_difference,
        stop=reckoning.stop,
        notes=_notes(played, other),
    )


def _refusal(played: PlayedMatch, other: Ruleset) -> str:
    """Return why a match cannot be scored by other rules at all."""
    own, seats = played.rules, played.state.seats
    if own.bidding.auction != other.bidding.auction:
        return "Nobody bids in one of the two games, so the hands can’t be compared."
    if own.table.called != other.table.called:
        return "The bidder calls a partner in only one of the two games, so the hands can’t be compared."
    if own.table != other.table:
        fits, _ = seat(other, seats.players or None, [(side.id, side.seats) for side in seats.sides])
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
_PLAYS_FOR_EACH = 500
"""Hands scored for each of them; where more are needed, too much is open."""
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


def other_answers(played: PlayedMatch) -> tuple[OtherAnswer, ...]:
    """Return the match under each other answer to the options argued about, and without each of its points.

    Those that change the winner come first, then those of which it is not known, and last those that change nothing.
    """
    found: list[OtherAnswer] = []
    for house in _houses(played):
        other, faults = with_house(played.rules, house)
        if faults or len(found) == MOST:
            continue
        match = what_if(played, other, most_plays=_PLAYS_FOR_EACH)
        if not match.refusal:
            found.append(_answer(played, other, house, match))
    return tuple(sorted(found, key=lambda it: _RANKS[it.match.changes_winner, not it.match.first_difference]))


_RANKS = {(True, False): 0, (True, True): 0, (None, False): 1, (None, True): 1, (False, False): 2, (False, True): 3}


def _houses(played: PlayedMatch) -> Iterator[dict[str, Any]]:
    """Yield single answers: to what is argued about in this variant, to what is in all, and no point for an award."""
    rules = played.rules
    for name in dict.fromkeys((*rules.sheet.argued, *DISPUTED)):
        if name in options() and _may_matter(played, name):
            yield from ({name: answer} for answer in _answers(rules, name))
    yield from ({award_id: False} for award_id in rules.in_play)


def _may_matter(played: PlayedMatch, name: str) -> bool:
    """Return whether an option can move a score, or the winner, of hands that are written down."""
    if options()[name].group == "play":
        return False
    if name in ("win_rule", "tie_rule") and not has_end(played.rules):
        return False
    hands = [result.hand for result in played.state.results]
    return name not in _CALLS or any(hand.auction or hand.thrown_in == "all_passed" for hand in hands)


def _answers(rules: Ruleset, name: str) -> Iterator[Any]:
    option, now = options()[name], rules.answer(name)
    found: Iterable[Any]
    if QUESTIONS[name].is_number:
        found = rules.sheet.offers.get(name, [])
    else:
        found = [option.read(value_of(word)) for word in possible_answers(rules, name)]
    yield from (answer for answer in found if answer != now)


def _answer(played: PlayedMatch, other: Ruleset, house: Mapping[str, Any], match: WhatIf) -> OtherAnswer:
    ((name, answer),) = house.items()
    spans = match.otherwise.scores.values()
    heading, detail = other_answer_words(
        match.otherwise.heading,
        scores=[span.lowest for span in spans] if not match.stop and all(span.is_known for span in spans) else None,
        is_same=match.first_difference is None,
        stop=match.stop.sentence if match.stop and not match.is_too_much else "",
        is_as_played=all(row.status == "same" for row in match.rows if row.status != "already_over"),
        last=_last_number(match),
    )
    if RuleKey.of_answer(name, answer).is_worth:
        label = without_award(played.rules, name)
    else:
        label = f"{QUESTIONS[name].title(other)}: {QUESTIONS[name].label(answer, other)}"
    return OtherAnswer(house=house, label=label, detail=detail, heading=heading, match=match)


def _last_number(match: WhatIf) -> int | None:
    """Return the number of the last hand that counts under the other rules."""
    numbers = [row.number for row in match.rows if row.status in ("same", "differs", "open")]
    return numbers[-1] if numbers else None
