"""A house's own rules: a variant, the options that the house answers differently, a name, and notes.

They hold nothing of the variant itself, and stay as short as a family's own words: "Partnership Pitch to 15". Here
they are applied to a variant, reduced to the fewest answers, and written and read as a TOML file.
"""

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, TypeVar

from scorekeeper.pitch.rules.awards import OWN_AWARDS, AwardId
from scorekeeper.pitch.rules.entered_text import is_printable, is_visible
from scorekeeper.pitch.rules.faults import BadRulesets, Fault, FileFault, shortened
from scorekeeper.pitch.rules.groups.points import implied_by_award, meaningless_without_awards
from scorekeeper.pitch.rules.options import (
    LOW,
    MEANINGLESS_WITH,
    ONE_ANSWER,
    contradictions,
    moot_options,
    options,
    own_answer,
    read_award,
    read_own_award,
)
from scorekeeper.pitch.rules.schema import MAX_NOTES_IN_ALL, Answers, Award, Ruleset


@dataclass(frozen=True, slots=True)
class _ReadAnswers:
    """A house's answers, with those about awards apart, since `low` is both an award and an option."""

    options: dict[str, object]
    awards: dict[AwardId, int | Literal[False]]
    own: dict[AwardId, Award]
    """Awards that the house makes for itself."""


def with_house(ruleset: Ruleset, house: Answers) -> tuple[Ruleset, list[Fault]]:
    """Return the ruleset that follows when a house answers these options, and every fault in the answers.

    An answer implies others unless the house gives those too: `dirty` makes Low a captured card, `jokers` switches
    their awards, `game` and `game_rule` switch each other, `count_down_from` replaces the target, and an option that
    has become meaningless goes back to its default: without a moon there is nothing that it wins or costs.
    An award that the house has made for itself is an award like any other.
    """
    if not house:
        return ruleset, []
    answers, faults = _read(ruleset, house)
    if faults:
        return ruleset, faults
    if answers.own:
        # They count last and in the order of their ids, however they are written.
        awards = {**ruleset.awards, **answers.own}
        order = sorted(awards, key=lambda award_id: award_id if award_id in OWN_AWARDS else "")
        ruleset = ruleset.changed(awards={award_id: awards[award_id] for award_id in order})
    _add_implied(ruleset, answers)
    changed = _answered(ruleset, answers)
    return changed, contradictions(changed, stated=house)


def without_moot(base: Ruleset, house: Answers, sides: int | None = None) -> dict[str, object]:
    """Return a house's answers without those that decide nothing beside the others; all where they are not sound.

    `sides` is how many keep a score, where that is known.
    """
    moot = _moot_answers(base, house, sides)
    return {name: answer for name, answer in house.items() if name not in moot}


def moot_faults(base: Ruleset, house: Answers) -> list[Fault]:
    """Return why answers of a house are refused that are new and would decide nothing beside the others."""
    changed, _ = with_house(base, house)
    moot = ((name, why) for name, why in _moot_answers(base, house).items() if why)
    return [Fault(name, "no_effect", why) for name, why in moot if changed.answer(name) != base.answer(name)]


def _moot_answers(base: Ruleset, house: Answers, sides: int | None = None) -> dict[str, str]:
    """Return the options that a house need not answer, with the reasons; none where its answers are not sound."""
    changed, faults = with_house(base, house)
    if faults:
        return {}
    moot = {name: why for name, why in moot_options(changed, sides).items() if name in house}
    # Others may need one of them all the same: a moon for a stake has to have what it wins.
    return moot if moot and not with_house(base, {name: house[name] for name in house if name not in moot})[1] else {}


def answer_faults(ruleset: Ruleset, answers: Answers) -> list[Fault]:
    """Return every answer that its option does not have, whatever it would contradict."""
    return _read(ruleset, answers)[1]


def differences(base: Ruleset, changed: Ruleset) -> dict[str, object]:
    """Return the house options that turn one ruleset into another of the same variant."""
    stated = _unlike(base, changed)
    # An implied answer may differ from the one wanted: then that is stated as well.
    return stated | _unlike(with_house(base, stated)[0], changed)


def _unlike(base: Ruleset, changed: Ruleset) -> dict[str, object]:
    answers: list[tuple[str, Callable[[Ruleset, str], object]]] = [(name, Ruleset.answer) for name in options()]
    answers += [(name, Ruleset.worth) for name in base.awards if name not in OWN_AWARDS]
    answers += [(name, lambda ruleset, name: own_answer(ruleset.in_play.get(name))) for name in OWN_AWARDS]
    return {name: answer(changed, name) for name, answer in answers if answer(changed, name) != answer(base, name)}


def _settled(ruleset: Ruleset) -> Ruleset:
    """Return a ruleset without the awards that a house made for itself and then switched off."""
    kept = {name: award for name, award in ruleset.awards.items() if award.on or name not in OWN_AWARDS}
    return ruleset.changed(awards=kept)


