"""Books of a family: matches as they might have been, put into a book at once and with all their hands."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
from scorekeeper.club.figures.counting import compute_stale_figures
from scorekeeper.database.tables import MatchFiguresRow
from scorekeeper.eventlog.stream import StoredEvent
from scorekeeper.matches.fold import Match
from scorekeeper.pitch.rules.library import Library
from scorekeeper.random_codes import new_code
from tests.common.importing import import_records

BIDS: list[int | str] = [5, 6, 7, 8, "moon"]
MOON = 26
"""What a moon is worth, made or set."""
FOUR = ("Ann", "Bea", "Cal", "Dan")
BEGAN = date(2025, 5, 3)
USUAL_TARGET = 42


@dataclass(frozen=True)
class Evening:
    """A match to be played."""

    players: Sequence[str]
    on: date
    title: str = ""


def begin_family_book(session: Session) -> BookAccess:
    """Begin a book."""
    link = begin_book(session, None)
    session.commit()
    return load_book(session, link.code)


def play(
    session: Session,
    library: Library,
    access: BookAccess,
    evenings: Sequence[Evening],
    seed: int = 1,
    target: int = USUAL_TARGET,
) -> None:
    """Play matches of Colorado Ten Point by chance, and put them into a book."""
    random = Random(seed)
    records = [_record(evening, random, target) for evening in evenings]
    put(session, access, import_records(session, library, records))
    compute_stale_figures(session)


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
    compute_stale_figures(session)


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


def _record(evening: Evening, random: Random, target: int) -> dict[str, Any]:
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
        "house": {} if target == USUAL_TARGET else {"target": target},
        "players": list(evening.players),
        "sides": [{"name": name, "players": who} for name, who in zip(sides, members, strict=True)],
        "title": evening.title,
        "played_on": evening.on.isoformat(),
        "hands": hands,
    }


def drop_all_figures(session: Session) -> None:
    """Delete what was counted of every match."""
    session.execute(sa.delete(MatchFiguresRow.__table__))
    session.commit()


def count_again(session: Session) -> None:
    """Count every match anew, whatever was stored of it."""
    drop_all_figures(session)
    compute_stale_figures(session)
