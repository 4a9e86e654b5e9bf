"""A tournament night on paper: who sits where, and the list of who won."""

from dataclasses import dataclass

from scorekeeper.ladder import words
from scorekeeper.ladder.night import Night, Round
from scorekeeper.printing.fitting import Draft, render
from scorekeeper.printing.print_options import LARGE, PAPER_NAMES, PrintOptions

_SIZES = {LARGE: 18.0}
_USUAL_SIZE = 12.0
MOST_PAGES = 60


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """A table: its number, and who sits there."""

    table: int
    one: str
    other: str
    winner: str
    """Who won there; empty where nobody has, and a line to write on takes its place."""
    score: str
    """"21 to 15", the winner's first; empty where nobody said."""


@dataclass(frozen=True, slots=True)
class PrintedStanding:
    """A pair in the list."""

    place: int
    name: str
    where: str
    """"table 4", "left"."""
    won: str
    """"5 of 6"."""


@dataclass(frozen=True, slots=True)
class PrintedRound:
    """A round, its tables from the top down."""

    number: int
    tables: tuple[PrintedTable, ...]
    sits_out: str

    @property
    def has_scores(self) -> bool:
        """Whether anybody said how a game ended."""
        return any(it.score for it in self.tables)


@dataclass(frozen=True, slots=True)
class NightSheet:
    """What is printed of a night."""

    title: str
    sub: str
    """"Round 3 of 6"."""
    champion: str
    out: str
    """What becomes of whoever sits out."""
    current: PrintedRound | None
    rounds: tuple[PrintedRound, ...]
    """Every round, the first one first."""
    standings: tuple[PrintedStanding, ...]


def night_sheet(night: Night) -> NightSheet:
    """Return a night as it is printed."""
    rounds = tuple(_round(night, of) for of in night.rounds)
    return NightSheet(
        title=words.night_title(night),
        sub=words.round_words(night),
        champion=words.champion_words(night),
        out=words.out_words(night),
        current=rounds[-1] if rounds else None,
        rounds=rounds,
        standings=tuple(
            PrintedStanding(it.place, night.name(it.pair), _where(night, it), f"{it.won} of {it.played}")
            for it in words.standings(night)
        ),
    )


def _round(night: Night, of: Round) -> PrintedRound:
    tables = tuple(
        PrintedTable(
            game.table,
            night.name(game.pairs[0]),
            night.name(game.pairs[1]),
            night.name(game.winner) if game.winner is not None else "",
            words.score_words(night, game),
        )
        for game in reversed(of.games)
    )
    return PrintedRound(of.number, tables, night.name(of.sits_out) if of.sits_out is not None else "")


def _where(night: Night, it: words.Standing) -> str:
    return "left" if night.pairs[it.pair].has_left else f"table {it.table}" if it.table else ""


def draft_tables(sheet: NightSheet, options: PrintOptions) -> Draft:
    """Return the tables of the round that is played, to hang up and to write on."""
    return _draft(f"{sheet.title}: tables", "printing/_night_tables.html", sheet, options)


def draft_list(sheet: NightSheet, options: PrintOptions) -> Draft:
    """Return who stands where, and who won at each table in each round."""
    return _draft(f"{sheet.title}: list", "printing/_night_list.html", sheet, options)


def _draft(title: str, template: str, sheet: NightSheet, options: PrintOptions) -> Draft:
    size = _SIZES.get(options.size, _USUAL_SIZE)
    style = f"@page{{size:{PAPER_NAMES[options.paper]};margin:14mm}}.night{{font-size:{size}pt}}"
    return Draft(
        title=title,
        body=render(template, sheet=sheet),
        stylesheets=("faces.css", "night_sheet.css"),
        attempts=((style,),),
        pages=(MOST_PAGES,),
    )
