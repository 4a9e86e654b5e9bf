"""The form of a hand: what was tapped and typed, read from its fields, written back to them, and as a hand.

Everybody is known by id, as in the store: `p1`, `s1`, `bidders`, `defenders`, and `nobody` for a point that nobody
took.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from scorekeeper.engine.hand import HAND_FIELDS, SPECIAL_BIDS, TAKE_SET, Bid, Call, Calls, FieldKind, Hand, HandField
from scorekeeper.ledger.hand_json import MOST_CALLS, read_hand
from scorekeeper.ledger.refusals import HandRefused, refuse_any
from scorekeeper.rules.awards import CARD_POINTS, SUITS, AwardId
from scorekeeper.web.shared.widgets import HiddenFields

NOBODY = "nobody"
ALONE = "alone"
MOST_OF_A_RANK = len(SUITS)


class EntryMode(StrEnum):
    """How a hand is entered: by awards, by the points of each side, or call by call and then as one of these."""

    CARDS = "cards"
    COUNTS = "counts"
    AUCTION = "auction"


_NOT_ASKED = (FieldKind.DATE, FieldKind.NOTE, FieldKind.RULES, FieldKind.NEWCOMERS)
ASKED_FIELDS = tuple(item for item in HAND_FIELDS if item.kind not in _NOT_ASKED)
"""Everything that the form asks about a hand."""

AWARD_FIELD, COUNT_FIELD, PILE_FIELD, CARD_FIELD, PENALTY_FIELD = "took-", "count-", "pile-", "cards-", "penalty-"
"""How the form's names for the parts of a field begin: with an award or a taker after them, or with taker and rank."""
CALLS_FIELD, CALL_FIELD, SUM_FIELD = "calls", "say", "sum-"
NUMBER_FIELD, BID_BEFORE_FIELD = "bid-number", "bid-before"
"""A bid that was typed, since it has no button, and the bid that the page showed before."""
NEXT_CALL_FIELD = "say-next"
"""Whose call is typed, for whoever sends it with the Enter key."""
UNBOUND_FIELD, PASSED_FIELD = "unbound", "passed"
"""Whether all passed, and the hand is played without a bid; and the button that says so, or takes it back."""
DEALT_FIELD = "dealt"
"""Who was to deal when the page was shown: the answer that it had without anybody choosing."""
SHOWN_FIELD = "shown"
"""What the page's preview came to, sent along so that nothing else is saved."""
_FORM_NAMES = {
    "auction": CALLS_FIELD,
    "taken": AWARD_FIELD,
    "points": COUNT_FIELD,
    "card_points": PILE_FIELD,
    "penalties": PENALTY_FIELD,
}
_PARTS = (AWARD_FIELD, COUNT_FIELD, PILE_FIELD, CARD_FIELD)
_CONTRACT = {"bidder", "bid", "overtook_pitch"}
_OF_A_BID = _CONTRACT | {"partner", "called"}
_ASKED_AFTER_BIDDING = (FieldKind.SUIT, FieldKind.PARTNER, FieldKind.TEXT, FieldKind.YES_OR_NO)


