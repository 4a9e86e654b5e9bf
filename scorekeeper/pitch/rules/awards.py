"""The cards, and every kind of award: what it is for, how it is won, its words, and its card on the phone.

A ruleset's file has what an award is for (`card`) and how it is won (`won`). `parse_kind` turns the first into one of
the kinds below. Each function about kinds matches all of them, so that mypy reports a function that lacks a new kind.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, ClassVar, Literal

from pydantic import Field

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
"""The name that players use for each rank, from high to low."""
SUITS = ("spades", "hearts", "diamonds", "clubs")

CARD_POINTS: Mapping[Rank, int] = {"A": 4, "K": 3, "Q": 2, "J": 1, "10": 10}
"""The card points that count toward Game; every other card has none (`002`, "Partnership Pitch")."""


@dataclass(frozen=True, slots=True)
class Trump:
    """A card of the trump suit."""

    rank: Rank


@dataclass(frozen=True, slots=True)
class OffTrump:
    """The card of a rank in the other suit of the trump's color, where it is a trump too: the Off Jack."""

    rank: Rank


class Joker(StrEnum):
    """A joker, which is always a trump."""

    ONLY = "joker"
    HIGH = "high joker"
    LOW = "low joker"


TrumpCard = Trump | OffTrump | Joker

JOKERS_BY_NUMBER: Mapping[int, tuple[Joker, ...]] = {0: (), 1: (Joker.ONLY,), 2: (Joker.HIGH, Joker.LOW)}
"""The jokers in the deck from high to low, by how many there are."""


def parse_trump(text: str) -> TrumpCard:
    """Parse a trump as a ruleset's file names it: "J", "off J" or "high joker"; raises `ValueError`."""
    if text in RANK_NAMES:
        return Trump(text)
    if text.removeprefix("off ") in RANK_NAMES:
        return OffTrump(text.removeprefix("off "))
    return Joker(text)


def trump_name(card: TrumpCard) -> str:
    """Return the words for a trump inside a sentence: "the jack of trumps"."""
    match card:
        case Trump(rank):
            return f"the {RANK_NAMES[rank]} of trumps"
        case OffTrump(rank):
            return f"the other {RANK_NAMES[rank]} of the trump color"
        case Joker():
            return f"the {card}"


AwardId = Annotated[str, Field(max_length=20)]
AwardIds = tuple[AwardId, ...]
AWARD_IDS: AwardIds = tuple(
    "turned_ace turned_six turned_two turned_jack gift high low ace king off_king queen jack hang_jack right off_jack "
    "left high_joker low_joker joker off_ace ten off_ten nine off_nine nine_1 nine_2 nine_3 five off_five five_1 "
    "five_2 five_3 trey off_trey deuce off_deuce high_spade last_trick game own_1 own_2 own_3 own_4".split()
)
"""Every award, in the order of `rulesets/_pitch.toml`; the awards that a house defines itself are last."""
OWN_AWARDS = AWARD_IDS[-4:]
"""The awards that a house defines itself."""
WonAsWritten = Literal["held", "captured", "kept", "given", "by_low_rule", "by_game_rule"]
"""How an award is won, as written in a file; the last two follow the options `low` and `game_rule`."""
HowWon = Literal["held", "captured", "kept", "given", "card_points"]
"""How an award is won under the options in force."""


Article = Literal["", "the ", "a "]


class _AwardKindBase:
    """What the kinds of awards have in common."""

    __slots__ = ()
    article: ClassVar[Article] = "the "
    """The article before the name of such an award: "the Jack", "a Plain Five", "Low"."""


@dataclass(frozen=True, slots=True)
class HighestTrump(_AwardKindBase):
    """High: the highest trump in play; `card` is the highest in the deck, which may not be dealt."""

    article: ClassVar[Article] = ""
    card: Trump


@dataclass(frozen=True, slots=True)
class LowestTrump(_AwardKindBase):
    """Low: the lowest trump in play; `card` is the lowest in the deck, which may not be dealt."""

    article: ClassVar[Article] = ""
    card: Trump


@dataclass(frozen=True, slots=True)
class OneCard(_AwardKindBase):
    """A certain trump, such as the jack, the Off Jack or a joker."""

    card: TrumpCard


@dataclass(frozen=True, slots=True)
class PlainCard(_AwardKindBase):
    """A card of this rank that is not a trump; each of these cards has an award of its own."""

    article: ClassVar[Article] = "a "
    rank: Rank


