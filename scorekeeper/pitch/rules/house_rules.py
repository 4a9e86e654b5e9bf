"""House rules: a variant, the options that a house answers differently, a name, and notes.

This module applies them to the variant, reduces them to the fewest answers, and reads and writes them as TOML.
"""

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, TypeVar

from scorekeeper.pitch.rules.awards import OWN_AWARD_IDS, AwardId
from scorekeeper.pitch.rules.entered_text import is_printable, is_visible
from scorekeeper.pitch.rules.faults import BadRulesets, Fault, FileFault, shorten
from scorekeeper.pitch.rules.groups.points import answers_implied_by_award, options_without_awards
from scorekeeper.pitch.rules.options import (
    LOW,
    MEANINGLESS_BESIDE,
    ONE_LOW_ANSWER_MESSAGE,
    contradictions,
    moot_options,
    options,
    own_award_answer,
    parse_award_answer,
    parse_own_award,
)
from scorekeeper.pitch.rules.schema import MAX_NOTES_WITH_VARIANT, Answers, Award, Ruleset


@dataclass(frozen=True, slots=True)
class _ParsedAnswers:
    """A house's parsed answers about options, about awards of the variant, and about awards that it defines itself.

    Options are apart from awards, because `low` is the name of one of each.
    """

    options: dict[str, object]
    awards: dict[AwardId, int | Literal[False]]
    own_awards: dict[AwardId, Award]
    """The awards that the house defines itself, by id."""


def with_house(ruleset: Ruleset, answers: Answers) -> tuple[Ruleset, list[Fault]]:
    """Return a ruleset changed by a house's answers, and the faults of the answers.

    With an invalid answer it is unchanged; with a contradiction it is changed all the same. Answers that the house does
    not give may be implied: `dirty`, for example, makes Low a captured card.
    """
    if not answers:
        return ruleset, []
    parsed, faults = _parse_answers(ruleset, answers)
    if faults:
        return ruleset, faults
    if parsed.own_awards:
        # The house's own awards count last, in the order of their ids.
        awards = {**ruleset.awards, **parsed.own_awards}
        order = sorted(awards, key=lambda award_id: award_id if award_id in OWN_AWARD_IDS else "")
        ruleset = ruleset.copy_with(awards={award_id: awards[award_id] for award_id in order})
    _add_implied_answers(ruleset, parsed)
    changed = _apply_answers(ruleset, parsed)
    return changed, contradictions(changed, stated=answers)


def without_moot_answers(base: Ruleset, answers: Answers, side_count: int | None = None) -> dict[str, object]:
    """Return a house's answers without those that have no effect; if there are faults, all of them.

    `side_count` is the number of sides in the match; `None` if unknown.
    """
    moot = _moot_answers(base, answers, side_count)
    return {name: answer for name, answer in answers.items() if name not in moot}


def new_answer_faults(base: Ruleset, answers: Answers) -> list[Fault]:
    """Return the faults for which new answers are refused, but stored ones are not.

    They are for changes without effect, and those of `forced_set_faults`.
    """
    changed, _ = with_house(base, answers)
    moot = ((name, why) for name, why in _moot_answers(base, answers).items() if why)
    faults = [Fault(name, "no_effect", why) for name, why in moot if changed.answer(name) != base.answer(name)]
    return faults + forced_set_faults(changed)


def forced_set_faults(ruleset: Ruleset) -> list[Fault]:
    """Return a fault if a dealer who goes set instead of bidding loses more than the highest bid."""
    forced, top = ruleset.bidding.forced_bid or 0, ruleset.bidding.max_bid or ruleset.points_per_hand
    if ruleset.bidding.all_pass != "may_take_set" or forced <= top:
        return []
    why = f"The dealer goes set for {forced}, but bids go only to {top}. Choose 1 to {top}."
    return [Fault("forced_bid", "forced_outside", why)]


def _moot_answers(base: Ruleset, given: Answers, side_count: int | None = None) -> dict[str, str]:
    """Return the reason by option for each of a house's answers that has no effect; empty if there are faults.

    The reason is "" for an answer that is reset to its default.
    """
    changed, faults = with_house(base, given)
    if faults:
        return {}
    moot = {name: why for name, why in moot_options(changed, side_count).items() if name in given}
    # Other answers may still need a moot one: a moon for a stake needs its points.
    return moot if moot and not with_house(base, {name: given[name] for name in given if name not in moot})[1] else {}


def answer_faults(ruleset: Ruleset, answers: Answers) -> list[Fault]:
    """Return the faults of each answer by itself, without contradictions between answers."""
    return _parse_answers(ruleset, answers)[1]


