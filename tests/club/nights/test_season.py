"""A season of ten nights of twelve tables, pairs and singles, with what goes wrong at a club; counted a second time."""

import gzip
import io
import json
from collections import Counter, defaultdict
from dataclasses import replace
from functools import partial
from random import Random

import pytest
from sqlalchemy.orm import Session

from scorekeeper.access import invitations
from scorekeeper.access.phones import end_link, give_role
from scorekeeper.access.roles import LinkEnded
from scorekeeper.book.books import BookAccess, book_of_id, books_of_device, join_book, load_book, write_book
from scorekeeper.book.events import NameDeleted, NameRestored, PeopleJoined
from scorekeeper.book.fold import fold_book, person_uid
from scorekeeper.club.book_files import service as book_file
from scorekeeper.club.book_files.file import BookFileRefused
from scorekeeper.club.nights.book_nights import (
    code_of_night_link,
    ladder_night_csv,
    nights_in_book,
    season_standings,
    suggested_players,
)
from scorekeeper.club.nights.events import EntrantLeft, EntrantRenamed, GameWon
from scorekeeper.club.nights.night import BY_POINTS, BY_WINS, PAIRS, SINGLES, NightPlanned
from scorekeeper.club.nights.service import (
    NightAccess,
    draw_lots_for_first_round,
    draw_lots_for_round,
    ladder_nights_of_device,
    latest_nights,
    load_night,
    number_deleted_names,
)
from scorekeeper.eventlog.stream import OWNER, SCORER, WATCHER, undo_event
from scorekeeper.matches.files.import_run import Importer
from scorekeeper.matches.match_list import HIGHEST_ID
from tests.club.nights.nights import new_night, seated, won, write
from tests.common.apps import empty
from tests.common.match_actions import by

NIGHTS, TABLES, ROUNDS = 10, 12, 4
PEOPLE = [f"Player {number}" for number in range(4 * TABLES)]


def file_of(session: Session, access: BookAccess) -> io.BytesIO:
    file = io.BytesIO()
    book_file.write_book_file(session, access.id, file)
    return file


class Club:
    """A club's season as a second hand counts it, game by game."""

    def __init__(self, session: Session) -> None:
        self.session, self.rng = session, Random(33)
        self.counted = defaultdict[str, Counter[str]](Counter)

    @property
    def book(self) -> BookAccess:
        return books_of_device(self.session, "host")[0]

    def begin(self, mode: str) -> str:
        people = self.rng.sample(PEOPLE, len(PEOPLE))
        for name in people:
            self.counted[name]["nights"] += 1
        pairs = (
            [[name] for name in people] if mode == SINGLES else map(list, zip(people[::2], people[1::2], strict=True))
        )
        plan = NightPlanned(mode=mode, ranking=BY_POINTS if mode == SINGLES else BY_WINS)
        return new_night(self.session, *pairs, title=f"{mode} night", rounds=ROUNDS, plan=plan)

    def play(self, code: str, rounds: int = ROUNDS) -> NightAccess:
        """Draw and play so many rounds, each table with a score, and count them."""
        for _ in range(rounds):
            number = len(load_night(self.session, code).night.rounds) + 1
            found = write(
                self.session, code, partial(draw_lots_for_round, number) if number > 1 else draw_lots_for_first_round
            )
            for game in found.night.rounds[-1].games:
                low = self.rng.randint(-5, 10)
                scores = self.rng.choice(((11, low), (low, 11)))
                winner = game.sides[scores[1] == 11]
                won = GameWon(round=number, table=game.table, winner=winner, scores=scores)
                found = write(self.session, code, won)
                for pair, score in zip(game.sides, scores, strict=True):
                    self.count(found, pair, won=pair == winner, points=score, played=1)
        return found

    def count(self, found: NightAccess, pair: int, **more: int) -> None:
        for name in found.night.name(pair).split(" & "):
            self.counted[name].update(more)


