"""What the list of a night shows: who stands where, and who won at each table in each round."""

from collections.abc import Sequence
from dataclasses import dataclass

from scorekeeper.ladder import words
from scorekeeper.ladder.night import Game, Night
from scorekeeper.ladder.said import latest_words
from scorekeeper.narration.phrases import score_text
from scorekeeper.rules.faults import Fault
from scorekeeper.services.nights import NightAtHand
from scorekeeper.web.nights.form import ResultForm
from scorekeeper.web.shared.widgets import FaultsView, QuestionView, faults_view, labeled_question


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingRow:
    """A pair in the list."""

    place: int
    name: str
    small: str
    """"table 4, 5 of 6 won"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRow:
    """A game."""

    table: int
    words: str
    """"Ann & Cal beat Gus & Hal, 21 to 15"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRows:
    """A round."""

    number: int
    games: tuple[ResultRow, ...]
    sits_out: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListPage:
    """Template nights/list.html."""

    code: str
    title: str
    sub: str
    champion: str
    latest: str
    """What was corrected or undone just now; empty where nothing was."""
    standings: tuple[StandingRow, ...]
    rounds: tuple[RoundRows, ...]
    may_score: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectPage:
    """Template nights/correct.html."""

    code: str
    title: str
    round_number: int
    table: int
    winner: QuestionView
    """Which of the two pairs."""
    scores: tuple[tuple[int, str, str], ...]
    """Each pair's uid and name, and its score as it was typed."""
    effect: str
    """What another winner changes."""
    faults: FaultsView | None
    is_over: bool
    """Whether the round is over, so that this corrects the list."""


def list_page(found: NightAtHand) -> ListPage:
    """Return the list of a night."""
    night = found.night
    return ListPage(
        code=found.code,
        title=words.night_title(night),
        sub=words.round_words(night),
        champion=words.champion_words(night),
        latest=latest_words(night),
        standings=tuple(
            StandingRow(place=it.place, name=night.name(it.pair), small=_small(found, it))
            for it in words.standings(night)
        ),
        rounds=tuple(
            RoundRows(
                number=of.number,
                games=tuple(_result(night, game) for game in reversed(of.games) if game.winner is not None),
                sits_out=night.name(of.sits_out) if of.sits_out is not None else "",
            )
            for of in reversed(night.rounds)
        ),
        may_score=found.link.may_score,
    )


def _small(found: NightAtHand, it: words.Standing) -> str:
    has_left = found.night.pairs[it.pair].has_left
    where = "left" if has_left else f"table {it.table}" if it.table else "no table in the last round"
    return f"{where}, {it.won} of {it.played} won" if it.played else f"{where}, no game over yet"


def _result(night: Night, game: Game) -> ResultRow:
    winner, loser = night.name(game.winner or 0), night.name(game.loser or 0)
    if game.is_default:
        return ResultRow(table=game.table, words=f"{winner} won, for {loser} left")
    scores = words.score_words(night, game)
    return ResultRow(table=game.table, words=f"{winner} beat {loser}{', ' if scores else ''}{scores}")


def correct_page(
    found: NightAtHand, number: int, table: int, typed: ResultForm | None = None, faults: Sequence[Fault] = ()
) -> CorrectPage | None:
    """Return the page that says how a game ended, or corrects it; `None` where there was no such game."""
    night = found.night
    of = night.round(number)
    game = of.game(table) if of else None
    if game is None:
        return None
    scores = (
        typed.typed if typed else tuple("" if it is None else score_text(it) for it in map(game.score_of, game.pairs))
    )
    return CorrectPage(
        code=found.code,
        title=words.night_title(night),
        round_number=number,
        table=table,
        winner=labeled_question(
            "winner",
            f"Who won at table {table} in round {number}?",
            {str(uid): night.name(uid) for uid in game.pairs},
            str((typed.winner if typed else game.winner) or ""),
        ),
        scores=tuple((uid, night.name(uid), score) for uid, score in zip(game.pairs, scores, strict=True)),
        effect=words.correction_words(night, number, table),
        faults=faults_view("Not saved yet", [(fault.message, fault.field) for fault in faults]),
        is_over=of is not night.current,
    )