def differing_answers(base: Ruleset, changed: Ruleset) -> dict[str, object]:
    """Return all answers that turn a variant into `changed`, with those that other answers imply."""
    stated = _directly_differing_answers(base, changed)
    # Where an implied answer is not the wanted one, the wanted one is added.
    return stated | _directly_differing_answers(with_house(base, stated)[0], changed)


def _directly_differing_answers(base: Ruleset, changed: Ruleset) -> dict[str, object]:
    """Return the answers in `changed` that differ from those in `base`, without applying what they imply."""
    answers: list[tuple[str, Callable[[Ruleset, str], object]]] = [(name, Ruleset.answer) for name in options()]
    answers += [(name, Ruleset.worth) for name in base.awards if name not in OWN_AWARD_IDS]
    answers += [(name, lambda ruleset, name: own_award_answer(ruleset.in_play.get(name))) for name in OWN_AWARD_IDS]
    return {name: answer(changed, name) for name, answer in answers if answer(changed, name) != answer(base, name)}


def _without_switched_off_own_awards(ruleset: Ruleset) -> Ruleset:
    """Return a ruleset without the awards that a house defined itself and has switched off."""
    remaining = {name: award for name, award in ruleset.awards.items() if award.on or name not in OWN_AWARD_IDS}
    return ruleset.copy_with(awards=remaining)


def _parse_answers(ruleset: Ruleset, answers: Answers) -> tuple[_ParsedAnswers, list[Fault]]:
    """Parse a house's answers; return the valid ones, and a fault for each invalid one."""
    parsed = _ParsedAnswers({}, {}, {})
    faults = []
    for name, raw_answer in answers.items():
        option = options().get(name)
        if not isinstance(raw_answer, str | int | float | None):
            faults.append(Fault(name, "bad_value", "An answer is a word, a number, yes or no."))
            continue
        is_own = name in OWN_AWARD_IDS and (isinstance(raw_answer, str) or name not in ruleset.awards)
        if option is None and name not in ruleset.awards and not is_own:
            faults.append(Fault(name, "unknown_option", f"There is no house option {name!r}."))
            continue
        try:
            if is_own:
                if own := parse_own_award(raw_answer):
                    parsed.own_awards[name] = own
                else:
                    parsed.awards[name] = False
            elif option is None or (name in ruleset.awards and raw_answer not in option.choices):
                answer = parse_award_answer(raw_answer)
                parsed.awards[name] = ruleset.awards[name].points if answer is True else answer
            else:
                parsed.options[name] = option.parse_answer(raw_answer)
        except ValueError as error:
            word = repr(raw_answer) if isinstance(raw_answer, str) else str(raw_answer).lower()  # as in JSON and TOML
            also = f"{', '.join(option.choices)}, " if option and name in ruleset.awards else ""  # `low` is both
            faults.append(Fault(name, "bad_value", f"{shorten(word)} is not an answer here. Enter {also}{error}."))
    return parsed, faults


def _add_implied_answers(ruleset: Ruleset, answers: _ParsedAnswers) -> None:
    """Add to `answers` the answers that they imply, directly or through other implied answers.

    An option that concerns only awards that are not in play gets its default. No answer is replaced.
    """
    queue = [(name, False) for name in answers.options] + [(award_id, True) for award_id in answers.awards]
    for name, is_award in queue:
        if is_award:
            implied = dict(answers_implied_by_award(ruleset, name, answers.options, answers.awards))
        else:
            answer = answers.options[name]
            meaningless = (option for option, beside in MEANINGLESS_BESIDE.items() if beside == (name, answer))
            implied = {option: options()[option].default for option in meaningless}
            implied |= options()[name].declaration.implies(ruleset, answer)
        for other, answer in implied.items():
            same_kind: dict[str, Any] = answers.options if other in options() else answers.awards
            if other not in same_kind:
                same_kind[other] = answer
                queue.append((other, other not in options()))
    for name in options_without_awards(ruleset, answers.awards):
        answers.options.setdefault(name, options()[name].default)


def _apply_answers(ruleset: Ruleset, answers: _ParsedAnswers) -> Ruleset:
    """Return a ruleset with these answers; contradictions between them are not checked."""
    awards = {
        award_id: ruleset.awards[award_id].copy_with(on=bool(answer), points=answer or ruleset.awards[award_id].points)
        for award_id, answer in answers.awards.items()
        if award_id in ruleset.awards
    }
    changes: dict[str, dict[str, object]] = {}
    for name, answer in answers.options.items():
        changes.setdefault(options()[name].group, {})[name] = answer
    groups = {group: getattr(ruleset, group).copy_with(**answered) for group, answered in changes.items()}
    return ruleset.copy_with(awards={**ruleset.awards, **awards} if awards else ruleset.awards, **groups)


