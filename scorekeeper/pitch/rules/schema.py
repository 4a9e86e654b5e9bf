"""The shape of a ruleset: the keys that a file in `rulesets/` may have, and what each key means.

The tables of a file that have house options are in `groups/`, one module each.
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
from scorekeeper.pitch.rules.groups.declare import MAX_AWARDS, MAX_POINTS, StrictModel, declare_later_field
from scorekeeper.pitch.rules.groups.money import Money
from scorekeeper.pitch.rules.groups.moon import Moon
from scorekeeper.pitch.rules.groups.play import Play
from scorekeeper.pitch.rules.groups.points import Points
from scorekeeper.pitch.rules.groups.scoring import Scoring
from scorekeeper.pitch.rules.groups.winning import Winning

_Kind = TypeVar("_Kind", bound=AwardKind)


MAX_PLAYERS_CALLING_PARTNER = 6
"""The maximum number of players in a game whose bidder calls a partner. There any two players may be the bidding
side."""
MAX_NOTES_WITH_VARIANT = 20
"""The maximum number of notes on a variant together with those on house rules based on it."""

PlayerCount = Annotated[int, Field(ge=0, le=10)]
"""A number of players; each field says what 0 means."""
CardCount = Annotated[int, Field(ge=1, le=26)] | None
"""A number of cards or tricks; `None` where the sources leave it open, or where the game has none."""
Name = Annotated[str, Field(max_length=60)]
"""A name of a ruleset, an option or a rule: words for people, such as "Pedro", or an id, such as `win_rule`."""
Names = Annotated[list[Name], Field(max_length=40)]
Phrases = Annotated[list[Annotated[str, Field(max_length=160)]], Field(max_length=200)]
"""Phrases of a few words that people type, such as "no bidding"."""
Answer = bool | Annotated[int, Field(ge=0, le=100_000)] | Name | None
"""An answer to a house option, or about an award: whether it is in play, or its points."""
Answers = Mapping[str, object]
"""A house's answers, keyed by option or award. They may be invalid: `with_house` reports the ones that are."""


class Award(StrictModel):
    """What a side can win in a hand, for one or more points."""

    name: str = Field(max_length=20)
    """What players call the award: "Off Jack"."""
    card: str = Field(max_length=20)
    """What wins the award: a rank of trumps (`J`), or of the other suit of that color (`off J`), `joker`, `high joker`,
    `low joker`, `spade` (the highest spade), `trick` (the last trick), `count` (Game), `turned J` (that rank turned up
    for trump), `gift` (a point given to the player who begs), `caught J` (that trump, taken from another side) or
    `plain 5` (that rank in a suit other than trump: one award for each such card)."""
    won: WonAsWritten
    """How it is won: held, captured, kept, given in the deal, or as option `low` or `game_rule` says."""
    points: int = Field(ge=1, le=60)
    """The points that the award is worth."""
    unclaimed: bool
    """Whether the award may go to nobody."""
    on: bool = False
    """Whether the award is in play; Game is not where the option `game_rule` is `off`."""


class Table(StrictModel):
    """How many people play, and who plays with whom."""

    partners: Annotated[
        dict[Annotated[int, Field(strict=False, ge=2, le=10)], Annotated[int, Field(ge=2, le=5)]], Field(max_length=9)
    ] = Field(default={})
    """The number of sides that the players form, keyed by the number of players, 10 at most. Partners sit opposite."""
    fewest: PlayerCount = 0
    """The fewest players if each scores alone; 0 where partners always share a score."""
    most: PlayerCount = 0
    """The most players if each scores alone; 0 where partners always share a score."""
    called: bool = False
    """Whether the bidder calls a partner for each hand, while every player has a separate score."""
    open: bool = False
    """Whether the players choose who plays with whom. The sources of such a game do not say."""

    @property
    def player_counts(self) -> tuple[int, ...]:
        """The possible numbers of players, in ascending order."""
        counts_of_single_players = range(self.fewest, self.most + 1) if self.most else ()
        return tuple(sorted({*self.partners, *counts_of_single_players}))

    @property
    def max_sides(self) -> int:
        """The highest possible number of sides; each player who plays alone is one."""
        return max([*self.partners.values(), self.most])

    @property
    def has_two_sides(self) -> bool:
        """Whether partners always form exactly two sides."""
        return set(self.partners.values()) == {2} and not self.most

    @property
    def has_two_scores(self) -> bool:
        """Whether the game is always for two sides of partners, or always for two single players."""
        return self.has_two_sides or (not self.partners and self.most == 2)


