"""What the pages of two sides show that have met: which there are, and what two of them came to."""

from dataclasses import dataclass

from scorekeeper.engine.seats import NAMES_JOINED
from scorekeeper.graphics.markers import SideView, distinct_letters
from scorekeeper.graphics.steps import StepsView, draw_steps
from scorekeeper.narration.dates import DateStyle
from scorekeeper.printing.year_sheet import Memory
from scorekeeper.services.people import BookPeople
from scorekeeper.statistics.people import HeadToHead, PairFigures, fold_head_to_head, fold_meetings
from scorekeeper.statistics.seated import Count, Team
from scorekeeper.web.people import memories
from scorekeeper.web.people.labels import JOINED, is_named, matches_since, several_matches, team_name, team_people
from scorekeeper.web.people.page import uncounted_words

MOST_LISTED = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class MeetingLine:
    """Two sides that have met."""

    one: str
    """How an address names the first."""
    other: str
    label: str
    """"Ann & Cal 10, Bea & Dan 8"."""
    small: str
    """"18 matches"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeetingsPage:
    """Template people/meetings.html."""

    code: str
    of: str
    """"Ann & Cal"; empty where all are listed."""
    meetings: tuple[MeetingLine, ...]
    uncounted: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WonCard:
    """A side, and how many matches it won."""

    side: SideView
    people: tuple[str, ...]
    """"Ann &", "Cal": a line breaks between them first."""
    won: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TugLine:
    """What two sides came to beside each other."""

    one: str
    label: str
    other: str
    ahead: int
    """Which of them did better: 1, 2, or 0 where neither did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadToHeadPage:
    """Template people/pairs.html."""

    code: str
    since: str
    cards: tuple[WonCard, ...]
    steps: StepsView | None
    lines: tuple[TugLine, ...]
    memories: tuple[Memory, ...]
    last_match: str
    """The uid of the last match of theirs, to play again."""
    uncounted: str


def read_team(text: str) -> Team:
    """Return the side that an address names."""
    return tuple(sorted({person for person in text.split(JOINED) if person}))


def meetings_page(people: BookPeople, team: Team = ()) -> MeetingsPage:
    """Return the page of all sides that have met, or of those that met one of them."""
    counts = fold_meetings(people.matches)
    lines = []
    for (one, other), count in sorted(counts.items(), key=lambda item: (-item[1].of, item[0])):
        if not (is_named(people, one) and is_named(people, other)) or (team and team not in (one, other)):
            continue
        # Whoever is asked for stands first, or else who won more often.
        is_first = team == one if team else count.some >= count.rest
        first, second, won = (one, other, count) if is_first else (other, one, Count(count.rest, count.of))
        lines.append(
            MeetingLine(
                one=JOINED.join(first),
                other=JOINED.join(second),
                label=f"{team_name(people, first)} {won.some}, {team_name(people, second)} {won.rest}",
                small=several_matches(won.of),
            )
        )
    return MeetingsPage(
        code=people.access.code,
        of=team_name(people, team) if team else "",
        meetings=tuple(lines[:MOST_LISTED]),
        uncounted=uncounted_words(people),
    )


def head_to_head_page(people: BookPeople, one: Team, other: Team, dates: DateStyle) -> HeadToHeadPage | None:
    """Return the page of two sides; `None` where they have never met."""
    memo, key = people.found.memo, ("pairs", one, other)
    if key not in memo:
        memo[key] = fold_head_to_head(one, other, people.matches)
    met: HeadToHead = memo[key]
    if not met.matches:
        return None
    names = team_name(people, one), team_name(people, other)
    letters = distinct_letters(names)
    cards = tuple(
        WonCard(
            side=SideView(side_id=str(mark), name=names[mark - 1], mark=mark, letter=letters[mark - 1]),
            people=_with_and(team_people(people, team)),
            won=pair.matches.some,
        )
        for mark, team, pair in ((1, one, met.one), (2, other, met.other))
    )
    remembered = (
        *memories.comeback(people, met.memories, dates),
        *memories.closest(people, met.memories, dates),
        *memories.longest(met.memories, dates),
    )
    return HeadToHeadPage(
        code=people.access.code,
        since=matches_since(met.matches),
        cards=cards,
        steps=draw_steps(met.leads, *names),
        lines=tuple(_lines(met.one, met.other)),
        memories=remembered if len(met.matches) > 1 else (),
        last_match=met.matches[-1].uid,
        uncounted=uncounted_words(people),
    )


def _with_and(names: list[str]) -> tuple[str, ...]:
    """Return names, each but the last with the sign that joins it to the next, which begins no line."""
    return (*(f"{name}\N{NO-BREAK SPACE}{NAMES_JOINED.strip()}" for name in names[:-1]), *names[-1:])


def _lines(one: PairFigures, other: PairFigures) -> list[TugLine]:
    lines = []
    if one.bids.of or other.bids.of:
        lines.append(_count_line("bids made", one.bids, other.bids))
    if one.moons.of or other.moons.of:
        lines.append(_count_line("moons", one.moons, other.moons))
    if one.points.of and other.points.of:
        ahead = _sign(one.points.some * other.points.of - other.points.some * one.points.of)
        lines.append(TugLine(one=_each(one.points), label="points a hand", other=_each(other.points), ahead=ahead))
    if one.biggest or other.biggest:
        ahead = _sign(one.biggest - other.biggest)
        lines.append(TugLine(one=_by(one.biggest), label="biggest win", other=_by(other.biggest), ahead=ahead))
    return lines


def _count_line(label: str, one: Count, other: Count) -> TugLine:
    """Return two counts; the better one is the greater part, which is not asked of nothing."""
    ahead = _sign(one.some * (other.of or 1) - other.some * (one.of or 1)) if one.of and other.of else 0
    return TugLine(one=_of(one), label=label, other=_of(other), ahead=ahead)


def _of(count: Count) -> str:
    return f"{count.some} of {count.of}" if count.of else "none"


def _each(points: Count) -> str:
    """Return the points of a hand, with one digit behind the point."""
    tenths = (20 * points.some + points.of) // (2 * points.of)
    return f"{tenths // 10}.{tenths % 10}"


def _by(lead: int) -> str:
    return f"by {lead}" if lead else "none"


def _sign(number: int) -> int:
    return 1 if number > 0 else 2 if number < 0 else 0
