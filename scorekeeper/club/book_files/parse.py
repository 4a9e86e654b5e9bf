"""Read the file of a book line by line, with one match in memory at a time, up to the first fault."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime

from pydantic import ValidationError

from scorekeeper.club.book_files.file import (
    FORMAT_1,
    FORMATS,
    BookFileRefused,
    FileHead,
    FileMatch,
    FileNight,
    LaterFormat,
    NotABookFile,
    match_name,
)
from scorekeeper.club.book_files.lines import (
    match_faults,
    night_faults,
    read_book_event,
    read_match_event,
    read_match_setup,
    read_moment,
    read_night_event,
    read_night_setup,
    read_required_uid,
    seating_faults,
)
from scorekeeper.club.nights.store import NightSetup
from scorekeeper.matches.events import HandAdded, HandCorrected, StoredEvent
from scorekeeper.matches.setup import MatchSetup
from scorekeeper.pitch.records.json_parser import JsonObject, JsonParser, parse_json
from scorekeeper.pitch.rules.entered_text import is_printable, texts_inside
from scorekeeper.pitch.rules.faults import Fault, shape_faults
from scorekeeper.pitch.rules.options import award_faults, contradictions
from scorekeeper.pitch.rules.schema import Ruleset

MAX_LINE_BYTES = 128 * 1024
"""The most bytes that a line of a book's file may have."""
MAX_RULESET_LENGTH = 32 * 1024
"""The most characters of a ruleset as JSON. A usual ruleset has 5,000; with many notes, it has 10,000."""
_MAX_ENTRIES = {
    "sets of rules": 2000,
    "matches": 5000,  # more than twice what a table plays in twenty years
    "hands and corrections": 400_000,
    "entries about its people and matches": 50_000,
    "nights": 1000,
    "entries about nights": 100_000,
}
"""The most lines of each kind in a file, keyed by the kind's name in messages."""
MAX_FILE_BYTES = 256 * 1024 * 1024
"""The most bytes that a book's file may have when unpacked."""
_EVENT_READERS = {
    "entries about its people and matches": read_book_event,
    "entries about nights": read_night_event,
    "hands and corrections": read_match_event,
}
"""The function that reads each kind of event line, keyed by the kind's name in `_MAX_ENTRIES`."""
_FORMAT_PREFIX = "pitch-book/"

DOWNLOAD_AGAIN_SENTENCE = "Download the file again."


