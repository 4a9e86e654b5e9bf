"""Books of a family: matches as they might have been, put into a book at once and with all their hands."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from scorekeeper.book import store as books
from scorekeeper.book.book_matches import begin_book
from scorekeeper.book.books import BookAccess, load_book
from scorekeeper.book.events import MatchAdded
from scorekeeper.book.store import BOOK_EVENTS
from scorekeeper.club.figures import store as figures
from scorekeeper.club.figures.counting import book_matches, count_all
from scorekeeper.club.figures.match_figures import SeatedPlayer
from scorekeeper.database.tables import EndingRow, EventRow, MatchFiguresRow
from scorekeeper.eventlog.stream import StoredEvent
from scorekeeper.matches import store as matches
from scorekeeper.matches.fold import Match
from scorekeeper.pitch.rules.library import Library
from scorekeeper.random_codes import new_code
from tests.common.importing import import_records

BIDS: list[int | str] = [5, 6, 7, 8, "moon"]
MOON = 26
"""What a moon is worth, made or set."""
FOUR = ("Ann", "Bea", "Cal", "Dan")
BEGAN = date(2025, 5, 3)


@dataclass(frozen=True)
class Evening:
    """A match to be played."""

    players: Sequence[str]
    on: date
    title: str = ""


def begin_family_book(session: Session) -> BookAccess:
    """Begin a book."""
    link = begin_book(session, "", new_code())
    session.commit()
    return load_book(session, link.code)


def play(session: Session, library: Library, access: BookAccess, evenings: Sequence[Evening], seed: int = 1) -> None:
    """Play matches of Colorado Ten Point to 42 by chance, and put them into a book."""
    random = Random(seed)
    records = [_record(evening, random) for evening in evenings]
    put(session, access, import_records(session, library, records))
    count_all(session)


def play_calling(session: Session, library: Library, access: BookAccess, on: date) -> None:
    """Play a match of five alone in which Ann calls Cal or Dan as partner in each hand, and put it into a book."""
    awards = dict.fromkeys(library["pawnee-call-your-partner"].in_play, "bidders")
    hands = [
        {"bidder": "Ann", "bid": 6, "trump": "hearts", "partner": "Cal" if number % 3 else "Dan", "taken": awards}
        for number in range(12)
    ]
    record = {
        "format": "pitch-record/1",
        "variant": "pawnee-call-your-partner",
        "players": ["Ann", "Bea", "Cal", "Dan", "Eve"],
        "played_on": on.isoformat(),
        "hands": hands,
    }
    put(session, access, import_records(session, library, [record]))
    count_all(session)


def put(session: Session, access: BookAccess, found: Sequence[Match]) -> None:
    """Put matches into a book."""
    first = load_book(session, access.code).book.version + 1
    events = [
        StoredEvent(seq, new_code(), datetime.now(UTC), "", MatchAdded(match=match.setup.uid))
        for seq, match in enumerate(found, first)
    ]
    BOOK_EVENTS.add(session, access.id, events)
    books.put_matches(session, [match.id for match in found], access.id)
    session.commit()


def evenings(number: int, people: Sequence[str], seed: int = 1, days: int = 12) -> Iterator[Evening]:
    """Yield evenings at which four of some people played, those named first most often."""
    random, on = Random(seed), BEGAN
    titles = ("Thursday", "Sunday at Grandma’s", "Halloween", "")
    for _ in range(number):
        chosen: list[str] = []
        while len(chosen) < 4:
            who = people[min(int(random.expovariate(3 / len(people))), len(people) - 1)]
            if who not in chosen:
                chosen.append(who)
        yield Evening(chosen, on, random.choice(titles))
        on += timedelta(days=random.randint(1, 2 * days - 1))


def _record(evening: Evening, random: Random, target: int = 42) -> dict[str, Any]:
    hands, scores = list[dict[str, Any]](), [0, 0]
    sides = ["North", "South"]
    for _ in range(200):
        bidder = random.randrange(4)
        bid: int | str = random.choices(BIDS, [40, 40, 25, 8, 2])[0]
        side = bidder % 2
        taken = 10 if bid == "moon" and random.random() < 0.4 else min(10, max(0, round(random.gauss(7.0, 1.8))))
        points = {sides[side]: taken, sides[1 - side]: 10 - taken}
        hand = {"bidder": evening.players[bidder], "bid": bid, "trump": "hearts", "points": points}
        is_made = taken == 10 if bid == "moon" else taken >= int(bid)
        stake = MOON if bid == "moon" else int(bid)
        hands.append(hand | ({"all_tricks": is_made} if bid == "moon" else {}))
        scores[side] += (MOON if bid == "moon" else taken) if is_made else -stake
        scores[1 - side] += 10 - taken
        if max(scores) >= target:
            break
    members = [[evening.players[0], evening.players[2]], [evening.players[1], evening.players[3]]]
    return {
        "format": "pitch-record/1",
        "variant": "colorado-ten-point",
        "house": {} if target == 42 else {"target": target},
        "players": list(evening.players),
        "sides": [{"name": name, "players": who} for name, who in zip(sides, members, strict=True)],
        "title": evening.title,
        "played_on": evening.on.isoformat(),
        "hands": hands,
    }


def big_book(session: Session, library: Library) -> BookAccess:
    """Make a book of 20 years: some matches of 40 hands are played, and the others are copies with other people."""
    random = Random(20)
    # Of about so many hands each: 80,000 in all.
    records = [_record(Evening(FOUR, BEGAN), random, target=155) for _ in range(60)]
    records = [record for record in records if 36 <= len(record["hands"]) <= 44][:10]
    templates = [match for match in import_records(session, library, records) if match.state.outcome]
    access = begin_family_book(session)
    put(session, access, templates)
    count_all(session)
    shown = book_matches(session, access.id, load_book(session, access.code).book)
    counted = {match.id: match.figures for match in shown.matches}
    names = [f"Person {number}" for number in range(1, 61)]
    by_id = {match.id: match for match in templates}
    added, stored, events = list[int](), list[Any](), list[StoredEvent]()
    version = load_book(session, access.code).book.version
    evenings_ = list(evenings(2000 - len(templates), names, seed=7, days=4))
    for number, evening in enumerate(evenings_):
        origin = templates[number % len(templates)].id
        setup, uid = matches.setup_by_id(session, origin), new_code()
        called = dict(zip(("p1", "p2", "p3", "p4"), evening.players, strict=True))
        seats = tuple(replace(seat, name=called[seat.id]) for seat in setup.seats)
        new = replace(setup, uid=uid, seats=seats, played_on=evening.on.isoformat())
        match_id = matches.add_match(session, new, matches.ruleset_text(session, origin), None)
        added.append(match_id)
        _copy(session, EventRow.__table__, origin, match_id)
        _copy(session, EndingRow.__table__, origin, match_id)
        origin_figures = counted[origin]
        seated = tuple(
            SeatedPlayer(s.seat, 0, called[s.seat], called[s.seat], s.hands, 0) for s in origin_figures.seated
        )
        copied = origin_figures._replace(seated=seated, day=evening.on.isoformat())
        stored.append((match_id, by_id[origin].version, copied))
        events.append(StoredEvent(version + 1 + number, new_code(), datetime.now(UTC), "", MatchAdded(match=uid)))
    BOOK_EVENTS.add(session, access.id, events)
    books.put_matches(session, added, access.id)
    figures.set_figures(session, stored)
    session.commit()
    return load_book(session, access.code)


def _copy(session: Session, table: sa.Table, origin: int, match_id: int) -> None:
    copied = [column for column in table.c if column.name not in ("id", "match_id")]
    chosen = sa.select(sa.literal(match_id), *copied).where(table.c.match_id == origin)
    session.execute(sa.insert(table).from_select(["match_id", *(column.name for column in copied)], chosen))


def drop_all_figures(session: Session) -> None:
    """Delete what was counted of every match."""
    session.execute(sa.delete(MatchFiguresRow.__table__))
    session.commit()


def count_again(session: Session) -> None:
    """Count every match anew, whatever was stored of it."""
    drop_all_figures(session)
    count_all(session)
