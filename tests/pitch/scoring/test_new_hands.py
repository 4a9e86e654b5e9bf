"""Hands that no cards make: refused when they are new, scored as they were written when they are stored already."""

from dataclasses import replace
from typing import Any

import pytest

from scorekeeper.pitch.records.record import RefusedRecord, read_record
from scorekeeper.pitch.records.result import play_record_under
from tests.acceptance.test_public_cases import CASES
from tests.common.library import RULEBOOK

REFUSED = [
    (case["id"], case["record"])
    for case in CASES
    if case["id"][:2] in ("H4", "E4") and case["expect"].get("status") == "refused" and not case["record"].get("house")
]


@pytest.mark.parametrize("record", [record for _, record in REFUSED], ids=[case for case, _ in REFUSED])
def test_a_download_scores_as_it_was_stored_though_the_hand_would_be_refused_today(record: dict[str, Any]) -> None:
    rules = RULEBOOK.ruleset_for(record["variant"], {})
    given = read_record(record)

    with pytest.raises(RefusedRecord):
        play_record_under(given, rules)

    assert play_record_under(replace(given, played_on="2026-01-02"), rules).seats.ids
