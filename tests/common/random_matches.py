"""Matches as they might have been, in any variant, as records."""

from random import Random
from typing import Any

from hypothesis import strategies as st

from scorekeeper.pitch.records.record import RefusedRecord, read_record
from scorekeeper.pitch.records.result import Rulebook, play_record
from scorekeeper.pitch.rules.library import Library
from tests.pitch.scoring.random_records import random_record


@st.composite
def records(draw: st.DrawFn, library: Library) -> dict[str, Any]:
    """Draw a record that its rules accept, perhaps with a title, a day and notes."""
    rulebook = Rulebook(library)
    seeds = st.integers(0, 2**32 - 1)
    record = draw(
        seeds.map(lambda seed: random_record(Random(seed), library)).filter(lambda record: _fits(record, rulebook))
    )
    for hand in record["hands"]:
        if draw(st.booleans()):
            hand["note"] = draw(st.text("abc ♥\n", max_size=10))
    extra = {"stopped": st.just(True), "title": st.text("abc é♠", max_size=20), "played_on": st.just("2026-11-20")}
    return record | {key: draw(values) for key, values in extra.items() if draw(st.booleans())}


def _fits(record: dict[str, Any], rulebook: Rulebook) -> bool:
    try:
        state = play_record(read_record(record), rulebook)
    except RefusedRecord:
        return False
    return all(result.status != "after_end" for result in state.results)
