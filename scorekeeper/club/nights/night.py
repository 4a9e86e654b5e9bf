"""A ladder night, folded from its events, and the checks of new events.

An *entrant* is who enters the night: a pair, a team, or one player. A *side* is one of the two sides of a game: an
entrant or, where partners are drawn each round, a *drawn pair* of two entrants. Entrants and drawn pairs have uids.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
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
MAX_SIDE_SIZE = 4
MAX_SCORE = 999
MAX_ROUND_MINUTES = 240
MAX_NIGHT_EVENTS = 10_000

PAIRS, SINGLES, PROGRESSIVE = MODES = ("pairs", "singles", "progressive")
"""The modes of a night.

`PAIRS`: entrants play as they are, on a ladder. `SINGLES`: partners are drawn, without a ladder. `PROGRESSIVE`:
partners are drawn at each table of a ladder.
"""
BY_LADDER, BY_WINS, BY_POINTS = RANKINGS = ("ladder", "wins", "points")
"""The ways to rank entrants: by their last table on the ladder, by wins and then points, or by points and then wins."""


@event_kind("plan", OWNER)
class NightPlanned(Event):
    """The host set or changed how a night is played: mode, ranking, minutes, confirmation, fee and prizes."""

    is_undoable = False  # later events depend on it
    mode: str = PAIRS
    ranking: str = BY_LADDER
    minutes: int = 0
    """The minutes of a round, counted down on the page for the wall; 0 for no limit."""
    confirms: bool = False
    """Whether the two sides of a game enter the winner on their own phones. It counts once both enter the same."""
    fee: str = ""
    """The entry fee as typed; empty without one."""
    prizes: str = ""
    """The prizes as typed; empty without any."""

    def changes_anything(self, night: "Night") -> bool:
        for field_name, text in (("fee", self.fee), ("prizes", self.prizes)):
            refuse_any(text_faults(field_name, text, MAX_TITLE_LENGTH))
        if not 0 <= self.minutes <= MAX_ROUND_MINUTES:
            raise refusal("minutes", f"A round takes up to {MAX_ROUND_MINUTES} minutes. Without a clock, type nothing.")
        if self.mode not in MODES or self.ranking not in RANKINGS:
            raise refusal("mode", "Choose how the night is played.")
        if self.mode == SINGLES and self.ranking == BY_LADDER:
            raise refusal("ranking", "Nobody climbs where partners are drawn: choose wins or points.")
        if self.mode != night.plan.mode and night.entrants:
            raise refusal("mode", "Who plays together is chosen before anybody is added.")
        if self.ranking != night.plan.ranking and night.rounds:
            raise refusal("ranking", "What the night is won by is chosen before the start.")
        return night.plan != self

    def apply(self, night: "Night", event: StoredEvent) -> None:
        night.plan = self


@dataclass(frozen=True, slots=True)
class Entrant:
    """The players who enter a night together, or a single player where each plays alone or partners are drawn."""

    uid: int
    """The `seq` of the entrant's `EntrantArrived`."""
    players: tuple[str, ...]
    """The names of the players: ("Ann", "Cal")."""
    has_left: bool = False

    @property
    def name(self) -> str:
        """The names of the players, joined: "Ann & Cal"."""
        return NAME_SEPARATOR.join(self.players)


@dataclass(frozen=True, slots=True)
class Game:
    """One round's game between two sides at a table, with its result as far as that is known."""

    table: int
    """The number of the table, from 1 for the lowest."""
    sides: tuple[int, int]
    """The uids of the two sides: of entrants, or of drawn pairs."""
    winner: int | None = None
    """The uid of the side that won; `None` until there is a result."""
    is_won_by_default: bool = False
    """Whether the game was won because the other side left."""
    match_id: int | None = None
    """The id of the match in which the score of the game is kept; `None` if it is kept in no match."""
    scores: tuple[int, int] | None = None
    """The scores, in the order of the sides; `None` if none were entered."""
    has_late_result: bool = False
    """Whether a match gave the result after the next round had started."""
    reports_by_side: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """The winner that each side entered, and the id of the link of its phone; keyed by the side's uid."""

    @property
    def loser(self) -> int | None:
        """The uid of the side that lost; `None` until there is a result."""
        return None if self.winner is None else self.opponent_of(self.winner)

    def opponent_of(self, side: int) -> int:
        """Return the uid of the other side of the game."""
        first, second = self.sides
        return second if side == first else first

    def score_of(self, side: int) -> int | None:
        """Return the score of the side with a uid; `None` if no scores were entered."""
        return None if self.scores is None else self.scores[self.sides.index(side)]

    @property
    def has_begun(self) -> bool:
        """Whether the game has a result, or a match in which its score is kept."""
        return self.winner is not None or self.match_id is not None


