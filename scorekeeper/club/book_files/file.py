"""A book as one file: its format, its parts, and how its lines are written; docs/book-file.md describes the file.

The book, each ruleset, each setup and each event is a line of JSON. A file has no link or anything else that opens a
match.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime

from scorekeeper.club.nights.events import MatchKept
from scorekeeper.club.nights.store import NightSetup
from scorekeeper.eventlog.stream import StoredEvent
from scorekeeper.matches.files.kept_files import FileRefused
from scorekeeper.matches.log import fold, occasion_of
from scorekeeper.matches.setup import MatchSetup
from scorekeeper.matches.store import setup_values
from scorekeeper.pitch.rules.schema import Ruleset

FORMATS = FORMAT_1, FORMAT_2, FORMAT_3 = ("pitch-book/1", "pitch-book/2", "pitch-book/3")
"""The formats of a book's file.

A file has the first format that can hold the book: the second adds ladder nights; the third adds money nights, in which
a match continues another.
"""
NO_MATCH = 0
"""The number in a file in place of a match's id, which would mean nothing in another database."""


@dataclass(frozen=True, slots=True)
class FileNight:
    """A ladder night in a book's file: its setup and its events."""

    setup: NightSetup
    events: tuple[StoredEvent, ...]


@dataclass(frozen=True, slots=True)
class FileHead:
    """The first section of a book's file, with everything before the matches and their rules."""

    uid: str
    """The uid of the book."""
    created_at: datetime
    events: tuple[StoredEvent, ...]
    nights: tuple[FileNight, ...]


@dataclass(frozen=True, slots=True)
class FileMatch:
    """A match in a book's file: its setup, its ruleset and its events."""

    setup: MatchSetup
    ruleset_json: str
    """The ruleset that the match began with, as JSON."""
    ruleset: Ruleset
    """The ruleset that the match began with, parsed."""
    events: tuple[StoredEvent, ...]
    earlier_uid: str
    """The uid of the match that this match continues in a money night; empty if it continues none."""


class BookFileRefused(FileRefused):
    """A file cannot be imported as a book; the message says why, and what to do."""

    def __init__(self, message: str) -> None:
        # The message may quote halves of letters from the file, which no page can show.
        super().__init__(message.encode("utf-8", "replace").decode())


class NotABookFile(BookFileRefused):
    """A file that was to be imported is not a book's file."""

    def __init__(self) -> None:
        super().__init__("This file is not a backup. Choose one that Scorekeeper made.")


class LaterFormat(BookFileRefused):
    """A book's file was written by a later version of Scorekeeper, so this version cannot import the file."""

    def __init__(self) -> None:
        super().__init__("This file was saved by a newer Scorekeeper. Update this one first.")


def setup_line(setup: MatchSetup | NightSetup, event_count: int, earlier_uid: str | None = None) -> str:
    """Return the file's line for the setup of a match or a night, before its `event_count` lines of events.

    `earlier_uid` is the uid of the match that a match continues in a money night.
    """
    kind, values = ("match", setup_values(setup)) if isinstance(setup, MatchSetup) else ("night", asdict(setup))
    line_keys, values = {"uid": kind, "digest": "rules"}, {**values, "continues": earlier_uid}
    exported = {name: value for name, value in values.items() if value is not None and name not in ("id", "book_id")}
    line = {line_keys.get(name, name): value for name, value in exported.items()}
    return file_line({**line, "created_at": setup.created_at.isoformat(), "facts": event_count})


def night_payload_for_file(kind: str, payload: Mapping[str, object]) -> Mapping[str, object]:
    """Return the payload of a night's event without the id of a match.

    `MatchKept` requires an id, and gets `NO_MATCH` instead.
    """
    if kind == MatchKept.kind:
        return {**payload, "match": NO_MATCH}
    return {key: value for key, value in payload.items() if key != "match"}


def event_line(event: StoredEvent, payload: Mapping[str, object]) -> str:
    """Return the file's line for an event of a book, a match or a night, with this payload."""
    return file_line(
        {
            "kind": event.data.kind,
            "key": event.idempotency_key,
            "at": event.at.isoformat(),
            "actor": event.actor,
            "payload": payload,
        }
    )


def file_line(json_object: Mapping[str, object]) -> str:
    """Return a JSON object as one line of a book's file, with a newline at its end."""
    return json.dumps(json_object, ensure_ascii=False, separators=(",", ":")) + "\n"


def match_name(setup: MatchSetup, events: Iterable[StoredEvent]) -> str:
    """Return the name of a match for use in a sentence: its title in quotes, "“Sunday”".

    Without a title, return the names of its sides: "Ann & Cal against Bea & Dan".
    """
    log = fold(events)
    title = occasion_of(setup, log).title
    names = setup.shown_names(log.renamed)
    return f"“{title}”" if title else " against ".join(names[side.id] for side in setup.sides)
