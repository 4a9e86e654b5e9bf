"""The match record, `pitch-record/1` to `/5`: a match as JSON, in which seats and sides have names instead of ids.

A seat has the name of its first player as its id. From a substitution on, hands name the substitute.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scorekeeper.pitch.records.json_parser import (
    MAX_RECORD_NOTE_LENGTH,
    MAX_RECORD_TEXT_LENGTH,
    JsonObject,
    JsonParser,
    hand_as_json,
    read_date,
    read_hand,
    read_house,
)
from scorekeeper.pitch.rules.awards import OWN_AWARD_IDS
from scorekeeper.pitch.rules.entered_text import MAX_HANDS
from scorekeeper.pitch.rules.faults import Fault, FaultCode, FaultsFound, HandFault
from scorekeeper.pitch.rules.house_rules import (
    MAX_RULES_NOTES,
    new_answer_faults,
    rules_name_faults,
    rules_notes_faults,
)
from scorekeeper.pitch.rules.schema import Answers
from scorekeeper.pitch.scoring.hand import HAND_FIELDS, FieldKind, Hand, people_in, with_ids
from scorekeeper.pitch.scoring.match import ImpossibleHand, MatchState, play
from scorekeeper.pitch.scoring.search_budget import Budget
from scorekeeper.pitch.scoring.seats import name_key, table_faults, unknown_player_fault
from scorekeeper.pitch.text.phrases import Names, names_with_id_fallback, record_fault_message, with_pronouns

MAX_START_SCORE = 100_000
"""The highest score, above or below zero, with which a match may begin."""
MAX_NAMES = 20
"""The most players, and the most sides, in a record."""

RECORD_FORMATS = tuple(f"pitch-record/{number}" for number in range(1, 6))
"""All formats of a record, oldest first."""
_FORMAT_OF_HAND_FIELD = {"penalties": 2, "sits_in": 2, "penalties_to": 3, "forfeits": 3, "times": 3, "first_there": 3}
"""The number of the format that introduced a field of a hand, keyed by field; others are in the first format."""
HOUSE_RULES_KEY, UNNAMED_KEY = "house_rules", "unnamed"
"""Two keys of a record; `HOUSE_RULES_KEY` is new in the third format, `UNNAMED_KEY` in the fifth."""
_NEEDED_FORMAT_CODES: tuple[FaultCode, ...] = ("needs_format_2", "needs_format_3", "needs_format_4", "needs_format_5")
"""The codes of the faults for keys that need a later format, from the second format on."""

_RECORD_KEYS = (
    "format variant house house_rules players unnamed sides start hands stopped title played_on place note"
).split()
"""The keys of a record, in the order in which they are written."""


@dataclass(frozen=True, slots=True)
class NamedRules:
    """The name and the notes of house rules; their answers are in `Record.house`."""

    name: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A match as in a file, with names in place of the ids of seats and sides."""

    variant: str
    house: Answers
    house_rules: NamedRules | None = None
    """The name and the notes of the house rules; `None` for rules without a name."""
    players: tuple[str, ...] | None = None
    """The names of the players, by seat; `None` if the record has no such list."""
    unnamed: tuple[str, ...] = ()
    """The players without a name of their own, who are named by number, such as "Seat 3"."""
    sides: tuple[tuple[str, tuple[str, ...]], ...] | None = None
    """The name of each side and the names of its players, `(("Us", ("Ann", "Cal")), …)`; `None` without a list."""
    start: Mapping[str, Any] = field(default_factory=dict)
    """What was carried over from paper: `{"scores": {"Us": 10}, "sets": {"Us": 1}, "hands": 3}`; each is optional."""
    hands: tuple[Hand, ...] = ()
    stopped: bool = False
    title: str | None = None
    played_on: str | None = None
    place: str | None = None
    note: str | None = None

    @property
    def is_new(self) -> bool:
        """Whether a person wrote the record by hand, so that it is checked like a match that is entered now.

        Records that the app wrote have the day of their match.
        """
        return self.played_on is None


class RefusedRecord(FaultsFound):
    """Raised if a record cannot be read or played; `faults` lists what is wrong."""


def fault_path(item: HandFault, record: str) -> str:
    """Return where a fault is: "record 2, hand 1, bid"; `record` is the first part, and may be empty."""
    return ", ".join(filter(None, (record, f"hand {item.hand}" if item.hand else "", item.fault.field)))


