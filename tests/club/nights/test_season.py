"""A season of ten nights of twelve tables, pairs and singles, with what goes wrong at a club; counted a second time."""

import csv
import gzip
import io
import json
from collections import Counter
from functools import partial
from itertools import count
from random import Random

import pytest
import sqlalchemy as sa
from sqlalchemy.orm import Session

from scorekeeper.access import invitations
from scorekeeper.access.phones import end_link, give_role
from scorekeeper.access.roles import LinkEnded
from scorekeeper.book.books import BookAccess, book_of_id, books_of_device, join_book, write_book
from scorekeeper.book.events import NameDeleted, NameRestored, PeopleJoined
from scorekeeper.book.fold import person_uid
from scorekeeper.club.book_files import service as book_file
from scorekeeper.club.book_files.file import BookFileRefused
from scorekeeper.club.nights import words
from scorekeeper.club.nights.book_nights import (
    known_players,
    nights_in_book,
    open_night,
    season_in_book,
    write_night_csv,
)
from scorekeeper.club.nights.events import GameWon, NightEnded, NightPlanned, PairLeft, PairRemoved, PairRenamed
from scorekeeper.club.nights.night import BY_POINTS, BY_WINS, PAIRS, SINGLES
from scorekeeper.club.nights.service import (
    NightAccess,
    add_pairs,
    draw_round,
    draw_tables,
    latest_nights,
    load_night,
    nights_of_device,
    shown_night,
    start_night,
    write_night,
)
from scorekeeper.eventlog.store import Writer
from scorekeeper.eventlog.stream import OWNER, SCORER, WATCHER, undo_last
from scorekeeper.matches.files.import_run import Importer
from scorekeeper.matches.match_list import HIGHEST_ID

NIGHTS, TABLES, ROUNDS = 10, 12, 4
PEOPLE = [f"Player {number}" for number in range(4 * TABLES)]
keys = (f"key-{number}" for number in count())


def by() -> Writer:
    return Writer(next(keys))


class Club:
    """A club's season as a second hand counts it, game by game."""

    def __init__(self, session: Session) -> None:
        self.session, self.rng = session, Random(33)
        self.won, self.points, self.played, self.nights = (Counter[str]() for _ in range(4))

    @property
    def book(self) -> BookAccess:
        return books_of_device(self.session, "host")[0]

    def begin(self, mode: str, device: str = "host") -> NightAccess:
        plan = NightPlanned(mode=mode, ranking=BY_POINTS if mode == SINGLES else BY_WINS)
        said = {"title": f"{mode} night", "rounds": ROUNDS, "idempotency_key": next(keys)}
        code = start_night(self.session, device, plan=plan, **said)  # type: ignore[arg-type]
        people = self.rng.sample(PEOPLE, len(PEOPLE))
        came = [[it] for it in people] if mode == SINGLES else [*map(list, zip(people[::2], people[1::2], strict=True))]
        self.nights.update(people)
        return add_pairs(self.session, code, came, by())

    def play(self, found: NightAccess, code: str) -> NightAccess:
        """Play a round, each table with a score, and count it."""
        of = found.night.current
        assert of
        for game in of.games:
            low = self.rng.randint(-5, 10)
            first = self.rng.random() < 0.5
            scores = (11, low) if first else (low, 11)
            won = GameWon(round=of.number, table=game.table, winner=game.pairs[not first], scores=scores)
            found = write_night(self.session, code, won, by())
            for pair, score in zip(game.pairs, scores, strict=True):
                for name in found.night.name(pair).split(" & "):
                    self.played[name] += 1
                    self.points[name] += score
                    self.won[name] += pair == won.winner
        return found

    def go_on(self, found: NightAccess, code: str) -> NightAccess:
        number = len(found.night.rounds) + 1
        return write_night(self.session, code, partial(draw_round, number), by())

    def night(self, mode: str) -> NightAccess:
        found = self.begin(mode)
        found = write_night(self.session, found.code, draw_tables, by())
        for _ in range(ROUNDS - 1):
            found = self.go_on(self.play(found, found.code), found.code)
        return self.play(found, found.code)


