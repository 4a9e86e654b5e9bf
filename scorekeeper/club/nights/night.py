"""The state of a ladder night: its pairs, its rounds, who has won, and what can be refused.

A result that is corrected after everybody moved changes the list. The two pairs then also trade places, as long as
neither has begun to play where it sits now; what has been played since stays as it was played. The verdict of a match
that arrives so late moves nobody: its scorekeeper does not see the tables.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import ClassVar

from scorekeeper.club.nights.table_moves import PLAYERS_PER_TABLE, DrawnRound, next_table
from scorekeeper.eventlog.stream import (
    OWNER,
    Event,
    EventLog,
    StoredEvent,
    event_kind,
    refusal,
    refuse_any,
)
from scorekeeper.pitch.rules.entered_text import MAX_TITLE_LENGTH, name_faults, text_faults
from scorekeeper.pitch.scoring.seats import NAME_SEPARATOR, name_key, table_faults

MAX_TABLES = 40
MAX_ROUNDS = 50
MAX_IN_PAIR = 4
MAX_SCORE = 999
MAX_ROUND_MINUTES = 240
MAX_NIGHT_EVENTS = 10_000

PAIRS, SINGLES, PROGRESSIVE = MODES = ("pairs", "singles", "progressive")
"""Who plays together: the same all night, partners drawn each round, or new ones at each table of the ladder."""
BY_LADDER, BY_WINS, BY_POINTS = RANKINGS = ("ladder", "wins", "points")
"""What a night is won by: the last game at the top table, wins and then points, or points and then wins."""


@event_kind("plan", OWNER)
class NightPlanned(Event):
    """The settings of a night besides its name and its rounds, agreed at the start or changed since."""

    is_undoable = False  # what is written after it depends on it
    mode: str = PAIRS
    ranking: str = BY_LADDER
    minutes: int = 0
    """The minutes that a round takes; 0 where none were entered."""
    confirms: bool = False
    """Whether a result counts once both pairs have entered it on their own phones."""
    fee: str = ""
    prizes: str = ""

    def changes_anything(self, night: "Night") -> bool:
        for name, text in (("fee", self.fee), ("prizes", self.prizes)):
            refuse_any(text_faults(name, text, MAX_TITLE_LENGTH))
        if not 0 <= self.minutes <= MAX_ROUND_MINUTES:
            raise refusal("minutes", f"A round takes up to {MAX_ROUND_MINUTES} minutes. Without a clock, type nothing.")
        if self.mode not in MODES or self.ranking not in RANKINGS:
            raise refusal("mode", "Choose how the night is played.")
        if self.mode == SINGLES and self.ranking == BY_LADDER:
            raise refusal("ranking", "Nobody climbs where partners are drawn: choose wins or points.")
        if self.mode != night.plan.mode and night.pairs:
            raise refusal("mode", "Who plays together is chosen before anybody is added.")
        if self.ranking != night.plan.ranking and night.rounds:
            raise refusal("ranking", "What the night is won by is chosen before the start.")
        return night.plan != self

    def apply(self, night: "Night", event: StoredEvent) -> None:
        night.plan = self


@dataclass(frozen=True, slots=True)
class Pair:
    """A side that plays together all night: two players, or as many as the game has on a side."""

    uid: int
    players: tuple[str, ...]
    has_left: bool = False

    @property
    def name(self) -> str:
        """The name of the pair."""
        return NAME_SEPARATOR.join(self.players)


@dataclass(frozen=True, slots=True)
class Game:
    """The game of two pairs at a table in a round."""

    table: int
    pairs: tuple[int, int]
    winner: int | None = None
    is_default: bool = False
    """Whether it was won because the other pair left."""
    match: int | None = None
    """The match that is kept there."""
    scores: tuple[int, int] | None = None
    """The scores, in the order of the pairs; `None` where none were entered."""
    is_late: bool = False
    """Whether its match ended after the next round had started."""
    entered: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """The winner that each pair entered, with the id of its phone's link, where both pairs confirm a result."""

    @property
    def loser(self) -> int | None:
        """The pair that lost; `None` while nobody has."""
        return None if self.winner is None else self.other(self.winner)

    def other(self, pair: int) -> int:
        """Return whom a pair plays against."""
        first, second = self.pairs
        return second if pair == first else first

    def score_of(self, pair: int) -> int | None:
        """Return the score of a pair; `None` where none was entered."""
        return None if self.scores is None else self.scores[self.pairs.index(pair)]

    @property
    def has_begun(self) -> bool:
        """Whether anything is known to have been played."""
        return self.winner is not None or self.match is not None


