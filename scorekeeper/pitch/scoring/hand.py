"""One hand as it was entered, and the table of all fields that a hand can have.

A new field of `Hand` needs only a kind and a label, because all code that handles every field goes by `HAND_FIELDS`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum, auto
from typing import Any, Literal, NamedTuple

from scorekeeper.pitch.rules.schema import Answers

SideId = str
"""The id of a side. A side that is one player has the id of the player's seat."""
SideIds = tuple[SideId, ...]
BySide = Mapping[SideId, int]
"""A number for each side, keyed by the side: its score, its sets or its cents."""
Bid = int | str
"""A bid that is a number, or the id of a special bid: "moon"."""
Call = int | str
"""What a player may say in the auction: a bid, "pass", "pitch" or "take_set"."""
Calls = tuple[tuple[str, Call], ...]
"""The calls of an auction in order, each with the id of the caller's seat."""

BIDDERS = "bidders"
"""The word that may stand for the bidding side where a hand's entries name a side."""
DEFENDERS = "defenders"
"""The word that may stand for all defenders together where a hand's entries name a side."""
SPECIAL_BIDS = ("smudge", "moon", "double_moon")
PASS, PITCH, TAKE_SET = "pass", "pitch", "take_set"
ThrownInReason = Literal["misdeal", "ran_out", "all_passed"]
"""Why a hand was thrown in: for a misdeal, because the deck ran out while cards were turned up for trump, or because
all passed."""
THROWN_IN_REASONS: tuple[ThrownInReason, ...] = ("misdeal", "ran_out", "all_passed")
Forfeit = Literal["game", "match"]
"""What a side loses by a renege: Game in this hand, or the whole match."""
FORFEITS: tuple[Forfeit, ...] = ("game", "match")


class FieldKind(Enum):
    """The kind of value in a field of a hand.

    The change log lists the fields of a hand in this order.
    """

    PERSON = auto()
    """The id of a seat or of a side."""
    PARTNER = auto()
    """The id of a seat or of a side. In JSON, `null` means that the bidder played alone."""
    BID = auto()
    SUIT = auto()
    TEXT = auto()
    """A few words."""
    THROWN_IN = auto()
    """Why a hand was thrown in."""
    DATE = auto()
    YES_OR_NO = auto()
    """True for yes, false for no, and `None` where neither was entered."""
    CHECK = auto()
    """True where a box was checked."""
    TAKEN = auto()
    """The side or player who took each award, keyed by award; `None` for an award that nobody took."""
    NUMBERS = auto()
    """A number for each player, side or role such as `BIDDERS`, keyed by id."""
    TIMES = auto()
    """How often each award that scored more than once did so, keyed by award."""
    FORFEITS = auto()
    """What each side lost by a renege, keyed by side."""
    CALLS = auto()
    """All calls of the auction, in order."""
    NOTE = auto()
    RULES = auto()
    """House options that hold from this hand on."""
    SUBSTITUTES = auto()
    """The names of those who substitute from this hand on, keyed by the id of the seat."""


def _optional_field(kind: FieldKind, label: str) -> Any:
    """Declare a field of `Hand`, which is `None` where nothing was entered.

    `label` is the field's name in the change log.
    """
    return field(default=None, metadata={"kind": kind, "label": label})


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """One hand as the table entered it, with ids of players or sides.

    The words `BIDDERS` and `DEFENDERS` may stand for those who took an award, points or card points.
    """

    dealer: str | None = _optional_field(FieldKind.PERSON, "dealer")
    auction: Calls | None = _optional_field(FieldKind.CALLS, "the calls")
    bidder: str | None = _optional_field(FieldKind.PERSON, "bidder")
    bid: Bid | None = _optional_field(FieldKind.BID, "bid")
    overtook_pitch: bool | None = _optional_field(FieldKind.CHECK, "led card outbid")
    trump: str | None = _optional_field(FieldKind.SUIT, "trump")
    called: str | None = _optional_field(FieldKind.TEXT, "called card")
    partner: str | None = _optional_field(FieldKind.PARTNER, "partner")
    alone: bool = False
    """Whether the table entered that the bidder plays without a partner."""
    taken: Mapping[str, str | None] | None = _optional_field(FieldKind.TAKEN, "taken")
    points: Mapping[str, int] | None = _optional_field(FieldKind.NUMBERS, "points")
    card_points: Mapping[str, int] | None = _optional_field(FieldKind.NUMBERS, "card points")
    all_tricks: bool | None = _optional_field(FieldKind.YES_OR_NO, "every trick")
    thrown_in: ThrownInReason | None = _optional_field(FieldKind.THROWN_IN, "redeal")
    house: Answers | None = _optional_field(FieldKind.RULES, "the rules")
    house_on: str | None = _optional_field(FieldKind.DATE, "date")
    """The date on which the rules changed to those in `house`."""
    note: str | None = _optional_field(FieldKind.NOTE, "the note")
    penalties: Mapping[str, int] | None = _optional_field(FieldKind.NUMBERS, "penalty")
    """The points taken off a side for its own misdeal or renege, keyed by side."""
    penalties_to: Mapping[str, int] | None = _optional_field(FieldKind.NUMBERS, "points for the others’ mistake")
    """The points given to a side for a mistake of the others, such as a misdeal, keyed by side."""
    forfeits: Mapping[str, Forfeit] | None = _optional_field(FieldKind.FORFEITS, "renege")
    times: Mapping[str, int] | None = _optional_field(FieldKind.TIMES, "times turned up")
    """How often a card turned up for trump scored, keyed by its award. Only numbers above 1 are there."""
    first_there: str | None = _optional_field(FieldKind.PERSON, "first there")
    """Who pegged the target first. It is entered where several reached it and points are pegged as they are taken."""
    sits_in: Mapping[str, str] | None = _optional_field(FieldKind.SUBSTITUTES, "who sits in")
    """The names of players who substitute from this hand on, keyed by the id of the seat."""

    @property
    def is_played(self) -> bool:
        """Whether takers or points were entered for a hand that was not thrown in."""
        return self.thrown_in is None and (self.taken is not None or self.points is not None)

    @property
    def has_only_settings(self) -> bool:
        """Whether the hand has only what is set before it: a dealer, house options or substitutes.

        It has at least one of them.
        """
        return (
            Hand() != self == Hand(dealer=self.dealer, house=self.house, house_on=self.house_on, sits_in=self.sits_in)
        )

    @property
    def is_redealt(self) -> bool:
        """Whether the hand was thrown in, or has only passes and no play.

        By some rules it is played or counted all the same; `HandResult.is_redealt` goes by the rules.
        """
        all_passed = {call for _, call in self.auction or ()} == {PASS}
        return self.thrown_in is not None or (all_passed and not self.is_played)

    @property
    def sides_without_game(self) -> SideIds:
        """The sides that lost Game in the hand by a renege."""
        return tuple(side for side, forfeit in (self.forfeits or {}).items() if forfeit == "game")

    @property
    def has_mistakes(self) -> bool:
        """Whether a penalty, points for others' mistakes or a forfeit was entered."""
        return bool(self.penalties or self.penalties_to or self.forfeits)

    @property
    def has_entry_for_defenders(self) -> bool:
        """Whether anything was entered for all defenders together, as `DEFENDERS`."""
        taken = self.taken or {}
        points = self.points or {}
        card_points = self.card_points or {}
        return DEFENDERS in taken.values() or DEFENDERS in points or DEFENDERS in card_points


