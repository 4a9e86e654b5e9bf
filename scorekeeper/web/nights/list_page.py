"""What the list of a night shows: who stands where, and who won at each table in each round."""

from dataclasses import dataclass

from scorekeeper.ladder import words
from scorekeeper.services.nights import NightAtHand


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
    """"Ann & Cal beat Gus & Hal"."""


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
    sides: tuple[tuple[int, str, bool], ...]
    """Each pair's uid, its name, and whether it is down as the winner."""
    effect: str
    """What another winner changes."""


def list_page(found: NightAtHand) -> ListPage:
    """Return the list of a night."""
    night = found.night
    return ListPage(
        code=found.code,
        title=words.night_title(night),
        sub=words.round_words(night),
        champion=words.champion_words(night),
        standings=tuple(
            StandingRow(place=it.place, name=night.name(it.pair), small=_small(found, it))
            for it in words.standings(night)
        ),
        rounds=tuple(
            RoundRows(
                number=of.number,
                games=tuple(
                    ResultRow(
                        table=game.table,
                        words=f"{night.name(game.winner)} beat {night.name(game.other(game.winner))}",
                    )
                    for game in reversed(of.games)
                    if game.winner is not None
                ),
                sits_out=night.name(of.sits_out) if of.sits_out is not None else "",
            )
            for of in reversed(night.rounds)
        ),
        may_score=found.link.may_score,
    )


def _small(found: NightAtHand, it: words.Standing) -> str:
    where = "left" if found.night.pairs[it.pair].has_left else f"table {it.table}" if it.table else "no table"
    return f"{where}, {it.won} of {it.played} won"


def correct_page(found: NightAtHand, number: int, table: int) -> CorrectPage | None:
    """Return the page that corrects who won; `None` where there was no such game."""
    night = found.night
    of = night.round(number)
    game = of.game(table) if of else None
    if game is None:
        return None
    return CorrectPage(
        code=found.code,
        title=words.night_title(night),
        round_number=number,
        table=table,
        sides=tuple((uid, night.name(uid), uid == game.winner) for uid in game.pairs),
        effect=words.correction_words(night, number, table),
    )
