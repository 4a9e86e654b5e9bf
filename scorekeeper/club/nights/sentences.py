"""Sentences about a ladder night: where each side goes or came from, how the night ended, and the last change."""

from dataclasses import dataclass
from typing import Literal

from scorekeeper.club.nights import events
from scorekeeper.club.nights.night import BY_LADDER, BY_POINTS, BY_WINS, PROGRESSIVE, Game, Night
from scorekeeper.club.nights.table_moves import next_table
from scorekeeper.eventlog.stream import Event, Redone, Undone, redo_event
from scorekeeper.pitch.rules.phrases import digits, join_words
from scorekeeper.pitch.scoring.seats import NAME_SEPARATOR
from scorekeeper.pitch.text.phrases import name_with_verb, score_text, verb_for_name

RANKING_LABELS = {BY_LADDER: "last game at the top table", BY_WINS: "wins, then points", BY_POINTS: "points, then wins"}
Direction = Literal["up", "down", "stays", ""]
"""The direction in which a side moves on the ladder, shown as an arrow; empty for no arrow."""


@dataclass(frozen=True, slots=True)
class Movement:
    """How a side moves to or from its game, or whether it won or left: in words, and as an arrow."""

    direction: Direction
    text: str
    """"up to table 4", "stay", "came from table 1", "won"; may be empty."""
    short_text: str = ""
    """A shorter text: "up to 4"; empty without one."""


@dataclass(frozen=True, slots=True)
class NightHeading:
    """The lines that head the pages and printed sheets of a night."""

    title: str
    round_text: str
    """"Round 3 of 6"; before the first round "6 rounds"."""
    champion_text: str
    """Who has won the night: "Ann & Cal win the night". Empty as long as nobody has."""
    correction_text: str
    """Sentences on the last event if it is a correction, an undo or a redo; else empty."""


def night_heading(night: Night) -> NightHeading:
    return NightHeading(night_title(night), round_words(night), champion_words(night), latest_correction_words(night))


def movements_by_side(night: Night) -> dict[int, Movement]:
    """Return how each seated side moves after its game or, before the result, how it came to the game; keyed by uid."""
    follows_ladder = night.follows_ladder
    return {
        side: _movement(night, game, side, follows_ladder=follows_ladder)
        for game in night.current_round.games
        for side in game.sides
    }


def _movement(night: Night, game: Game, side: int, *, follows_ladder: bool) -> Movement:
    """Return how a side moves after its game or, before the result, how it came to its game.

    If no next table follows, the text only says whether the side won, lost or left.
    """
    round_ = night.current_round
    if game.winner is None:
        return _movement_to_game(night, game, side)
    has_won, name = side == game.winner, night.name(side)
    if night.is_last_round or not night.has_ladder:
        is_champion = has_won and game.table == round_.top_table and night.plan.ranking == BY_LADDER
        winner_text = f"{verb_for_name(name, 'win')} the night" if is_champion else "won"
        return Movement("up" if is_champion else "", winner_text if has_won else "lost")
    if all(map(night.has_left, night.entrant_uids(side))):
        return Movement("", "left")
    table = next_table(game.table, won=has_won, top_table=round_.top_table)
    if table == game.table:
        stay_text = verb_for_name(name, "stay")
        return Movement("stays", f"{stay_text} on top" if has_won else stay_text, stay_text)
    direction: Direction = "up" if table > game.table else "down"
    # Where others come, leave or sit out, the ladder does not say at which table: the note about the next round does.
    if not follows_ladder:
        return Movement(direction, "up a table" if direction == "up" else "down to the low end")
    return Movement(direction, f"{direction} to table {table}", f"{direction} to {table}")


def _movement_to_game(night: Night, game: Game, side: int) -> Movement:
    """Return how a side came to its game in the current round; without words in round 1 and for a drawn pair."""
    previous = night.round_by_number(night.current_round.number - 1)
    if not previous.number or night.current_round.partners_by_pair:
        return Movement("", "")
    if (previous_game := previous.game_of(side)) is None:
        return Movement("", "sat out last round" if side in previous.sitting_out_uids else "did not play last round")
    if previous_game.table == game.table:
        return Movement("stays", "stayed here")
    return Movement("", f"came from table {previous_game.table}")