MAX_RULES_NAME_LENGTH = 60
"""The maximum number of characters in the name of house rules."""
MAX_RULES_NOTE_LENGTH = 200
"""The maximum number of characters in one note on house rules."""
MAX_RULES_NOTES = 10
"""The maximum number of notes on house rules."""
MAX_HOUSE_ANSWERS = 80
"""The maximum number of answers in house rules."""


class Variants(Protocol):
    """A protocol for rulesets by id, such as a `Library`."""

    def __contains__(self, ruleset_id: object) -> bool: ...
    def __getitem__(self, ruleset_id: str) -> Ruleset: ...


@dataclass(frozen=True, slots=True)
class HouseRules:
    """House rules: a variant's id, the house's own answers, a name and notes."""

    name: str
    variant: str
    options: Answers = field(default_factory=dict)
    """The answers by option or award; all others are the variant's, or implied by these."""
    notes: tuple[str, ...] = ()

    def with_name_and_notes(self, ruleset: Ruleset, base: Ruleset) -> Ruleset:
        """Return a ruleset described as the house's own, with its name, and its notes after those of `base`."""
        return ruleset.copy_with(
            name=self.name,
            also=[],
            extends=self.variant,
            source="house",
            summary=f"from {base.name}",
            notes=[*base.notes, *self.notes],
        )


def resolve_house_rules(rules: HouseRules, variants: Variants) -> tuple[Ruleset | None, list[Fault]]:
    """Return the ruleset that house rules describe, or `None` and the faults in them.

    Answers without effect are left out of the ruleset.
    """
    faults = [*rules_name_faults(rules.name), *rules_notes_faults(rules.notes)]
    if len(rules.options) > MAX_HOUSE_ANSWERS:
        faults.append(Fault("house", "too_many", f"There are {len(rules.options)} answers; {MAX_HOUSE_ANSWERS} fit."))
    if rules.variant not in variants:
        why = f"There is no variant called {shorten(rules.variant)!r}."
        return None, [*faults, Fault("extends", "unknown_variant", why)]
    base = variants[rules.variant]
    room = MAX_NOTES_WITH_VARIANT - len(base.notes)
    if not faults and len(rules.notes) > room:
        why = f"There are {len(rules.notes)} notes; {room} fit beside those of {base.name}."
        faults.append(Fault("notes", "too_many", why))
    ruleset, house_faults = with_house(base, without_moot_answers(base, rules.options))
    faults += [fault.inside("house") for fault in house_faults]
    return (None, faults) if faults else (rules.with_name_and_notes(ruleset, base), [])


def rules_name_faults(name: str) -> Iterator[Fault]:
    """Yield the faults of a name of house rules."""
    if not is_visible(name) or name != name.strip():
        yield Fault("name", "bad_name", "Give these rules a name, with no space around it.")
    if len(name) > MAX_RULES_NAME_LENGTH:
        yield Fault("name", "too_long", f"The name has {len(name)} letters; {MAX_RULES_NAME_LENGTH} fit.")
    if not is_printable(name):
        yield Fault("name", "unprintable", "There are characters in the name that cannot be shown.")


def rules_notes_faults(notes: tuple[str, ...]) -> Iterator[Fault]:
    """Yield the faults of the notes on house rules, and one for too many notes.

    The path of a note's fault has the index of the note, counted from 0.
    """
    if len(notes) > MAX_RULES_NOTES:
        yield Fault("notes", "too_many", f"There are {len(notes)} notes; {MAX_RULES_NOTES} fit, one per line.")
    for i, note in enumerate(notes[:MAX_RULES_NOTES]):
        if len(note) > MAX_RULES_NOTE_LENGTH:
            yield Fault(f"notes.{i}", "too_long", f"Note {i + 1} has {len(note)} letters; {MAX_RULES_NOTE_LENGTH} fit.")
        if not is_visible(note):
            yield Fault(f"notes.{i}", "empty", f"Note {i + 1} says nothing.")
        if not is_printable(note):
            yield Fault(f"notes.{i}", "unprintable", f"Note {i + 1} has characters in it that cannot be shown.")


