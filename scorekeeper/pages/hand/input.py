"""The input of a hand: parsed from form fields, written back to form fields, and converted to a `Hand`.

Players and sides have the ids of the event log (`p1`, `s1`). Phones keep forms for days, so the names of fields never
change.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from scorekeeper.eventlog.stream import HandRefused, refuse_any
from scorekeeper.pitch.records.json_parser import MAX_CALLS, read_hand
from scorekeeper.pitch.rules.awards import AWARD_IDS, CARD_POINTS
from scorekeeper.pitch.rules.entered_text import fields_with_prefix, parse_number_or_text
from scorekeeper.pitch.rules.faults import MAX_CARDS_OF_RANK
from scorekeeper.pitch.scoring.hand import BIDDERS, DEFENDERS, SPECIAL_BIDS, TAKE_SET, Bid, Call, Calls, Hand, SideId
from scorekeeper.pitch.text.phrases import group_by_key

NOBODY = "nobody"
"""The taker of an award that no side won."""
ALONE = "alone"
"""The form's word for no partner: the bidder plays alone."""
SKIPPED_TRUMP = "skip"
"""The form's word for no trump suit, as the person skipped the question."""

AWARD_PREFIX, POINTS_PREFIX, PILE_PREFIX, CARD_PREFIX, PENALTY_PREFIX = "took-", "count-", "pile-", "cards-", "penalty-"
"""Prefixes of fields for takers of awards, points, card points, numbers of cards in piles, and penalties.

The award follows the first; a column or side follows the others, with the rank for cards.
"""
GIVEN_PREFIX, TIMES_PREFIX, COPIES_PREFIX = "given-", "times-", "copies-"
"""Prefixes of fields for points given to a side by penalties, times an award scored, and numbers of alike cards.

The side, the award, or the row of alike cards and its taker follow.
"""
PENALTY_RECIPIENTS_FIELD = "others"
"""The field with the ids of all sides, if penalties are given to the other sides instead of subtracted."""
CALLS_FIELD, TAPPED_CALL_FIELD = "calls", "say"
"""The fields with the earlier calls of an auction, and with the call just tapped."""
TYPED_BID_FIELD = "bid-number"
"""The field for typing a bid that has no button."""
UNBOUND_FIELD = "unbound"
"""The field that is "yes" if the hand is played without a bid, as all passed."""
SHOWN_RESULT_FIELD = "shown"
"""The field with the result that the save button showed, so that no other result is saved."""

WORD_FIELDS = ("dealer", "bidder", "bid", "trump", "called", "partner", "thrown_in", "first_there")
"""The form fields that hold one word and have the same names as fields of `Hand`."""
PREFIX_BY_MAPPING = {
    "taken": AWARD_PREFIX,
    "points": POINTS_PREFIX,
    "card_points": PILE_PREFIX,
    "cards": CARD_PREFIX,
    "excess_copies": COPIES_PREFIX,
    "penalties": PENALTY_PREFIX,
    "penalties_to": GIVEN_PREFIX,
    "times": TIMES_PREFIX,
}
"""The prefix of the form fields for each mapping in `HandInput`, by the mapping's name."""
MAX_FIELD_LENGTH = 200
"""The most characters read of a form field other than that of the calls."""
MAX_CALLS_LENGTH = 8 * MAX_CALLS
"""The most characters read of the form field with the calls."""


# ---------- the bid and the calls ----------


def read_bid(fields: Mapping[str, str]) -> dict[str, str]:
    """Return the bidder, bid and partner that were just tapped or typed, by field of `HandInput`.

    Fields that were neither tapped nor typed are left out.
    """
    bidder, _, bid = fields.get("call", "").partition(":")
    paired, _, partner = fields.get("pair", "").partition(":")
    found = {"bidder": bidder or paired, "bid": bid or _typed_bid(fields), "partner": partner}
    return {name: text for name, text in found.items() if text}


def _typed_bid(fields: Mapping[str, str]) -> str:
    """Return the typed bid; empty if a bid was tapped after it was typed."""
    typed = fields.get(TYPED_BID_FIELD, "").strip()
    return typed if typed != fields.get("bid-before", "") or not fields.get("bid") else ""