@dataclass(frozen=True, slots=True)
class Round:
    """The games of a round, the lowest table first, and who sits out."""

    number: int
    games: tuple[Game, ...]
    out: tuple[int, ...] = ()
    """Who sits out."""
    partners: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """The players of each pair of this round, where partners were drawn."""
    began: datetime | None = None

    @property
    def top(self) -> int:
        """The number of the top table."""
        return len(self.games)

    @property
    def playing(self) -> tuple[Game, ...]:
        """The games without a result, the lowest table first."""
        return tuple(game for game in self.games if game.winner is None)

    def game(self, table: int) -> Game | None:
        """Return the game at a table."""
        return self.games[table - 1] if 1 <= table <= self.top else None

    def side_of(self, uid: int) -> int:
        """Return the pair in which a player plays in this round: itself where no partners were drawn."""
        return next((side for side, players in self.partners.items() if uid in players), uid)

    def game_of(self, uid: int) -> Game | None:
        """Return the game of a pair, or of a player; `None` where it sits out or is not there."""
        side = self.side_of(uid)
        return next((game for game in self.games if side in game.pairs), None)

    def has_won(self, uid: int) -> bool:
        """Return whether a pair, or a player, has won its game."""
        game = self.game_of(uid)
        return game is not None and game.winner == self.side_of(uid)

    @property
    def seated(self) -> tuple[int, ...]:
        """Everybody who plays, from the lowest table up."""
        return tuple(uid for game in self.games for pair in game.pairs for uid in self.partners.get(pair, (pair,)))


@dataclass(frozen=True, slots=True)
class PairStanding:
    """A pair in the final list."""

    pair: int
    table: int | None
    """The table where it played last; `None` where it sat out or had left."""
    won: int
    played: int
    points: int
    """The points of the games whose score was entered."""
    rank: int
    """The rank from 1, the same for all who tie."""


