"""Every kind of award: what it hangs on, how it is won, its words, and its face on the phone.

A ruleset's file names what an award hangs on (`card`) and how it is won (`won`). `parse_kind` reads the first as one of
the kinds below. Every question about a kind is one function that matches all kinds, so that mypy reports what a new
kind leaves unanswered.
"""

from dataclasses import dataclass
from functools import cache
from typing import Literal, assert_never

from pydantic import Field

from scorekeeper.rules.cards import RANK_NAMES, Joker, OffTrump, Rank, Trump, TrumpCard, parse_trump, trump_name
from scorekeeper.rules.spec import Spec

AwardId = str
AWARD_IDS: tuple[AwardId, ...] = tuple(
    "high low ace jack right off_jack left high_joker low_joker joker off_ace ten off_ten five off_five trey off_trey "
    "deuce off_deuce high_spade last_trick game".split()
)
"""Every award, in the order of `rulesets/_pitch.toml`."""
Won = Literal["held", "captured", "kept", "by_low_rule", "by_game_rule"]
"""How a file says that an award is won; the last two follow the options `low` and `game_rule`."""
HowWon = Literal["held", "captured", "kept", "card_points"]
"""How an award is won under the options in force."""


class Award(Spec):
    """A point, or several, that one side can win in a hand."""

    name: str = Field(description="What the table calls it.", max_length=20)
    card: str = Field(
        description="What decides it: a rank of trumps (`J`), of the other suit of that color (`off J`), `joker`, "
        "`high joker`, `low joker`, `spade` (the highest spade), `trick` (the last trick) or `count` (Game)."
    )
    won: Won = Field(description="Held, captured, kept by who plays it, or as `low` or `game_rule` says.")
    points: int = Field(ge=1, le=20, description="What it is worth.")
    unclaimed: bool = Field(description="Whether it may go to nobody.")
    on: bool = Field(default=False, description="Whether it is in play.")


@dataclass(frozen=True, slots=True)
class HighestTrump:
    """The highest trump in play, whichever card that is; `card` is the highest in the deck."""

    card: Trump


@dataclass(frozen=True, slots=True)
class LowestTrump:
    """The lowest trump in play, whichever card that is; `card` is the lowest in the deck."""

    card: Trump


@dataclass(frozen=True, slots=True)
class OneCard:
    """One card and no other."""

    card: TrumpCard


@dataclass(frozen=True, slots=True)
class HighestSpade:
    """The highest spade in play, trump or not."""


@dataclass(frozen=True, slots=True)
class LastTrick:
    """The last trick of a hand."""


@dataclass(frozen=True, slots=True)
class Game:
    """Game: the most card points, or the ten of trumps, as the option `game_rule` says."""


AwardKind = HighestTrump | LowestTrump | OneCard | HighestSpade | LastTrick | Game


@cache
def parse_kind(award_id: AwardId, text: str) -> AwardKind:
    """Return the kind of an award from its id and its `card`; raises `ValueError` for what is no card."""
    match text:
        case "spade":
            return HighestSpade()
        case "trick":
            return LastTrick()
        case "count":
            return Game()
    card = parse_trump(text)
    match award_id, card:
        case "high", Trump():
            return HighestTrump(card)
        case "low", Trump():
            return LowestTrump(card)
        case _:
            return OneCard(card)


def ways_to_win(kind: AwardKind) -> tuple[Won, ...]:
    """Return what a file may say of how an award of this kind is won."""
    match kind:
        case HighestTrump() | HighestSpade():
            return "held", "captured"
        case LowestTrump() | OneCard():
            return "held", "captured", "kept", "by_low_rule"
        case LastTrick():
            return ("captured",)
        case Game():
            return ("by_game_rule",)
        case _:
            assert_never(kind)


def how_won(won: Won, *, low: Literal["captured", "held", "kept"], game_rule: str) -> HowWon:
    """Return how an award is won where the options `low` and `game_rule` have these answers."""
    match won:
        case "held" | "captured" | "kept":
            return won
        case "by_low_rule":
            return low
        case "by_game_rule":
            return "card_points" if game_rule == "card_points" else "captured"
        case _:
            assert_never(won)


def deciding_options(won: Won) -> tuple[str, ...]:
    """Return the house options that decide how an award is won."""
    match won:
        case "held" | "captured" | "kept":
            return ()
        case "by_low_rule":
            return "low", "dirty"
        case "by_game_rule":
            return ("game_rule",)
        case _:
            assert_never(won)


def is_captured(how: HowWon) -> bool:
    """Return whether an award is won with the cards in one's tricks, so that every trick brings it."""
    match how:
        case "captured" | "card_points":
            return True
        case "held" | "kept":
            return False
        case _:
            assert_never(how)


def card_of(kind: AwardKind) -> TrumpCard | None:
    """Return the card that the deck must have for an award, and that carries its worth in the row of trumps."""
    match kind:
        case HighestTrump(card) | LowestTrump(card) | OneCard(card):
            return card
        case HighestSpade() | LastTrick() | Game():
            return None
        case _:
            assert_never(kind)


