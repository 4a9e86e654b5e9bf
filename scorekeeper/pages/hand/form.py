"""The form of a hand: what was tapped and typed, read from its fields, written back to them, and as a hand.

Everybody is known by id, as in the store: `p1`, `s1`, `bidders`, `defenders`, and `nobody` for a point that nobody
took. An entry is such a form with where the match was before the hand, and how far the bidding is.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Any, ClassVar, Literal

from scorekeeper.eventlog.refusals import HandRefused, refuse_any
from scorekeeper.matches.fold import Match
from scorekeeper.matches.hand_draft import HandDraft
from scorekeeper.matches.hand_entry import hand_to_store, presumed_dealer, unplayed
from scorekeeper.pitch.drawings.markers import SideView
from scorekeeper.pitch.records.hand_json import MOST_CALLS, read_hand
from scorekeeper.pitch.rules.awards import AWARD_IDS, CARD_POINTS, RANK_NAMES, SUITS, AwardId, CardFace, face
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.rules.phrases import lost_by_renege, row_name, sentence
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.auction import Auction, Contract, is_unbound, run_auction, take_set_calls
from scorekeeper.pitch.scoring.game_count import groups_by_count, with_last_pile
from scorekeeper.pitch.scoring.given import dealing_side, given_to
from scorekeeper.pitch.scoring.hand import (
    BIDDERS,
    DEFENDERS,
    HAND_FIELDS,
    SPECIAL_BIDS,
    TAKE_SET,
    Bid,
    Call,
    Calls,
    FieldKind,
    Hand,
    HandField,
    SideId,
)
from scorekeeper.pitch.scoring.hand_faults import HIGHEST_PENALTY, Refusal
from scorekeeper.pitch.scoring.match import ImpossibleHand, MatchState, play
from scorekeeper.pitch.scoring.outcome import turn_winner
from scorekeeper.pitch.scoring.score import HandScore, needs_tricks
from scorekeeper.pitch.scoring.seats import NAMES_JOINED, HandSides, divide_sides, find_group
from scorekeeper.pitch.sheets.citations import Citations
from scorekeeper.pitch.text.phrases import SUIT_SIGNS, bid_word, joined
from scorekeeper.web.library import NO_RULES, earlier_rules, numbered
from scorekeeper.web.match_views import side_views_in
from scorekeeper.web.widgets import HiddenFields

NOBODY = "nobody"
ALONE = "alone"
SKIPPED = "skip"
"""Instead of a suit: trump need not be told."""
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
GIVEN_FIELD, TIMES_FIELD, COPIES_FIELD = "given-", "times-", "copies-"
"""How the form's names for the parts of a field begin: with an award or a taker after them, or with taker and rank."""
OTHERS_FIELD = "others"
"""Every side, where a penalty is given to the others and not taken off."""
RENEGE = "play.renege"
"""The rule of a game that says what a renege costs; in a game without one it is up to the table."""
MISTAKES = (PENALTY_FIELD, GIVEN_FIELD, OTHERS_FIELD, "forfeits")
"""How the names of the fields begin that say what a mistake costs."""
CALLS_FIELD, CALL_FIELD, SUM_FIELD = "calls", "say", "sum-"
NUMBER_FIELD, BID_BEFORE_FIELD = "bid-number", "bid-before"
"""A bid that was typed, since it has no button, and the bid that the page showed before."""
NEXT_CALL_FIELD = "say-next"
"""Whose call is typed, for whoever sends it with the Enter key."""
UNBOUND_FIELD, PASSED_FIELD = "unbound", "passed"
"""Whether all passed, and the hand is played without a bid; and the button that says so, or takes it back."""
DEALT_FIELD = "dealt"
"""Who was to deal when the page was shown: the answer that it had without anybody choosing."""
DECIDED_FIELD = "decided-"
"""How the name of the field begins that says who the page showed to have Game by the card points: the award follows."""
SHOWN_FIELD = "shown"
"""What the page's preview came to, sent along so that nothing else is saved."""
_FORM_NAMES = {
    "auction": CALLS_FIELD,
    "taken": AWARD_FIELD,
    "points": COUNT_FIELD,
    "card_points": PILE_FIELD,
    "penalties": PENALTY_FIELD,
    "penalties_to": GIVEN_FIELD,
    "times": TIMES_FIELD,
}
_PARTS = (AWARD_FIELD, COUNT_FIELD, PILE_FIELD, CARD_FIELD, GIVEN_FIELD, COPIES_FIELD, "first_there")
_OF_MISTAKES = ("penalties", "penalties_to", "forfeits")
_SELDOM = (
    ("card_points", PILE_FIELD),
    ("penalties", PENALTY_FIELD),
    ("penalties_to", GIVEN_FIELD),
    ("times", TIMES_FIELD),
)
"""What is said of few hands, and how the names of its fields begin."""
_CONTRACT = {"bidder", "bid", "overtook_pitch"}
_OF_A_BID = _CONTRACT | {"partner", "called"}
_ASKED_AFTER_BIDDING = (FieldKind.SUIT, FieldKind.PARTNER, FieldKind.TEXT, FieldKind.YES_OR_NO)