@dataclass(kw_only=True)
class Night(EventLog):
    """A ladder night, folded from its events."""

    noun: ClassVar[str] = "night"
    max_events: ClassVar[int] = MAX_NIGHT_EVENTS
    title: str
    agreed: int
    """The agreed number of rounds."""
    size: int = 2
    """How many play together: two, or as the game has it."""
    pairs: dict[int, Pair] = field(default_factory=dict)
    """Every pair that came, by its uid, in the order in which they came."""
    rounds: list[Round] = field(default_factory=list)
    sides: dict[int, tuple[int, int]] = field(default_factory=dict)
    """The players of each pair with drawn partners, over all rounds."""
    plan: NightPlanned = field(default_factory=NightPlanned)
    was_ended: bool = False
    """Whether somebody ended it early."""
    is_deleted: bool = False

    @property
    def current(self) -> Round:
        """The round that is played, or was played last."""
        return self.round(len(self.rounds))

    def round(self, number: int) -> Round:
        """Return a round; a round 0 without games where it has not begun."""
        return self.rounds[number - 1] if 1 <= number <= len(self.rounds) else Round(0, ())

    def game(self, number: int, table: int) -> Game | None:
        """Return the game at a table in a round that has begun."""
        return self.round(number).game(table)

    @property
    def seated(self) -> frozenset[int]:
        """All who have ever sat at a table, or sat out a round."""
        return frozenset(uid for round_ in self.rounds for uid in (*round_.seated, *round_.out))

    @property
    def present(self) -> tuple[int, ...]:
        """The pairs that have not left."""
        return tuple(uid for uid, pair in self.pairs.items() if not pair.has_left)

    def members(self, uid: int) -> tuple[int, ...]:
        """Return the players of a pair with drawn partners; any other pair itself."""
        return self.sides.get(uid, (uid,))

    def name(self, uid: int) -> str:
        """Return the name of a pair, or of partners that were drawn."""
        if uid in self.sides:
            return NAME_SEPARATOR.join(map(self.name, self.sides[uid]))
        return self.pairs[uid].name if uid in self.pairs else f"a {self.one}"

    def has_left(self, uid: int) -> bool:
        """Return whether a pair has left, or one of two partners that were drawn."""
        return any(self.pairs[member].has_left for member in self.members(uid))

    @property
    def one(self) -> str:
        """The noun for those who enter the night: "pair", or "player" where partners are drawn."""
        return "pair" if self.plan.mode == PAIRS else "player"

    @property
    def per_table(self) -> int:
        """How many of those who enter the night sit at a table: two pairs, or four players."""
        return 2 if self.plan.mode == PAIRS else PLAYERS_PER_TABLE

    @property
    def climbs(self) -> bool:
        """Whether winners go up a table."""
        return self.plan.mode != SINGLES

    @property
    def next_top(self) -> int:
        """The number of tables in the next round."""
        return len(self.present) // self.per_table

    @property
    def is_over(self) -> bool:
        """Whether the last round was played, or somebody ended the night."""
        current = self.current
        return self.was_ended or (current.number >= self.agreed and not current.playing)

    @property
    def champions(self) -> tuple[int, ...]:
        """The winners of the night: more than one where they tie or partners were drawn, none before it is over.

        By the ladder, it is the winner of the last game at the top table.
        """
        if not self.is_over:
            return ()
        if self.plan.ranking != BY_LADDER:
            return tuple(first.pair for first in self.standings if first.rank == 1 and (first.won or first.points))
        winners = (round_.games[-1].winner for round_ in reversed(self.rounds))
        champion = next(filter(None, winners), None)
        return self.members(champion) if champion else ()

    @property
    def standings(self) -> list[PairStanding]:
        """Everybody, the first one first; those who tie share a place.

        By the ladder, the order is by the last table from the top, winners first, and those who left are last.
        """
        if not self.rounds:
            return []
        by_ladder = self.plan.ranking == BY_LADDER
        champions = self.champions if by_ladder else ()
        ranked = []
        for uid, pair in self.pairs.items():
            games = ((round_.game_of(uid), round_.side_of(uid)) for round_ in self.rounds)
            over = [(game, side) for game, side in games if game and game.winner is not None]
            won = sum(game.winner == side for game, side in over)
            points = sum(game.score_of(side) or 0 for game, side in over)
            game = self.current.game_of(uid)
            table = game.table if game and not pair.has_left else None
            counts = (-won, -points) if self.plan.ranking == BY_WINS else (-points, -won)
            has_lost = game is not None and game.loser == self.current.side_of(uid)
            rank = (uid not in champions, pair.has_left, -(table or 0), has_lost, -won) if by_ladder else counts
            ranked.append((rank, (uid, table, won, len(over), points)))
        in_order = sorted(ranked, key=lambda item: item[0])
        ranks = [rank for rank, _ in in_order]
        return [PairStanding(*counts, ranks.index(rank) + 1) for rank, counts in in_order]

    @property
    def byes(self) -> Counter[int]:
        """How often each pair sat out."""
        return Counter(uid for round_ in self.rounds for uid in round_.out)

    @property
    def drawn(self) -> Sequence[DrawnRound]:
        """The partners of each round and who sat out, as `draw_partners` takes them."""
        return [([*round_.partners.values()], round_.out) for round_ in self.rounds]

    @property
    def _next_tables_of_pairs(self) -> dict[int, tuple[int, bool]]:
        """The next table of each pair that plays in this round, and whether the pair moves to get there."""
        destinations: dict[int, tuple[int, bool]] = {}
        top = self.current.top
        for game in self.current.games:
            for pair in game.pairs:
                table = next_table(game.table, won=pair == game.winner, top=top)
                stays = table == game.table and (top > 1 or pair == game.winner)
                destinations |= dict.fromkeys(self.members(pair), (table, not stays))
        return destinations

    @property
    def order(self) -> tuple[int, ...]:
        """Those present, from the lowest table of the next round up."""
        destinations, out = self._next_tables_of_pairs, self.current.out
        return tuple(sorted(self.present, key=lambda uid: destinations.get(uid, (0, uid not in out))))

    @property
    def bye_candidates(self) -> tuple[int, ...]:
        """Those present among whom the bye of the next round is drawn; empty where all fill the tables."""
        return self.bye_candidates_in(self.order)

    def bye_candidates_in(self, order: Sequence[int]) -> tuple[int, ...]:
        """Return those in an order among whom the bye is drawn; none where all fill the tables.

        They are the pairs with the fewest byes, and of these only those at the lowest table. A pair that has just
        arrived or sat out the last round is not among them as long as there is another.
        """
        if len(order) % self.per_table == 0:
            return ()
        byes, destinations = self.byes, self._next_tables_of_pairs
        candidates = [uid for uid in order if uid in destinations] or order
        ranks = {uid: (byes[uid], destinations.get(uid, (0, False))[0]) for uid in candidates}
        return tuple(uid for uid, rank in ranks.items() if rank == min(ranks.values()))

    def next_tables(self, sits_out: int | None) -> list[tuple[int, int]]:
        """Return who sits where in the next round, the lowest table first.

        At a table, a pair that stays there comes first, and a newcomer last.
        """
        seated, destinations = [uid for uid in self.order if uid != sits_out], self._next_tables_of_pairs
        tables = []
        for table, pairs in enumerate(zip(seated[::2], seated[1::2], strict=True), 1):
            first, second = sorted(
                pairs, key=lambda pair: (pair not in destinations, destinations.get(pair) != (table, False))
            )
            tables.append((first, second))
        return tables

    def trade(self, number: int, table: int) -> tuple[Game | None, Game | None] | None:
        """Return the present games of the pairs of an earlier game, if correcting its winner makes them trade places.

        The game of a pair that sits out is `None`. The whole result is `None` where nobody would move.
        """
        if number != len(self.rounds) - 1:
            return None
        current, game = self.rounds[-1], self.game(number, table)
        if game is None or game.winner is None or not {*current.seated, *current.out}.issuperset(game.pairs):
            return None
        first, second = map(current.game_of, game.pairs)
        has_begun = any(present and present.has_begun for present in (first, second))
        return None if first == second or has_begun else (first, second)

    def seat(
        self,
        tables: Iterable[tuple[int, int]],
        sit_out: Iterable[int | None],
        began: datetime,
        partners: Mapping[int, tuple[int, int]] | None = None,
    ) -> None:
        """Append a round with these tables; `partners` are the players of each drawn pair."""
        games = tuple(Game(table, pairs) for table, pairs in enumerate(tables, 1))
        out = tuple(filter(None, sit_out))
        self.sides.update(partners or {})
        self.rounds.append(Round(len(self.rounds) + 1, games, out, partners or {}, began))

    def put_game(self, number: int, game: Game) -> None:
        """Replace the game at a table in a round."""
        round_ = self.rounds[number - 1]
        games = [*round_.games]
        games[game.table - 1] = game
        self.rounds[number - 1] = replace(round_, games=tuple(games))

    def swap(self, one: int, other: int) -> None:
        """Swap the places of two pairs in the current round."""
        round_, swapped = self.rounds[-1], {one: other, other: one}

        def after(uid: int) -> int:
            return swapped.get(uid, uid)

        games = (replace(game, pairs=(after(game.pairs[0]), after(game.pairs[1]))) for game in round_.games)
        self.rounds[-1] = replace(round_, games=tuple(games), out=tuple(map(after, round_.out)))

    def game_at(self, number: int, table: int) -> Game:
        """Return the game at a table in a round; raises `Refused` where there is none."""
        if game := self.game(number, table):
            return game
        raise refusal("", f"There is no table {table} in round {number}. Check the night again.")

    def pair(self, uid: int) -> Pair:
        """Return the pair with a uid; raises `Refused` where it never came."""
        if uid in self.pairs:
            return self.pairs[uid]
        raise refusal("", f"There is no such {self.one} tonight. Look at the list again.")

    def refuse_after_end(self) -> None:
        """Raise `Refused` where the night is over."""
        if self.is_over:
            raise refusal("", "The night is over. Resume it, or agree on more rounds, first.")

    def refuse_unready_start(self) -> None:
        """Raise `Refused` where the first round has started, or too few are there for a table."""
        if self.rounds:
            raise refusal("", "Round 1 has started already. To draw again, undo it first.")
        self._refuse_too_few("Add the others first.")

    def _refuse_too_few(self, advice: str) -> None:
        """Raise `Refused`, with this advice, where too few are there for a table."""
        if len(self.present) < self.per_table:
            fewest = "Two pairs" if self.plan.mode == PAIRS else "Four players"
            raise refusal("", f"{fewest} are the fewest. {advice}")

    def is_next_round(self, number: int) -> bool:
        """Return whether a round comes next, and not the one that is played; raises `Refused` where it cannot start."""
        current = self.current
        if not self.rounds:
            raise refusal("", "Nobody is seated yet. Start round 1 first.")
        if number == current.number:
            return False
        if number != current.number + 1:
            raise refusal("", f"Round {current.number + 1} is next.")
        self.refuse_after_end()
        if current.playing:
            tables = ", ".join(str(game.table) for game in current.playing)
            raise refusal("", f"Still playing at table {tables}. Say who won there first.")
        self._refuse_too_few("Add another, or end the night.")
        return True

    def refuse_if_full(self, field: str = "") -> None:
        """Raise `Refused` where there is no room for another pair; `field` is that of the form."""
        room = MAX_TABLES * self.per_table + 1
        if len(self.present) >= room:
            raise refusal(field, f"A night has room for {room} {self.one}s. Start a second night for the others.")

    def refuse_players(self, players: Sequence[str], besides: int | None = None) -> None:
        """Raise `Refused` for names that are not valid, or that somebody else present has."""
        if self.plan.mode != PAIRS and len(players) != 1:
            raise refusal("players.0", "Partners are drawn tonight: add the players one by one.")
        if not 1 <= len(players) <= MAX_IN_PAIR:
            raise refusal("players.0", f"1 to {MAX_IN_PAIR} play together.")
        refuse_any(fault for index, player in enumerate(players) for fault in name_faults(f"players.{index}", player))
        refuse_any(table_faults(players, ()))
        present = {
            name_key(player): (player, self.name(uid))
            for uid in self.present
            if uid != besides
            for player in self.pairs[uid].players
        }
        for index, player in enumerate(players):
            if found := present.get(name_key(player)):
                name, pair = found
                why = f"{name} is here already" if pair == name else f"{name} plays already, in {pair}"
                raise refusal(f"players.{index}", f"{why}. If this is somebody else, add a letter.")
