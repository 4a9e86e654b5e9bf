"""What somebody may want to write into a night, and whether there is anything to write.

A change looks at the night as it stands and returns the fact to write, or `None` where it stands so already. Where it
cannot be, it raises `Refused`. What was drawn by lot is handed in.
"""

from collections import Counter
from collections.abc import Callable, Sequence

from scorekeeper.engine.seats import NAMES_JOINED
from scorekeeper.ladder import facts
from scorekeeper.ladder.facts import NightFact
from scorekeeper.ladder.limits import MOST_IN_PAIR, MOST_PAIRS, MOST_ROUNDS, MOST_SCORE
from scorekeeper.ladder.night import Game, Night, Round
from scorekeeper.ledger.facts import Redone, Undone
from scorekeeper.ledger.limits import name_faults, remark_faults
from scorekeeper.ledger.refusals import refusal, refuse_any
from scorekeeper.rules.faults import Fault

NightChange = Callable[[Night], NightFact | None]


def arriving(players: Sequence[str]) -> NightChange:
    """Add a pair: before the start, or late, to play from the next round on."""

    def change(night: Night) -> NightFact:
        _refuse_over(night)
        _refuse_players(night, players)
        if len(night.present) >= MOST_PAIRS:
            raise refusal("players.0", "too_many", f"A night has room for {MOST_PAIRS} pairs.")
        return facts.PairArrived(players=tuple(players))

    return change


def renaming_pair(pair: int, players: Sequence[str]) -> NightChange:
    """Name the players of a pair otherwise."""

    def change(night: Night) -> NightFact | None:
        _refuse_unknown(night, pair)
        _refuse_players(night, players, pair)
        is_so = night.pairs[pair].players == tuple(players)
        return None if is_so else facts.PairRenamed(pair=pair, players=tuple(players))

    return change


def leaving(pair: int) -> NightChange:
    """Let a pair go home."""

    def change(night: Night) -> NightFact | None:
        _refuse_unknown(night, pair)
        _refuse_over(night)
        return None if night.pairs[pair].has_left else facts.PairLeft(pair=pair)

    return change


def coming_back(pair: int) -> NightChange:
    """Let a pair that left play again, from the next round on."""

    def change(night: Night) -> NightFact | None:
        _refuse_unknown(night, pair)
        _refuse_over(night)
        if not night.pairs[pair].has_left:
            return None
        _refuse_players(night, night.pairs[pair].players, pair)
        if len(night.present) >= MOST_PAIRS:
            raise refusal("", "too_many", f"A night has room for {MOST_PAIRS} pairs.")
        return facts.PairBack(pair=pair)

    return change


def starting(tables: Sequence[tuple[int, int]], sits_out: int | None, *, by_lot: bool) -> NightChange:
    """Seat everybody for the first round, the lowest table first."""

    def change(night: Night) -> NightFact:
        if night.rounds:
            raise refusal("", "started", "Round 1 has started already. To draw again, undo it first.")
        if len(night.present) < 2:
            raise refusal("", "too_few", "Two pairs are the fewest. Add the others first.")
        if len(tables) != len(night.present) // 2:
            raise refusal("", "tables", f"{len(night.present)} pairs fill {len(night.present) // 2} tables.")
        seated = Counter([*(pair for pairs in tables for pair in pairs), *([] if sits_out is None else [sits_out])])
        if seated != Counter(night.present):
            raise refusal("", "seated", "Each pair sits at one table. Check who sits where.")
        return facts.NightStarted(tables=tuple(tables), sits_out=sits_out, by_lot=by_lot)

    return change


def winning(
    number: int, table: int, winner: int | None, match: int | None = None, scores: tuple[int, int] | None = None
) -> NightChange:
    """Return what says who won at a table in a round, and how it ended; in the current one also that nobody has yet."""

    def change(night: Night) -> NightFact | None:
        of, game = _game(night, number, table)
        if winner is not None and winner not in game.pairs:
            raise refusal("winner", "not_there", f"That pair does not play at table {table}. Check who sits there.")
        if winner is None and of is not night.current:
            raise refusal("winner", "needed", f"Round {number} is over: somebody won at table {table}. Say who.")
        if winner is None and any(night.pairs[pair].has_left for pair in game.pairs):
            raise refusal("winner", "left", "One of the two has left, so the other pair has won.")
        if winner is None and scores is not None:
            raise refusal("winner", "needed", "Say who won as well as the score.")
        if any(abs(score) > MOST_SCORE for score in scores or ()):
            raise refusal("", "score", f"A score goes from −{MOST_SCORE} to {MOST_SCORE}.")
        if (game.winner, game.scores) == (winner, scores):
            return None
        return facts.GameWon(round=number, table=table, winner=winner, match=match, scores=scores)

    return change


def keeping_match(number: int, table: int, match: int) -> NightChange:
    """Let a match that is kept at a table say who won there."""

    def change(night: Night) -> NightFact | None:
        of, game = _game(night, number, table)
        _refuse_over(night)
        if of is not night.current:
            raise refusal("", "over", f"Round {number} is over.")
        if game.match is not None:
            raise refusal("", "kept", f"A match is kept at table {table} already. Open that one.")
        return facts.MatchKept(round=number, table=table, match=match)

    return change


