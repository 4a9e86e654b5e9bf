"""House rules: a variant, the answers of a house that differ from it, a name, and notes.

This module applies the answers to the variant, finds the fewest that are needed, and reads and writes house rules as
TOML.
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
    """A house's answers, parsed: about options, about awards of the variant, and about awards of its own.

    Options and awards are apart, because `low` is the name of one of each.
    """

    answers_by_option: dict[str, object]
    worth_by_award: dict[AwardId, int | Literal[False]]
    own_award_by_id: dict[AwardId, Award]
    """The awards that the house defines itself, keyed by their ids."""


def with_house(ruleset: Ruleset, answers: Answers) -> tuple[Ruleset, list[Fault]]:
    """Return a ruleset changed by a house's answers, and the faults of the answers.

    An answer may imply others that the house does not give: `dirty` makes Low a captured card. With an invalid answer
    the ruleset is unchanged; with answers that contradict each other it is changed all the same.
    """
    if not answers:
        return ruleset, []
    parsed, faults = _parse_answers(ruleset, answers)
    if faults:
        return ruleset, faults
    if parsed.own_award_by_id:
        # The house's own awards count last, in the order of their ids.
        all_awards = {**ruleset.awards, **parsed.own_award_by_id}
        ordered_ids = sorted(all_awards, key=lambda award_id: award_id if award_id in OWN_AWARD_IDS else "")
        ruleset = ruleset.copy_with(awards={award_id: all_awards[award_id] for award_id in ordered_ids})
    _add_implied_answers(ruleset, parsed)
    changed_ruleset = _apply_answers(ruleset, parsed)
    return changed_ruleset, contradictions(changed_ruleset, stated_names=answers)


def without_moot_answers(base: Ruleset, answers: Answers, side_count: int | None = None) -> dict[str, object]:
    """Return a house's answers without those that have no effect.

    If the answers have faults, all of them are returned. `side_count` is the number of sides in the match; `None` if
    unknown.
    """
    moot_answers = _moot_answer_reasons(base, answers, side_count)
    return {name: answer for name, answer in answers.items() if name not in moot_answers}


def new_answer_faults(base: Ruleset, answers: Answers) -> list[Fault]:
    """Return the faults for which new answers are refused although stored ones are allowed.

    They are those of `forced_set_faults`, and one for each changed answer that has no effect.
    """
    changed, _ = with_house(base, answers)
    moot_with_reasons = ((name, reason) for name, reason in _moot_answer_reasons(base, answers).items() if reason)
    faults = [
        Fault(name, "no_effect", reason)
        for name, reason in moot_with_reasons
        if changed.answer(name) != base.answer(name)
    ]
    return faults + forced_set_faults(changed)


def forced_set_faults(ruleset: Ruleset) -> list[Fault]:
    """Return a fault if a dealer who goes set instead of bidding would lose more than the highest bid."""
    forced_bid = ruleset.bidding.forced_bid or 0
    top_bid = ruleset.bidding.max_bid or ruleset.points_per_hand
    if ruleset.bidding.all_pass != "may_take_set" or forced_bid <= top_bid:
        return []
    why = f"The dealer goes set for {forced_bid}, but bids go only to {top_bid}. Choose 1 to {top_bid}."
    return [Fault("forced_bid", "forced_outside", why)]


def _moot_answer_reasons(base: Ruleset, answers: Answers, side_count: int | None = None) -> dict[str, str]:
    """Return the reason for each of a house's answers that has no effect, keyed by option.

    The reason is empty for an option that another answer resets to its default. If the answers have faults, nothing is
    returned.
    """
    changed, faults = with_house(base, answers)
    if faults:
        return {}
    reasons_by_option = {name: reason for name, reason in moot_options(changed, side_count).items() if name in answers}
    # Other answers may still need a moot one: a moon for a stake needs its points.
    return (
        reasons_by_option
        if reasons_by_option
        and not with_house(base, {name: answers[name] for name in answers if name not in reasons_by_option})[1]
        else {}
    )


def answer_faults(ruleset: Ruleset, answers: Answers) -> list[Fault]:
    """Return the faults that single answers have by themselves, leaving out contradictions between them."""
    return _parse_answers(ruleset, answers)[1]


def differing_answers(base: Ruleset, changed: Ruleset) -> dict[str, object]:
    """Return all answers in `changed` that differ from `base`, including those that other answers imply."""
    differing = _directly_differing_answers(base, changed)
    # Where an implied answer is not the wanted one, the wanted one is added.
    return differing | _directly_differing_answers(with_house(base, differing)[0], changed)


def _directly_differing_answers(base: Ruleset, changed: Ruleset) -> dict[str, object]:
    """Return the answers in `changed` that differ from `base`, as they are in the two rulesets."""
    getters: list[tuple[str, Callable[[Ruleset, str], object]]] = [(name, Ruleset.answer) for name in options()]
    getters += [(name, Ruleset.worth) for name in base.awards if name not in OWN_AWARD_IDS]
    getters += [(name, lambda ruleset, name: own_award_answer(ruleset.in_play.get(name))) for name in OWN_AWARD_IDS]
    return {
        name: get_answer(changed, name)
        for name, get_answer in getters
        if get_answer(changed, name) != get_answer(base, name)
    }


def _without_switched_off_own_awards(ruleset: Ruleset) -> Ruleset:
    """Return a ruleset without those of the house's own awards that are not in play."""
    remaining_awards = {
        award_id: award for award_id, award in ruleset.awards.items() if award.on or award_id not in OWN_AWARD_IDS
    }
    return ruleset.copy_with(awards=remaining_awards)


