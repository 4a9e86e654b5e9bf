"""The shape of a ruleset: the keys that a file in `rulesets/` may have, and what each key means.

The parts that contain house options are in `groups/`, one module each.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import Field, model_validator
from pydantic.fields import FieldInfo

from scorekeeper.pitch.rules.awards import (
    CARD_POINTS,
    SUITS,
    AwardId,
    AwardIds,
    AwardKind,
    CaughtTrump,
    GamePoint,
    HighestTrump,
    HowWon,
    Joker,
    LowestTrump,
    OneTrump,
    PlainCard,
    Rank,
    TrumpCard,
    TurnedCard,
    WonAsWritten,
    may_be_out_of_play,
    parse_kind,
)
from scorekeeper.pitch.rules.groups.bidding import Bidding
from scorekeeper.pitch.rules.groups.declare import MAX_AWARDS, MAX_POINTS, Spec, later_field
from scorekeeper.pitch.rules.groups.money import Money
from scorekeeper.pitch.rules.groups.moon import Moon
from scorekeeper.pitch.rules.groups.play import Play
from scorekeeper.pitch.rules.groups.points import Points
from scorekeeper.pitch.rules.groups.scoring import Scoring
from scorekeeper.pitch.rules.groups.winning import Winning

_Kind = TypeVar("_Kind", bound=AwardKind)


MAX_PLAYERS_CALLING_PARTNER = 6
"""The maximum number of players if the bidder calls a partner: any two may be the bidding side."""
MAX_NOTES_WITH_VARIANT = 20
"""The maximum number of notes on a variant and on house rules based on it, together."""

Players = Annotated[int, Field(ge=0, le=10)]
"""A number of players; each field says what 0 means."""
CardCount = Annotated[int, Field(ge=1, le=26)] | None
"""A number of cards or tricks; `None` where the sources leave it open or it does not apply."""
Name = Annotated[str, Field(max_length=60)]
"""A name of a ruleset, an option or a rule: a text for people, or an id."""
Names = Annotated[list[Name], Field(max_length=40)]
Phrases = Annotated[list[Annotated[str, Field(max_length=160)]], Field(max_length=200)]
"""Phrases that people type, a few words each."""
Answer = bool | Annotated[int, Field(ge=0, le=100_000)] | Name | None
"""A possible answer to an option or about an award."""
Answers = Mapping[str, object]
"""The answers of a house by option or award, not checked yet: `with_house` reports the invalid ones."""


class Award(Spec):
    """One or more points that a side can win in a hand."""

    name: str = Field(max_length=20)
    """What players call the award."""
    card: str = Field(max_length=20)
    """What wins the award: a rank of trumps (`J`), or of the other suit of that color (`off J`), `joker`, `high joker`,
    `low joker`, `spade` (the highest spade), `trick` (the last trick), `count` (Game), `turned J` (that rank turned up
    for trump), `gift` (a point given to the player who begs), `caught J` (that trump, taken from another side) or
    `plain 5` (that rank in a suit other than trump: one award for each such card)."""
    won: WonAsWritten
    """How it is won: held, captured, kept by its player, given in the deal, or as option `low` or `game_rule` says."""
    points: int = Field(ge=1, le=60)
    """The points that the award is worth."""
    unclaimed: bool
    """Whether the award may go to nobody."""
    on: bool = False
    """Whether the award is in play; Game is not where the option `game_rule` is `off`."""


class Table(Spec):
    """How many people play, and who plays with whom."""

    partners: Annotated[
        dict[Annotated[int, Field(strict=False, ge=2, le=10)], Annotated[int, Field(ge=2, le=5)]], Field(max_length=9)
    ] = Field(default={})
    """By number of players, 10 at most: the number of sides that they form, with partners sitting opposite."""
    fewest: Players = 0
    """The fewest players if each scores alone; 0 where partners always share a score."""
    most: Players = 0
    """The most players if each scores alone; 0 where partners always share a score."""
    called: bool = False
    """Whether the bidder calls a partner for each hand, while every player has a separate score."""
    open: bool = False
    """Whether the players choose who plays with whom, because the sources do not say."""

    @property
    def player_counts(self) -> tuple[int, ...]:
        """The possible numbers of players, from low to high."""
        alone = range(self.fewest, self.most + 1) if self.most else ()
        return tuple(sorted({*self.partners, *alone}))

    @property
    def max_sides(self) -> int:
        """The highest possible number of sides or players with a score."""
        return max([*self.partners.values(), self.most])

    @property
    def has_two_sides(self) -> bool:
        """Whether partners always form exactly two sides."""
        return set(self.partners.values()) == {2} and not self.most

    @property
    def has_two_scores(self) -> bool:
        """Whether the game is always for two sides of partners, or always for two single players."""
        return self.has_two_sides or (not self.partners and self.most == 2)


class Cards(Spec):
    """The deck, how its cards rank, how they are dealt, and how many tricks are played."""

    ranks: Name = "A K Q J 10 9 8 7 6 5 4 3 2"
    """The ranks of a suit from high to low."""
    dealt: CardCount = None
    """The number of cards dealt to each player."""
    dealt_six: CardCount = None
    """The number of cards dealt to each of six players, if it differs."""
    packets: CardCount = None
    """The number of cards dealt to a player at a time."""
    played: CardCount = None
    """The number of tricks played in a hand."""
    face_down: Annotated[int, Field(ge=0, le=26)] = 0
    """How many of a player's cards are dealt face down in front of the player."""
    turned_up: bool = later_field(False)
    """Whether a card is turned up for trump after the deal."""
    jokers_rank: Literal["below_jack", "lowest"] = later_field("below_jack")
    """Where jokers rank among the trumps: just below the jack, or lowest."""
    trumps_out: Literal["no", "draw", "dealer", "kitty", "deal"] = later_field("no")
    """What, if anything, brings every scoring card into play: draw, kitty, deal, or the dealer taking the rest."""
    lowest: Annotated[dict[Annotated[int, Field(strict=False, ge=2, le=10)], Name], Field(max_length=9)] = later_field(
        {}
    )
    """The lowest rank in the deck, by the number of players, if it depends on that number."""

    @cached_property
    def deck_ranks(self) -> tuple[Rank, ...]:
        """The ranks of a suit, from high to low, in the largest deck that the variant uses."""
        return tuple(self.ranks.split())

    def ranks_for(self, players: int) -> tuple[Rank, ...]:
        """Return the ranks of a suit, from high to low, in the deck for this number of players."""
        ranks = self.deck_ranks
        return ranks[: ranks.index(self.lowest[players]) + 1] if players in self.lowest else ranks