class Cards(StrictModel):
    """The deck, how its cards rank, how they are dealt, and how many tricks are played."""

    ranks: Name = "A K Q J 10 9 8 7 6 5 4 3 2"
    """The ranks of a suit from high to low."""
    dealt: CardCount = None
    """The number of cards dealt to each player."""
    dealt_six: CardCount = None
    """The number of cards dealt to each player when six play, if it differs from `dealt`."""
    packets: CardCount = None
    """The number of cards dealt to a player at a time."""
    played: CardCount = None
    """The number of tricks played in a hand."""
    face_down: Annotated[int, Field(ge=0, le=26)] = 0
    """How many of a player's cards are dealt face down in front of the player."""
    turned_up: bool = declare_later_field(False)
    """Whether a card is turned up for trump after the deal."""
    jokers_rank: Literal["below_jack", "lowest"] = declare_later_field("below_jack")
    """Where jokers rank among the trumps: just below the jack, or lowest."""
    trumps_out: Literal["no", "draw", "dealer", "kitty", "deal"] = declare_later_field("no")
    """What, if anything, brings every scoring card into play: the draw, the kitty, the deal of the whole deck, or the
    dealer taking the rest."""
    lowest: Annotated[dict[Annotated[int, Field(strict=False, ge=2, le=10)], Name], Field(max_length=9)] = (
        declare_later_field({})
    )
    """The lowest rank in the deck, keyed by the number of players, where it depends on that number."""

    @cached_property
    def deck_ranks(self) -> tuple[Rank, ...]:
        """The ranks of a suit, from high to low, in the largest deck that the variant uses."""
        return tuple(self.ranks.split())

    def ranks_for(self, player_count: int) -> tuple[Rank, ...]:
        """Return the ranks of a suit, from high to low, in the deck for this number of players."""
        ranks = self.deck_ranks
        return ranks[: ranks.index(self.lowest[player_count]) + 1] if player_count in self.lowest else ranks


OPTION_GROUPS = ("points", "bidding", "moon", "scoring", "winning", "money", "play")
"""The fields of a ruleset that have house options. In its file, each is a table of the same name."""


class Listing(StrictModel):
    """How a variant is listed and found.

    Nothing here has an effect on play.
    """

    common: int = Field(default=1000, ge=1, le=10_000)
    """The position of the variant in a list of all, the most played first. Not inherited."""
    slang: dict[Name, Names] = Field(default={}, max_length=200)
    """Other words of players for an award or an option, keyed by its name; those for a short deck by `ranks`."""
    nicknames: Names = Field(default=[])
    """Names that are in no source and that players type to find the variant, such as `plain`. Not inherited."""
    hint: Annotated[str, Field(max_length=80)] = ""
    """A few words on what the variant is, if its name does not say. Not inherited."""
    query: dict[Name, Phrases] = Field(default={}, max_length=40)
    """Phrases with which players describe a game that they look for, keyed by what they describe: `players`, `points`,
    `target`, who plays with whom, that nobody bids, what a card is `worth`, or an option with its answer. Under `cards`
    are words that are surely for cards, and under `ignored` phrases that say nothing about the game. `#` is a number.
    Not inherited."""
    words: dict[Name, Annotated[str, Field(max_length=4000)]] = Field(default={}, max_length=12)
    """Lists of words in descriptions of a game. `fillers` are ignored unless they are in a game's name, `common` words
    do not distinguish games, and `skipped` words may be anywhere within a phrase. `speaker`, `person` and `couple` are
    people who play, and `joining` words join them. Not inherited."""
    same: dict[Name, Phrases] = Field(default={}, max_length=100)
    """Synonyms that players type for words in `query`, keyed by these words. Not inherited."""