def _read(ruleset: Ruleset, house: Answers) -> tuple[_ReadAnswers, list[Fault]]:
    answers = _ReadAnswers({}, {}, {})
    faults = []
    for name, given in house.items():
        option = options().get(name)
        if not isinstance(given, str | int | float | None):
            faults.append(Fault(name, "bad_value", "An answer is a word, a number, yes or no."))
            continue
        is_own = name in OWN_AWARDS and (isinstance(given, str) or name not in ruleset.awards)
        if option is None and name not in ruleset.awards and not is_own:
            faults.append(Fault(name, "unknown_option", f"There is no house option {name!r}."))
            continue
        try:
            if is_own:
                if own := read_own_award(given):
                    answers.own[name] = own
                else:
                    answers.awards[name] = False
            elif option is None or (name in ruleset.awards and given not in option.choices):
                answer = read_award(given)
                answers.awards[name] = ruleset.awards[name].points if answer is True else answer
            else:
                answers.options[name] = option.read(given)
        except ValueError as error:
            faults.append(Fault(name, "bad_value", f"{shortened(repr(given))} is not an answer here. Enter {error}."))
    return answers, faults


def _add_implied(ruleset: Ruleset, answers: _ReadAnswers) -> None:
    """Add to a house's answers all that they imply: each is looked at once, whatever stands first."""
    reached = [(name, False) for name in answers.options] + [(award_id, True) for award_id in answers.awards]
    for name, is_award in reached:
        if is_award:
            implied = dict(implied_by_award(ruleset, name, answers.options, answers.awards))
        else:
            answer = answers.options[name]
            gone = (option for option, beside in MEANINGLESS_WITH.items() if beside == (name, answer))
            implied = {option: options()[option].default for option in gone}
            implied |= options()[name].declared.implies(ruleset, answer)
        for other, answer in implied.items():
            known: dict[str, Any] = answers.options if other in options() else answers.awards
            if other not in known:
                known[other] = answer
                reached.append((other, other not in options()))
    for name in meaningless_without_awards(ruleset, answers.awards):
        answers.options.setdefault(name, options()[name].default)


def _answered(ruleset: Ruleset, answers: _ReadAnswers) -> Ruleset:
    """Return the ruleset with these answers in it."""
    awards = {
        award_id: ruleset.awards[award_id].changed(on=bool(answer), points=answer or ruleset.awards[award_id].points)
        for award_id, answer in answers.awards.items()
        if award_id in ruleset.awards
    }
    changes: dict[str, dict[str, object]] = {}
    for name, answer in answers.options.items():
        changes.setdefault(options()[name].group, {})[name] = answer
    groups = {group: getattr(ruleset, group).changed(**answered) for group, answered in changes.items()}
    return ruleset.changed(awards={**ruleset.awards, **awards} if awards else ruleset.awards, **groups)


NAME_LENGTH = 60
NOTE_LENGTH = 200
MAX_NOTES = 10
MAX_OPTIONS = 80


class Variants(Protocol):
    """Anything that finds a variant by its id."""

    def __contains__(self, ruleset_id: object) -> bool: ...
    def __getitem__(self, ruleset_id: str) -> Ruleset: ...


@dataclass(frozen=True, slots=True)
class HouseRules:
    """What a family plays: a variant with the family's own answers, under its own name."""

    name: str
    variant: str
    options: Answers = field(default_factory=dict)
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
    if len(house.options) > MAX_OPTIONS:
        faults.append(Fault("house", "too_many", f"There are {len(house.options)} answers; {MAX_OPTIONS} fit."))
    if house.variant not in variants:
        why = f"There is no variant called {shortened(house.variant)!r}."
        return None, [*faults, Fault("extends", "unknown_variant", why)]
    base = variants[house.variant]
    room = MAX_NOTES_IN_ALL - len(base.notes)
    if not faults and len(house.notes) > room:
        why = f"There are {len(house.notes)} notes; {room} fit beside those of {base.name}."
        faults.append(Fault("notes", "too_many", why))
    ruleset, found = with_house(base, without_moot(base, house.options))
    faults += [fault.inside("house") for fault in found]
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
    if len(notes) > MAX_NOTES:
        yield Fault("notes", "too_many", f"There are {len(notes)} notes; {MAX_NOTES} fit, one per line.")
    for i, note in enumerate(notes[:MAX_NOTES]):
        if len(note) > NOTE_LENGTH:
            yield Fault(f"notes.{i}", "too_long", f"Note {i + 1} has {len(note)} letters; {NOTE_LENGTH} fit.")
        if not is_visible(note):
            yield Fault(f"notes.{i}", "empty", f"Note {i + 1} says nothing.")
        if not is_printable(note):
            yield Fault(f"notes.{i}", "unprintable", f"Note {i + 1} has characters in it that cannot be shown.")