def _parse_answers(ruleset: Ruleset, answers: Answers) -> tuple[_ParsedAnswers, list[Fault]]:
    """Parse a house's answers, and return the valid ones with a fault for each invalid one."""
    parsed = _ParsedAnswers({}, {}, {})
    faults = []
    for name, raw_answer in answers.items():
        option = options().get(name)
        if not isinstance(raw_answer, str | int | float | None):
            faults.append(Fault(name, "bad_value", "An answer is a word, a number, yes or no."))
            continue
        is_own_award = name in OWN_AWARD_IDS and (isinstance(raw_answer, str) or name not in ruleset.awards)
        if option is None and name not in ruleset.awards and not is_own_award:
            faults.append(Fault(name, "unknown_option", f"There is no house option {name!r}."))
            continue
        try:
            if is_own_award:
                if own_award := parse_own_award(raw_answer):
                    parsed.own_award_by_id[name] = own_award
                else:
                    parsed.worth_by_award[name] = False
            elif option is None or (name in ruleset.awards and raw_answer not in option.choices):
                answer = parse_award_answer(raw_answer)
                parsed.worth_by_award[name] = ruleset.awards[name].points if answer is True else answer
            else:
                parsed.answers_by_option[name] = option.parse_answer(raw_answer)
        except ValueError as error:
            word = repr(raw_answer) if isinstance(raw_answer, str) else str(raw_answer).lower()  # as in JSON and TOML
            also = f"{', '.join(option.choices)}, " if option and name in ruleset.awards else ""  # `low` is both
            faults.append(Fault(name, "bad_value", f"{shorten(word)} is not an answer here. Enter {also}{error}."))
    return parsed, faults


def _add_implied_answers(ruleset: Ruleset, parsed: _ParsedAnswers) -> None:
    """Add to `parsed` the answers that its answers imply, directly or through other implied answers.

    Answers that are there already stay. An option gets its default if none of the awards that it is about is in play.
    """
    queue = [(name, False) for name in parsed.answers_by_option] + [
        (award_id, True) for award_id in parsed.worth_by_award
    ]
    for name, is_award in queue:
        if is_award:
            implied_answers = dict(
                answers_implied_by_award(ruleset, name, parsed.answers_by_option, parsed.worth_by_award)
            )
        else:
            answer = parsed.answers_by_option[name]
            meaningless_options = (
                option for option, other_answer in MEANINGLESS_BESIDE.items() if other_answer == (name, answer)
            )
            implied_answers = {option: options()[option].default for option in meaningless_options}
            implied_answers |= options()[name].declaration.implies(ruleset, answer)
        for implied_name, answer in implied_answers.items():
            same_kind: dict[str, Any] = parsed.answers_by_option if implied_name in options() else parsed.worth_by_award
            if implied_name not in same_kind:
                same_kind[implied_name] = answer
                queue.append((implied_name, implied_name not in options()))
    for name in options_without_awards(ruleset, parsed.worth_by_award):
        parsed.answers_by_option.setdefault(name, options()[name].default)


