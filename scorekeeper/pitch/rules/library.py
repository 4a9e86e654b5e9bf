"""Reading of rulesets, house rules, interpretations and example questions from a folder, with all their faults."""

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
"""The documents that describe rules, by the number with which rulesets cite them."""
INTERPRETATIONS_FILE = "READINGS.md"
"""The name of the file of interpretations in the folder of rulesets."""
EXAMPLES_FOLDER = "asked"
"""The name of the subfolder with examples of what players type to find a rule."""


@dataclass(frozen=True, eq=False)
class Library:
    """The games in a folder of rulesets, with all that is needed to list them and to find their rules.

    `rulesets` has the playable rulesets by id, sorted by name.
    """

    rulesets: Mapping[str, Ruleset]
    house_rules: Sequence[HouseRules] = ()
    """The house rules in files of the folder, which are listed among the games."""
    listings: Mapping[str, Listing] = field(default_factory=dict)
    """How each ruleset is listed and found, by its id."""
    interpretations: Mapping[int, Interpretation] = field(default_factory=dict)
    """The interpretations that rule sheets cite, by number."""
    shared_listing: Listing = field(default=Listing())
    """The search words that all games share, from an abstract ruleset."""
    examples: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Examples of what players type to find a rule, by the rule's id."""

    @cached_property
    def rule_index(self) -> RuleIndex:
        """The search index of rules; it is built at the first search, because most commands never search."""
        return RuleIndex.from_examples(self.examples)

    def __getitem__(self, ruleset_id: str) -> Ruleset:
        return self.rulesets[ruleset_id]

    def __contains__(self, ruleset_id: object) -> bool:
        return ruleset_id in self.rulesets

    def __iter__(self) -> Iterator[Ruleset]:
        return iter(self.rulesets.values())


@cache
def read_library(folder: Path) -> Library:
    """Return the library in a folder; raises `BadRulesets` with all faults of all files. Cached."""
    entries, house_rules, faults = _read_folder(folder)
    examples, example_faults = _read_examples(folder / EXAMPLES_FOLDER)
    if faults or example_faults:
        raise BadRulesets((*faults, *example_faults))
    playable = {ruleset.id: (ruleset, listing) for ruleset, listing in entries if not ruleset.abstract}
    return Library(
        {ruleset_id: ruleset for ruleset_id, (ruleset, _) in playable.items()},
        house_rules,
        {ruleset_id: listing for ruleset_id, (_, listing) in playable.items()},
        _read_interpretations(folder),
        next((listing for ruleset, listing in entries if ruleset.abstract and listing.query), Listing()),
        examples,
    )


def validate_folder(folder: Path) -> tuple[tuple[Ruleset, ...], tuple[FileFault, ...]]:
    """Return a folder's rulesets sorted by name, with the abstract ones, and every fault in its files.

    A faulty ruleset is included if it could be built.
    """
    entries, _, faults = _read_folder(folder)
    return tuple(ruleset for ruleset, _ in entries), (*faults, *_read_examples(folder / EXAMPLES_FOLDER)[1])


def _read_folder(
    folder: Path,
) -> tuple[tuple[tuple[Ruleset, Listing], ...], tuple[HouseRules, ...], tuple[FileFault, ...]]:
    """Return a folder's rulesets with listings, its sound house rules, and the faults of both.

    The rulesets include abstract ones, and faulty ones that could be built.
    """
    tables, faults = _load_toml_files(folder.iterdir())
    house_data = {file: tables.pop(file) for file in [*tables] if HOUSE_KEY in tables[file]}
    interpretations, unreadable = _read_interpretations(folder), {fault.file for fault in faults}
    built = {ruleset_id: _build_ruleset(ruleset_id, tables, interpretations) for ruleset_id in tables}
    # A fault is reported only for the file that it is in, and not for files that extend this one.
    for ruleset_id, (_, file_faults) in built.items():
        parent = str(tables[ruleset_id].get("extends"))
        inherited = built[parent][1] if parent in built and parent != ruleset_id else ()
        if f"{parent}.toml" not in unreadable:
            faults.extend(FileFault(f"{ruleset_id}.toml", fault) for fault in file_faults if fault not in inherited)
    entries = [entry for entry, _ in built.values() if entry]
    games = {ruleset.id: ruleset for ruleset, _ in entries if not ruleset.abstract}
    house_rules = []
    for file, data in house_data.items():
        rules, parse_faults = parse_house_rules(data)
        file_faults = parse_faults or resolve_house_rules(rules, games)[1]
        faults.extend(FileFault(f"{file}.toml", fault) for fault in file_faults)
        house_rules += [] if file_faults else [rules]
    return tuple(sorted(entries, key=lambda entry: entry[0].name)), tuple(house_rules), tuple(faults)