def simplify_house_rules(rules: HouseRules, variants: Variants) -> HouseRules:
    """Return the same house rules with as few answers as possible; with all of them if there are faults."""
    base = variants[rules.variant]
    rules = replace(rules, options=without_moot_answers(base, rules.options))
    wanted, faults = with_house(base, rules.options)
    minimal = minimal_answers(base, wanted)
    if faults or with_house(base, minimal)[0] != wanted:
        return rules
    return replace(rules, options=minimal)


def former_answers(base: Ruleset, answers: Answers) -> dict[str, object]:
    """Return the former standard answers to options that `answers` leave out and whose standard has changed.

    House rules made after the change always answer such an option, so that only older ones leave it out.
    """
    formers: dict[str, object] = {}
    for name, former in base.sheet.formerly.items():
        if name in answers:
            continue
        as_before, faults = with_house(base, {**answers, **formers, name: former})
        if not faults and name not in moot_options(as_before):
            formers[name] = former
    return formers


def minimal_answers(base: Ruleset, wanted: Ruleset) -> dict[str, object]:
    """Return the fewest answers that turn `base` into `wanted`, in the order of the options.

    Answers to options whose standard answer has changed are always included; see `former_answers`.
    """
    minimal = _answers_not_implied(base, wanted)
    answers = {name: wanted.answer(name) for name in former_answers(base, minimal)} | minimal
    order = dict.fromkeys((*options(), *base.awards, *OWN_AWARD_IDS))
    return {name: answers[name] for name in order if name in answers}


def _answers_not_implied(base: Ruleset, wanted: Ruleset) -> dict[str, object]:
    """Return the answers that turn `base` into `wanted`, without those that other answers imply."""
    answers, wanted = differing_answers(base, wanted), _without_switched_off_own_awards(wanted)
    # Try to drop awards first, because options imply awards more often than the reverse.
    for name in sorted(answers, key=lambda name: name in options()):
        rest = {other: value for other, value in answers.items() if other != name}
        changed, faults = with_house(base, rest)
        if not faults and _without_switched_off_own_awards(changed) == wanted:
            answers = rest
    return answers


def add_answers(rules: HouseRules, answers: Answers, variants: Variants) -> tuple[HouseRules, list[Fault]]:
    """Return house rules with more answers, and the faults of the added answers.

    The added answers apply to the ruleset that the house rules describe, not to the variant.
    """
    base = variants[rules.variant]
    stated = {**rules.options, **answers}
    wanted, faults = with_house(with_house(base, rules.options)[0], answers)
    wanted = _without_switched_off_own_awards(wanted)
    if not faults and with_house(base, stated) != (wanted, []):
        stated = minimal_answers(base, wanted)
        if with_house(base, stated) != (wanted, []):
            faults = [Fault(LOW, "one_answer", ONE_LOW_ANSWER_MESSAGE)]
    return replace(rules, options=stated), faults


def derive_house_rules(ruleset: Ruleset, base: Ruleset) -> HouseRules:
    """Return the house rules, with name and notes, that turn the variant `base` into `ruleset`."""
    described = {name: getattr(base, name) for name in _DESCRIPTIVE_FIELDS}
    notes = tuple(note for note in ruleset.notes if note not in base.notes)
    return HouseRules(ruleset.name, base.id, minimal_answers(base, ruleset.copy_with(**described)), notes)


_DESCRIPTIVE_FIELDS = ("name", "also", "extends", "source", "summary", "notes", "sheet")
"""The fields that describe a ruleset without any effect on the game."""


HOUSE_FILE_FORMAT = 1
"""The version of the file format for house rules."""
MAX_HOUSE_FILE_BYTES = 32 * 1024
"""The maximum size of a file of house rules, in bytes."""
HOUSE_KEY = "house"
"""The key of the answers in a file of house rules, which no file of a ruleset has."""
_FILE_KEYS = ("format", "name", "extends", "notes", HOUSE_KEY)
"""All keys at the top level of a file of house rules."""
_T = TypeVar("_T")


def read_house_rules(content: bytes, variants: Variants, file: str) -> HouseRules:
    """Parse a file of house rules; raises `BadRulesets` with every fault. `file` is its name for messages."""
    try:
        data = parse_toml(content, MAX_HOUSE_FILE_BYTES)
    except ValueError as error:
        raise BadRulesets((FileFault(file, Fault("", "not_toml", f"This cannot be read as TOML: {error}.")),)) from None
    rules, faults = parse_house_rules(data)
    faults += [
        fault
        for fault in resolve_house_rules(rules, variants)[1]
        if fault.field not in {found.field for found in faults}
    ]
    if faults:
        raise BadRulesets(tuple(FileFault(file, fault) for fault in faults))
    return rules


TomlTable = dict[str, Any]
"""A parsed TOML file, or one table of it."""


