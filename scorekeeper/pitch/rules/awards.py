"""Cards, and the kinds of awards with their texts and pictures.

A ruleset's file names what wins each award in its key `card`: "J", "off J", "trick". `parse_kind` parses that text into
one of the kinds below. Each function about kinds matches all of them, so that mypy reports a function that lacks a new
kind.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, ClassVar, Literal

from pydantic import Field

Rank = str
"""The rank of a card: `A`, `K`, `Q`, `J`, or a number from `10` down to `2`."""

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
"""The word for each rank, keyed by rank from the ace down to the deuce: "J" is the "jack"."""
SUITS = ("spades", "hearts", "diamonds", "clubs")

CARD_POINTS: Mapping[Rank, int] = {"A": 4, "K": 3, "Q": 2, "J": 1, "10": 10}
"""How many card points a card has, keyed by its rank. A rank that is left out has none (source `002`, "Partnership
Pitch")."""


@dataclass(frozen=True, slots=True)
class Trump:
    """A card of the trump suit."""

    rank: Rank


@dataclass(frozen=True, slots=True)
class OffTrump:
    """A card that is a trump although it is of the other suit of the same color, such as the Off Jack."""

    rank: Rank


class Joker(StrEnum):
    """A joker, which is always a trump."""

    ONLY = "joker"
    HIGH = "high joker"
    LOW = "low joker"


TrumpCard = Trump | OffTrump | Joker

JOKERS_BY_NUMBER: Mapping[int, tuple[Joker, ...]] = {0: (), 1: (Joker.ONLY,), 2: (Joker.HIGH, Joker.LOW)}
"""The jokers in a deck, the high one first, keyed by the number of jokers in the deck."""


def parse_trump(card_text: str) -> TrumpCard:
    """Parse a trump as a ruleset's file names it: "J", "off J" or "high joker".

    Raises `ValueError` for any other text.
    """
    if card_text in RANK_NAMES:
        return Trump(card_text)
    if card_text.removeprefix("off ") in RANK_NAMES:
        return OffTrump(card_text.removeprefix("off "))
    return Joker(card_text)


def trump_name(card: TrumpCard) -> str:
    """Return a trump's name for use inside a sentence: "the jack of trumps", "the low joker"."""
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
"""The ids of all awards, in the order of `rulesets/_pitch.toml`. The awards that a house defines itself are last."""
OWN_AWARD_IDS = AWARD_IDS[-4:]
"""The ids of the awards that a house defines itself."""
WonAsWritten = Literal["held", "captured", "kept", "given", "by_low_rule", "by_game_rule"]
"""How an award is won, as a ruleset's file says. With `by_low_rule`, the house option `low` decides; with
`by_game_rule`, the option `game_rule`."""
HowWon = Literal["held", "captured", "kept", "given", "card_points"]
"""How an award is won, after the house options have decided. A card that is `held` scores for the player who has it in
hand. One that is `kept` scores for the player who plays it, and one that is `captured` for the winner of its trick. An
award that is `given` is scored before the play. With `card_points`, the most card points win."""


Article = Literal["", "the ", "a "]


class _AwardKind:
    """The base class of all kinds of awards."""

    __slots__ = ()
    article: ClassVar[Article] = "the "
    """The article before the award's name: "the Jack", "a Plain Five"; empty for "Low"."""


@dataclass(frozen=True, slots=True)
class HighestTrump(_AwardKind):
    """The award High, for the highest trump in play.

    `card` is the highest trump in the deck.
    """

    article: ClassVar[Article] = ""
    card: Trump


@dataclass(frozen=True, slots=True)
class LowestTrump(_AwardKind):
    """The award Low, for the lowest trump in play.

    `card` is the lowest trump in the deck.
    """

    article: ClassVar[Article] = ""
    card: Trump


@dataclass(frozen=True, slots=True)
class OneTrump(_AwardKind):
    """An award for one specific trump, such as the jack, the Off Jack or a joker."""

    card: TrumpCard


@dataclass(frozen=True, slots=True)
class PlainCard(_AwardKind):
    """An award for one card of this rank that is not a trump.

    Each such card has an award of its own.
    """

    article: ClassVar[Article] = "a "
    rank: Rank


@dataclass(frozen=True, slots=True)
class HighestSpade(_AwardKind):
    """An award for the highest spade in play, trump or not."""


@dataclass(frozen=True, slots=True)
class LastTrick(_AwardKind):
    """An award for the last trick of a hand."""


@dataclass(frozen=True, slots=True)
class GamePoint(_AwardKind):
    """The award Game.

    The option `game_rule` says whether the most card points win it, or the ten of trumps.
    """

    article: ClassVar[Article] = ""


@dataclass(frozen=True, slots=True)
class TurnedCard(_AwardKind):
    """An award to the dealer for turning up a card of this rank when trump is made."""

    rank: Rank


@dataclass(frozen=True, slots=True)
class Gift(_AwardKind):
    """An award that the dealer gives when a player begs.

    The option `gift_to` says who gets it: that player, or everyone but the dealer.
    """


@dataclass(frozen=True, slots=True)
class CaughtTrump(_AwardKind):
    """An award for taking a trump that another side played.

    It scores in place of the award for the card itself.
    """

    card: Trump


AwardKind = (
    HighestTrump
    | LowestTrump
    | OneTrump
    | PlainCard
    | HighestSpade
    | LastTrick
    | GamePoint
    | TurnedCard
    | Gift
    | CaughtTrump
)


@lru_cache(maxsize=1024)  # there are some 40, but a file may have others
def parse_kind(award_id: AwardId, card_text: str) -> AwardKind:
    """Parse the `trump` of an award in a ruleset's file; raises `ValueError` for an unknown card. Cached.

    A rank alone, such as "A", stands for that trump. In the awards with the ids `high` and `low`, it stands for High
    and Low.
    """
    match card_text:
        case "spade":
            return HighestSpade()
        case "trick":
            return LastTrick()
        case "count":
            return GamePoint()
        case "gift":
            return Gift()
    first_word, _, rank = card_text.partition(" ")
    if first_word in ("turned", "caught") and rank in RANK_NAMES:
        return TurnedCard(rank) if first_word == "turned" else CaughtTrump(Trump(rank))
    if first_word == "plain" and rank in RANK_NAMES:
        return PlainCard(rank)
    trump = parse_trump(card_text)
    match award_id, trump:
        case "high", Trump():
            return HighestTrump(trump)
        case "low", Trump():
            return LowestTrump(trump)
        case _:
            return OneTrump(trump)


def possible_won_values(kind: AwardKind) -> tuple[WonAsWritten, ...]:
    """Return the values of `won` that a ruleset's file may have for an award of this kind."""
    match kind:
        case HighestTrump() | HighestSpade():
            return "held", "captured"
        case LowestTrump() | OneTrump():
            return "held", "captured", "kept", "by_low_rule"
        case LastTrick() | CaughtTrump() | PlainCard():
            return ("captured",)
        case TurnedCard() | Gift():
            return ("given",)
        case GamePoint():
            return ("by_game_rule",)


def how_won_options(won: WonAsWritten) -> tuple[str, ...]:
    """Return the names of the house options that decide how an award is won; empty if none does.

    `won` is what the ruleset's file says: "by_low_rule".
    """
    return {"by_low_rule": ("low", "dirty"), "by_game_rule": ("game_rule",)}.get(won, ())


def may_be_out_of_play(kind: AwardKind, how_won: HowWon, *, unclaimed: bool) -> bool:
    """Return whether an award may go to nobody because its card was not dealt, or was discarded.

    `how_won` is how the award is won. For most kinds, the award's own `unclaimed` decides.
    """
    match kind:
        case HighestTrump() | LowestTrump() | OneTrump() | PlainCard() | HighestSpade() | LastTrick():
            return unclaimed
        case GamePoint():
            return how_won != "card_points"
        case TurnedCard() | Gift() | CaughtTrump():  # the card itself is another award, or none
            return False


def award_description(kind: AwardKind, how_won: HowWon = "card_points") -> str:
    """Return words for what wins an award: "the jack of trumps", "the last trick".

    `how_won` is how the award is won; only the words for Game depend on it.
    """
    match kind:
        case HighestTrump():
            return "the highest trump in play"
        case LowestTrump():
            return "the lowest trump in play"
        case OneTrump(card):
            return trump_name(card)
        case PlainCard(rank):
            return f"{rank_with_article(rank)} that is not a trump"
        case HighestSpade():
            return "the highest spade in play"
        case LastTrick():
            return "the last trick"
        case GamePoint():
            return "the most card points in tricks" if how_won == "card_points" else "the ten of trumps, won in a trick"
        case TurnedCard(rank):
            return f"{rank_with_article(rank)} turned up for trump"
        case Gift():
            return "a point given to a beggar"
        case CaughtTrump(card):
            return f"{trump_name(card)}, caught"


def rank_with_article(rank: Rank) -> str:
    """Return the word for a rank with its article: "an ace", "a jack"."""
    rank_name = RANK_NAMES[rank]
    return f"{'an' if rank_name[0] in 'ae' else 'a'} {rank_name}"


_PLAIN_RANK_NAMES = {**{rank: name.title() for rank, name in RANK_NAMES.items()}, "3": "Three", "2": "Two"}
"""The name of each rank in `plain_name`, keyed by rank: "Jack". There is "Three" for "Trey" and "Two" for "Deuce"."""


def plain_name(kind: AwardKind) -> str:
    """Return an award's name for players who have not chosen a game yet: "High", "Off Jack", "Jokers".

    Different awards may share a plain name: High is the highest trump in one game, and the ace in another.
    """
    match kind:
        case HighestTrump():
            return "High"
        case LowestTrump():
            return "Low"
        case OneTrump(Trump(rank)):
            return {"A": "High", "2": "Low"}.get(rank, _PLAIN_RANK_NAMES[rank])
        case OneTrump(OffTrump(rank)):
            return f"Off {_PLAIN_RANK_NAMES[rank]}"
        case OneTrump(joker):
            return "One Joker" if joker == Joker.ONLY else "Jokers"
        case PlainCard(rank):
            return f"Plain {_PLAIN_RANK_NAMES[rank]}s"
        case HighestSpade():
            return "High Spade"
        case LastTrick():
            return "Last Trick"
        case GamePoint():
            return "Game"
        case TurnedCard(rank):
            return f"Turned {_PLAIN_RANK_NAMES[rank]}"
        case Gift():
            return "Gift"
        case CaughtTrump(card):
            return f"Hang {_PLAIN_RANK_NAMES[card.rank]}"


def is_optional(kind: AwardKind) -> bool:
    """Return whether some variants have no award of this kind."""
    kinds_in_every_variant = HighestTrump | LowestTrump | GamePoint
    return not isinstance(kind, kinds_in_every_variant) and kind not in [
        OneTrump(Trump(rank)) for rank in ("A", "J", "2")
    ]


def scorer_sentence(
    kind: AwardKind, how_won: HowWon, *, is_own: bool = False, is_dirty: bool = False, lowest_jokers: int = 0
) -> str:
    """Return the sentence on who scores an award: "{scorer_who} takes the jack of trumps.".

    Its placeholders are to be filled from `phrases.placeholders`. `is_own` is whether a house defined the award itself,
    and `is_dirty` is the answer to the option `dirty`. `lowest_jokers` is the number of jokers that rank below every
    other trump, which are never Low.
    """
    match kind:
        case OneTrump() if not is_own:  # a house's own name for the award may not name the card
            card_words = "the card"
        case GamePoint():
            card_words = "the ten of trumps"
        case LowestTrump() if lowest_jokers:
            card_words = f"{award_description(kind)}, not counting {'the joker' if lowest_jokers == 1 else 'jokers'}"
        case TurnedCard():
            return "{scorer_who} deals, when that card is turned up for trump."
        case Gift():
            return "{scorer_who} begs and is given a point."
        case CaughtTrump(trump):
            return f"{{scorer_who}} takes {trump_name(trump)} from {{another}} {{side}}, in place of the point for it."
        case _:
            card_words = award_description(kind)
    match how_won:
        case "card_points":
            return "{scorer} with the most card points in {its} tricks: in every suit {card_points}."
        case "held" | "captured" if isinstance(kind, HighestTrump):  # no other card takes it
            return f"{{scorer_who}} holds {card_words}."
        case "held":
            return f"{{scorer_who}} holds {card_words}, no matter who wins the trick."
        case "kept":
            return f"{{scorer_who}} plays {card_words}, no matter who wins the trick."
        case _ if is_dirty:
            return f"{{scorer_who}} wins {card_words}{',' * (',' in card_words)} in a trick."
        case _:
            return f"{{scorer_who}} takes {card_words}."


@dataclass(frozen=True, slots=True)
class CardFace:
    """The picture of a card beside an award on the phone: an icon, or a rank with or without a suit."""

    rank: Rank = ""
    suit: Literal["", "trump", "off", "spades"] = ""
    """The suit in the picture: `trump` is the trump suit of the hand, `off` the other suit of its color."""
    icon: Literal["", "hij", "loj", "cards"] = ""
    """The icon in place of a rank: `hij` is the high or the only joker, `loj` the low joker, `cards` any card."""


def card_face(kind: AwardKind, how_won: HowWon = "card_points") -> CardFace:
    """Return the card pictured beside an award of this kind.

    `how_won` is how the award is won; only the picture for Game depends on it.
    """
    match kind:
        case HighestTrump(Trump(rank)) | LowestTrump(Trump(rank)) | OneTrump(Trump(rank)) | CaughtTrump(Trump(rank)):
            return CardFace(rank, "trump")
        case TurnedCard(rank):
            return CardFace(rank, "trump")
        case OneTrump(OffTrump(rank)):
            return CardFace(rank, "off")
        case OneTrump(joker):
            return CardFace(icon="loj" if joker == Joker.LOW else "hij")
        case PlainCard(rank):
            return CardFace(rank)
        case HighestSpade():
            return CardFace("A", "spades")
        case GamePoint() if how_won != "card_points":
            return CardFace("10", "trump")
        case LastTrick() | GamePoint() | Gift():
            return CardFace(icon="cards")
