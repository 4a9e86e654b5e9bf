"""The fold from a night's facts to the night.

A result that is corrected after everybody moved changes the list. The two pairs then also trade places, as long as
neither has begun to play where it sits now; what has been played since stays as it was played.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from scorekeeper.ladder import facts
from scorekeeper.ladder.facts import NightEvent, NightFact
from scorekeeper.ladder.night import Game, Night, Pair, Round
from scorekeeper.ledger.undo_history import UndoHistory

_KEPT = facts.NightDeleted | facts.NightRestored


def fold(events: Iterable[NightEvent], title: str = "", rounds: int = 1) -> Night:
    """Return the night that events, in order, come to, given its first name and number of rounds."""
    events = tuple(events)
    # An undo passes over these: it should never delete a night that was restored.
    kept = [event.fact for event in events if isinstance(event.fact, _KEPT)]
    history = UndoHistory(event for event in events if not isinstance(event.fact, _KEPT))
    builder = _Builder(title, rounds, is_deleted=bool(kept) and isinstance(kept[-1], facts.NightDeleted))
    for event in history.in_force:
        builder.add(event.seq, event.fact)
    return builder.night(events, history)


def trades_places(night: Night, number: int, table: int) -> tuple[Game | None, Game | None] | None:
    """Return where the two pairs of an earlier game sit now, if another winner there makes them trade places.

    `None` stands for sitting out. The answer is `None` where nobody would move.
    """
    return _trade(night.rounds, number, table)


def _trade(rounds: Iterable[Round], number: int, table: int) -> tuple[Game | None, Game | None] | None:
    rounds = list(rounds)
    if number != len(rounds) - 1:
        return None
    current, game = rounds[-1], rounds[number - 1].game(table)
    if game is None or game.winner is None:
        return None
    here = {*current.seated, current.sits_out}
    first, second = (current.game_of(pair) for pair in game.pairs)
    if not here.issuperset(game.pairs) or first == second:
        return None
    return None if any(it and it.has_begun for it in (first, second)) else (first, second)


@dataclass(slots=True)
class _Builder:
    """A night while its facts are being folded."""

    title: str
    agreed: int
    pairs: dict[int, Pair] = field(default_factory=dict)
    rounds: list[Round] = field(default_factory=list)
    was_ended: bool = False
    is_deleted: bool = False

    def add(self, seq: int, fact: NightFact) -> None:
        match fact:
            case facts.PairArrived(players=players):
                self.pairs[seq] = Pair(seq, players)
            case facts.PairRenamed(pair=pair, players=players):
                self.pairs[pair] = replace(self.pairs[pair], players=players)
            case facts.PairLeft(pair=pair):
                self._leave(pair)
            case facts.PairBack(pair=pair):
                self.pairs[pair] = replace(self.pairs[pair], has_left=False)
            case facts.NightStarted(tables=tables, sits_out=sits_out):
                self._begin(tables, sits_out)
            case facts.RoundStarted(sits_out=sits_out):
                self._begin(self._night().next_tables(sits_out), sits_out)
            case facts.RoundTakenBack():
                self.rounds.pop()
            case facts.GameWon():
                self._win(fact)
            case facts.MatchKept(round=number, table=table, match=match):
                self._change(number, table, match=match)
            case facts.RoundsAgreed(rounds=rounds):
                self.agreed = rounds
            case facts.NightRenamed(title=title):
                self.title = title
            case facts.NightEnded() | facts.NightResumed():
                self.was_ended = isinstance(fact, facts.NightEnded)

    def _begin(self, tables: Iterable[tuple[int, int]], sits_out: int | None) -> None:
        games = tuple(Game(table, pairs) for table, pairs in enumerate(tables, 1))
        self.rounds.append(Round(len(self.rounds) + 1, games, sits_out))

    def _leave(self, pair: int) -> None:
        self.pairs[pair] = replace(self.pairs[pair], has_left=True)
        if not self.rounds:
            return
        game = self.rounds[-1].game_of(pair)
        if game and game.winner is None:
            self._change(len(self.rounds), game.table, winner=game.other(pair), is_default=True, scores=None)

    def _win(self, fact: facts.GameWon) -> None:
        game = self.rounds[fact.round - 1].game(fact.table)
        is_other = game is not None and fact.winner not in (None, game.winner)
        trade = _trade(self.rounds, fact.round, fact.table) if is_other else None
        self._change(fact.round, fact.table, winner=fact.winner, is_default=False, scores=fact.scores)
        if trade and game:
            self._trade(*game.pairs)

    def _change(self, number: int, table: int, **values: int | bool | tuple[int, int] | None) -> None:
        of = self.rounds[number - 1]
        games = [replace(game, **values) if game.table == table else game for game in of.games]  # type: ignore[arg-type]
        self.rounds[number - 1] = replace(of, games=tuple(games))

    def _trade(self, one: int, other: int) -> None:
        other_of = {one: other, other: one}
        of = self.rounds[-1]
        games = [
            replace(it, pairs=(other_of.get(it.pairs[0], it.pairs[0]), other_of.get(it.pairs[1], it.pairs[1])))
            for it in of.games
        ]
        sits_out = None if of.sits_out is None else other_of.get(of.sits_out, of.sits_out)
        self.rounds[-1] = replace(of, games=tuple(games), sits_out=sits_out)

    def _night(self) -> Night:
        return self.night((), UndoHistory(()))

    def night(self, events: tuple[NightEvent, ...], history: "UndoHistory[NightEvent]") -> Night:
        return Night(
            events=events,
            title=self.title,
            agreed=self.agreed,
            pairs=dict(self.pairs),
            rounds=tuple(self.rounds),
            was_ended=self.was_ended,
            is_deleted=self.is_deleted,
            undo_next=history.in_force[-1] if history.in_force else None,
            redo_target=history.redoable[-1][0] if history.redoable else None,
            taken_back=frozenset(history.undone_by),
        )
