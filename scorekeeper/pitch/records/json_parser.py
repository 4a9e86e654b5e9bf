"""Parse untrusted JSON, collecting every fault, and convert hands from JSON and to JSON."""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sized
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from math import isinf
from typing import Any, NoReturn, TypeGuard, TypeVar

from scorekeeper.pitch.rules.awards import SUITS
from scorekeeper.pitch.rules.entered_text import (
    MAX_NAME_LENGTH,
    MAX_NOTE_LENGTH,
    is_printable,
    text_faults,
    texts_inside,
)
from scorekeeper.pitch.rules.faults import Fault, FaultCode
from scorekeeper.pitch.scoring.hand import (
    FORFEITS,
    HAND_FIELDS,
    PASS,
    PITCH,
    SPECIAL_BIDS,
    TAKE_SET,
    THROWN_IN_REASONS,
    Bid,
    Call,
    Calls,
    FieldKind,
    Hand,
)

MAX_CALLS = 200
"""The most calls in a hand of a record."""
MAX_RECORD_TEXT_LENGTH = 200
"""The most characters of a text in a record, such as a title; notes may be longer."""
MAX_RECORD_NOTE_LENGTH = 2000
"""The most characters of a note on a match or on a hand in a record."""

JsonObject = dict[str, Any]
"""A JSON object, parsed or to be written."""


class _ParsedObject(JsonObject):
    """A parsed JSON object that also knows which of its keys occurred more than once."""

    repeated: tuple[str, ...] = ()
    """The keys that occurred more than once."""

    def __init__(self, pairs: list[tuple[str, object]]) -> None:
        super().__init__(pairs)
        if len(self) != len(pairs):
            self.repeated = tuple(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)


def parse_json(text: str | bytes) -> Any:
    """Return the value of a JSON text; raises `ValueError` with a message for users.

    NaN and infinity are errors. A repeated key is not; `JsonParser` adds a fault for it later.
    """
    with _reword_syntax_errors():
        return _DECODER.decode(text if isinstance(text, str) else _decode_text(text))


def parse_items(text: bytes) -> Iterator[object]:
    """Yield the items of a JSON list, each as soon as it is parsed.

    A value other than a list is yielded as the only item. After the items before an error, raises `ValueError` as
    `parse_json` does.
    """
    decoded = _decode_text(text)
    index = _index_after_space(decoded, 0)
    if not decoded.startswith("[", index):
        yield parse_json(text)
        return
    index, separator = _index_after_space(decoded, index + 1), ","
    if decoded.startswith("]", index):
        index, separator = index + 1, "]"
    while separator == ",":
        with _reword_syntax_errors():
            item, index = _DECODER.raw_decode(decoded, index)
        yield item
        index = _index_after_space(decoded, index)
        separator = decoded[index : index + 1]
        if separator not in (",", "]"):
            raise _syntax_error_at(decoded, index)
        index = _index_after_space(decoded, index + 1)
    if (index := _index_after_space(decoded, index)) != len(decoded):
        raise _syntax_error_at(decoded, index)


@contextmanager
def _reword_syntax_errors() -> Iterator[None]:
    """Turn errors of the JSON decoder into `ValueError` with a message for users."""
    try:
        yield
    except json.JSONDecodeError as error:
        raise _syntax_error_at(error.doc, error.pos) from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _syntax_error_at(text: str, index: int) -> ValueError:
    """Return an error to raise, which says where JSON is invalid: "line 3 goes wrong at letter 7"."""
    error = json.JSONDecodeError("", text, min(index, len(text.rstrip())))  # an end too early is after what is there
    return ValueError(f"line {error.lineno} goes wrong at letter {error.colno}")


def _decode_text(text: bytes) -> str:
    """Return the text of JSON, decoded from its bytes; raises `ValueError` if the bytes are not text."""
    try:
        return text.decode(json.detect_encoding(text), "surrogatepass")
    except UnicodeDecodeError:
        raise ValueError("it is not text") from None


def _index_after_space(text: str, index: int) -> int:
    """Return the index of the first character from `index` on that is not white space."""
    while text[index : index + 1] in _SPACES:
        index += 1
    return index


def _refuse_constant(name: str) -> NoReturn:
    """Raise `ValueError` for NaN or infinity, which JSON does not have."""
    raise ValueError(f"{name} is no JSON")


def _parse_int(number: str) -> int:
    """Parse a whole number; raises `ValueError` if it has more digits than Python reads."""
    try:
        return int(number)
    except ValueError:
        raise ValueError("a number in it is too long") from None