GROUPS = ("points", "bidding", "moon", "scoring", "winning", "money", "play")
"""The fields of a ruleset, and tables in its file, that contain house options."""


class Listing(Spec):
    """How a variant is listed and found, which has no effect on play."""

    common: int = Field(default=1000, ge=1, le=10_000)
    """The position of the variant among all by how many people play it; 1 is the most common. Not inherited."""
    slang: dict[Name, Names] = Field(default={}, max_length=200)
    """What players call an award or an option, by its name; `ranks` is for a short deck."""
    nicknames: Names = Field(default=[])
    """Other names, in no source, that players type to find the variant, such as `plain`. Not inherited."""
    hint: Annotated[str, Field(max_length=80)] = ""
    """A few words on what the variant is, if its name does not say it. Not inherited."""
    query: dict[Name, Phrases] = Field(default={}, max_length=40)
    """Phrases with which players describe a game they look for, by topic, such as `players`, `points`, `target`, who
    plays with whom, that nobody bids, what a card is `worth`, or an option with its answer. `cards` are words that are
    surely for cards, and `ignored` phrases say nothing about the game. `#` is a number. Not inherited."""
    words: dict[Name, Annotated[str, Field(max_length=4000)]] = Field(default={}, max_length=12)
    """Lists of words in descriptions of a game. `fillers` are ignored unless they are in a game's name, `common` words
    do not distinguish games, and `skipped` words may be anywhere within a phrase. `speaker`, `person` and `couple` are
    people who play, and `joining` words join them. Not inherited."""
    same: dict[Name, Phrases] = Field(default={}, max_length=100)
    """Synonyms that players type for words in `query`, by those words. Not inherited."""