def calls_with_tapped(fields: Mapping[str, str]) -> Calls:
    """Return the earlier calls and the one just tapped or typed.

    A tap on an earlier call removes it and all after it. A second tap on the same button adds nothing.
    """
    calls = read_calls(fields.get(CALLS_FIELD, ""))
    index, _, call = tapped_call(fields).partition(":")
    number = parse_number_or_text(index)
    return (*calls[:number], *read_calls(call)[:1]) if isinstance(number, int) else calls


def tapped_call(fields: Mapping[str, str]) -> str:
    """Return the call just tapped or typed, with its index: "2:p1:3"; empty without one.

    For a tap on an earlier call, only its index.
    """
    typed = "".join(fields.get(TYPED_BID_FIELD, "").split())
    is_sent = typed and (fields.get("do") or fields.get("rest"))
    tapped = fields.get(TAPPED_CALL_FIELD) or (fields.get("say-next", "") if is_sent else "")
    if not tapped.endswith(":"):
        return tapped
    return f"{tapped}{typed}" if typed else ""


def read_calls(text: str) -> Calls:
    """Parse the text of the form field with the calls, "p2:pass p3:3"; at most `MAX_CALLS` + 1 are read."""
    words = (word.partition(":") for word in text.split()[: MAX_CALLS + 1])
    return tuple((who, parse_number_or_text(call)) for who, _, call in words)


def calls_text(calls: Iterable[Iterable[Call]]) -> str:
    """Return calls, each a pair of a player and a call, as the text of their form field: "p2:pass p3:3"."""
    return " ".join(f"{who}:{call}" for who, call in calls)


# ---------- who took what ----------


