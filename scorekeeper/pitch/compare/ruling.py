"""A ruling on one hand: how it scores, and which rules the table must still agree on to know the winner."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scorekeeper.pitch.compare.alternatives import Alternative, alternatives, undecided_alternatives
from scorekeeper.pitch.compare.comparison import PlayedMatch
from scorekeeper.pitch.records.json_parser import JsonObject
from scorekeeper.pitch.records.record import Record, RefusedRecord, names_by_hand
from scorekeeper.pitch.records.result import Rulebook, play_record_under, result_as_json
from scorekeeper.pitch.rules.faults import Fault, HandFault
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import Hand
from scorekeeper.pitch.scoring.match import HandResult, ImpossibleHand, MatchState, Start, open_match, play
from scorekeeper.pitch.scoring.search_budget import Budget
from scorekeeper.pitch.text.phrases import Names


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """A ruling on one hand: how it scores, and how it would score under answers to rules not agreed yet."""

    state_before: MatchState
    """The match before the hand, with the rules that the hand is played by."""
    match: PlayedMatch
    """A match of this hand alone, which starts with the scores before the hand."""
    undecided: tuple[Alternative, ...]
    """The hand under each answer to a rule not agreed yet, from `undecided_alternatives`; empty if none matters."""

    @property
    def state(self) -> MatchState:
        """The match after the hand."""
        return self.match.state

    @property
    def result(self) -> HandResult:
        """The result of the hand under the agreed rules."""
        return self.state.results[-1]


def make_ruling(
    before: MatchState,
    hand: Hand,
    start: Start,
    base: Ruleset,
    names: Names | None = None,
    *,
    budget: Budget | None = None,
    is_new: bool = False,
) -> Ruling:
    """Return the ruling on a hand that follows the state `before`; raises `ImpossibleHand`.

    `start` has the scores with which the match of this hand starts, and `base` is the variant as published. If the hand
    `is_new`, it must also agree with the cards.
    """
    budget = budget or Budget()
    if hand.house:
        ruleset, faults = with_house(before.ruleset, hand.house)
        if faults:
            raise ImpossibleHand(len(before.results) + 1, faults)
        before, hand = before._replace(ruleset=ruleset), replace(hand, house=None, house_on=None)
    state = play(before, hand, is_new=is_new, budget=budget)
    match = PlayedMatch(
        rules=before.ruleset,
        base=base,
        start=start,
        first_dealer=before.dealer,
        state=state,
        names=(names,) if names else tuple(names_by_hand(state)),
    )
    is_scored = state.results[-1].status in ("scored", "thrown_in")
    return Ruling(
        state_before=before, match=match, undecided=undecided_alternatives(match, budget) if is_scored else ()
    )


def make_record_ruling(record: Record, rulebook: Rulebook) -> Ruling:
    """Return the ruling on the only hand of a record.

    Raises `RefusedRecord` if the hand is impossible or unfinished, or if the record has no hand or several.
    """
    record = rulebook.with_former_answers(record)
    ruleset = rulebook.ruleset_for(record.variant, record.house)
    if (hand_count := len(record.hands)) != 1:
        why = f"There are {hand_count} hands. Keep the one to settle, and write the scores before it into “start”."
        if not hand_count:
            why = "There is no hand to settle. Write the one hand into “hands”, and the scores before it into “start”."
        raise RefusedRecord([Fault("hands", "one_hand", why)])
    state = play_record_under(record, ruleset)
    result = state.results[-1]
    if result.status in ("bid", "bidding"):
        why = "This hand is not finished: say who took what, in “taken”, or how many points, in “points”."
        raise RefusedRecord([HandFault(1, Fault("taken", "unfinished", why))])
    # The result has the hand with ids instead of names.
    start = Start(**record.start)
    before = open_match(ruleset, state.seats, start)
    return make_ruling(before, result.hand, start, rulebook.ruleset_for(record.variant, {}))


def ruling_json(ruling: Ruling, *, stopped: bool) -> JsonObject:
    """Return a ruling as JSON: the `result` of the hand, and as `readings` its results under other answers to rules.

    Rules not agreed yet are first among the readings. `stopped` says that the players ended the match early.
    """
    differing_alternatives = (
        alternative
        for alternative in alternatives(ruling.match)
        if alternative.comparison.first_differing_hand is not None
    )
    shown_alternatives: Sequence[Alternative] = (*ruling.undecided, *differing_alternatives)
    readings = [
        {"house": dict(alternative.answers), "result": result_as_json(alternative.comparison.state, stopped=stopped)}
        for alternative in shown_alternatives
        if alternative.comparison.state and alternative.comparison.state.results
    ]
    return {"result": result_as_json(ruling.state, stopped=stopped), "readings": readings}