class BookParser:
    """A parser of a book's file, line by line, in one pass.

    Reading raises `BookFileRefused` at the first fault.
    """

    def __init__(self, lines: Iterable[bytes]) -> None:
        self.line_objects = self._read_lines(lines)
        self.rulesets_by_digest: dict[str, tuple[str, Ruleset]] = {}
        self.uids_read: set[str] = set()
        self.has_nights = False
        self.byte_count = self.line_number = 0
        self.entry_counts = Counter[str]()
        self.last_match: FileMatch | None = None
        """The match that was read last, after which the file may break off."""

    def read(self) -> tuple[FileHead, Iterator[FileMatch]]:
        """Return the file's head, and an iterator that parses one match after another.

        Only one match is in memory at a time. A match that was yielded has no faults, even if a later match has.
        """
        uid, created_at = self.read_first_line()
        events: dict[str, StoredEvent] = {}
        while (line := next(self.line_objects, None)) and "kind" in line:
            self._add_event(events, line, "entries about its people and matches")
        nights: list[FileNight] = []
        while line and "night" in line and self.has_nights:
            nights.append(self._read_night(line))
            line = next(self.line_objects, None)
        return FileHead(uid, created_at, tuple(events.values()), tuple(nights)), self._read_matches(line)

    def _read_matches(self, line: JsonObject | None) -> Iterator[FileMatch]:
        """Yield the matches of the file; `line` is the first line after the head, `None` if the file ends there.

        Raises `BookFileRefused` also for a file that breaks off, or that goes on after its end.
        """
        while line is not None and "end" not in line:
            if "rules" in line and "match" not in line:
                self._read_rules(line)
            else:
                yield self._read_match(line)
            line = next(self.line_objects, None)
        if line is None:
            match = self.last_match
            raise _refusal_of_broken_off_file(
                f"after {match_name(match.setup, match.events)}" if match else "before its first match"
            )
        if line.get("end") != (match_count := self.entry_counts["matches"]):
            raise self._refusal_of_line([Fault("end", "bad_value", f"The file has {match_count} matches.")])
        if next(self.line_objects, None) is not None:
            raise self._refusal_of_line([Fault("", "after_the_end", "Nothing follows the end.")])

    def _read_lines(self, lines: Iterable[bytes]) -> Iterator[JsonObject]:
        """Yield each line as a JSON object; a last line that was cut off is left out."""
        for line in lines:
            self.line_number += 1
            self.byte_count += len(line)
            if len(line) > MAX_LINE_BYTES or self.byte_count > MAX_FILE_BYTES:
                raise self._refusal_of_large_file(
                    f"more than {MAX_FILE_BYTES // 1024**2} MB, or a line of more than a backup needs"
                )
            if not line.endswith(b"\n"):
                return
            try:
                line_object = parse_json(line)
            except ValueError:
                raise self._refusal_of_unreadable_line() from None
            if not isinstance(line_object, dict):
                raise self._refusal_of_unreadable_line()
            yield line_object

    def _refusal_of_unreadable_line(self) -> BookFileRefused:
        """Return the exception for a line that is no JSON object: for line 1, that the file is no backup."""
        return (
            NotABookFile()
            if self.line_number == 1
            else self._refusal_of_line([Fault("", "not_json", "This is not JSON.")])
        )

    def read_first_line(self) -> tuple[str, datetime]:
        """Read the first line, and return the uid of the book and the time when the book began."""
        line = next(self.line_objects, {})
        file_format = line.get("format")
        if not isinstance(file_format, str) or not file_format.startswith(_FORMAT_PREFIX):
            raise NotABookFile()
        if file_format not in FORMATS:
            raise LaterFormat()
        self.has_nights = file_format != FORMAT_1
        parser = JsonParser(line)
        parser.refuse_other_keys(("format", "book", "created_at"))
        uid, created_at = read_required_uid(parser, "book"), read_moment(parser, "created_at")
        if parser.faults:
            raise self._refusal_of_line(parser.faults)
        return uid, created_at

    def _read_rules(self, line: JsonObject) -> None:
        """Check the ruleset in a line, and keep it for the matches that refer to its digest."""
        parser = JsonParser(line)
        parser.refuse_other_keys(("rules", "text"))
        ruleset_json = parser.text("text", MAX_RULESET_LENGTH) or ""
        ruleset_digest = hashlib.sha256(ruleset_json.encode()).hexdigest()
        if line.get("rules") != ruleset_digest:
            # A ruleset is cached by its digest, for every match that has the same one: it has to be that of this text.
            parser.refuse("rules", "bad_value", "This is not the digest of these rules.")
        self._count_entry("sets of rules")
        if parser.faults:
            raise self._refusal_of_line(parser.faults)
        try:
            ruleset = Ruleset.model_validate_json(ruleset_json)
        except ValidationError as error:
            if all(fault["type"] == "extra_forbidden" for fault in error.errors()):
                raise LaterFormat() from None
            first_fault = next(shape_faults(error))
            raise self._refusal_of_line([first_fault.inside("text")]) from None
        faults = [*award_faults(ruleset)] or contradictions(ruleset)
        if not faults and not all(
            is_printable(text, multiline=True) for text in texts_inside(json.loads(ruleset_json))
        ):
            faults = [Fault("text", "unprintable", "There are characters in these rules that cannot be shown.")]
        if faults:
            raise self._refusal_of_line(faults)
        self.rulesets_by_digest[ruleset_digest] = ruleset_json, ruleset

    def _read_night(self, line: JsonObject) -> FileNight:
        """Return the night whose setup is in `line`, with its events from the next lines."""
        setup, event_count, faults = read_night_setup(line)
        if setup.uid in self.uids_read:
            faults.append(Fault("night", "repeated", "This night was there before."))
        if faults:
            raise self._refusal_of_line(faults)
        self.uids_read.add(setup.uid)
        self._count_entry("nights")
        return FileNight(setup, self._read_events(event_count, setup))

    def _read_match(self, line: JsonObject) -> FileMatch:
        """Return the match whose setup is in `line`, with its events from the next lines."""
        setup, earlier_uid, event_count, faults = read_match_setup(line)
        json_and_ruleset = self.rulesets_by_digest.get(setup.digest)
        if json_and_ruleset is None:
            faults.append(Fault("rules", "missing", "The rules of this match are not in the file before it."))
        if setup.uid in self.uids_read:
            faults.append(Fault("match", "repeated", "This match was there before."))
        if json_and_ruleset is not None and not faults:
            faults = seating_faults(setup, json_and_ruleset[1])
        if faults or json_and_ruleset is None:
            raise self._refusal_of_line(faults)
        self.uids_read.add(setup.uid)
        self._count_entry("matches")
        self.last_match = FileMatch(setup, *json_and_ruleset, self._read_events(event_count, setup), earlier_uid)
        return self.last_match

    def _read_events(self, event_count: int, setup: MatchSetup | NightSetup) -> tuple[StoredEvent, ...]:
        """Return the events of the match or night with this setup, from the next `event_count` lines."""
        events: dict[str, StoredEvent] = {}

        def read_events(kind_words: str) -> Iterator[StoredEvent]:
            for _ in range(event_count):
                line = next(self.line_objects, None)
                if line is None or "end" in line:
                    raise _refusal_of_broken_off_file(f"in {_position_words(setup, events.values())}")
                yield self._add_event(events, line, kind_words, setup)

        faults = (
            match_faults(setup, read_events("hands and corrections"))
            if isinstance(setup, MatchSetup)
            else night_faults(setup, read_events("entries about nights"))
        )
        for fault in faults:  # of each event once it is read
            *earlier_events, event = events.values()
            hand_seq = event.data.uid if isinstance(event.data, HandCorrected) else event.seq
            raise self._refusal_of_line(
                [fault], _position_words(setup, [earlier for earlier in earlier_events if earlier.seq < hand_seq])
            )
        return tuple(events.values())

    def _add_event(
        self,
        events: dict[str, StoredEvent],
        line: JsonObject,
        kind_words: str,
        setup: MatchSetup | NightSetup | None = None,
    ) -> StoredEvent:
        """Add the event in a line to `events`, keyed by its idempotency key, and return the event.

        A key that `events` has already is refused. `kind_words` is a key of `_EVENT_READERS`; `setup` is that of the
        event's match or night.
        """
        self._count_entry(kind_words)
        event, faults = _EVENT_READERS[kind_words](line, len(events) + 1)
        if event is None or event.idempotency_key in events:
            fault = Fault("key", "repeated_key", "This key was there before.")
            raise self._refusal_of_line(faults or [fault], _position_words(setup, events.values()))
        events[event.idempotency_key] = event
        return event

    def _count_entry(self, kind_words: str) -> None:
        """Count a line under its kind, a key of `_MAX_ENTRIES`; raises `BookFileRefused` if there are too many."""
        self.entry_counts[kind_words] += 1
        if self.entry_counts[kind_words] > _MAX_ENTRIES[kind_words]:
            raise self._refusal_of_large_file(f"more than {_MAX_ENTRIES[kind_words]:,} {kind_words}")

    def _refusal_of_line(self, faults: list[Fault], position: str = "") -> BookFileRefused:
        """Return the exception for the first of a line's faults; `position` is what `_position_words` returns."""
        phrases = filter(None, [f"Line {self.line_number}", position, faults[0].field])
        return BookFileRefused(f"{', '.join(phrases)}: {faults[0].message} {DOWNLOAD_AGAIN_SENTENCE}")

    def _refusal_of_large_file(self, excess: str) -> BookFileRefused:
        """Return the exception for a file that is too large; `excess` says in what: "more than 5,000 matches"."""
        return BookFileRefused(f"This file has {excess}, which is more than one import takes. Import a smaller file.")


def _position_words(setup: MatchSetup | NightSetup | None, earlier_events: Iterable[StoredEvent]) -> str:
    """Return what the line after `earlier_events` is about: "hand 6 of “Sunday”"; empty without a setup."""
    if not isinstance(setup, MatchSetup):
        return f"the night “{setup.title}”" if setup else ""
    hand_count = sum(isinstance(event.data, HandAdded) for event in earlier_events)
    return f"hand {hand_count + 1} of {match_name(setup, earlier_events)}"


def _refusal_of_broken_off_file(position: str) -> BookFileRefused:
    """Return the exception for a file that was cut off; `position` completes "This file stops …": "after “Sunday”"."""
    return BookFileRefused(f"This file stops {position}. {DOWNLOAD_AGAIN_SENTENCE}")