def _parse_finite_float(number: str) -> float:
    """Parse a number; raises `ValueError` if it is too large for a float."""
    if isinf(value := float(number)):
        raise ValueError("a number in it is too large")
    return value


_SPACES = (" ", "\t", "\n", "\r")
"""The white space of JSON."""
_DECODER = json.JSONDecoder(
    object_pairs_hook=_ParsedObject,
    parse_float=_parse_finite_float,
    parse_int=_parse_int,
    parse_constant=_refuse_constant,
)


_Value = TypeVar("_Value")
_Sized = TypeVar("_Sized", bound=Sized)


@dataclass(slots=True)
class JsonParser:
    """Reads the values of a JSON object key by key, and collects a fault for each wrong one.

    A missing or wrong value is read as `None`.
    """

    data: Mapping[str, object]
    prefix: str = ""
    """The path of the object with a dot at its end; empty for the outermost object."""
    faults: list[Fault] = field(default_factory=list)

    def refuse(self, key: str, code: FaultCode, message: str) -> None:
        """Add a fault for a key; its path is `prefix` and the key: "start.scores"."""
        path = f"{self.prefix}{key}".encode("utf-8", "backslashreplace").decode()  # no page can show half a letter
        self.faults.append(Fault(path, code, message))

    def refuse_other_keys(self, keys: Collection[str]) -> None:
        """Add a fault for each key that is not in `keys`, or occurs more than once."""
        for key in self.data:
            if key not in keys:
                self.refuse(key, "unknown_key", f"{key!r} has no meaning here.")
        for key in getattr(self.data, "repeated", ()):
            self.refuse(key, "repeated_key", f"{key!r} is given twice.")

    def value(
        self,
        key: str,
        kind: type[_Value],
        message: str,
        code: FaultCode = "bad_value",
        check: Callable[[_Value], bool] = lambda _: True,
    ) -> _Value | None:
        """Read an optional value; the fault of a wrong one has `code` and `message`."""
        value = self.data.get(key)
        if value is None or (isinstance(value, kind) and check(value)):
            return value
        self.refuse(key, code, message)
        return None

    def _check_length(self, key: str, value: _Sized | None, max_length: int, unit: str) -> _Sized | None:
        """Return a value; if it is too long, add a fault and return `None`.

        `unit` is what the length counts: "letters".
        """
        if value is None or len(value) <= max_length:
            return value
        self.refuse(key, "too_long", f"This has {len(value)} {unit}; {max_length} fit.")
        return None

    def text(self, key: str, max_length: int) -> str | None:
        """Read an optional text of at most `max_length` characters."""
        return self._check_length(
            key, self.value(key, str, "This must be text.", "not_text", is_text), max_length, "letters"
        )

    def choice(self, key: str, choices: Collection[str]) -> str | None:
        """Read an optional text that must be one of `choices`."""
        return self.value(key, str, f"This must be one of {', '.join(choices)}.", check=lambda word: word in choices)

    def flag(self, key: str) -> bool | None:
        """Read an optional boolean."""
        return self.value(key, bool, "This must be true or false.")

    def whole_number(self, key: str, highest: int, lowest: int = 0) -> int | None:
        """Read an optional whole number from `lowest` to `highest`."""
        message = f"This must be a whole number from {lowest} to {highest}."
        return self.value(
            key, int, message, check=lambda number: is_whole_number(number) and lowest <= number <= highest
        )

    def whole_numbers(self, key: str, highest: int, lowest: int = 0) -> JsonObject | None:
        """Read an optional object whose values are whole numbers from `lowest` to `highest`."""
        wanted = f"a whole number from {lowest} to {highest}"
        return self.values(key, lambda number: is_whole_number(number) and lowest <= number <= highest, wanted)

    def json_object(self, key: str) -> JsonObject | None:
        """Read an optional object, adding a fault for each key that occurs more than once."""
        json_object = self.value(key, dict, "This must be an object.", "not_object")
        for repeated in getattr(json_object, "repeated", ()):
            self.refuse(f"{key}.{repeated}", "repeated_key", f"{repeated!r} is given twice.")
        return json_object

    def values(self, key: str, check: Callable[[Any], bool], wanted_words: str) -> JsonObject | None:
        """Read an optional object, and add a fault for each value that fails `check`.

        Its message is "This must be" followed by `wanted_words`. Values that fail stay in the result.
        """
        json_object = self.json_object(key)
        if json_object is None:
            return None
        for name, value in json_object.items():
            if not is_text(name):
                self.refuse(key, "unprintable", "There are characters in this that cannot be stored.")
            elif not check(value):
                self.refuse(f"{key}.{name}", "bad_value", f"This must be {wanted_words}.")
        return dict(json_object)

    def texts(self, key: str, max_length: int, message: str) -> tuple[str, ...] | None:
        """Read an optional list of at most `max_length` texts.

        Each item that is no text, or that cannot be stored, adds a fault with this `message`.
        """
        items = self.items(key, max_length)
        for i, item in enumerate(items or ()):
            if not is_text(item):
                self.refuse(f"{key}.{i}", "not_text", message)
        return None if items is None else tuple(item for item in items if isinstance(item, str))

    def objects(self, key: str, max_length: int, message: str) -> "Iterator[JsonParser]":
        """Yield a parser for each object in an optional list of at most `max_length` items.

        Each item that is no object adds a fault with this `message`. The parsers add their faults to this one's.
        """
        for i, item in enumerate(self.items(key, max_length) or ()):
            if isinstance(item, dict):
                yield JsonParser(item, f"{self.prefix}{key}.{i}.", self.faults)
            else:
                self.refuse(f"{key}.{i}", "not_object", message)

    def items(self, key: str, max_length: int) -> list[Any] | None:
        """Read an optional list of at most `max_length` items."""
        return self._check_length(key, self.value(key, list, "This must be a list.", "not_list"), max_length, "entries")


