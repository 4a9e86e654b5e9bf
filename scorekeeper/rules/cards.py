"""The cards: ranks, suits, jokers and trumps, and what each rank counts toward Game."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

Rank = str
"""`A`, `K`, `Q`, `J` or a number from `10` to `2`."""

RANK_NAMES: Mapping[Rank, str] = {
    "A": "ace",
    "K": "king",
    "Q": "queen",
    "J": "jack",
    "10": "ten",
    "9": "nine",
    "8": "eight",
    "7": "seven",
    "6": "six",
    "5": "five",
    "4": "four",
    "3": "trey",
    "2": "deuce",
}
"""Every rank from high to low, as it is called at the table."""
SUITS = ("spades", "hearts", "diamonds", "clubs")

CARD_POINTS: Mapping[Rank, int] = {"A": 4, "K": 3, "Q": 2, "J": 1, "10": 10}
"""What a card counts toward Game, from high to low; every other card counts nothing (`002`, "Partnership Pitch")."""
CARD_POINTS_IN_DECK = len(SUITS) * sum(CARD_POINTS.values())


@dataclass(frozen=True, slots=True)
class Trump:
    """A card of the trump suit."""

    rank: Rank


@dataclass(frozen=True, slots=True)
class OffTrump:
    """The card of that rank in the other suit of the trump's color, where it counts as a trump."""

    rank: Rank


class Joker(StrEnum):
    """A joker, which is always a trump."""

    ONLY = "joker"
    HIGH = "high joker"
    LOW = "low joker"


TrumpCard = Trump | OffTrump | Joker

JOKERS: Mapping[int, tuple[Joker, ...]] = {0: (), 1: (Joker.ONLY,), 2: (Joker.HIGH, Joker.LOW)}
"""The jokers from high to low, by how many are in the deck."""


def parse_trump(text: str) -> TrumpCard:
    """Return the trump that a ruleset's file names: "J", "off J" or "high joker"; raises `ValueError`."""
    if text in RANK_NAMES:
        return Trump(text)
    if text.removeprefix("off ") in RANK_NAMES:
        return OffTrump(text.removeprefix("off "))
    return Joker(text)


def trump_name(card: TrumpCard) -> str:
    """Return what a trump is called in a sentence: "the jack of trumps"."""
    match card:
        case Trump(rank):
            return f"the {RANK_NAMES[rank]} of trumps"
        case OffTrump(rank):
            return f"the other {RANK_NAMES[rank]} of the trump color"
        case Joker():
            return f"the {card}"
