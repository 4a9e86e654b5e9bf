"""What the list of a book's people shows."""

from collections.abc import Iterable
from dataclasses import dataclass

from scorekeeper.graphics.bars import Bar
from scorekeeper.services.people import BookPeople
from scorekeeper.statistics.people import fold_meetings, years_of
from scorekeeper.statistics.seated import Count
from scorekeeper.web.people.labels import (
    bars_of,
    is_named,
    letter,
    matches_since,
    several_matches,
    team_name,
)
from scorekeeper.web.shared.places import book_label


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonLine:
    """A person in a list, who leads to their page."""

    uid: str
    letter: str
    bar: Bar


@dataclass(frozen=True, slots=True, kw_only=True)
class YearLine:
    """A year that was played in."""

    year: int
    small: str
    """"31 matches so far"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PeoplePage:
    """Template people/list.html."""

    code: str
    label: str
    """"Your book", or its name."""
    since: str
    """"46 matches since May 2025"; empty where there is none."""
    people: tuple[PersonLine, ...]
    pairs: str
    """"Ann & Cal 10, Bea & Dan 8": the two pairs that met most often; empty where none did."""
    years: tuple[YearLine, ...]
    uncounted: str
    """"3 matches are still to be added up."; empty where none is."""
    is_owner: bool


def people_page(people: BookPeople, this_year: int) -> PeoplePage:
    """Return the page of a book's people."""
    return PeoplePage(
        code=people.access.code,
        label=book_label(people.access),
        since=matches_since(people.matches),
        people=person_lines(people, people.standings.ordered),
        pairs=_most_met(people),
        years=tuple(
            YearLine(year=year, small=several_matches(number) + (" so far" if year == this_year else ""))
            for year, number in years_of(people.matches).items()
        ),
        uncounted=uncounted_words(people),
        is_owner=people.access.link.is_owner,
    )


def person_lines(people: BookPeople, counted: Iterable[tuple[str, Count]], word: str = "won") -> tuple[PersonLine, ...]:
    """Return people with their counts as lines; whoever has no name is left out."""
    named = [(person, count) for person, count in counted if person in people.names and count.of]
    bars = bars_of(((people.names[person], count) for person, count in named), word)
    return tuple(
        PersonLine(uid=person, letter=letter(bar.label), bar=bar) for (person, _), bar in zip(named, bars, strict=True)
    )


def uncounted_words(people: BookPeople) -> str:
    """Return how many matches are missing on the page; empty where none is."""
    number = people.found.uncounted
    if not number:
        return ""
    are = "is" if number == 1 else "are"
    return f"{several_matches(number)} {are} still to be added up. Load this page again."


def _most_met(people: BookPeople) -> str:
    meetings = fold_meetings(people.matches)
    most = min(meetings, key=lambda teams: (-meetings[teams].of, teams), default=None)
    if most is None or not (is_named(people, most[0]) and is_named(people, most[1])):
        return ""
    count = meetings[most]
    won = [(count.some, most[0]), (count.rest, most[1])]
    return ", ".join(f"{team_name(people, team)} {some}" for some, team in sorted(won, key=lambda it: -it[0]))