def is_whole_number(value: object) -> TypeGuard[int]:
    """Return whether a JSON value is a whole number; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_text(value: object) -> TypeGuard[str]:
    """Return whether a JSON value is text that can be stored."""
    if not isinstance(value, str) or "\x00" in value:
        return False
    if value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def read_house(parser: JsonParser, key: str) -> JsonObject | None:
    """Read the house options at a key, and check the types of the answers.

    Whether a ruleset allows the answers is checked by `with_house`.
    """
    wanted = "a word, a number, true, false or null"
    return parser.values(key, lambda value: is_text(value) or isinstance(value, int | float | None), wanted)


def read_date(parser: JsonParser, key: str) -> str | None:
    """Read an optional date in ISO 8601 at a key, and return it as YYYY-MM-DD: "20261120" as "2026-11-20"."""
    value = parser.text(key, MAX_RECORD_TEXT_LENGTH)
    if value is None:
        return None
    try:
        return date.fromisoformat(value).isoformat()
    except ValueError:
        parser.refuse(key, "not_a_date", "A date is written like 2026-11-20.")
        return None


def _is_bid(value: object) -> TypeGuard[Bid]:
    """Return whether a JSON value is a whole number or the name of a special bid."""
    return value in SPECIAL_BIDS if isinstance(value, str) else is_whole_number(value)


def _read_calls(parser: JsonParser, key: str) -> Calls | None:
    """Read the calls of an auction at a key, adding a fault for each item that is not a call."""
    calls = parser.items(key, MAX_CALLS)
    if calls is None:
        return None
    read_calls: list[tuple[str, Call]] = []
    for i, call in enumerate(calls):
        if not (isinstance(call, list) and len(call) == 2 and isinstance(call[0], str)):
            parser.refuse(f"{key}.{i}", "not_a_call", "A call is who spoke and what they said.")
        elif not (_is_bid(call[1]) or call[1] in (PASS, PITCH, TAKE_SET)):
            message = f"A call is a number, {', '.join(SPECIAL_BIDS)}, pass, pitch or take_set."
            parser.refuse(f"{key}.{i}", "no_such_call", message)
        else:
            read_calls.append((call[0], call[1]))
    return tuple(read_calls)


def _read_text(parser: JsonParser, key: str) -> str | None:
    """Read an optional text of at most `MAX_RECORD_TEXT_LENGTH` characters."""
    return parser.text(key, MAX_RECORD_TEXT_LENGTH)


def _read_whole_numbers(parser: JsonParser, key: str) -> JsonObject | None:
    """Read the object at a key, adding a fault for each value that is not a whole number."""
    return parser.values(key, is_whole_number, "a whole number")


_BID_MESSAGE = f"A bid is a number or one of {', '.join(SPECIAL_BIDS)}."
"""The message of the fault for a value that is not a bid."""
_READER_BY_KIND: Mapping[FieldKind, Callable[[JsonParser, str], object]] = {
    FieldKind.PERSON: _read_text,
    FieldKind.PARTNER: _read_text,
    FieldKind.BID: lambda parser, key: parser.value(key, object, _BID_MESSAGE, "no_such_bid", _is_bid),
    FieldKind.SUIT: lambda parser, key: parser.choice(key, SUITS),
    FieldKind.TEXT: _read_text,
    FieldKind.THROWN_IN: lambda parser, key: parser.choice(key, THROWN_IN_REASONS),
    FieldKind.DATE: read_date,
    FieldKind.YES_OR_NO: JsonParser.flag,
    FieldKind.CHECK: JsonParser.flag,
    FieldKind.TAKEN: lambda parser, key: parser.values(key, lambda who: isinstance(who, str | None), "a name, or null"),
    FieldKind.NUMBERS: _read_whole_numbers,
    FieldKind.TIMES: _read_whole_numbers,
    FieldKind.FORFEITS: lambda parser, key: parser.values(key, lambda what: what in FORFEITS, "game or match"),
    FieldKind.CALLS: _read_calls,
    FieldKind.NOTE: lambda parser, key: parser.text(key, MAX_RECORD_NOTE_LENGTH),
    FieldKind.RULES: read_house,
    FieldKind.SUBSTITUTES: lambda parser, key: parser.values(key, is_text, "a name"),
}
"""The functions that read a field of a hand, keyed by the kind of the field."""
_HAND_FIELD_NAMES = tuple(item.name for item in HAND_FIELDS)
"""The keys of a hand in a record."""
_PARTNER_FIELD = next(item.name for item in HAND_FIELDS if item.kind is FieldKind.PARTNER)
"""The key of the partner in a hand; its value is `null` if the bidder played alone."""


def read_hand(data: object) -> tuple[Hand, list[Fault]]:
    """Read a hand from parsed JSON, and return it with a fault for each unknown key and each value of a wrong type.

    Whether the rules allow the hand is checked later.
    """
    if not isinstance(data, dict):
        return Hand(), [Fault("", "not_object", "A hand is a JSON object.")]
    parser = JsonParser(data)
    parser.refuse_other_keys(_HAND_FIELD_NAMES)
    present_fields = [item for item in HAND_FIELDS if data.get(item.name) is not None]
    values: JsonObject = {item.name: _READER_BY_KIND[item.kind](parser, item.name) for item in present_fields}
    hand = Hand(**values, alone=_PARTNER_FIELD in data and data[_PARTNER_FIELD] is None)
    if hand.house_on and hand.house is None:
        parser.refuse("house_on", "no_change", "There is a date, but no rule changes in this hand.")
    return hand, parser.faults


def hand_as_json(hand: Hand) -> JsonObject:
    """Return a hand as a JSON object, without the fields that nobody entered."""
    hand_object = {name: _json_value(value) for name in _HAND_FIELD_NAMES if (value := getattr(hand, name)) is not None}
    if hand.alone:
        hand_object[_PARTNER_FIELD] = None
    return hand_object


def _json_value(value: object) -> object:
    """Return a field's value in types that JSON has: a mapping as a dict, calls as lists."""
    if isinstance(value, Mapping):
        return dict(value)
    return [list(call) for call in value] if isinstance(value, tuple) else value


