"""What the wall shows: the tables as stairs, to be read from across the room."""

from dataclasses import dataclass

from scorekeeper.ladder import words
from scorekeeper.ladder.night import Game, Round
from scorekeeper.ladder.roles import NightInvitation
from scorekeeper.ladder.words import Going, latest_words
from scorekeeper.services.nights import NightAtHand

MOST_IN_FLIGHT = 6
MOST_ON_STAIRS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSide:
    """A pair at a table."""

    name: str
    has_won: bool
    goes: Going


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A table."""

    table: int
    label: str
    """"top table", "still playing"."""
    sides: tuple[StepSide, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WallPage:
    """Template nights/wall.html. Blocks: head, board, announcement."""

    code: str
    version: int
    title: str
    round_words: str
    done: str
    """"3 of 4 tables are done"."""
    flights: tuple[tuple[Step, ...], ...]
    """The tables from the lowest up, in one flight of stairs or in two; the higher one first."""
    stairs: str
    """The classes of one flight, of two, and of more, which are scrolled."""
    columns: int
    sits_out: str
    out: str
    """"out this round, back at table 1"."""
    latest: str
    """What was corrected or undone just now; empty where nothing was."""
    notice: str
    """What is other than on the ladder in the next round."""
    champion: str
    rounds: tuple[int, ...]
    current: int
    top: int
    agreed: int
    invitation: NightInvitation | None
    invitation_id: int


def wall_page(found: NightAtHand, invitation: NightInvitation | None) -> WallPage:
    """Return what the wall shows; before the start it has no tables."""
    night = found.night
    current = night.current
    steps = [_step(found, current, game) for game in current.games] if current else []
    done = current.top - len(current.playing) if current else 0
    flights = _flights(steps)
    return WallPage(
        code=found.code,
        version=night.version,
        title=words.night_title(night),
        round_words=words.round_words(night),
        done=f"{done} of {current.top} table{'' if current.top == 1 else 's'} done" if current else "",
        flights=flights,
        stairs="f1" if len(flights) < 2 else "f2" if len(flights) < 3 else "f2 many",
        columns=max(map(len, flights), default=1),
        sits_out=night.name(current.sits_out) if current and current.sits_out is not None else "",
        out=words.out_words(night),
        latest=latest_words(night),
        notice=words.next_round_note(night),
        champion=words.champion_words(night),
        rounds=tuple(range(1, night.agreed + 1)) if night.agreed <= 12 else (),
        current=current.number if current else 0,
        top=current.top if current else 0,
        agreed=night.agreed,
        invitation=invitation,
        invitation_id=invitation.id if invitation else 0,
    )


def _flights(steps: list[Step]) -> tuple[tuple[Step, ...], ...]:
    """Return the tables in flights of stairs: one up to six tables, two up to twelve, and then rows of six."""
    if len(steps) <= MOST_IN_FLIGHT:
        return (tuple(steps),) if steps else ()
    rows = -(-len(steps) // MOST_IN_FLIGHT)
    size = -(-len(steps) // rows)
    return tuple(tuple(steps[at : at + size]) for at in range(0, len(steps), size))[::-1]


def _step(found: NightAtHand, current: Round, game: Game) -> Step:
    label = "still playing" if game.winner is None else "top table" if game.table == current.top else ""
    return Step(
        table=game.table,
        label=label,
        sides=tuple(
            StepSide(
                name=found.night.name(uid),
                has_won=game.winner == uid,
                goes=words.going(found.night, current, game, uid),
            )
            for uid in game.pairs
        ),
    )
