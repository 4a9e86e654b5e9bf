"""The events of a ladder night: who may write each kind, when it is refused, and what it changes.

Tables are numbered from 1, the lowest. The uid of an entrant is the `seq` of its `EntrantArrived`; the field `pair` of
an event has such a uid, or that of a side. Events store what was drawn by lot.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from scorekeeper.club.nights.night import (
    MAX_NIGHT_EVENTS,
    MAX_ROUNDS,
    MAX_SCORE,
    PAIRS,
    Entrant,
    Night,
    NightPlanned,
)
from scorekeeper.eventlog.stream import (
    OWNER,
    WATCHER,
    Event,
    Redone,
    StoredEvent,
    Undone,
    event_kind,
    refusal,
    refuse_any,
)
from scorekeeper.pitch.rules.entered_text import remark_faults

NightChange = Event | Callable[[Night], Event | Iterable[Event]]
"""An event, or a function that makes one or more events for the latest version of a night, for example by lot."""


@event_kind("pair")
class EntrantArrived(Event):
    """An `Entrant` joined the night, before the start or later."""

    players: tuple[str, ...]

    def changes_anything(self, night: Night) -> bool:
        night.refuse_after_end()
        night.refuse_invalid_players(self.players)
        night.refuse_if_full("players.0")
        return True

    def apply(self, night: Night, event: StoredEvent) -> None:
        night.entrants[event.seq] = Entrant(event.seq, self.players)


@event_kind("pair_name")
class EntrantRenamed(Event):
    """The players of an entrant got other names, or a player was added or removed."""

    pair: int
    players: tuple[str, ...]

    def changes_anything(self, night: Night) -> bool:
        entrant = night.entrant_or_refuse(self.pair)
        night.refuse_invalid_players(self.players, self.pair)
        return entrant.players != self.players

    def apply(self, night: Night, event: StoredEvent) -> None:
        night.entrants[self.pair] = replace(night.entrants[self.pair], players=self.players)


@event_kind("left")
class EntrantLeft(Event):
    """An entrant went home. If its game had no result yet, the other side wins the game."""

    pair: int

    def changes_anything(self, night: Night) -> bool:
        entrant = night.entrant_or_refuse(self.pair)
        night.refuse_after_end()
        return not entrant.has_left

    def apply(self, night: Night, event: StoredEvent) -> None:
        night.entrants[self.pair] = replace(night.entrants[self.pair], has_left=True)
        round_ = night.current_round
        if (game := round_.game_of(self.pair)) and game.winner is None:
            winner = game.opponent_of(round_.side_of(self.pair))
            night.replace_game(round_.number, replace(game, winner=winner, is_won_by_default=True, scores=None))


@event_kind("removed")
class EntrantRemoved(Event):
    """An entrant that had neither played nor sat out was removed, for example because its name was mistyped."""

    pair: int

    def changes_anything(self, night: Night) -> bool:
        entrant = night.entrant_or_refuse(self.pair)
        if entrant.uid in night.uids_in_any_round:  # what it played stays in the list
            raise refusal("", f"{entrant.name} sat down already tonight. Tap “Leave for tonight” instead.")
        return True

    def apply(self, night: Night, event: StoredEvent) -> None:
        del night.entrants[self.pair]


@event_kind("back")
class EntrantReturned(Event):
    """An entrant that had left came back. The game that it lost by leaving stays lost."""

    pair: int

    def changes_anything(self, night: Night) -> bool:
        entrant = night.entrant_or_refuse(self.pair)
        night.refuse_after_end()
        if not entrant.has_left:
            return False
        night.refuse_invalid_players(entrant.players, entrant.uid)
        night.refuse_if_full()
        return True

    def apply(self, night: Night, event: StoredEvent) -> None:
        night.entrants[self.pair] = replace(night.entrants[self.pair], has_left=False)


@event_kind("start", OWNER)
class NightStarted(Event):
    """The first round started, in the mode `PAIRS`: the entrants were seated by lot or by the host."""

    tables: tuple[tuple[int, int], ...]
    """The uids of the two entrants at each table, the lowest table first."""
    sits_out: int | None = None
    """The uid of the entrant that sits out; `None` if none does."""
    by_lot: bool = True

    def changes_anything(self, night: Night) -> bool:
        night.refuse_unready_start()
        uids = (uid for table in (*self.tables, [self.sits_out]) for uid in table)
        if Counter(filter(None, uids)) != Counter(night.present_uids):
            raise refusal("", f"Each {night.entrant_noun} sits at one table. Check who sits where.")
        return True

    def apply(self, night: Night, event: StoredEvent) -> None:
        night.append_round(self.tables, [self.sits_out], event.at)


@event_kind("won")
class GameWon(Event):
    """The result of the game at a table was entered or, if `winner` is `None`, cleared.

    Another winner of an earlier game may make its two sides trade places: see `Night.games_to_trade`.
    """

    round: int
    table: int
    winner: int | None = None
    match: int | None = None
    """The id of the match that gave or cleared the result; `None` if somebody entered it."""
    scores: tuple[int, int] | None = None
    """The scores, in the order of the game's sides; `None` if none were entered."""
    late: bool | None = None
    """`True` if nobody trades places: a match gave the result after the round, or phones have entered newer results."""

    def changes_anything(self, night: Night) -> bool:
        game, winner, table = night.game_or_refuse(self.round, self.table), self.winner, self.table
        if winner is not None and winner not in game.sides:
            raise refusal("winner", f"That {night.side_noun} does not play at table {table}. Check who sits there.")
        if winner is None and self.round != len(night.rounds):
            raise refusal("winner", f"Round {self.round} is over: somebody won at table {table}. Say who.")
        if winner is None and any(map(night.has_left, game.sides)):
            raise refusal("winner", "One of the two has left, so the other pair has won.")
        if winner is None and self.scores is not None:
            raise refusal("winner", "Say who won as well as the score.")
        if any(abs(score) > MAX_SCORE for score in self.scores or ()):
            raise refusal("", f"A score goes from −{MAX_SCORE} to {MAX_SCORE}.")
        return (game.winner, game.scores) != (winner, self.scores)

    def apply(self, night: Night, event: StoredEvent) -> None:
        game = night.game_or_refuse(self.round, self.table)
        is_new_winner = self.winner not in (None, game.winner)
        if is_new_winner and not self.late and night.games_to_trade(self.round, self.table):
            night.swap_entrants(*game.sides)
        game = replace(
            game,
            winner=self.winner,
            scores=self.scores,
            has_late_result=bool(self.late and self.match),
            is_won_by_default=False,
            reports_by_side={},
        )
        night.replace_game(self.round, game)


