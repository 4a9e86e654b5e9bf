"""What was tapped and typed of a hand: read from the fields of its form, written back to them, and as a hand.

Everybody is known by id, as in the store: `p1`, `s1`, `bidders`, `defenders`, and `nobody` for a point that nobody
took.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from scorekeeper.eventlog.refusals import HandRefused, refuse_any
from scorekeeper.pages.hand.fields import (
    ALONE,
    AWARD_FIELD,
    CALLS_FIELD,
    CARD_FIELD,
    COPIES_FIELD,
    COUNT_FIELD,
    DEALT_FIELD,
    GIVEN_FIELD,
    MAX_CALLS_LENGTH,
    MAX_FIELD_LENGTH,
    NOBODY,
    OTHERS_FIELD,
    PART_FIELDS,
    PASSED_FIELD,
    PILE_FIELD,
    SKIPPED,
    TIMES_FIELD,
    UNBOUND_FIELD,
    WORD_FIELDS,
    calls_text,
    calls_with_tapped,
    number_or_text,
    parts,
    read_bid,
    read_piles,
    read_taken,
)
from scorekeeper.pitch.records.hand_json import read_hand
from scorekeeper.pitch.rules.awards import AWARD_IDS, AwardId
from scorekeeper.pitch.scoring.hand import BIDDERS, DEFENDERS, SPECIAL_BIDS, TAKE_SET, Bid, Calls, Hand, SideId

_YES_OR_NO = {"yes": True, "no": False}
_AFTER_BIDDING = ("trump", "called", "partner", "all_tricks")
_KEPT_UNASKED = (AWARD_FIELD, COUNT_FIELD, PILE_FIELD, CARD_FIELD, GIVEN_FIELD, COPIES_FIELD, "first_there")
"""Prefixes of the fields that are kept while the page does not show them."""


class EntryMode(StrEnum):
    """How a hand is entered: by awards, by the points of each side, or call by call and then as one of these."""

    CARDS = "cards"
    COUNTS = "counts"
    AUCTION = "auction"


Parts = Mapping[str, str]
"""The texts typed, by award or by taker."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandInput:
    """What has been tapped and typed of a hand; anything may be missing.

    A number that somebody typed is a text: whatever it is, the page shows it again.
    """

    by_auction: bool = False
    """Whether the auction is entered call by call."""
    by_counts: bool = False
    """Whether the points of each side are entered, and not who took each award."""
    dealer: str = ""
    calls: Calls = ()
    is_unbound: bool = False
    """Whether all passed, and the hand is played without a bid."""
    bidder: str = ""
    bid: str = ""
    overtook_pitch: bool = False
    trump: str = ""
    """A suit, or `skip`."""
    called: str = ""
    partner: str = ""
    """A player, or `alone`."""
    all_tricks: bool | None = None
    thrown_in: str = ""
    first_there: str = ""
    taken: Parts = field(default_factory=dict)
    points: Parts = field(default_factory=dict)
    card_points: Parts = field(default_factory=dict)
    cards: Parts = field(default_factory=dict)
    """The cards from which the card points were tapped, by whose pile they are in and their rank: `s1-10`."""
    copies: Parts = field(default_factory=dict)
    """More of the cards that are alike than there are, by their row and their taker: `five_1.five_2-s1`."""
    penalties: Parts = field(default_factory=dict)
    penalties_to: Parts = field(default_factory=dict)
    others: tuple[SideId, ...] = ()
    """Every side, where a penalty is given to the others and not taken off."""
    forfeits: Mapping[SideId, str] = field(default_factory=dict)
    times: Parts = field(default_factory=dict)

    @classmethod
    def parse(cls, fields: Mapping[str, str], people: Iterable[str]) -> "HandInput":
        """Read the form that a table with these players and sides posted; fields that it does not have are dropped.

        What makes no sense in a field is left for the rules to refuse.
        """
        people = tuple(people)
        takers = (*people, BIDDERS, DEFENDERS, NOBODY)
        fields = {
            name: text[: MAX_CALLS_LENGTH if name == CALLS_FIELD else MAX_FIELD_LENGTH] for name, text in fields.items()
        }
        entered: dict[str, Any] = {name: fields.get(name, "") for name in WORD_FIELDS} | read_bid(fields)
        entered |= {name: parts(fields, PART_FIELDS[name], takers) for name in ("points", "penalties", "penalties_to")}
        entered["times"] = parts(fields, TIMES_FIELD, AWARD_IDS)
        entered["taken"], entered["copies"] = read_taken(fields, takers)
        entered["card_points"], entered["cards"] = read_piles(fields, takers)
        entered["calls"] = calls_with_tapped(fields)
        entered["by_auction"], entered["by_counts"] = _modes(fields)
        if entered["dealer"] == fields.get(DEALT_FIELD) and not entered["calls"]:
            # Nobody chose the dealer that the page came with; calls were made from that dealer's left.
            entered["dealer"] = ""
        return cls(
            **entered,
            is_unbound=(fields.get(PASSED_FIELD) or fields.get(UNBOUND_FIELD)) == "yes",
            overtook_pitch=fields.get("overtook_pitch") == "yes",
            all_tricks=_YES_OR_NO.get(fields.get("all_tricks", "")),
            others=tuple(who for who in people if who in fields.get(OTHERS_FIELD, "").split()),
            forfeits=dict(part.split(":", 1) for part in fields.get("forfeits", "").split() if ":" in part),
        )

    @classmethod
    def from_hand(cls, hand: Hand, sides: Sequence[SideId] = ()) -> "HandInput":
        """Return a stored hand as it would be entered; what one of the `sides` gave to the others is its penalty."""
        given = hand.penalties_to or {}
        makers = [side for side in sides if side not in given]
        is_given_to_others = given and not hand.penalties and len(makers) == 1 and len(set(given.values())) == 1
        of_a_bid = (hand.auction, hand.bidder, hand.bid, hand.overtook_pitch, hand.partner, hand.called)
        has_bid = hand.alone or any(value is not None for value in of_a_bid)
        entered: dict[str, Any] = {name: str(getattr(hand, name) or "") for name in WORD_FIELDS}
        entered |= {name: _as_typed(getattr(hand, name)) for name in PART_FIELDS if hasattr(hand, name)}
        entered |= {"trump": hand.trump or SKIPPED} if hand.bidder else {}
        entered |= {"partner": ALONE} if hand.alone else {}
        if is_given_to_others:
            entered |= {
                "penalties": _as_typed({makers[0]: max(given.values())}),
                "penalties_to": {},
                "others": tuple(sides),
            }
        return cls(
            **entered,
            by_auction=hand.auction is not None,
            by_counts=hand.points is not None,
            calls=hand.auction or (),
            is_unbound=hand.is_played and not has_bid,
            overtook_pitch=bool(hand.overtook_pitch),
            all_tricks=hand.all_tricks,
            forfeits=hand.forfeits or {},
        )

    @classmethod
    def in_mode(cls, mode: str) -> "HandInput":
        """Return an empty input in this mode; by awards where there is no such mode."""
        return cls(by_auction=mode == EntryMode.AUCTION, by_counts=mode == EntryMode.COUNTS)

    @property
    def mode(self) -> EntryMode:
        """How the hand is entered."""
        return EntryMode.AUCTION if self.by_auction else self.taken_mode

    @property
    def taken_mode(self) -> EntryMode:
        """How it is entered who took what."""
        return EntryMode.COUNTS if self.by_counts else EntryMode.CARDS

    def fields(self) -> Iterator[tuple[str, str]]:
        """Yield the fields that are parsed as this input."""
        yield "by", self.mode.value
        if self.by_auction:
            yield "taking", self.taken_mode.value
        yield from self.answers()

    def answers(self) -> Iterator[tuple[str, str]]:
        """Yield every field of the form that was filled in."""
        words = {name: getattr(self, name) for name in WORD_FIELDS}
        words |= {
            CALLS_FIELD: calls_text(self.calls),
            UNBOUND_FIELD: "yes" if self.is_unbound else "",
            "overtook_pitch": "yes" if self.overtook_pitch else "",
            "all_tricks": {True: "yes", False: "no", None: ""}[self.all_tricks],
            "forfeits": " ".join(f"{who}:{what}" for who, what in self.forfeits.items()),
            OTHERS_FIELD: " ".join(self.others),
        }
        yield from ((name, text) for name, text in words.items() if text)
        for name, prefix in PART_FIELDS.items():
            yield from ((f"{prefix}{part}", text) for part, text in getattr(self, name).items())

    def unasked_fields(self, asked: Container[str], *, is_before_play: bool) -> Iterator[tuple[str, str]]:
        """Yield the answers to questions that the page does not show now, to be kept until it shows them again."""
        waiting = _AFTER_BIDDING if is_before_play else ()
        for name, text in self.answers():
            if name in waiting or (name.startswith(_KEPT_UNASKED) and name not in asked):
                yield name, text

    def hand(self) -> Hand:
        """Return the hand, as far as it was entered; raises `HandRefused` for what is no hand by its shape."""
        hand, faults = read_hand(dict(self._as_json()))
        refuse_any(faults, HandRefused)
        return hand

    def _as_json(self) -> Iterator[tuple[str, Any]]:
        yield "dealer", self.dealer or None
        yield "forfeits", dict(self.forfeits) or None
        penalties, others = _numbers(self.penalties), self.others
        if others and penalties:
            yield "penalties_to", _given_to_others(penalties, others)
        else:
            yield "penalties", penalties
            yield "penalties_to", _numbers(self.penalties_to)
        if self.thrown_in:
            # To take the set is a call, for which there is no word of its own here.
            yield "thrown_in", None if self.thrown_in == TAKE_SET else self.thrown_in
            return
        if self.by_auction:
            yield "auction", [list(call) for call in self.calls]
        elif not self.is_unbound:
            yield "bidder", self.bidder or None
            yield "bid", number_or_text(self.bid) if self.bid else None
            yield "overtook_pitch", self.overtook_pitch or None
        if not self.is_unbound:
            yield "called", self.called.strip() or None
            if self.partner:
                yield "partner", None if self.partner == ALONE else self.partner
        yield "trump", self.trump if self.trump not in ("", SKIPPED) else None
        if self.by_counts:
            yield "points", {who: number_or_text(text) for who, text in self.points.items()}
        else:
            yield "taken", {award: None if who == NOBODY else who for award, who in self.taken.items()}
        yield "card_points", _numbers(self.card_points)
        yield "all_tricks", self.all_tricks
        yield "times", _numbers(self.times)
        yield "first_there", self.first_there or None

    @property
    def bid_made(self) -> Bid | None:
        """The bid; `None` where there is none yet, or none that any game has."""
        bid = number_or_text(self.bid)
        return bid if isinstance(bid, int) or bid in SPECIAL_BIDS else None

    @property
    def counts(self) -> dict[str, int]:
        """The points of each column, where a number was entered."""
        return {who: int(n) for who, n in self.points.items() if n.isdecimal() and len(n) < 4}

    def cards_in(self, who: str) -> Mapping[str, str]:
        """Return the cards in somebody's pile: how many of each rank."""
        return parts(self.cards, f"{who}-")

    @property
    def has_mistakes(self) -> bool:
        """Whether something was entered for a mistake, or for a card that was turned up more than once."""
        return any((self.penalties, self.penalties_to, self.others, self.forfeits, self.times))

    def with_counts(self, counts: Mapping[str, int]) -> "HandInput":
        """Return the input with these points of each column."""
        return replace(self, points={**self.points, **_as_typed(counts)})

    def with_rest(self, awards: Iterable[AwardId], who: str) -> "HandInput":
        """Return the input with these awards to somebody, where nobody has them yet."""
        return replace(self, taken={**dict.fromkeys(awards, who), **self.taken})


