"""How much fits: text that people type, and the length of a match."""

import json
from collections.abc import Iterator, Mapping
from datetime import date

from scorekeeper.pitch.records.json_parser import write_hand
from scorekeeper.pitch.rules.faults import Fault, is_printable, is_visible
from scorekeeper.pitch.scoring.hand import HAND_FIELDS, FieldKind, Hand

NAME_LENGTH = 24
TITLE_LENGTH = 60
PLACE_LENGTH = 60
NOTE_LENGTH = 500
ZONE_LENGTH = 40
"""The most letters of the name of a time zone."""
ACTOR_LENGTH = 40
KEY_LENGTH = 36
"""A form's idempotency key: a UUID with its dashes."""
MAX_HANDS = 1000
"""The most hands of a match, and of a record."""
MAX_EVENTS = 10_000
"""Hands, corrections and undos together."""
LARGEST_HAND = 8 * 1024
"""Bytes of JSON; a long auction takes a tenth of it."""

_NAMED_BY = 12
"""The first letters of a name that a message shows where the name is too long."""
_LINES = {"note"}
"""Where a line break is no fault."""
_LONGEST = {FieldKind.TEXT: NAME_LENGTH, FieldKind.NOTE: NOTE_LENGTH}
_HAND_TEXTS = tuple((item.name, _LONGEST[item.kind]) for item in HAND_FIELDS if item.kind in _LONGEST)


def text_faults(field: str, text: object, max_length: int) -> Iterator[Fault]:
    """Yield what keeps a text from being stored."""
    if not isinstance(text, str):
        return
    if len(text) > max_length:
        yield Fault(field, "too_long", f"This has {len(text)} letters; {max_length} fit.")
    if not is_printable(text, lines=field in _LINES):
        yield Fault(field, "unprintable", "There are characters in this that cannot be shown.")


def name_faults(field: str, name: str) -> Iterator[Fault]:
    """Yield what keeps a name from being used."""
    if name.strip() and not is_visible(name):
        yield Fault(field, "bad_name", "Nothing can be seen of this name. Type it in letters.")
    elif name != name.strip() or not name:
        yield Fault(field, "bad_name", f"A name has 1 to {NAME_LENGTH} letters, and no space around it.")
    if len(name) > NAME_LENGTH:
        begins = name[:_NAMED_BY].rstrip()
        yield Fault(field, "too_long", f"“{begins}…” is longer than {NAME_LENGTH} letters: shorten it.")
    if not is_printable(name):
        yield Fault(field, "unprintable", "There are characters in this that cannot be shown.")


def title_faults(field: str, title: object) -> Iterator[Fault]:
    """Yield what keeps a match, a night or a book from having this title; an empty title is none."""
    yield from text_faults(field, title, TITLE_LENGTH)
    if isinstance(title, str) and title.strip() and not is_visible(title):
        yield Fault(field, "bad_name", "Nothing can be seen of this name. Type it in letters, or type none.")


def remark_faults(
    title: object, place: object = None, note: object = None, played_on: str | None = None
) -> Iterator[Fault]:
    """Yield what keeps the title and the remarks of a match from being stored."""
    if played_on and not _is_date(played_on):
        yield Fault("played_on", "not_a_date", "A date is written like 2026-11-20.")
    yield from title_faults("title", title)
    yield from text_faults("place", place, PLACE_LENGTH)
    yield from text_faults("note", note, NOTE_LENGTH)


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def key_faults(idempotency_key: str) -> Iterator[Fault]:
    """Yield why an idempotency key cannot be used."""
    if (
        not 1 <= len(idempotency_key) <= KEY_LENGTH
        or not idempotency_key.isascii()
        or not idempotency_key.isprintable()
    ):
        yield Fault("client_key", "bad_key", f"A form’s key has 1 to {KEY_LENGTH} plain letters.")


def hand_faults(hand: Hand) -> Iterator[Fault]:
    """Yield what keeps a hand from being stored, regardless of the rules of the match."""
    written = write_hand(hand)
    encoded = json.dumps(written)
    size = len(encoded)
    if size > LARGEST_HAND:
        yield Fault("", "too_large", f"This hand takes {size} bytes; {LARGEST_HAND} fit.")
    for name, max_length in _HAND_TEXTS:
        if name in written:
            yield from text_faults(name, written[name], max_length)
    # JSON escapes nearly everything that cannot be shown: of most hands nothing more has to be looked at.
    if ("\\" in encoded or not encoded.isprintable()) and not all(
        is_printable(text, lines=True) for text in texts(written)
    ):
        yield Fault("", "unprintable", "There are characters in this hand that cannot be shown.")


def cut_actor(actor: str) -> str:
    """Return a phone's signature cut to what fits."""
    return "".join(letter for letter in actor if is_printable(letter))[:ACTOR_LENGTH]


def texts(value: object) -> Iterator[str]:
    """Yield every text inside a JSON value, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from texts(key)
            yield from texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from texts(inner)