@event_kind("match")
class MatchKept(Event):
    """A match was started in which the score of a game is kept. A side that wins the match wins the game."""

    round: int
    table: int
    match: int

    def changes_anything(self, night: Night) -> bool:
        game = night.game_or_refuse(self.round, self.table)
        night.refuse_after_end()
        if self.round != len(night.rounds) or game.match_id is not None:
            raise refusal("", f"No match can be kept at table {self.table} in round {self.round}.")
        return True

    def apply(self, night: Night, event: StoredEvent) -> None:
        night.replace_game(self.round, replace(night.game_or_refuse(self.round, self.table), match_id=self.match))


@event_kind("round")
class RoundStarted(Event):
    """The next round started, in the mode `PAIRS`: entrants moved on the ladder, and any bye was drawn."""

    round: int
    sits_out: int | None = None
    """The uid of the entrant that sits out; `None` if none does."""

    def changes_anything(self, night: Night) -> bool:
        if not night.is_next_round(self.round):
            return False
        if self.sits_out not in (night.bye_candidates or (None,)):
            raise refusal("", "Who sits out has changed. Start the round again.")
        return True

    def apply(self, night: Night, event: StoredEvent) -> None:
        night.append_round(night.next_tables(self.sits_out), [self.sits_out], event.at)


@event_kind("drawn")
class PartnersDrawn(Event):
    """The first or the next round started, with partners drawn by lot."""

    round: int
    partners: tuple[tuple[tuple[int, int], tuple[int, int]], ...]
    """The two pairs of partners at each table, as the uids of entrants, the lowest table first."""
    out: tuple[int, ...] = ()
    """The uids of the entrants that sit out."""

    def changes_anything(self, night: Night) -> bool:
        if self.round == 1:
            night.refuse_unready_start()
        elif not night.is_next_round(self.round):
            return False
        uids = [uid for pairs in self.partners for pair in pairs for uid in pair]
        if night.plan.mode == PAIRS or Counter([*uids, *self.out]) != Counter(night.present_uids) or not uids:
            raise refusal("", "Who plays has changed. Start the round again.")
        return True

    def apply(self, night: Night, event: StoredEvent) -> None:
        pairs = (pair for pairs in self.partners for pair in pairs)
        partners_by_pair = dict(enumerate(pairs, MAX_NIGHT_EVENTS + 100 * event.seq))
        pair_uids = [*partners_by_pair]
        night.append_round(zip(pair_uids[::2], pair_uids[1::2], strict=True), self.out, event.at, partners_by_pair)