def fault_sentence(item: HandFault, record: str = "") -> str:
    """Return where a fault is, and its message: "hand 1, bid: 12 is too high: …"; `record` is as in `fault_path`."""
    path = fault_path(item, record)
    message = record_fault_message(item.fault)
    return f"{path}: {message}" if path else message


def read_record(data: object) -> Record:
    """Read a record from parsed JSON; raises `RefusedRecord` with every wrong key and every value of a wrong type.

    Whether there is such a variant, and whether it allows the seats and hands, is checked later.
    """
    if not isinstance(data, dict):
        raise RefusedRecord([Fault("", "not_object", "A record is a JSON object.")])
    parser = JsonParser(data)
    parser.refuse_other_keys(_RECORD_KEYS)
    if data.get("format") not in RECORD_FORMATS:
        parser.refuse("format", "unknown_format", f"The format must be one of {', '.join(map(repr, RECORD_FORMATS))}.")
    for key in ("variant", "hands"):
        if data.get(key) is None:
            parser.refuse(key, "missing", f"A record needs {key!r}.")
    hands, hand_faults = _read_hands(parser)
    house = read_house(parser, "house") or {}
    parser.faults += _needed_format_faults(parser, _house_award_paths(house))
    players, sides = parser.texts("players", MAX_NAMES, "A name is text."), _read_sides(parser)
    record = Record(
        variant=parser.text("variant", MAX_RECORD_TEXT_LENGTH) or "",
        house=house,
        house_rules=_read_named_rules(parser),
        players=players,
        unnamed=_read_unnamed(parser, {*(players or ()), *(name for _, members in sides or () for name in members)}),
        sides=sides,
        hands=hands,
        stopped=bool(parser.flag("stopped")),
        title=parser.text("title", MAX_RECORD_TEXT_LENGTH),
        played_on=read_date(parser, "played_on"),
        place=parser.text("place", MAX_RECORD_TEXT_LENGTH),
        note=parser.text("note", MAX_RECORD_NOTE_LENGTH),
        start=read_start(parser),
    )
    faults: list[HandFault | Fault] = [*parser.faults, *hand_faults]
    if faults:
        raise RefusedRecord(faults)
    return record


def read_start(parser: JsonParser) -> JsonObject:
    """Read the value for `Record.start`, what was carried over from paper; empty if nothing was.

    Faults are added to `parser`.
    """
    start = JsonParser(parser.json_object("start") or {}, prefix="start.", faults=parser.faults)
    start.refuse_other_keys(("scores", "hands", "sets"))
    read = {
        "scores": start.whole_numbers("scores", MAX_START_SCORE, -MAX_START_SCORE),
        "hands": start.whole_number("hands", MAX_HANDS),
        "sets": start.whole_numbers("sets", MAX_HANDS),
    }
    return {key: value for key, value in read.items() if value is not None}


def _read_named_rules(parser: JsonParser) -> NamedRules | None:
    """Read the name and the notes of house rules, adding faults; `None` if the record has none."""
    data = parser.json_object(HOUSE_RULES_KEY)
    if data is None:
        return None
    parser.faults += _needed_format_faults(parser, [(HOUSE_RULES_KEY, 3)])
    rules = JsonParser(data, prefix=f"{HOUSE_RULES_KEY}.", faults=parser.faults)
    rules.refuse_other_keys(("name", "notes"))
    named_rules = NamedRules(
        rules.text("name", MAX_RECORD_TEXT_LENGTH) or "", rules.texts("notes", MAX_RULES_NOTES, "A note is text.") or ()
    )
    name_and_notes_faults = (*rules_name_faults(named_rules.name), *rules_notes_faults(named_rules.notes))
    rules.faults += [fault.inside(HOUSE_RULES_KEY) for fault in name_and_notes_faults]
    return named_rules


def _read_unnamed(parser: JsonParser, players: Collection[str]) -> tuple[str, ...]:
    """Read which of the `players` have no name of their own, such as "Seat 3", adding faults."""
    names = parser.texts(UNNAMED_KEY, MAX_NAMES, "A name is text.")
    parser.faults += _needed_format_faults(parser, [(UNNAMED_KEY, 5)] if names else ())
    for i, name in enumerate(names or ()):
        if name not in players:
            parser.refuse(f"{UNNAMED_KEY}.{i}", "unknown_player", f"Nobody at this table is named {name}.")
    return names or ()