def parse_toml(content: bytes, max_size: int) -> TomlTable:
    """Parse TOML of at most `max_size` bytes; raises `ValueError` with the reason in plain words."""
    if len(content) > max_size:
        raise ValueError(f"it has {len(content)} bytes; {max_size} fit")
    try:
        data = tomllib.loads(content.decode())
        repr(data)  # Python reads hexadecimal digits without a limit, and does not write them
        return data
    except tomllib.TOMLDecodeError:
        raise
    except UnicodeDecodeError:
        raise ValueError("it is not text") from None
    except ValueError:  # from Python, which limits the digits of a number
        raise ValueError("a number in it is too long") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def parse_house_rules(data: Mapping[str, object]) -> tuple[HouseRules, list[Fault]]:
    """Parse decoded TOML or JSON into house rules, and return them with a fault for each wrong or missing key.

    The value of such a key is empty in the result. Answers are not checked: `resolve_house_rules` does that.
    """
    unknown = f"There is no such key. There is: {', '.join(_FILE_KEYS)}."
    faults = [Fault(_quote_value(key), "unknown_key", unknown) for key in data if key not in _FILE_KEYS]
    if data.get("format") != HOUSE_FILE_FORMAT or isinstance(data.get("format"), bool):
        faults.append(_wrong_value_fault("format", data.get("format"), f"the number {HOUSE_FILE_FORMAT}"))

    def read(key: str, blank: _T, allowed: str, *, is_needed: bool = False) -> _T:
        """Return the value of a key; if its type is not that of `blank`, add a fault and return `blank`.

        `allowed` says in the fault what the value has to be.
        """
        value = data.get(key, None if is_needed else blank)
        if isinstance(value, type(blank)):
            return value
        faults.append(_wrong_value_fault(key, value, allowed))
        return blank

    name = read("name", "", "a text", is_needed=True)
    variant = read("extends", "", "a variant's id", is_needed=True)
    listed: list[object] = read("notes", [], "a list of texts")
    notes = [note for note in listed if isinstance(note, str)]
    if notes != listed:
        faults.append(_wrong_value_fault("notes", listed, "a list of texts"))
        notes = []
    answers: dict[str, object] = read(HOUSE_KEY, {}, "a table of options")
    return HouseRules(name, variant, answers, tuple(notes)), faults


def _wrong_value_fault(field: str, value: object, allowed: str) -> Fault:
    """Return the fault of a wrong or missing value; `allowed` says what it has to be."""
    problem = "It is missing" if value is None else f"Found {_quote_value(value)}"
    return Fault(field, "bad_value", f"{problem}; it has to be {allowed}.")


def _quote_value(value: object) -> str:
    """Return a value as quoted in a message, shortened if it is long."""
    return shorten(value if isinstance(value, str) and value.isidentifier() else repr(value))


def house_rules_as_dict(rules: HouseRules) -> dict[str, object]:
    """Return house rules as a dict, with the keys in the order of a file."""
    data: dict[str, object] = {"format": HOUSE_FILE_FORMAT, "name": rules.name, "extends": rules.variant}
    if rules.notes:
        data["notes"] = list(rules.notes)
    return {**data, "house": dict(rules.options)}


def house_rules_as_toml(rules: HouseRules) -> str:
    """Return house rules as the content of a TOML file."""
    head = [
        f"format  = {HOUSE_FILE_FORMAT}",
        f"name    = {_toml_string(rules.name)}",
        f"extends = {_toml_string(rules.variant)}",
    ]
    notes = ["notes   = [", *(f"  {_toml_string(note)}," for note in rules.notes), "]"] if rules.notes else []
    answers = [f"{_toml_key(name)} = {_toml_value(value)}" for name, value in rules.options.items()]
    return "\n".join([*head, *notes, "", "[house]", *answers, ""])


def _toml_value(value: object) -> str:
    """Return an answer as a TOML value; `None` is written as the text "none"."""
    return json.dumps(value) if isinstance(value, int) else _toml_string("none" if value is None else str(value))


def _toml_key(name: str) -> str:
    """Return a TOML key, in quotes if it needs them."""
    return name if name.isascii() and name.replace("_", "a").isalnum() else _toml_string(name)


_TOML_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}


def _toml_string(text: str) -> str:
    """Return a TOML basic string, escaping quotes, backslashes and unprintable characters."""
    letters = (
        _TOML_ESCAPES.get(letter) or (letter if letter.isprintable() else f"\\U{ord(letter):08X}") for letter in text
    )
    return f'"{"".join(letters)}"'
