"""What a pair's phone shows: where it sits now, its night so far, and all tables."""

from dataclasses import dataclass

from scorekeeper.ladder import words
from scorekeeper.ladder.moves import next_table
from scorekeeper.ladder.night import Night
from scorekeeper.ladder.words import Way, latest_words
from scorekeeper.services.nights import NightAtHand


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedRow:
    """A game that the pair played, or a round in which it sat out."""

    table: int
    rival: str
    round_number: int
    score: str
    """How it ended, the winner's score first; empty where nobody said."""
    result: str
    """"won", "lost"; empty where it sat out."""
    way: Way


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLine:
    """A table in the list of all."""

    table: int
    name: str
    rival: str
    is_mine: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatPage:
    """Template nights/seat.html. Blocks: head, board."""

    code: str
    version: int
    title: str
    sub: str
    """"Pitch night, round 4 of 6"."""
    way: Way
    lead: str
    """"You won, and move up"."""
    table: int
    """Where to sit; 0 where the pair sits nowhere."""
    place: str
    """"the top table, against"."""
    rival: str
    latest: str
    """What was corrected or undone just now; empty where nothing was."""
    until: str
    """What is to be done instead of sitting down, or until when to stay."""
    played: tuple[PlayedRow, ...]
    heading: str
    """"All tables, round 4"."""
    tables: tuple[TableLine, ...]
    sits_out: str
    may_score: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WhichPairPage:
    """Template nights/which_pair.html."""

    title: str
    pairs: tuple[tuple[int, str, bool], ...]
    """Each pair's uid, its name, and whether it is chosen."""
    url: str
    """Where the answer goes."""
    back_url: str
    may_open_wall: bool
    invites_scorer: bool


def which_pair_page(
    found: NightAtHand, url: str, back_url: str, *, may_open_wall: bool, invites_scorer: bool = False
) -> WhichPairPage:
    """Return the page that asks whose phone this is."""
    night = found.night
    return WhichPairPage(
        title=words.night_title(night),
        pairs=tuple((uid, night.name(uid), uid == found.link.pair) for uid in night.present),
        url=url,
        back_url=back_url,
        may_open_wall=may_open_wall,
        invites_scorer=invites_scorer,
    )


def seat_page(found: NightAtHand) -> SeatPage:
    """Return where the pair of this phone sits; without a pair all tables."""
    night, pair = found.night, found.link.pair
    current = night.current
    title = words.night_title(night)
    mine = current.game_of(pair) if current and pair is not None else None
    way, lead = _lead(night, pair)
    rival = night.name(mine.other(pair)) if mine and pair is not None else ""
    number = current.number if current else 0
    return SeatPage(
        code=found.code,
        version=night.version,
        title=night.name(pair) if pair in night.pairs and pair is not None else title,
        sub=f"{title}, {words.round_words(night).lower()}",
        way=way,
        lead=lead,
        table=mine.table if mine and not night.is_over and pair in night.present else 0,
        place=("the top table, against" if mine and current and mine.table == current.top else "against"),
        rival=rival,
        latest=latest_words(night),
        until=_until(night, pair),
        played=tuple(_played(night, pair)) if pair is not None else (),
        heading=f"All tables, round {number}" if current else "The night has not started yet",
        tables=tuple(
            TableLine(
                table=game.table,
                name=night.name(pair if pair in game.pairs and pair is not None else game.pairs[0]),
                rival=night.name(game.other(pair) if pair in game.pairs and pair is not None else game.pairs[1]),
                is_mine=pair in game.pairs,
            )
            for game in reversed(current.games if current else ())
        ),
        sits_out=night.name(current.sits_out) if current and current.sits_out is not None else "",
        may_score=found.link.may_score,
    )


def _lead(night: Night, pair: int | None) -> tuple[Way, str]:
    """Return how the pair came where it is."""
    current = night.current
    if current is None or pair is None or pair not in night.present or night.is_over:
        return "", ""
    before = night.round(current.number - 1)
    game, here = (it.game_of(pair) if it else None for it in (before, current))
    if here is None:
        return "", ""
    if game is None or before is None:
        return ("up", "You sat out, and play again") if before and before.sits_out == pair else ("", "Welcome")
    # Tables come and go at the low end: the others then have other numbers, and nobody has moved for that.
    other_numbers = current.top - before.top
    way, lead = _move(here.table - game.table - other_numbers, has_won=game.winner == pair)
    return way, f"{lead}. The tables have new numbers" if other_numbers else lead


def _move(tables: int, *, has_won: bool) -> tuple[Way, str]:
    """Return what it means to move so many tables up."""
    if tables > 0:
        return "up", "You won, and move up" if has_won else "You move up to fill in"
    if tables < 0:
        return "down", "You move down" if has_won else "You start again from the low end"
    return "stays", "You won, and stay on top" if has_won else "You stay"


def _until(night: Night, pair: int | None) -> str:
    current = night.current
    if night.is_over:
        if night.champion == pair:
            return "You win the night."
        return f"{words.champion_words(night)}." if night.champion is not None else "The night is over."
    if pair is None:
        return ""
    if pair not in night.present:
        return "You have left. Ask the host if you want to play again."
    if current is None:
        return "The host will seat you. This page then shows your table."
    game = current.game_of(pair)
    if game is None:
        return (
            f"You sit {words.out_words(night).replace(', back', ', and come back')}."
            if current.sits_out == pair
            else ("You play from the next round on.")
        )
    return f"You sit at table {game.table} until all are done." if game.winner is not None else ""


def _played(night: Night, pair: int) -> list[PlayedRow]:
    rows = []
    for of in reversed(night.rounds):
        game = of.game_of(pair)
        if game and game.winner is not None:
            has_won = game.winner == pair
            table = game.table if of.number >= night.agreed else next_table(game.table, won=has_won, top=of.top)
            way: Way = "up" if table > game.table else "down" if table < game.table else ""
            rows.append(
                PlayedRow(
                    table=game.table,
                    rival=night.name(game.other(pair)),
                    round_number=of.number,
                    score=words.score_words(night, game),
                    result="won" if has_won else "lost",
                    way=way,
                )
            )
        elif of.sits_out == pair:
            rows.append(PlayedRow(table=0, rival="Sat out", round_number=of.number, score="", result="", way=""))
    return rows
