"""What can be written into a tournament night: each kind of fact with its role, its refusals, its effect and its words.

A pair is known by its uid: the `seq` of the event by which it came. Tables are numbered from 1, the lowest. What was
drawn by lot is part of the fact.
"""

from collections import Counter
from collections.abc import Callable, Mapping

from scorekeeper.engine.seats import NAMES_JOINED
from scorekeeper.ladder.limits import MOST_ROUNDS, MOST_SCORE
from scorekeeper.ladder.night import Night, Pair
from scorekeeper.ledger.fact_log import Event, Fact, Redone, Undone, fact
from scorekeeper.ledger.limits import remark_faults
from scorekeeper.ledger.refusals import refusal, refuse_any
from scorekeeper.ledger.roles import OWNER

NightChange = Fact | Callable[[Night], Fact]
"""A fact, or what makes one of the night as it stands: what is drawn by lot, or is to be undone."""


@fact("pair")
class PairArrived(Fact):
    """A pair came to play: before the start, or late."""

    players: tuple[str, ...]

    def is_new(self, night: Night) -> bool:
        night.refuse_over()
        night.refuse_players(self.players)
        night.refuse_one_more("players.0")
        return True

    def apply(self, night: Night, event: Event) -> None:
        night.pairs[event.seq] = Pair(event.seq, self.players)

    def words(self, night: Night) -> str:
        return f"{NAMES_JOINED.join(self.players)} came"


@fact("pair_name")
class PairRenamed(Fact):
    """The players of a pair have other names."""

    pair: int
    players: tuple[str, ...]

    def is_new(self, night: Night) -> bool:
        night.refuse_unknown(self.pair)
        night.refuse_players(self.players, self.pair)
        return night.pairs[self.pair].players != self.players

    def apply(self, night: Night, event: Event) -> None:
        night.change_pair(self.pair, players=self.players)

    def words(self, night: Night) -> str:
        return f"a pair is called {NAMES_JOINED.join(self.players)}"


@fact("left")
class PairLeft(Fact):
    """A pair went home; a game that it had not finished goes to the other pair."""

    pair: int

    def is_new(self, night: Night) -> bool:
        night.refuse_unknown(self.pair)
        night.refuse_over()
        return not night.pairs[self.pair].has_left

    def apply(self, night: Night, event: Event) -> None:
        night.change_pair(self.pair, has_left=True)
        game = night.current.game_of(self.pair) if night.current else None
        if game and game.winner is None:
            won = game.other(self.pair)
            night.change_game(len(night.rounds), game.table, winner=won, is_default=True, scores=None)

    def words(self, night: Night) -> str:
        return f"{night.name(self.pair)} left"


@fact("back")
class PairBack(Fact):
    """A pair that had left came back."""

    pair: int

    def is_new(self, night: Night) -> bool:
        night.refuse_unknown(self.pair)
        night.refuse_over()
        if not night.pairs[self.pair].has_left:
            return False
        night.refuse_players(night.pairs[self.pair].players, self.pair)
        night.refuse_one_more()
        return True

    def apply(self, night: Night, event: Event) -> None:
        night.change_pair(self.pair, has_left=False)

    def words(self, night: Night) -> str:
        return f"{night.name(self.pair)} came back"


@fact("start", OWNER)
class NightStarted(Fact):
    """The pairs sat down for the first round: as they were drawn, or as somebody placed them."""

    tables: tuple[tuple[int, int], ...]
    sits_out: int | None = None
    by_lot: bool = True

    def is_new(self, night: Night) -> bool:
        number = len(night.present)
        if night.rounds:
            raise refusal("", "Round 1 has started already. To draw again, undo it first.")
        if number < 2:
            raise refusal("", "Two pairs are the fewest. Add the others first.")
        if len(self.tables) != number // 2:
            raise refusal("", f"{number} pairs fill {number // 2} tables.")
        out = [] if self.sits_out is None else [self.sits_out]
        if Counter([*(pair for pairs in self.tables for pair in pairs), *out]) != Counter(night.present):
            raise refusal("", "Each pair sits at one table. Check who sits where.")
        return True

    def apply(self, night: Night, event: Event) -> None:
        night.seat(self.tables, self.sits_out)

    def words(self, night: Night) -> str:
        return "round 1 started"


@fact("won")
class GameWon(Fact):
    """A pair won at a table in a round; without a winner the result is taken away again."""

    round: int
    table: int
    winner: int | None = None
    match: int | None = None
    """The match whose verdict it is; `None` where somebody tapped it."""
    scores: tuple[int, int] | None = None
    """How it ended, in the order in which the pairs sit there; `None` where nobody said."""

    def is_new(self, night: Night) -> bool:
        (of, game), winner, table = night.game_at(self.round, self.table), self.winner, self.table
        if winner is not None and winner not in game.pairs:
            raise refusal("winner", f"That pair does not play at table {table}. Check who sits there.")
        if winner is None and of is not night.current:
            raise refusal("winner", f"Round {self.round} is over: somebody won at table {table}. Say who.")
        if winner is None and any(night.pairs[pair].has_left for pair in game.pairs):
            raise refusal("winner", "One of the two has left, so the other pair has won.")
        if winner is None and self.scores is not None:
            raise refusal("winner", "Say who won as well as the score.")
        if any(abs(score) > MOST_SCORE for score in self.scores or ()):
            raise refusal("", f"A score goes from −{MOST_SCORE} to {MOST_SCORE}.")
        return (game.winner, game.scores) != (winner, self.scores)

    def apply(self, night: Night, event: Event) -> None:
        game = night.rounds[self.round - 1].game(self.table)
        is_other = game is not None and self.winner not in (None, game.winner)
        trade = night.trade(self.round, self.table) if is_other else None
        night.change_game(self.round, self.table, winner=self.winner, is_default=False, scores=self.scores)
        if trade and game:
            night.swap(*game.pairs)

    def words(self, night: Night) -> str:
        if self.winner is None:
            return f"no result at table {self.table} in round {self.round}"
        return f"{night.name(self.winner)} won at table {self.table} in round {self.round}"


