"""Text that people type: how it is parsed, which characters it may have, and its limits."""

import re
import unicodedata
from collections.abc import Container, Iterator, Mapping
from datetime import date

from scorekeeper.pitch.rules.faults import Fault

MAX_NAME_LENGTH = 24
"""The most letters of the name of a person or of a side."""
MAX_TITLE_LENGTH = 60
"""The most letters of the title of a match, a night or a book."""
MAX_PLACE_LENGTH = 60
"""The most letters of the place where a match was played."""
MAX_NOTE_LENGTH = 500
"""The most letters of a note on a match or on a hand."""
MAX_ZONE_LENGTH = 40
"""The most letters of the name of a time zone."""
MAX_ACTOR_LENGTH = 40
"""The most letters of what identifies a phone in an event."""
MAX_KEY_LENGTH = 36
"""The most letters of a form's idempotency key: a UUID with its dashes."""
MAX_HANDS = 1000
"""The most hands of a match, and of a record."""
MAX_EVENTS = 10_000
"""The most events of a match: hands, corrections and undos."""

_SHOWN_NAME_LENGTH = 12
"""How many letters of a name that is too long a message shows."""
_MULTILINE_FIELDS = {"note"}
"""The fields that may have line breaks."""


_UNPRINTABLE_CATEGORIES = ("Cc", "Cs", "Zl", "Zp")
"""The Unicode categories of control characters and surrogates, which not every database can store."""
_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that change the direction of writing, even of the sentence around a name."""


_INVISIBLE = re.compile(
    # What Unicode lets a font ignore: joiners, fillers, variation selectors, tags.
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Characters that Unicode lets a font ignore."""
_BLANKS = re.compile("[\u2800\u3164\uffa0\U00013441\U00013442\U0001d159]")
"""Characters that look like spaces, but are not spaces to `str.split`."""


def visible_text(text: str) -> str:
    """Return a text without its invisible characters, and with a space for every character that looks like one."""
    return text if text.isascii() else _INVISIBLE.sub("", _BLANKS.sub(" ", text))


def is_printable(text: str, *, lines: bool = False) -> bool:
    """Return whether a text has no control or direction characters; with `lines`, line breaks and tabs are allowed."""
    if text.isascii() and text.isprintable():  # a fast path for nearly every text, as an import checks many
        return True
    return all(
        (unicodedata.category(letter) not in _UNPRINTABLE_CATEGORIES and letter not in _BIDI_CONTROLS)
        or (lines and letter in "\n\r\t")
        for letter in text
    )


def is_visible(text: str) -> bool:
    """Return whether a text has any visible character."""
    return any(unicodedata.category(letter)[0] in "LNPS" for letter in visible_text(text))


def fields_with_prefix(fields: Mapping[str, str], prefix: str, known: Container[str] | None = None) -> dict[str, str]:
    """Return the non-empty form fields with a prefix, by the rest of their name, which must be in `known` if given."""
    found = ((name.removeprefix(prefix), text.strip()) for name, text in fields.items() if name.startswith(prefix))
    return {part: text for part, text in found if text and (known is None or part in known)}


def parse_number_or_text(text: str) -> int | str:
    """Parse a whole number from 0 on; return any other text, stripped, for the caller to refuse."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else text


def parse_whole_number(text: str) -> int | None:
    """Parse a whole number, which may be negative; return `None` for any other text."""
    plain = text.replace("−", "-").replace("–", "-").replace(" ", "")
    return int(plain) if re.fullmatch(r"[+-]?[0-9]{1,9}", plain) else None


def tidy(text: str) -> str:
    """Return a text with single spaces between words, and none around it."""
    return " ".join(text.split())


def tidy_lines(text: str) -> str:
    """Return a text without blank lines or spaces at its start and end, and with uniform line breaks."""
    return "\n".join(text.splitlines()).strip()


def text_faults(field: str, text: object, max_length: int) -> Iterator[Fault]:
    """Yield a fault where a text is too long or has unprintable characters; what is no text has none here."""
    if not isinstance(text, str):
        return
    if len(text) > max_length:
        yield Fault(field, "too_long", f"This has {len(text)} letters; {max_length} fit.")
    if not is_printable(text, lines=field in _MULTILINE_FIELDS):
        yield Fault(field, "unprintable", "There are characters in this that cannot be shown.")


def name_faults(field: str, name: str) -> Iterator[Fault]:
    """Yield the faults of a person's or a side's name: empty, too long, unprintable or with space around it."""
    if name.strip() and not is_visible(name):
        yield Fault(field, "bad_name", "Nothing can be seen of this name. Type it in letters.")
    elif name != name.strip() or not name:
        yield Fault(field, "bad_name", f"A name has 1 to {MAX_NAME_LENGTH} letters, and no space around it.")
    if len(name) > MAX_NAME_LENGTH:
        begins = name[:_SHOWN_NAME_LENGTH].rstrip()
        yield Fault(field, "too_long", f"“{begins}…” is longer than {MAX_NAME_LENGTH} letters: shorten it.")
    if not is_printable(name):
        yield Fault(field, "unprintable", "There are characters in this that cannot be shown.")


def title_faults(field: str, title: object) -> Iterator[Fault]:
    """Yield the faults of a title of a match, a night or a book; an empty title is allowed, and means no title."""
    yield from text_faults(field, title, MAX_TITLE_LENGTH)
    if isinstance(title, str) and title.strip() and not is_visible(title):
        yield Fault(field, "bad_name", "Nothing can be seen of this name. Type it in letters, or type none.")


def remark_faults(
    title: object, place: object = None, note: object = None, played_on: str | None = None
) -> Iterator[Fault]:
    """Yield the faults of a match's title, place, note and date."""
    if played_on and not _is_date(played_on):
        yield Fault("played_on", "not_a_date", "A date is written like 2026-11-20.")
    yield from title_faults("title", title)
    yield from text_faults("place", place, MAX_PLACE_LENGTH)
    yield from text_faults("note", note, MAX_NOTE_LENGTH)


def _is_date(text: str) -> bool:
    """Return whether a text is a day in ISO 8601, with dashes."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def key_faults(idempotency_key: str) -> Iterator[Fault]:
    """Yield the fault of an invalid idempotency key."""
    if (
        not 1 <= len(idempotency_key) <= MAX_KEY_LENGTH
        or not idempotency_key.isascii()
        or not idempotency_key.isprintable()
    ):
        yield Fault("client_key", "bad_key", f"A form’s key has 1 to {MAX_KEY_LENGTH} plain letters.")


def cut_actor(actor: str) -> str:
    """Return what identifies a phone in an event, without unprintable characters and cut to `MAX_ACTOR_LENGTH`."""
    return "".join(letter for letter in actor if is_printable(letter))[:MAX_ACTOR_LENGTH]


def texts_inside(value: object) -> Iterator[str]:
    """Yield every text in a JSON value, at any depth, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from texts_inside(key)
            yield from texts_inside(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from texts_inside(inner)
