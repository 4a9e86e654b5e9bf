"""One deal as it was entered, and the one table of the fields that a deal can have.

A field that is added to `Hand` with its kind and its label is read, written, renamed and compared by that table, and
the change log names it by its label.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum, auto
from typing import Any, Literal

SideId = str
"""A side's id; where each scores alone, that of the seat."""
Bid = int | str
"""A number, or a special bid's id."""
Call = int | str
"""A bid, or one of `pass`, `pitch` and `take_set`."""
Calls = tuple[tuple[str, Call], ...]
"""Who called, by the seat's id, and what."""

BIDDERS = "bidders"
DEFENDERS = "defenders"
SPECIAL_BIDS = ("smudge", "moon", "double_moon")
PASS, PITCH, TAKE_SET = "pass", "pitch", "take_set"
ThrownIn = Literal["misdeal", "ran_out", "all_passed"]
"""Why nothing was played; where the deck ran out, what was turned up for trump before scores."""
THROWN_IN: tuple[ThrownIn, ...] = ("misdeal", "ran_out", "all_passed")
Forfeit = Literal["game", "match"]
"""What a side gives up by a renege: that it may score Game in the hand, or the whole match."""
FORFEITS: tuple[Forfeit, ...] = ("game", "match")


class FieldKind(Enum):
    """What a field of a hand holds, in the order in which the change log names fields."""

    PERSON = auto()
    """The id of a seat or of a side."""
    PARTNER = auto()
    """The id of a seat or of a side; `null` in JSON means that the bidder played alone."""
    BID = auto()
    SUIT = auto()
    TEXT = auto()
    """A few words."""
    THROWN_IN = auto()
    """Why nothing was played."""
    DATE = auto()
    YES_OR_NO = auto()
    """The answer to a question, which may be open."""
    CHECK = auto()
    """True where a box was checked."""
    TAKEN = auto()
    """Who took each award; `None` where nobody did."""
    COUNTS = auto()
    """A number for each who took something, by id."""
    TIMES = auto()
    """How often each award was scored, where that was more than once."""
    FORFEITS = auto()
    """What each side gave up, by id."""
    CALLS = auto()
    """The whole auction."""
    NOTE = auto()
    RULES = auto()
    """House options that hold from this hand on."""
    NEWCOMERS = auto()
    """The names of those who sit in from this hand on, by the id of the seat."""


def _said(kind: FieldKind, label: str) -> Any:
    """Declare a field of a hand, which is `None` where nothing was entered."""
    return field(default=None, metadata={"kind": kind, "label": label})


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """One deal: who bid what, and who took what. Everybody is known by id; there is no score in it."""

    dealer: str | None = _said(FieldKind.PERSON, "dealer")
    auction: Calls | None = _said(FieldKind.CALLS, "the calls")
    bidder: str | None = _said(FieldKind.PERSON, "bidder")
    bid: Bid | None = _said(FieldKind.BID, "bid")
    overtook_pitch: bool | None = _said(FieldKind.CHECK, "led card outbid")
    trump: str | None = _said(FieldKind.SUIT, "trump")
    called: str | None = _said(FieldKind.TEXT, "called card")
    partner: str | None = _said(FieldKind.PARTNER, "partner")
    alone: bool = False
    """Whether it was entered that the bidder has no partner."""
    taken: Mapping[str, str | None] | None = _said(FieldKind.TAKEN, "taken")
    points: Mapping[str, int] | None = _said(FieldKind.COUNTS, "points")
    card_points: Mapping[str, int] | None = _said(FieldKind.COUNTS, "card points")
    all_tricks: bool | None = _said(FieldKind.YES_OR_NO, "every trick")
    thrown_in: ThrownIn | None = _said(FieldKind.THROWN_IN, "redeal")
    house: Mapping[str, Any] | None = _said(FieldKind.RULES, "the rules")
    house_on: str | None = _said(FieldKind.DATE, "date")
    note: str | None = _said(FieldKind.NOTE, "the note")
    penalties: Mapping[str, int] | None = _said(FieldKind.COUNTS, "penalty")
    """Points by side that the table wrote against it, for a misdeal or a renege."""
    penalties_to: Mapping[str, int] | None = _said(FieldKind.COUNTS, "points for the others’ mistake")
    """Points by side that it is given for a misdeal, a renege or a look of the others."""
    forfeits: Mapping[str, Forfeit] | None = _said(FieldKind.FORFEITS, "given up")
    times: Mapping[str, int] | None = _said(FieldKind.TIMES, "times turned up")
    """How often a card turned up for trump scored, where that was more than once."""
    first_there: str | None = _said(FieldKind.PERSON, "first there")
    """Who pegged the target first, where several reached it and points are pegged as they are taken."""
    sits_in: Mapping[str, str] | None = _said(FieldKind.NEWCOMERS, "who sits in")
    """Who sits in whose seat from this hand on; everybody else in the hand is known as it is from then on."""

    @property
    def is_played(self) -> bool:
        """Whether it is known who took what in the play; a deal that was thrown in has only what was turned up."""
        return self.thrown_in is None and (self.taken is not None or self.points is not None)

    @property
    def is_redealt(self) -> bool:
        """Whether there was another deal instead: it was thrown in, or all passed. The next hand has its number."""
        all_passed = bool(self.auction and all(call == PASS for _, call in self.auction))
        return self.thrown_in is not None or (all_passed and not self.is_played)

    @property
    def names_defenders(self) -> bool:
        """Whether somebody counted what the defenders took together."""
        taken, points, card_points = self.taken or {}, self.points or {}, self.card_points or {}
        return DEFENDERS in taken.values() or DEFENDERS in points or DEFENDERS in card_points


