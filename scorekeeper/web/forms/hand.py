"""The hand entry's fields, both ways: what was tapped so far into the facts of a hand, and a hand into what is tapped.

Everybody is known by id here, as in the store: `p1`, `s1`, `bidders`, `defenders`, and `nobody` for a point that
nobody took.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scorekeeper.engine.hand import SPECIAL_BIDS, TAKE_SET, Bid
from scorekeeper.rules.schema import AwardId
from scorekeeper.web.contexts.parts import Hidden
from scorekeeper.web.forms.calls import CALLS_FIELD, Calls, as_said, calls_in, calls_text
from scorekeeper.web.forms.piles import CARD_FIELD, PILE_FIELD, piles_in

NOBODY = "nobody"
ALONE = "alone"
CARDS, COUNTS, AUCTION = "cards", "counts", "auction"
WAY_FIELD = "way"
WAYS = (CARDS, COUNTS, AUCTION)
AWARD_FIELD, COUNT_FIELD = "took-", "count-"


@dataclass(frozen=True, slots=True, kw_only=True)
class HandDraft:
    """What has been tapped of a hand; anything may still be missing."""

    by: str = CARDS
    taking: str = CARDS
    """With a whole auction: whether what was taken is told by cards or by counts."""
    calls: Calls = ()
    bidder: str = ""
    bid: str = ""
    """A number or a special bid's id, as the form sends it."""
    trump: str = ""
    partner: str = ""
    called: str = ""
    all_tricks: str = ""
    overtook_pitch: bool = False
    dealer: str = ""
    took: Mapping[AwardId, str] = field(default_factory=dict)
    counts: Mapping[str, str] = field(default_factory=dict)
    piles: Mapping[str, str] = field(default_factory=dict)
    cards: Mapping[str, int] = field(default_factory=dict)
    """How many cards of a rank were tapped in a pile, such as `s1-10`."""
    thrown_in: str = ""

    @classmethod
    def from_form(cls, form: Mapping[str, str]) -> "HandDraft":
        """Read what a form sent; what makes no sense is left for the rules to refuse."""
        bidder, _, bid = form.get("call", "").partition(":")
        paired, _, partner = form.get("pair", "").partition(":")
        by, taking = _ways(form)
        piles, cards = piles_in(form)
        return cls(
            by=by,
            taking=taking,
            calls=calls_in(form),
            bidder=bidder or paired or form.get("bidder", ""),
            bid=bid or form.get("bid", ""),
            trump=form.get("trump", ""),
            partner=partner or form.get("partner", ""),
            called=form.get("called", ""),
            all_tricks=form.get("all_tricks", ""),
            overtook_pitch=form.get("overtook_pitch", "") == "yes",
            dealer=form.get("dealer", ""),
            took=_group(form, AWARD_FIELD),
            counts=_group(form, COUNT_FIELD),
            piles=piles,
            cards=cards,
            thrown_in=form.get("thrown_in", ""),
        )

    @classmethod
    def from_hand(cls, hand: Mapping[str, Any]) -> "HandDraft":
        """Show a stored hand as if it had just been tapped."""
        alone = "partner" in hand and hand["partner"] is None
        tricks = hand.get("all_tricks")
        taking = COUNTS if "points" in hand else CARDS
        return cls(
            by=AUCTION if "auction" in hand else taking,
            taking=taking if "auction" in hand else CARDS,
            calls=tuple((who, str(said)) for who, said in hand.get("auction", ())),
            bidder=hand.get("bidder", ""),
            bid=str(hand.get("bid", "")),
            trump=hand.get("trump", ""),
            partner=ALONE if alone else hand.get("partner", ""),
            called=hand.get("called", ""),
            all_tricks="" if tricks is None else "yes" if tricks else "no",
            overtook_pitch=bool(hand.get("overtook_pitch")),
            dealer=hand.get("dealer", ""),
            took={award: NOBODY if who is None else who for award, who in hand.get("taken", {}).items()},
            counts={who: str(number) for who, number in hand.get("points", {}).items()},
            piles={who: str(number) for who, number in hand.get("card_points", {}).items()},
            thrown_in=hand.get("thrown_in", ""),
        )

    @property
    def by_counts(self) -> bool:
        """Whether what was taken is told by counts alone."""
        return COUNTS in (self.by, self.taking if self.by == AUCTION else "")

    @property
    def bid_value(self) -> Bid | None:
        """The bid as the rules know it; `None` where there is none yet."""
        return _whole(self.bid) if self.bid not in SPECIAL_BIDS else self.bid

    def with_rest(self, awards: Iterable[AwardId], who: str) -> "HandDraft":
        """Give everything that is not placed yet to one side, or to nobody."""
        return replace(self, took={**{award: who for award in awards}, **self.took})

    def hand(self) -> dict[str, Any]:
        """Write the facts, as far as they are known, as `pitch-record/1` has them."""
        told: dict[str, Any] = {"dealer": self.dealer} if self.dealer else {}
        if self.thrown_in:
            return told | {"thrown_in": self.thrown_in}
        if self.bidder == TAKE_SET:
            return told
        told |= {"auction": self.auction} if self.by == AUCTION else self._contract()
        told |= {key: value for key, value in (("trump", self.trump), ("called", self.called.strip())) if value}
        if self.partner:
            told["partner"] = None if self.partner == ALONE else self.partner
        if self.all_tricks in ("yes", "no"):
            told["all_tricks"] = self.all_tricks == "yes"
        if self.by_counts:
            told["points"] = {who: _number(number) for who, number in self.counts.items() if number}
        else:
            told["taken"] = {award: None if who == NOBODY else who for award, who in self.took.items()}
        if self.piles:
            told["card_points"] = {who: _number(number) for who, number in self.piles.items()}
        return told

    @property
    def auction(self) -> list[list[Any]]:
        """The calls as `pitch-record/1` has them."""
        return [[who, as_said(said)] for who, said in self.calls]

    def _contract(self) -> dict[str, Any]:
        """Write what the bidding came to, where its calls are not told."""
        told: dict[str, Any] = {"bidder": self.bidder} if self.bidder else {}
        if self.bid:
            value = self.bid_value
            told["bid"] = self.bid if value is None else value
        if self.overtook_pitch:
            told["overtook_pitch"] = True
        return told

    def fields(self) -> Hidden:
        """Write a draft as the fields that it was read from."""
        single = {
            "by": self.by,
            "taking": self.taking if self.by == AUCTION else "",
            CALLS_FIELD: calls_text(self.calls),
            "bidder": self.bidder,
            "bid": self.bid,
            "trump": self.trump,
            "partner": self.partner,
            "called": self.called,
            "all_tricks": self.all_tricks,
            "overtook_pitch": "yes" if self.overtook_pitch else "",
            "dealer": self.dealer,
            "thrown_in": self.thrown_in,
        }
        groups: tuple[tuple[str, Mapping[str, object]], ...] = (
            (AWARD_FIELD, self.took),
            (COUNT_FIELD, self.counts),
            (PILE_FIELD, self.piles),
            (CARD_FIELD, self.cards),
        )
        return (
            *((name, value) for name, value in single.items() if value),
            *((f"{prefix}{who}", str(value)) for prefix, group in groups for who, value in group.items()),
        )


def _ways(form: Mapping[str, str]) -> tuple[str, str]:
    """Read which way the hand is entered, and which way it was before another was tapped."""
    by, taking = form.get("by", ""), COUNTS if form.get("taking") == COUNTS else CARDS
    way = form.get(WAY_FIELD, "")
    if way == AUCTION and by == COUNTS and _group(form, COUNT_FIELD):
        # The counts that are already there stay what is told.
        taking = COUNTS
    chosen = way or by
    if chosen not in WAYS:
        chosen = CARDS
    return chosen, taking if chosen == AUCTION else CARDS


def _group(form: Mapping[str, str], prefix: str) -> dict[str, str]:
    return {name.removeprefix(prefix): form[name] for name in form if name.startswith(prefix) and form[name]}


def _whole(text: str) -> int | None:
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else None


def _number(text: str) -> int | str:
    """Read a count; what is no number is passed on, so that it is refused where it stands."""
    number = _whole(text)
    return text.strip() if number is None else number