def _as_typed(values: Mapping[str, object] | None) -> dict[str, str]:
    return {part: NOBODY if value is None else str(value) for part, value in (values or {}).items()}


def _numbers(typed: Parts) -> dict[str, Any] | None:
    """Return numbers that are entered in few hands; `None` where none was."""
    return {who: number_or_text(text) for who, text in typed.items()} or None


def _given_to_others(penalties: Mapping[str, Any], sides: Sequence[SideId]) -> dict[str, Any]:
    """Return what every other side is given for the penalty of each."""
    given: dict[str, Any] = {}
    for maker, points in penalties.items():
        for side in sides:
            if side != maker:
                is_sum = isinstance(points, int) and isinstance(given.get(side, 0), int)
                given[side] = points + given.get(side, 0) if is_sum else points
    return given


def _modes(fields: Mapping[str, str]) -> tuple[bool, bool]:
    """Read whether the auction and the points are entered; the mode that was just tapped replaces the one before."""
    before, tapped = fields.get("by", ""), fields.get("way", "")
    mode = tapped or before
    if mode != EntryMode.AUCTION:
        return False, mode == EntryMode.COUNTS
    has_counts = any(name.startswith(COUNT_FIELD) and text for name, text in fields.items())
    # Counts that are there already remain what is entered.
    return True, fields.get("taking") == EntryMode.COUNTS or (before == EntryMode.COUNTS and has_counts)
