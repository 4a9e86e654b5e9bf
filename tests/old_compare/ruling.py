"""One hand of a record, settled: the result, and that of every other reading of its rules."""

from typing import Any

from scorekeeper.pitch.records.record import (
    Record,
    RefusedRecord,
)
from scorekeeper.pitch.records.result import Rulebook, play_under, write_refusal, write_result
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.scoring.hand_faults import HandFault
from scorekeeper.pitch.scoring.match import Start, open_match
from tests.old_compare.alternatives import Ruling, rule_on


def settle_record(record: Record, rulebook: Rulebook) -> Ruling:
    """Return what comes of the one hand of a record; raises `RefusedRecord` where there is none that was played."""
    record = rulebook.as_then(record)
    ruleset = rulebook.agreed(record.variant, record.house)
    if len(record.hands) != 1:
        raise RefusedRecord([Fault("hands", "one_hand", _one_hand(len(record.hands)))])
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
    readings = []
    for reading in (*ruling.undecided, *ruling.others):
        if reading.faults:
            result = write_refusal(RefusedRecord(HandFault(1, fault) for fault in reading.faults))
        elif reading.state:
            result = write_result(reading.state, stopped=stopped)
        else:
            continue
        readings.append({"house": dict(reading.house), "result": result})
    return {"result": write_result(ruling.state, stopped=stopped), "readings": readings}