def round_words(night: Night) -> str:
    """Return the number of the current round in words: "Round 3 of 6"; before the first round "6 rounds".

    For a night that cannot be read, return "Scorekeeper can’t read it".
    """
    if night.is_unreadable:
        return "Scorekeeper can’t read it"
    round_count = night.agreed_round_count
    return f"Round {night.current_round.number} of {round_count}" if night.rounds else digits(round_count, "round")


def night_title(night: Night) -> str:
    """Return the title of the night; "Ladder night" without one."""
    return night.title or "Ladder night"


def sitting_out_notes(night: Night) -> dict[int, str]:
    """Return a note on each entrant that sits out: "out this round, back at table 1", or "left"; keyed by uid."""
    is_back_at_table_1 = night.has_ladder and not night.is_last_round
    note = "out this round, back at table 1" if is_back_at_table_1 else "out this round"
    return {uid: "left" if night.has_left(uid) else note for uid in night.current_round.sitting_out_uids}


def champion_words(night: Night) -> str:
    """Return in words who has won the night: "Ann & Cal win the night". Empty as long as nobody has."""
    names = [night.name(uid) for uid in night.champion_uids]
    if len(names) > 1 and night.plan.ranking != BY_LADDER:
        return f"{join_words(names)} tie for first"
    joined_names = NAME_SEPARATOR.join(names)
    return f"{name_with_verb(joined_names, 'win')} the night" if names else ""


def ranking_words(night: Night) -> str:
    """Return one or two sentences on how the standings of a night are ranked."""
    if night.plan.ranking == BY_LADDER:
        return "By the table where they played last, from the top; winners first."
    return f"By {RANKING_LABELS[night.plan.ranking]}. Those who tie share a place."


def fee_and_prize_lines(night: Night) -> list[str]:
    """Return a line for the entry fee and one for the prizes, as far as the host entered them: ["Entry fee: $5"]."""
    return [
        f"{label}: {text}" for label, text in (("Entry fee", night.plan.fee), ("Prizes", night.plan.prizes)) if text
    ]


def moving_rule_words(night: Night) -> str:
    """Return one to three sentences on how sides move between rounds: "Winners go up a table. Losers stay."."""
    if not night.has_ladder:
        return "New partners are drawn each round."
    return f"Winners go up a table. Losers stay.{' Partners part.' if night.plan.mode == PROGRESSIVE else ''}"


def winning_words(night: Night) -> str:
    """Return one or two sentences on how the night is won and, on a ladder, on what follows a loss at the top table."""
    top_table_sentence = "Lose at the top, and you start again at table 1. " if night.has_ladder else ""
    ranking = night.plan.ranking
    winner_phrase = "wins at the top table in" if ranking == BY_LADDER else f"has the most {ranking} after"
    return f"{top_table_sentence}Whoever {winner_phrase} round {night.agreed_round_count} wins the night."


def results_entered_words(night: Night, game: Game, advice: str) -> str:
    """Return in words which winner the phones at a game have entered, for a game without a result.

    Empty if no phone has entered one, or if the host enters the results. `advice` says what to do first if the phones
    differ: "ask them".
    """
    if not game.reports_by_side or not night.plan.confirms:
        return ""
    if night.has_disagreement(game):
        return f"The two phones differ: {advice}, then tap who won."
    [(side, (winner, _))] = game.reports_by_side.items()
    name, opponent_name = night.name(side), night.name(game.opponent_of(side))
    result = "they won" if winner == side else "they lost"
    return f"{name_with_verb(name, 'say')} that {result}. Waiting for {opponent_name}."


def leaver_words(night: Night, game: Game) -> str:
    """Return the names of the entrants that left a game and so lost it: "Ann & Cal".

    Once they are back, return the name of their side: "Ann & Cal" or, for a drawn pair, "one of Ann & Cal".
    """
    loser = game.loser or 0
    leaver_names = join_words(night.name(uid) for uid in night.entrant_uids(loser) if night.has_left(uid))
    return leaver_names or f"{'one of ' if loser in night.partners_by_pair else ''}{night.name(loser)}"


