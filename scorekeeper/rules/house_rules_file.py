"""House rules as a TOML file, written, and read with every fault at once."""

import json
import tomllib
from collections.abc import Mapping
from typing import Any, TypeVar

from scorekeeper.rules.characters import shortened
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.house_rules import HouseRules, Variants, resolve
from scorekeeper.rules.library import BadRulesets, FileFault

FORMAT = 1
LARGEST_FILE = 32 * 1024
_KEYS = ("format", "name", "extends", "notes", "house")
_T = TypeVar("_T")


def read_house_rules(content: bytes, variants: Variants, file: str) -> HouseRules:
    """Return the house rules in a file's content; raises `BadRulesets` with every fault."""
    try:
        data = _parsed(content)
    except ValueError as error:
        raise BadRulesets((FileFault(file, Fault("", "not_toml", f"This cannot be read as TOML: {error}.")),)) from None
    house, faults = parse_house_rules(data)
    faults += [fault for fault in resolve(house, variants)[1] if fault.field not in {known.field for known in faults}]
    if faults:
        raise BadRulesets(tuple(FileFault(file, fault) for fault in faults))
    return house


def _parsed(content: bytes) -> dict[str, Any]:
    if len(content) > LARGEST_FILE:
        raise ValueError(f"it has {len(content)} bytes; {LARGEST_FILE} fit")
    try:
        return tomllib.loads(content.decode())
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def parse_house_rules(data: Mapping[str, Any]) -> tuple[HouseRules, list[Fault]]:
    """Return the house rules in a table, and every fault of its shape; the variant is not looked up."""
    faults = [
        Fault(_shown(key), "unknown_key", f"There is no such key. There is: {', '.join(_KEYS)}.")
        for key in data
        if key not in _KEYS
    ]
    if data.get("format") != FORMAT or isinstance(data.get("format"), bool):
        faults.append(_found("format", data.get("format"), f"the number {FORMAT}"))

    def read(key: str, blank: _T, allowed: str, *, is_needed: bool = False) -> _T:
        found = data.get(key, None if is_needed else blank)
        if isinstance(found, type(blank)):
            return found
        faults.append(_found(key, found, allowed))
        return blank

    name = read("name", "", "a text", is_needed=True)
    variant = read("extends", "", "a variant's id", is_needed=True)
    notes: list[Any] = read("notes", [], "a list of texts")
    if not all(isinstance(note, str) for note in notes):
        faults.append(_found("notes", notes, "a list of texts"))
        notes = []
    house: dict[str, Any] = read("house", {}, "a table of options")
    return HouseRules(name, variant, house, tuple(notes)), faults


def _found(field: str, found: object, allowed: str) -> Fault:
    problem = "It is missing" if found is None else f"Found {_shown(found)}"
    return Fault(field, "bad_value", f"{problem}; it has to be {allowed}.")


def _shown(found: object) -> str:
    return shortened(found if isinstance(found, str) and found.isidentifier() else repr(found))


def house_rules_as_data(house: HouseRules) -> dict[str, Any]:
    """Return house rules as a table, in the order in which a file has them."""
    data: dict[str, Any] = {"format": FORMAT, "name": house.name, "extends": house.variant}
    if house.notes:
        data["notes"] = list(house.notes)
    return {**data, "house": dict(house.options)}


def write_house_rules(house: HouseRules) -> str:
    """Return house rules as the text of a file."""
    head = [f"format  = {FORMAT}", f"name    = {_text(house.name)}", f"extends = {_text(house.variant)}"]
    notes = ["notes   = [", *(f"  {_text(note)}," for note in house.notes), "]"] if house.notes else []
    answers = [f"{_key(name)} = {_value(value)}" for name, value in house.options.items()]
    return "\n".join([*head, *notes, "", "[house]", *answers, ""])


def _value(value: object) -> str:
    return json.dumps(value) if isinstance(value, int) else _text("none" if value is None else str(value))


def _key(name: str) -> str:
    return name if name.isascii() and name.replace("_", "a").isalnum() else _text(name)


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}


def _text(text: str) -> str:
    """Return a TOML basic string, with escapes for what could end it or cannot be seen."""
    letters = (_ESCAPES.get(letter) or (letter if letter.isprintable() else f"\\U{ord(letter):08X}") for letter in text)
    return f'"{"".join(letters)}"'
