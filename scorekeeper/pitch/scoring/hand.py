"""One hand as it was entered, and the table of all fields that a hand can have.

A new field of `Hand` needs only a kind and a label: all code for every field uses `HAND_FIELDS`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum, auto
from typing import Any, Literal, NamedTuple

from scorekeeper.pitch.rules.schema import Answers

SideId = str
"""The id of a side; where each player scores alone, the id of the seat."""
SideIds = tuple[SideId, ...]
BySide = Mapping[SideId, int]
"""A number for each side, such as its score, its sets or its cents."""
Bid = int | str
"""A number, or the id of a special bid."""
Call = int | str
"""A bid, or one of `pass`, `pitch` and `take_set`."""
Calls = tuple[tuple[str, Call], ...]
"""Calls in the order in which they were made, each with the id of the caller's seat."""

BIDDERS = "bidders"
"""The role that may stand for the bidding side in an entry."""
DEFENDERS = "defenders"
"""The role that may stand for all defenders in an entry."""
SPECIAL_BIDS = ("smudge", "moon", "double_moon")
PASS, PITCH, TAKE_SET = "pass", "pitch", "take_set"
ThrownIn = Literal["misdeal", "ran_out", "all_passed"]
"""Why a hand was thrown in: a misdeal, a deck that ran out while cards were turned up for trump, or all passing."""
THROWN_IN: tuple[ThrownIn, ...] = ("misdeal", "ran_out", "all_passed")
Forfeit = Literal["game", "match"]
"""What a side loses by a renege: Game in this hand, or the whole match."""
FORFEITS: tuple[Forfeit, ...] = ("game", "match")


class FieldKind(Enum):
    """The kind of value in a field of a hand, in the order in which the change log lists fields."""

    PERSON = auto()
    """The id of a seat or of a side."""
    PARTNER = auto()
    """The id of a seat or of a side; `null` in JSON means that the bidder played alone."""
    BID = auto()
    SUIT = auto()
    TEXT = auto()
    """A few words."""
    THROWN_IN = auto()
    """Why a hand was thrown in."""
    DATE = auto()
    YES_OR_NO = auto()
    """True for yes, false for no; `None` where neither was entered."""
    CHECK = auto()
    """True where a box was checked."""
    TAKEN = auto()
    """Who took each award, by the award's id; `None` where nobody did."""
    NUMBERS = auto()
    """A number for each player, side or role, by id."""
    TIMES = auto()
    """How often each award that scored more than once did so, by the award's id."""
    FORFEITS = auto()
    """What each side lost by a renege, by the side's id."""
    CALLS = auto()
    """All calls of the auction, in order."""
    NOTE = auto()
    RULES = auto()
    """House options that hold from this hand on."""
    SUBSTITUTES = auto()
    """The names of those who substitute from this hand on, by the id of the seat."""


def _optional(kind: FieldKind, label: str) -> Any:
    """Declare a field of `Hand` with its label in the change log; `None` means that nothing was entered."""
    return field(default=None, metadata={"kind": kind, "label": label})


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """One hand as the table entered it, with ids of players or sides.

    The roles `BIDDERS` and `DEFENDERS` may stand for those who took an award, points or card points.
    """

    dealer: str | None = _optional(FieldKind.PERSON, "dealer")
    auction: Calls | None = _optional(FieldKind.CALLS, "the calls")
    bidder: str | None = _optional(FieldKind.PERSON, "bidder")
    bid: Bid | None = _optional(FieldKind.BID, "bid")
    overtook_pitch: bool | None = _optional(FieldKind.CHECK, "led card outbid")
    trump: str | None = _optional(FieldKind.SUIT, "trump")
    called: str | None = _optional(FieldKind.TEXT, "called card")
    partner: str | None = _optional(FieldKind.PARTNER, "partner")
    alone: bool = False
    """Whether the table entered that the bidder plays without a partner."""
    taken: Mapping[str, str | None] | None = _optional(FieldKind.TAKEN, "taken")
    points: Mapping[str, int] | None = _optional(FieldKind.NUMBERS, "points")
    card_points: Mapping[str, int] | None = _optional(FieldKind.NUMBERS, "card points")
    all_tricks: bool | None = _optional(FieldKind.YES_OR_NO, "every trick")
    thrown_in: ThrownIn | None = _optional(FieldKind.THROWN_IN, "redeal")
    house: Answers | None = _optional(FieldKind.RULES, "the rules")
    house_on: str | None = _optional(FieldKind.DATE, "date")
    """The date on which the rules changed as in `house`."""
    note: str | None = _optional(FieldKind.NOTE, "the note")
    penalties: Mapping[str, int] | None = _optional(FieldKind.NUMBERS, "penalty")
    """Points taken off a side for its own misdeal or renege, by side."""
    penalties_to: Mapping[str, int] | None = _optional(FieldKind.NUMBERS, "points for the others’ mistake")
    """Points given to a side for a mistake of the others, such as a misdeal, by side."""
    forfeits: Mapping[str, Forfeit] | None = _optional(FieldKind.FORFEITS, "renege")
    times: Mapping[str, int] | None = _optional(FieldKind.TIMES, "times turned up")
    """How often a card turned up for trump scored, by its award; only numbers above 1."""
    first_there: str | None = _optional(FieldKind.PERSON, "first there")
    """Who pegged the target first, where several reached it and points are pegged as they are taken."""
    sits_in: Mapping[str, str] | None = _optional(FieldKind.SUBSTITUTES, "who sits in")
    """The names of players who substitute from this hand on, by the id of the seat."""

    @property
    def is_played(self) -> bool:
        """Whether takers or points were entered for the hand, and it was not thrown in."""
        return self.thrown_in is None and (self.taken is not None or self.points is not None)

    @property
    def has_only_settings(self) -> bool:
        """Whether it has a dealer, house options or substitutes and nothing else, as set for a next hand."""
        return (
            Hand() != self == Hand(dealer=self.dealer, house=self.house, house_on=self.house_on, sits_in=self.sits_in)
        )

    @property
    def is_redealt(self) -> bool:
        """Whether the hand was thrown in, or has only passes and no play.

        Usually it is dealt again; `HandResult.is_redealt` goes by the rules.
        """
        all_passed = {call for _, call in self.auction or ()} == {PASS}
        return self.thrown_in is not None or (all_passed and not self.is_played)

    @property
    def without_game(self) -> SideIds:
        """The sides that lost Game in the hand by a renege."""
        return tuple(side for side, what in (self.forfeits or {}).items() if what == "game")

    @property
    def has_mistakes(self) -> bool:
        """Whether anything was entered for a mistake, such as a penalty for a renege."""
        return bool(self.penalties or self.penalties_to or self.forfeits)

    @property
    def has_entry_for_defenders(self) -> bool:
        """Whether anything was entered for all defenders together, as the role `DEFENDERS`."""
        taken, points, card_points = self.taken or {}, self.points or {}, self.card_points or {}
        return DEFENDERS in taken.values() or DEFENDERS in points or DEFENDERS in card_points