def _load_toml_files(files: Iterable[Path], prefix: str = "") -> tuple[dict[str, TomlTable], list[FileFault]]:
    """Parse the TOML files among `files`, and return them by name without ending, with a fault for each bad file.

    `prefix` goes before the file names in faults.
    """
    tables, faults = {}, []
    for path in sorted(file for file in files if file.match("*.toml")):
        try:
            tables[path.stem] = parse_toml(path.read_bytes(), MAX_RULESET_FILE_BYTES)
        except ValueError as error:
            fault = Fault("", "not_toml", f"This cannot be read as TOML: {error}.")
            faults.append(FileFault(f"{prefix}{path.name}", fault))
    return tables, faults


def _read_examples(folder: Path) -> tuple[Mapping[str, Sequence[str]], tuple[FileFault, ...]]:
    """Return a folder's example questions by the id of their rule, and every fault in its files."""
    examples: dict[str, Sequence[str]] = {}
    tables, faults = _load_toml_files(folder.glob("*"), f"{folder.name}/")
    for name, data in tables.items():
        try:
            examples |= RuleExamples(asked=data).asked
        except ValidationError as error:
            faults.extend(FileFault(f"{folder.name}/{name}.toml", fault) for fault in shape_faults(error))
    return examples, tuple(faults)


