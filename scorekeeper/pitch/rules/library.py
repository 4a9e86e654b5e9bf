"""Reading of rulesets, house rules, interpretations and example questions from a folder, with the faults of all."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from pydantic import ValidationError

from scorekeeper.pitch.rules.faults import BadRulesets, Fault, FileFault, shape_faults, shorten
from scorekeeper.pitch.rules.house_rules import (
    HOUSE_KEY,
    HouseRules,
    TomlTable,
    answer_faults,
    parse_house_rules,
    parse_toml,
    resolve_house_rules,
)
from scorekeeper.pitch.rules.options import award_faults, contradictions, nullable_keys, options
from scorekeeper.pitch.rules.phrases import placeholders
from scorekeeper.pitch.rules.schema import Answers, Listing, RuleExamples, Ruleset
from scorekeeper.pitch.rules.search import RuleIndex
from scorekeeper.pitch.rules.sources import (
    SHEET_SECTIONS,
    BadTrace,
    Interpretation,
    InterpretationNumber,
    Source,
    parse_interpretations,
    parse_trace,
)

MAX_RULESET_FILE_BYTES = 64 * 1024
"""The maximum size of a TOML file in the folder of rulesets, in bytes."""
SOURCES_BY_NUMBER: Mapping[str, Source] = {
    number: Source(**fields)
    for number, fields in parse_toml(
        Path(__file__).with_name("sources.toml").read_bytes(), MAX_RULESET_FILE_BYTES
    ).items()
}
"""The documents that describe rules, keyed by the number with which rulesets cite them: "002"."""
INTERPRETATIONS_FILE = "READINGS.md"
"""The name of the file of interpretations in the folder of rulesets."""
EXAMPLES_FOLDER = "asked"
"""The name of the subfolder with example questions that people type to find a rule."""


@dataclass(frozen=True, eq=False)
class Library:
    """The games in a folder of rulesets, with all that is needed to list the games and to find their rules.

    `rulesets` has the playable rulesets, keyed by id and ordered by name.
    """

    rulesets: Mapping[str, Ruleset]
    house_rules: Sequence[HouseRules] = ()
    """The house rules that files of the folder have. They are listed among the games."""
    listing_by_id: Mapping[str, Listing] = field(default_factory=dict)
    """How each ruleset is listed and found, keyed by the ruleset's id."""
    interpretations: Mapping[int, Interpretation] = field(default_factory=dict)
    """The interpretations that rule sheets cite, keyed by number."""
    shared_listing: Listing = field(default=Listing())
    """The search words that all games share, from the listing of an abstract ruleset."""
    examples_by_rule_id: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Example questions that people type to find a rule, keyed by the id of the rule."""

    @cached_property
    def rule_index(self) -> RuleIndex:
        """The search index of rules.

        The first search builds it, because most commands never search.
        """
        return RuleIndex.from_examples(self.examples_by_rule_id)

    def __getitem__(self, ruleset_id: str) -> Ruleset:
        return self.rulesets[ruleset_id]

    def __contains__(self, ruleset_id: object) -> bool:
        return ruleset_id in self.rulesets

    def __iter__(self) -> Iterator[Ruleset]:
        return iter(self.rulesets.values())


@cache
def read_library(folder: Path) -> Library:
    """Return the library in a folder; raises `BadRulesets` with the faults of all files. Cached."""
    listed_rulesets, house_rules, faults = _read_folder(folder)
    examples, example_faults = _read_examples(folder / EXAMPLES_FOLDER)
    if faults or example_faults:
        raise BadRulesets((*faults, *example_faults))
    playable_by_id = {ruleset.id: (ruleset, listing) for ruleset, listing in listed_rulesets if not ruleset.abstract}
    return Library(
        {ruleset_id: ruleset for ruleset_id, (ruleset, _) in playable_by_id.items()},
        house_rules,
        {ruleset_id: listing for ruleset_id, (_, listing) in playable_by_id.items()},
        _read_interpretations(folder),
        next((listing for ruleset, listing in listed_rulesets if ruleset.abstract and listing.query), Listing()),
        examples,
    )


def validate_folder(folder: Path) -> tuple[tuple[Ruleset, ...], tuple[FileFault, ...]]:
    """Return a folder's rulesets, ordered by name, and every fault in its files.

    Abstract rulesets are among them, and those with faults that could be built all the same.
    """
    listed_rulesets, _, faults = _read_folder(folder)
    return tuple(ruleset for ruleset, _ in listed_rulesets), (*faults, *_read_examples(folder / EXAMPLES_FOLDER)[1])


def _read_folder(
    folder: Path,
) -> tuple[tuple[tuple[Ruleset, Listing], ...], tuple[HouseRules, ...], tuple[FileFault, ...]]:
    """Return a folder's rulesets with their listings, its house rules without faults, and the faults of both.

    The rulesets are ordered by name. Abstract ones are among them, and those with faults that could be built all the
    same.
    """
    tables_by_name, faults = _load_toml_files(folder.iterdir())
    house_tables_by_name = {
        file_name: tables_by_name.pop(file_name)
        for file_name in [*tables_by_name]
        if HOUSE_KEY in tables_by_name[file_name]
    }
    interpretations = _read_interpretations(folder)
    unreadable_files = {fault.file for fault in faults}
    built_by_id = {
        ruleset_id: _build_ruleset(ruleset_id, tables_by_name, interpretations) for ruleset_id in tables_by_name
    }
    # A fault is reported only for the file that it is in, and not for files that extend this one.
    for ruleset_id, (_, file_faults) in built_by_id.items():
        parent_id = str(tables_by_name[ruleset_id].get("extends"))
        inherited_faults = built_by_id[parent_id][1] if parent_id in built_by_id and parent_id != ruleset_id else ()
        if f"{parent_id}.toml" not in unreadable_files:
            faults.extend(
                FileFault(f"{ruleset_id}.toml", fault) for fault in file_faults if fault not in inherited_faults
            )
    listed_rulesets = [listed_ruleset for listed_ruleset, _ in built_by_id.values() if listed_ruleset]
    games_by_id = {ruleset.id: ruleset for ruleset, _ in listed_rulesets if not ruleset.abstract}
    house_rules = []
    for file_name, house_table in house_tables_by_name.items():
        rules, parse_faults = parse_house_rules(house_table)
        file_faults = parse_faults or resolve_house_rules(rules, games_by_id)[1]
        faults.extend(FileFault(f"{file_name}.toml", fault) for fault in file_faults)
        house_rules += [] if file_faults else [rules]
    return (
        tuple(sorted(listed_rulesets, key=lambda listed_ruleset: listed_ruleset[0].name)),
        tuple(house_rules),
        tuple(faults),
    )


def _load_toml_files(files: Iterable[Path], prefix: str = "") -> tuple[dict[str, TomlTable], list[FileFault]]:
    """Return the parsed TOML files among `files`, keyed by name without ending, with a fault for each bad file.

    In a fault, `prefix` stands before the name of the file: "asked/".
    """
    tables_by_name, faults = {}, []
    for path in sorted(file for file in files if file.match("*.toml")):
        try:
            tables_by_name[path.stem] = parse_toml(path.read_bytes(), MAX_RULESET_FILE_BYTES)
        except ValueError as error:
            fault = Fault("", "not_toml", f"This cannot be read as TOML: {error}.")
            faults.append(FileFault(f"{prefix}{path.name}", fault))
    return tables_by_name, faults


def _read_examples(folder: Path) -> tuple[Mapping[str, Sequence[str]], tuple[FileFault, ...]]:
    """Return the example questions in a folder, keyed by the id of their rule, and every fault in its files."""
    examples_by_rule_id: dict[str, Sequence[str]] = {}
    tables_by_name, faults = _load_toml_files(folder.glob("*"), f"{folder.name}/")
    for name, table in tables_by_name.items():
        try:
            examples_by_rule_id |= RuleExamples(asked=table).asked
        except ValidationError as error:
            faults.extend(FileFault(f"{folder.name}/{name}.toml", fault) for fault in shape_faults(error))
    return examples_by_rule_id, tuple(faults)


def _read_interpretations(folder: Path) -> Mapping[int, Interpretation]:
    """Return a folder's interpretations, keyed by number; empty if the folder has no file of them."""
    path = folder / INTERPRETATIONS_FILE
    return parse_interpretations(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _build_ruleset(
    ruleset_id: str, tables_by_id: Mapping[str, TomlTable], interpretations: Mapping[int, Interpretation]
) -> tuple[tuple[Ruleset, Listing] | None, list[Fault]]:
    """Build a ruleset and its listing from the parsed files, and return both with all faults.

    If `extends` is bad, a key is unknown or a value is invalid, there is `None` instead of the two.
    """
    try:
        merged_table = _merge_with_parents(ruleset_id, tables_by_id, ())
        listing = Listing.model_validate(
            {name: merged_table.pop(name) for name in Listing.model_fields if name in merged_table}
        )
        ruleset = Ruleset.model_validate({**merged_table, "id": ruleset_id})
    except _BadParent as error:
        return None, [Fault("extends", "bad_parent", str(error))]
    except ValidationError as error:
        return None, list(shape_faults(error))
    if ruleset.abstract:
        return (ruleset, listing), []
    faults = list(award_faults(ruleset)) or [*contradictions(ruleset), *sheet_faults(ruleset, interpretations)]
    return (ruleset, listing), faults


class _BadParent(Exception):
    """Raised for a file whose `extends` names a missing file, or leads back to the file itself."""


_SHEET_KEYS_NOT_INHERITED = ("formerly", "together")
"""The keys of the table `sheet` that a ruleset does not inherit from the ruleset that it extends."""
_KEYS_NOT_INHERITED = ("also", "notes", "abstract", "to_agree", "common", "nicknames", "hint", "query", "words", "same")
"""The keys outside `sheet` that a ruleset does not inherit from the ruleset that it extends."""


def _merge_with_parents(
    ruleset_id: str, tables_by_id: Mapping[str, TomlTable], extending_ids: tuple[str, ...]
) -> TomlTable:
    """Return a file's table merged over the tables that it extends, without keys that are not inherited.

    `extending_ids` are the ids of the files that extend this one. Raises `_BadParent` for a bad `extends`.
    """
    own_table = tables_by_id[ruleset_id]
    parent_id = own_table.get("extends")
    if parent_id is None:
        return _merge_tables({}, own_table)
    if parent_id in (*extending_ids, ruleset_id):
        raise _BadParent("These files extend each other in a circle: " + ", ".join((*extending_ids, ruleset_id)) + ".")
    if not isinstance(parent_id, str) or parent_id not in tables_by_id:
        raise _BadParent(
            f"There is no sound file {parent_id!r} to extend. There is: {', '.join(sorted(tables_by_id))}."
        )
    parent_table = _merge_with_parents(parent_id, tables_by_id, (*extending_ids, ruleset_id))
    inherited_sheet = {
        key: value for key, value in parent_table.get("sheet", {}).items() if key not in _SHEET_KEYS_NOT_INHERITED
    }
    inherited_table = {key: value for key, value in parent_table.items() if key not in _KEYS_NOT_INHERITED}
    return _merge_tables({**inherited_table, "sheet": inherited_sheet}, own_table)


def _merge_tables(base_table: Mapping[str, object], overriding_table: Mapping[str, object]) -> TomlTable:
    """Return `base_table` with the values of `overriding_table` in place of its own, key by key.

    For a key that may be none, the text "none" becomes `None`. The table `partners` is replaced as a whole.
    """
    merged = dict(base_table)
    for key, value in overriding_table.items():
        base_value = merged.get(key)
        if isinstance(value, dict) and key != "partners":
            merged[key] = _merge_tables(base_value if isinstance(base_value, dict) else {}, value)
        else:
            merged[key] = None if value == "none" and key in nullable_keys() else value
    return merged


def sheet_faults(ruleset: Ruleset, interpretations: Collection[int]) -> Iterator[Fault]:
    """Yield the faults in a ruleset's `sheet`.

    `interpretations` are the numbers of the interpretations that traces may name.
    """
    sheet = ruleset.sheet
    for rule_id, text in sheet.trace.items():
        path = f"sheet.trace.{rule_id}"
        yield from _id_faults(path, rule_id)
        yield from _trace_faults(path, text, interpretations)
    for rule_id, sentence in sheet.sentences.items():
        path = f"sheet.sentences.{rule_id}"
        yield from _id_faults(path, rule_id)
        if sentence.before:
            yield from _id_faults(f"{path}.before", sentence.before)
        yield from _answers_faults(ruleset, f"{path}.holds_while", sentence.holds_while)
        yield from _text_faults(ruleset, f"{path}.text", sentence.text)
    for name in sheet.argued:
        if name not in options() and name not in ruleset.awards:
            yield Fault("sheet.argued", "unknown_option", f"There is no option {name!r} to argue about.")
    offered_answers = [{name: answer} for name, answers in sheet.offers.items() for answer in answers]
    for key, combinations in {
        "offers": offered_answers,
        "together": sheet.together,
        "formerly": [sheet.formerly],
    }.items():
        for answers in combinations:
            yield from _answers_faults(ruleset, f"sheet.{key}", answers)


def _id_faults(path: str, rule_id: str) -> Iterator[Fault]:
    """Yield a fault if the id of a rule is not a section and a name, such as `bid.order`."""
    section, dot, name = rule_id.partition(".")
    if section not in SHEET_SECTIONS or not name.replace("_", "a").isalnum() or not dot:
        problem = f"There is no rule {rule_id!r}: an id is a section and a name, such as bid.order."
        yield Fault(path, "unknown_section", f"{problem} The sections are {', '.join(SHEET_SECTIONS)}.")


def _trace_faults(path: str, text: str, interpretations: Collection[int]) -> Iterator[Fault]:
    """Yield a fault for a trace that cannot be parsed, and one for each missing document or interpretation in it."""
    try:
        references = parse_trace(text)
    except BadTrace as bad:
        yield Fault(path, "bad_trace", f"{bad}.")
        return
    for reference in references:
        if isinstance(reference, InterpretationNumber):
            if reference.number not in interpretations:
                yield Fault(path, "unknown_reading", f"There is no reading {reference} in READINGS.md.")
        elif reference.document_number not in SOURCES_BY_NUMBER:
            yield Fault(path, "bad_trace", f"{str(reference)!r} names no lines of a source.")


def _text_faults(ruleset: Ruleset, path: str, text: str) -> Iterator[Fault]:
    """Yield a fault if a text of the rule sheet has a placeholder that is unknown or malformed."""
    try:
        text.format_map(placeholders(ruleset))
    except (ValueError, LookupError) as error:
        yield Fault(path, "bad_text", f"There is nothing to put in the place of {shorten(str(error))}.")


def _answers_faults(ruleset: Ruleset, path: str, answers: Answers) -> Iterator[Fault]:
    """Yield the faults that single answers have by themselves.

    `path` is put before the field of each fault.
    """
    return (fault.inside(path) for fault in answer_faults(ruleset, answers))
