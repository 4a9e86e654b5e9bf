"""Text that people type: how it is parsed, which characters it may have, and its limits."""

import re
import unicodedata
from collections.abc import Container, Iterator, Mapping
from datetime import date

from scorekeeper.pitch.rules.faults import Fault

MAX_NAME_LENGTH = 24
MAX_TITLE_LENGTH = 60
MAX_PLACE_LENGTH = 60
MAX_NOTE_LENGTH = 500
MAX_ZONE_LENGTH = 40
"""The most letters of the name of a time zone."""
MAX_ACTOR_LENGTH = 40
MAX_KEY_LENGTH = 36
"""A form's idempotency key: a UUID with its dashes."""
MAX_HANDS = 1000
"""The most hands of a match, and of a record."""
MAX_EVENTS = 10_000
"""The most events of a match: hands, corrections and undos."""

_SHOWN_NAME_LENGTH = 12
"""The number of letters of a too long name that a message shows."""
_MULTILINE_FIELDS = {"note"}
"""Fields that may have line breaks."""


_UNPRINTABLE_CATEGORIES = ("Cc", "Cs", "Zl", "Zp")
"""Unicode categories of control characters and surrogates, which not every database can store."""
_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that change the direction of writing, even of the sentence around a name."""


_INVISIBLE = re.compile(
    # What Unicode lets a font ignore: joiners, fillers, variation selectors, tags.
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_BLANKS = re.compile("[\u2800\u3164\uffa0\U00013441\U00013442\U0001d159]")
"""Characters that look like spaces, but are not spaces to `str.split`."""


def visible_text(text: str) -> str:
    """Return a text without invisible characters, with blanks as spaces."""
    return text if text.isascii() else _INVISIBLE.sub("", _BLANKS.sub(" ", text))


def is_printable(text: str, *, lines: bool = False) -> bool:
    """Return whether every character of a text can be shown; with `lines`, it may have line breaks and tabs."""
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
    """Return the values of form fields with a prefix, by the rest of the name; only names in `known`, if given."""
    found = ((name.removeprefix(prefix), text.strip()) for name, text in fields.items() if name.startswith(prefix))
    return {part: text for part, text in found if text and (known is None or part in known)}


def parse_number_or_text(text: str) -> int | str:
    """Parse a number; return any other text as it is, so that the reader of the field can refuse it."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else text


def parse_whole_number(text: str) -> int | None:
    """Parse a whole number, which may be negative; `None` for any other text."""
    plain = text.replace("−", "-").replace("–", "-").replace(" ", "")
    return int(plain) if re.fullmatch(r"[+-]?[0-9]{1,9}", plain) else None


def tidy(text: str) -> str:
    """Return a text with single spaces between words, and none around it."""
    return " ".join(text.split())


def tidy_lines(text: str) -> str:
    """Return a text of several lines without empty lines or spaces at its start and end."""
    return "\n".join(text.splitlines()).strip()


def text_faults(field: str, text: object, max_length: int) -> Iterator[Fault]:
    """Yield the faults that keep a text from being stored."""
    if not isinstance(text, str):
        return
    if len(text) > max_length:
        yield Fault(field, "too_long", f"This has {len(text)} letters; {max_length} fit.")
    if not is_printable(text, lines=field in _MULTILINE_FIELDS):
        yield Fault(field, "unprintable", "There are characters in this that cannot be shown.")


def name_faults(field: str, name: str) -> Iterator[Fault]:
    """Yield the faults of a name."""
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
    """Yield the faults of the title and the remarks of a match."""
    if played_on and not _is_date(played_on):
        yield Fault("played_on", "not_a_date", "A date is written like 2026-11-20.")
    yield from title_faults("title", title)
    yield from text_faults("place", place, MAX_PLACE_LENGTH)
    yield from text_faults("note", note, MAX_NOTE_LENGTH)


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def key_faults(idempotency_key: str) -> Iterator[Fault]:
    """Yield the faults of an idempotency key."""
    if (
        not 1 <= len(idempotency_key) <= MAX_KEY_LENGTH
        or not idempotency_key.isascii()
        or not idempotency_key.isprintable()
    ):
        yield Fault("client_key", "bad_key", f"A form’s key has 1 to {MAX_KEY_LENGTH} plain letters.")


def cut_actor(actor: str) -> str:
    """Return a phone's signature without unprintable characters, cut to `MAX_ACTOR_LENGTH`."""
    return "".join(letter for letter in actor if is_printable(letter))[:MAX_ACTOR_LENGTH]


def texts_inside(value: object) -> Iterator[str]:
    """Yield every text inside a JSON value, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from texts_inside(key)
            yield from texts_inside(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from texts_inside(inner)
