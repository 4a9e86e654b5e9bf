"""What is stored of a fact of every kind, byte by byte: an older or a newer Scorekeeper reads the same."""

import json
from pathlib import Path
from typing import Any

from scorekeeper.store.books import write_book_payload
from scorekeeper.store.codec import write_payload
from scorekeeper.store.night_codec import write_night_payload
from tests import every_fact

GOLDEN = Path(__file__).parents[1] / "golden" / "payloads.txt"


def line(place: str, fact: Any, payload: dict[str, Any]) -> str:
    return f"{place} {fact.kind} {json.dumps(payload)}"


def test_the_bytes_of_every_kind_of_fact_stay_as_they_are() -> None:
    written = [
        *(line("match", fact, write_payload(fact)) for fact in every_fact.FACTS),
        *(line("book", fact, write_book_payload(fact)) for fact in every_fact.book_facts("m" * 22)),
        *(line("night", fact, write_night_payload(fact)) for fact in every_fact.NIGHT_FACTS),
    ]

    assert written == GOLDEN.read_text(encoding="utf-8").splitlines()