def _read_interpretations(folder: Path) -> Mapping[int, Interpretation]:
    """Return the interpretations in a folder by number; empty if it has no file of them."""
    path = folder / INTERPRETATIONS_FILE
    return parse_interpretations(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _build_ruleset(
    ruleset_id: str, tables: Mapping[str, TomlTable], interpretations: Mapping[int, Interpretation]
) -> tuple[tuple[Ruleset, Listing] | None, list[Fault]]:
    """Build a ruleset and its listing from the parsed files, and return them with all faults.

    Instead of the two there is `None` if `extends` is bad, a key is unknown or a value is invalid.
    """
    try:
        data = _merge_with_parents(ruleset_id, tables, ())
        listing = Listing.model_validate({name: data.pop(name) for name in Listing.model_fields if name in data})
        ruleset = Ruleset.model_validate({**data, "id": ruleset_id})
    except _BadParent as error:
        return None, [Fault("extends", "bad_parent", str(error))]
    except ValidationError as error:
        return None, list(shape_faults(error))
    if ruleset.abstract:
        return (ruleset, listing), []
    faults = list(award_faults(ruleset)) or [*contradictions(ruleset), *sheet_faults(ruleset, interpretations)]
    return (ruleset, listing), faults


class _BadParent(Exception):
    """Raised for a file that extends a missing file, or that extends itself directly or in a circle."""


_SHEET_KEYS_NOT_INHERITED = ("formerly", "together")
"""The keys of `sheet` that a ruleset does not inherit from the ruleset that it extends."""
_KEYS_NOT_INHERITED = ("also", "notes", "abstract", "to_agree", "common", "nicknames", "hint", "query", "words", "same")
"""The other keys that a ruleset does not inherit from the ruleset that it extends."""


def _merge_with_parents(ruleset_id: str, tables: Mapping[str, TomlTable], seen: tuple[str, ...]) -> TomlTable:
    """Return a file's table merged over those that it extends; raises `_BadParent` for a bad `extends`.

    Some keys are not inherited, such as `notes`. `seen` are the ids of the files that extend this one.
    """
    content = tables[ruleset_id]
    parent = content.get("extends")
    if parent is None:
        return _merge_tables({}, content)
    if parent in (*seen, ruleset_id):
        raise _BadParent("These files extend each other in a circle: " + ", ".join((*seen, ruleset_id)) + ".")
    if not isinstance(parent, str) or parent not in tables:
        raise _BadParent(f"There is no sound file {parent!r} to extend. There is: {', '.join(sorted(tables))}.")
    inherited = _merge_with_parents(parent, tables, (*seen, ruleset_id))
    sheet = {key: value for key, value in inherited.get("sheet", {}).items() if key not in _SHEET_KEYS_NOT_INHERITED}
    base = {key: value for key, value in inherited.items() if key not in _KEYS_NOT_INHERITED}
    return _merge_tables({**base, "sheet": sheet}, content)


def _merge_tables(base: Mapping[str, object], over: Mapping[str, object]) -> TomlTable:
    """Return `base` with `over` merged in, key by key.

    The text "none" becomes `None` for keys that may be none, and `partners` is replaced as a whole.
    """
    merged = dict(base)
    for key, value in over.items():
        old = merged.get(key)
        if isinstance(value, dict) and key != "partners":
            merged[key] = _merge_tables(old if isinstance(old, dict) else {}, value)
        else:
            merged[key] = None if value == "none" and key in nullable_keys() else value
    return merged


def sheet_faults(ruleset: Ruleset, interpretations: Collection[int]) -> Iterator[Fault]:
    """Yield the faults in a ruleset's `sheet`; `interpretations` are the numbers that traces may refer to."""
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
    offered = [{name: answer} for name, answers in sheet.offers.items() for answer in answers]
    for key, combinations in {"offers": offered, "together": sheet.together, "formerly": [sheet.formerly]}.items():
        for answers in combinations:
            yield from _answers_faults(ruleset, f"sheet.{key}", answers)


def _id_faults(path: str, rule_id: str) -> Iterator[Fault]:
    """Yield a fault if the id of a rule is not a section and a name, such as `bid.order`."""
    section, dot, name = rule_id.partition(".")
    if section not in SHEET_SECTIONS or not name.replace("_", "a").isalnum() or not dot:
        why = f"There is no rule {rule_id!r}: an id is a section and a name, such as bid.order."
        yield Fault(path, "unknown_section", f"{why} The sections are {', '.join(SHEET_SECTIONS)}.")


def _trace_faults(path: str, text: str, interpretations: Collection[int]) -> Iterator[Fault]:
    """Yield a fault if a trace cannot be parsed, and one for each missing document or interpretation in it."""
    try:
        references = parse_trace(text)
    except BadTrace as bad:
        yield Fault(path, "bad_trace", f"{bad}.")
        return
    for reference in references:
        if isinstance(reference, InterpretationNumber):
            if reference.number not in interpretations:
                yield Fault(path, "unknown_reading", f"There is no reading {reference} in READINGS.md.")
        elif reference.document not in SOURCES_BY_NUMBER:
            yield Fault(path, "bad_trace", f"{str(reference)!r} names no lines of a source.")


def _text_faults(ruleset: Ruleset, path: str, text: str) -> Iterator[Fault]:
    """Yield a fault if a text of the rule sheet has an unknown or malformed placeholder."""
    try:
        text.format_map(placeholders(ruleset))
    except (ValueError, LookupError) as error:
        yield Fault(path, "bad_text", f"There is nothing to put in the place of {shorten(str(error))}.")


def _answers_faults(ruleset: Ruleset, path: str, answers: Answers) -> Iterator[Fault]:
    """Yield the faults of each answer by itself, with `path` put before the fault's field."""
    return (fault.inside(path) for fault in answer_faults(ruleset, answers))