@pytest.fixture
def club(session: Session) -> Club:
    """Play ten nights: of the first the host's phone is lost, in the second a table is wrong."""
    club = Club(session)
    lost = club.begin(PAIRS)
    found = club.play(lost, 1)
    other = join_book(session, invitations.invite(session, club.book, SCORER), "other", "Bea")
    give_role(session, club.book, other.id, OWNER)
    code = code_of_night_link(session, load_book(session, other.code), "other", found.setup.uid)
    assert code != lost
    found = club.play(code, ROUNDS - 1)
    assert found.link.is_owner
    assert found.night.is_over

    found = club.play(club.begin(SINGLES))
    game = found.night.rounds[0].games[4]
    assert game.winner is not None
    assert game.scores is not None
    other_pair, lead = game.opponent_of(game.winner), max(game.scores) - min(game.scores)
    found = write(session, found.code, GameWon(round=1, table=5, winner=other_pair, scores=game.scores[::-1]))
    club.count(found, game.winner, won=-1, points=-lead)
    club.count(found, other_pair, won=1, points=lead)
    for number in range(2, NIGHTS):
        club.play(club.begin(SINGLES if number % 2 else PAIRS))
    return club


def test_a_season_adds_up_as_it_was_played_and_comes_back_from_its_file(club: Club, session: Session) -> None:
    access = club.book
    before = {setup.uid: night for setup, night in nights_in_book(session, access.id)}
    every = [*before.values()]
    assert [night.is_over for night in every] == [True] * NIGHTS

    season = season_standings(access.book, every)
    assert club.counted == {
        one.name: Counter(won=one.games_won, points=one.points, played=one.games_played, nights=one.nights_attended)
        for one in season
    }
    ranks = [(one.games_won, one.points) for one in season]
    assert ranks == sorted(ranks, reverse=True)
    assert [one.rank for one in season] == [ranks.index(rank) + 1 for rank in ranks]
    by_points = [one.points for one in season_standings(access.book, every, BY_POINTS)]
    assert by_points == sorted(by_points, reverse=True)

    pairs = [pair.players for night in every for pair in night.entrants.values()]
    partners = {name for pair in pairs if PEOPLE[0] in pair for name in pair}
    two = PEOPLE[0], next(name for name in PEOPLE if name not in partners)
    one, other = (person_uid(access.uid, name) for name in two)
    joined = write_book(session, access.code, PeopleJoined(person=one, into=other), by())
    together = next(each for each in season_standings(joined.book, every) if each.person == other)
    assert together.games_won == sum(club.counted[name]["won"] for name in two)

    file = file_of(session, access)
    assert json.loads(gzip.decompress(file.getvalue()).split(b"\n")[0])["format"] == "pitch-book/2"
    done = book_file.import_book(session, file, link=access.link, importer=Importer("host", "192.0.2.7"))
    assert not done.preview.changes_anything
    assert {setup.uid: night for setup, night in nights_in_book(session, access.id)} == before
    empty(session)

    done = book_file.import_book(session, file, importer=Importer("next", "192.0.2.8"))

    assert {setup.uid: night for setup, night in nights_in_book(session, done.book_id)} == before
    [back] = books_of_device(session, "next")
    assert file_of(session, back).getvalue() == file.getvalue()
    listed, _ = latest_nights(session, 20, HIGHEST_ID)
    assert {(night.setup.uid, night.setup.book_id) for night in listed} == {(uid, back.id) for uid in before}
    assert all(load_night(session, night.code).link.is_owner for night in listed)
    assert code_of_night_link(session, back, "next", listed[0].setup.uid) == listed[0].code
    assert len(ladder_nights_of_device(session, "next")) == NIGHTS


def test_who_wins_a_night_in_two_pairs_has_won_one_night() -> None:
    night = won(seated("Ann", "Bea", "Anna", "Cal"), "Ann", "Anna")
    night = replace(night, plan=NightPlanned(ranking=BY_WINS), was_ended_early=True)
    night.entrants[3] = night.entrants[1]

    first = season_standings(fold_book("book", ()), [night])[0]

    assert (first.nights_won, first.games_won) == (1, 2)


def test_who_has_finished_no_game_is_in_no_season() -> None:
    assert season_standings(fold_book("book", ()), [seated("Ann", "Bea")]) == []


