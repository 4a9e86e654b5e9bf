"""Parsing and checking of text that people type, and the limits on its length."""

import re
import unicodedata
from collections.abc import Container, Iterator, Mapping
from datetime import date

from scorekeeper.pitch.rules.faults import Fault

MAX_NAME_LENGTH = 24
"""The maximum number of characters in the name of a person or a side."""
MAX_TITLE_LENGTH = 60
"""The maximum number of characters in the title of a match, a night or a book, or in a night's fee or prizes."""
MAX_PLACE_LENGTH = 60
"""The maximum number of characters in the place where a match was played."""
MAX_NOTE_LENGTH = 500
"""The maximum number of characters in a note on a match or on a hand."""
MAX_TIME_ZONE_LENGTH = 40
"""The maximum number of characters in the name of a time zone."""
MAX_ACTOR_LENGTH = 40
"""The maximum number of characters in the `actor` of an event: the text that identifies the phone that wrote the
event."""
MAX_KEY_LENGTH = 36
"""The maximum number of characters in a form's idempotency key: a UUID with its dashes."""
MAX_HANDS = 1000
"""The maximum number of hands in a match or in a match's record."""
MAX_EVENTS = 10_000
"""The maximum number of events of all kinds in a match."""

_QUOTED_NAME_LENGTH = 12
"""The number of characters that a message quotes from a name that is too long: “Maximilian-A…”."""
_MULTILINE_FIELDS = {"note"}
"""The names of fields, in forms and in records, whose text may contain line breaks."""


_UNPRINTABLE_CATEGORIES = ("Cc", "Cs", "Zl", "Zp")
"""The Unicode categories of control characters, surrogates, and separators of lines and paragraphs."""
_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""The characters that change the writing direction. They would also change the direction of the text around a name."""


_INVISIBLE_CHARACTER = re.compile(
    # What Unicode lets a font ignore: joiners, fillers, variation selectors, tags.
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Matches one character that the Unicode standard lets a font leave undrawn, such as a soft hyphen."""
_SPACE_LIKE_CHARACTER = re.compile("[\u2800\u3164\uffa0\U00013441\U00013442\U0001d159]")
"""Matches one character that is drawn as a space, but at which `str.split` does not split."""


def visible_text(text: str) -> str:
    """Return a text without invisible characters, and with a plain space for each character that looks like one.

    Control characters stay as they are.
    """
    return text if text.isascii() else _INVISIBLE_CHARACTER.sub("", _SPACE_LIKE_CHARACTER.sub(" ", text))


def is_printable(text: str, *, multiline: bool = False) -> bool:
    """Return whether all characters of a text can be shown.

    With `multiline`, line breaks and tabs are allowed too.
    """
    if text.isascii() and text.isprintable():  # a fast path for nearly every text, as an import checks many
        return True
    return all(
        (unicodedata.category(character) not in _UNPRINTABLE_CATEGORIES and character not in _BIDI_CONTROLS)
        or (multiline and character in "\n\r\t")
        for character in text
    )


def is_visible(text: str) -> bool:
    """Return whether a text contains at least one visible character."""
    return any(unicodedata.category(character)[0] in "LNPS" for character in visible_text(text))


def fields_with_prefix(
    fields: Mapping[str, str], prefix: str, allowed_keys: Container[str] | None = None
) -> dict[str, str]:
    """Return the values of the form fields whose names start with `prefix`, keyed by the rest of their names.

    The values are stripped, and empty ones are left out. If `allowed_keys` is given, other keys are left out as well.
    """
    stripped_values = (
        (name.removeprefix(prefix), text.strip()) for name, text in fields.items() if name.startswith(prefix)
    )
    return {key: text for key, text in stripped_values if text and (allowed_keys is None or key in allowed_keys)}


def parse_number_or_text(text: str) -> int | str:
    """Parse a number of one to five digits.

    Any other text, such as the special bid "moon", is returned stripped.
    """
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else text


def parse_whole_number(text: str) -> int | None:
    """Parse a whole number of one to nine digits, which may have a sign: "12", "−3".

    For any other text, return `None`.
    """
    plain_text = text.replace("−", "-").replace("–", "-").replace(" ", "")
    return int(plain_text) if re.fullmatch(r"[+-]?[0-9]{1,9}", plain_text) else None