@dataclass(frozen=True, slots=True)
class HandField:
    """The name, the kind and the label of one field of a hand."""

    name: str
    kind: FieldKind
    label: str
    """The name of the field in the change log."""


HAND_FIELDS: tuple[HandField, ...] = tuple(
    HandField(hand_field.name, hand_field.metadata["kind"], hand_field.metadata["label"])
    for hand_field in fields(Hand)
    if hand_field.metadata
)
"""Every field of a hand that has a label, in the order in which a record has them."""


class Contract(NamedTuple):
    """How a hand's bidding ended: who has to make which bid, or why nobody has."""

    bidder: str | None = None
    bid: Bid | None = None
    overtook_pitch: bool = False
    """Whether the bid was made over another player's led card."""
    all_passed: bool = False
    """Whether the entered calls show that all players passed."""
    set_taken_by: str | None = None
    """The dealer, if all others passed and the dealer went set instead of bidding; otherwise `None`."""
    dealer: str | None = None
    """The player who dealt, as the entered calls show; `None` without calls."""

    @property
    def is_bid(self) -> bool:
        """Whether somebody bid, and so has a bid to make."""
        return self.bidder is not None and self.bid is not None


def people_in(hand: Hand) -> Iterator[tuple[str, str]]:
    """Yield the id of each player or side that is entered in a hand, with its path: `("points.s1", "s1")`.

    `BIDDERS` and `DEFENDERS` are left out, and so are the seats in `sits_in`.
    """
    for hand_field in HAND_FIELDS:
        name, value = hand_field.name, getattr(hand, hand_field.name)
        ids_with_paths: Iterable[tuple[str, str | None]] = ()
        match hand_field.kind:
            case _ if value is None:
                pass
            case FieldKind.PERSON | FieldKind.PARTNER:
                ids_with_paths = [(name, value)]
            case FieldKind.CALLS:
                ids_with_paths = ((f"{name}.{index}", who) for index, (who, _) in enumerate(value))
            case FieldKind.TAKEN:
                ids_with_paths = ((f"{name}.{award}", who) for award, who in value.items())
            case FieldKind.NUMBERS | FieldKind.FORFEITS:
                ids_with_paths = ((f"{name}.{who}", who) for who in value)
            case _:
                pass
        yield from ((path, who) for path, who in ids_with_paths if who is not None and who not in (BIDDERS, DEFENDERS))


def with_ids(hand: Hand, new_id_by_id: Mapping[str, str]) -> Hand:
    """Return a hand with other ids of players and sides; `new_id_by_id` has the new ids, keyed by the old ones.

    The numbers of ids that become the same are added up. The seats in `sits_in` stay. Raises `KeyError` for an id that
    has no new one.
    """
    new_id_by_entry = {BIDDERS: BIDDERS, DEFENDERS: DEFENDERS, **new_id_by_id}
    changed_fields: dict[str, Any] = {}
    for hand_field in HAND_FIELDS:
        value = getattr(hand, hand_field.name)
        match hand_field.kind:
            case _ if value is None:
                pass
            case FieldKind.PERSON | FieldKind.PARTNER:
                changed_fields[hand_field.name] = new_id_by_entry[value]
            case FieldKind.CALLS:
                changed_fields[hand_field.name] = tuple((new_id_by_entry[who], call) for who, call in value)
            case FieldKind.TAKEN:
                changed_fields[hand_field.name] = {
                    award: None if who is None else new_id_by_entry[who] for award, who in value.items()
                }
            case FieldKind.NUMBERS:
                number_by_id = changed_fields[hand_field.name] = Counter[str]()
                for who, number in value.items():
                    number_by_id[new_id_by_entry[who]] += number
            case FieldKind.FORFEITS:
                changed_fields[hand_field.name] = {new_id_by_entry[who]: forfeit for who, forfeit in value.items()}
            case _:
                pass
    return replace(hand, **changed_fields)