def read_sums_and_cards(fields: Mapping[str, str], takers: Iterable[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the card points of each pile by taker, and the numbers of tapped cards by taker and rank.

    A sum that was typed replaces the tapped cards of its pile.
    """
    sums: dict[str, str] = {}
    cards: dict[str, str] = {}
    for who in takers:
        typed = fields.get(f"{PILE_PREFIX}{who}", "").strip()
        counts = {rank: parse_number_or_text(fields.get(f"{CARD_PREFIX}{who}-{rank}", "")) for rank in CARD_POINTS}
        tapped = {rank: n for rank, n in counts.items() if isinstance(n, int) and 0 < n <= MAX_CARDS_OF_RANK}
        total = str(sum(CARD_POINTS[rank] * count for rank, count in tapped.items()))
        if total != "0" and typed in ("", fields.get(f"sum-{who}", ""), total):
            sums[who] = total
            cards |= {f"{who}-{rank}": str(count) for rank, count in tapped.items()}
        elif typed:
            sums[who] = typed
    return sums, cards


def read_takers_and_excess(fields: Mapping[str, str], takers: Container[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the taker of each award, and the numbers of alike cards where they exceed the deck, by row and taker.

    A taker of Game that the page derived from card points is left out.
    """
    taken, excess = fields_with_prefix(fields, AWARD_PREFIX, AWARD_IDS), dict[str, str]()
    copies = ((*name.partition("-"), text) for name, text in fields_with_prefix(fields, COPIES_PREFIX).items())
    for row, counts in group_by_key((row, (who, text)) for row, _, who, text in copies if who in takers).items():
        awards = row.split(".")
        if len(awards) < 2 or not set(awards) <= set(AWARD_IDS):
            continue
        too_many = len(awards) + 1
        numbers = ((who, int(text) if text.isdecimal() and len(text) == 1 else too_many) for who, text in counts)
        who_took = [who for who, number in numbers for _ in range(number)]
        if len(who_took) >= too_many:
            excess |= {f"{row}-{who}": text for who, text in counts}
        else:
            taken |= zip(awards, who_took, strict=False)
    decided = fields_with_prefix(fields, "decided-")
    return {award: who for award, who in taken.items() if decided.get(award) != who}, excess


_YES_NO_VALUES = {"yes": True, "no": False}
"""The value of a yes-or-no field, by its word."""


class EntryMode(StrEnum):
    """The way to enter a hand: by takers of awards, by points of sides, or call by call and then by one of these."""

    CARDS = "cards"
    """By takers of awards."""
    POINTS = "counts"
    """By the points of each side."""
    AUCTION = "auction"
    """Call by call, and then by takers or points."""


EnteredTexts = Mapping[str, str]
"""Texts as typed or tapped, by award, by taker, or by taker and card."""


@dataclass(frozen=True, kw_only=True)
class HandInput:
    """The input of a hand so far; every field may still be empty.

    The takers are columns of the form: the sides, or `bidders` and `defenders`. Numbers are kept as typed, even if
    invalid.
    """

    by_auction: bool
    """Whether the auction is entered call by call."""
    by_points: bool
    """Whether the points of each side are entered, rather than the takers of awards."""
    dealer: str
    calls: Calls
    is_unbound: bool
    """Whether the hand is played without a bid, as all passed."""
    bidder: str
    bid: str
    overtook_pitch: bool
    """Whether the dealer outbid a player who had already led a card."""
    trump: str
    """A suit, or `skip` for a skipped question."""
    called: str
    """The rank of the card whose holder the bidder called as partner."""
    partner: str
    """The id of a player, or `alone`."""
    all_tricks: bool | None
    """Whether the bidding side took every trick; `None` if that was not entered."""
    thrown_in: str
    """Why the hand was not played; empty for a played hand."""
    first_there: str
    """The side that pegged the target first."""
    taken: EnteredTexts
    """The taker of each award, by award."""
    points: EnteredTexts
    """The points of each column, by column."""
    card_points: EnteredTexts
    """The card points in each column's pile, by column."""
    cards: EnteredTexts
    """The numbers of cards that were tapped in piles, by column and rank: `s1-10`."""
    excess_copies: EnteredTexts
    """Numbers of alike cards that exceed the deck, by row and taker: `five_1.five_2-s1`."""
    penalties: EnteredTexts
    """The points of each side's penalty: subtracted, or with `penalty_recipients`, given to the other sides."""
    penalties_to: EnteredTexts
    """The points that penalties give to each side, by side."""
    penalty_recipients: tuple[SideId, ...]
    """All sides, if a penalty is given to the sides other than the penalized one; empty if it is subtracted."""
    forfeits: Mapping[SideId, str]
    """The loss by a renege, `game` or `match`, besides points, by side."""
    times: EnteredTexts
    """How often a card turned up scored, by its award."""

    @classmethod
    def parse(cls, fields: Mapping[str, str], people: Iterable[str]) -> "HandInput":
        """Return the input in a posted form; `people` are the ids of all players and sides.

        Unknown takers of points and penalties are dropped; other invalid values stay, for the rules to refuse.
        """
        people = tuple(people)
        takers = (*people, BIDDERS, DEFENDERS, NOBODY)
        fields = {
            name: text[: MAX_CALLS_LENGTH if name == CALLS_FIELD else MAX_FIELD_LENGTH] for name, text in fields.items()
        }
        entered: dict[str, Any] = {name: fields.get(name, "") for name in WORD_FIELDS} | read_bid(fields)
        entered |= {
            name: fields_with_prefix(fields, PREFIX_BY_MAPPING[name], takers)
            for name in ("points", "penalties", "penalties_to")
        }
        entered["times"] = fields_with_prefix(fields, TIMES_PREFIX, AWARD_IDS)
        entered["taken"], entered["excess_copies"] = read_takers_and_excess(fields, takers)
        entered["card_points"], entered["cards"] = read_sums_and_cards(fields, takers)
        entered["calls"] = calls_with_tapped(fields)
        entered["by_auction"], entered["by_points"] = _read_modes(fields)
        if entered["dealer"] == fields.get("dealt") and not entered["calls"]:
            # The dealer is the one that the page assumed, and was not chosen; with calls, it decides their order.
            entered["dealer"] = ""
        return cls(
            **entered,
            is_unbound=(fields.get("passed") or fields.get(UNBOUND_FIELD)) == "yes",
            overtook_pitch=fields.get("overtook_pitch") == "yes",
            all_tricks=_YES_NO_VALUES.get(fields.get("all_tricks", "")),
            penalty_recipients=tuple(who for who in people if who in fields.get(PENALTY_RECIPIENTS_FIELD, "").split()),
            forfeits=dict(part.split(":", 1) for part in fields.get("forfeits", "").split() if ":" in part),
        )

    @classmethod
    def from_hand(cls, hand: Hand, sides: Sequence[SideId] = ()) -> "HandInput":
        """Return the input of a stored hand.

        If its penalties give equal points to all `sides` except one, these become a penalty of that one.
        """
        given = hand.penalties_to or {}
        penalized = [side for side in sides if side not in given]
        is_given_to_others = given and not hand.penalties and len(penalized) == 1 and len(set(given.values())) == 1
        bid_fields = (hand.auction, hand.bidder, hand.bid, hand.overtook_pitch, hand.partner, hand.called)
        has_bid = hand.alone or any(value is not None for value in bid_fields)
        entered: dict[str, Any] = {name: str(getattr(hand, name) or "") for name in WORD_FIELDS}
        entered |= {name: _typed_texts(getattr(hand, name, None)) for name in PREFIX_BY_MAPPING}
        entered |= {"trump": hand.trump or SKIPPED_TRUMP} if hand.bidder else {}
        entered |= {"partner": ALONE} if hand.alone else {}
        if is_given_to_others:
            entered |= {"penalties": _typed_texts({penalized[0]: max(given.values())}), "penalties_to": {}}
        return cls(
            **entered,
            by_auction=hand.auction is not None,
            by_points=hand.points is not None,
            calls=hand.auction or (),
            is_unbound=hand.is_played and not has_bid,
            overtook_pitch=bool(hand.overtook_pitch),
            all_tricks=hand.all_tricks,
            penalty_recipients=tuple(sides) if is_given_to_others else (),
            forfeits=hand.forfeits or {},
        )

    @property
    def mode(self) -> EntryMode:
        return EntryMode.AUCTION if self.by_auction else self.play_mode

    @property
    def play_mode(self) -> EntryMode:
        """The mode in which the points of the hand are entered: by takers of awards, or by points of sides."""
        return EntryMode.POINTS if self.by_points else EntryMode.CARDS

    def fields(self) -> Iterator[tuple[str, str]]:
        """Yield the name and text of each form field, from which `parse` makes this input again."""
        yield "by", self.mode.value
        if self.by_auction:
            yield "taking", self.play_mode.value
        yield from self.filled_fields()

    def filled_fields(self) -> Iterator[tuple[str, str]]:
        """Yield the name and text of each form field that has an answer, without those of the mode."""
        words = {name: getattr(self, name) for name in WORD_FIELDS}
        words |= {
            CALLS_FIELD: calls_text(self.calls),
            UNBOUND_FIELD: "yes" if self.is_unbound else "",
            "overtook_pitch": "yes" if self.overtook_pitch else "",
            "all_tricks": {True: "yes", False: "no", None: ""}[self.all_tricks],
            "forfeits": " ".join(f"{who}:{what}" for who, what in self.forfeits.items()),
            PENALTY_RECIPIENTS_FIELD: " ".join(self.penalty_recipients),
        }
        yield from ((name, text) for name, text in words.items() if text)
        for name, prefix in PREFIX_BY_MAPPING.items():
            yield from ((f"{prefix}{part}", text) for part, text in getattr(self, name).items())

    def to_hand(self) -> Hand:
        """Return the hand that the input makes; raises `HandRefused` if it is not valid."""
        hand, faults = read_hand(dict(self._json_fields()))
        refuse_any(faults, HandRefused)
        return hand

    def _json_fields(self) -> Iterator[tuple[str, object]]:
        """Yield the keys and values of the hand in JSON; `None` for what was not entered."""
        yield "dealer", self.dealer or None
        yield "forfeits", dict(self.forfeits) or None
        penalties, others = _typed_numbers(self.penalties), self.penalty_recipients
        if others and penalties:
            yield "penalties_to", _points_for_others(penalties, others)
        else:
            yield "penalties", penalties
            yield "penalties_to", _typed_numbers(self.penalties_to)
        if self.thrown_in in ("", "ran_out"):
            yield "times", _typed_numbers(self.times)
        if self.thrown_in:
            # `TAKE_SET` is stored as a call, not as a reason for an unplayed hand.
            yield "thrown_in", None if self.thrown_in == TAKE_SET else self.thrown_in
            return
        if self.by_auction:
            yield "auction", [list(call) for call in self.calls]
        elif not self.is_unbound:
            yield "bidder", self.bidder or None
            yield "bid", parse_number_or_text(self.bid) if self.bid else None
            yield "overtook_pitch", self.overtook_pitch or None
        if not self.is_unbound:
            yield "called", self.called.strip() or None
            if self.partner:
                yield "partner", None if self.partner == ALONE else self.partner
        yield "trump", self.trump if self.trump not in ("", SKIPPED_TRUMP) else None
        if self.by_points:
            yield "points", {who: parse_number_or_text(text) for who, text in self.points.items()}
        else:
            yield "taken", {award: None if who == NOBODY else who for award, who in self.taken.items()}
        yield "card_points", _typed_numbers(self.card_points)
        yield "all_tricks", self.all_tricks
        yield "first_there", self.first_there or None

    @property
    def bid_value(self) -> Bid | None:
        """The entered bid, a number or a word such as `moon`; `None` if it is missing or invalid."""
        bid = parse_number_or_text(self.bid)
        return bid if isinstance(bid, int) or bid in SPECIAL_BIDS else None

    @property
    def points_by_column(self) -> dict[str, int]:
        """The entered points by column; texts that are no number below 1000 are left out."""
        return {who: int(n) for who, n in self.points.items() if n.isdecimal() and len(n) < 4}

    def cards_in(self, who: str) -> Mapping[str, str]:
        """Return how many cards of each rank were tapped in this column's pile, as texts, by rank."""
        return fields_with_prefix(self.cards, f"{who}-")

    @property
    def has_seldom_entries(self) -> bool:
        """Whether anything that most hands lack was entered: a penalty, a forfeit, or how often a card turned up."""
        return any((self.penalties, self.penalties_to, self.penalty_recipients, self.forfeits, self.times))


def _typed_texts(values: Mapping[str, object] | None) -> dict[str, str]:
    """Return stored values as the texts that a person would enter for them; `None` becomes `nobody`."""
    return {part: NOBODY if value is None else str(value) for part, value in (values or {}).items()}


def _typed_numbers(typed: EnteredTexts) -> dict[str, int | str] | None:
    """Return typed texts as numbers, with invalid ones as they are; `None` if there are no texts."""
    return {who: parse_number_or_text(text) for who, text in typed.items()} or None


def _points_for_others(penalties: Mapping[str, int | str], sides: Sequence[SideId]) -> dict[str, int | str]:
    """Return the points that sides get from the penalties of others; sides that get none are left out."""
    given: dict[str, int | str] = {}
    for penalized_side, points in penalties.items():
        for side in sides:
            if side != penalized_side:
                earlier = given.get(side, 0)
                given[side] = points + earlier if isinstance(points, int) and isinstance(earlier, int) else points
    return given


def _read_modes(fields: Mapping[str, str]) -> tuple[bool, bool]:
    """Return the posted mode as `by_auction` and `by_points`; a mode just tapped replaces the earlier one."""
    before, tapped = fields.get("by", ""), fields.get("way", "")
    mode = tapped or before
    if mode != EntryMode.AUCTION:
        return False, mode == EntryMode.POINTS
    has_points = any(name.startswith(POINTS_PREFIX) and text for name, text in fields.items())
    # If points were entered already, they stay the way of entering the play.
    return True, fields.get("taking") == EntryMode.POINTS or (before == EntryMode.POINTS and has_points)
