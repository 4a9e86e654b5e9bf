"""The nights of a book: listed, opened by its phones, added up to a season, and one of them for a spreadsheet."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from typing import IO

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from scorekeeper.access.links import device_digest
from scorekeeper.book.book_list import names_in_book
from scorekeeper.book.book_matches import NotInBook, find_or_add_link
from scorekeeper.book.books import BookAccess, book_of_id
from scorekeeper.book.fold import Book
from scorekeeper.club.nights import store as nights
from scorekeeper.club.nights.night import BY_WINS, Night
from scorekeeper.club.nights.sentences import night_title
from scorekeeper.club.nights.service import NightAccess
from scorekeeper.club.nights.store import NIGHT_EVENTS, NIGHT_LINKS, NightLink, NightSetup
from scorekeeper.eventlog.cache import Cache
from scorekeeper.eventlog.stream import allows
from scorekeeper.matches.files.spreadsheet import Cell, csv_lines
from scorekeeper.pitch.scoring.seats import name_key
from scorekeeper.random_codes import new_code


@dataclass(frozen=True, slots=True)
class SeasonStanding:
    """A person's standing over several nights."""

    rank: int
    """The same for all who tie."""
    person: str
    name: str
    """The name of the person; empty where it was deleted."""
    nights: int
    firsts: int
    """How many of the nights they won."""
    won: int
    """The number of games won."""
    played: int
    points: int
    """The points of the games whose score was entered."""


_cached_nights = Cache[tuple[Engine, int], Night](256)
"""The folded nights, by database and night id."""
MAX_NIGHTS_WITH_SUGGESTIONS = 3
"""The number of nights before, from which players are suggested."""
MAX_SUGGESTED_PLAYERS = 200
CSV_COLUMNS = ("night", "round", "table", "pair 1", "pair 2", "winner", "score 1", "score 2")


def nights_in_book(session: Session, book_id: int) -> list[tuple[NightSetup, Night]]:
    """Return the nights of a book that are not deleted, oldest first; cached. Names are those typed at the night.

    Only nights with new events are read again.
    """
    setups, engine = nights.setups_in_book(session, book_id), session.get_bind().engine
    ends = NIGHT_EVENTS.ends(session, [setup.id for setup in setups])
    found = []
    for setup in setups:
        night = _cached_nights.get((engine, setup.id))
        if night is None or night.end != ends[setup.id]:
            night = setup.fold(NIGHT_EVENTS.load(session, setup.id))
            _cached_nights.put((engine, setup.id), night)
        if not night.is_deleted:
            found.append((setup, night))
    return found


def season_standings(book: Book, every: Iterable[Night], by: str = BY_WINS) -> list[SeasonStanding]:
    """Return the standings of a book's people over some nights, the first one first.

    They are ranked by wins and then points, or with `BY_POINTS` by points and then wins.
    """
    typed = defaultdict[str, Counter[str]](Counter)
    came, firsts, won, played, points = (Counter[str]() for _ in range(5))

    def person_of(name: str) -> str:
        person = book.people.root(book.person_named(name))
        typed[person][name] += 1
        return person

    for night in every:
        people = {uid: {*map(person_of, filter(None, pair.players))} for uid, pair in night.pairs.items()}
        standings, champions = night.standings, {*night.champions}
        came.update({*chain.from_iterable(people[standing.pair] for standing in standings)})
        for standing in standings:
            for person in people[standing.pair]:
                firsts[person] += standing.pair in champions
                won[person] += standing.won
                played[person] += standing.played
                points[person] += standing.points

    def rank_key(person: str) -> tuple[int, int]:
        counts = -won[person], -points[person]
        return counts if by == BY_WINS else counts[::-1]

    ranks = sorted(map(rank_key, came))
    in_order = sorted(came, key=lambda person: (rank_key(person), -firsts[person], person))
    counts, nameless = (came, firsts, won, played, points), book.people.nameless
    names = {who: "" if who in nameless else book.name_of(who) or typed[who].most_common(1)[0][0] for who in in_order}
    return [
        SeasonStanding(ranks.index(rank_key(who)) + 1, who, names[who], *(count[who] for count in counts))
        for who in in_order
    ]


def suggested_players(session: Session, access: NightAccess) -> tuple[Sequence[str], Sequence[str]]:
    """Return two lists to suggest for a night: the players of recent nights and of the book, and the last pairs."""
    book_id = access.setup.book_id
    if book_id is None:
        return (), ()
    book = book_of_id(session, book_id)
    before = [night for setup, night in nights_in_book(session, book_id) if setup.id != access.setup.id]
    pairs = [pair for night in before[-1:] for pair in night.pairs.values() if all(map(book.has_name, pair.players))]
    played = (
        name
        for night in reversed(before[-MAX_NIGHTS_WITH_SUGGESTIONS:])
        for pair in night.pairs.values()
        for name in pair.players
    )
    names = {name_key(name): name for name in (*filter(book.has_name, played), *names_in_book(session, book_id))}
    return [*names.values()][:MAX_SUGGESTED_PLAYERS], [pair.name for pair in pairs if len(pair.players) > 1]


def code_of_night_link(session: Session, access: BookAccess, device: str, uid: str) -> str:
    """Return the code of a phone's link to a night of a book, committing a new or wider one; raises `NotInBook`.

    A phone that was removed from the night stays removed, unless it owns the book.
    """
    found = nights.by_uid(session, uid)
    if found is None or found.book_id != access.id:
        raise NotInBook(uid)
    night_id, digest = found.id, device_digest(device)

    def find(role: str) -> NightLink | None:
        given = NIGHT_LINKS.own_link(session, digest, night_id)
        if given and (allows(given[0].role, role) if given[1] else not access.link.is_owner):
            return given[0]
        return None

    def add(role: str) -> NightLink:
        if given := NIGHT_LINKS.own_link(session, digest, night_id):
            NIGHT_LINKS.change(session, given[0], role=role, revoked_at=None, book_link_id=access.link.id)
            return given[0]
        now, by_book = datetime.now(UTC), access.link.id
        return NIGHT_LINKS.add(session, night_id, new_code(), role, now, device=digest, book_link_id=by_book)

    return find_or_add_link(session, access, "night", night_id, find, add)


def write_night_csv(night: Night, file: IO[bytes]) -> None:
    """Write a CSV row for each game of a night, and one for each pair or player that sat out of a round."""

    def rows() -> Iterator[list[Cell]]:
        yield [*CSV_COLUMNS]
        for round_ in night.rounds:
            for game in round_.games:
                first, second = map(night.name, game.pairs)
                winner = "" if game.winner is None else night.name(game.winner)
                scores: list[Cell] = ["", ""] if game.scores is None else [*game.scores]
                yield [night_title(night), round_.number, game.table, first, second, winner, *scores]
            for uid in round_.out:
                yield [night_title(night), round_.number, "", night.name(uid), "", "", "", ""]

    file.writelines(csv_lines(rows()))
