"""The input of a hand: parsed from the fields of its form, written back to them, and converted to a `Hand`.

Players and sides have the ids of the event log (`p1`, `s1`); a taker may also be `bidders`, `defenders`, or `nobody`
for a point that no side took. Phones keep forms for days, so the names of fields never change.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from scorekeeper.eventlog.stream import HandRefused, refuse_any
from scorekeeper.pitch.records.json_parser import MAX_CALLS, read_hand
from scorekeeper.pitch.rules.awards import AWARD_IDS, CARD_POINTS, AwardId
from scorekeeper.pitch.rules.entered_text import number_or_text, parts
from scorekeeper.pitch.rules.faults import MAX_OF_A_RANK
from scorekeeper.pitch.scoring.hand import BIDDERS, DEFENDERS, SPECIAL_BIDS, TAKE_SET, Bid, Call, Calls, Hand, SideId

NOBODY = "nobody"
"""The taker of an award that nobody took."""
ALONE = "alone"
"""The partner of a bidder who plays alone."""
SKIPPED = "skip"
"""The trump of a hand for which no suit is entered."""

AWARD_FIELD, COUNT_FIELD, PILE_FIELD, CARD_FIELD, PENALTY_FIELD = "took-", "count-", "pile-", "cards-", "penalty-"
GIVEN_FIELD, TIMES_FIELD, COPIES_FIELD = "given-", "times-", "copies-"
"""Prefixes of fields; after each comes an award, a taker, or both."""
OTHERS_FIELD = "others"
"""The field that lists all sides if a penalty is given to the other sides, rather than subtracted."""
CALLS_FIELD, CALL_FIELD = "calls", "say"
NUMBER_FIELD = "bid-number"
"""The field of a typed bid, which has no button."""
UNBOUND_FIELD = "unbound"
"""The field for a hand that is played without a bid after all passed."""
SHOWN_FIELD = "shown"
"""The result that the page has shown, posted so that no other result is saved."""

WORD_FIELDS = ("dealer", "bidder", "bid", "trump", "called", "partner", "thrown_in", "first_there")
"""Fields with one word, each named like its field in `Hand`."""
PART_FIELDS = {
    "taken": AWARD_FIELD,
    "points": COUNT_FIELD,
    "card_points": PILE_FIELD,
    "cards": CARD_FIELD,
    "copies": COPIES_FIELD,
    "penalties": PENALTY_FIELD,
    "penalties_to": GIVEN_FIELD,
    "times": TIMES_FIELD,
}
"""The prefix of the form's fields, for each mapping in `HandInput`."""
MAX_FIELD_LENGTH = 200
MAX_CALLS_LENGTH = 8 * MAX_CALLS


# ---------- the bid and the calls ----------


def read_bid(fields: Mapping[str, str]) -> dict[str, str]:
    """Return the bidder, bid and partner tapped or typed last: one tap may answer two of these."""
    bidder, _, bid = fields.get("call", "").partition(":")
    paired, _, partner = fields.get("pair", "").partition(":")
    found = {"bidder": bidder or paired, "bid": bid or _typed_bid(fields), "partner": partner}
    return {name: text for name, text in found.items() if text}


def _typed_bid(fields: Mapping[str, str]) -> str:
    """Return the typed bid if it was changed after a bid was tapped; else empty."""
    typed = fields.get(NUMBER_FIELD, "").strip()
    return typed if typed != fields.get("bid-before", "") or not fields.get("bid") else ""


def calls_with_tapped(fields: Mapping[str, str]) -> Calls:
    """Return the calls so far plus the one just tapped; a tap on an earlier call removes those from it on.

    A tapped call carries its index, so that a second tap on the same button adds nothing.
    """
    calls = read_calls(fields.get(CALLS_FIELD, ""))
    index, _, call = tapped_call(fields).partition(":")
    number = number_or_text(index)
    return (*calls[:number], *read_calls(call)[:1]) if isinstance(number, int) else calls


def tapped_call(fields: Mapping[str, str]) -> str:
    """Return the call just tapped, or typed and sent, after its index: "2:p1:3"; empty without any."""
    typed = "".join(fields.get(NUMBER_FIELD, "").split())
    is_sent = typed and (fields.get("do") or fields.get("rest"))
    tapped = fields.get(CALL_FIELD) or (fields.get("say-next", "") if is_sent else "")
    if not tapped.endswith(":"):
        return tapped
    return f"{tapped}{typed}" if typed else ""


def read_calls(text: str) -> Calls:
    """Parse the calls in a field: `p2:pass p3:3`."""
    words = (word.partition(":") for word in text.split()[: MAX_CALLS + 1])
    return tuple((who, number_or_text(call)) for who, _, call in words)


def calls_text(calls: Iterable[Iterable[Call]]) -> str:
    """Return calls as the text of a field: `p2:pass p3:3`."""
    return " ".join(f"{who}:{call}" for who, call in calls)


