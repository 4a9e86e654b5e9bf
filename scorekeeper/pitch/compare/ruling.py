"""A ruling on one hand: its result, and the rules that the table must still agree on before the winner is known."""

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

    before: MatchState
    """The match before the hand, with the rules that the hand is played by."""
    match: PlayedMatch
    """A match that consists of this hand alone, with the scores before it as its start."""
    undecided: tuple[Alternative, ...]
    """The hand under answers to rules not agreed yet, by `undecided_alternatives`; empty where no such rule matters."""

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

    `start` is what was carried over into `before`, and `base` is the variant as published. A hand that `is_new` must
    agree with the cards.
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
    return Ruling(before=before, match=match, undecided=undecided_alternatives(match, budget) if is_scored else ())


def make_record_ruling(record: Record, rulebook: Rulebook) -> Ruling:
    """Return the ruling on the only hand of a record.

    Raises `RefusedRecord` for an impossible record, for none or several hands, or for an unfinished one.
    """
    record = rulebook.with_former_answers(record)
    ruleset = rulebook.ruleset_for(record.variant, record.house)
    if (number := len(record.hands)) != 1:
        why = f"There are {number} hands. Keep the one to settle, and write the scores before it into “start”."
        if not number:
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
    """Return a ruling as JSON: the hand's result, and as `readings` its results under other answers to the rules.

    The answers to rules not agreed yet come first. `stopped` is whether the players ended the match early.
    """
    others = (other for other in alternatives(ruling.match) if other.comparison.first_differing_hand is not None)
    found: Sequence[Alternative] = (*ruling.undecided, *others)
    results = [
        {"house": dict(other.answers), "result": result_as_json(other.comparison.state, stopped=stopped)}
        for other in found
        if other.comparison.state and other.comparison.state.results
    ]
    return {"result": result_as_json(ruling.state, stopped=stopped), "readings": results}