def starting_round(number: int, sits_out: int | None) -> NightChange:
    """Let everybody move, and start the next round."""

    def change(night: Night) -> NightFact | None:
        current = night.current
        if current is None:
            raise refusal("", "not_started", "Seat the pairs for round 1 first.")
        if number == current.number:
            return None
        if number != current.number + 1:
            raise refusal("", "not_next", f"Round {current.number + 1} is next.")
        _refuse_over(night)
        if not current.is_done:
            tables = ", ".join(str(game.table) for game in current.playing)
            raise refusal("", "playing", f"Still playing at table {tables}. Say who won there first.")
        if len(night.present) < 2:
            raise refusal("", "too_few", "Two pairs are the fewest. Add another, or end the night.")
        if (sits_out is None) != (not night.may_sit_out) or sits_out not in (None, *night.may_sit_out):
            raise refusal("", "sits_out", "Who sits out has changed. Start the round again.")
        return facts.RoundStarted(round=number, sits_out=sits_out)

    return change


def taking_back_round(number: int) -> NightChange:
    """Take back the last round that was started, with its results."""

    def change(night: Night) -> NightFact:
        if night.current is None or night.current.number != number:
            raise refusal("", "not_the_last", "Only the last round can be undone. Check the night again.")
        if night.was_ended:
            raise refusal("", "over", "The night has ended. Resume it first.")
        return facts.RoundTakenBack(round=number)

    return change


def agreeing_rounds(rounds: int) -> NightChange:
    """Agree on another number of rounds."""

    def change(night: Night) -> NightFact | None:
        fewest = max(1, len(night.rounds))
        if not fewest <= rounds <= MOST_ROUNDS:
            raise refusal("rounds", "rounds", f"A night has {fewest} to {MOST_ROUNDS} rounds from here on.")
        return None if night.agreed == rounds else facts.RoundsAgreed(rounds=rounds)

    return change


def renaming_night(title: str) -> NightChange:
    """Name the night otherwise."""

    def change(night: Night) -> NightFact | None:
        refuse_any(remark_faults(title))
        return None if night.title == title else facts.NightRenamed(title=title)

    return change


def ending() -> NightChange:
    """End the night early."""

    def change(night: Night) -> NightFact | None:
        if not night.rounds:
            raise refusal("", "not_started", "The night has not started yet.")
        return None if night.is_over else facts.NightEnded()

    return change


def resuming() -> NightChange:
    """Go on after the night was ended early."""
    return lambda night: facts.NightResumed() if night.was_ended else None


def deleting() -> NightChange:
    """Delete the night; it can be restored."""
    return lambda night: None if night.is_deleted else facts.NightDeleted()


def restoring() -> NightChange:
    """Restore the night after it was deleted."""
    return lambda night: facts.NightRestored() if night.is_deleted else None


def undoing(target: int | None = None) -> NightChange:
    """Undo the last fact; with `target` only if it is that one."""

    def change(night: Night) -> NightFact:
        if night.undo_next is None:
            raise refusal("", "nothing_to_undo", "There is nothing to undo.")
        if target is not None and target != night.undo_next.seq:
            raise refusal("", "not_the_last", "Something else changed after that. Check the night again.")
        return Undone(target=night.undo_next.seq)

    return change


def redoing() -> NightChange:
    """Redo what the last undo undid."""

    def change(night: Night) -> NightFact:
        if night.redo_target is None:
            raise refusal("", "nothing_to_redo", "There is nothing to redo.")
        return Redone(target=night.redo_target)

    return change


def _game(night: Night, number: int, table: int) -> tuple[Round, Game]:
    of = night.round(number)
    game = of.game(table) if of else None
    if of is None or game is None:
        raise refusal("", "no_game", f"There is no table {table} in round {number}. Check the night again.")
    return of, game


def _refuse_unknown(night: Night, pair: int) -> None:
    if pair not in night.pairs:
        raise refusal("", "no_pair", "There is no such pair tonight.")


def _refuse_over(night: Night) -> None:
    if night.is_over:
        raise refusal("", "over", "The night is over. Resume it, or agree on more rounds, first.")


def _refuse_players(night: Night, players: Sequence[str], besides: int | None = None) -> None:
    if not 1 <= len(players) <= MOST_IN_PAIR:
        raise refusal("players.0", "how_many", f"1 to {MOST_IN_PAIR} play together.")
    faults: list[Fault] = []
    for place, player in enumerate(players):
        faults += name_faults(f"players.{place}", player)
    refuse_any(faults)
    if len(set(players)) != len(players):
        raise refusal("players.1", "same_name", "Two players of a pair need different names. Add a letter to one.")
    name = NAMES_JOINED.join(players)
    if any(night.name(uid) == name for uid in night.present if uid != besides):
        raise refusal("players.0", "same_name", f"{name} are here already. Add a letter to a name.")
