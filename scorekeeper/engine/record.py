"""The match record `pitch-record/1`: facts of a match as JSON, both ways."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, cast

from scorekeeper.engine.hand import PASS, PITCH, SPECIAL_BIDS, SUITS, TAKE_SET, Call, HandRecord, ThrownIn
from scorekeeper.engine.reading import Reader, is_text, is_whole
from scorekeeper.rules.faults import Fault

FORMAT = "pitch-record/1"
MOST_HANDS = 1000
MOST_CALLS = 200
LONGEST_TEXT = 200
LONGEST_NOTE = 2000
HIGHEST_SCORE = 100_000

_RECORD_KEYS = ("format variant house players sides start hands stopped title played_on place note").split()
_HAND_KEYS = (
    "dealer auction bidder bid overtook_pitch trump called partner taken points card_points all_tricks thrown_in "
    "house house_on note"
).split()


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A match as it was told: rules, people, and facts by hand."""

    variant: str
    house: Mapping[str, Any]
    players: tuple[str, ...] | None = None
    sides: tuple[tuple[str, tuple[str, ...]], ...] | None = None
    start_scores: Mapping[str, int] | None = None
    start_hands: int | None = None
    start_sets: Mapping[str, int] | None = None
    hands: tuple[HandRecord, ...] = ()
    stopped: bool = False
    title: str | None = None
    played_on: str | None = None
    place: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class RecordFault:
    """A fault in a record: in which hand, counted from 1, or in none."""

    hand: int | None
    fault: Fault

    def as_json(self) -> dict[str, Any]:
        """Give the fault as `pitch-result/1` writes it."""
        return {
            "hand": self.hand,
            "field": self.fault.field,
            "code": self.fault.code,
            "message": self.fault.message,
        }


class RefusedRecord(Exception):
    """A record cannot be read or cannot have been so; `faults` says everything that is wrong."""

    def __init__(self, faults: Sequence[RecordFault]) -> None:
        super().__init__("; ".join(item.fault.message for item in faults))
        self.faults = tuple(faults)


def read_record(data: object) -> Record:
    """Read a record by its shape; raises `RefusedRecord` with every fault. Nothing is scored."""
    if not isinstance(data, dict):
        raise RefusedRecord([RecordFault(None, Fault("", "not_object", "A record is a JSON object."))])
    reader = Reader(data)
    reader.allow(_RECORD_KEYS)
    if data.get("format") != FORMAT:
        reader.refuse("format", "unknown_format", f"The format must be {FORMAT!r}.")
    for key in ("variant", "hands"):
        if data.get(key) is None:
            reader.refuse(key, "missing", f"A record needs {key!r}.")
    start = _start(reader)
    hands, hand_faults = _hands(reader)
    record = Record(
        variant=reader.text("variant", LONGEST_TEXT) or "",
        house=reader.values("house", _is_answer, _ANSWER) or {},
        players=_players(reader),
        sides=_sides(reader),
        start_scores=start.values("scores", _is_score, "a whole number"),
        start_hands=start.count("hands", MOST_HANDS),
        start_sets=start.values("sets", _is_count, "a whole number from 0 up"),
        hands=hands,
        stopped=bool(reader.flag("stopped")),
        title=reader.text("title", LONGEST_TEXT),
        played_on=_date(reader, "played_on"),
        place=reader.text("place", LONGEST_TEXT),
        note=reader.text("note", LONGEST_NOTE),
    )
    faults = [RecordFault(None, fault) for fault in (*reader.faults, *start.faults)] + hand_faults
    if faults:
        raise RefusedRecord(faults)
    return record


_ANSWER = "a word, a number, true, false or null"


def _is_answer(value: object) -> bool:
    return isinstance(value, str | int | float | None)


def _is_score(value: object) -> bool:
    return is_whole(value) and abs(cast(int, value)) <= HIGHEST_SCORE


def _is_count(value: object) -> bool:
    return is_whole(value) and 0 <= cast(int, value) <= MOST_HANDS


def _start(reader: Reader) -> Reader:
    start = Reader(reader.table("start") or {}, prefix="start.")
    start.allow(("scores", "hands", "sets"))
    return start


def _players(reader: Reader) -> tuple[str, ...] | None:
    players = reader.items("players", 20)
    if players is None:
        return None
    return tuple(_names(reader, "players", players))


def _names(reader: Reader, key: str, values: list[Any]) -> list[str]:
    for i, name in enumerate(values):
        if not is_text(name):
            reader.refuse(f"{key}.{i}", "not_text", "A name is text.")
    return [name for name in values if isinstance(name, str)]


def _sides(reader: Reader) -> tuple[tuple[str, tuple[str, ...]], ...] | None:
    sides = reader.items("sides", 20)
    if sides is None:
        return None
    read = []
    for i, given in enumerate(sides):
        if not isinstance(given, dict):
            reader.refuse(f"sides.{i}", "not_object", "A side is an object with a name.")
            continue
        side = Reader(given, prefix=f"sides.{i}.", faults=reader.faults)
        side.allow(("name", "players"))
        name = side.text("name", LONGEST_TEXT)
        if name is None and not isinstance(given.get("name"), str | int | list | dict):
            side.refuse("name", "missing", "A side needs a name.")
        players = side.items("players", 20) or []
        read.append((name or "", tuple(_names(side, "players", players))))
    return tuple(read)


