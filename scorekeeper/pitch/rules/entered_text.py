"""Parsing and checking of text that people type, and the limits on it."""

import re
import unicodedata
from collections.abc import Container, Iterator, Mapping
from datetime import date

from scorekeeper.pitch.rules.faults import Fault

MAX_NAME_LENGTH = 24
"""The maximum number of characters in the name of a person or a side."""
MAX_TITLE_LENGTH = 60
"""The maximum number of characters in a title, or in a night's fee or prizes."""
MAX_PLACE_LENGTH = 60
"""The maximum number of characters in the place where a match was played."""
MAX_NOTE_LENGTH = 500
"""The maximum number of characters in a note on a match or on a hand."""
MAX_ZONE_LENGTH = 40
"""The maximum number of characters in the name of a time zone."""
MAX_ACTOR_LENGTH = 40
"""The maximum number of characters in the `actor` of an event, which identifies a phone."""
MAX_KEY_LENGTH = 36
"""The maximum number of characters in a form's idempotency key: a UUID with its dashes."""
MAX_HANDS = 1000
"""The maximum number of hands in a match or in a match's record."""
MAX_EVENTS = 10_000
"""The maximum number of events of all kinds in a match."""

_QUOTED_NAME_LENGTH = 12
"""The number of characters that a message quotes from a name that is too long."""
_MULTILINE_FIELDS = {"note"}
"""The names of the fields, of forms or of hands, that may contain line breaks."""


_UNPRINTABLE_CATEGORIES = ("Cc", "Cs", "Zl", "Zp")
"""The Unicode categories of control characters, surrogates, and separators of lines and paragraphs."""
_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that change the writing direction, even of the text around a name that contains them."""


_INVISIBLE_CHARACTER = re.compile(
    # What Unicode lets a font ignore: joiners, fillers, variation selectors, tags.
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Matches one character that fonts may leave undrawn by the Unicode standard."""
_SPACE_LIKE_CHARACTER = re.compile("[\u2800\u3164\uffa0\U00013441\U00013442\U0001d159]")
"""Matches one character that looks like a space, but that `str.split` does not treat as one."""


def visible_text(text: str) -> str:
    """Return a text without invisible characters, and with a space for each character that only looks like one.

    Control characters stay as they are.
    """
    return text if text.isascii() else _INVISIBLE_CHARACTER.sub("", _SPACE_LIKE_CHARACTER.sub(" ", text))


def is_printable(text: str, *, multiline: bool = False) -> bool:
    """Return whether all characters of a text can be shown; `multiline` allows line breaks and tabs."""
    if text.isascii() and text.isprintable():  # a fast path for nearly every text, as an import checks many
        return True
    return all(
        (unicodedata.category(letter) not in _UNPRINTABLE_CATEGORIES and letter not in _BIDI_CONTROLS)
        or (multiline and letter in "\n\r\t")
        for letter in text
    )


def is_visible(text: str) -> bool:
    """Return whether a text contains at least one visible character."""
    return any(unicodedata.category(letter)[0] in "LNPS" for letter in visible_text(text))


def fields_with_prefix(
    fields: Mapping[str, str], prefix: str, allowed_keys: Container[str] | None = None
) -> dict[str, str]:
    """Return the stripped, non-empty values of the form fields whose names start with `prefix`.

    The keys are the names without the prefix; if `allowed_keys` is given, all others are left out.
    """
    found = ((name.removeprefix(prefix), text.strip()) for name, text in fields.items() if name.startswith(prefix))
    return {key: text for key, text in found if text and (allowed_keys is None or key in allowed_keys)}


def parse_number_or_text(text: str) -> int | str:
    """Parse a number of one to five digits; return any other text stripped, such as a special bid."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else text


def parse_whole_number(text: str) -> int | None:
    """Parse a whole number of at most nine digits, signed or not; return `None` for any other text."""
    plain = text.replace("−", "-").replace("–", "-").replace(" ", "")
    return int(plain) if re.fullmatch(r"[+-]?[0-9]{1,9}", plain) else None


def normalize_spaces(text: str) -> str:
    """Return a text with single spaces between words, and no space at its start and end."""
    return " ".join(text.split())


def normalize_line_breaks(text: str) -> str:
    """Return a text with uniform line breaks, and with no blank line or space at its start and end."""
    return "\n".join(text.splitlines()).strip()


def text_faults(field: str, text: object, max_length: int) -> Iterator[Fault]:
    """Yield the faults of a text that is too long or unprintable; a value that is no text has none.

    If `field` is `note`, the text may have line breaks and tabs.
    """
    if not isinstance(text, str):
        return
    if len(text) > max_length:
        yield Fault(field, "too_long", f"This has {len(text)} letters; {max_length} fit.")
    if not is_printable(text, multiline=field in _MULTILINE_FIELDS):
        yield Fault(field, "unprintable", "There are characters in this that cannot be shown.")


def name_faults(field: str, name: str) -> Iterator[Fault]:
    """Yield the faults of the name of a person or a side.

    A name must not be empty, invisible, too long or unprintable, or have spaces around it.
    """
    if name.strip() and not is_visible(name):
        yield Fault(field, "bad_name", "Nothing can be seen of this name. Type it in letters.")
    elif name != name.strip() or not name:
        yield Fault(field, "bad_name", f"A name has 1 to {MAX_NAME_LENGTH} letters, and no space around it.")
    if len(name) > MAX_NAME_LENGTH:
        begins = name[:_QUOTED_NAME_LENGTH].rstrip()
        yield Fault(field, "too_long", f"“{begins}…” is longer than {MAX_NAME_LENGTH} letters: shorten it.")
    if not is_printable(name):
        yield Fault(field, "unprintable", "There are characters in this that cannot be shown.")


def title_faults(field: str, title: object) -> Iterator[Fault]:
    """Yield the faults of the title of a match, a night or a book; the title may be empty."""
    yield from text_faults(field, title, MAX_TITLE_LENGTH)
    if isinstance(title, str) and title.strip() and not is_visible(title):
        yield Fault(field, "bad_name", "Nothing can be seen of this name. Type it in letters, or type none.")


def remark_faults(
    title: object, place: object = None, note: object = None, played_on: str | None = None
) -> Iterator[Fault]:
    """Yield the faults of what players enter about a match or a night, such as its title."""
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


def key_faults(idempotency_key: str) -> Iterator[Fault]:
    """Yield a fault if an idempotency key is empty, too long, or not printable ASCII."""
    if (
        not 1 <= len(idempotency_key) <= MAX_KEY_LENGTH
        or not idempotency_key.isascii()
        or not idempotency_key.isprintable()
    ):
        yield Fault("client_key", "bad_key", f"A form’s key has 1 to {MAX_KEY_LENGTH} plain letters.")


def clean_actor(actor: str) -> str:
    """Return the `actor` of an event without unprintable characters, cut to `MAX_ACTOR_LENGTH`."""
    return "".join(letter for letter in actor if is_printable(letter))[:MAX_ACTOR_LENGTH]


def texts_inside(value: object) -> Iterator[str]:
    """Yield every string in a decoded JSON value, at any depth, including keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from texts_inside(key)
            yield from texts_inside(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from texts_inside(inner)