@dataclass(frozen=True, slots=True)
class HighestSpade(_AwardKindBase):
    """The highest spade in play, trump or not."""


@dataclass(frozen=True, slots=True)
class LastTrick(_AwardKindBase):
    """The last trick of a hand."""


@dataclass(frozen=True, slots=True)
class GamePoint(_AwardKindBase):
    """Game: the most card points, or the ten of trumps, depending on the option `game_rule`."""

    article: ClassVar[Article] = ""


@dataclass(frozen=True, slots=True)
class TurnedUp(_AwardKindBase):
    """A card of this rank that the dealer turns up to make trump."""

    rank: Rank


@dataclass(frozen=True, slots=True)
class Gift(_AwardKindBase):
    """A point that the dealer gives to the player who begs."""


@dataclass(frozen=True, slots=True)
class Caught(_AwardKindBase):
    """A trump taken by another side than the one that played it, scored instead of the award for the card itself."""

    card: Trump


AwardKind = (
    HighestTrump | LowestTrump | OneCard | PlainCard | HighestSpade | LastTrick | GamePoint | TurnedUp | Gift | Caught
)


@lru_cache(maxsize=1024)  # there are some 40, but a file may have others
def parse_kind(award_id: AwardId, text: str) -> AwardKind:
    """Parse an award's `card` in a ruleset's file into the kind of award; raises `ValueError` for an unknown card."""
    match text:
        case "spade":
            return HighestSpade()
        case "trick":
            return LastTrick()
        case "count":
            return GamePoint()
        case "gift":
            return Gift()
    how, _, rank = text.partition(" ")
    if how in ("turned", "caught") and rank in RANK_NAMES:
        return TurnedUp(rank) if how == "turned" else Caught(Trump(rank))
    if how == "plain" and rank in RANK_NAMES:
        return PlainCard(rank)
    card = parse_trump(text)
    match award_id, card:
        case "high", Trump():
            return HighestTrump(card)
        case "low", Trump():
            return LowestTrump(card)
        case _:
            return OneCard(card)


def possible_won_values(kind: AwardKind) -> tuple[WonAsWritten, ...]:
    """Return what a ruleset's file may say under `won` for an award of this kind."""
    match kind:
        case HighestTrump() | HighestSpade():
            return "held", "captured"
        case LowestTrump() | OneCard():
            return "held", "captured", "kept", "by_low_rule"
        case LastTrick() | Caught() | PlainCard():
            return ("captured",)
        case TurnedUp() | Gift():
            return ("given",)
        case GamePoint():
            return ("by_game_rule",)


def how_won_options(won: WonAsWritten) -> tuple[str, ...]:
    """Return the house options that decide how an award with this value of `won` is won."""
    return {"by_low_rule": ("low", "dirty"), "by_game_rule": ("game_rule",)}.get(won, ())


def may_be_missing(kind: AwardKind, how: HowWon, *, is_unclaimed: bool) -> bool:
    """Return whether an award may be nobody's because its card is out of play; a tied count is not meant."""
    match kind:
        case HighestTrump() | LowestTrump() | OneCard() | PlainCard() | HighestSpade() | LastTrick():
            return is_unclaimed
        case GamePoint():
            return how != "card_points"
        case TurnedUp() | Gift() | Caught():  # the card itself is another award, or none
            return False


def award_description(kind: AwardKind, how: HowWon = "card_points") -> str:
    """Return what an award is for: "the jack of trumps", "the last trick"; for Game it depends on `how` it is won."""
    match kind:
        case HighestTrump():
            return "the highest trump in play"
        case LowestTrump():
            return "the lowest trump in play"
        case OneCard(card):
            return trump_name(card)
        case PlainCard(rank):
            return f"{rank_with_article(rank)} that is not a trump"
        case HighestSpade():
            return "the highest spade in play"
        case LastTrick():
            return "the last trick"
        case GamePoint():
            return "the most card points in tricks" if how == "card_points" else "the ten of trumps, won in a trick"
        case TurnedUp(rank):
            return f"{rank_with_article(rank)} turned up for trump"
        case Gift():
            return "a point given to a beggar"
        case Caught(card):
            return f"{trump_name(card)}, caught"


def rank_with_article(rank: Rank) -> str:
    """Return words for any card of a rank: "an ace", "a jack"."""
    name = RANK_NAMES[rank]
    return f"{'an' if name[0] in 'ae' else 'a'} {name}"


_PLAIN_RANK_NAMES = {**{rank: name.title() for rank, name in RANK_NAMES.items()}, "3": "Three", "2": "Two"}
"""The name of each rank in plain names of awards."""


