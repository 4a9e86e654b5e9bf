"""The facts of one deal, as the table tells them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

SideId = str
"""A side's name; where each scores alone, the player's."""
Bid = int | str
"""A number, or a special bid's id."""
Call = int | str
"""A bid, or one of `pass`, `pitch` and `take_set`."""

BIDDERS = "bidders"
DEFENDERS = "defenders"
SPECIAL_BIDS = ("smudge", "moon", "double_moon")
PASS, PITCH, TAKE_SET = "pass", "pitch", "take_set"
PITCHED_BID = 4
"""What a led card counts as a bid (`002`, Pitching)."""
SUITS = ("spades", "hearts", "diamonds", "clubs")
ThrownIn = Literal["misdeal", "all_passed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRecord:
    """One deal: who bid what, and who took what. Holds no score."""

    dealer: str | None = None
    auction: tuple[tuple[str, Call], ...] | None = None
    bidder: str | None = None
    bid: Bid | None = None
    overtook_pitch: bool | None = None
    trump: str | None = None
    called: str | None = None
    partner: str | None = None
    alone: bool = False
    """Whether it was said that the bidder has no partner."""
    taken: Mapping[str, str | None] | None = None
    points: Mapping[str, int] | None = None
    card_points: Mapping[str, int] | None = None
    all_tricks: bool | None = None
    thrown_in: ThrownIn | None = None
    house: Mapping[str, Any] | None = None
    house_on: str | None = None
    note: str | None = None

    @property
    def is_played(self) -> bool:
        """Whether it is known who took what."""
        return self.taken is not None or self.points is not None

    @property
    def names_defenders(self) -> bool:
        """Whether somebody counted what the defenders took together."""
        taken, points, card_points = self.taken or {}, self.points or {}, self.card_points or {}
        return DEFENDERS in taken.values() or DEFENDERS in points or DEFENDERS in card_points