def test_a_phone_that_is_removed_from_the_book_loses_the_nights_that_it_had_by_it(session: Session) -> None:
    found = load_night(session, new_night(session))
    access = books_of_device(session, "host")[0]
    guest = join_book(session, invitations.invite(session, access, WATCHER), "guest", "Bea")
    theirs = load_book(session, guest.code)
    code = code_of_night_link(session, theirs, "guest", found.setup.uid)
    assert load_night(session, code).link.role == WATCHER
    assert code_of_night_link(session, theirs, "guest", found.setup.uid) == code
    assert code_of_night_link(session, access, "host", found.setup.uid) == found.code

    end_link(session, access, guest.id, "host")

    with pytest.raises(LinkEnded):
        load_night(session, code)
    assert load_night(session, found.code).link.is_owner


def test_a_night_that_is_here_stays_as_it_is_and_one_that_was_written_by_hand_is_refused(session: Session) -> None:
    club = Club(session)
    code, access = club.begin(SINGLES), club.book
    early = file_of(session, access)
    found = write(session, code, draw_lots_for_first_round)
    found = write(session, code, EntrantLeft(pair=found.night.present_uids[0]), undo_event)
    late = gzip.decompress(file_of(session, access).getvalue())

    done = book_file.import_book(session, early, link=access.link)

    assert (done.preview.new_nights, done.preview.skipped_night_count) == ([], 1)
    assert nights_in_book(session, access.id)[0][1] == found.night
    for old, new in ((b'"round":1', b'"round":7'), (b'"round":1', b'"round":"x"'), (b'"out":[]', b'"out":[999]')):
        line = late.split(old)[0].count(b"\n") + 1
        with pytest.raises(BookFileRefused, match=f"Line {line}, the night “singles night”"):
            book_file.import_book(session, io.BytesIO(late.replace(old, new, 1)), link=access.link)
    with pytest.raises(BookFileRefused):
        book_file.import_book(session, io.BytesIO(late.replace(b"book/2", b"book/1", 1)), link=access.link)


@pytest.mark.parametrize("name", ["Zoe", "zoe"])
def test_a_name_that_the_book_deletes_is_nowhere_in_its_nights_and_comes_back(session: Session, name: str) -> None:
    code = new_night(session, ["Zoee", "Player 1"], ["Bo", "Di"])
    first = load_night(session, code).night.present_uids[0]
    renamed = EntrantRenamed(pair=first, players=("Zoe", "Player 1"))
    won = write(session, code, renamed, draw_lots_for_first_round, GameWon(round=1, table=1, winner=first))
    access = books_of_device(session, "host")[0]
    zoe = person_uid(access.uid, name)

    def everything() -> str:
        found = load_night(session, code).night
        lines = gzip.decompress(file_of(session, access).getvalue()).decode()
        listed, _ = latest_nights(session, 1, HIGHEST_ID)
        known = suggested_players(session, load_night(session, new_night(session)))
        book, every = book_of_id(session, access.id), [night for _, night in nights_in_book(session, access.id)]
        season = season_standings(book, every)
        return f"{ladder_night_csv(found).decode()} {lines} {listed[0].night} {found} {known} {season}"

    assert "Zoee" in everything()
    write_book(session, access.code, NameDeleted(person=zoe), by())
    assert "Zoe" not in everything()
    night = load_night(session, code).night
    assert night.name(first) == "Player 2 & Player 1"
    file = file_of(session, access)
    later = load_night(session, new_night(session, ["Zoe"])).night
    assert later.name(later.present_uids[0]) == "Zoe", "what is typed later is shown"

    write_book(session, access.code, NameRestored(person=zoe), by())
    assert load_night(session, code).night == won.night

    empty(session)
    done = book_file.import_book(session, file)
    nights = nights_in_book(session, done.book_id)
    assert latest_nights(session, 9, HIGHEST_ID)[0][-1].code, "a command gets a link as well"
    book = book_of_id(session, done.book_id)
    assert number_deleted_names(book, *nights[0]).name(first) == "Player 2 & Player 1"
    assert {one.name for one in season_standings(book, [night for _, night in nights])} == {"Player 1", "Bo", "Di"}
