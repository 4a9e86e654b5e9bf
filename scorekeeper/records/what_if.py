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
| "Nobody scores the Off Jack."        | `changes`; `points_per_hand` of both                                      |
| a row of the table                   | `rows`: `played` beside `deltas` and `scores`, `status`, `is_same`        |
| rows that fold into "the same"       | those of `rows` before `first_difference.place`                           |
| "The first difference. …"            | `first_difference.sentence`                                               |
| what is asked in place               | `rows[…].questions`; an answer's `who` goes into `told` under `key`       |
| "14?", "40 to 42"                    | a `Span` that is not `is_known`                                           |
| "Can’t go on past hand 6: …"         | `stop.sentence`; rows from there on are `not_reached`                     |
| nothing can be compared              | `refusal`, and the rest is empty                                          |
| "Other rules, same cards"            | `other_answers.other_answers(played)`, each with its own `WhatIf`         |

Only hands that count are scored: one that waits until another side accepts it is left out.
"""

from scorekeeper.engine.match import Start
from scorekeeper.engine.seats import seat
from scorekeeper.ledger.derive_match import Match
from scorekeeper.narration.rule_changes import changed_rules
from scorekeeper.records.comparison import (
    Ending,
    PlayedMatch,
    Told,
    WhatIf,
)
from scorekeeper.records.reckoning import MOST_PLAYS, Reckoning, ending_of
from scorekeeper.records.record import Record
from scorekeeper.records.result import Rulebook, play_record
from scorekeeper.records.seating import names_by_hand
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


def played_record(record: Record, rulebook: Rulebook) -> PlayedMatch:
    """Return a match from a record; raises `RefusedRecord`."""
    state = play_record(record, rulebook)
    return PlayedMatch(
        rules=rulebook.agreed(record.variant, record.house),
        start=Start(**record.start),
        first_dealer=None,
        state=state,
        names=tuple(names_by_hand(state)),
        stopped=record.stopped,
    )


def what_if(played: PlayedMatch, other: Ruleset, told: Told | None = None, *, most_plays: int = MOST_PLAYS) -> WhatIf:
    """Return a match beside itself under other rules, given what was told; never raises, whatever the rules."""
    state, names = played.state, played.names[-1]
    as_played = ending_of([state], names, stopped=played.stopped)
    refusal = _refusal(played, other)
    if refusal:
        nothing = Ending(scores={}, money=None, possible=(), heading="", why=refusal)
        return WhatIf(
            refusal=refusal,
            seats=state.seats,
            rules=played.rules,
            other=other,
            as_played=as_played,
            otherwise=nothing,
            begun={},
        )
    reckoning = Reckoning(played, other, told or {}, most_plays)
    reckoning.run()
    return WhatIf(
        seats=state.seats,
        rules=played.rules,
        other=other,
        changes=changed_rules(played.rules, other),
        points_per_hand=(played.rules.points_per_hand, other.points_per_hand),
        as_played=as_played,
        otherwise=ending_of(reckoning.branches, names, stopped=played.stopped, stop=reckoning.stop),
        begun=reckoning.begun.scores,
        rows=tuple(reckoning.rows),
        first_difference=reckoning.first_difference(),
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