class RuleExamples(StrictModel):
    """Examples of what players type to find a rule."""

    asked: dict[Name, Phrases] = Field(default={}, max_length=200)
    """Example questions, keyed by the id of the rule that answers them. Those under `count.*` are for every rule on
    several awards."""


class OwnSentence(StrictModel):
    """A rule in a variant's own words, with when a rule sheet has it, and where."""

    text: str = Field(max_length=1000, pattern=r"^([^{}]|\{[a-z_]+\})*$")
    """The rule as the sheet prints it, with placeholders such as `{target}`. An empty text drops an inherited rule."""
    holds_while: dict[Name, Answer] = Field(default={}, max_length=40)
    """The answers that the rule depends on, keyed by option. With any other answer to one of them, the sheet leaves the
    rule out."""
    replaces: bool = False
    """Whether the text replaces that of the usual rule with the same id, as long as a house has changed no option
    behind that rule."""
    before: Name = ""
    """The id of the rule before which this rule comes in its section. If empty, it is the last of the section."""
    also: Names = Field(default=[])
    """Other ids under which the rule is found."""
    needs: Name = ""
    """The id of a rule in an earlier section. Where the sheet lacks that rule, it leaves this one out, too. A rule
    without a trace of its own has that of the rule named here."""
    unless: Names = Field(default=[])
    """The ids of rules in earlier sections that say the same. Where the sheet has one of them, it leaves this rule
    out."""


class SheetText(StrictModel):
    """Texts for a variant's rule sheet, such as rules in its own words, and the origin of each rule."""

    sentences: dict[Name, OwnSentence] = Field(default={}, max_length=200)
    """Rules in the variant's own words, keyed by their ids, such as `trump.kept`. `house.draw` is the sentence for the
    option `draw` where the source itself offers that option."""
    trace: dict[Name, Annotated[str, Field(max_length=200)]] = Field(default={}, max_length=200)
    """The origin ("trace") of each rule on the sheet, keyed by the rule's id: lines of a source, or readings of
    `READINGS.md`, as in `002 L17, R6`."""
    argued: Names = Field(default=[])
    """The options and awards that tables argue about in this game, the most disputed first."""
    gives_way: Annotated[list[Name], Field(max_length=200)] = Field(default=[])
    """The ids of the rules that a pocket card may leave out, in the order in which it does."""
    instead: dict[Name, Names] = Field(default={}, max_length=200)
    """The ids of rules to answer with where the sheet lacks a rule, the best first, keyed by the id of the missing
    rule."""
    offers: dict[Name, Annotated[list[Answer], Field(max_length=40)]] = Field(default={}, max_length=200)
    """The answers that the source itself names as a choice, keyed by option or award."""

    formerly: dict[Name, Answer] = Field(default={}, max_length=40)
    """The former standard answers, keyed by the options whose standard answer has changed. House rules that do not
    answer such an option may be older than the change. Not inherited."""
    together: Annotated[list[Annotated[dict[Name, Answer], Field(max_length=20)]], Field(max_length=20)] = Field(
        default=[]
    )
    """Combinations of answers that the source offers as one choice. Each has one box on the sheet. Not inherited."""

    # No match stores it, and two rulesets are equal regardless of their texts.
    def __eq__(self, other: object) -> bool:
        return isinstance(other, SheetText)

    def __hash__(self) -> int:
        return hash(SheetText)