MAX_HAND_BYTES = 8 * 1024
"""The most bytes of a hand as JSON, ten times what a long auction takes."""
_MAX_LENGTH_BY_KIND = {FieldKind.TEXT: MAX_NAME_LENGTH, FieldKind.NOTE: MAX_NOTE_LENGTH}
"""The most characters of a text in a hand, keyed by the kind of its field."""
_HAND_TEXT_LIMITS = tuple(
    (item.name, _MAX_LENGTH_BY_KIND[item.kind]) for item in HAND_FIELDS if item.kind in _MAX_LENGTH_BY_KIND
)
"""The text fields of a hand, each with the most characters that it may have."""


def hand_faults(hand: Hand) -> Iterator[Fault]:
    """Yield the faults that keep a hand from being stored: too many bytes, or a text too long or unprintable."""
    hand_object = hand_as_json(hand)
    hand_json = json.dumps(hand_object)
    byte_count = len(hand_json)
    if byte_count > MAX_HAND_BYTES:
        yield Fault("", "too_large", f"This hand takes {byte_count} bytes; {MAX_HAND_BYTES} fit.")
    for name, max_length in _HAND_TEXT_LIMITS:
        if name in hand_object:
            yield from text_faults(name, hand_object[name], max_length)
    # JSON escapes nearly all unprintable characters, so that most hands need no closer look.
    if ("\\" in hand_json or not hand_json.isprintable()) and not all(
        is_printable(text, multiline=True) for text in texts_inside(hand_object)
    ):
        yield Fault("", "unprintable", "There are characters in this hand that cannot be shown.")