# ---------- who took what ----------


def read_piles(fields: Mapping[str, str], takers: Iterable[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the card points of each pile, and the counts of cards that were tapped for them.

    The input changed last wins: if the posted sum is still the one that the page showed, the cards; else the typed sum,
    and its cards are dropped.
    """
    sums: dict[str, str] = {}
    cards: dict[str, str] = {}
    for who in takers:
        typed = fields.get(f"{PILE_FIELD}{who}", "").strip()
        counts = {rank: number_or_text(fields.get(f"{CARD_FIELD}{who}-{rank}", "")) for rank in CARD_POINTS}
        tapped = {rank: n for rank, n in counts.items() if isinstance(n, int) and 0 < n <= MAX_OF_A_RANK}
        total = str(sum(CARD_POINTS[rank] * count for rank, count in tapped.items()))
        if total != "0" and typed in ("", fields.get(f"sum-{who}", ""), total):
            sums[who] = total
            cards |= {f"{who}-{rank}": str(count) for rank, count in tapped.items()}
        elif typed:
            sums[who] = typed
    return sums, cards


def read_taken(fields: Mapping[str, str], takers: Container[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the taker of each award, and the counts of alike cards that make no sense, to be shown again.

    A taker of Game that the form derived from card points is left out, as it is derived again.
    """
    taken, unread = parts(fields, AWARD_FIELD, AWARD_IDS), dict[str, str]()
    rows: dict[str, dict[str, str]] = {}
    for name, text in parts(fields, COPIES_FIELD).items():
        row, _, who = name.partition("-")
        if who in takers and "." in row and set(row.split(".")) <= set(AWARD_IDS):
            rows.setdefault(row, {})[who] = text
    for row, counts in rows.items():
        awards = row.split(".")
        too_many = len(awards) + 1
        numbers = (
            (who, int(text) if text.isdecimal() and len(text) == 1 else too_many) for who, text in counts.items()
        )
        who_took = [who for who, number in numbers for _ in range(number)]
        if len(who_took) >= too_many:
            unread |= {f"{row}-{who}": text for who, text in counts.items()}
        else:
            taken |= zip(awards, who_took, strict=False)
    decided = parts(fields, "decided-")
    return {award: who for award, who in taken.items() if decided.get(award) != who}, unread


_YES_OR_NO = {"yes": True, "no": False}


class EntryMode(StrEnum):
    """How a hand is entered: the takers of awards, the points of each side, or the calls and then one of these."""

    CARDS = "cards"
    COUNTS = "counts"
    AUCTION = "auction"


Parts = Mapping[str, str]
"""The texts entered, by award or by taker."""


@dataclass(frozen=True, kw_only=True)
class HandInput:
    """The input of a hand so far; any of it may be missing.

    A typed number stays a text, valid or not, so that the page can show it again.
    """

    by_auction: bool = False
    """Whether the auction is entered call by call."""
    by_counts: bool = False
    """Whether the points of each side are entered, rather than the takers of awards."""
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
    """The counts of cards tapped for card points, by the pile's owner and the rank: `s1-10`."""
    copies: Parts = field(default_factory=dict)
    """Counts of alike cards that exceed the deck, by row and taker: `five_1.five_2-s1`."""
    penalties: Parts = field(default_factory=dict)
    penalties_to: Parts = field(default_factory=dict)
    penalty_recipients: tuple[SideId, ...] = ()
    """All sides, if a penalty is given to the other sides rather than subtracted; else none."""
    forfeits: Mapping[SideId, str] = field(default_factory=dict)
    times: Parts = field(default_factory=dict)

    @classmethod
    def parse(cls, fields: Mapping[str, str], people: Iterable[str]) -> "HandInput":
        """Parse a posted form; `people` are the ids of players and sides, and other ids are dropped.

        An invalid value is kept, for the rules to refuse.
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
        if entered["dealer"] == fields.get("dealt") and not entered["calls"]:
            # The dealer is the one that the page assumed, and was not chosen; with calls, it decides their order.
            entered["dealer"] = ""
        return cls(
            **entered,
            is_unbound=(fields.get("passed") or fields.get(UNBOUND_FIELD)) == "yes",
            overtook_pitch=fields.get("overtook_pitch") == "yes",
            all_tricks=_YES_OR_NO.get(fields.get("all_tricks", "")),
            penalty_recipients=tuple(who for who in people if who in fields.get(OTHERS_FIELD, "").split()),
            forfeits=dict(part.split(":", 1) for part in fields.get("forfeits", "").split() if ":" in part),
        )

    @classmethod
    def from_hand(cls, hand: Hand, sides: Sequence[SideId] = ()) -> "HandInput":
        """Return a stored hand as an input; points that one of `sides` gave all others become its penalty."""
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
                "penalty_recipients": tuple(sides),
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

    @property
    def mode(self) -> EntryMode:
        """How the hand is entered."""
        return EntryMode.AUCTION if self.by_auction else self.taken_mode

    @property
    def taken_mode(self) -> EntryMode:
        """How the play is entered: by the takers of awards, or by points."""
        return EntryMode.COUNTS if self.by_counts else EntryMode.CARDS

    def fields(self) -> Iterator[tuple[str, str]]:
        """Yield the form fields that `parse` turns back into this input, with the mode."""
        yield "by", self.mode.value
        if self.by_auction:
            yield "taking", self.taken_mode.value
        yield from self.answers()

    def answers(self) -> Iterator[tuple[str, str]]:
        """Yield the form fields that are filled in, without the mode."""
        words = {name: getattr(self, name) for name in WORD_FIELDS}
        words |= {
            CALLS_FIELD: calls_text(self.calls),
            UNBOUND_FIELD: "yes" if self.is_unbound else "",
            "overtook_pitch": "yes" if self.overtook_pitch else "",
            "all_tricks": {True: "yes", False: "no", None: ""}[self.all_tricks],
            "forfeits": " ".join(f"{who}:{what}" for who, what in self.forfeits.items()),
            OTHERS_FIELD: " ".join(self.penalty_recipients),
        }
        yield from ((name, text) for name, text in words.items() if text)
        for name, prefix in PART_FIELDS.items():
            yield from ((f"{prefix}{part}", text) for part, text in getattr(self, name).items())

    def hand(self) -> Hand:
        """Return the hand as entered so far; raises `HandRefused` for an input that is not a valid hand."""
        hand, faults = read_hand(dict(self._as_json()))
        refuse_any(faults, HandRefused)
        return hand

    def _as_json(self) -> Iterator[tuple[str, object]]:
        yield "dealer", self.dealer or None
        yield "forfeits", dict(self.forfeits) or None
        penalties, others = _numbers(self.penalties), self.penalty_recipients
        if others and penalties:
            yield "penalties_to", _given_to_others(penalties, others)
        else:
            yield "penalties", penalties
            yield "penalties_to", _numbers(self.penalties_to)
        if self.thrown_in:
            # `TAKE_SET` is stored as a call, not as a reason for an unplayed hand.
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
        """The bid as a number or a special bid; `None` before it is entered, or where it is neither."""
        bid = number_or_text(self.bid)
        return bid if isinstance(bid, int) or bid in SPECIAL_BIDS else None

    @property
    def counts(self) -> dict[str, int]:
        """The points of the columns that have a valid number."""
        return {who: int(n) for who, n in self.points.items() if n.isdecimal() and len(n) < 4}

    def cards_in(self, who: str) -> Mapping[str, str]:
        """Return the cards in the pile of a side or column: the count of each rank."""
        return parts(self.cards, f"{who}-")

    @property
    def has_mistakes(self) -> bool:
        """Whether a penalty, a forfeit, or a card turned up more than once was entered."""
        return any((self.penalties, self.penalties_to, self.penalty_recipients, self.forfeits, self.times))

    def with_counts(self, counts: Mapping[str, int]) -> "HandInput":
        """Return the input with the points of these columns replaced."""
        return replace(self, points={**self.points, **_as_typed(counts)})

    def with_rest(self, awards: Iterable[AwardId], who: str) -> "HandInput":
        """Return the input with these awards given to `who`, unless they have a taker."""
        return replace(self, taken={**dict.fromkeys(awards, who), **self.taken})


def _as_typed(values: Mapping[str, object] | None) -> dict[str, str]:
    return {part: NOBODY if value is None else str(value) for part, value in (values or {}).items()}


def _numbers(typed: Parts) -> dict[str, int | str] | None:
    """Return typed numbers; `None`, rather than an empty mapping, where none was typed."""
    return {who: number_or_text(text) for who, text in typed.items()} or None


def _given_to_others(penalties: Mapping[str, int | str], sides: Sequence[SideId]) -> dict[str, int | str]:
    """Return the points that each side receives for the penalties of the other sides."""
    given: dict[str, int | str] = {}
    for maker, points in penalties.items():
        for side in sides:
            if side != maker:
                earlier = given.get(side, 0)
                given[side] = points + earlier if isinstance(points, int) and isinstance(earlier, int) else points
    return given


def _modes(fields: Mapping[str, str]) -> tuple[bool, bool]:
    """Return whether the input is by auction and by points; a mode just tapped replaces the mode before."""
    before, tapped = fields.get("by", ""), fields.get("way", "")
    mode = tapped or before
    if mode != EntryMode.AUCTION:
        return False, mode == EntryMode.COUNTS
    has_counts = any(name.startswith(COUNT_FIELD) and text for name, text in fields.items())
    # If points were entered already, they stay the way of entering the play.
    return True, fields.get("taking") == EntryMode.COUNTS or (before == EntryMode.COUNTS and has_counts)