class RuleExamples(Spec):
    """Examples of what players type to find a rule."""

    asked: dict[Name, Phrases] = Field(default={}, max_length=200)
    """Example questions, by the id of the rule that answers them. Those of `count.*` are for every rule on several
    awards."""


class OwnSentence(Spec):
    """A rule in a variant's own words, and when and where a sheet has it."""

    text: str = Field(max_length=1000, pattern=r"^([^{}]|\{[a-z_]+\})*$")
    """The rule as printed on the sheet, with placeholders such as `{target}`; empty to drop an inherited rule."""
    holds_while: dict[Name, Answer] = Field(default={}, max_length=40)
    """Answers, by option, that the rule depends on: with another answer it is left out."""
    replaces: bool = False
    """Whether the text replaces that of the usual rule with the same id, unless a house changed an option behind it."""
    before: Name = ""
    """The id of the rule in its section that this rule precedes; empty for the end of the section."""
    also: Names = Field(default=[])
    """Other ids under which the rule is found."""
    needs: Name = ""
    """The id of a rule in an earlier section, without which this one is left out. A rule without a trace has the trace
    of the rule that it needs."""
    unless: Names = Field(default=[])
    """The ids of rules in earlier sections with the same content: with one of them, this rule is left out."""


class SheetText(Spec):
    """Texts and facts for a variant's rule sheet, such as its own sentences and the source of each rule."""

    sentences: dict[Name, OwnSentence] = Field(default={}, max_length=200)
    """Rules by their ids, such as `trump.kept`. `house.draw` is the sentence for the option `draw` where the source
    itself offers that option."""
    trace: dict[Name, Annotated[str, Field(max_length=200)]] = Field(default={}, max_length=200)
    """The origin of each rule on the sheet, by the rule's id: lines of a source, or readings of `READINGS.md`."""
    argued: Names = Field(default=[])
    """The options and awards that tables argue about in this game, the most disputed first."""
    gives_way: Annotated[list[Name], Field(max_length=200)] = Field(default=[])
    """The ids of rules that a pocket card may leave out, the first to go first."""
    instead: dict[Name, Names] = Field(default={}, max_length=200)
    """By the id of a rule that a sheet may lack: ids of rules to answer with instead, in order of preference."""
    offers: dict[Name, Annotated[list[Answer], Field(max_length=40)]] = Field(default={}, max_length=200)
    """By option or award: the answers that the source itself names as a choice."""

    formerly: dict[Name, Answer] = Field(default={}, max_length=40)
    """By option: the former standard answer, if it has changed. House rules that do not answer the option may be older
    than the change. Not inherited."""
    together: Annotated[list[Annotated[dict[Name, Answer], Field(max_length=20)]], Field(max_length=20)] = Field(
        default=[]
    )
    """Combinations of answers that the source offers as one choice: each has one box on the sheet. Not inherited."""

    # No match stores it, and two rulesets are equal regardless of their texts.
    def __eq__(self, other: object) -> bool:
        return isinstance(other, SheetText)

    def __hash__(self) -> int:
        return hash(SheetText)


