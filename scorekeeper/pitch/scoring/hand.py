"""One deal as it was entered, and the one table of the fields that a deal can have.

A field that is added to `Hand` with its kind and its label is read, written, renamed and compared by that table, and
the change log names it by its label.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum, auto
from typing import Any, Literal, NamedTuple

from scorekeeper.pitch.rules.schema import Answers

SideId = str
"""A side's id; where each scores alone, that of the seat."""
SideIds = tuple[SideId, ...]
BySide = Mapping[SideId, int]
"""A number for each side: its score, its sets, its cents."""
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
    SUBSTITUTES = auto()
    """The names of substitutes from this hand on, by the id of the seat."""


def _optional(kind: FieldKind, label: str) -> Any:
    """Declare a field of a hand, which is `None` where nothing was entered."""
    return field(default=None, metadata={"kind": kind, "label": label})


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """One deal: who bid what, and who took what. Everybody is known by id; there is no score in it."""

    dealer: str | None = _optional(FieldKind.PERSON, "dealer")
    auction: Calls | None = _optional(FieldKind.CALLS, "the calls")
    bidder: str | None = _optional(FieldKind.PERSON, "bidder")
    bid: Bid | None = _optional(FieldKind.BID, "bid")
    overtook_pitch: bool | None = _optional(FieldKind.CHECK, "led card outbid")
    trump: str | None = _optional(FieldKind.SUIT, "trump")
    called: str | None = _optional(FieldKind.TEXT, "called card")
    partner: str | None = _optional(FieldKind.PARTNER, "partner")
    alone: bool = False
    """Whether it was entered that the bidder has no partner."""
    taken: Mapping[str, str | None] | None = _optional(FieldKind.TAKEN, "taken")
    points: Mapping[str, int] | None = _optional(FieldKind.COUNTS, "points")
    card_points: Mapping[str, int] | None = _optional(FieldKind.COUNTS, "card points")
    all_tricks: bool | None = _optional(FieldKind.YES_OR_NO, "every trick")
    thrown_in: ThrownIn | None = _optional(FieldKind.THROWN_IN, "redeal")
    house: Answers | None = _optional(FieldKind.RULES, "the rules")
    house_on: str | None = _optional(FieldKind.DATE, "date")
    note: str | None = _optional(FieldKind.NOTE, "the note")
    penalties: Mapping[str, int] | None = _optional(FieldKind.COUNTS, "penalty")
    """Points by side that the table wrote against it, for a misdeal or a renege."""
    penalties_to: Mapping[str, int] | None = _optional(FieldKind.COUNTS, "points for the others’ mistake")
    """Points by side that it is given for a misdeal, a renege or a look of the others."""
    forfeits: Mapping[str, Forfeit] | None = _optional(FieldKind.FORFEITS, "given up")
    times: Mapping[str, int] | None = _optional(FieldKind.TIMES, "times turned up")
    """How often a card turned up for trump scored, where that was more than once."""
    first_there: str | None = _optional(FieldKind.PERSON, "first there")
    """Who pegged the target first, where several reached it and points are pegged as they are taken."""
    sits_in: Mapping[str, str] | None = _optional(FieldKind.SUBSTITUTES, "who sits in")
    """The names of substitutes from this hand on, by the seat that each takes; the hand names them already."""

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
    def without_game(self) -> SideIds:
        """The sides that gave up Game in the hand."""
        return tuple(side for side, what in (self.forfeits or {}).items() if what == "game")

    @property
    def has_mistakes(self) -> bool:
        """Whether the table wrote something for a misdeal, a renege or a look."""
        return bool(self.penalties or self.penalties_to or self.forfeits)

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


class Contract(NamedTuple):
    """The result of the bidding."""

    bidder: str | None = None
    bid: Bid | None = None
    overtook_pitch: bool = False
    all_passed: bool = False
    set_taken_by: str | None = None
    """The dealer who took the set instead of bidding."""
    dealer: str | None = None
    """The player who dealt, where the calls show it."""

    @property
    def is_bid(self) -> bool:
        """Whether somebody has to make a bid."""
        return self.bidder is not None and self.bid is not None


def people_in(hand: Hand) -> Iterator[tuple[str, str]]:
    """Yield the id of everybody in a hand, after its path; not the roles `bidders` and `defenders`."""
    for item in HAND_FIELDS:
        name, value = item.name, getattr(hand, item.name)
        people: Iterable[tuple[str, str | None]] = ()
        match item.kind:
            case _ if value is None:
                pass
            case FieldKind.PERSON | FieldKind.PARTNER:
                people = [(name, value)]
            case FieldKind.CALLS:
                people = ((f"{name}.{i}", who) for i, (who, _) in enumerate(value))
            case FieldKind.TAKEN:
                people = ((f"{name}.{award}", who) for award, who in value.items())
            case FieldKind.COUNTS | FieldKind.FORFEITS:
                people = ((f"{name}.{who}", who) for who in value)
            case _:
                pass
        yield from ((path, who) for path, who in people if who is not None and who not in (BIDDERS, DEFENDERS))


def with_ids(hand: Hand, ids: Mapping[str, str]) -> Hand:
    """Return a hand in which everybody has another id, which may be a name; raises `KeyError` for a stranger.

    Where several get one id, what was counted for them is added up.
    """
    known = {BIDDERS: BIDDERS, DEFENDERS: DEFENDERS, **ids}
    changed: dict[str, Any] = {}
    for item in HAND_FIELDS:
        value = getattr(hand, item.name)
        match item.kind:
            case _ if value is None:
                pass
            case FieldKind.PERSON | FieldKind.PARTNER:
                changed[item.name] = known[value]
            case FieldKind.CALLS:
                changed[item.name] = tuple((known[who], call) for who, call in value)
            case FieldKind.TAKEN:
                changed[item.name] = {award: None if who is None else known[who] for award, who in value.items()}
            case FieldKind.COUNTS:
                counts = changed[item.name] = Counter[str]()
                for who, number in value.items():
                    counts[known[who]] += number
            case FieldKind.FORFEITS:
                changed[item.name] = {known[who]: what for who, what in value.items()}
            case _:
                pass
    return replace(hand, **changed)