def attendance_words(night: Night) -> str:
    """Return in words how many are present and how many of them sit out: "9 pairs: one sits out each round".

    If nobody sits out, say how many tables they fill: "8 pairs, 4 tables". Empty if nobody is present.
    """
    present_count, bye_count = len(night.present_uids), len(night.present_uids) % night.entrants_per_table
    present_phrase = digits(present_count, night.entrant_noun)
    if bye_count:
        bye_phrase = "one sits" if bye_count == 1 else f"{bye_count} sit"
        return f"{present_phrase}: {bye_phrase} out each round" if present_count > bye_count else present_phrase
    return f"{present_phrase}, {digits(night.next_table_count, 'table')}" if present_count else ""


def next_round_note(night: Night) -> str:
    """Return sentences on what changes in the next round: the number of tables, who fills in, how many sit out.

    Empty if nothing changes, before the first round, and if no round follows.
    """
    current, table_count = night.current_round, night.next_table_count
    if not night.rounds or night.is_last_round:
        return ""
    if not table_count:
        return "Too few are here for another round: add others, or end the night."
    notes = []
    if added_tables := table_count - current.top_table:
        new_numbers = f": new ones are at the low end, and the others’ numbers go up by {added_tables}"
        change = new_numbers if added_tables > 0 else ": those below move up to fill in"
        notes.append(f"The next round has {digits(table_count, 'table')}{change if night.has_ladder else ''}.")
    elif night.has_ladder and not night.follows_ladder:
        notes.append(f"Some {night.entrant_noun}s move up to fill in.")
    if len(night.present_uids) % night.entrants_per_table not in (0, len(current.sitting_out_uids)):
        notes.append(f"{attendance_words(night)}{', drawn from the lowest table up' if night.has_ladder else ''}.")
    return " ".join(notes)


def trade_words(night: Night, round_number: int, table: int) -> str:
    """Return in words where both sides of an earlier game go if its winner changes; empty if both stay.

    For example, "Ann & Cal go to table 2 and Bea & Dan sit out".
    """
    game, current_games = night.game_at(round_number, table), night.games_to_trade(round_number, table)
    # Both sides stay once a phone has entered a result of a current game.
    if game is None or current_games is None or any(current and current.reports_by_side for current in current_games):
        return ""
    (first, second), (game_of_first, game_of_second) = game.sides, current_games
    moves = [
        f"{name_with_verb(name, 'go')} to table {new_game.table}" if new_game else f"{name_with_verb(name, 'sit')} out"
        for name, new_game in ((night.name(first), game_of_second), (night.name(second), game_of_first))
    ]
    return " and ".join(moves)


def correction_words(night: Night, round_number: int, table: int) -> str:
    """Return in words who would move if another winner were entered for a game, or why nobody would."""
    current = night.current_round
    if round_number == current.number:
        return "Nobody has moved yet."
    if current.partners_by_pair:
        return "Nobody moves: partners were drawn. Only the list changes."
    if moves := trade_words(night, round_number, table):
        return f"If you change it, {moves}: neither has started to play in this round."
    if current.top_table == 1:
        return "Nobody moves: there is only one table. Only the list changes."
    if round_number < current.number - 1:
        return "Nobody moves: another round has been played since. Only the list changes."
    game_of_first, game_of_second = map(current.game_of, night.game_or_refuse(round_number, table).sides)
    if game_of_first and game_of_first == game_of_second:
        return "Nobody moves: the two meet again in this round. Only the list changes."
    return "Nobody moves: one of the two has played since, or left. Only the list changes."


def late_result_notice(night: Night) -> tuple[str, str]:
    """Return the notice for a match that gave its result after the next round had started.

    The notice has a lead and a text: ("Round 3 has started.", "The list of the night has this result, ...").
    """
    return f"Round {len(night.rounds)} has started.", "The list of the night has this result, and nobody moves."


def score_words(game: Game) -> str:
    """Return the scores of a game, the winner's first: "21 to 15"; empty without a result or scores."""
    if game.winner is None or game.loser is None or game.scores is None:
        return ""
    return " to ".join(score_text(game.score_of(side) or 0) for side in (game.winner, game.loser))