def normalize_spaces(text: str) -> str:
    """Return a text with single spaces between words, and no space at its start and end."""
    return " ".join(text.split())


def normalize_line_breaks(text: str) -> str:
    r"""Return a text with "\n" for every line break, and with no blank line or space at its start and end."""
    return "\n".join(text.splitlines()).strip()


def text_faults(field: str, text: object, max_length: int) -> Iterator[Fault]:
    """Yield the faults of a text that is too long or unprintable; a value of another type has none.

    If `field` is "note", the text may have line breaks and tabs.
    """
    if not isinstance(text, str):
        return
    if len(text) > max_length:
        yield Fault(field, "too_long", f"This has {len(text)} letters; {max_length} fit.")
    if not is_printable(text, multiline=field in _MULTILINE_FIELDS):
        yield Fault(field, "unprintable", "There are characters in this that cannot be shown.")


def name_faults(field: str, name: str) -> Iterator[Fault]:
    """Yield the faults of the name of a person or a side.

    A valid name has 1 to `MAX_NAME_LENGTH` visible, printable characters, and no space around it.
    """
    if name.strip() and not is_visible(name):
        yield Fault(field, "bad_name", "Nothing can be seen of this name. Type it in letters.")
    elif name != name.strip() or not name:
        yield Fault(field, "bad_name", f"A name has 1 to {MAX_NAME_LENGTH} letters, and no space around it.")
    if len(name) > MAX_NAME_LENGTH:
        name_start = name[:_QUOTED_NAME_LENGTH].rstrip()
        yield Fault(field, "too_long", f"“{name_start}…” is longer than {MAX_NAME_LENGTH} letters: shorten it.")
    if not is_printable(name):
        yield Fault(field, "unprintable", "There are characters in this that cannot be shown.")


def title_faults(field: str, title: object) -> Iterator[Fault]:
    """Yield the faults of the title of a match, a night or a book, which may be empty."""
    yield from text_faults(field, title, MAX_TITLE_LENGTH)
    if isinstance(title, str) and title.strip() and not is_visible(title):
        yield Fault(field, "bad_name", "Nothing can be seen of this name. Type it in letters, or type none.")


def remark_faults(
    title: object, place: object = None, note: object = None, played_on: str | None = None
) -> Iterator[Fault]:
    """Yield the faults of the title, place, note and date that players enter about a match or a night."""
    if played_on and not _is_date(played_on):
        yield Fault("played_on", "not_a_date", "A date is written like 2026-11-20.")
    yield from title_faults("title", title)
    yield from text_faults("place", place, MAX_PLACE_LENGTH)
    yield from text_faults("note", note, MAX_NOTE_LENGTH)


def _is_date(text: str) -> bool:
    """Return whether a text is a date in the format YYYY-MM-DD."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def idempotency_key_faults(idempotency_key: str) -> Iterator[Fault]:
    """Yield a fault if an idempotency key is empty, too long, or has other than printable ASCII characters."""
    if (
        not 1 <= len(idempotency_key) <= MAX_KEY_LENGTH
        or not idempotency_key.isascii()
        or not idempotency_key.isprintable()
    ):
        yield Fault("client_key", "bad_key", f"A form’s key has 1 to {MAX_KEY_LENGTH} plain letters.")


def clean_actor(actor: str) -> str:
    """Return the `actor` of an event without unprintable characters, and cut to `MAX_ACTOR_LENGTH`."""
    return "".join(character for character in actor if is_printable(character))[:MAX_ACTOR_LENGTH]


def texts_inside(json_value: object) -> Iterator[str]:
    """Yield every string in a decoded JSON value, at any depth, keys among them."""
    if isinstance(json_value, str):
        yield json_value
    elif isinstance(json_value, Mapping):
        for key, inner in json_value.items():
            yield from texts_inside(key)
            yield from texts_inside(inner)
    elif isinstance(json_value, list | tuple):
        for inner in json_value:
            yield from texts_inside(inner)