_OWN_FIELDS = ("by", "way", "taking", "call", "pair", NUMBER_FIELD, BID_BEFORE_FIELD, "do", "rest", OTHERS_FIELD)
"""Fields of the form that are no field of the hand, beside those of the auction."""
_LONGEST_FIELD = 200
_LONGEST_CALLS = 8 * MOST_CALLS


def form_name(item: HandField) -> str:
    """Return what the form calls a field of the hand, or how its names for the parts of the field begin."""
    return _FORM_NAMES.get(item.name, item.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandForm:
    """What has been tapped and typed of a hand; anything may still be missing."""

    by_auction: bool = False
    """Whether the auction is entered call by call."""
    by_counts: bool = False
    """Whether the points of each side are entered, and not who took each award."""
    answers: Mapping[str, str] = field(default_factory=dict)
    """By the form's own names. None is empty."""

    @classmethod
    def from_fields(cls, fields: Mapping[str, str], people: Iterable[str]) -> "HandForm":
        """Read what a form posted at a table with these players and sides; other fields than it has are dropped.

        What makes no sense in a field is left for the rules to refuse.
        """
        people = tuple(people)
        longest = _longest(people)
        fields = {name: text[: longest[name]] for name, text in fields.items() if name in longest}
        by_auction, by_counts = _modes(fields)
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
        typed = (AWARD_FIELD, COUNT_FIELD, PENALTY_FIELD, GIVEN_FIELD, TIMES_FIELD, OTHERS_FIELD)
        answers |= {name: text.strip() for name, text in fields.items() if name.startswith(typed)}
        answers |= _piles(fields)
        answers |= _copies(fields)
        for name, who in fields.items():
            # Nobody tapped who the card points gave Game to: they decide it anew.
            taker = name.replace(DECIDED_FIELD, AWARD_FIELD, 1)
            if name.startswith(DECIDED_FIELD) and answers.get(taker) == who:
                answers[taker] = ""
        answers["forfeits"] = answers["forfeits"] if ":" in answers["forfeits"] else ""
        answers[OTHERS_FIELD] = " ".join(who for who in people if who in answers.get(OTHERS_FIELD, "").split())
        return cls(by_auction=by_auction, by_counts=by_counts, answers=_not_empty(answers))

    @classmethod
    def from_hand(cls, hand: Hand, sides: Sequence[SideId] = ()) -> "HandForm":
        """Fill in the form with a stored hand; what one of the `sides` gave to the others is that side's penalty."""
        has_auction = hand.auction is not None
        answers: dict[str, str] = {}
        for item in ASKED_FIELDS:
            value = getattr(hand, item.name)
            if value is not None:
                answers |= _as_typed(item, value)
        given = hand.penalties_to or {}
        makers = [side for side in sides if side not in given]
        if given and not hand.penalties and len(makers) == 1 and len(set(given.values())) == 1:
            answers = {name: text for name, text in answers.items() if not name.startswith(GIVEN_FIELD)}
            answers |= {f"{PENALTY_FIELD}{makers[0]}": str(max(given.values())), OTHERS_FIELD: " ".join(sides)}
        if hand.alone:
            answers["partner"] = ALONE
        if hand.bidder and not hand.trump:
            answers["trump"] = SKIPPED
        says_who_bid = has_auction or hand.alone or any(getattr(hand, name) is not None for name in _OF_A_BID)
        if hand.is_played and not says_who_bid:
            answers[UNBOUND_FIELD] = "yes"
        return cls(by_auction=has_auction, by_counts=hand.points is not None, answers=_not_empty(answers))

    @classmethod
    def in_mode(cls, mode: str) -> "HandForm":
        """Return an empty form to be filled in so; by awards where there is no such mode."""
        return cls(by_auction=mode == EntryMode.AUCTION, by_counts=mode == EntryMode.COUNTS)

    @property
    def mode(self) -> EntryMode:
        """How the hand is entered."""
        taken_mode = EntryMode.COUNTS if self.by_counts else EntryMode.CARDS
        return EntryMode.AUCTION if self.by_auction else taken_mode

    def hand(self) -> Hand:
        """Return the hand, as far as it is known; raises `HandRefused` for what is no hand by its shape."""
        hand, faults = read_hand(self._as_json())
        refuse_any(faults, HandRefused)
        return hand

    def _as_json(self) -> dict[str, Any]:
        if self["thrown_in"]:
            # To take the set is a call, for which there is no word of its own here.
            wanted = {"dealer", *_OF_MISTAKES, *(() if self["thrown_in"] == TAKE_SET else ("thrown_in",))}
        else:
            wanted = {item.name for item in ASKED_FIELDS}
            wanted -= _CONTRACT if self.by_auction else {"auction"}
            wanted -= _OF_A_BID if self[UNBOUND_FIELD] else set()
            wanted -= {"taken"} if self.by_counts else {"points"}
        # What nobody typed is not said.
        for name, prefix in _SELDOM:
            wanted -= set() if self.parts(prefix) else {name}
        values = {item.name: self._value(item) for item in ASKED_FIELDS if item.name in wanted}
        hand = {name: value for name, value in values.items() if value is not None}
        if self[OTHERS_FIELD] and "penalties" in hand:
            hand["penalties_to"] = _given_to_others(hand.pop("penalties"), self[OTHERS_FIELD].split())
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
            case FieldKind.COUNTS | FieldKind.TIMES:
                return {who: _number_or_text(number) for who, number in parts.items()}
            case FieldKind.FORFEITS:
                return dict(part.split(":", 1) for part in text.split() if ":" in part) or None
            case FieldKind.BID:
                return _number_or_text(text) if text else None
            case FieldKind.PARTNER | FieldKind.SUIT:
                return text if text not in ("", ALONE, SKIPPED) else None
            case FieldKind.YES_OR_NO:
                return {"yes": True, "no": False}.get(text)
            case FieldKind.CHECK:
                return text == "yes" or None
            case FieldKind.TEXT:
                return text.strip() or None
            case FieldKind.PERSON | FieldKind.THROWN_IN:
                return text or None

    def fields(self) -> HiddenFields:
        """Return the fields that read back as this form."""
        taking = (("taking", replace(self, by_auction=False).mode.value),) if self.by_auction else ()
        return (("by", self.mode.value), *taking, *self.answers.items())

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

    def given_up_by(self, dealer: str) -> "HandForm":
        """Return the form of a hand in which everyone else passed, and this dealer went set instead of bidding."""
        answers = {name: text for name, text in self.answers.items() if name.startswith(MISTAKES)}
        return replace(self, answers={**answers, "thrown_in": TAKE_SET, "dealer": dealer})

    def with_rest(self, awards: Iterable[AwardId], who: str) -> "HandForm":
        """Return the form with these awards to somebody, where nobody has them yet."""
        return replace(self, answers={**{f"{AWARD_FIELD}{award}": who for award in awards}, **self.answers})


@lru_cache(maxsize=256)
def _longest(people: tuple[str, ...]) -> Mapping[str, int]:
    """Return every field that the form can have at a table, in any game, with how many letters of it are read."""
    names = [form_name(item) for item in ASKED_FIELDS if not form_name(item).endswith("-")]
    names += (*_OWN_FIELDS, UNBOUND_FIELD, PASSED_FIELD, DEALT_FIELD, CALL_FIELD, NEXT_CALL_FIELD)
    names += (f"{prefix}{award}" for prefix in (AWARD_FIELD, TIMES_FIELD, DECIDED_FIELD) for award in AWARD_IDS)
    for who in (*people, BIDDERS, DEFENDERS, NOBODY):
        names += (f"{prefix}{who}" for prefix in (COUNT_FIELD, PILE_FIELD, SUM_FIELD, PENALTY_FIELD, GIVEN_FIELD))
        names += (f"{CARD_FIELD}{who}-{rank}" for rank in CARD_POINTS)
        names += (f"{COPIES_FIELD}{row}-{who}" for row in _ROWS)
    return {**dict.fromkeys(names, _LONGEST_FIELD), CALLS_FIELD: _LONGEST_CALLS}


_ROWS = [
    ".".join(row)
    for card in ("five", "nine")
    for number in (2, 3)
    for row in combinations([award for award in AWARD_IDS if award.rpartition("_")[0] == card], number)
]
"""The cards that are alike and may stand in a row of the form."""


def _as_typed(item: HandField, value: Any) -> dict[str, str]:
    """Return a field of a stored hand as the form's fields."""
    name = form_name(item)
    match item.kind:
        case FieldKind.CALLS:
            return {name: calls_text(value)}
        case FieldKind.FORFEITS:
            return {name: " ".join(f"{who}:{what}" for who, what in value.items())}
        case FieldKind.TAKEN | FieldKind.COUNTS | FieldKind.TIMES:
            return {f"{name}{part}": NOBODY if of is None else str(of) for part, of in value.items()}
        case FieldKind.YES_OR_NO:
            return {name: "yes" if value else "no"}
        case FieldKind.CHECK:
            return {name: "yes" if value else ""}
        case _:
            return {name: str(value)}


def _given_to_others(penalties: Mapping[str, Any], sides: Sequence[SideId]) -> dict[str, Any]:
    """Return what every other side is given for the penalty of each."""
    given: dict[str, Any] = {}
    for maker, points in penalties.items():
        for side in sides:
            if side != maker:
                is_sum = isinstance(points, int) and isinstance(given.get(side, 0), int)
                given[side] = points + given.get(side, 0) if is_sum else points
    return given


def _not_empty(answers: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in answers.items() if text}


def _modes(fields: Mapping[str, str]) -> tuple[bool, bool]:
    """Read whether the auction and the points are entered; the mode that was just tapped replaces the one before."""
    before, tapped = fields.get("by", ""), fields.get("way", "")
    mode = tapped or before
    if mode != EntryMode.AUCTION:
        return False, mode == EntryMode.COUNTS
    has_counts = any(name.startswith(COUNT_FIELD) and text for name, text in fields.items())
    # Counts that are there already remain what is entered.
    return True, fields.get("taking") == EntryMode.COUNTS or (before == EntryMode.COUNTS and has_counts)


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


def _copies(fields: Mapping[str, str]) -> dict[str, str]:
    """Read who took cards that are alike from how many of them each took: `copies-five_1.five_2.five_3-s1`.

    Where these are more than there are, or no numbers, they stay as they were typed.
    """
    rows: dict[str, dict[str, str]] = {}
    for name, text in fields.items():
        if name.startswith(COPIES_FIELD) and text.strip():
            row, _, who = name.removeprefix(COPIES_FIELD).partition("-")
            rows.setdefault(row, {})[who] = text.strip()
    answers: dict[str, str] = {}
    for row, counts in rows.items():
        awards = row.split(".")
        numbers = {who: _number_or_text(text) for who, text in counts.items()}
        takers = [who for who, number in numbers.items() if isinstance(number, int) for _ in range(min(number, 9))]
        if len(takers) > len(awards) or not all(isinstance(number, int) for number in numbers.values()):
            answers |= {f"{COPIES_FIELD}{row}-{who}": text for who, text in counts.items()}
        else:
            answers |= {f"{AWARD_FIELD}{award}": who for award, who in zip(awards, takers, strict=False)}
    return answers


def _is_card_count(name: str, text: str) -> bool:
    count = _number_or_text(text)
    is_rank = name.startswith(CARD_FIELD) and name.rpartition("-")[2] in CARD_POINTS
    return is_rank and isinstance(count, int) and 0 < count <= MOST_OF_A_RANK


# ---------- an entry in its match ----------


WIDEST_BOARD = 5
"""Bids that still fit beside a name."""
MOST_ON_BOARD = 8
"""People whose rows still leave room for the cards."""


@dataclass(frozen=True, slots=True)
class RunningAuction:
    """An auction as far as it was called."""

    auction: Auction
    calls: Calls
    """The calls that were allowed."""
    refused: Fault | None = None
    """Why the next one was not."""

    @property
    def next_caller(self) -> str | None:
        """Who has the next call; `None` where the bidding is over."""
        return next(iter(self.auction.waiting), None)


@dataclass(frozen=True)
class Entry:
    """A hand while it is entered. Whoever bids, deals or takes something is known by id."""

    counted_cards: ClassVar = tuple((rank, RANK_NAMES[rank], points) for rank, points in CARD_POINTS.items())
    """What is counted for Game: rank, its name, and card points."""
    most_of_a_rank: ClassVar[int] = MOST_OF_A_RANK
    penalty_length: ClassVar[int] = len(str(HIGHEST_PENALTY))

    match: Match
    before: MatchState
    place: int
    """In the list of hands, from 1."""
    form: HandForm
    uid: int | None = None
    """The hand that is being corrected."""
    insert_before: int | None = None
    """The hand that this one goes before."""
    faults: tuple[Fault, ...] = ()
    """Why it was not saved."""
    reopens: str = ""
    """What is done first where the match does not go on: `resume` or `restore`, or nothing."""

    @property
    def closed(self) -> str:
        """Why the match does not take this hand: `deleted`, `over` or `stopped`; empty where it may."""
        if self.uid is not None:
            return "deleted" if self.match.log.is_deleted else ""
        return self.match.closed(self.insert_before)

    @property
    def ruleset(self) -> Ruleset:
        """The rules in force in this hand, with what is carried over to its Game."""
        return self.before.ruleset.carrying(self.before.carried)

    @property
    def number(self) -> int:
        """What the table calls the hand."""
        return self.before.next_number

    def number_at(self, place: int | None) -> int:
        """Return what the table would call the hand at a place if this one were saved."""
        hands = [logged.hand.is_redealt for logged in self.match.log.hands]
        mine = bool(self.form["thrown_in"])
        hands[self.place - 1 : self.place - (self.uid is None)] = [mine]
        return 1 + hands[: (place or 1) - 1].count(False)

    @cached_property
    def _seated_in(self) -> int:
        """The hand whose players play this one: one that goes before another is played by those before that one."""
        return self.place if self.insert_before is None else self.place - 1

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Everybody's name, by id, as they sit in this hand."""
        return self.match.names_in(self._seated_in)

    @cached_property
    def sides(self) -> Mapping[SideId, SideView]:
        """Every side with its marker, by its id, as it sits in this hand."""
        return side_views_in(self.match, self._seated_in)

    def name(self, who: str) -> str:
        """Return the name that an id stands for in this hand."""
        return self.names.get(who, who)

    def side_of(self, who: str) -> SideView:
        """Return the marker of the side that somebody plays for."""
        return self.sides[self.before.seats.side_of(who) or who]

    def fault(self, *fields: str) -> str:
        """Return what is wrong with the first of these fields with which, or with a part of which, something is."""
        wrong = (item for name in fields for item in self.faults if f"{item.field}.".startswith(f"{name}."))
        return next((item.message for item in wrong), "")

    @cached_property
    def earlier_rules(self) -> int | None:
        """A hand on whose page the rules in force in this one are, where the match has others by now."""
        return earlier_rules(self.match, self.before.ruleset)

    @cached_property
    def citations(self) -> Citations:
        """The numbers of the rules in force in this hand."""
        # Where no hand is left that was played by these rules, no page has them.
        has_page = self.earlier_rules is not None or self.before.ruleset == self.match.state.ruleset
        return numbered(self.before.ruleset) if has_page else NO_RULES

    def copies(self, row: Sequence[AwardId], who: str) -> int:
        """Return how many of the cards that are alike somebody has: as it was told, or counted."""
        told = _number_or_text(self.form[f"{COPIES_FIELD}{'.'.join(row)}-{who}"])
        return told if isinstance(told, int) else sum(self.form[f"{AWARD_FIELD}{award}"] == who for award in row)

    def face_of(self, award_id: AwardId) -> CardFace:
        """Return the card that stands for an award."""
        return face(self.ruleset.kinds[award_id], self.ruleset.how_won(award_id))

    # ---- Who deals, and the bidding

    def _known(self, who: str) -> str | None:
        return who if who in self.match.names else None

    @cached_property
    def dealer(self) -> str | None:
        """Who deals this hand: as it was entered, else as it is expected."""
        return presumed_dealer(self.before, self.form.calls, self._known(self.form["dealer"]))

    @property
    def knows_dealer(self) -> bool:
        """Whether it is known which player deals, without asking."""
        return presumed_dealer(self.before, self.form.calls) in self.before.seats.players

    @cached_property
    def people(self) -> tuple[str, ...]:
        """Who may bid, from the dealer's left; where nobody said who sits where the sides, as they always stand."""
        if not (chairs := self.before.seats.players):
            return self.before.seats.ids
        after_dealer = chairs.index(self.dealer) + 1 if self.dealer in chairs else 0
        return (*chairs[after_dealer:], *chairs[:after_dealer])

    @property
    def may_call(self) -> bool:
        """Whether there is an auction here that can be entered call by call."""
        return self.ruleset.bidding.auction and bool(self.before.seats.players)

    @property
    def by_auction(self) -> bool:
        """Whether the auction is entered call by call."""
        return self.form.by_auction and self.may_call

    @cached_property
    def bidding(self) -> RunningAuction | None:
        """How far the calls bring the bidding; `None` without an auction, or where nobody knows who deals."""
        calls = self.form.calls
        if not self.may_call or self.dealer is None or self.dealer not in self.before.seats.players:
            return None
        auction, faults = run_auction(self.ruleset, self.before.seats, self.dealer, calls)
        if not faults:
            return RunningAuction(auction, calls)
        refused = faults[0].named(self.names)
        return RunningAuction(auction, calls[: int(refused.field.rpartition(".")[2])], refused)

    @property
    def calls_to_keep(self) -> Calls:
        """The calls as they were tapped, without a last one that is not allowed.

        Where more than the last is not allowed, another dealer was chosen: they stay, in case that is undone.
        """
        calls = self.form.calls
        is_last = self.bidding is not None and len(self.bidding.calls) == len(calls) - 1
        return calls[:-1] if is_last else calls

    @property
    def is_bidding(self) -> bool:
        """Whether somebody has a call left, so that nothing after the bidding can be asked."""
        return self.by_auction and not (self.bidding and self.bidding.auction.is_over)

    @property
    def ended_unplayed(self) -> bool:
        """Whether the calls leave nothing to play: all passed, or the dealer took the set."""
        return self.by_auction and not self.is_bidding and self.contract.bidder is None and not self.is_unbound

    @cached_property
    def is_unbound(self) -> bool:
        """Whether all passed, and the hand is played without a bid."""
        if self.by_auction:
            all_passed = self.bidding is not None and self.bidding.auction.all_passed
        else:
            all_passed = self.form[UNBOUND_FIELD] == "yes"
        return all_passed and is_unbound(self.ruleset, Contract())

    @property
    def after_passing(self) -> Literal["", "redeal", "take_set", "unbound"]:
        """What one tap can say that came of everyone passing; of an auction call by call, only while it goes on."""
        bidding = self.ruleset.bidding
        if not bidding.auction or (self.by_auction and not self.is_bidding):
            return ""
        match bidding.all_pass:
            case "redeal" | "pass_deal" | None:
                return "redeal"
            case "may_take_set":
                return "take_set" if self.before.seats.players else ""
            case "unobliged":
                return "" if self.by_auction else "unbound"
            case _:
                return ""

    @property
    def is_played(self) -> bool:
        """Whether the bidding is over, and there is something to play."""
        return not self.is_bidding and not self.ended_unplayed

    @cached_property
    def contract(self) -> Contract:
        """What the bidding came to, as far as it has been entered."""
        if not self.by_auction and self.is_unbound:
            return Contract()
        if not self.by_auction:
            return Contract(self._known(self.form["bidder"]), self.form.bid)
        if self.bidding is None or self.is_bidding:
            return Contract()
        auction = self.bidding.auction
        return Contract(auction.bidder, auction.bid, auction.overtook_pitch)

    @property
    def has_board(self) -> bool:
        """Whether there are few enough bids that one tap tells who bid and how much."""
        return len(self.ruleset.bids) <= WIDEST_BOARD and len(self.people) <= MOST_ON_BOARD

    @property
    def asks_partner(self) -> bool:
        """Whether a partner is called in this game."""
        return self.ruleset.table.called and not self.is_unbound

    @property
    def asks_pair(self) -> bool:
        """Whether one tap tells who bid and who was called, and a second one how much."""
        return self.asks_partner and not self.by_auction and len(self.ruleset.bids) > WIDEST_BOARD

    @property
    def asks_tricks(self) -> bool:
        """Whether the bid asks for every trick."""
        return needs_tricks(self.ruleset, self.contract)

    @property
    def is_told(self) -> bool:
        """Whether all that the board asks is told: who bid what, with whom, and trump, or to skip it."""
        form, contract = self.form, self.contract
        is_bid = contract.bidder is not None and contract.bid is not None
        return is_bid and form["trump"] in (*SUITS, SKIPPED) and bool(form["partner"] or not self.asks_pair)

    # ---- Who can take what

    @cached_property
    def _hand_sides(self) -> HandSides:
        """Who counts together in this hand."""
        partner = self._known(self.form["partner"])
        return divide_sides(self.ruleset, self.before.seats, self.contract.bidder, partner)

    @property
    def has_roles(self) -> bool:
        """Whether points go to the bidders or to all the others, rather than to a side."""
        return self.ruleset.pools_defenders and len(self.before.seats.sides) > 2 and not self.is_unbound

    @property
    def sides_in_rows(self) -> tuple[SideView, ...]:
        """The sides in the order of the rows in which they bid; those of partners as everywhere."""
        rows = self.people if set(self.people) == set(self.sides) else self.sides
        return tuple(self.sides[side] for side in rows)

    @cached_property
    def columns(self) -> tuple[SideView, ...]:
        """Who can take a point; their id is what the form posts."""
        sides, groups = self.sides, self._hand_sides.groups
        if not self.has_roles:
            return self.sides_in_rows
        bidders = SideView(side_id=BIDDERS, name="The bidders", mark=1, letter="B")
        if self._hand_sides.has_bidders:
            lead, *partners = (sides[side] for side in groups[0])
            bidders = replace(lead, side_id=BIDDERS)
            if partners:
                people = NAMES_JOINED.join(side.name for side in (lead, *partners))
                bidders = SideView(side_id=BIDDERS, name=people, mark=lead.mark, letter=lead.letter, people=people)
        others_mark = 5 if bidders.mark != 5 else 1
        return bidders, SideView(side_id=DEFENDERS, name="The others", mark=others_mark, letter="O")

    @property
    def bidding_side(self) -> SideView | None:
        """The column of whoever won the bidding; `None` as long as nobody has."""
        if not self._hand_sides.has_bidders:
            return None
        return self.columns[0] if self.has_roles else self.sides[self._hand_sides.groups[0][0]]

    @property
    def counted_sides(self) -> tuple[SideView, ...]:
        """Whose points are asked for where points are entered."""
        if self.ruleset.only_bidder_counts and self.bidding_side:
            return (self.bidding_side,)
        return self.columns

    @property
    def open_counts(self) -> tuple[SideView, ...]:
        """The sides whose points are asked for and not entered yet."""
        return tuple(side for side in self.counted_sides if not self.form[f"{COUNT_FIELD}{side.side_id}"])

    @property
    def is_open(self) -> bool:
        """Whether a row, or a number, that the page asks for is still open."""
        return bool(self.open_counts if self.form.by_counts else self.open_awards)

    @property
    def assumed_count(self) -> Mapping[str, str]:
        """What is left for the one side without a number, or nothing for each of several, by the field of a side."""
        if not (self.is_played and self.form.by_counts and len(self.open_counts) < len(self.counted_sides)):
            return {}
        is_known = len(self.open_counts) == 1 or not self.points_left
        return {f"{COUNT_FIELD}{side.side_id}": str(self.points_left) for side in self.open_counts if is_known}

    @property
    def _given_takers(self) -> Mapping[AwardId, SideId | None]:
        """Who has which award as it was tapped, each side by its id."""
        return {award: self._known(who) for award, who in self.form.parts(AWARD_FIELD).items()}

    @cached_property
    def _game_by_count(self) -> tuple[int, ...] | None:
        """The groups that score Game by the card points that were counted; `None` where these leave it open."""
        counts: dict[int, int] = {}
        for who, text in self.form.parts(PILE_FIELD).items():
            group, number = find_group(self.before.seats, self._hand_sides, who, ""), _number_or_text(text)
            if not (isinstance(group, int) and isinstance(number, int)):
                return None
            counts[group] = number
        if not (counts and self.ruleset.counted_award) or "game" in self.form["forfeits"]:
            return None
        seats, sides = self.before.seats, self._hand_sides
        piles = with_last_pile(self.ruleset, seats, sides, counts)
        dealing = dealing_side(self.ruleset, seats, self.dealer, self._given_takers)
        return groups_by_count(self.ruleset, seats, sides, piles, dealing)

    @property
    def counted_taker(self) -> str:
        """Who has Game by the card points, as a column, or nobody; empty where that is open, or several share it."""
        groups = self._game_by_count
        if groups is None or len(groups) > 1:
            return ""
        found = (
            side.side_id
            for side in self.columns
            if find_group(self.before.seats, self._hand_sides, side.side_id, "") in groups
        )
        return next(found, NOBODY)

    @property
    def takers(self) -> Mapping[AwardId, str]:
        """Who has each award: as it was tapped, and Game as the card points decide it."""
        game, taken = self.ruleset.counted_award, self.form.parts(AWARD_FIELD)
        return {game: self.counted_taker, **taken} if game and self.counted_taker else taken

    @property
    def undecided_piles(self) -> tuple[str, ...]:
        """The card points that were counted, where they leave Game open."""
        is_open = not self.form.by_counts and self.ruleset.counted_award in self.open_awards
        return tuple(self.form.parts(PILE_FIELD).values()) if is_open else ()

    @property
    def open_awards(self) -> tuple[AwardId, ...]:
        """The awards that nobody has yet, without one that the card points of every pile decide, and what is seldom."""
        taken, ruleset = self.form.parts(AWARD_FIELD), self.ruleset
        given = given_to(ruleset, self.before.seats, self._given_takers)
        if turn_winner(ruleset, self.before.scores, self.before.best_of_two, given) is not None:
            return ()  # a card turned up has won the match, so that nobody plays the hand
        is_counted = len(self.form.parts(PILE_FIELD)) >= len(self.columns) or self._game_by_count is not None
        replaced = (card for caught, card in ruleset.in_place_of.items() if taken.get(caught, NOBODY) != NOBODY)
        known = {*taken, *ruleset.seldom_awards, *replaced, ruleset.counted_award if is_counted else None}
        known = known.union(*(ruleset.award_rows[award_id] for award_id in self._miscounted))
        return tuple(award for award in ruleset.in_play if award not in known)

    @property
    def _miscounted(self) -> tuple[AwardId, ...]:
        """The rows of cards that are alike of which more were entered than there are."""
        typed = {name.rpartition("-")[0] for name in self.form.parts(COPIES_FIELD)}
        return tuple(award_id for award_id, row in self.ruleset.award_rows.items() if ".".join(row) in typed)

    @property
    def has_mistakes(self) -> bool:
        """Whether something was written for a mistake, or a card was turned up more than once."""
        return any(name.startswith((*MISTAKES, TIMES_FIELD)) for name in self.form.answers)

    @property
    def asks_forfeits(self) -> bool:
        """Whether the sheet says what a renege costs: in many games more than points."""
        has_rule = any(rule.id == RENEGE for rule in self.citations.rule(RENEGE))
        return has_rule or bool(self.form["forfeits"])

    @property
    def forfeits(self) -> tuple[tuple[str, str], ...]:
        """What a mistake may cost beside points, as the form posts it, with what it is called."""
        rules = self.ruleset
        game = [("game", sentence(lost_by_renege(rules)))] if rules.game_award in rules.in_play else []
        found = [
            (f"{side}:{what}", f"{label}: {view.name}")
            for what, label in (*game, ("match", "the match"))
            for side, view in self.sides.items()
        ]
        told = self.form["forfeits"]
        return (*found, *([(told, told)] if told and told not in dict(found) else []))

    @property
    def asks_overtook(self) -> bool:
        """Whether a led card may have been outbid, and no call says so."""
        return self.ruleset.bidding.pitching and not self.by_auction

    @property
    def has_piles(self) -> bool:
        """Whether anything was counted for Game."""
        return any(self.form[f"{PILE_FIELD}{side.side_id}"] for side in self.columns)

    @property
    def points_left(self) -> int:
        """The points that nobody has yet; 0 where only the bidding side's are asked for."""
        if not self.form.by_counts:
            return sum(self.ruleset.in_play[award].points for award in self.open_awards)
        if len(self.counted_sides) < 2:
            return 0
        counts = self.form.counts
        return max(self.ruleset.points_per_hand - sum(counts.get(side.side_id, 0) for side in self.columns), 0)

    def with_rest(self, who: str) -> "Entry":
        """Return the entry with every award, or every point, that nobody has yet given to somebody."""
        if not self.form.by_counts:
            return replace(self, form=self.form.with_rest(self.open_awards, who))
        counts = {side.side_id: self.form.counts.get(side.side_id, 0) for side in self.counted_sides}
        if who in counts:
            counts[who] += self.points_left
        return replace(self, form=self.form.with_counts(counts))

    def points_of(self, score: HandScore) -> Mapping[str, int] | None:
        """Return the points of each column in a scored hand; `None` where a column's points are in no one place."""
        groups = self._hand_sides.groups
        if self.has_roles:
            return {view.side_id: score.points[group[0]] for view, group in zip(self.columns, groups, strict=True)}
        if any(len(group) > 1 for group in groups):
            return None
        return {view.side_id: score.points[side] for side, view in self.sides.items()}

    @property
    def question_fingerprint(self) -> str:
        """What decides which questions the page has: a phone that shows others needs the whole form."""
        mode = f"{self.form.mode.value} {self.dealer and self.name(self.dealer)}"
        if self.by_auction:
            mode += f" {calls_text(self.calls_to_keep)}"
        roles = "/".join(view.name for view in self.columns) if self.has_roles else ""
        asks = "tricks" if self.asks_tricks else "unbound" if self.is_unbound else ""
        asks += " first" if self.asks_first else ""
        assumed = "".join(f"|{field} {number}" for field, number in self.assumed_count.items())
        return f"{mode}|{asks}|{roles}{assumed}{self.closed and f'|{self.closed}'}"

    @property
    def corrects(self) -> Hand | None:
        """The hand as it was before it is corrected."""
        logged = self.match.log.hand(self.uid) if self.uid is not None else None
        return logged.hand if logged else None

    def hand(self) -> Hand:
        """Return the hand as it is stored; raises `HandRefused` for what is no hand by its shape."""
        hand = self._hand()
        return hand if hand.first_there is None or self.asks_first else replace(hand, first_there=None)

    @cached_property
    def asks_first(self) -> tuple[SideId, ...]:
        """The sides that pegged the target in this hand, where the table has to say which of them was first."""
        if not (self.ruleset.winning.pegged and self.is_played) or (self.open_awards and not self.form.by_counts):
            return ()
        try:
            question = play(self.before, replace(self._hand(), first_there=None)).question
        except (HandRefused, ImpossibleHand):
            return ()
        return question.winners if question and not question.awards else ()

    def _hand(self) -> Hand:
        self._refuse_copies()
        entered = self.form.hand()
        if not self.asks_tricks:  # of a bid that was taken back
            entered = replace(entered, all_tricks=None)
        if self.form["thrown_in"] == TAKE_SET:
            return unplayed(entered, auction=take_set_calls(self.before.seats, self.dealer))
        if entered.thrown_in == "ran_out" and (turned := self._turned_up):
            played = replace(self.form, answers={**self.form.answers, "thrown_in": ""}).hand()
            entered = replace(entered, taken=turned, times=played.times)
        return hand_to_store(self.before, entered, calls=self.form.calls, corrects=self.corrects)

    def _refuse_copies(self) -> None:
        """Refuse more cards that are alike than there are."""
        for award_id in self._miscounted:
            if self.is_played and not self.form.by_counts:
                number, name = len(self.ruleset.award_rows[award_id]), row_name(self.ruleset, award_id)
                why = f"There are {number} {name}: enter how many each took, {number} in all."
                refuse_any([Refusal(f"taken.{award_id}", "too_many_cards", why)], HandRefused)

    @property
    def asks_times(self) -> tuple[AwardId, ...]:
        """The awards for a card turned up that may score more than once in a hand."""
        return self.ruleset.turned_awards if self.ruleset.points.turned_cards == "each" else ()

    @property
    def _turned_up(self) -> dict[AwardId, str]:
        """Who scored which card turned up, where that stands though the deal is thrown in."""
        took = {award: self.form[f"{AWARD_FIELD}{award}"] for award in self.asks_times}
        return {award: who for award, who in took.items() if who not in ("", NOBODY)}


def entry_of(match: Match, draft: HandDraft) -> Entry:
    """Return the hand in progress as far as it has been entered."""
    form = HandForm.from_fields(dict(draft.fields), match.setup.ids)
    return Entry(match, match.state, len(match.log.hands) + 1, form)


def going_words(match: Match, draft: HandDraft) -> tuple[SideView, str]:
    """Return whose bid the hand in progress has, and what it is: "Ann bid 3 ♥"."""
    entry = entry_of(match, draft)
    form = entry.form
    bidder = entry.contract.bidder or ""
    suit = SUIT_SIGNS.get(form["trump"], "")
    return entry.side_of(bidder), joined(f"{entry.name(bidder)} bid {bid_word(entry.contract.bid)}", suit)