@dataclass(frozen=True, slots=True)
class HandField:
    """The name, the kind and the label of one field of a hand."""

    name: str
    kind: FieldKind
    label: str
    """The field's name in the change log."""


HAND_FIELDS: tuple[HandField, ...] = tuple(
    HandField(item.name, item.metadata["kind"], item.metadata["label"]) for item in fields(Hand) if item.metadata
)
"""Every field of a hand that has a label, in the order of a record's file."""


class Contract(NamedTuple):
    """The result of a hand's bidding, such as who has to make which bid."""

    bidder: str | None = None
    bid: Bid | None = None
    overtook_pitch: bool = False
    """Whether the bid was made over another player's led card."""
    all_passed: bool = False
    """Whether all players passed, by the calls entered."""
    set_taken_by: str | None = None
    """The dealer who accepted being set instead of bidding after all others passed; `None` where nobody did."""
    dealer: str | None = None
    """The player who dealt, as found from the entered calls; `None` without any."""

    @property
    def is_bid(self) -> bool:
        """Whether somebody bid, and so has a bid to make."""
        return self.bidder is not None and self.bid is not None


def people_in(hand: Hand) -> Iterator[tuple[str, str]]:
    """Yield the path ("points.s1") and the id of each player or side that is entered in a hand.

    Roles such as `BIDDERS` are left out, and so are the seats in `sits_in`.
    """
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
            case FieldKind.NUMBERS | FieldKind.FORFEITS:
                people = ((f"{name}.{who}", who) for who in value)
            case _:
                pass
        yield from ((path, who) for path, who in people if who is not None and who not in (BIDDERS, DEFENDERS))


def with_ids(hand: Hand, ids: Mapping[str, str]) -> Hand:
    """Return a hand with new ids of players and sides; raises `KeyError` for an id that is not in `ids`.

    The numbers of ids that become the same are added up. The seats in `sits_in` are not replaced.
    """
    new_ids = {BIDDERS: BIDDERS, DEFENDERS: DEFENDERS, **ids}
    changed: dict[str, Any] = {}
    for item in HAND_FIELDS:
        value = getattr(hand, item.name)
        match item.kind:
            case _ if value is None:
                pass
            case FieldKind.PERSON | FieldKind.PARTNER:
                changed[item.name] = new_ids[value]
            case FieldKind.CALLS:
                changed[item.name] = tuple((new_ids[who], call) for who, call in value)
            case FieldKind.TAKEN:
                changed[item.name] = {award: None if who is None else new_ids[who] for award, who in value.items()}
            case FieldKind.NUMBERS:
                counts = changed[item.name] = Counter[str]()
                for who, number in value.items():
                    counts[new_ids[who]] += number
            case FieldKind.FORFEITS:
                changed[item.name] = {new_ids[who]: what for who, what in value.items()}
            case _:
                pass
    return replace(hand, **changed)
