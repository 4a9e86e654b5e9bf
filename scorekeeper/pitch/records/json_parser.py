"""Untrusted JSON read by its shape, with every fault and its path."""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from math import isinf
from typing import Any, TypeGuard

from scorekeeper.pitch.rules.faults import Fault, FaultCode

JsonObject = dict[str, Any]
"""A JSON object, as it was parsed or as it is to be written."""


class _ParsedObject(JsonObject):
    """A JSON object that remembers which keys it was given twice."""

    repeated: tuple[str, ...] = ()

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        if len(self) != len(pairs):
            self.repeated = tuple(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)


def parse_json(text: str | bytes) -> Any:
    """Parse JSON; raises `ValueError` for what is not, as for NaN, a number without end and too deep nesting."""
    try:
        return _decoder.decode(text if isinstance(text, str) else _decoded(text))
    except json.JSONDecodeError as error:
        raise _wrong_at(error.doc, error.pos) from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def parse_items(text: bytes) -> Iterator[Any]:
    """Yield the items of a JSON list, each parsed when it is its turn, or else the one value that the text is.

    Raises `ValueError` like `parse_json`, but only where the items so far were sound.
    """
    told = _decoded(text)
    at = _after_space(told, 0)
    if not told.startswith("[", at):
        yield parse_json(text)
        return
    at, end = _after_space(told, at + 1), ","
    if told.startswith("]", at):
        at, end = at + 1, "]"
    while end == ",":
        try:
            item, at = _decoder.raw_decode(told, at)
        except json.JSONDecodeError as error:
            raise _wrong_at(told, error.pos) from None
        except RecursionError:
            raise ValueError("it is nested too deeply") from None
        yield item
        at = _after_space(told, at)
        end = told[at : at + 1]
        if end not in (",", "]"):
            raise _wrong_at(told, at)
        at = _after_space(told, at + 1)
    if (at := _after_space(told, at)) != len(told):
        raise _wrong_at(told, at)


def _wrong_at(text: str, at: int) -> ValueError:
    """Return a fault with its place, in the words of a reader who knows no parser."""
    found = json.JSONDecodeError("", text, at)
    return ValueError(f"line {found.lineno} goes wrong at letter {found.colno}")


def _decoded(text: bytes) -> str:
    try:
        return text.decode(json.detect_encoding(text), "surrogatepass")
    except UnicodeDecodeError:
        raise ValueError("it is not text") from None


def _after_space(text: str, at: int) -> int:
    while text[at : at + 1] in _SPACES:
        at += 1
    return at


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _finite(number: str) -> float:
    if isinf(value := float(number)):
        raise ValueError(f"{number} is too large")
    return value


_SPACES = (" ", "\t", "\n", "\r")
_decoder = json.JSONDecoder(object_pairs_hook=_ParsedObject, parse_float=_finite, parse_constant=_no_constant)


@dataclass(slots=True)
class Reader:
    """Reads one JSON object; what does not fit becomes a fault and reads as nothing."""

    data: Mapping[str, Any]
    prefix: str = ""
    faults: list[Fault] = field(default_factory=list)

    def refuse(self, key: str, code: FaultCode, message: str) -> None:
        """Add a fault at a key."""
        place = f"{self.prefix}{key}".encode("utf-8", "backslashreplace").decode()  # no page can show half a letter
        self.faults.append(Fault(place, code, message))

    def allow(self, keys: Collection[str]) -> None:
        """Refuse every key that has no meaning here, and those given twice."""
        for key in self.data:
            if key not in keys:
                self.refuse(key, "unknown_key", f"{key!r} has no meaning here.")
        for key in getattr(self.data, "repeated", ()):
            self.refuse(key, "repeated_key", f"{key!r} is given twice.")

    def text(self, key: str, longest: int) -> str | None:
        """Read an optional text of limited length."""
        value = self.data.get(key)
        if value is None:
            return None
        if not is_text(value):
            self.refuse(key, "not_text", "This must be text.")
        elif len(value) > longest:
            self.refuse(key, "too_long", f"This has {len(value)} letters; {longest} fit.")
        else:
            return value
        return None

    def choice(self, key: str, choices: Collection[str]) -> str | None:
        """Read one of some words."""
        value = self.data.get(key)
        if value is None or (isinstance(value, str) and value in choices):
            return value
        self.refuse(key, "bad_value", f"This must be one of {', '.join(choices)}.")
        return None

    def flag(self, key: str) -> bool | None:
        """Read true or false."""
        value = self.data.get(key)
        if value is None or isinstance(value, bool):
            return value
        self.refuse(key, "bad_value", "This must be true or false.")
        return None

    def count(self, key: str, highest: int) -> int | None:
        """Read a whole number from 0 up."""
        value = self.data.get(key)
        if value is None or (is_whole(value) and 0 <= value <= highest):
            return value
        self.refuse(key, "bad_value", f"This must be a whole number from 0 to {highest}.")
        return None

    def table(self, key: str) -> Mapping[str, Any] | None:
        """Read an object, its repeated keys refused."""
        value = self.data.get(key)
        if value is None:
            return None
        if not isinstance(value, dict):
            self.refuse(key, "not_object", "This must be an object.")
            return None
        for repeated in getattr(value, "repeated", ()):
            self.refuse(f"{key}.{repeated}", "repeated_key", f"{repeated!r} is given twice.")
        return value

    def values(self, key: str, check: Callable[[Any], bool], wanted: str) -> dict[str, Any] | None:
        """Read an object whose values all pass a check."""
        table = self.table(key)
        if table is None:
            return None
        for name, value in table.items():
            if not is_text(name):
                self.refuse(key, "unprintable", "There are characters in this that cannot be stored.")
            elif not check(value):
                self.refuse(f"{key}.{name}", "bad_value", f"This must be {wanted}.")
        return dict(table)

    def objects(self, key: str, longest: int, wanted: str) -> "Iterator[Reader]":
        """Yield a reader for each object of a list of limited length; `wanted` is the message for any other item."""
        for i, given in enumerate(self.items(key, longest) or ()):
            if isinstance(given, dict):
                yield Reader(given, f"{self.prefix}{key}.{i}.", self.faults)
            else:
                self.refuse(f"{key}.{i}", "not_object", wanted)

    def items(self, key: str, longest: int) -> list[Any] | None:
        """Read a list of limited length."""
        value = self.data.get(key)
        if value is None:
            return None
        if not isinstance(value, list):
            self.refuse(key, "not_list", "This must be a list.")
        elif len(value) > longest:
            self.refuse(key, "too_long", f"This has {len(value)} entries; {longest} fit.")
        else:
            return value
        return None


def is_whole(value: object) -> bool:
    """Return whether a JSON value is a whole number; true and false are not."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_text(value: object) -> TypeGuard[str]:
    """Return whether a JSON value is text that can be stored: no half of a surrogate pair, no NUL."""
    if not isinstance(value, str) or "\x00" in value:
        return False
    if value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
