"""Compare the stored payload of every kind of event byte by byte: older and newer versions read the same."""

import json
from pathlib import Path

from scorekeeper.eventlog.store import encode_payload
from scorekeeper.eventlog.stream import Event
from tests.common import every_event

GOLDEN = Path(__file__).parents[1] / "golden" / "payloads.txt"


def line(stream: str, event: Event) -> str:
    return f"{stream} {event.kind} {json.dumps(encode_payload(event))}"


def test_the_bytes_of_every_kind_of_event_stay_as_they_are() -> None:
    written = [
        *(line("match", event) for event in every_event.EVENT_KINDS),
        *(line("book", event) for event in every_event.book_events("m" * 22)),
        *(line("night", event) for event in every_event.NIGHT_EVENT_KINDS),
    ]

    assert written == GOLDEN.read_text(encoding="utf-8").splitlines()