@dataclass(frozen=True, slots=True)
class Round:
    """A round of a night: its games, and the entrants that sit out."""

    number: int
    """The number of the round, from 1; 0 if the round has not started."""
    games: tuple[Game, ...]
    """The games, the lowest table first."""
    sitting_out_uids: tuple[int, ...] = ()
    """The uids of the entrants that sit out."""
    partners_by_pair: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """The uids of the two partners in each drawn pair, keyed by the pair's uid; empty if no partners were drawn."""
    began_at: datetime | None = None
    """When the round began; `None` if the round has not started."""

    @property
    def top_table(self) -> int:
        """The number of the top table; 0 if the round has not started."""
        return len(self.games)

    @property
    def unfinished_games(self) -> tuple[Game, ...]:
        """The games without a result, the lowest table first."""
        return tuple(game for game in self.games if game.winner is None)

    def game_at(self, table: int) -> Game | None:
        """Return the game at a table; `None` if there is no such table."""
        return self.games[table - 1] if 1 <= table <= self.top_table else None

    def side_of(self, uid: int) -> int:
        """Return the uid of an entrant's side in this round: that of its drawn pair or, without one, its own."""
        return next((side for side, partners in self.partners_by_pair.items() if uid in partners), uid)

    def game_of(self, uid: int) -> Game | None:
        """Return the game of an entrant in this round; `None` if the entrant has none."""
        side = self.side_of(uid)
        return next((game for game in self.games if side in game.sides), None)

    def has_won(self, uid: int) -> bool:
        """Return whether an entrant has won its game in this round; `False` without a game or a result."""
        game = self.game_of(uid)
        return game is not None and game.winner == self.side_of(uid)

    @property
    def seated_uids(self) -> tuple[int, ...]:
        """The uids of the entrants at the tables, from the lowest table up."""
        return tuple(
            uid for game in self.games for side in game.sides for uid in self.partners_by_pair.get(side, (side,))
        )


@dataclass(frozen=True, slots=True)
class EntrantStanding:
    """The rank of an entrant in a night, with its table, games and points."""

    uid: int
    """The uid of the entrant."""
    table: int | None
    """The table of the entrant's last or present game; `None` if there is no game, or the entrant has left."""
    games_won: int
    games_played: int
    """The number of the entrant's games that have a result."""
    points: int
    """The sum of the scores of the entrant's sides, from games whose scores were entered."""
    rank: int
    """The rank, from 1 for the best; entrants that tie have the same."""


