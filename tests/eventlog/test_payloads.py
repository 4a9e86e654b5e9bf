"""What is stored of a fact of every kind, byte by byte: an older or a newer Scorekeeper reads the same."""

import json
from pathlib import Path

from scorekeeper.eventlog.codec import write_payload
from scorekeeper.eventlog.stream import Fact
from tests.common import every_fact

GOLDEN = Path(__file__).parents[1] / "golden" / "payloads.txt"


def line(place: str, fact: Fact) -> str:
    return f"{place} {fact.kind} {json.dumps(write_payload(fact))}"


def test_the_bytes_of_every_kind_of_fact_stay_as_they_are() -> None:
    written = [
        *(line("match", fact) for fact in every_fact.FACTS),
        *(line("book", fact) for fact in every_fact.book_facts("m" * 22)),
        *(line("night", fact) for fact in every_fact.NIGHT_FACTS),
    ]

    assert written == GOLDEN.read_text(encoding="utf-8").splitlines()