class Ruleset(StrictModel):
    """The rules of a variant of Pitch, of a house's version of one, or of a base from which variants start."""

    format: Literal[1]
    """The version of this file format."""
    id: Name
    """The name of the file without its ending, such as `pedro`."""
    name: Name
    """What the variant is called."""
    also: Names = Field(default=[])
    """Other names that players know the variant by. Not inherited."""
    extends: Name | None = None
    """The id of the ruleset that this one starts from."""
    source: str = Field(max_length=200)
    """The number of the document that describes the rules, and the section in it. Between several of them is `; `."""
    summary: str = Field(max_length=120)
    """The variant in a few words."""
    notes: list[Annotated[str, Field(max_length=200)]] = Field(default=[], max_length=MAX_NOTES_WITH_VARIANT)
    """Notes on what may surprise players, for the rule sheet. Not inherited."""
    abstract: bool = False
    """Whether the ruleset is only a base for others, and not a game. Not inherited."""
    to_agree: Names = Field(default=[])
    """The options that the sources leave open, for the players to agree on. Not inherited."""
    table: Table = Table()
    cards: Cards = Cards()
    awards: dict[AwardId, Award] = Field(max_length=MAX_AWARDS)
    """All awards, in play or not, in the order in which pages and sheets list them."""
    points: Points = Points()
    bidding: Bidding = Bidding()
    moon: Moon = Moon()
    scoring: Scoring = Scoring()
    winning: Winning = Winning()
    money: Money = Money()
    play: Play = Play()
    sheet: SheetText = Field(default=SheetText(), exclude=True)
    """What the rule sheet says besides what the options say."""

    @model_validator(mode="after")
    def _check_bounds(self) -> Self:
        """Raise `ValueError` if a hand is worth too many points, or if too many players call a partner."""
        # Each award alone is bounded too, but many of the largest multiply with the bids and with everybody who bids.
        if (hand_points := sum(award.points for award in self.awards.values() if award.on)) > MAX_POINTS:
            raise ValueError(f"A hand is worth {hand_points} points; {MAX_POINTS} fit")
        if self.table.called and (max_count := max(self.table.player_counts, default=0)) > MAX_PLAYERS_CALLING_PARTNER:
            raise ValueError(f"Up to {max_count} players call a partner; {MAX_PLAYERS_CALLING_PARTNER} fit")
        return self

    @cached_property
    def in_play(self) -> Mapping[AwardId, Award]:
        """The awards in play, keyed by their ids, in the order of `awards`."""
        return {
            award_id: award
            for award_id, award in self.awards.items()
            if award.on and not (award.won == "by_game_rule" and self.points.game_rule == "off")
        }

    @cached_property
    def counting_order(self) -> AwardIds:
        """The awards in play in the order in which points are counted.

        First are those of `winning.count_order`, then the others in the order of `awards`.
        """
        first_awards = [award_id for award_id in self.winning.count_order if award_id in self.in_play]
        return tuple(dict.fromkeys((*first_awards, *self.in_play)))

    @property
    def breaks_ties_in_counting_order(self) -> bool:
        """Whether a tie at the target may be decided by the order in which awards are counted."""
        return self.winning.tie_rule in ("point_order", "bidder_then_point_order")

    @cached_property
    def kinds(self) -> Mapping[AwardId, AwardKind]:
        """The kind of every award, in play or not, keyed by award."""
        return {award_id: parse_kind(award_id, award.card) for award_id, award in self.awards.items()}

    @cached_property
    def trump_by_award(self) -> Mapping[AwardId, TrumpCard | None]:
        """The trump that each award is for, keyed by award, in play or not.

        High and Low are for the highest and the lowest trump in the deck. An award that is not for one trump has
        `None`.
        """
        kinds_with_card = HighestTrump | LowestTrump | OneTrump | CaughtTrump
        return {
            award_id: kind.card if isinstance(kind, kinds_with_card) else None for award_id, kind in self.kinds.items()
        }

    def awards_of_kind(self, kind_class: type[_Kind]) -> Mapping[AwardId, _Kind]:
        """Return the awards whose kind is of class `kind_class`, in play or not, each with its kind."""
        return {award_id: kind for award_id, kind in self.kinds.items() if isinstance(kind, kind_class)}

    @cached_property
    def joker_by_award(self) -> Mapping[AwardId, Joker]:
        """The joker that each award for a joker is for, keyed by award, in play or not."""
        return {award_id: card for award_id, card in self.trump_by_award.items() if isinstance(card, Joker)}

    @cached_property
    def alike_awards_by_first(self) -> Mapping[AwardId, AwardIds]:
        """All awards in groups, each keyed by its first award.

        The awards for plain cards of one rank are one group. Any other award is a group by itself.
        """
        return _group_alike_awards(self.kinds)

    @cached_property
    def award_rows(self) -> Mapping[AwardId, AwardIds]:
        """The awards in play in groups like those of `alike_awards_by_first`.

        The form for a hand has one row for each group.
        """
        return _group_alike_awards({award_id: self.kinds[award_id] for award_id in self.in_play})

    @cached_property
    def replaced_award_by_caught(self) -> Mapping[AwardId, AwardId]:
        """The award that each award for a caught card replaces, keyed by the award for the caught card.

        Both are in play and are for the same card.
        """
        caught_kinds = {
            award_id: kind for award_id, kind in self.awards_of_kind(CaughtTrump).items() if award_id in self.in_play
        }
        if not caught_kinds:
            return {}
        award_by_kind = {self.kinds[award_id]: award_id for award_id in self.in_play}
        return {
            award_id: award_by_kind[OneTrump(kind.card)]
            for award_id, kind in caught_kinds.items()
            if OneTrump(kind.card) in award_by_kind
        }

    @cached_property
    def given_awards(self) -> AwardIds:
        """The awards in play that are scored before the play: those for cards turned up for trump, and the gift."""
        return tuple(award_id for award_id in self.in_play if self.how_won(award_id) == "given")

    @cached_property
    def turned_awards(self) -> AwardIds:
        """The awards in play for cards that the dealer turns up for trump."""
        return tuple(award_id for award_id in self.given_awards if isinstance(self.kinds[award_id], TurnedCard))

    @property
    def shared_gift(self) -> AwardId | None:
        """The award for the gift, where everyone but the dealer gets it; `None` where one player does."""
        return next(iter(self.given_awards_for(is_dealer=False)), None) if self.points.gift_to == "others" else None

    def given_awards_for(self, *, is_dealer: bool) -> AwardIds:
        """Return the awards scored before the play that the dealing side can get, or that any other side can.

        Only the dealing side can get those for cards turned up, and only another side the gift.
        """
        return tuple(award_id for award_id in self.given_awards if (award_id in self.turned_awards) == is_dealer)

    @cached_property
    def rare_awards(self) -> AwardIds:
        """The awards in play that nobody scores in most hands.

        They are scored before the play, or are for caught cards.
        """
        return (*self.given_awards, *self.replaced_award_by_caught)

    @cached_property
    def usual_awards(self) -> AwardIds:
        """The awards in play that are not `rare_awards`."""
        return tuple(award_id for award_id in self.in_play if award_id not in self.rare_awards)

    @cached_property
    def game_award(self) -> AwardId | None:
        """The award Game, in play or not; `None` in a ruleset without it."""
        return next(iter(self.awards_of_kind(GamePoint)), None)

    @property
    def game_name(self) -> str:
        """What this game calls the award Game in sentences."""
        return self.awards[self.game_award].name if self.game_award else "Game"

    @cached_property
    def awards_lost_by_renege(self) -> frozenset[AwardId]:
        """The awards, in play or not, that a side which reneged cannot score: Game and those of `renege_costs`."""
        return frozenset((*self.scoring.renege_costs, *([self.game_award] if self.game_award else ())))

    @cached_property
    def card_points_award(self) -> AwardId | None:
        """The award Game, where it is in play and the most card points win it; otherwise `None`."""
        return next((award_id for award_id in self.in_play if self.how_won(award_id) == "card_points"), None)

    @property
    def has_lowest_jokers(self) -> bool:
        """Whether jokers rank below every other trump; otherwise they rank just below the jack."""
        return self.cards.jokers_rank == "lowest"

    @cached_property
    def joker_awards(self) -> AwardIds:
        """The awards in play for jokers."""
        return tuple(award_id for award_id in self.in_play if award_id in self.joker_by_award)

    @cached_property
    def tie_breaking_joker_awards(self) -> AwardIds:
        """The awards in play for the jokers that break a tied Game where `game_tie` is `joker_breaks`."""
        named_awards = self.points.tie_jokers
        if named_awards:
            return tuple(award_id for award_id in self.joker_awards if award_id in named_awards)
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
        """Return whether an award is won in tricks, by its card or by card points."""
        return self.how_won(award_id) in ("captured", "card_points")

    @cached_property
    def awards_maybe_out_of_play(self) -> AwardIds:
        """The awards in play that may go to nobody, because their card was not dealt or was discarded."""
        return tuple(
            award_id
            for award_id, award in self.in_play.items()
            if may_be_out_of_play(self.kinds[award_id], self.how_won(award_id), unclaimed=award.unclaimed)
        )

    @property
    def plays_every_trump(self) -> bool:
        """Whether every trump is sure to reach a player, so that every scoring card is in play."""
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

    def plays_every_card(self, player_count: int) -> bool:
        """Return whether so many players are dealt the whole deck and play every card of it."""
        cards, play = self.cards, self.play
        dealt = cards.dealt_six if player_count == 6 and cards.dealt_six else cards.dealt
        deck_size = len(cards.ranks_for(player_count)) * len(SUITS) + self.points.jokers
        return (
            cards.played or dealt or 0
        ) * player_count == deck_size and play.draw == play.kitty == play.burn == "none"

    @property
    def always_plays_scoring_cards(self) -> bool:
        """Whether every scoring card is in play, whatever the number of players."""
        return self.plays_every_trump or all(map(self.plays_every_card, self.table.player_counts))

    def card_points_in(self, cards: int) -> tuple[int, int]:
        """Return the fewest and the most card points that so many cards of the deck can have."""
        low_to_high = sorted([CARD_POINTS.get(rank, 0) for rank in self.cards.deck_ranks] * len(SUITS))
        jokers = self.points.jokers
        return sum(low_to_high[: max(cards - jokers, 0)]), sum(low_to_high[-cards:])

    @cached_property
    def card_points_in_deck(self) -> int:
        """The card points of all cards in the largest deck that the variant uses."""
        return len(SUITS) * sum(CARD_POINTS.get(rank, 0) for rank in self.cards.deck_ranks)

    @cached_property
    def points_per_hand(self) -> int:
        """The points of all awards in play together.

        Of an award and the one that replaces it, only the higher counts.
        """
        points_not_counted = sum(
            min(self.in_play[caught].points, self.in_play[replaced].points)
            for caught, replaced in self.replaced_award_by_caught.items()
        )
        return sum(award.points for award in self.in_play.values()) - points_not_counted

    def with_carried_points(self, points: int) -> Self:
        """Return these rules with the points of an earlier, tied Game added to Game. Cached.

        They stay as they are where Game does not go to the most card points.
        """
        game_award = self.card_points_award
        if not points or game_award is None:
            return self
        if points not in self._rulesets_by_carried_points:
            award = self.awards[game_award]
            self._rulesets_by_carried_points[points] = self.copy_with(
                awards={**self.awards, game_award: award.copy_with(points=award.points + points)}
            )
        return self._rulesets_by_carried_points[points]

    @cached_property
    def _rulesets_by_carried_points(self) -> dict[int, Self]:
        """The cache of `with_carried_points`, keyed by the points that are added."""
        return {}

    @cached_property
    def possible_answers_cache(self) -> dict[str, tuple[str, ...]]:
        """The cache of `questions.possible_answers`, keyed by option.

        A page needs the same answers several times.
        """
        return {}

    @cached_property
    def rule_availabilities_cache(self) -> dict[Any, Any]:
        """The cache of `questions.rule_availabilities` for a house without answers."""
        return {}

    @property
    def trick_count(self) -> int | None:
        """The number of tricks in a hand; `None` where it varies, or where the sources leave it open."""
        return None if self.play.follow == "trump_only" else self.cards.played or self.cards.dealt

    @cached_property
    def max_bid_number(self) -> int:
        """The highest bid that is a number.

        Special bids, such as a moon, rank above it.
        """
        top_bid = self.bidding.max_bid or self.points_per_hand
        return top_bid - 1 if self.top_bid_is_moon and top_bid >= self.points_per_hand else top_bid

    @cached_property
    def min_bid_number(self) -> int:
        """The lowest number that players may bid; 1 where it is still to be agreed.

        A stuck dealer may bid `forced_bid` instead.
        """
        return self.bidding.min_bid or 1

    @property
    def top_bid_is_moon(self) -> bool:
        """Whether a bid of all the points in a hand counts as a moon."""
        return self.moon.moon_is_top_bid and self.moon.moon != "off"

    @cached_property
    def special_bids(self) -> tuple[str, ...]:
        """The bids that rank above all numbers, from low to high: "smudge", "moon", "double_moon"."""
        has_moon = self.moon.moon != "off"
        is_offered_by_bid = {
            "smudge": self.bidding.smudge,
            "moon": has_moon,
            "double_moon": has_moon and self.moon.double_moon,
        }
        return tuple(bid for bid, is_offered in is_offered_by_bid.items() if is_offered and self.has_bidding)

    @cached_property
    def bids(self) -> tuple[int | str, ...]:
        """All possible bids from low to high; empty without bidding.

        If the dealer must bid after everyone passed, the lowest may be a bid that only the dealer can make.
        """
        if not self.has_bidding:
            return ()
        stuck_dealer_bid = self.forced_bid if self.bidding.all_pass == "dealer_forced" else self.min_bid_number
        bids_below_minimum = (stuck_dealer_bid,) if stuck_dealer_bid < self.min_bid_number else ()
        return (*bids_below_minimum, *range(self.min_bid_number, self.max_bid_number + 1), *self.special_bids)

    @property
    def forced_bid(self) -> int:
        """The lowest bid of a stuck dealer, or what the dealer loses by going set instead of bidding."""
        return self.bidding.forced_bid or self.min_bid_number

    @property
    def smudge_value(self) -> int:
        """The points of a smudge: one more than those in a hand (source `002`, "Bidding": a bid of five)."""
        return self.points_per_hand + 1

    @cached_property
    def open_options(self) -> tuple[str, ...]:
        """The options that the sources leave to the table and that still need an answer."""
        options_to_agree = (name for name in self.to_agree if not (name == "target" and self.counts_down))
        return tuple(name for name in options_to_agree if self.answer(name) is None)

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
        """The factor for points when they are added to a score: −1 where scores count down, otherwise 1."""
        return -1 if self.counts_down else 1

    @cached_property
    def counts_down(self) -> bool:
        """Whether scores start at `count_down_from` and go down to 0."""
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
        """Return the fields in one of the `OPTION_GROUPS`, keyed by name."""
        group_model = cls.model_fields[group].annotation
        return group_model.model_fields if group_model else {}

    def answer(self, option: str) -> object:
        """Return the answer to a house option, or the worth of an award.

        `low` is the name of both an option and an award; the answer is the option's.
        """
        group = _GROUP_BY_OPTION.get(option)
        return getattr(getattr(self, group), option) if group else self.worth(option)

    def default_answer(self, option: str) -> object:
        """Return the answer to a house option in variants whose files do not mention it."""
        return _DEFAULT_BY_OPTION[option]

    def non_default_options(self, options: Iterable[str]) -> Iterator[str]:
        """Yield those of `options` whose answer in this ruleset is not the default."""
        return (option for option in options if self.answer(option) != self.default_answer(option))

    def worth(self, award_id: AwardId) -> int | Literal[False]:
        """Return an award's points; `False` if the award is not in play."""
        return self.in_play[award_id].points if award_id in self.in_play else False


def _group_alike_awards(kinds: Mapping[AwardId, AwardKind]) -> Mapping[AwardId, AwardIds]:
    """Return the awards in groups, each keyed by its first award.

    The awards for plain cards of one rank are one group. Any other award is a group by itself.
    """
    first_by_kind: dict[AwardKind, AwardId] = {}
    groups: dict[AwardId, AwardIds] = {}
    for award_id, kind in kinds.items():
        first_id = first_by_kind.setdefault(kind, award_id) if isinstance(kind, PlainCard) else award_id
        groups[first_id] = (*groups.get(first_id, ()), award_id)
    return groups


_GROUP_BY_OPTION: Mapping[str, str] = {name: group for group in OPTION_GROUPS for name in Ruleset.group_fields(group)}
"""The name of the group of each option, and of each other field in the groups."""
_DEFAULT_BY_OPTION = {
    name: field.default for group in OPTION_GROUPS for name, field in Ruleset.group_fields(group).items()
}
"""The default of each option, and of each other field in the groups."""