@pytest.fixture
def club(session: Session) -> Club:
    """Play ten nights: of the first the host's phone is lost, in the second a pair, in the third a table is wrong."""
    club = Club(session)
    lost = club.begin(PAIRS)
    lost = club.play(write_night(session, lost.code, draw_tables, by()), lost.code)
    other = join_book(session, invitations.invite(session, club.book, SCORER), "other", "Bea")
    give_role(session, club.book, other.id, OWNER)
    access = next(it for it in books_of_device(session, "other") if it.link.id == other.id)
    code = open_night(session, access, "other", lost.setup.uid)
    assert code != lost.code
    assert load_night(session, code).link.is_owner
    found = load_night(session, code)
    for _ in range(ROUNDS - 1):
        found = club.play(club.go_on(found, code), code)
    assert found.night.is_over

    mistyped = club.begin(PAIRS)
    mistyped = add_pairs(session, mistyped.code, [["Playre 3", "Palyer 4"]], by())
    wrong = max(mistyped.night.pairs)
    mistyped = write_night(session, mistyped.code, PairRemoved(pair=wrong), by())
    mistyped = write_night(session, mistyped.code, draw_tables, by())
    for _ in range(ROUNDS - 1):
        mistyped = club.go_on(club.play(mistyped, mistyped.code), mistyped.code)
    mistyped = club.play(mistyped, mistyped.code)
    assert wrong not in [it.pair for it in mistyped.night.standings]

    corrected = club.night(SINGLES)
    game = corrected.night.rounds[0].games[4]
    assert game.winner is not None
    assert game.scores is not None
    right = GameWon(round=1, table=5, winner=game.other(game.winner), scores=game.scores[::-1])
    corrected = write_night(session, corrected.code, right, by())
    for pair, sign in ((game.winner, -1), (game.other(game.winner), 1)):
        for name in corrected.night.name(pair).split(" & "):
            club.won[name] += sign
            club.points[name] += sign * (max(game.scores) - min(game.scores))
    for number in range(3, NIGHTS):
        club.night(SINGLES if number % 2 else PAIRS)
    return club


def test_a_season_adds_up_as_it_was_played_and_comes_back_from_its_file(club: Club, session: Session) -> None:
    access = club.book
    every = [night for _, night in nights_in_book(session, access.id)]
    assert len(every) == NIGHTS
    assert all(night.is_over for night in every)

    season = season_in_book(access.book, every)
    by_name = {season.names[it.person]: it for it in season.standings}
    assert set(by_name) == set(PEOPLE)
    for name, it in by_name.items():
        assert (it.won, it.points, it.played, it.nights) == (
            club.won[name],
            club.points[name],
            club.played[name],
            club.nights[name],
        )
    ranks = [(it.won, it.points) for it in season.standings]
    assert ranks == sorted(ranks, reverse=True)
    assert [it.rank for it in season.standings] == [ranks.index(it) + 1 for it in ranks]
    by_points = season_in_book(access.book, every, BY_POINTS).standings
    assert [it.points for it in by_points] == sorted(club.points.values(), reverse=True)
    for night in every:
        had = Counter(frozenset(pair) for pairs, _ in night.drawn for pair in pairs)
        assert night.plan.mode == PAIRS or max(had.values()) == 1

    partners = {
        it for night in every for pair in night.pairs.values() if PEOPLE[0] in pair.players for it in pair.players
    }
    two = PEOPLE[0], next(name for name in PEOPLE if name not in partners)
    one, other = (person_uid(access.uid, name) for name in two)
    joined = write_book(session, access.code, PeopleJoined(person=one, into=other), by())
    together = next(it for it in season_in_book(joined.book, every).standings if it.person == other)
    assert together.won == sum(club.won[name] for name in two)

    before = {setup.uid: night for setup, night in nights_in_book(session, access.id)}
    file = io.BytesIO()
    book_file.write_file(session, access.id, file)
    assert json.loads(gzip.decompress(file.getvalue()).split(b"\n")[0])["format"] == "pitch-book/2"
    done = book_file.import_book(session, file, link=access.link, importer=Importer("host", "192.0.2.7"))
    assert not done.preview.changes_anything
    assert {setup.uid: night for setup, night in nights_in_book(session, access.id)} == before
    for table in ("night_link", "night_event", "night", "device_book", "book_link", "book_event", "book", "import_run"):
        session.execute(sa.text(f"DELETE FROM {table}"))
    session.commit()

    done = book_file.import_book(session, file, importer=Importer("next", "192.0.2.8"))

    assert {setup.uid: night for setup, night in nights_in_book(session, done.book_id)} == before
    [back] = books_of_device(session, "next")
    again = io.BytesIO()
    book_file.write_file(session, back.id, again)
    assert again.getvalue() == file.getvalue()
    listed, _ = latest_nights(session, 20, HIGHEST_ID)
    assert {(it.setup.uid, it.setup.book_id) for it in listed} == {(uid, back.id) for uid in before}
    assert all(load_night(session, it.code).link.is_owner for it in listed)
    assert open_night(session, back, "next", listed[0].setup.uid) == listed[0].code
    assert len(nights_of_device(session, "next")) == NIGHTS


def test_a_phone_that_is_removed_from_the_book_loses_the_nights_that_it_had_by_it(session: Session) -> None:
    found = Club(session).begin(PAIRS)
    access = books_of_device(session, "host")[0]
    guest = join_book(session, invitations.invite(session, access, WATCHER), "guest", "Bea")
    theirs = next(it for it in books_of_device(session, "guest") if it.link.id == guest.id)
    code = open_night(session, theirs, "guest", found.setup.uid)
    assert load_night(session, code).link.role == WATCHER
    assert open_night(session, theirs, "guest", found.setup.uid) == code
    assert open_night(session, access, "host", found.setup.uid) == found.code

    end_link(session, access, guest.id, "host")

    with pytest.raises(LinkEnded):
        load_night(session, code)
    assert load_night(session, found.code).link.is_owner


