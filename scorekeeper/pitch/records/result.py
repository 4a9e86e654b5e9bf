"""Score records, and write the results as JSON in the format `pitch-result/1`."""

from collections.abc import Mapping
from dataclasses import replace

from scorekeeper.pitch.records.json_parser import JsonObject
from scorekeeper.pitch.records.record import (
    RECORD_FORMATS,
    Record,
    RefusedRecord,
    names_by_hand,
    names_of_match,
    play_hands,
    read_record,
    record_format,
)
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.rules.house_rules import HouseRules, Variants, former_answers, new_answer_faults, with_house
from scorekeeper.pitch.rules.phrases import join_words
from scorekeeper.pitch.rules.schema import Answers, Ruleset
from scorekeeper.pitch.scoring.match import HandResult, ImpossibleHand, MatchState, Start, match_status, open_match
from scorekeeper.pitch.scoring.search_budget import Budget
from scorekeeper.pitch.scoring.seats import Seats, seat_table
from scorekeeper.pitch.text.endings import verdict_text
from scorekeeper.pitch.text.phrases import Names, names_of, record_fault_message, resolve_pronouns, with_pronouns

RESULT_FORMAT = "pitch-result/1"
"""The name and version of the format of results."""


class Rulebook:
    """The rulesets of records, each built once for all records with the same variant and house options."""

    def __init__(self, rulesets: Variants) -> None:
        self._rulesets = rulesets
        self._cache: dict[tuple[str, str], tuple[Ruleset, list[Fault]]] = {}

    def ruleset_for(self, variant: str, answers: Answers) -> Ruleset:
        """Return the ruleset of a variant with house options, cached; raises `RefusedRecord` for impossible ones."""
        if variant not in self._rulesets:
            fault = Fault("variant", "unknown_variant", f"There is no variant called {variant!r}.")
            raise RefusedRecord([fault])
        key = (variant, repr(sorted(answers.items())))
        if key not in self._cache:
            if len(self._cache) > 500:
                self._cache.clear()
            self._cache[key] = with_house(self._rulesets[variant], answers)
        ruleset, faults = self._cache[key]
        if faults:
            raise RefusedRecord(fault.inside("house") for fault in faults)
        return ruleset

    def with_former_answers(self, record: Record) -> Record:
        """Return a record with the answers that its variant had when the record was written, where they changed since.

        Answers of the record itself take precedence. Raises `RefusedRecord` if a new record has an answer that only old
        records may have.
        """
        if record.variant not in self._rulesets:
            return record
        if record.is_new:
            if faults := new_answer_faults(self._rulesets[record.variant], record.house):
                raise RefusedRecord(fault.inside("house") for fault in faults)
            return record
        # A record that needs a later format is newer than these changes, unless only its house rules' name needs it.
        if record_format(replace(record, house_rules=None)) not in RECORD_FORMATS[:2]:
            return record
        return replace(record, house={**former_answers(self._rulesets[record.variant], record.house), **record.house})

    def with_house_name(self, ruleset: Ruleset, rules: HouseRules) -> Ruleset:
        """Return a ruleset as a house's own, with the name and the notes of `rules`."""
        return rules.with_name_and_notes(ruleset, self._rulesets[rules.variant])


def play_record(record: Record, rulebook: Rulebook) -> MatchState:
    """Return the match of a record after all hands, under the rules that it had when it was written.

    Raises `RefusedRecord` if its rules, seats or hands are impossible.
    """
    record = rulebook.with_former_answers(record)
    return play_record_under(record, rulebook.ruleset_for(record.variant, record.house))


def play_record_under(record: Record, ruleset: Ruleset, budget: Budget | None = None) -> MatchState:
    """Return the match of a record after all hands, under `ruleset`, which need not be the record's own rules.

    Raises `RefusedRecord` if its seats or hands are impossible. For `budget` see `match.play`.
    """
    seats, faults = seat_table(ruleset, record.players, record.sides, is_new=record.is_new)
    if seats is None:
        raise RefusedRecord(faults)
    _check_start(record, seats)
    try:
        state = open_match(ruleset, seats, Start(**record.start))
        return play_hands(state, record.hands, is_new=record.is_new, budget=budget)
    except ImpossibleHand as refused:
        raise RefusedRecord(refused.faults) from None


def _check_start(record: Record, seats: Seats) -> None:
    """Raise `RefusedRecord` if what was carried over from paper names a side that is not at the table."""
    for key in ("scores", "sets"):
        faults = [
            Fault(
                f"start.{key}.{name}",
                "unknown_side",
                f"There is no side called {name}. The sides are {join_words(seats.ids)}.",
            )
            for name in record.start.get(key, ())
            if name not in seats.ids
        ]
        if faults:
            raise RefusedRecord(faults)


def score_record(data: object, rulebook: Rulebook) -> JsonObject:
    """Return the result of a record; `data` and the result are JSON. For a refused record, return its faults."""
    try:
        record = read_record(data)
        return result_as_json(play_record(record, rulebook), stopped=record.stopped)
    except RefusedRecord as refused:
        return refusal_as_json(refused)


def refusal_as_json(refused: RefusedRecord) -> JsonObject:
    """Return the result of a refused record as JSON, with its faults."""
    faults = [
        {
            "hand": item.hand,
            "field": item.fault.field,
            "code": item.fault.code,
            "message": record_fault_message(item.fault),
        }
        for item in refused.faults
    ]
    return {"format": RESULT_FORMAT, "status": "refused", "faults": faults}


def result_as_json(state: MatchState, *, stopped: bool) -> JsonObject:
    """Return the result of a match as JSON: its outcome, and each hand with its score lines.

    Each hand has the names of those who played in it. The status is "over" if somebody has won, even if the match was
    `stopped`.
    """
    present_names = names_of_match(state)
    result: JsonObject = {
        "format": RESULT_FORMAT,
        "status": match_status(state, stopped=stopped),
        "winners": names_of(state.outcome.winners, present_names) if state.outcome else [],
        "scores": _numbers_by_name(state.scores, present_names),
        "because": resolve_pronouns(verdict_text(state, with_pronouns(present_names), stopped=stopped)),
    }
    if state.question and (last := state.last_scored):
        result["asks"] = [{"hand": last.position, "awards": list(state.question.awards)}]
    if (money := state.money) is not None:
        result["money"] = money
    result["hands"] = list(map(_hand_result_as_json, state.results, names_by_hand(state)))
    return result


def _numbers_by_name(numbers: Mapping[str, int], names: Names) -> dict[str, int]:
    """Return numbers that were keyed by id, keyed by name."""
    return {names[who]: number for who, number in numbers.items()}


def _hand_result_as_json(hand: HandResult, names: Names) -> JsonObject:
    """Return the result of one hand as JSON, without keys whose value would be null."""
    score = hand.score
    lines = [
        {"side": names[line.side], "points": line.points, "reason": str(line.reason)}
        | ({"award": line.award} if line.award else {})
        for line in hand.lines
    ]
    written = {
        "number": hand.position,
        "status": hand.status,
        "dealer": hand.dealer and names[hand.dealer],
        "bidder": hand.bidder and names[hand.bidder],
        "bid": hand.bid,
        "made": hand.made,
        "points": score and _numbers_by_name(score.points, names),
        "deltas": _numbers_by_name(hand.deltas, names),
        "scores": _numbers_by_name(hand.scores, names),
        "next_dealer": hand.next_dealer and names[hand.next_dealer],
        "lines": lines,
        "money": score and score.payments and _numbers_by_name(score.payments, names),
    }
    return {key: value for key, value in written.items() if value is not None}
