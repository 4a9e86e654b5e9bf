"""Matches as they might have been, in any variant, as records."""

from random import Random
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from scorekeeper.pitch.records.result import Rulebook, score_record
from scorekeeper.pitch.rules.library import Library
from tests.pitch.scoring.random_records import random_record

TEXTS = st.text("abc é♠", max_size=20)
MORE = {"title": TEXTS, "stopped": st.just(True), "played_on": st.just("2026-11-20")}


@st.composite
def records(draw: st.DrawFn, library: Library) -> dict[str, Any]:
    """Draw a record that its rules accept."""
    record = random_record(Random(draw(st.integers(0, 2**32))), library)
    for said in (record, *record["hands"]):
        more = MORE if said is record else {"note": TEXTS}
        said |= {key: draw(values) for key, values in more.items() if draw(st.booleans())}
    assume(score_record(record, Rulebook(library))["status"] != "refused")
    return record
