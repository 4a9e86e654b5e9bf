"""A house's own rules: a variant, what the house answers otherwise, a name, and notes in its own words.

Nothing of the variant is in them, so that they stay as short as what a family would say: "Partnership Pitch to 15".
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from scorekeeper.rules.faults import Fault
from scorekeeper.rules.options import options
from scorekeeper.rules.overlay import differences, with_house
from scorekeeper.rules.schema import Ruleset
from scorekeeper.rules.text import is_printable, is_visible

NAME_LENGTH = 60
NOTE_LENGTH = 200
MOST_NOTES = 10
MOST_OPTIONS = 80


class Variants(Protocol):
    """Where variants are found by their id."""

    def __contains__(self, ruleset_id: object) -> bool: ...
    def __getitem__(self, ruleset_id: str) -> Ruleset: ...


@dataclass(frozen=True, slots=True)
class HouseRules:
    """What a family plays: a variant with its own answers, under its own name."""

    name: str
    variant: str
    options: Mapping[str, Any] = field(default_factory=dict)
    """Answers by option or award; what is not in here is as the variant has it."""
    notes: tuple[str, ...] = ()

    def dressed(self, ruleset: Ruleset, base: Ruleset) -> Ruleset:
        """Put the house's name and notes on a ruleset, and say which variant it comes from."""
        return ruleset.changed(
            name=self.name,
            also=[],
            extends=self.variant,
            source="house",
            summary=f"from {base.name}",
            notes=[*base.notes, *self.notes],
        )


def resolve(house: HouseRules, variants: Variants) -> tuple[Ruleset | None, list[Fault]]:
    """Give the ruleset that a house plays by, or every fault that keeps there from being one."""
    faults = list(text_faults(house))
    if house.variant not in variants:
        return None, [
            *faults,
            Fault("extends", "unknown_variant", f"There is no variant called {_short(house.variant)}."),
        ]
    base = variants[house.variant]
    ruleset, found = with_house(base, house.options)
    faults += [Fault(f"house.{fault.field}", fault.code, fault.message) for fault in found]
    return (None, faults) if faults else (house.dressed(ruleset, base), [])


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:37]}…")


def text_faults(house: HouseRules) -> Iterator[Fault]:
    """Find what is wrong with the name, the notes, and the number of answers."""
    yield from name_faults(house.name)
    yield from notes_faults(house.notes)
    if len(house.options) > MOST_OPTIONS:
        yield Fault("house", "too_many", f"There are {len(house.options)} answers; {MOST_OPTIONS} fit.")


def name_faults(name: str) -> Iterator[Fault]:
    """Find what keeps house rules from being called this."""
    if not is_visible(name) or name != name.strip():
        yield Fault("name", "bad_name", "Give these rules a name, with no space around it.")
    if len(name) > NAME_LENGTH:
        yield Fault("name", "too_long", f"The name has {len(name)} letters; {NAME_LENGTH} fit.")
    if not is_printable(name):
        yield Fault("name", "unprintable", "There are characters in the name that cannot be shown.")


def notes_faults(notes: tuple[str, ...]) -> Iterator[Fault]:
    """Find what keeps notes from standing on the sheet."""
    if len(notes) > MOST_NOTES:
        yield Fault("notes", "too_many", f"There are {len(notes)} notes; {MOST_NOTES} fit, one to a line.")
    for i, note in enumerate(notes[:MOST_NOTES]):
        if len(note) > NOTE_LENGTH:
            yield Fault(f"notes.{i}", "too_long", f"Note {i + 1} has {len(note)} letters; {NOTE_LENGTH} fit.")
        if not is_visible(note):
            yield Fault(f"notes.{i}", "empty", f"Note {i + 1} says nothing.")
        if not is_printable(note):
            yield Fault(f"notes.{i}", "unprintable", f"Note {i + 1} has characters in it that cannot be shown.")


def tidied(house: HouseRules, variants: Variants) -> HouseRules:
    """Say the same rules in as few answers as will do, so that the same rules always look the same."""
    base = variants[house.variant]
    wanted, faults = with_house(base, house.options)
    fewest = fewest_answers(base, wanted)
    if faults or with_house(base, fewest)[0] != wanted:
        return house
    return replace(house, options=fewest)


def fewest_answers(base: Ruleset, wanted: Ruleset) -> dict[str, Any]:
    """Give what a house has to say to turn one ruleset into the other, without what follows from the rest."""
    kept = differences(base, wanted)
    # Awards first: they follow from options more often than the other way round.
    for name in sorted(kept, key=lambda name: name in options()):
        rest = {other: value for other, value in kept.items() if other != name}
        changed, faults = with_house(base, rest)
        if not faults and changed == wanted:
            kept = rest
    order = (*options(), *base.awards)
    return {name: kept[name] for name in sorted(kept, key=order.index)}


def house_of(ruleset: Ruleset, base: Ruleset) -> HouseRules:
    """Give the house rules that a ruleset follows from; one without a name of its own keeps the variant's."""
    described = {name: getattr(base, name) for name in _DESCRIPTION}
    notes = tuple(note for note in ruleset.notes if note not in base.notes)
    return HouseRules(ruleset.name, base.id, fewest_answers(base, ruleset.changed(**described)), notes)


_DESCRIPTION = ("name", "also", "extends", "source", "summary", "notes")
"""What a house says of its rules, and what decides nothing at the table."""