def _apply_answers(ruleset: Ruleset, parsed: _ParsedAnswers) -> Ruleset:
    """Return a ruleset with these answers, whether or not they contradict each other."""
    changed_awards = {
        award_id: ruleset.awards[award_id].copy_with(on=bool(answer), points=answer or ruleset.awards[award_id].points)
        for award_id, answer in parsed.worth_by_award.items()
        if award_id in ruleset.awards
    }
    changes_by_group: dict[str, dict[str, object]] = {}
    for name, answer in parsed.answers_by_option.items():
        changes_by_group.setdefault(options()[name].group, {})[name] = answer
    changed_groups = {
        group: getattr(ruleset, group).copy_with(**group_answers) for group, group_answers in changes_by_group.items()
    }
    return ruleset.copy_with(
        awards={**ruleset.awards, **changed_awards} if changed_awards else ruleset.awards, **changed_groups
    )


MAX_RULES_NAME_LENGTH = 60
"""The maximum number of characters in the name of house rules."""
MAX_RULES_NOTE_LENGTH = 200
"""The maximum number of characters in one note on house rules."""
MAX_RULES_NOTES = 10
"""The maximum number of notes on house rules."""
MAX_HOUSE_ANSWERS = 80
"""The maximum number of answers in house rules."""


class Variants(Protocol):
    """A mapping of rulesets by id, such as a `Library`."""

    def __contains__(self, ruleset_id: object) -> bool: ...
    def __getitem__(self, ruleset_id: str) -> Ruleset: ...


@dataclass(frozen=True, slots=True)
class HouseRules:
    """House rules: the id of a variant, the house's own answers, a name, and notes."""

    name: str
    variant: str
    options: Answers = field(default_factory=dict)
    """The answers that the house gave, keyed by option or award. All others are the variant's, or are implied."""
    notes: tuple[str, ...] = ()

    def with_name_and_notes(self, ruleset: Ruleset, base: Ruleset) -> Ruleset:
        """Return a ruleset described as the house's own.

        It has the name of the house rules, and their notes after those of `base`.
        """
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
        message = f"There is no variant called {shorten(rules.variant)!r}."
        return None, [*faults, Fault("extends", "unknown_variant", message)]
    base = variants[rules.variant]
    max_note_count = MAX_NOTES_WITH_VARIANT - len(base.notes)
    if not faults and len(rules.notes) > max_note_count:
        message = f"There are {len(rules.notes)} notes; {max_note_count} fit beside those of {base.name}."
        faults.append(Fault("notes", "too_many", message))
    ruleset, house_faults = with_house(base, without_moot_answers(base, rules.options))
    faults += [fault.inside("house") for fault in house_faults]
    return (None, faults) if faults else (rules.with_name_and_notes(ruleset, base), [])


def rules_name_faults(name: str) -> Iterator[Fault]:
    """Yield the faults of the name of house rules."""
    if not is_visible(name) or name != name.strip():
        yield Fault("name", "bad_name", "Give these rules a name, with no space around it.")
    if len(name) > MAX_RULES_NAME_LENGTH:
        yield Fault("name", "too_long", f"The name has {len(name)} letters; {MAX_RULES_NAME_LENGTH} fit.")
    if not is_printable(name):
        yield Fault("name", "unprintable", "There are characters in the name that cannot be shown.")