def _date(reader: Reader, key: str) -> str | None:
    value = reader.text(key, LONGEST_TEXT)
    if value is None:
        return None
    try:
        return date.fromisoformat(value).isoformat()
    except ValueError:
        reader.refuse(key, "not_a_date", "A date is written like 2026-11-20.")
        return None


def _hands(reader: Reader) -> tuple[tuple[HandRecord, ...], list[RecordFault]]:
    hands = []
    faults = []
    for number, given in enumerate(reader.items("hands", MOST_HANDS) or [], 1):
        hand, found = read_hand(given)
        hands.append(hand)
        faults += [RecordFault(number, fault) for fault in found]
    return tuple(hands), faults


def read_hand(data: object) -> tuple[HandRecord, list[Fault]]:
    """Read one hand by its shape, with every fault in it."""
    if not isinstance(data, dict):
        return HandRecord(), [Fault("", "not_object", "A hand is a JSON object.")]
    reader = Reader(data)
    reader.allow(_HAND_KEYS)
    hand = HandRecord(
        dealer=reader.text("dealer", LONGEST_TEXT),
        auction=_auction(reader),
        bidder=reader.text("bidder", LONGEST_TEXT),
        bid=_bid(reader),
        overtook_pitch=reader.flag("overtook_pitch"),
        trump=reader.choice("trump", SUITS),
        called=reader.text("called", LONGEST_TEXT),
        partner=reader.text("partner", LONGEST_TEXT),
        alone="partner" in data and data["partner"] is None,
        taken=reader.values("taken", lambda who: who is None or isinstance(who, str), "a name, or null"),
        points=reader.values("points", is_whole, "a whole number"),
        card_points=reader.values("card_points", is_whole, "a whole number"),
        all_tricks=reader.flag("all_tricks"),
        thrown_in=cast("ThrownIn | None", reader.choice("thrown_in", ("misdeal", "all_passed"))),
        house=reader.values("house", _is_answer, _ANSWER),
        house_on=_date(reader, "house_on"),
        note=reader.text("note", LONGEST_NOTE),
    )
    if hand.house_on and hand.house is None:
        reader.refuse("house_on", "no_change", "There is a date, but no rule changes in this hand.")
    return hand, reader.faults


def _bid(reader: Reader) -> int | str | None:
    bid = reader.data.get("bid")
    if bid is None or _is_bid(bid):
        return cast(int | str | None, bid)
    reader.refuse("bid", "no_such_bid", f"A bid is a number or one of {', '.join(SPECIAL_BIDS)}.")
    return None


def _is_bid(value: object) -> bool:
    return value in SPECIAL_BIDS if isinstance(value, str) else is_whole(value)


def _auction(reader: Reader) -> tuple[tuple[str, Call], ...] | None:
    calls = reader.items("auction", MOST_CALLS)
    if calls is None:
        return None
    read: list[tuple[str, Call]] = []
    for i, given in enumerate(calls):
        if not (isinstance(given, list) and len(given) == 2 and isinstance(given[0], str)):
            reader.refuse(f"auction.{i}", "not_a_call", "A call is who spoke and what they said.")
        elif not (_is_bid(given[1]) or given[1] in (PASS, PITCH, TAKE_SET)):
            said = f"A call is a number, {', '.join(SPECIAL_BIDS)}, pass, pitch or take_set."
            reader.refuse(f"auction.{i}", "no_such_call", said)
        else:
            read.append((given[0], given[1]))
    return tuple(read)


def write_hand(hand: HandRecord) -> dict[str, Any]:
    """Write a hand as JSON; what was not said is left out."""
    written: dict[str, Any] = {}
    for key in _HAND_KEYS:
        value = getattr(hand, key)
        if value is not None:
            written[key] = value
    if hand.auction is not None:
        written["auction"] = [list(call) for call in hand.auction]
    if hand.alone:
        written["partner"] = None
    for key in ("taken", "points", "card_points", "house"):
        if key in written:
            written[key] = dict(written[key])
    return written


def write_record(record: Record) -> dict[str, Any]:
    """Write a record as JSON; reading it gives the record back."""
    written: dict[str, Any] = {"format": FORMAT, "variant": record.variant}
    if record.house:
        written["house"] = dict(record.house)
    if record.players is not None:
        written["players"] = list(record.players)
    if record.sides is not None:
        written["sides"] = [
            {"name": name, "players": list(players)} if players else {"name": name} for name, players in record.sides
        ]
    start = {"scores": record.start_scores, "hands": record.start_hands, "sets": record.start_sets}
    if any(value is not None for value in start.values()):
        written["start"] = {key: value for key, value in start.items() if value is not None}
    written["hands"] = [write_hand(hand) for hand in record.hands]
    if record.stopped:
        written["stopped"] = True
    for key in ("title", "played_on", "place", "note"):
        if getattr(record, key) is not None:
            written[key] = getattr(record, key)
    return written