def _read_sides(parser: JsonParser) -> tuple[tuple[str, tuple[str, ...]], ...] | None:
    """Read the names of the sides and of their players, adding faults; `None` if the record has none."""
    if parser.data.get("sides") is None:
        return None
    read_sides = []
    for side in parser.objects("sides", MAX_NAMES, "A side is an object with a name."):
        side.refuse_other_keys(("name", "players"))
        name = side.text("name", MAX_RECORD_TEXT_LENGTH)
        if side.data.get("name") is None:
            side.refuse("name", "missing", "A side needs a name.")
        read_sides.append((name or "", side.texts("players", MAX_NAMES, "A name is text.") or ()))
    return tuple(read_sides)


def _read_hands(parser: JsonParser) -> tuple[tuple[Hand, ...], list[HandFault]]:
    """Read the hands, and return them with their faults; a fault of the list itself is added to `parser`."""
    hands = []
    faults = []
    for number, data in enumerate(parser.items("hands", MAX_HANDS) or [], 1):
        hand, form_faults = read_hand(data)
        form_faults += _needed_format_faults(parser, _newer_fields(hand))
        hands.append(hand)
        faults += [HandFault(number, fault) for fault in form_faults]
    return tuple(hands), faults


def _needed_format_faults(parser: JsonParser, needed_formats: Iterable[tuple[str, int]]) -> Iterator[Fault]:
    """Yield a fault for each path that needs a later format than the record has.

    `needed_formats` are pairs of a path and the number of the format that it needs: `("sits_in", 2)`.
    """
    written_format = parser.data.get("format")
    format_number = (
        RECORD_FORMATS.index(written_format) + 1 if written_format in RECORD_FORMATS else 3
    )  # an unknown format has what the third has
    for path, needed_number in needed_formats:
        if needed_number > format_number:
            why = f"{path.removeprefix('house.')!r} needs the format {RECORD_FORMATS[needed_number - 1]!r}."
            yield Fault(path, _NEEDED_FORMAT_CODES[needed_number - 2], why)


def _newer_fields(hand: Hand) -> list[tuple[str, int]]:
    """Return the fields of a hand that the first format lacks, with the format that each needs: `[("sits_in", 2)]`."""
    paths = [(name, number) for name, number in _FORMAT_OF_HAND_FIELD.items() if getattr(hand, name) is not None]
    return paths + _house_award_paths(hand.house or {})


def _house_award_paths(house: Answers) -> list[tuple[str, int]]:
    """Return the paths of a house's own awards, with the format that each needs: `[("house.own_1", 4)]`."""
    return [(f"house.{name}", 4) for name in OWN_AWARD_IDS if name in house]


def record_format(record: Record) -> str:
    """Return the oldest format that has all the keys that a record needs."""
    paths = _house_award_paths(record.house) + [path for hand in record.hands for path in _newer_fields(hand)]
    format_of_keys = 5 if record.unnamed else 3 if record.house_rules else 1
    return RECORD_FORMATS[max([format_of_keys, *(number for _, number in paths)]) - 1]


def replace_side_keys(start: Mapping[str, Any], keys: Mapping[str, str]) -> JsonObject:
    """Return what was carried over from paper, with other keys for the sides.

    `keys` has the new keys, keyed by the old ones: names by id, or ids by name.
    """
    return {
        key: value if key == "hands" else {keys[side]: number for side, number in value.items()}
        for key, value in start.items()
        if value is not None
    }


def record_as_json(record: Record) -> JsonObject:
    """Return a record as JSON, which `read_record` parses into an equal record."""
    rules = record.house_rules
    notes = {"notes": list(rules.notes)} if rules and rules.notes else {}
    sides = [{"name": name} | ({"players": list(players)} if players else {}) for name, players in record.sides or ()]
    written = {
        "format": record_format(record),
        "variant": record.variant,
        "house": dict(record.house) or None,
        "house_rules": rules and {"name": rules.name, **notes},
        "players": None if record.players is None else list(record.players),
        UNNAMED_KEY: list(record.unnamed) or None,
        "sides": None if record.sides is None else sides,
        "start": dict(record.start) or None,
        "hands": [hand_as_json(hand) for hand in record.hands],
        "stopped": record.stopped or None,
        "title": record.title,
        "played_on": record.played_on,
        "place": record.place,
        "note": record.note,
    }
    return {key: value for key, value in written.items() if value is not None}


