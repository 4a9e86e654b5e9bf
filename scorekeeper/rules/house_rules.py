"""A house's own rules: a variant, the options that the house answers differently, a name, and notes.

They hold nothing of the variant itself, and stay as short as what a family would say: "Partnership Pitch to 15".
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from scorekeeper.rules.characters import is_printable, is_visible, shortened
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.options import LOW, ONE_ANSWER, options
from scorekeeper.rules.overlay import differences, with_house
from scorekeeper.rules.schema import ALL_NOTES, Ruleset

NAME_LENGTH = 60
NOTE_LENGTH = 200
MOST_NOTES = 10
MOST_OPTIONS = 80


class Variants(Protocol):
    """Anything that finds a variant by its id."""

    def __contains__(self, ruleset_id: object) -> bool: ...
    def __getitem__(self, ruleset_id: str) -> Ruleset: ...


@dataclass(frozen=True, slots=True)
class HouseRules:
    """What a family plays: a variant with the family's own answers, under its own name."""

    name: str
    variant: str
    options: Mapping[str, Any] = field(default_factory=dict)
    """Answers by option or award; every other answer is the variant's."""
    notes: tuple[str, ...] = ()

    def put_name_on(self, ruleset: Ruleset, base: Ruleset) -> Ruleset:
        """Return a ruleset under the house's name, with its notes and the variant that it comes from."""
        return ruleset.changed(
            name=self.name,
            also=[],
            extends=self.variant,
            source="house",
            summary=f"from {base.name}",
            notes=[*base.notes, *self.notes],
        )


def resolve(house: HouseRules, variants: Variants) -> tuple[Ruleset | None, list[Fault]]:
    """Return the ruleset that a house plays by, or `None` and every fault in its rules."""
    faults = [*name_faults(house.name), *notes_faults(house.notes)]
    if len(house.options) > MOST_OPTIONS:
        faults.append(Fault("house", "too_many", f"There are {len(house.options)} answers; {MOST_OPTIONS} fit."))
    if house.variant not in variants:
        why = f"There is no variant called {shortened(house.variant)!r}."
        return None, [*faults, Fault("extends", "unknown_variant", why)]
    base = variants[house.variant]
    room = ALL_NOTES - len(base.notes)
    if not faults and len(house.notes) > room:
        why = f"There are {len(house.notes)} notes; {room} fit beside those of {base.name}."
        faults.append(Fault("notes", "too_many", why))
    ruleset, found = with_house(base, house.options)
    faults += [Fault(f"house.{fault.field}", fault.code, fault.message) for fault in found]
    return (None, faults) if faults else (house.put_name_on(ruleset, base), [])


def name_faults(name: str) -> Iterator[Fault]:
    """Find what is wrong with the name of house rules."""
    if not is_visible(name) or name != name.strip():
        yield Fault("name", "bad_name", "Give these rules a name, with no space around it.")
    if len(name) > NAME_LENGTH:
        yield Fault("name", "too_long", f"The name has {len(name)} letters; {NAME_LENGTH} fit.")
    if not is_printable(name):
        yield Fault("name", "unprintable", "There are characters in the name that cannot be shown.")


def notes_faults(notes: tuple[str, ...]) -> Iterator[Fault]:
    """Find what is wrong with the notes of house rules."""
    if len(notes) > MOST_NOTES:
        yield Fault("notes", "too_many", f"There are {len(notes)} notes; {MOST_NOTES} fit, one per line.")
    for i, note in enumerate(notes[:MOST_NOTES]):
        if len(note) > NOTE_LENGTH:
            yield Fault(f"notes.{i}", "too_long", f"Note {i + 1} has {len(note)} letters; {NOTE_LENGTH} fit.")
        if not is_visible(note):
            yield Fault(f"notes.{i}", "empty", f"Note {i + 1} says nothing.")
        if not is_printable(note):
            yield Fault(f"notes.{i}", "unprintable", f"Note {i + 1} has characters in it that cannot be shown.")


def simplified(house: HouseRules, variants: Variants) -> HouseRules:
    """Return the same rules in the fewest answers, so that the same rules always look the same."""
    base = variants[house.variant]
    wanted, faults = with_house(base, house.options)
    fewest = minimal_options(base, wanted)
    if faults or with_house(base, fewest)[0] != wanted:
        return house
    return replace(house, options=fewest)


def minimal_options(base: Ruleset, wanted: Ruleset) -> dict[str, Any]:
    """Return the options that turn one ruleset into the other, without those that the rest imply."""
    kept = differences(base, wanted)
    # Awards first: options imply them more often than the other way around.
    for name in sorted(kept, key=lambda name: name in options()):
        rest = {other: value for other, value in kept.items() if other != name}
        changed, faults = with_house(base, rest)
        if not faults and changed == wanted:
            kept = rest
    order = (*options(), *base.awards)
    return {name: kept[name] for name in sorted(kept, key=order.index)}


def with_answers(house: HouseRules, answers: Mapping[str, Any], variants: Variants) -> tuple[HouseRules, list[Fault]]:
    """Return house rules in which a table answers some options otherwise, and why it cannot.

    The answers are laid over what the house's own make of the variant, and not over the variant.
    """
    base = variants[house.variant]
    stated = {**house.options, **answers}
    wanted, faults = with_house(with_house(base, house.options)[0], answers)
    if not faults and with_house(base, stated) != (wanted, []):
        stated = minimal_options(base, wanted)
        if with_house(base, stated) != (wanted, []):
            faults = [Fault(LOW, "one_answer", ONE_ANSWER)]
    return replace(house, options=stated), faults


def derive_house_rules(ruleset: Ruleset, base: Ruleset) -> HouseRules:
    """Return the house rules that turn a variant into a ruleset."""
    described = {name: getattr(base, name) for name in _DESCRIPTION}
    notes = tuple(note for note in ruleset.notes if note not in base.notes)
    return HouseRules(ruleset.name, base.id, minimal_options(base, ruleset.changed(**described)), notes)


_DESCRIPTION = ("name", "also", "extends", "source", "summary", "notes", "sheet")
"""The fields that describe house rules, and decide nothing at the table."""