def rules_notes_faults(notes: tuple[str, ...]) -> Iterator[Fault]:
    """Yield the faults of the notes on house rules.

    The field of a note's fault has the index of the note: `notes.0` for the first.
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
    """Return the same house rules with as few answers as possible; with all of them if they have faults."""
    base = variants[rules.variant]
    rules = replace(rules, options=without_moot_answers(base, rules.options))
    wanted_ruleset, faults = with_house(base, rules.options)
    fewest_answers = minimal_answers(base, wanted_ruleset)
    if faults or with_house(base, fewest_answers)[0] != wanted_ruleset:
        return rules
    return replace(rules, options=fewest_answers)


def former_answers(base: Ruleset, answers: Answers) -> dict[str, object]:
    """Return the former standard answers to the options that `answers` leave out, keyed by option.

    Only options whose standard answer has changed have one. House rules that leave out such an option are older than
    the change, because newer ones always answer it.
    """
    former_by_option: dict[str, object] = {}
    for name, former_answer in base.sheet.formerly.items():
        if name in answers:
            continue
        former_ruleset, faults = with_house(base, {**answers, **former_by_option, name: former_answer})
        if not faults and name not in moot_options(former_ruleset):
            former_by_option[name] = former_answer
    return former_by_option


def minimal_answers(base: Ruleset, wanted_ruleset: Ruleset) -> dict[str, object]:
    """Return the fewest answers that turn `base` into `wanted_ruleset`, in the order of the options.

    An answer to an option whose standard answer has changed is always among them; `former_answers` says why.
    """
    answers_needed = _answers_not_implied(base, wanted_ruleset)
    answers = {name: wanted_ruleset.answer(name) for name in former_answers(base, answers_needed)} | answers_needed
    ordered_names = dict.fromkeys((*options(), *base.awards, *OWN_AWARD_IDS))
    return {name: answers[name] for name in ordered_names if name in answers}


def _answers_not_implied(base: Ruleset, wanted_ruleset: Ruleset) -> dict[str, object]:
    """Return the answers that turn `base` into `wanted_ruleset`, leaving out those that other answers imply."""
    answers, wanted_ruleset = differing_answers(base, wanted_ruleset), _without_switched_off_own_awards(wanted_ruleset)
    # Try to drop awards first, because options imply awards more often than the reverse.
    for name in sorted(answers, key=lambda name: name in options()):
        other_answers = {other_name: other_answer for other_name, other_answer in answers.items() if other_name != name}
        changed_ruleset, faults = with_house(base, other_answers)
        if not faults and _without_switched_off_own_awards(changed_ruleset) == wanted_ruleset:
            answers = other_answers
    return answers


def add_answers(rules: HouseRules, answers: Answers, variants: Variants) -> tuple[HouseRules, list[Fault]]:
    """Return house rules with more answers, and the faults of the added answers.

    The added answers change the ruleset that the house rules describe, rather than the variant.
    """
    base = variants[rules.variant]
    all_answers = {**rules.options, **answers}
    wanted_ruleset, faults = with_house(with_house(base, rules.options)[0], answers)
    wanted_ruleset = _without_switched_off_own_awards(wanted_ruleset)
    if not faults and with_house(base, all_answers) != (wanted_ruleset, []):
        all_answers = minimal_answers(base, wanted_ruleset)
        if with_house(base, all_answers) != (wanted_ruleset, []):
            faults = [Fault(LOW, "one_answer", ONE_LOW_ANSWER_MESSAGE)]
    return replace(rules, options=all_answers), faults


def derive_house_rules(ruleset: Ruleset, base: Ruleset) -> HouseRules:
    """Return the house rules that turn the variant `base` into `ruleset`, with its name and notes."""
    base_description = {name: getattr(base, name) for name in _DESCRIPTIVE_FIELDS}
    own_notes = tuple(note for note in ruleset.notes if note not in base.notes)
    return HouseRules(ruleset.name, base.id, minimal_answers(base, ruleset.copy_with(**base_description)), own_notes)


_DESCRIPTIVE_FIELDS = ("name", "also", "extends", "source", "summary", "notes", "sheet")
"""The fields that describe a ruleset and have no effect on the game."""


HOUSE_FILE_FORMAT = 1
"""The version of the file format for house rules."""
MAX_HOUSE_FILE_BYTES = 32 * 1024
"""The maximum size of a file of house rules, in bytes."""
HOUSE_KEY = "house"
"""The key of the table of answers in a file of house rules. The file of a ruleset has no such key."""
_HOUSE_FILE_KEYS = ("format", "name", "extends", "notes", HOUSE_KEY)
"""All keys at the top level of a file of house rules."""
_T = TypeVar("_T")


def read_house_rules(content: bytes, variants: Variants, file: str) -> HouseRules:
    """Parse a file of house rules; raises `BadRulesets` with every fault.

    `file` is the name of the file, for the faults.
    """
    try:
        table = parse_toml(content, MAX_HOUSE_FILE_BYTES)
    except ValueError as error:
        raise BadRulesets((FileFault(file, Fault("", "not_toml", f"This cannot be read as TOML: {error}.")),)) from None
    rules, faults = parse_house_rules(table)
    faults += [
        fault
        for fault in resolve_house_rules(rules, variants)[1]
        if fault.field not in {earlier_fault.field for earlier_fault in faults}
    ]
    if faults:
        raise BadRulesets(tuple(FileFault(file, fault) for fault in faults))
    return rules


TomlTable = dict[str, Any]
"""A parsed TOML file, or a table in one."""


def parse_toml(content: bytes, max_bytes: int) -> TomlTable:
    """Parse TOML of at most `max_bytes` bytes; raises `ValueError` with the reason in plain words."""
    if len(content) > max_bytes:
        raise ValueError(f"it has {len(content)} bytes; {max_bytes} fit")
    try:
        table = tomllib.loads(content.decode())
        repr(table)  # Python reads hexadecimal digits without a limit, and does not write them
        return table
    except tomllib.TOMLDecodeError:
        raise
    except UnicodeDecodeError:
        raise ValueError("it is not text") from None
    except ValueError:  # from Python, which limits the digits of a number
        raise ValueError("a number in it is too long") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def parse_house_rules(document: Mapping[str, object]) -> tuple[HouseRules, list[Fault]]:
    """Parse the decoded TOML or JSON of house rules, and return them with a fault for each wrong or missing key.

    The value of such a key is empty in the returned rules. Answers are checked later, by `resolve_house_rules`.
    """
    unknown_key_message = f"There is no such key. There is: {', '.join(_HOUSE_FILE_KEYS)}."
    faults = [
        Fault(_quote_value(key), "unknown_key", unknown_key_message) for key in document if key not in _HOUSE_FILE_KEYS
    ]
    if document.get("format") != HOUSE_FILE_FORMAT or isinstance(document.get("format"), bool):
        faults.append(_wrong_value_fault("format", document.get("format"), f"the number {HOUSE_FILE_FORMAT}"))

    def read(key: str, empty_value: _T, allowed: str, *, is_needed: bool = False) -> _T:
        """Return the value of a key, if it has the type of `empty_value`.

        For any other value, add a fault and return `empty_value`. `allowed` says in the fault what the value has to be:
        "a text".
        """
        value = document.get(key, None if is_needed else empty_value)
        if isinstance(value, type(empty_value)):
            return value
        faults.append(_wrong_value_fault(key, value, allowed))
        return empty_value

    name = read("name", "", "a text", is_needed=True)
    variant = read("extends", "", "a variant's id", is_needed=True)
    listed_notes: list[object] = read("notes", [], "a list of texts")
    notes = [note for note in listed_notes if isinstance(note, str)]
    if notes != listed_notes:
        faults.append(_wrong_value_fault("notes", listed_notes, "a list of texts"))
        notes = []
    answers: dict[str, object] = read(HOUSE_KEY, {}, "a table of options")
    return HouseRules(name, variant, answers, tuple(notes)), faults


def _wrong_value_fault(field: str, value: object, allowed: str) -> Fault:
    """Return the fault of a wrong or missing value.

    `allowed` says what the value has to be: "a text".
    """
    problem = "It is missing" if value is None else f"Found {_quote_value(value)}"
    return Fault(field, "bad_value", f"{problem}; it has to be {allowed}.")


def _quote_value(value: object) -> str:
    """Return a value as a message quotes it, shortened if it is long."""
    return shorten(value if isinstance(value, str) and value.isidentifier() else repr(value))


def house_rules_as_dict(rules: HouseRules) -> dict[str, object]:
    """Return house rules as a dict that has the keys of a file of house rules, in their order there."""
    document: dict[str, object] = {"format": HOUSE_FILE_FORMAT, "name": rules.name, "extends": rules.variant}
    if rules.notes:
        document["notes"] = list(rules.notes)
    return {**document, "house": dict(rules.options)}


def house_rules_as_toml(rules: HouseRules) -> str:
    """Return house rules as the content of a TOML file."""
    header_lines = [
        f"format  = {HOUSE_FILE_FORMAT}",
        f"name    = {_toml_string(rules.name)}",
        f"extends = {_toml_string(rules.variant)}",
    ]
    note_lines = ["notes   = [", *(f"  {_toml_string(note)}," for note in rules.notes), "]"] if rules.notes else []
    answer_lines = [
        f"{_toml_key(option_or_award)} = {_toml_value(answer)}" for option_or_award, answer in rules.options.items()
    ]
    return "\n".join([*header_lines, *note_lines, "", "[house]", *answer_lines, ""])


def _toml_value(answer: object) -> str:
    """Return an answer as a TOML value: "true", "5"; `None` is written as the text "none"."""
    return json.dumps(answer) if isinstance(answer, int) else _toml_string("none" if answer is None else str(answer))


def _toml_key(key: str) -> str:
    """Return a TOML key, in quotes if it needs them."""
    return key if key.isascii() and key.replace("_", "a").isalnum() else _toml_string(key)


_TOML_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}


def _toml_string(text: str) -> str:
    """Return a text as a TOML string in quotes, in which quotes, backslashes and unprintable characters are escaped."""
    escaped_characters = (
        _TOML_ESCAPES.get(character) or (character if character.isprintable() else f"\\U{ord(character):08X}")
        for character in text
    )
    return f'"{"".join(escaped_characters)}"'