@dataclass(kw_only=True)
class Night(EventLog):
    """A ladder night, folded from its events."""

    noun: ClassVar[str] = "night"
    max_events: ClassVar[int] = MAX_NIGHT_EVENTS
    title: str
    """The title as typed; empty without one."""
    agreed_round_count: int
    """The number of rounds to play, as last agreed."""
    side_size: int = 2
    """The most players of one side of a game."""
    entrants: dict[int, Entrant] = field(default_factory=dict)
    """The entrants, keyed by uid and in order of arrival. Those that left are among them; those removed are not."""
    rounds: list[Round] = field(default_factory=list)
    """The rounds that have started, in order. A round that was taken back is not among them."""
    partners_by_pair: dict[int, tuple[int, int]] = field(default_factory=dict)
    """The uids of the two partners in each drawn pair of any round, even one taken back; keyed by the pair's uid."""
    plan: NightPlanned = field(default_factory=NightPlanned)
    was_ended_early: bool = False
    """Whether the host ended the night before its last round was over. `False` again once the night is resumed."""
    is_deleted: bool = False
    is_unreadable: bool = False
    """Whether an event of the night cannot be read. The night is then shown as it began."""

    @property
    def current_round(self) -> Round:
        """The round that started last, even if it is over. Before the first round, it has the number 0 and no games."""
        return self.round_by_number(len(self.rounds))

    def round_by_number(self, number: int) -> Round:
        """Return the round with a number. A round that has not started has the number 0 and no games."""
        return self.rounds[number - 1] if 1 <= number <= len(self.rounds) else Round(0, ())

    def game_at(self, round_number: int, table: int) -> Game | None:
        """Return the game at a table in a round; `None` if there is no such game."""
        return self.round_by_number(round_number).game_at(table)

    def has_disagreement(self, game: Game) -> bool:
        """Return whether the phones of the two sides have entered different winners of a game without a result.

        `False` if the host enters the results.
        """
        return self.plan.confirms and len(game.reports_by_side) > 1

    @property
    def uids_in_any_round(self) -> frozenset[int]:
        """The uids of all entrants that have played or sat out in any round."""
        return frozenset(uid for round_ in self.rounds for uid in (*round_.seated_uids, *round_.sitting_out_uids))

    @property
    def present_uids(self) -> tuple[int, ...]:
        """The uids of the entrants that have not left, in order of arrival."""
        return tuple(uid for uid, entrant in self.entrants.items() if not entrant.has_left)

    def entrant_uids(self, side: int) -> tuple[int, ...]:
        """Return the uids of the entrants on a side: the two partners in a drawn pair, or one entrant alone."""
        return self.partners_by_pair.get(side, (side,))

    def name(self, uid: int) -> str:
        """Return the name of an entrant or a drawn pair: "Ann & Cal". An entrant that was removed is "a pair"."""
        if uid in self.partners_by_pair:
            return NAME_SEPARATOR.join(map(self.name, self.partners_by_pair[uid]))
        return self.entrants[uid].name if uid in self.entrants else f"a {self.entrant_noun}"

    def has_left(self, uid: int) -> bool:
        """Return whether an entrant, or at least one partner in a drawn pair, has left."""
        return any(self.entrants[member].has_left for member in self.entrant_uids(uid))

    @property
    def side_noun(self) -> str:
        """The noun for a side of a game: "player" for one player, "pair" for two, "team" for three or four."""
        return {1: "player", 2: "pair"}.get(self.side_size, "team")

    @property
    def entrant_noun(self) -> str:
        """The noun for an entrant: `side_noun` or, where partners are drawn, "player"."""
        return self.side_noun if self.plan.mode == PAIRS else "player"

    @property
    def entrants_per_table(self) -> int:
        """The number of entrants at a table: two, or four players where partners are drawn."""
        return 2 if self.plan.mode == PAIRS else PLAYERS_PER_TABLE

    @property
    def has_ladder(self) -> bool:
        """Whether winners go up a table after each round."""
        return self.plan.mode != SINGLES

    @property
    def next_table_count(self) -> int:
        """The number of tables that the next round will have if nobody else comes or leaves."""
        return len(self.present_uids) // self.entrants_per_table

    @property
    def is_over(self) -> bool:
        """Whether the last agreed round has all its results, or the host ended the night early."""
        return self.was_ended_early or (self.is_last_round and not self.current_round.unfinished_games)

    @property
    def is_last_round(self) -> bool:
        """Whether no round follows the current one: it is the last one agreed, or the host ended the night early."""
        return self.was_ended_early or self.current_round.number >= self.agreed_round_count

    @property
    def champion_uids(self) -> tuple[int, ...]:
        """The uids of the entrants that have won the night; empty before the night is over, or if nobody has won.

        With `BY_LADDER`, the side that won the last finished game at the top table has won the night. With other
        rankings, all entrants that share the first rank have won.
        """
        if not self.is_over:
            return ()
        if self.plan.ranking != BY_LADDER:
            return tuple(first.uid for first in self.standings if first.rank == 1 and (first.games_won or first.points))
        winners = filter(None, (round_.games[-1].winner for round_ in reversed(self.rounds)))
        return next(map(self.entrant_uids, winners), ())

    @property
    def standings(self) -> list[EntrantStanding]:
        """The standings of all entrants, the best first; empty before the first round.

        Entrants that tie share a rank. With `BY_LADDER`, a higher table in the last game is better, and entrants that
        have left are last.
        """
        if not self.rounds:
            return []
        by_ladder = self.plan.ranking == BY_LADDER
        champion_uids = self.champion_uids if by_ladder else ()
        keys_and_totals = []
        for uid, entrant in self.entrants.items():
            games = [(game, round_.side_of(uid)) for round_ in self.rounds if (game := round_.game_of(uid))]
            finished_games = [(game, side) for game, side in games if game.winner is not None]
            won_count = sum(game.winner == side for game, side in finished_games)
            points = sum(game.score_of(side) or 0 for game, side in finished_games)
            table = games[-1][0].table if games and not entrant.has_left else None
            totals_key = (-won_count, -points) if self.plan.ranking == BY_WINS else (-points, -won_count)
            has_lost_last = any(game.loser == side for game, side in games[-1:])
            ladder_key = uid not in champion_uids, entrant.has_left, -(table or 0), has_lost_last, -won_count
            totals = uid, table, won_count, len(finished_games), points
            keys_and_totals.append((ladder_key if by_ladder else totals_key, totals))
        keys_and_totals.sort(key=lambda key_and_totals: key_and_totals[0])
        rank_keys = [rank_key for rank_key, _ in keys_and_totals]
        return [EntrantStanding(*totals, rank_keys.index(rank_key) + 1) for rank_key, totals in keys_and_totals]

    @property
    def bye_counts(self) -> Counter[int]:
        """The number of rounds that each entrant sat out, keyed by the entrant's uid."""
        return Counter(uid for round_ in self.rounds for uid in round_.sitting_out_uids)

    @property
    def drawn_rounds(self) -> Sequence[DrawnRound]:
        """The drawn pairs of each round, and the entrants that sat out, in the form that `draw_partners` takes."""
        return [([*round_.partners_by_pair.values()], round_.sitting_out_uids) for round_ in self.rounds]

    @property
    def _next_tables_by_entrant(self) -> dict[int, tuple[int, bool]]:
        """The table to which the ladder leads each seated entrant, and whether the entrant moves; keyed by uid.

        In a game without a result, the first side counts as the winner. Tables keep their present numbers.
        """
        destinations: dict[int, tuple[int, bool]] = {}
        top_table = self.current_round.top_table
        for game in self.current_round.games:
            winner = game.winner or game.sides[0]
            for side in game.sides:
                table = next_table(game.table, won=side == winner, top_table=top_table)
                # At the only table of a round, the loser counts as moving.
                stays = table == game.table and (top_table > 1 or side == winner)
                destinations |= dict.fromkeys(self.entrant_uids(side), (table, not stays))
        return destinations

    @property
    def next_seating_order(self) -> tuple[int, ...]:
        """The uids of the entrants present, in the order in which they fill the tables of the next round from table 1.

        Entrants without a seat in the current round are first: those that sit out, then newcomers. At each table,
        entrants that stay there are before those that move there.
        """
        destinations, out = self._next_tables_by_entrant, self.current_round.sitting_out_uids
        return tuple(sorted(self.present_uids, key=lambda uid: destinations.get(uid, (0, uid not in out))))

    @property
    def follows_ladder(self) -> bool:
        """Whether each seated entrant that plays the next round sits at the table to which the ladder leads.

        `False` if somebody moves to another table, for example to fill in for an entrant that left.
        """
        destinations, order = self._next_tables_by_entrant, enumerate(self.seating_order_after_byes(min))
        return all(
            destinations[uid][0] == index // self.entrants_per_table + 1 for index, uid in order if uid in destinations
        )

    @property
    def bye_candidates(self) -> tuple[int, ...]:
        """The uids of the entrants among which the next bye is drawn; empty if nobody needs to sit out."""
        return self.bye_candidates_in(self.next_seating_order)

    def bye_candidates_in(self, order: Sequence[int]) -> tuple[int, ...]:
        """Return the uids in `order` among which the next bye is drawn; empty if all in `order` can play.

        The candidates are those with the fewest byes so far and, among them, with the lowest next table. Entrants
        without a seat in the current round are candidates only if `order` has no others.
        """
        if len(order) % self.entrants_per_table == 0:
            return ()
        bye_counts, destinations = self.bye_counts, self._next_tables_by_entrant
        candidates = [uid for uid in order if uid in destinations] or order
        ranks = {uid: (bye_counts[uid], destinations.get(uid, (0, False))[0]) for uid in candidates}
        return tuple(uid for uid, rank in ranks.items() if rank == min(ranks.values()))

    def seating_order_after_byes(self, choose: Callable[[Sequence[int]], int]) -> list[int]:
        """Return `next_seating_order` without the entrants that sit out the next round.

        `choose` picks one after the other among the bye candidates.
        """
        order = list(self.next_seating_order)
        while candidates := self.bye_candidates_in(order):
            order.remove(choose(candidates))
        return order

    def next_tables(self, bye_uid: int | None) -> list[tuple[int, int]]:
        """Return the uids of the two entrants at each table of the next round, the lowest table first.

        The entrant `bye_uid`, if any, gets no table. At each table, an entrant that stays there is first.
        """
        order, destinations = [uid for uid in self.next_seating_order if uid != bye_uid], self._next_tables_by_entrant
        tables = []
        for table, uids in enumerate(zip(order[::2], order[1::2], strict=True), 1):
            first, second = sorted(
                uids, key=lambda uid: (uid not in destinations, destinations.get(uid) != (table, False))
            )
            tables.append((first, second))
        return tables

    def games_to_trade(self, round_number: int, table: int) -> tuple[Game | None, Game | None] | None:
        """Return the current games of the two sides of an earlier game if another winner makes them trade places.

        In the tuple, `None` stands for a side that sits out now. Return `None` alone if both sides stay: for example,
        one of them has begun its current game.
        """
        if round_number != len(self.rounds) - 1:  # what has been played since stays as it was played
            return None
        current, game = self.rounds[-1], self.game_at(round_number, table)
        present_uids = {*current.seated_uids, *current.sitting_out_uids}
        if game is None or game.winner is None or not present_uids.issuperset(game.sides):
            return None
        first_game, second_game = map(current.game_of, game.sides)
        has_begun = any(current_game and current_game.has_begun for current_game in (first_game, second_game))
        return None if first_game == second_game or has_begun else (first_game, second_game)

    def append_round(
        self,
        tables: Iterable[tuple[int, int]],
        sitting_out_uids: Iterable[int | None],
        began_at: datetime,
        partners_by_pair: Mapping[int, tuple[int, int]] | None = None,
    ) -> None:
        """Append a round; `tables` has the uids of the two sides at each table, the lowest table first.

        A `None` in `sitting_out_uids` is ignored. Where partners were drawn, `partners_by_pair` has the uids of the two
        partners in each drawn pair, keyed by the pair's uid.
        """
        games = tuple(Game(table, sides) for table, sides in enumerate(tables, 1))
        out = tuple(filter(None, sitting_out_uids))
        self.partners_by_pair.update(partners_by_pair or {})
        self.rounds.append(Round(len(self.rounds) + 1, games, out, partners_by_pair or {}, began_at))

    def replace_game(self, round_number: int, game: Game) -> None:
        """Put a changed game in the place of the stored one, at the same table of the same round."""
        round_ = self.rounds[round_number - 1]
        games = [*round_.games]
        games[game.table - 1] = game
        self.rounds[round_number - 1] = replace(round_, games=tuple(games))

    def swap_entrants(self, one: int, other: int) -> None:
        """Let two entrants, given by uid, trade places in the current round; one of them may sit out."""
        round_, new_uids = self.rounds[-1], {one: other, other: one}

        def swap(uid: int) -> int:
            return new_uids.get(uid, uid)

        games = (replace(game, sides=(swap(game.sides[0]), swap(game.sides[1]))) for game in round_.games)
        self.rounds[-1] = replace(
            round_, games=tuple(games), sitting_out_uids=tuple(map(swap, round_.sitting_out_uids))
        )

    def game_or_refuse(self, round_number: int, table: int) -> Game:
        """Return the game at a table in a round; raises `Refused` if there is none."""
        if game := self.game_at(round_number, table):
            return game
        raise refusal("", f"There is no table {table} in round {round_number}. Check the night again.")

    def entrant_or_refuse(self, uid: int) -> Entrant:
        """Return the entrant with a uid; raises `Refused` if there is none."""
        if uid in self.entrants:
            return self.entrants[uid]
        raise refusal("", f"There is no such {self.entrant_noun} tonight. Look at the list again.")

    def refuse_after_end(self) -> None:
        """Raise `Refused` if the night is over."""
        if self.is_over:
            raise refusal("", "The night is over. Resume it, or agree on more rounds, first.")

    def refuse_unready_start(self) -> None:
        """Raise `Refused` if the first round has started already, or too few are present to fill one table."""
        if self.rounds:
            raise refusal("", "Round 1 has started already. To draw again, undo it first.")
        self._refuse_too_few("Add the others first.")

    def _refuse_too_few(self, advice: str) -> None:
        """Raise `Refused` if too few are present to fill one table; `advice` ends the message."""
        if len(self.present_uids) < self.entrants_per_table:
            fewest = "Two" if self.plan.mode == PAIRS else "Four"
            raise refusal("", f"{fewest} {self.entrant_noun}s are the fewest. {advice}")

    def is_next_round(self, number: int) -> bool:
        """Return `True` for the number of the next round, and `False` for that of the current one.

        Raises `Refused` for any other number, and if the next round may not start yet.
        """
        current = self.current_round
        if not self.rounds:
            raise refusal("", "Nobody is seated yet. Start round 1 first.")
        if number == current.number:
            return False
        if number != current.number + 1:
            raise refusal("", f"Round {current.number + 1} is next.")
        self.refuse_after_end()
        if current.unfinished_games:
            tables = ", ".join(str(game.table) for game in current.unfinished_games)
            raise refusal("", f"Still playing at table {tables}. Say who won there first.")
        self._refuse_too_few("Add another, or end the night.")
        return True

    def refuse_if_full(self, field: str = "") -> None:
        """Raise `Refused` if there is no room for another entrant; `field` is the form field to blame."""
        max_entrants = MAX_TABLES * self.entrants_per_table + 1
        if len(self.present_uids) >= max_entrants:
            raise refusal(
                field, f"A night has room for {max_entrants} {self.entrant_noun}s. Start a second night for the others."
            )

    def refuse_invalid_players(self, players: Sequence[str], own_uid: int | None = None) -> None:
        """Raise `Refused` if the names `players` are invalid for an entrant, or somebody else present has one of them.

        `own_uid` is the uid of the entrant that gets the names; `None` for a new one.
        """
        noun = self.entrant_noun
        if noun == "player" and len(players) != 1:
            reason = "Each plays alone" if self.plan.mode == PAIRS else "Partners are drawn"
            raise refusal("players.0", f"{reason} tonight: add the players one by one.")
        if not 1 <= len(players) <= self.side_size:
            raise refusal("players.0", f"{self.side_size} play together tonight. Add the others as another {noun}.")
        refuse_any(fault for index, player in enumerate(players) for fault in name_faults(f"players.{index}", player))
        refuse_any(table_faults(players, ()))
        present_names = {
            name_key(player): (player, self.name(uid))
            for uid in self.present_uids
            if uid != own_uid
            for player in self.entrants[uid].players
        }
        for index, player in enumerate(players):
            if same_name := present_names.get(name_key(player)):
                name, entrant_name = same_name
                fact = f"{name} is here already" if entrant_name == name else f"{name} plays already, in {entrant_name}"
                raise refusal(f"players.{index}", f"{fact}. If this is somebody else, add a letter.")