def may_be_missing(kind: AwardKind, award: Award, how: HowWon) -> bool:
    """Return whether nobody scores an award because its card is not in play; a tied count is another matter."""
    match kind:
        case HighestTrump() | LowestTrump() | OneCard() | HighestSpade() | LastTrick():
            return award.unclaimed
        case Game():
            return how != "card_points"
        case _:
            assert_never(kind)


def has_article(kind: AwardKind) -> bool:
    """Return whether a sentence says "the Jack" of an award of this kind, and not "Low"."""
    match kind:
        case HighestTrump() | LowestTrump() | Game():
            return False
        case OneCard() | HighestSpade() | LastTrick():
            return True
        case _:
            assert_never(kind)


def description(kind: AwardKind, how: HowWon = "card_points") -> str:
    """Return what an award hangs on: "the jack of trumps", "the last trick"; Game's depends on how it is won."""
    match kind:
        case HighestTrump():
            return "the highest trump in play"
        case LowestTrump():
            return "the lowest trump in play"
        case OneCard(card):
            return trump_name(card)
        case HighestSpade():
            return "the highest spade in play"
        case LastTrick():
            return "the last trick"
        case Game():
            return "the most card points in tricks" if how == "card_points" else "the ten of trumps, won in a trick"
        case _:
            assert_never(kind)


_PLAIN_RANKS = {**{rank: name.title() for rank, name in RANK_NAMES.items()}, "3": "Three", "2": "Two"}
_PLAIN_TRUMPS = {**_PLAIN_RANKS, "A": "High", "2": "Low"}


def plain_name(kind: AwardKind) -> str:
    """Return what a table that has chosen no game yet calls an award: "High", "Off Jack", "Jokers".

    Awards of one name are the same to such a table: High is the highest trump in one game, and the ace in another.
    """
    match kind:
        case HighestTrump():
            return "High"
        case LowestTrump():
            return "Low"
        case OneCard(card):
            return _plain_card(card)
        case HighestSpade():
            return "High Spade"
        case LastTrick():
            return "Last Trick"
        case Game():
            return "Game"
        case _:
            assert_never(kind)


def _plain_card(card: TrumpCard) -> str:
    match card:
        case Trump(rank):
            return _PLAIN_TRUMPS[rank]
        case OffTrump(rank):
            return f"Off {_PLAIN_RANKS[rank]}"
        case Joker.ONLY:
            return "One Joker"
        case Joker.HIGH | Joker.LOW:
            return "Jokers"
        case _:
            assert_never(card)


def is_optional(kind: AwardKind) -> bool:
    """Return whether families score an award of this kind or do not: all but High, Low, the Jack and Game."""
    match kind:
        case HighestTrump() | LowestTrump() | Game():
            return False
        case OneCard(Trump(rank)):
            return rank not in _ALWAYS_SCORED
        case OneCard() | HighestSpade() | LastTrick():
            return True
        case _:
            assert_never(kind)


_ALWAYS_SCORED = ("A", "J", "2")
"""The trumps that score in every game, as High, Jack and Low or by their own names."""


def scored_by(kind: AwardKind, how: HowWon, *, is_dirty: bool = False) -> str:
    """Return who scores an award, as a sentence whose braces `phrases.placeholders` fills."""
    match kind:
        case OneCard():
            card = "the card"
        case Game():
            card = "the ten of trumps"
        case HighestTrump() | LowestTrump() | HighestSpade() | LastTrick():
            card = description(kind)
        case _:
            assert_never(kind)
    match how:
        case "card_points":
            return "{scorer} with the most card points in {its} tricks: {card_points}."
        case "held" | "captured" if isinstance(kind, HighestTrump):  # no other card takes it
            return f"{{scorer_who}} holds {card}."
        case "held":
            return f"{{scorer_who}} holds {card}, no matter who wins the trick."
        case "kept":
            return f"{{scorer_who}} plays {card}, no matter who wins the trick."
        case "captured" if is_dirty:
            return f"{{scorer_who}} wins {card} in a trick."
        case "captured":
            return f"{{scorer_who}} takes {card}."
        case _:
            assert_never(how)


@dataclass(frozen=True, slots=True)
class CardFace:
    """The little card beside an award on the phone: a rank and a suit, or an icon."""

    rank: Rank = ""
    suit: Literal["", "trump", "off", "spades"] = ""
    """`trump` follows the suit that was named, `off` is the other suit of its color."""
    icon: Literal["", "hij", "loj", "cards"] = ""


def face(kind: AwardKind) -> CardFace:
    """Return the little card that stands for an award of this kind."""
    match kind:
        case HighestTrump(card) | LowestTrump(card) | OneCard(card):
            return _trump_face(card)
        case HighestSpade():
            return CardFace(rank="A", suit="spades")
        case LastTrick() | Game():
            return CardFace(icon="cards")
        case _:
            assert_never(kind)


def _trump_face(card: TrumpCard) -> CardFace:
    match card:
        case Trump(rank):
            return CardFace(rank=rank, suit="trump")
        case OffTrump(rank):
            return CardFace(rank=rank, suit="off")
        case Joker.HIGH | Joker.ONLY:
            return CardFace(icon="hij")
        case Joker.LOW:
            return CardFace(icon="loj")
        case _:
            assert_never(card)