_FIELDS_KEYED_BY_PERSON = {item.name for item in HAND_FIELDS if item.kind in (FieldKind.NUMBERS, FieldKind.FORFEITS)}
"""The fields of a hand, other than its substitutes, that are mappings keyed by a player or a side."""


def ids_after_substitutions(
    ids: Mapping[str, str], hand: Hand, *, is_new: bool = True
) -> tuple[Mapping[str, str], list[Fault]]:
    """Return the ids, keyed by name, after the substitutions of a hand, and a fault for each impossible substitution.

    If the hand `is_new`, names are compared by `name_key`, else exactly.
    """
    if not hand.sits_in:
        return ids, []
    comparison_key = name_key if is_new else str
    faults: list[Fault] = []
    ids_after = {name: who for name, who in ids.items() if name not in hand.sits_in}
    for leaver, substitute in hand.sits_in.items():
        field = f"sits_in.{leaver}"
        if leaver not in ids:
            faults.append(unknown_player_fault(field, leaver))
        elif name_at_table := {comparison_key(name): name for name in ids_after}.get(comparison_key(substitute)):
            faults.append(
                Fault(field, "repeated_name", f"{name_at_table} is at this table already. Choose another name.")
            )
        else:
            faults += [replace(fault, field=field) for fault in table_faults([substitute], ())]
            ids_after[substitute] = ids[leaver]
    return ids_after, faults


def hand_with_ids(hand: Hand, before: Mapping[str, str], after: Mapping[str, str]) -> Hand:
    """Return a hand with ids in place of names, except for the names of new players in its `sits_in`.

    `before` and `after` have the ids, keyed by name, before and after the substitutions.
    """
    sits_in = {before[who]: name for who, name in hand.sits_in.items()} if hand.sits_in else hand.sits_in
    return replace(with_ids(hand, after), sits_in=sits_in)


def play_hands(state: MatchState, hands: Sequence[Hand], *, is_new: bool, budget: Budget | None) -> MatchState:
    """Return a match after the hands of a record, which have names in place of ids; raises `ImpossibleHand`.

    With `is_new`, hands are checked like hands that are entered now. For `budget` see `match.play`.
    """
    budget = budget or Budget()
    starting_ids = {who: who for who in (*state.seats.ids, *state.seats.players)}
    ids: Mapping[str, str] = starting_ids
    for number, hand in enumerate(hands, 1):
        ids_after, faults = ids_after_substitutions(ids, hand, is_new=is_new)
        faults += [
            unknown_player_fault(path, who)
            for path, who in people_in(hand)
            if who in starting_ids and who not in ids_after
        ]
        if is_new:
            faults += [fault.inside("house") for fault in new_answer_faults(state.ruleset, hand.house or {})]
        if faults and state.goes_on:
            raise ImpossibleHand(number, faults)
        if faults:  # after the end, where nothing is scored
            hand = replace(hand, sits_in=None)
        else:
            ids_in_hand = {**{who: who for _, who in people_in(hand)}, **ids_after}
            hand, ids = hand_with_ids(hand, ids, ids_in_hand), ids_after
        may_be_open = all(later.has_only_settings for later in hands[number:])
        try:
            state = play(state, hand, may_be_open=may_be_open, is_new=is_new, budget=budget)
        except ImpossibleHand as impossible:
            names = names_with_id_fallback({who: name for name, who in ids.items()})
            raise ImpossibleHand(number, (_fault_with_names(item, names) for item in impossible.faults)) from None
    return state


def _fault_with_names(item: HandFault, names: Names) -> Fault:
    """Return a fault with names in place of ids in its message and in its path: "penalties.Ann"."""
    field, _, person = item.fault.field.partition(".")
    fault = item.fault.with_names(with_pronouns(names))
    return replace(fault, field=f"{field}.{names[person]}") if person and field in _FIELDS_KEYED_BY_PERSON else fault


def names_by_hand(state: MatchState) -> Iterator[Names]:
    """Yield for each hand the names, keyed by id, of those who played in it."""
    names: dict[str, str] = {}
    for result in state.results:
        names |= result.hand.sits_in or {}
        yield names_with_id_fallback(names)


def names_of_match(state: MatchState) -> Names:
    """Return the names, keyed by id, for the result of a whole match: those in the last hand before its end."""
    names: dict[str, str] = {}
    for result in state.results:
        if result.status != "after_end":
            names |= result.hand.sits_in or {}
    return names_with_id_fallback(names)