def test_a_night_that_is_here_stays_as_it_is_and_one_that_was_written_by_hand_is_refused(session: Session) -> None:
    club = Club(session)
    found = club.begin(SINGLES)
    access, early, late = club.book, io.BytesIO(), io.BytesIO()
    book_file.write_file(session, access.id, early)
    found = write_night(session, found.code, draw_tables, by())
    found = write_night(session, found.code, PairLeft(pair=found.night.present[0]), by())
    found = write_night(session, found.code, undo_last, by())
    found = club.play(found, found.code)
    book_file.write_file(session, access.id, late)
    done = book_file.import_book(session, early, link=access.link)
    assert (done.preview.nights, done.preview.skipped_nights) == ([], 1)
    assert nights_in_book(session, access.id)[0][1] == found.night

    lines = gzip.decompress(late.getvalue()).splitlines(keepends=True)
    place = next(place for place, line in enumerate(lines) if b'"kind":"drawn"' in line)
    for old, new in ((b'"round":1', b'"round":7'), (b'"round":1', b'"round":"x"'), (b'"out":[]', b'"out":[999]')):
        wrong = [*lines[:place], lines[place].replace(old, new), *lines[place + 1 :]]
        assert wrong != lines
        with pytest.raises(BookFileRefused, match="the night “singles night”"):
            book_file.import_book(session, io.BytesIO(b"".join(wrong)), link=access.link)
    older = [lines[0].replace(b"pitch-book/2", b"pitch-book/1"), *lines[1:]]
    with pytest.raises(BookFileRefused):
        book_file.import_book(session, io.BytesIO(b"".join(older)), link=access.link)


def test_a_night_is_a_spreadsheet_of_its_games(session: Session) -> None:
    club, file = Club(session), io.BytesIO()
    found = club.begin(PAIRS)
    found = club.play(write_night(session, found.code, draw_tables, by()), found.code)
    found = write_night(session, found.code, NightEnded(), by())

    write_night_csv(found.night, file)

    rows = [*csv.DictReader(io.StringIO(file.getvalue().decode("utf-8-sig")))]
    assert len(rows) == TABLES
    game = found.night.rounds[0].games[0]
    assert game.winner
    assert game.scores
    assert rows[0]["winner"] == found.night.name(game.winner)
    assert (rows[0]["score 1"], rows[0]["score 2"]) == tuple(map(str, game.scores))


@pytest.mark.parametrize("name", ["Zoe", "zoe"])
def test_a_name_that_the_book_deletes_is_nowhere_in_its_nights_and_comes_back(session: Session, name: str) -> None:
    code = start_night(session, "host", title="Friday", rounds=1, idempotency_key=next(keys))
    found = add_pairs(session, code, [["Zoee", "Player 1"], ["Bo", "Di"]], by())
    first = found.night.present[0]
    write_night(session, code, PairRenamed(pair=first, players=("Zoe", "Player 1")), by())
    write_night(session, code, draw_tables, by())
    won = write_night(session, code, GameWon(round=1, table=1, winner=first), by())
    access = books_of_device(session, "host")[0]
    zoe = person_uid(access.uid, name)

    def said() -> str:
        access, table, file = books_of_device(session, "host")[0], io.BytesIO(), io.BytesIO()
        found = load_night(session, code)
        write_night_csv(found.night, table)
        book_file.write_file(session, access.id, file)
        listed, _ = latest_nights(session, 1, HIGHEST_ID)
        next_night = load_night(session, start_night(session, "host", title="", rounds=1, idempotency_key=next(keys)))
        known = known_players(session, next_night)
        lines = gzip.decompress(file.getvalue()).decode()
        return f"{table.getvalue().decode()} {lines} {listed[0].night} {found.night} {known}"

    assert "Zoee" in said()
    access = write_book(session, access.code, NameDeleted(person=zoe), by())
    assert "Zoe" not in said()
    night = load_night(session, code).night
    assert night.name(first) == "Player 2 & Player 1"
    assert words.champion_words(night) == "Player 2 & Player 1 win the night"
    file = io.BytesIO()
    book_file.write_file(session, access.id, file)
    later = add_pairs(
        session, start_night(session, "host", title="", rounds=1, idempotency_key=next(keys)), [["Zoe"]], by()
    )
    assert later.night.name(later.night.present[0]) == "Zoe", "what is typed later is shown"
    assert load_night(session, later.code).night == later.night

    write_book(session, access.code, NameRestored(person=zoe), by())
    assert load_night(session, code).night == won.night

    for table in ("night_link", "night_event", "night", "device_book", "book_link", "book_event", "book", "import_run"):
        session.execute(sa.text(f"DELETE FROM {table}"))
    session.commit()
    done = book_file.import_book(session, file)
    [(setup, _), *_] = nights_in_book(session, done.book_id)
    assert latest_nights(session, 9, HIGHEST_ID)[0][-1].code, "a command gets a link as well"
    book = book_of_id(session, done.book_id)
    every = [night for _, night in nights_in_book(session, done.book_id)]
    assert words.champion_words(shown_night(book, setup, every[0])) == "Player 2 & Player 1 win the night"
    assert {*season_in_book(book, every).names.values()} == {"Player 1", "Bo", "Di"}
