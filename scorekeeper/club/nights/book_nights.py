"""The nights of a book: their list, links to them and season standings. Also a night as a spreadsheet."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from scorekeeper.access.links import device_digest
from scorekeeper.access.roles import Link
from scorekeeper.book.book_list import names_in_book
from scorekeeper.book.book_matches import NotInBook, find_or_add_link
from scorekeeper.book.books import BookAccess, book_of_id
from scorekeeper.book.fold import Book
from scorekeeper.club.nights import store as nights
from scorekeeper.club.nights.night import BY_WINS, Night
from scorekeeper.club.nights.sentences import night_title
from scorekeeper.club.nights.service import NightAccess
from scorekeeper.club.nights.store import NIGHT_EVENTS, NIGHT_LINKS, NightSetup
from scorekeeper.eventlog.cache import Cache
from scorekeeper.eventlog.stream import allows
from scorekeeper.matches.files.spreadsheet import Cell, csv_lines
from scorekeeper.pitch.scoring.seats import name_key
from scorekeeper.random_codes import new_code


@dataclass(frozen=True, slots=True)
class SeasonStanding:
    """The totals and the rank of a person over several nights."""

    rank: int
    """The rank, from 1 for the best; people who tie have the same."""
    person: str
    """The uid of the person in the book."""
    name: str
    """The name of the person; empty if the name was deleted."""
    nights_attended: int
    """The number of started nights to which the person came."""
    nights_won: int
    games_won: int
    games_played: int
    points: int
    """The sum of the scores of the person's sides, from games whose scores were entered."""


_cached_nights = Cache[tuple[Engine, int], Night](256)
"""Nights as folded from their events, keyed by database and night id."""
MAX_NIGHTS_WITH_SUGGESTIONS = 3
"""The number of other nights of a book, the latest ones, whose players are suggested for a night."""
MAX_SUGGESTED_PLAYERS = 200
NIGHT_CSV_COLUMNS = ("night", "round", "table", "pair 1", "pair 2", "winner", "score 1", "score 2")


def nights_in_book(session: Session, book_id: int) -> list[tuple[NightSetup, Night]]:
    """Return the nights of a book with their setups, the oldest first; deleted nights are left out.

    A night that cannot be read is as it began. The nights still have the names that the book has deleted.
    """
    setups, engine = nights.setups_in_book(session, book_id), session.get_bind().engine
    ends = NIGHT_EVENTS.ends(session, [setup.id for setup in setups])
    setups_and_nights = []
    for setup in setups:
        night = _cached_nights.get((engine, setup.id))
        if night is None or night.end != ends[setup.id]:
            night = _cached_nights.put((engine, setup.id), setup.fold(nights.readable_events(session, setup.id)))
        if not night.is_deleted:
            setups_and_nights.append((setup, night))
    return setups_and_nights


def season_standings(book: Book, season_nights: Iterable[Night], ranking: str = BY_WINS) -> list[SeasonStanding]:
    """Return the standings of all people who finished a game at `season_nights`, the best first.

    People are ranked by games won and then points or, with `BY_POINTS`, by points and then games won. Those who tie
    share a rank.
    """
    name_counts_by_person = defaultdict[str, Counter[str]](Counter)
    nights_attended, nights_won, games_won, games_played, points = totals = [Counter[str]() for _ in range(5)]

    def person_of_name(name: str) -> str:
        person = book.people.root(book.person_named(name))
        name_counts_by_person[person][name] += 1
        return person

    for night in season_nights:
        people_by_entrant = {
            uid: {*map(person_of_name, filter(None, entrant.players))} for uid, entrant in night.entrants.items()
        }
        standings = night.standings
        # Once for a person who played in two pairs.
        nights_attended.update({*chain.from_iterable(people_by_entrant[standing.uid] for standing in standings)})
        nights_won.update({*chain.from_iterable(people_by_entrant[uid] for uid in night.champion_uids)})
        for standing in standings:
            for person in people_by_entrant[standing.uid]:
                games_won[person] += standing.games_won
                games_played[person] += standing.games_played
                points[person] += standing.points

    def rank_key(person: str) -> tuple[int, int]:
        wins_first = -games_won[person], -points[person]
        return wins_first if ranking == BY_WINS else wins_first[::-1]

    def name_of(person: str) -> str:
        if person in book.people.deleted_at_by_person:
            return ""
        return book.name_of(person) or name_counts_by_person[person].most_common(1)[0][0]

    # Where a game has not ended yet, its people have a count of 0.
    people = sorted(+games_played, key=lambda person: (rank_key(person), -nights_won[person], person))
    rank_keys = [*map(rank_key, people)]
    return [
        SeasonStanding(
            rank_keys.index(rank_key(person)) + 1, person, name_of(person), *(total[person] for total in totals)
        )
        for person in people
    ]


