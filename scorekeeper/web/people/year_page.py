"""What the page of a year shows, and the same for paper."""

from dataclasses import dataclass
from datetime import date

from scorekeeper.graphics.bars import PHONE_MONTHS, SHEET_MONTHS, MonthsView, draw_months
from scorekeeper.narration.dates import MONTHS, DateStyle
from scorekeeper.printing.year_sheet import KeyNumber, Memory, YearSheet
from scorekeeper.services.people import BookPeople
from scorekeeper.statistics.match_figures import bid_order
from scorekeeper.statistics.people import YearFigures, fold_year
from scorekeeper.statistics.seated import Count
from scorekeeper.web.people import memories
from scorekeeper.web.people.labels import bars_of, bid_label, is_named, team_name
from scorekeeper.web.people.page import PersonLine, person_lines, uncounted_words

FEWEST_TO_WIN_MOST = 5
"""Matches of whoever is said to have won most."""
FEWEST_OF_A_PAIR = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class YearPage:
    """Template people/year.html."""

    code: str
    year: int
    title: str
    until: str
    numbers: tuple[KeyNumber, ...]
    months: MonthsView
    people: tuple[PersonLine, ...]
    memories: tuple[Memory, ...]
    uncounted: str


def year_title(year: int) -> str:
    """Return what a year is called."""
    return f"{year} at our table"


def year_page(people: BookPeople, year: int, today: date, dates: DateStyle) -> YearPage | None:
    """Return the page of a year; `None` where nothing was played in it."""
    figures = _figures(people, year)
    if not figures.matches:
        return None
    return YearPage(
        code=people.access.code,
        year=year,
        title=year_title(year),
        until=_until(figures, year, today, dates),
        numbers=_numbers(people, figures),
        months=draw_months(figures.months, PHONE_MONTHS),
        people=person_lines(people, figures.standings.ordered),
        memories=_memories(people, figures, dates, is_paper=False),
        uncounted=uncounted_words(people),
    )


def year_sheet(people: BookPeople, year: int, today: date, dates: DateStyle) -> YearSheet | None:
    """Return the sheet of a year; `None` where nothing was played in it."""
    figures = _figures(people, year)
    if not figures.matches:
        return None
    made = figures.made
    rules = max(figures.rules, key=lambda name: (figures.rules[name], name))
    table = ", ".join(part for part in (people.book.name, rules if len(figures.rules) == 1 else "") if part)
    named = [(people.names[who], it) for who, it in figures.standings.ordered if who in people.names and it.of]
    pairs = sorted(
        ((team_name(people, team), it) for team, it in figures.pairs.items() if is_named(people, team)),
        key=lambda item: (-item[1].of, item[0]),
    )
    bids = sorted(figures.bids.items(), key=lambda item: bid_order(item[0]))
    bid_numbers = (
        (KeyNumber(number=str(made.some), label="bids made"), KeyNumber(number=str(made.rest), label="set"))
        if made.of
        else ()
    )
    return YearSheet(
        title=year_title(year),
        table=table,
        until=_until(figures, year, today, dates),
        numbers=(*_numbers(people, figures), *bid_numbers),
        champion=_champion(named),
        months=draw_months(figures.months, SHEET_MONTHS),
        people=bars_of(named, "won"),
        bids=bars_of(((bid_label(bid), it) for bid, it in bids), "made"),
        pairs=bars_of(((name, it) for name, it in pairs if it.of >= FEWEST_OF_A_PAIR), "won"),
        memories=_memories(people, figures, dates, is_paper=True),
    )


def _figures(people: BookPeople, year: int) -> YearFigures:
    memo, key = people.found.memo, ("year", year)
    if key not in memo:
        memo[key] = fold_year(year, people.matches)
    figures: YearFigures = memo[key]
    return figures


def _numbers(people: BookPeople, figures: YearFigures) -> tuple[KeyNumber, ...]:
    numbers = {"match": figures.matches, "hand": figures.hands}
    plural = {"match": "matches", "hand": "hands"}
    count = len(figures.standings.people)
    return (
        *(KeyNumber(number=str(n), label=what if n == 1 else plural[what]) for what, n in numbers.items()),
        *([KeyNumber(number=str(count), label="people")] if count else []),
    )


def _until(figures: YearFigures, year: int, today: date, dates: DateStyle) -> str:
    if year < today.year:
        return ""
    last = date.fromisoformat(figures.last_day)
    words = f"{MONTHS[last.month - 1]} {last.day}" if dates.is_month_first else f"{last.day} {MONTHS[last.month - 1]}"
    return f"up to {words}"


def _champion(named: list[tuple[str, Count]]) -> str:
    most = max((it.some for _, it in named), default=0)
    first = [(name, it) for name, it in named if it.some == most and it.of >= FEWEST_TO_WIN_MOST]
    won_as_many = sum(it.some == most for _, it in named)
    return f"{first[0][0]}, {first[0][1].some} of {first[0][1].of}" if len(first) == won_as_many == 1 and most else ""


def _memories(people: BookPeople, figures: YearFigures, dates: DateStyle, *, is_paper: bool) -> tuple[Memory, ...]:
    """Return what is remembered; how many bids were made stands among the numbers of the paper already."""
    it, made = figures.memories, figures.made
    redeals = figures.thrown_in
    more = f", and {redeals} redeal{'' if redeals == 1 else 's'}" if redeals else ""
    bids = [Memory(label="Bids made", detail=f"of {made.of} bid{more}", figure=str(made.some))] if made.of else []
    return (
        *memories.comeback(people, it, dates),
        *memories.closest(people, it, dates),
        *memories.moons(people, it, figures.moons, dates),
        *(memories.longest(it, dates) if is_paper else bids),
        *memories.most_sets(people, it, dates),
    )
