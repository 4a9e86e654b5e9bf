"""A tournament night as it stands: its pairs, its rounds, who has won, and what can be refused.

A result that is corrected after everybody moved changes the list. The two pairs then also trade places, as long as
neither has begun to play where it sits now; what has been played since stays as it was played.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from scorekeeper.engine.seats import NAMES_JOINED
from scorekeeper.ladder import moves
from scorekeeper.ladder.limits import MOST_IN_PAIR, MOST_NIGHT_EVENTS, MOST_PAIRS
from scorekeeper.ledger.fact_log import Event, FactLog, UndoHistory
from scorekeeper.ledger.limits import name_faults
from scorekeeper.ledger.refusals import refusal, refuse_any
from scorekeeper.rules.faults import Fault


@dataclass(frozen=True, slots=True)
class Pair:
    """A side that plays together all night: two players, or as many as the game has on a side."""

    uid: int
    players: tuple[str, ...]
    has_left: bool = False

    @property
    def name(self) -> str:
        """What the pair is called."""
        return NAMES_JOINED.join(self.players)


@dataclass(frozen=True, slots=True)
class Game:
    """What two pairs play at a table in a round."""

    table: int
    pairs: tuple[int, int]
    winner: int | None = None
    is_default: bool = False
    """Whether it was won because the other pair left."""
    match: int | None = None
    """The match that is kept there."""
    scores: tuple[int, int] | None = None
    """How it ended, in the order of the pairs; `None` where nobody said."""

    @property
    def loser(self) -> int | None:
        """The pair that lost; `None` while nobody has."""
        return None if self.winner is None else self.other(self.winner)

    def other(self, pair: int) -> int:
        """Return whom a pair plays against."""
        first, second = self.pairs
        return second if pair == first else first

    def score_of(self, pair: int) -> int | None:
        """Return how many points a pair has; `None` where nobody said."""
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
    sits_out: int | None = None

    @property
    def top(self) -> int:
        """The number of the top table."""
        return len(self.games)

    @property
    def is_done(self) -> bool:
        """Whether every table has a result."""
        return all(game.winner is not None for game in self.games)

    @property
    def playing(self) -> tuple[Game, ...]:
        """The games without a result, the lowest table first."""
        return tuple(game for game in self.games if game.winner is None)

    def game(self, table: int) -> Game | None:
        """Return the game at a table."""
        return self.games[table - 1] if 1 <= table <= self.top else None

    def game_of(self, pair: int) -> Game | None:
        """Return the game of a pair; `None` where it sits out or is not there."""
        return next((game for game in self.games if pair in game.pairs), None)

    @property
    def seated(self) -> tuple[int, ...]:
        """Everybody who plays, from the lowest table up."""
        return tuple(pair for game in self.games for pair in game.pairs)


@dataclass(frozen=True, slots=True)
class PairStanding:
    """A pair in the final list."""

    pair: int
    table: int | None
    """Where it played last; `None` where it sat out or had left."""
    won: int
    played: int


@dataclass(kw_only=True)
class Night(FactLog):
    """What a night's facts come to."""

    noun: ClassVar[str] = "night"
    most_events: ClassVar[int] = MOST_NIGHT_EVENTS
    title: str
    agreed: int
    """How many rounds were agreed."""
    pairs: dict[int, Pair] = field(default_factory=dict)
    """Every pair that came, by its uid, in the order in which they came."""
    rounds: list[Round] = field(default_factory=list)
    was_ended: bool = False
    """Whether somebody ended it early."""
    is_deleted: bool = False

    @classmethod
    def fold(cls, events: Iterable[Event], title: str = "", rounds: int = 1) -> "Night":
        """Return the night that events, in order, come to, given its first name and number of rounds."""
        events = tuple(events)
        history = UndoHistory(events)
        undo_next, redo_target = history.undo_next, history.redo_target
        night = cls(events=events, undo_next=undo_next, redo_target=redo_target, title=title, agreed=rounds)
        for event in (*history.kept, *history.in_force):
            event.fact.apply(night, event)
        return night

    @property
    def current(self) -> Round | None:
        """The round that is played, or was played last; `None` before the start."""
        return self.rounds[-1] if self.rounds else None

    def round(self, number: int) -> Round | None:
        """Return a round that has begun."""
        return self.rounds[number - 1] if 1 <= number <= len(self.rounds) else None

    @property
    def present(self) -> tuple[int, ...]:
        """The pairs that have not left."""
        return tuple(uid for uid, pair in self.pairs.items() if not pair.has_left)

    def name(self, uid: int) -> str:
        """Return the name of a pair."""
        return self.pairs[uid].name if uid in self.pairs else "a pair"

    @property
    def is_over(self) -> bool:
        """Whether the last round was played, or somebody ended the night."""
        current = self.current
        return self.was_ended or (current is not None and current.number >= self.agreed and current.is_done)

    @property
    def champion(self) -> int | None:
        """The pair that won the last game at the top table; `None` before the night is over."""
        if not self.is_over:
            return None
        won = (it.games[-1].winner for it in reversed(self.rounds))
        return next((winner for winner in won if winner is not None), None)

    @property
    def standings(self) -> list[PairStanding]:
        """Every pair, the first one first: by its last table from the top, winners first; who left comes last."""
        current = self.current
        if current is None:
            return []
        champion, games = self.champion, [game for it in self.rounds for game in it.games if game.winner is not None]
        ranked = []
        for uid, pair in self.pairs.items():
            game = current.game_of(uid)
            won, played = sum(it.winner == uid for it in games), sum(uid in it.pairs for it in games)
            table = game.table if game and not pair.has_left else None
            has_lost = game is not None and game.loser == uid
            rank = (uid != champion, pair.has_left, -(table or 0), has_lost, -won)
            ranked.append((rank, PairStanding(uid, table, won, played)))
        return [standing for _, standing in sorted(ranked, key=lambda it: it[0])]

    @property
    def byes(self) -> Mapping[int, int]:
        """How often each pair sat out, without those that never did."""
        return Counter(it.sits_out for it in self.rounds if it.sits_out is not None)

    @property
    def _places(self) -> dict[int, tuple[int, bool]]:
        """The table that each pair goes to next, and whether it arrives there; only of those that are still there."""
        return dict(_places(self.current)) if self.current else {}

    @property
    def order(self) -> tuple[int, ...]:
        """The pairs from the lowest place up, as they would sit in the next round."""
        here = {uid: place for uid, place in self._places.items() if not self.pairs[uid].has_left}
        sat_out = self.current.sits_out if self.current else None
        newcomers = [uid for uid in self.present if uid not in here]
        return tuple(moves.in_order(here, sorted(newcomers, key=lambda uid: uid != sat_out)))

    @property
    def may_sit_out(self) -> tuple[int, ...]:
        """The pairs of which one is drawn to sit out in the next round."""
        return tuple(moves.may_sit_out(self.order, self._places, self.byes))

    def next_tables(self, sits_out: int | None) -> list[tuple[int, int]]:
        """Return who sits where in the next round, the lowest table first."""
        return moves.fill_tables(self.order, self._places, sits_out)

    def trade(self, number: int, table: int) -> tuple[Game | None, Game | None] | None:
        """Return where the two pairs of an earlier game sit now, if another winner there makes them trade places.

        `None` stands for sitting out. The answer is `None` where nobody would move.
        """
        if number != len(self.rounds) - 1:
            return None
        current, game = self.rounds[-1], self.rounds[number - 1].game(table)
        if game is None or game.winner is None:
            return None
        here = {*current.seated, current.sits_out}
        first, second = (current.game_of(pair) for pair in game.pairs)
        if not here.issuperset(game.pairs) or first == second:
            return None
        return None if any(it and it.has_begun for it in (first, second)) else (first, second)

    def seat(self, tables: Iterable[tuple[int, int]], sits_out: int | None) -> None:
        """Begin a round."""
        games = tuple(Game(table, pairs) for table, pairs in enumerate(tables, 1))
        self.rounds.append(Round(len(self.rounds) + 1, games, sits_out))

    def change_pair(self, pair: int, **values: Any) -> None:
        """Change something of a pair."""
        self.pairs[pair] = replace(self.pairs[pair], **values)

    def change_game(self, number: int, table: int, **values: Any) -> None:
        """Change something of a game."""
        of = self.rounds[number - 1]
        games = [replace(game, **values) if game.table == table else game for game in of.games]
        self.rounds[number - 1] = replace(of, games=tuple(games))

    def swap(self, one: int, other: int) -> None:
        """Let two pairs trade places in the current round."""
        of, other_of = self.rounds[-1], {one: other, other: one}
        games = []
        for game in of.games:
            first, second = game.pairs
            games.append(replace(game, pairs=(other_of.get(first, first), other_of.get(second, second))))
        sits_out = None if of.sits_out is None else other_of.get(of.sits_out, of.sits_out)
        self.rounds[-1] = replace(of, games=tuple(games), sits_out=sits_out)

    def game_at(self, number: int, table: int) -> tuple[Round, Game]:
        """Return a game and its round; raises `Refused` where there is none."""
        of = self.round(number)
        game = of.game(table) if of else None
        if of is None or game is None:
            raise refusal("", f"There is no table {table} in round {number}. Check the night again.")
        return of, game

    def refuse_unknown(self, pair: int) -> None:
        """Refuse a pair that never came."""
        if pair not in self.pairs:
            raise refusal("", "There is no such pair tonight.")

    def refuse_over(self) -> None:
        """Refuse what cannot be after the end."""
        if self.is_over:
            raise refusal("", "The night is over. Resume it, or agree on more rounds, first.")

    def refuse_one_more(self, field: str = "") -> None:
        """Refuse one pair too many."""
        if len(self.present) >= MOST_PAIRS:
            raise refusal(field, f"A night has room for {MOST_PAIRS} pairs.")

    def refuse_players(self, players: Sequence[str], besides: int | None = None) -> None:
        """Refuse names that cannot be told from those of another pair."""
        if not 1 <= len(players) <= MOST_IN_PAIR:
            raise refusal("players.0", f"1 to {MOST_IN_PAIR} play together.")
        faults: list[Fault] = []
        for place, player in enumerate(players):
            faults += name_faults(f"players.{place}", player)
        refuse_any(faults)
        if len(set(players)) != len(players):
            raise refusal("players.1", "Two players of a pair need different names. Add a letter to one.")
        name = NAMES_JOINED.join(players)
        if any(self.name(uid) == name for uid in self.present if uid != besides):
            raise refusal("players.0", f"{name} are here already. Add a letter to a name.")


def _places(of: Round) -> Iterator[tuple[int, tuple[int, bool]]]:
    for game in of.games:
        for pair in game.pairs:
            table = moves.next_table(game.table, won=pair == game.winner, top=of.top)
            stays = table == game.table and (of.top > 1 or pair == game.winner)
            yield pair, (table, not stays)
