"""What the page of one person shows."""

from collections.abc import Mapping
from dataclasses import dataclass

from scorekeeper.graphics.bars import Bar
from scorekeeper.narration.dates import DateStyle
from scorekeeper.rules.phrases import listed
from scorekeeper.services.people import BookPeople
from scorekeeper.statistics.match_figures import bid_order
from scorekeeper.statistics.people import PersonFigures, fold_person
from scorekeeper.statistics.seated import Count, SeatedMatch
from scorekeeper.web.people.labels import JOINED, bars_of, bid_label, matches_since, score_words
from scorekeeper.web.people.page import PersonLine, person_lines, uncounted_words
from scorekeeper.web.shared.reader import plain_day

FEWEST_TOGETHER = 5
"""Matches with one partner, of which one may be called the best."""
FEWEST_CHARTED = 2
MOST_CHIPS, MOST_LISTED = 10, 5


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedLine:
    """A match that somebody played."""

    uid: str
    title: str
    small: str
    """"Nov 19, with Cal"."""
    won: bool
    score: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonPage:
    """Template people/person.html."""

    code: str
    uid: str
    name: str
    since: str
    won: int
    played: int
    best_streak: int
    streak: int
    bids: tuple[Bar, ...]
    made: str
    """"116 of 152 made"."""
    is_charted: bool
    """Whether there is enough for bars."""
    partners: tuple[PersonLine, ...]
    partner_links: Mapping[str, str]
    """How an address names the pair, by the partner's uid."""
    best_partner: str
    """"best: Cal, 16 of 26"; empty where nobody was one often enough."""
    called: tuple[PersonLine, ...]
    rivals: tuple[PersonLine, ...]
    chips: tuple[bool, ...]
    """Whether each of the last matches was won, the last one first."""
    matches: tuple[PlayedLine, ...]
    uncounted: str
    is_owner: bool


def person_page(people: BookPeople, person: str, dates: DateStyle) -> PersonPage:
    """Return the page of one person."""
    figures = _figures(people, person)
    last = figures.matches[::-1]
    won = figures.won
    is_charted = won.of >= FEWEST_CHARTED
    bids = sorted(figures.bids.items(), key=lambda item: bid_order(item[0]))
    name = people.names[person]
    partners = person_lines(people, _ordered(figures.partners))
    return PersonPage(
        code=people.access.code,
        uid=person,
        name=name,
        since=matches_since(figures.matches) or "no whole match yet",
        won=won.some,
        played=won.of,
        best_streak=figures.best_streak,
        streak=figures.streak,
        bids=bars_of(((bid_label(bid), count) for bid, count in bids), "made") if is_charted else (),
        made=f"{figures.made.some} of {figures.made.of} made",
        is_charted=is_charted,
        partners=partners if is_charted else (),
        partner_links={line.uid: JOINED.join(sorted((person, line.uid))) for line in partners},
        best_partner=_best(people, figures.partners),
        called=person_lines(people, _ordered(figures.called), "made") if is_charted else (),
        rivals=person_lines(people, _ordered(figures.rivals)) if is_charted else (),
        chips=tuple(match.has_won(person) for match in last[:MOST_CHIPS]),
        matches=tuple(_played(people, match, person, dates) for match in last[:MOST_LISTED]),
        uncounted=uncounted_words(people),
        is_owner=people.access.link.is_owner,
    )


def _figures(people: BookPeople, person: str) -> PersonFigures:
    memo = people.found.memo
    key = "person", person
    if key not in memo:
        memo[key] = fold_person(person, people.matches)
    figures: PersonFigures = memo[key]
    return figures


def _ordered(counts: Mapping[str, Count]) -> list[tuple[str, Count]]:
    return sorted(counts.items(), key=lambda item: (-item[1].of, -item[1].some, item[0]))


def _best(people: BookPeople, partners: Mapping[str, Count]) -> str:
    """Return with whom a person won most of the matches that they played; nobody where two are alike."""
    often = [(who, it) for who, it in partners.items() if it.of >= FEWEST_TOGETHER and who in people.names]
    if len(often) < FEWEST_CHARTED:
        return ""
    # 16 of 26 against 5 of 9, without a fraction.
    who, best = often[0]
    for other, count in often[1:]:
        if (count.some * best.of, count.of) > (best.some * count.of, best.of):
            who, best = other, count
    ties = [it for other, it in often if other != who and it.some * best.of == best.some * it.of and it.of == best.of]
    return "" if ties else f"best: {people.names[who]}, {best.some} of {best.of}"


def _played(people: BookPeople, match: SeatedMatch, person: str, dates: DateStyle) -> PlayedLine:
    figures, place = match.figures, match.players[person]
    others = [people.name_in(match, other) for other in match.teams[place] if other != person]
    company = f", with {listed(sorted(others))}" if others else ""
    return PlayedLine(
        uid=match.uid,
        title=figures.title or figures.rules,
        small=f"{plain_day(figures.on, dates)}{company}",
        won=figures.sides[place].won,
        score=score_words(figures, place),
    )
