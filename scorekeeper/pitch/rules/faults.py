"""What is wrong with a ruleset, house rules or any other input: the faults, and which characters can be shown."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Self

from pydantic import ValidationError

from scorekeeper.pitch.rules.fault_codes import FaultCode

_UNPRINTABLE = ("Cc", "Cs", "Zl", "Zp")
"""Unicode categories of control characters and surrogates: nobody types them, and not every database stores them."""
_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that reverse the direction of writing, also in the sentence around a name."""


_UNSEEN = re.compile(
    # What Unicode lets a font ignore: joiners, fillers, variation selectors, tags.
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_BLANK = re.compile("[\u2800\u3164\uffa0\U00013441\U00013442\U0001d159]")
"""What takes room without leaving a mark, and is no space to Python."""


def visible_text(text: str) -> str:
    """Return what can be seen of a text, blanks as spaces."""
    return text if text.isascii() else _UNSEEN.sub("", _BLANK.sub(" ", text))


def is_printable(text: str, *, lines: bool = False) -> bool:
    """Return whether every character of a text can be shown; with `lines`, it may have line breaks and tabs."""
    if text.isascii() and text.isprintable():  # nearly every text, and many are looked at in an import
        return True
    return all(
        (unicodedata.category(letter) not in _UNPRINTABLE and letter not in _BIDI_CONTROLS)
        or (lines and letter in "\n\r\t")
        for letter in text
    )


def shortened(text: str) -> str:
    """Return a text cut to what fits into a message."""
    return text if len(text) <= 40 else f"{text[:37]}…"


def is_visible(text: str) -> bool:
    """Return whether a text has any character that leaves a mark."""
    return any(unicodedata.category(letter)[0] in "LNPS" for letter in visible_text(text))


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: the field, a code for programs, and a sentence for people."""

    field: str
    code: FaultCode
    text: str
    """The sentence; where it mentions people, `{0}`, `{1}`… stand for them."""
    people: tuple[str, ...] = ()
    """The ids of those whom the sentence mentions; without any, the text is taken as it is."""

    @property
    def message(self) -> str:
        """The sentence, with ids where nobody has put in names."""
        return self.text.format(*self.people) if self.people else self.text

    def inside(self, path: str) -> Self:
        """Return the fault with its field in what lies at a path: `house.low` of `low`."""
        return replace(self, field=f"{path}.{self.field}")

    def named(self, names: Mapping[str, str]) -> Self:
        """Return the fault with the names of those whom it mentions."""
        if not self.people:
            return self
        return replace(self, text=self.text.format(*(names.get(who, who) for who in self.people)), people=())


@dataclass(frozen=True, slots=True)
class FileFault:
    """A fault in one file."""

    file: str
    fault: Fault

    def __str__(self) -> str:
        place = f"{self.file}: {self.fault.field}" if self.fault.field else self.file
        return f"{place}: {self.fault.message}"


class BadRulesets(Exception):
    """Some files hold no valid rules; `faults` lists which and why."""

    def __init__(self, faults: tuple[FileFault, ...]) -> None:
        super().__init__("\n".join(map(str, faults)))
        self.faults = faults


def shape_faults(error: ValidationError) -> Iterator[Fault]:
    """Yield what keeps a value from having the shape of a ruleset, each at its path, with what was found there."""
    for detail in error.errors(include_url=False):
        found = detail["input"]
        shown = "" if isinstance(found, dict) else f" Found {shortened(repr(found))}."
        why = detail["msg"].removeprefix("Value error, ")
        yield Fault(".".join(map(str, detail["loc"])), "bad_value", f"{why}.{shown}")