def latest_correction_words(night: Night) -> str:
    """Return sentences on the last event if it is a correction, an undo or a redo; else empty.

    A correction is a winner entered for an earlier round, or a round taken back.
    """
    match night.events and night.events[-1].data:
        case events.GameWon(round=number, winner=int(winner)) as event if number < len(night.rounds):
            return _corrected_result_words(night, event, winner)
        case events.RoundTakenBack(round=number):
            seat_sentence = f"Sit where you sat in round {number - 1}." if number > 1 else "Nobody is seated yet."
            return f"Round {number} was undone, with its results. {seat_sentence}"
        case Undone() | Redone() as event:
            return _undo_or_redo_words(night, event)
    return ""


def event_words(night: Night, event: Event) -> str:
    """Return an event in words, without a period: "Ann & Cal left".

    An event of a kind without words of its own is "the last change".
    """
    match event:
        case events.EntrantArrived(players=players):
            return f"{NAME_SEPARATOR.join(players)} came"
        case events.EntrantRenamed(players=players):
            return f"a {night.entrant_noun} is called {NAME_SEPARATOR.join(players)}"
        case events.EntrantLeft(pair=uid):
            return f"{night.name(uid)} left"
        case events.EntrantRemoved():
            return f"a {night.entrant_noun} was removed"
        case events.EntrantReturned(pair=uid):
            return f"{night.name(uid)} came back"
        case events.NightStarted():
            return "round 1 started"
        case events.RoundStarted(round=number) | events.PartnersDrawn(round=number):
            return f"round {number} started"
        case events.RoundTakenBack(round=number):
            return f"round {number} was undone"
        case events.GameWon(round=number, table=table, winner=winner):
            result = "no result" if winner is None else f"{night.name(winner)} won"
            return f"{result} at table {table} in round {number}"
        case events.ResultReported(table=table, pair=side, winner=winner):
            return f"{night.name(side)} said that {night.name(winner)} won at table {table}"
        case events.MatchKept(table=table):
            return f"a match is kept at table {table}"
        case events.RoundsAgreed(rounds=rounds):
            return f"the night has {digits(rounds, 'round')}"
        case events.NightRenamed():
            return "the night has another name"
        case events.NightEnded():
            return "the night ended early"
        case events.NightResumed():
            return "the night goes on"
    return "the last change"


def undo_words(night: Night) -> str:
    """Return in words the event that an undo would undo: "Ann & Cal won at table 3 in round 1".

    Empty if there is nothing to undo.
    """
    return event_words(night, night.next_to_undo.data) if night.next_to_undo else ""


def redo_words(night: Night) -> str:
    """Return in words the event that a redo would restore; empty if there is nothing to redo."""
    return event_words(night, night.resolve_undo(redo_event(night))) if night.redo_target else ""


def _corrected_result_words(night: Night, event: events.GameWon, winner: int) -> str:
    """Return sentences on a result just entered for an earlier round: the winner and, if that changed, who moved."""
    night_before = Night.fold(night.events[:-1], title=night.title, agreed_round_count=night.agreed_round_count)
    result_sentence = f"Corrected: {night.name(winner)} won at table {event.table} in round {event.round}."
    if night_before.game_or_refuse(event.round, event.table).winner == winner:
        return result_sentence
    moves = "" if event.late else trade_words(night_before, event.round, event.table)
    return f"{result_sentence} {moves}." if moves else f"{result_sentence} Nobody moves."


def _undo_or_redo_words(night: Night, event: Undone | Redone) -> str:
    """Return sentences on the event undone or restored: "Undone: round 2 started. Look again where you sit."."""
    verb, target = "Undone" if isinstance(event, Undone) else "Restored", night.resolve_undo(event)
    match target:
        case events.GameWon(round=number):
            changes_seats = number < len(night.rounds)
        case _:
            seating_events = events.NightStarted | events.RoundStarted | events.PartnersDrawn | events.RoundTakenBack
            changes_seats = isinstance(target, seating_events) and bool(night.rounds)
    return f"{verb}: {event_words(night, target)}.{' Look again where you sit.' if changes_seats else ''}"
