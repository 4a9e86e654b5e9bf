"""One hand settled: a record that has the scores before it and that hand alone, with the other readings of it."""

from collections.abc import Mapping
from typing import Any

from scorekeeper.engine.hand_faults import HandFault
from scorekeeper.engine.match import MatchState, Start, open_match
from scorekeeper.engine.readings import OtherReading, Ruling, rule_on
from scorekeeper.records.record import Record, RefusedRecord
from scorekeeper.records.result import Rulebook, play_under, write_refusal, write_result
from scorekeeper.rules.faults import Fault


def settle_record(record: Record, rulebook: Rulebook) -> Ruling:
    """Return what comes of the one hand of a record; raises `RefusedRecord` where there is none that was played."""
    ruleset = rulebook.agreed(record.variant, record.house)
    if len(record.hands) != 1:
        raise RefusedRecord([HandFault(None, Fault("hands", "one_hand", _one_hand(len(record.hands))))])
    state = play_under(record, ruleset)
    result = state.results[-1]
    if result.status in ("bid", "bidding"):
        why = "This hand is not finished: say who took what, in “taken”, or how many points, in “points”."
        raise RefusedRecord([HandFault(1, Fault("taken", "unfinished", why))])
    # The seats and whoever sits in them are known by now: so is the hand, by ids.
    before = open_match(ruleset, state.seats, Start(**record.start))
    return rule_on(before, result.hand, rulebook.agreed(record.variant, {}), record.house)


def _one_hand(number: int) -> str:
    if not number:
        return "There is no hand to settle. Write the one hand into “hands”, and the scores before it into “start”."
    return f"There are {number} hands. Keep the one to settle, and write the scores before it into “start”."


def write_ruling(ruling: Ruling, *, stopped: bool = False) -> dict[str, Any]:
    """Return a ruling as JSON: the result, and the result of every reading that can be told.

    What is still to be agreed and decides comes first.
    """
    readings = [*ruling.undecided, *ruling.others]
    written = (_write_reading(reading, stopped) for reading in readings)
    return {"result": write_result(ruling.state, stopped=stopped), "readings": [it for it in written if it]}


def _write_reading(reading: OtherReading, stopped: bool) -> dict[str, Any] | None:
    result = _result_of(reading.state, stopped)
    if reading.faults:
        result = write_refusal(RefusedRecord(HandFault(1, fault) for fault in reading.faults))
    return {"house": dict(reading.house), "result": result} if result else None


def _result_of(state: MatchState | None, stopped: bool) -> Mapping[str, Any] | None:
    return write_result(state, stopped=stopped) if state else None
