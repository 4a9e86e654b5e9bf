"""A tournament night as it stands: its pairs, its rounds, and who has won."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from scorekeeper.engine.seats import NAMES_JOINED
from scorekeeper.ladder import moves
from scorekeeper.ladder.facts import NightEvent


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


@dataclass(frozen=True)
class Night:
    """What a night's facts come to."""

    events: tuple[NightEvent, ...]
    title: str
    agreed: int
    """How many rounds were agreed."""
    pairs: Mapping[int, Pair]
    """Every pair that came, by its uid, in the order in which they came."""
    rounds: tuple[Round, ...]
    was_ended: bool
    """Whether somebody ended it early."""
    is_deleted: bool
    undo_next: NightEvent | None
    redo_target: int | None
    taken_back: frozenset[int]
    """The facts that are no longer in force, for somebody undid them."""

    @property
    def version(self) -> int:
        """The last event's place; 0 where nothing has happened."""
        return self.events[-1].seq if self.events else 0

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
        """Return the name of a pair; raises `KeyError` where there is none."""
        return self.pairs[uid].name

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

    @cached_property
    def byes(self) -> Mapping[int, int]:
        """How often each pair sat out, without those that never did."""
        return Counter(it.sits_out for it in self.rounds if it.sits_out is not None)

    @cached_property
    def _places(self) -> dict[int, tuple[int, bool]]:
        """The table that each pair goes to next, and whether it arrives there; only of those that are still there."""
        return dict(_places(self.current)) if self.current else {}

    @cached_property
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


def _places(of: Round) -> Iterator[tuple[int, tuple[int, bool]]]:
    for game in of.games:
        for pair in game.pairs:
            table = moves.next_table(game.table, won=pair == game.winner, top=of.top)
            stays = table == game.table and (of.top > 1 or pair == game.winner)
            yield pair, (table, not stays)