def plain_name(kind: AwardKind) -> str:
    """Return an award's name for players who have not chosen a game yet: "High", "Off Jack", "Jokers".

    Different awards may share a plain name: High is the highest trump in one game, and the ace in another.
    """
    match kind:
        case HighestTrump():
            return "High"
        case LowestTrump():
            return "Low"
        case OneCard(Trump(rank)):
            return {"A": "High", "2": "Low"}.get(rank, _PLAIN_RANK_NAMES[rank])
        case OneCard(OffTrump(rank)):
            return f"Off {_PLAIN_RANK_NAMES[rank]}"
        case OneCard(joker):
            return "One Joker" if joker == Joker.ONLY else "Jokers"
        case PlainCard(rank):
            return f"Plain {_PLAIN_RANK_NAMES[rank]}s"
        case HighestSpade():
            return "High Spade"
        case LastTrick():
            return "Last Trick"
        case GamePoint():
            return "Game"
        case TurnedUp(rank):
            return f"Turned {_PLAIN_RANK_NAMES[rank]}"
        case Gift():
            return "Gift"
        case Caught(card):
            return f"Hang {_PLAIN_RANK_NAMES[card.rank]}"


def is_optional(kind: AwardKind) -> bool:
    """Return whether some families play without such an award; all play with High, Low, the Jack and Game."""
    always = HighestTrump | LowestTrump | GamePoint
    return not isinstance(kind, always) and kind not in [OneCard(Trump(rank)) for rank in ("A", "J", "2")]


def scorer_sentence(
    kind: AwardKind, how: HowWon, *, is_own: bool = False, is_dirty: bool = False, lowest_jokers: int = 0
) -> str:
    """Return the sentence on who scores an award, with `{placeholders}` to be filled by `phrases.placeholders`.

    The card of a house's own award is named (`is_own`), because the award's name may not show it. `lowest_jokers` is
    the number of jokers that rank below every other trump, which are never Low.
    """
    match kind:
        case OneCard() if not is_own:
            card = "the card"
        case GamePoint():
            card = "the ten of trumps"
        case LowestTrump() if lowest_jokers:
            card = f"{award_description(kind)}, not counting {'the joker' if lowest_jokers == 1 else 'jokers'}"
        case TurnedUp():
            return "{scorer_who} deals, when that card is turned up for trump."
        case Gift():
            return "{scorer_who} begs and is given a point."
        case Caught(trump):
            return f"{{scorer_who}} takes {trump_name(trump)} from {{another}} {{side}}, in place of the point for it."
        case _:
            card = award_description(kind)
    match how:
        case "card_points":
            return "{scorer} with the most card points in {its} tricks: in every suit {card_points}."
        case "held" | "captured" if isinstance(kind, HighestTrump):  # no other card takes it
            return f"{{scorer_who}} holds {card}."
        case "held":
            return f"{{scorer_who}} holds {card}, no matter who wins the trick."
        case "kept":
            return f"{{scorer_who}} plays {card}, no matter who wins the trick."
        case _ if is_dirty:
            return f"{{scorer_who}} wins {card} in a trick."
        case _:
            return f"{{scorer_who}} takes {card}."


@dataclass(frozen=True, slots=True)
class CardFace:
    """The picture of a card beside an award on the phone: a rank and a suit, or an icon."""

    rank: Rank = ""
    suit: Literal["", "trump", "off", "spades"] = ""
    """`trump` is the trump suit of the hand, `off` the other suit of its color."""
    icon: Literal["", "hij", "loj", "cards"] = ""


def card_face(kind: AwardKind, how: HowWon = "card_points") -> CardFace:
    """Return the picture of a card for an award of this kind; for Game, the ten where the ten of trumps wins it."""
    match kind:
        case HighestTrump(Trump(rank)) | LowestTrump(Trump(rank)) | OneCard(Trump(rank)) | Caught(Trump(rank)):
            return CardFace(rank, "trump")
        case TurnedUp(rank):
            return CardFace(rank, "trump")
        case OneCard(OffTrump(rank)):
            return CardFace(rank, "off")
        case OneCard(joker):
            return CardFace(icon="loj" if joker == Joker.LOW else "hij")
        case PlainCard(rank):
            return CardFace(rank)
        case HighestSpade():
            return CardFace("A", "spades")
        case GamePoint() if how != "card_points":
            return CardFace("10", "trump")
        case LastTrick() | GamePoint() | Gift():
            return CardFace(icon="cards")