@event_kind("said", WATCHER)
class ResultReported(Event):
    """A side entered the winner of its game on its own phone. The winner counts once both sides enter the same."""

    round: int
    table: int
    pair: int
    """The uid of the side that entered the winner."""
    winner: int
    phone: int
    """The id of the phone's link."""

    def changes_anything(self, night: Night) -> bool:
        game = night.game_or_refuse(self.round, self.table)
        if not night.plan.confirms:
            raise refusal("", "The host writes who won.")
        if self.round != len(night.rounds) or game.winner is not None:
            raise refusal("", f"Table {self.table} has its result. Ask the host if it is wrong.")
        if self.pair not in game.sides or self.winner not in game.sides:
            raise refusal("", f"That {night.side_noun} does not play at table {self.table}. Check who sits there.")
        if (other_report := game.reports_by_side.get(game.opponent_of(self.pair))) and other_report[1] == self.phone:
            advice = f"Each {night.side_noun} says it on a phone of its own."
            raise refusal("", f"This phone has said so for the others. {advice}")
        return game.reports_by_side.get(self.pair) != (self.winner, self.phone)

    def apply(self, night: Night, event: StoredEvent) -> None:
        game = night.game_or_refuse(self.round, self.table)
        reports = {**game.reports_by_side, self.pair: (self.winner, self.phone)}
        is_agreed = len(reports) == 2 and len({winner for winner, _ in reports.values()}) == 1
        winner = self.winner if is_agreed and game.winner is None else game.winner
        night.replace_game(self.round, replace(game, reports_by_side=reports, winner=winner))


@event_kind("taken_back", OWNER)
class RoundTakenBack(Event):
    """The last round was taken back, with all its results."""

    round: int

    def changes_anything(self, night: Night) -> bool:
        if not 0 < self.round == night.current_round.number:
            raise refusal("", "Only the last round can be undone. Check the night again.")
        if night.was_ended_early:
            raise refusal("", "The night has ended. Resume it first.")
        return True

    def apply(self, night: Night, event: StoredEvent) -> None:
        night.rounds.pop()
        for game in night.current_round.games:  # a late result moves its sides once this round is started again
            night.replace_game(self.round - 1, replace(game, has_late_result=False))


@event_kind("rounds", OWNER)
class RoundsAgreed(Event):
    """The agreed number of rounds changed."""

    rounds: int

    def changes_anything(self, night: Night) -> bool:
        min_rounds = max(1, len(night.rounds))
        if not min_rounds <= self.rounds <= MAX_ROUNDS:
            raise refusal("rounds", f"A night has {min_rounds} to {MAX_ROUNDS} rounds from here on.")
        return night.agreed_round_count != self.rounds

    def apply(self, night: Night, event: StoredEvent) -> None:
        night.agreed_round_count = self.rounds


@event_kind("title", OWNER)
class NightRenamed(Event):
    """The night got another title."""

    title: str

    def changes_anything(self, night: Night) -> bool:
        refuse_any(remark_faults(self.title))
        return night.title != self.title

    def apply(self, night: Night, event: StoredEvent) -> None:
        night.title = self.title


@event_kind("end", OWNER)
class NightEnded(Event):
    """The host ended the night before its last round was over."""

    def changes_anything(self, night: Night) -> bool:
        if not night.rounds:
            raise refusal("", "The night has not started yet.")
        return not night.is_over

    def apply(self, night: Night, event: StoredEvent) -> None:
        night.was_ended_early = True


@event_kind("resume", OWNER)
class NightResumed(Event):
    """A night that was ended early goes on."""

    def changes_anything(self, night: Night) -> bool:
        return night.was_ended_early

    def apply(self, night: Night, event: StoredEvent) -> None:
        night.was_ended_early = False


@event_kind("deleted", OWNER)
class NightDeleted(Event):
    """The night was deleted."""

    is_undoable = False  # an undo of `NightRestored` would delete the night

    def changes_anything(self, night: Night) -> bool:
        return not night.is_deleted

    def apply(self, night: Night, event: StoredEvent) -> None:
        night.is_deleted = True


@event_kind("restored", OWNER)
class NightRestored(Event):
    """A night that was deleted was restored."""

    is_undoable = False

    def changes_anything(self, night: Night) -> bool:
        return night.is_deleted

    def apply(self, night: Night, event: StoredEvent) -> None:
        night.is_deleted = False


NIGHT_EVENT_KINDS: Mapping[str, type[Event]] = {
    event_class.kind: event_class
    for event_class in (
        *(EntrantArrived, EntrantRenamed, EntrantLeft, EntrantReturned, NightStarted, GameWon, MatchKept, RoundStarted),
        *(RoundTakenBack, RoundsAgreed, NightRenamed, NightEnded, NightResumed, NightDeleted, NightRestored),
        *(Undone, Redone, EntrantRemoved, PartnersDrawn, ResultReported, NightPlanned),
    )
}
"""The class of every kind of event of a night, keyed by the kind's name in the database."""