class Ruleset(Spec):
    """The rules of a variant of Pitch, of a house's version of one, or of a base for variants."""

    format: Literal[1]
    """The version of this file format."""
    id: Name
    """The name of the file without its ending."""
    name: Name
    """What the variant is called."""
    also: Names = Field(default=[])
    """Other names that players know the variant by. Not inherited."""
    extends: Name | None = None
    """The id of the ruleset that this one starts from."""
    source: str = Field(max_length=200)
    """The number of the document that describes the rules, and the section in it; `; ` separates several."""
    summary: str = Field(max_length=120)
    """The variant in a few words."""
    notes: list[Annotated[str, Field(max_length=200)]] = Field(default=[], max_length=MAX_NOTES_WITH_VARIANT)
    """Notes for the rule sheet on what may surprise players. Not inherited."""
    abstract: bool = False
    """Whether the ruleset is only a base for others, and cannot be played itself. Not inherited."""
    to_agree: Names = Field(default=[])
    """The options that the sources leave open, for the players to agree on. Not inherited."""
    table: Table = Table()
    cards: Cards = Cards()
    awards: dict[AwardId, Award] = Field(max_length=MAX_AWARDS)
    """Every award, in play or not, in the order in which awards are listed."""
    points: Points = Points()
    bidding: Bidding = Bidding()
    moon: Moon = Moon()
    scoring: Scoring = Scoring()
    winning: Winning = Winning()
    money: Money = Money()
    play: Play = Play()
    sheet: SheetText = Field(default=SheetText(), exclude=True)
    """What the rule sheet says besides the options."""

    @model_validator(mode="after")
    def _check_bounds(self) -> Self:
        """Raise `ValueError` if a hand is worth too many points, or too many players call a partner."""
        # Each award alone is bounded too, but many of the largest multiply with the bids and with everybody who bids.
        if (points := sum(award.points for award in self.awards.values() if award.on)) > MAX_POINTS:
            raise ValueError(f"A hand is worth {points} points; {MAX_POINTS} fit")
        if self.table.called and (players := max(self.table.player_counts, default=0)) > MAX_PLAYERS_CALLING_PARTNER:
            raise ValueError(f"Up to {players} players call a partner; {MAX_PLAYERS_CALLING_PARTNER} fit")
        return self

    @cached_property
    def in_play(self) -> Mapping[AwardId, Award]:
        """The awards in play, in the order of `awards`."""
        return {
            award_id: award
            for award_id, award in self.awards.items()
            if award.on and not (award.won == "by_game_rule" and self.points.game_rule == "off")
        }

    @cached_property
    def count_order(self) -> AwardIds:
        """The awards in play in counting order: those of `winning.count_order`, then the others as in `awards`."""
        first = [award_id for award_id in self.winning.count_order if award_id in self.in_play]
        return tuple(dict.fromkeys((*first, *self.in_play)))

    @property
    def counts_in_order(self) -> bool:
        """Whether a tie at the target may be decided by the order in which awards are counted."""
        return self.winning.tie_rule in ("point_order", "bidder_then_point_order")

    @cached_property
    def kinds(self) -> Mapping[AwardId, AwardKind]:
        """The kind of every award, in play or not."""
        return {award_id: parse_kind(award_id, award.card) for award_id, award in self.awards.items()}

    @cached_property
    def award_cards(self) -> Mapping[AwardId, TrumpCard | None]:
        """By award, in play or not: the trump that it is for; `None` for an award that is not for one trump.

        High and Low are for the highest and the lowest trump in the deck.
        """
        with_card = HighestTrump | LowestTrump | OneTrump | CaughtTrump
        return {award_id: kind.card if isinstance(kind, with_card) else None for award_id, kind in self.kinds.items()}

    def awards_of_kind(self, wanted: type[_Kind]) -> Mapping[AwardId, _Kind]:
        """Return the awards of one kind, in play or not, with their parsed kinds."""
        return {award_id: kind for award_id, kind in self.kinds.items() if isinstance(kind, wanted)}

    @cached_property
    def joker_cards(self) -> Mapping[AwardId, Joker]:
        """The joker of each award for a joker, in play or not."""
        return {award_id: card for award_id, card in self.award_cards.items() if isinstance(card, Joker)}

    @cached_property
    def alike_awards(self) -> Mapping[AwardId, AwardIds]:
        """All awards in groups, by the first of each; awards for plain cards of one rank share a group."""
        return _group_alike_awards(self.kinds)

    @cached_property
    def award_rows(self) -> Mapping[AwardId, AwardIds]:
        """The awards in play in groups as in `alike_awards`, one for each row of the form for a hand."""
        return _group_alike_awards({award_id: self.kinds[award_id] for award_id in self.in_play})

    @cached_property
    def replaced_award(self) -> Mapping[AwardId, AwardId]:
        """By award in play for a caught card: the award in play for the same card, which it replaces."""
        caught = {
            award_id: kind for award_id, kind in self.awards_of_kind(CaughtTrump).items() if award_id in self.in_play
        }
        if not caught:
            return {}
        cards = {self.kinds[award_id]: award_id for award_id in self.in_play}
        return {
            award_id: cards[OneTrump(kind.card)] for award_id, kind in caught.items() if OneTrump(kind.card) in cards
        }

    @cached_property
    def given_awards(self) -> AwardIds:
        """The awards in play that are scored before the play, in the deal: for cards turned up, and the gift."""
        return tuple(award_id for award_id in self.in_play if self.how_won(award_id) == "given")

    @cached_property
    def turned_awards(self) -> AwardIds:
        """The awards in play for cards that the dealer turns up for trump."""
        return tuple(award_id for award_id in self.given_awards if isinstance(self.kinds[award_id], TurnedCard))

    @property
    def shared_gift(self) -> AwardId | None:
        """The award for the gift, if the dealer gives it to all others at once; else `None`."""
        return next(iter(self.given_to(deals=False)), None) if self.points.gift_to == "others" else None

    def given_to(self, *, deals: bool) -> AwardIds:
        """Return the awards scored before the play that the side that deals can get, or that another side can."""
        return tuple(award_id for award_id in self.given_awards if (award_id in self.turned_awards) == deals)

    @cached_property
    def rare_awards(self) -> AwardIds:
        """The awards in play that nobody scores in most hands: given ones, and those that replace another award."""
        return (*self.given_awards, *self.replaced_award)

    @cached_property
    def usual_awards(self) -> AwardIds:
        """The awards in play other than `rare_awards`."""
        return tuple(award_id for award_id in self.in_play if award_id not in self.rare_awards)

    @cached_property
    def game_award(self) -> AwardId | None:
        """The award Game, in play or not; `None` where the ruleset has none."""
        return next(iter(self.awards_of_kind(GamePoint)), None)

    @property
    def game_name(self) -> str:
        """The name of the award Game in sentences, which some games call otherwise."""
        return self.awards[self.game_award].name if self.game_award else "Game"

    @cached_property
    def lost_by_renege(self) -> frozenset[AwardId]:
        """The awards, in play or not, that a side loses with Game by a renege: Game itself and `renege_costs`."""
        return frozenset((*self.scoring.renege_costs, *([self.game_award] if self.game_award else ())))

    @cached_property
    def card_points_award(self) -> AwardId | None:
        """The award Game, if it is in play and won by the most card points; else `None`."""
        return next((award_id for award_id in self.in_play if self.how_won(award_id) == "card_points"), None)

    @property
    def has_lowest_jokers(self) -> bool:
        """Whether jokers rank below every other trump, instead of just below the jack."""
        return self.cards.jokers_rank == "lowest"

    @cached_property
    def joker_awards(self) -> AwardIds:
        """The awards in play for jokers."""
        return tuple(award_id for award_id in self.in_play if award_id in self.joker_cards)

    @cached_property
    def tie_breakers(self) -> AwardIds:
        """The awards in play for the jokers that break a tied Game if `game_tie` is `joker_breaks`."""
        named = self.points.tie_jokers
        if named:
            return tuple(award_id for award_id in self.joker_awards if award_id in named)
        # All jokers break a tie, but none does if one has no award.
        return self.joker_awards if len(self.joker_awards) == self.points.jokers else ()

    def how_won(self, award_id: AwardId) -> HowWon:
        """Return how an award is won, after the house options have decided it."""
        match self.awards[award_id].won:
            case "by_low_rule":
                return self.points.low
            case "by_game_rule":
                return "card_points" if self.points.game_rule == "card_points" else "captured"
            case won:
                return won

    def is_captured(self, award_id: AwardId) -> bool:
        """Return whether an award is won in tricks."""
        return self.how_won(award_id) in ("captured", "card_points")

    @cached_property
    def awards_maybe_out_of_play(self) -> AwardIds:
        """The awards in play that may go to nobody because their card is out of play."""
        return tuple(
            award_id
            for award_id, award in self.in_play.items()
            if may_be_out_of_play(self.kinds[award_id], self.how_won(award_id), unclaimed=award.unclaimed)
        )

    @property
    def plays_every_trump(self) -> bool:
        """Whether each trump is sure to reach some player, so that no scoring card can be out of play."""
        play = self.play
        match self.cards.trumps_out:
            case "draw":
                return play.draw == "fill_to_six" and play.burn == "none"
            case "dealer":
                return play.draw == "up_to_three" and play.kitty == play.burn == "none"
            case "kitty":
                return play.kitty in ("before_trump", "after_trump") and play.draw == play.burn == "none"
            case "deal":
                return play.draw == play.kitty == play.burn == "none"
            case _:
                return False

    def plays_every_card(self, players: int) -> bool:
        """Return whether this number of players are dealt the whole deck and play every card of it."""
        cards, play = self.cards, self.play
        dealt = cards.dealt_six if players == 6 and cards.dealt_six else cards.dealt
        deck = len(cards.ranks_for(players)) * len(SUITS) + self.points.jokers
        return (cards.played or dealt or 0) * players == deck and play.draw == play.kitty == play.burn == "none"

    @property
    def always_plays_scoring_cards(self) -> bool:
        """Whether no scoring card can be out of play, whatever the number of players."""
        return self.plays_every_trump or all(map(self.plays_every_card, self.table.player_counts))

    def card_points_in(self, cards: int) -> tuple[int, int]:
        """Return the fewest and the most card points that so many cards of the deck can have."""
        low_to_high = sorted([CARD_POINTS.get(rank, 0) for rank in self.cards.deck_ranks] * len(SUITS))
        jokers = self.points.jokers
        return sum(low_to_high[: max(cards - jokers, 0)]), sum(low_to_high[-cards:])

    @cached_property
    def card_points_in_deck(self) -> int:
        """The card points in the whole deck, for the largest deck that the variant uses."""
        return len(SUITS) * sum(CARD_POINTS.get(rank, 0) for rank in self.cards.deck_ranks)

    @cached_property
    def points_per_hand(self) -> int:
        """The points of all awards in play together; of an award and one that it replaces, only the higher counts."""
        overlap = sum(
            min(self.in_play[one].points, self.in_play[two].points) for one, two in self.replaced_award.items()
        )
        return sum(award.points for award in self.in_play.values()) - overlap

    def with_carried_points(self, points: int) -> Self:
        """Return these rules with carried points added to Game, if Game goes by card points. Cached."""
        game = self.card_points_award
        if not points or game is None:
            return self
        if points not in self._rulesets_by_carried_points:
            award = self.awards[game]
            self._rulesets_by_carried_points[points] = self.copy_with(
                awards={**self.awards, game: award.copy_with(points=award.points + points)}
            )
        return self._rulesets_by_carried_points[points]

    @cached_property
    def _rulesets_by_carried_points(self) -> dict[int, Self]:
        """The cache of `with_carried_points`, by the points carried over."""
        return {}

    @cached_property
    def possible_answers_cache(self) -> dict[str, tuple[str, ...]]:
        """The cache of `questions.possible_answers`, by option, which a page needs several times."""
        return {}

    @cached_property
    def rule_availabilities_cache(self) -> dict[Any, Any]:
        """The cache of `questions.rule_availabilities` for a house without answers."""
        return {}

    @property
    def tricks(self) -> int | None:
        """The number of tricks in a hand; `None` if it varies or is left open."""
        return None if self.play.follow == "trump_only" else self.cards.played or self.cards.dealt

    @cached_property
    def max_bid_number(self) -> int:
        """The highest bid that is a number; special bids rank above it."""
        top = self.bidding.max_bid or self.points_per_hand
        return top - 1 if self.top_bid_is_moon and top >= self.points_per_hand else top

    @cached_property
    def min_bid_number(self) -> int:
        """The lowest number that players may bid, apart from a stuck dealer; 1 where it is still to be agreed."""
        return self.bidding.min_bid or 1

    @property
    def top_bid_is_moon(self) -> bool:
        """Whether a bid of all the points counts as a moon."""
        return self.moon.moon_is_top_bid and self.moon.moon != "off"

    @cached_property
    def special_bids(self) -> tuple[str, ...]:
        """The bids that rank above all numbers, such as a moon, from low to high."""
        has_moon = self.moon.moon != "off"
        offered = {"smudge": self.bidding.smudge, "moon": has_moon, "double_moon": has_moon and self.moon.double_moon}
        return tuple(bid for bid, is_offered in offered.items() if is_offered and self.has_bidding)

    @cached_property
    def bids(self) -> tuple[int | str, ...]:
        """All possible bids from low to high; empty without bidding.

        The lowest may be only for a stuck dealer.
        """
        if not self.has_bidding:
            return ()
        stuck = self.forced_bid if self.bidding.all_pass == "dealer_forced" else self.min_bid_number
        below = (stuck,) if stuck < self.min_bid_number else ()
        return (*below, *range(self.min_bid_number, self.max_bid_number + 1), *self.special_bids)

    @property
    def forced_bid(self) -> int:
        """The lowest bid of a stuck dealer, or what going set instead costs."""
        return self.bidding.forced_bid or self.min_bid_number

    @property
    def smudge_value(self) -> int:
        """The value of a smudge: one more than the points in a hand (source `002`, "Bidding": a bid of five)."""
        return self.points_per_hand + 1

    @cached_property
    def open_options(self) -> tuple[str, ...]:
        """The options that the sources leave open and that still need an answer."""
        needed = (name for name in self.to_agree if not (name == "target" and self.counts_down))
        return tuple(name for name in needed if self.answer(name) is None)

    @cached_property
    def is_for_money(self) -> bool:
        """Whether any player pays another in this game, or may by a stake that the sources leave open."""
        return any(
            (
                self.money.settles != "none",
                self.moon.moon == "money",
                self.money.cents_per_point,
                self.money.set_stake_cents,
                self.money.game_stake_cents,
                "set_stake_cents" in self.to_agree,
            )
        )

    @cached_property
    def score_sign(self) -> int:
        """The factor by which points are multiplied when added to a score: −1 if scores count down, else 1."""
        return -1 if self.counts_down else 1

    @cached_property
    def counts_down(self) -> bool:
        """Whether scores start at a number and go down to 0."""
        return bool(self.winning.count_down_from)

    @cached_property
    def has_bidding(self) -> bool:
        """Whether players bid."""
        return self.bidding.auction

    @cached_property
    def pays_by_hand(self) -> bool:
        """Whether each hand is paid for in money right after it (source `002`, "Racehorse")."""
        return self.money.settles == "hand"

    @property
    def only_bidder_counts(self) -> bool:
        """Whether only the bidding side's points count (source `002`, "Racehorse")."""
        return self.has_bidding and self.scoring.defenders_score == "none"

    @property
    def pools_defenders(self) -> bool:
        """Whether each defender scores what all defenders took together."""
        return self.scoring.defenders_score == "pooled"

    @classmethod
    def group_fields(cls, group: str) -> Mapping[str, FieldInfo]:
        """Return the fields of one group of a ruleset, by name."""
        part = cls.model_fields[group].annotation
        return part.model_fields if part else {}

    def answer(self, option: str) -> object:
        """Return the answer to a house option, or the worth of an award; for `low`, the option's answer."""
        group = _GROUP_BY_OPTION.get(option)
        return getattr(getattr(self, group), option) if group else self.worth(option)

    def default_answer(self, option: str) -> object:
        """Return the default of a house option, for variants whose files do not mention it."""
        return _DEFAULT_BY_OPTION[option]

    def non_default_options(self, options: Iterable[str]) -> Iterator[str]:
        """Yield those of the given options whose answer is not the default."""
        return (option for option in options if self.answer(option) != self.default_answer(option))

    def worth(self, award_id: AwardId) -> int | Literal[False]:
        """Return an award's points, or `False` where it is not in play."""
        return self.in_play[award_id].points if award_id in self.in_play else False


def _group_alike_awards(kinds: Mapping[AwardId, AwardKind]) -> Mapping[AwardId, AwardIds]:
    """Return awards in groups, by the first of each; awards for plain cards of one rank share a group."""
    first_by_kind: dict[AwardKind, AwardId] = {}
    groups: dict[AwardId, AwardIds] = {}
    for award_id, kind in kinds.items():
        first_id = first_by_kind.setdefault(kind, award_id) if isinstance(kind, PlainCard) else award_id
        groups[first_id] = (*groups.get(first_id, ()), award_id)
    return groups


_GROUP_BY_OPTION: Mapping[str, str] = {name: group for group in GROUPS for name in Ruleset.group_fields(group)}
"""The name of the group of each option, and of each other field of a group."""
_DEFAULT_BY_OPTION = {name: field.default for group in GROUPS for name, field in Ruleset.group_fields(group).items()}
"""The default of each option, and of each other field of a group."""