@dataclass(frozen=True, slots=True)
class HandField:
    """One row of the table."""

    name: str
    kind: FieldKind
    label: str
    """What the change log calls it."""


HAND_FIELDS: tuple[HandField, ...] = tuple(
    HandField(item.name, item.metadata["kind"], item.metadata["label"]) for item in fields(Hand) if item.metadata
)
"""Every field of a hand that has a label, in the order in which records have them."""

_WITH_PEOPLE = tuple(
    item
    for item in HAND_FIELDS
    if item.kind
    in (
        *(FieldKind.PERSON, FieldKind.PARTNER, FieldKind.CALLS, FieldKind.TAKEN),
        *(FieldKind.COUNTS, FieldKind.FORFEITS),
    )
)


def people_in(hand: Hand) -> Iterator[tuple[str, str]]:
    """Yield the id of everybody in a hand, after the path of the place; not the roles `bidders` and `defenders`."""
    for item in _WITH_PEOPLE:
        value = getattr(hand, item.name)
        if value is None:
            continue
        for path, who in _people(item, value):
            if who not in (BIDDERS, DEFENDERS):
                yield path, who


def _people(item: HandField, value: Any) -> Iterator[tuple[str, str]]:
    match item.kind:
        case FieldKind.PERSON | FieldKind.PARTNER:
            yield item.name, value
        case FieldKind.CALLS:
            yield from ((f"{item.name}.{i}", who) for i, (who, _) in enumerate(value))
        case FieldKind.TAKEN:
            yield from ((f"{item.name}.{award}", who) for award, who in value.items() if who is not None)
        case FieldKind.COUNTS | FieldKind.FORFEITS:
            yield from ((f"{item.name}.{who}", who) for who in value)
        case _:
            pass


def with_ids(hand: Hand, ids: Mapping[str, str]) -> Hand:
    """Return a hand in which everybody has another id, which may be a name; raises `KeyError` for a stranger.

    Where several get one id, what was counted for them is added up.
    """
    known = {BIDDERS: BIDDERS, DEFENDERS: DEFENDERS, **ids}
    changed: dict[str, Any] = {}
    for item in HAND_FIELDS:
        value = getattr(hand, item.name)
        if value is None:
            continue
        match item.kind:
            case FieldKind.PERSON | FieldKind.PARTNER:
                changed[item.name] = known[value]
            case FieldKind.CALLS:
                changed[item.name] = tuple((known[who], call) for who, call in value)
            case FieldKind.TAKEN:
                changed[item.name] = {award: None if who is None else known[who] for award, who in value.items()}
            case FieldKind.COUNTS:
                counts: dict[str, int] = {}
                for who, number in value.items():
                    counts[known[who]] = counts.get(known[who], 0) + number
                changed[item.name] = counts
            case FieldKind.FORFEITS:
                changed[item.name] = {known[who]: what for who, what in value.items()}
            case _:
                pass
    return replace(hand, **changed)