@fact("match")
class MatchKept(Fact):
    """A match is kept at a table in a round; its verdict will be the result."""

    round: int
    table: int
    match: int

    def is_new(self, night: Night) -> bool:
        of, game = night.game_at(self.round, self.table)
        night.refuse_over()
        if of is not night.current:
            raise refusal("", f"Round {self.round} is over.")
        if game.match is not None:
            raise refusal("", f"A match is kept at table {self.table} already. Open that one.")
        return True

    def apply(self, night: Night, event: Event) -> None:
        night.change_game(self.round, self.table, match=self.match)

    def words(self, night: Night) -> str:
        return f"a match is kept at table {self.table}"


@fact("round")
class RoundStarted(Fact):
    """Everybody moved, and a round began; who sits out was drawn."""

    round: int
    sits_out: int | None = None

    def is_new(self, night: Night) -> bool:
        current = night.current
        if current is None:
            raise refusal("", "Seat the pairs for round 1 first.")
        if self.round == current.number:
            return False
        if self.round != current.number + 1:
            raise refusal("", f"Round {current.number + 1} is next.")
        night.refuse_over()
        if not current.is_done:
            tables = ", ".join(str(game.table) for game in current.playing)
            raise refusal("", f"Still playing at table {tables}. Say who won there first.")
        if len(night.present) < 2:
            raise refusal("", "Two pairs are the fewest. Add another, or end the night.")
        if (self.sits_out is None) != (not night.may_sit_out) or self.sits_out not in (None, *night.may_sit_out):
            raise refusal("", "Who sits out has changed. Start the round again.")
        return True

    def apply(self, night: Night, event: Event) -> None:
        night.seat(night.next_tables(self.sits_out), self.sits_out)

    def words(self, night: Night) -> str:
        return f"round {self.round} started"


@fact("taken_back", OWNER)
class RoundTakenBack(Fact):
    """The last round was taken back, with all that was played in it."""

    round: int

    def is_new(self, night: Night) -> bool:
        if night.current is None or night.current.number != self.round:
            raise refusal("", "Only the last round can be undone. Check the night again.")
        if night.was_ended:
            raise refusal("", "The night has ended. Resume it first.")
        return True

    def apply(self, night: Night, event: Event) -> None:
        night.rounds.pop()

    def words(self, night: Night) -> str:
        return f"round {self.round} was undone"


@fact("rounds", OWNER)
class RoundsAgreed(Fact):
    """The night has another number of rounds."""

    rounds: int

    def is_new(self, night: Night) -> bool:
        fewest = max(1, len(night.rounds))
        if not fewest <= self.rounds <= MOST_ROUNDS:
            raise refusal("rounds", f"A night has {fewest} to {MOST_ROUNDS} rounds from here on.")
        return night.agreed != self.rounds

    def apply(self, night: Night, event: Event) -> None:
        night.agreed = self.rounds

    def words(self, night: Night) -> str:
        return f"the night has {self.rounds} round{'' if self.rounds == 1 else 's'}"


@fact("title", OWNER)
class NightRenamed(Fact):
    """The night has another name."""

    title: str

    def is_new(self, night: Night) -> bool:
        refuse_any(remark_faults(self.title))
        return night.title != self.title

    def apply(self, night: Night, event: Event) -> None:
        night.title = self.title

    def words(self, night: Night) -> str:
        return "the night has another name"


@fact("end", OWNER)
class NightEnded(Fact):
    """The night ended before its last round did."""

    def is_new(self, night: Night) -> bool:
        if not night.rounds:
            raise refusal("", "The night has not started yet.")
        return not night.is_over

    def apply(self, night: Night, event: Event) -> None:
        night.was_ended = True

    def words(self, night: Night) -> str:
        return "the night ended early"


@fact("resume", OWNER)
class NightResumed(Fact):
    """The night goes on after all."""

    def is_new(self, night: Night) -> bool:
        return night.was_ended

    def apply(self, night: Night, event: Event) -> None:
        night.was_ended = False

    def words(self, night: Night) -> str:
        return "the night goes on"


@fact("deleted", OWNER)
class NightDeleted(Fact):
    """The night was deleted."""

    def is_new(self, night: Night) -> bool:
        return not night.is_deleted

    @property
    def is_undoable(self) -> bool:
        return False  # an undo passes over it: it should never delete a night that was restored

    def apply(self, night: Night, event: Event) -> None:
        night.is_deleted = True


@fact("restored", OWNER)
class NightRestored(Fact):
    """A night that was deleted was restored."""

    def is_new(self, night: Night) -> bool:
        return night.is_deleted

    @property
    def is_undoable(self) -> bool:
        return False

    def apply(self, night: Night, event: Event) -> None:
        night.is_deleted = False


NIGHT_FACTS: Mapping[str, type[Fact]] = {
    it.kind: it
    for it in (
        *(PairArrived, PairRenamed, PairLeft, PairBack, NightStarted, GameWon, MatchKept, RoundStarted),
        *(RoundTakenBack, RoundsAgreed, NightRenamed, NightEnded, NightResumed, NightDeleted, NightRestored),
        *(Undone, Redone),
    )
}
"""Every kind of fact, by what it is stored as."""
