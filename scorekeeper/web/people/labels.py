"""What the pages about people say alike: names of sides, scores, days, and the first letter of a name."""

from collections.abc import Iterable
from datetime import date

from scorekeeper.engine.seats import NAMES_JOINED
from scorekeeper.graphics.bars import Bar, draw_bars
from scorekeeper.narration.dates import MONTHS, DateStyle
from scorekeeper.narration.phrases import score_text
from scorekeeper.services.people import BookPeople
from scorekeeper.statistics.match_figures import MatchFigures
from scorekeeper.statistics.seated import Count, SeatedMatch, Team
from scorekeeper.web.shared.reader import plain_day

JOINED = "."
"""Between the uids of a side's people in an address."""


def letter(name: str) -> str:
    """Return what stands on the little card of a name."""
    return next((sign.upper() for sign in name if sign.isalnum()), "?")


def matches_since(matches: Iterable[SeatedMatch]) -> str:
    """Return how many matches there are, and since when: "46 matches since May 2025"."""
    matches = tuple(matches)
    if not matches:
        return ""
    first = date.fromisoformat(matches[0].figures.on)
    return f"{several_matches(len(matches))} since {month(first)}"


def month(day: date) -> str:
    """Return a month with its year: "May 2025"."""
    return f"{MONTHS[day.month - 1]} {day.year}"


def several_matches(number: int) -> str:
    """Return how many matches: "1 match", "31 matches"."""
    return f"{number} match{'' if number == 1 else 'es'}"


def team_name(people: BookPeople, team: Team) -> str:
    """Return the people of a side, wherever they sat: "Ann & Cal"."""
    return NAMES_JOINED.join(team_people(people, team))


def team_people(people: BookPeople, team: Team) -> list[str]:
    """Return the names of the people of a side, in the order of the alphabet."""
    return sorted(people.names.get(person, "?") for person in team)


def is_named(people: BookPeople, team: Team) -> bool:
    """Return whether everybody on a side has a name."""
    return all(person in people.names for person in team)


def side_name(people: BookPeople, match: SeatedMatch, place: int) -> str:
    """Return the people of a side in one match, in the order of their seats."""
    seats = match.figures.sides[place].seats
    sitters = zip(match.figures.sitters, match.people, strict=True)
    order = {person: seats.index(it.seat) for it, person in sitters if it.seat in seats}
    team = sorted(match.teams[place], key=lambda person: order.get(person, 0))
    names = [people.name_in(match, person) for person in team]
    return NAMES_JOINED.join(names) or match.figures.sides[place].name


def score_words(figures: MatchFigures, place: int) -> str:
    """Return a side's score and the best of the others: "43–44", "20 to −4"."""
    mine = figures.sides[place].score
    others = [side.score for other, side in enumerate(figures.sides) if other != place]
    if not others:
        return score_text(mine)
    winners = [side.score for other, side in enumerate(figures.sides) if other != place and side.won]
    best = winners[0] if winners else max(others)
    return two_scores(mine, best)


def two_scores(one: int, other: int) -> str:
    """Return two scores: "9–33"; with a word between them where one is below zero."""
    between = " to " if min(one, other) < 0 else "–"
    return f"{score_text(one)}{between}{score_text(other)}"


def when(figures: MatchFigures, dates: DateStyle) -> str:
    """Return when and where a match was played: "Aug 8, the cabin"."""
    return ", ".join(part for part in (plain_day(figures.on, dates), figures.place) if part)


def bars_of(counted: Iterable[tuple[str, Count]], word: str) -> tuple[Bar, ...]:
    """Return a bar for each label with its count."""
    return draw_bars([(label, count.some, count.of) for label, count in counted], word)


def bid_label(bid: int | str) -> str:
    """Return what a bid is called: "5", "moon", "double moon"."""
    return str(bid).replace("_", " ")