def suggested_players(session: Session, access: NightAccess) -> tuple[Sequence[str], Sequence[str]]:
    """Return the names of players and of entrants to suggest for a night: `["Ann", "Bea"]` and `["Ann & Cal"]`.

    The names are from other nights and from matches of the night's book. Both lists are empty for a night in no book,
    and for a phone that is not an owner's.
    """
    book_id = access.setup.book_id
    if book_id is None or not access.link.is_owner:
        return (), ()
    book = book_of_id(session, book_id)
    other_nights = [night for setup, night in nights_in_book(session, book_id) if setup.id != access.setup.id]
    entrant_names = [
        entrant.name
        for night in other_nights[-1:]
        for entrant in night.entrants.values()
        if len(entrant.players) > 1 and all(map(book.may_show_name, entrant.players))
    ]
    recent_names = (
        name
        for night in reversed(other_nights[-MAX_NIGHTS_WITH_SUGGESTIONS:])
        for entrant in night.entrants.values()
        for name in entrant.players
    )
    names_by_key = {
        name_key(name): name for name in (*filter(book.may_show_name, recent_names), *names_in_book(session, book_id))
    }
    return [*names_by_key.values()][:MAX_SUGGESTED_PLAYERS], entrant_names


def code_of_night_link(session: Session, access: BookAccess, device: str, uid: str) -> str:
    """Return the code of a phone's link to the night `uid` of a book; commits.

    A phone without a link gets one with its role in the book; a link with a lower role is raised to that role. An ended
    link is renewed only for an owner of the book. Raises `NotInBook`; raises `LinkEnded` if the link to the book has
    ended.
    """
    setup = nights.setup_by_uid(session, uid)
    if setup is None or setup.book_id != access.id:
        raise NotInBook(uid)
    night_id, digest = setup.id, device_digest(device)

    def find_link(role: str) -> Link | None:
        own_link = NIGHT_LINKS.own_link(session, digest, night_id)
        if own_link and (not access.link.is_owner if own_link.ended_at else allows(own_link.role, role)):
            return own_link
        return None

    def add_or_raise_link(role: str) -> Link:
        book_link = {"book_link_id": access.link.id}
        if own_link := NIGHT_LINKS.own_link(session, digest, night_id):
            NIGHT_LINKS.change(session, own_link, role=role, revoked_at=None, **book_link)
            return own_link
        return NIGHT_LINKS.add(session, night_id, new_code(), role, datetime.now(UTC), device=digest, **book_link)

    return find_or_add_link(session, access, "night", night_id, find_link, add_or_raise_link)


def ladder_night_csv(night: Night) -> bytes:
    """Return a night as CSV: a row for each game, and one for each entrant that sits out a round."""
    title, rows = night_title(night), list[list[Cell]]([[*NIGHT_CSV_COLUMNS]])
    for round_ in night.rounds:
        for game in round_.games:
            winner = "" if game.winner is None else night.name(game.winner)
            scores = game.scores or ("", "")
            rows.append([title, round_.number, game.table, *map(night.name, game.sides), winner, *scores])
        rows += [[title, round_.number, "", night.name(uid), "", "", "", ""] for uid in round_.sitting_out_uids]
    return b"".join(csv_lines(rows))