def form_name(item: HandField) -> str:
    """Return what the form calls a field of the hand, or how its names for the parts of the field begin."""
    return _FORM_NAMES.get(item.name, item.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandForm:
    """What has been tapped and typed of a hand; anything may still be missing."""

    mode: EntryMode = EntryMode.CARDS
    taken_mode: EntryMode = EntryMode.CARDS
    """With a whole auction: by awards or by points."""
    answers: Mapping[str, str] = field(default_factory=dict)
    """By the form's own names. None is empty."""

    @classmethod
    def from_fields(cls, fields: Mapping[str, str]) -> "HandForm":
        """Read what a form posted; what makes no sense is left for the rules to refuse."""
        mode, taken_mode = _modes(fields)
        answers = {form_name(item): fields.get(form_name(item), "") for item in ASKED_FIELDS}
        # One tap may answer two questions: who bid and how much, or who bid and with whom.
        bidder, _, bid = fields.get("call", "").partition(":")
        paired, _, partner = fields.get("pair", "").partition(":")
        answers |= _not_empty({"bidder": bidder or paired, "bid": bid or _typed_bid(fields), "partner": partner})
        unbound = fields.get(PASSED_FIELD) or fields.get(UNBOUND_FIELD)
        answers[UNBOUND_FIELD] = "yes" if unbound == "yes" else ""
        answers[CALLS_FIELD] = calls_text(_calls_with_tapped(fields))
        # Nobody chose the dealer that the page came with; calls were made from that dealer's left.
        if answers["dealer"] == fields.get(DEALT_FIELD) and not answers[CALLS_FIELD]:
            answers["dealer"] = ""
        typed = (AWARD_FIELD, COUNT_FIELD, PENALTY_FIELD)
        answers |= {name: text.strip() for name, text in fields.items() if name.startswith(typed)}
        answers |= _piles(fields)
        return cls(mode=mode, taken_mode=taken_mode, answers=_not_empty(answers))

    @classmethod
    def from_hand(cls, hand: Hand) -> "HandForm":
        """Fill in the form with a stored hand."""
        taken_mode = EntryMode.CARDS if hand.points is None else EntryMode.COUNTS
        has_auction = hand.auction is not None
        answers: dict[str, str] = {}
        for item in ASKED_FIELDS:
            value = getattr(hand, item.name)
            if value is not None:
                answers |= _as_typed(item, value)
        if hand.alone:
            answers["partner"] = ALONE
        says_who_bid = has_auction or hand.alone or any(getattr(hand, name) is not None for name in _OF_A_BID)
        if hand.is_played and not says_who_bid:
            answers[UNBOUND_FIELD] = "yes"
        return cls(
            mode=EntryMode.AUCTION if has_auction else taken_mode,
            taken_mode=taken_mode if has_auction else EntryMode.CARDS,
            answers=_not_empty(answers),
        )

    def hand(self) -> Hand:
        """Return the hand, as far as it is known; raises `HandRefused` for what is no hand by its shape."""
        hand, faults = read_hand(self._as_json())
        refuse_any(faults, HandRefused)
        return hand

    def _as_json(self) -> dict[str, Any]:
        if self["thrown_in"]:
            # To take the set is a call, for which there is no word of its own here.
            wanted = {"dealer", "penalties", *(() if self["thrown_in"] == TAKE_SET else ("thrown_in",))}
        else:
            wanted = {item.name for item in ASKED_FIELDS}
            wanted -= _CONTRACT if self.mode is EntryMode.AUCTION else {"auction"}
            wanted -= _OF_A_BID if self[UNBOUND_FIELD] else set()
            wanted -= {"taken"} if self.by_counts else {"points"}
        # What nobody typed is not said.
        for name, prefix in (("card_points", PILE_FIELD), ("penalties", PENALTY_FIELD)):
            wanted -= set() if self.parts(prefix) else {name}
        values = {item.name: self._value(item) for item in ASKED_FIELDS if item.name in wanted}
        hand = {name: value for name, value in values.items() if value is not None}
        if "partner" in wanted and self["partner"] == ALONE:
            hand["partner"] = None
        return hand

    def _value(self, item: HandField) -> Any:
        """Return what was answered for a field of the hand; `None` where nothing was, or nobody."""
        text, parts = self[form_name(item)], self.parts(form_name(item))
        match item.kind:
            case FieldKind.CALLS:
                return [list(call) for call in self.calls]
            case FieldKind.TAKEN:
                return {award: None if who == NOBODY else who for award, who in parts.items()}
            case FieldKind.COUNTS:
                return {who: _number_or_text(number) for who, number in parts.items()}
            case FieldKind.BID:
                return _number_or_text(text) if text else None
            case FieldKind.PARTNER:
                return text if text not in ("", ALONE) else None
            case FieldKind.YES_OR_NO:
                return {"yes": True, "no": False}.get(text)
            case FieldKind.CHECK:
                return text == "yes" or None
            case FieldKind.TEXT:
                return text.strip() or None
            case FieldKind.PERSON | FieldKind.SUIT | FieldKind.THROWN_IN:
                return text or None

    def fields(self) -> HiddenFields:
        """Return the fields that read back as this form."""
        taken_mode = (("taking", self.taken_mode.value),) if self.mode is EntryMode.AUCTION else ()
        return (("by", self.mode.value), *taken_mode, *self.answers.items())

    def unasked_fields(self, asked: Container[str], *, is_before_play: bool) -> Iterator[tuple[str, str]]:
        """Yield the answers to questions that the page does not show now, to be there when it shows them again."""
        waiting = {form_name(item) for item in ASKED_FIELDS if is_before_play and item.kind in _ASKED_AFTER_BIDDING}
        for name, text in self.answers.items():
            if (name.startswith(_PARTS) and name not in asked) or name in waiting:
                yield name, text

    def __getitem__(self, name: str) -> str:
        """Return the answer in a field of the form; empty where there is none."""
        return self.answers.get(name, "")

    def parts(self, prefix: str) -> dict[str, str]:
        """Return the answers in all fields whose names begin so, by what follows in the name."""
        return {name.removeprefix(prefix): text for name, text in self.answers.items() if name.startswith(prefix)}

    @property
    def by_counts(self) -> bool:
        """Whether the points of each side are entered, and not who took each award."""
        return EntryMode.COUNTS in (self.mode, self.taken_mode if self.mode is EntryMode.AUCTION else "")

    @property
    def calls(self) -> Calls:
        """The calls so far."""
        return read_calls(self[CALLS_FIELD])

    @property
    def bid(self) -> Bid | None:
        """The bid; `None` where there is none yet, or none that any game has."""
        bid = _number_or_text(self["bid"])
        return bid if isinstance(bid, int) or bid in SPECIAL_BIDS else None

    @property
    def counts(self) -> dict[str, int]:
        """The points of each column, where a number was entered."""
        return {who: int(n) for who, n in self.parts(COUNT_FIELD).items() if n.isdecimal() and len(n) < 4}

    def with_counts(self, counts: Mapping[str, int]) -> "HandForm":
        """Return the form with these points of each column."""
        return replace(self, answers={**self.answers, **{f"{COUNT_FIELD}{who}": str(n) for who, n in counts.items()}})

    def by_cards(self) -> "HandForm":
        """Return the form asking who took each award, and not for points."""
        mode = EntryMode.AUCTION if self.mode is EntryMode.AUCTION else EntryMode.CARDS
        return replace(self, mode=mode, taken_mode=EntryMode.CARDS)

    def given_up_by(self, dealer: str) -> "HandForm":
        """Return the form of a hand in which everyone else passed, and this dealer went set instead of bidding."""
        answers = {name: text for name, text in self.answers.items() if name.startswith(PENALTY_FIELD)}
        return replace(self, answers={**answers, "thrown_in": TAKE_SET, "dealer": dealer})

    def with_rest(self, awards: Iterable[AwardId], who: str) -> "HandForm":
        """Return the form with these awards to somebody, where nobody has them yet."""
        return replace(self, answers={**{f"{AWARD_FIELD}{award}": who for award in awards}, **self.answers})


def _as_typed(item: HandField, value: Any) -> dict[str, str]:
    """Return a field of a stored hand as the form's fields."""
    name = form_name(item)
    match item.kind:
        case FieldKind.CALLS:
            return {name: calls_text(value)}
        case FieldKind.TAKEN | FieldKind.COUNTS:
            return {f"{name}{part}": NOBODY if of is None else str(of) for part, of in value.items()}
        case FieldKind.YES_OR_NO:
            return {name: "yes" if value else "no"}
        case FieldKind.CHECK:
            return {name: "yes" if value else ""}
        case _:
            return {name: str(value)}


def _not_empty(answers: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in answers.items() if text}


def _modes(fields: Mapping[str, str]) -> tuple[EntryMode, EntryMode]:
    """Read how the hand is entered; the mode that was just tapped replaces the one before."""
    before, tapped = fields.get("by", ""), fields.get("way", "")
    mode = next((mode for mode in EntryMode if mode == (tapped or before)), EntryMode.CARDS)
    has_counts = any(name.startswith(COUNT_FIELD) and text for name, text in fields.items())
    # Counts that are there already remain what is entered.
    by_counts = fields.get("taking") == EntryMode.COUNTS or (tapped and before == EntryMode.COUNTS and has_counts)
    return mode, EntryMode.COUNTS if mode is EntryMode.AUCTION and by_counts else EntryMode.CARDS


def _typed_bid(fields: Mapping[str, str]) -> str:
    """Return the bid that was typed, where it is what changed last; else empty, and the one that was tapped counts."""
    typed = fields.get(NUMBER_FIELD, "").strip()
    return typed if typed != fields.get(BID_BEFORE_FIELD, "") or not fields.get("bid") else ""


def _calls_with_tapped(fields: Mapping[str, str]) -> Calls:
    """Read the calls so far, with the one that was just tapped; a tap on an earlier call goes back to it.

    What is tapped has its place in it, so that a second tap on the same button adds nothing.
    """
    calls = read_calls(fields.get(CALLS_FIELD, ""))
    place, _, call = tapped_call(fields).partition(":")
    number = _number_or_text(place)
    return (*calls[:number], *read_calls(call)[:1]) if isinstance(number, int) else calls


def tapped_call(fields: Mapping[str, str]) -> str:
    """Return the call that was just tapped, or typed and sent, with its place; empty where none was."""
    typed = "".join(fields.get(NUMBER_FIELD, "").split())
    is_sent = typed and (fields.get("do") or fields.get("rest"))
    tapped = fields.get(CALL_FIELD) or (fields.get(NEXT_CALL_FIELD, "") if is_sent else "")
    if not tapped.endswith(":"):
        return tapped
    return f"{tapped}{typed}" if typed else ""


def read_calls(text: str) -> Calls:
    """Read calls as the form has them: `p2:pass p3:3`."""
    words = (word.partition(":") for word in text.split()[: MOST_CALLS + 1])
    return tuple((who, _number_or_text(call)) for who, _, call in words)


def calls_text(calls: Iterable[Iterable[Call]]) -> str:
    """Return calls as the form has them."""
    return " ".join(f"{who}:{call}" for who, call in calls)


def _number_or_text(text: str) -> int | str:
    """Read a number; what is none is passed on, to be refused where it belongs."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else text


def _piles(fields: Mapping[str, str]) -> dict[str, str]:
    """Read the card points of each pile, and the cards that they were tapped from.

    What changed last counts: the cards, where the sum is still the one that the page showed; else the sum that was
    typed, and its cards are forgotten.
    """
    sums = {name.removeprefix(PILE_FIELD): text.strip() for name, text in fields.items() if name.startswith(PILE_FIELD)}
    cards = {name: int(text) for name, text in fields.items() if _is_card_count(name, text)}
    for who in dict.fromkeys((*sums, *(name.removeprefix(CARD_FIELD).rpartition("-")[0] for name in cards))):
        own = {f"{CARD_FIELD}{who}-{rank}": worth for rank, worth in CARD_POINTS.items()}
        total = str(sum(worth * cards.get(name, 0) for name, worth in own.items()))
        if total != "0" and sums.get(who, "") in ("", fields.get(f"{SUM_FIELD}{who}", ""), total):
            sums[who] = total
        else:
            cards = {name: count for name, count in cards.items() if name not in own}
    return {f"{PILE_FIELD}{who}": text for who, text in sums.items()} | {name: str(n) for name, n in cards.items()}


def _is_card_count(name: str, text: str) -> bool:
    count = _number_or_text(text)
    is_rank = name.startswith(CARD_FIELD) and name.rpartition("-")[2] in CARD_POINTS
    return is_rank and isinstance(count, int) and 0 < count <= MOST_OF_A_RANK
