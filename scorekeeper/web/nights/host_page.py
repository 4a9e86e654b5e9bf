"""What the host's page shows: every table with a tap for who won, and what is still to come."""

from collections.abc import Mapping
from dataclasses import dataclass

from scorekeeper.ladder import words
from scorekeeper.ladder.night import Game, Night, Round
from scorekeeper.ladder.rights import may_redo, may_undo
from scorekeeper.ladder.said import latest_words, redo_words, undo_words
from scorekeeper.services.night_matches import keeps_matches
from scorekeeper.services.nights import NightAtHand
from scorekeeper.web.shared.library import library


@dataclass(frozen=True, slots=True, kw_only=True)
class SideButton:
    """A pair at a table, to be tapped when it has won."""

    uid: int
    name: str
    has_won: bool
    goes: str
    """"up to 4"; where it came from while they play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """A table of the current round."""

    table: int
    label: str
    """"top" or "low"; empty between them."""
    sides: tuple[SideButton, ...]
    is_playing: bool
    note: str
    """How it ended, and why it has a result that nobody tapped."""
    match_code: str
    """Of the match that is kept there, if this phone has it."""
    may_keep_match: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HostPage:
    """Template nights/host.html. Blocks: board, bottom_bar."""

    code: str
    version: int
    title: str
    sub: str
    """"Round 3 of 6, 4 tables"."""
    round_number: int
    tables: tuple[TableRow, ...]
    done: str
    """"3 of 4 in"."""
    sits_out: str
    """Who sits out; empty where nobody does."""
    out: str
    """"out this round, back at table 1"."""
    latest: str
    """What was corrected or undone just now; empty where nothing was."""
    notice: str
    """What is other than on the ladder in the next round, or that somebody else wrote first."""
    champion: str
    results: str
    """"2 rounds, 8 games"."""
    pairs: str
    """"8 pairs, two more make a table"."""
    waits_for: str
    """"Table 2 is still playing"; empty where every table is done."""
    first_playing: int
    """The first table that is still playing."""
    next_round: int
    """The round that can be started now; 0 where none can."""
    next_number: int
    """The round that comes next; 0 where this is the last."""
    is_owner: bool
    undoes: str
    """What an undo would undo; empty where this phone may not."""
    redoes: str
    """What a redo would restore; empty where this phone may not."""
    was_ended: bool
    unkept: str
    """The night's game where its matches cannot be kept at a table, as in a night that was asked nothing of it."""


def host_page(found: NightAtHand, match_codes: Mapping[int, str] | None = None, notice: str = "") -> HostPage:
    """Return the host's page of a night that has started."""
    night, link = found.night, found.link
    current = night.current
    assert current is not None
    playing = current.playing
    is_last = current.number >= night.agreed
    games = sum(game.winner is not None for of in night.rounds for game in of.games)
    keeps = keeps_matches(library(), found.setup)
    variant = found.setup.variant
    return HostPage(
        code=found.code,
        version=night.version,
        title=words.night_title(night),
        sub=f"{words.round_words(night)}, {_tables(current.top)}",
        round_number=current.number,
        tables=tuple(_row(found, current, game, match_codes or {}, keeps) for game in reversed(current.games)),
        done=f"{current.top - len(playing)} of {current.top} in",
        sits_out=night.name(current.sits_out) if current.sits_out is not None else "",
        out=words.out_words(night),
        latest="" if notice else latest_words(night),
        notice=notice or words.next_round_note(night),
        champion=words.champion_words(night),
        results=f"{_rounds(len(night.rounds))}, {games} game{'' if games == 1 else 's'}",
        pairs=words.odd_words(night, found.setup.size),
        waits_for=_waits_for(current),
        first_playing=playing[0].table if playing else 0,
        next_round=0 if playing or night.is_over else current.number + 1,
        next_number=0 if is_last else current.number + 1,
        is_owner=link.is_owner,
        undoes=undo_words(night) if may_undo(night, link.role) else "",
        redoes=redo_words(night) if may_redo(night, link.role) else "",
        was_ended=night.was_ended,
        unkept="" if keeps or variant not in library() or night.is_over else library()[variant].name,
    )


def _tables(number: int) -> str:
    return "1 table" if number == 1 else f"{number} tables"


def _rounds(number: int) -> str:
    return "1 round" if number == 1 else f"{number} rounds"


def _waits_for(current: Round) -> str:
    tables = [str(game.table) for game in current.playing]
    if not tables:
        return ""
    if len(tables) == 1:
        return f"Table {tables[0]} is still playing"
    if len(tables) > 4:
        return f"{len(tables)} tables are still playing"
    return f"Tables {', '.join(tables[:-1])} and {tables[-1]} are still playing"


def _row(found: NightAtHand, current: Round, game: Game, match_codes: Mapping[int, str], keeps: bool) -> TableRow:
    night = found.night
    label = "top" if game.table == current.top else "low" if game.table == 1 else ""
    names = [night.name(uid) for uid in game.pairs if night.pairs[uid].has_left]
    left = f"{names[0]} left, so the others have won." if game.is_default and names else ""
    scores = words.score_words(night, game)
    return TableRow(
        table=game.table,
        label=label,
        sides=tuple(_side(night, current, game, uid) for uid in game.pairs),
        is_playing=game.winner is None,
        note=f"{scores}." if scores else left,
        match_code=match_codes.get(game.match or 0, ""),
        may_keep_match=keeps and not game.has_begun and not night.is_over,
    )


def _side(night: Night, current: Round, game: Game, uid: int) -> SideButton:
    goes = words.going(night, current, game, uid)
    return SideButton(uid=uid, name=night.name(uid), has_won=game.winner == uid, goes=goes.short or goes.text)