def simplified(house: HouseRules, variants: Variants) -> HouseRules:
    """Return the same rules in the fewest answers, so that the same rules always look the same."""
    base = variants[house.variant]
    house = replace(house, options=without_moot(base, house.options))
    wanted, faults = with_house(base, house.options)
    minimal = minimal_options(base, wanted)
    if faults or with_house(base, minimal)[0] != wanted:
        return house
    return replace(house, options=minimal)


def silent_on(base: Ruleset, answers: Answers) -> dict[str, object]:
    """Return the answers that were standard before a change of the variant, to options that these answers leave out.

    House rules made since then include such answers, so that only older ones leave them out.
    """
    found: dict[str, object] = {}
    for name, before in base.sheet.formerly.items():
        if name in answers:
            continue
        as_before, faults = with_house(base, {**answers, **found, name: before})
        if not faults and name not in moot_options(as_before):
            found[name] = before
    return found


def minimal_options(base: Ruleset, wanted: Ruleset) -> dict[str, object]:
    """Return the options that turn one ruleset into the other, without those that the rest imply.

    An answer that was not always the standard one is included as well.
    """
    minimal = _without_implied(base, wanted)
    answers = {name: wanted.answer(name) for name in silent_on(base, minimal)} | minimal
    order = dict.fromkeys((*options(), *base.awards, *OWN_AWARDS))
    return {name: answers[name] for name in order if name in answers}


def _without_implied(base: Ruleset, wanted: Ruleset) -> dict[str, object]:
    kept, wanted = differences(base, wanted), _settled(wanted)
    # Awards first: options imply them more often than the other way around.
    for name in sorted(kept, key=lambda name: name in options()):
        rest = {other: value for other, value in kept.items() if other != name}
        changed, faults = with_house(base, rest)
        if not faults and _settled(changed) == wanted:
            kept = rest
    return kept


def with_answers(house: HouseRules, answers: Answers, variants: Variants) -> tuple[HouseRules, list[Fault]]:
    """Return house rules in which a table answers some options otherwise, and why it cannot.

    The answers are laid over what the house's own make of the variant, and not over the variant.
    """
    base = variants[house.variant]
    stated = {**house.options, **answers}
    wanted, faults = with_house(with_house(base, house.options)[0], answers)
    wanted = _settled(wanted)
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


FORMAT = 1
LARGEST_FILE = 32 * 1024
HOUSE = "house"
"""The key that marks a file as house rules and not a whole game."""
_KEYS = ("format", "name", "extends", "notes", HOUSE)
_T = TypeVar("_T")


def read_house_rules(content: bytes, variants: Variants, file: str) -> HouseRules:
    """Return the house rules in a file's content; raises `BadRulesets` with every fault."""
    try:
        data = parse_toml(content, LARGEST_FILE)
    except ValueError as error:
        raise BadRulesets((FileFault(file, Fault("", "not_toml", f"This cannot be read as TOML: {error}.")),)) from None
    house, faults = parse_house_rules(data)
    faults += [fault for fault in resolve(house, variants)[1] if fault.field not in {known.field for known in faults}]
    if faults:
        raise BadRulesets(tuple(FileFault(file, fault) for fault in faults))
    return house


TomlTable = dict[str, Any]


def parse_toml(content: bytes, max_size: int) -> TomlTable:
    """Parse TOML of at most so many bytes; raises `ValueError` with the reason in plain words."""
    if len(content) > max_size:
        raise ValueError(f"it has {len(content)} bytes; {max_size} fit")
    try:
        return tomllib.loads(content.decode())
    except UnicodeDecodeError:
        raise ValueError("it is not text") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def parse_house_rules(data: Mapping[str, object]) -> tuple[HouseRules, list[Fault]]:
    """Return the house rules in a table, and every fault of its shape; the variant is not looked up."""
    unknown = f"There is no such key. There is: {', '.join(_KEYS)}."
    faults = [Fault(_shown(key), "unknown_key", unknown) for key in data if key not in _KEYS]
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
    listed: list[object] = read("notes", [], "a list of texts")
    notes = [note for note in listed if isinstance(note, str)]
    if notes != listed:
        faults.append(_found("notes", listed, "a list of texts"))
        notes = []
    house: dict[str, object] = read(HOUSE, {}, "a table of options")
    return HouseRules(name, variant, house, tuple(notes)), faults


def _found(field: str, found: object, allowed: str) -> Fault:
    problem = "It is missing" if found is None else f"Found {_shown(found)}"
    return Fault(field, "bad_value", f"{problem}; it has to be {allowed}.")


def _shown(found: object) -> str:
    return shortened(found if isinstance(found, str) and found.isidentifier() else repr(found))


def house_rules_as_data(house: HouseRules) -> dict[str, object]:
    """Return house rules as a table, in the order in which a file has them."""
    data: dict[str, object] = {"format": FORMAT, "name": house.name, "extends": house.variant}
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
