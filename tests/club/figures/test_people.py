"""People of a book: renamed, joined, taken apart and deleted, in the book and in the matches, and back again."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

import pytest
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.access.roles import Link
from scorekeeper.book.book_list import Search, find_matches
from scorekeeper.book.books import BookAccess, load_book
from scorekeeper.book.events import NameDeleted, NameRestored, PersonRenamed, PersonSeparated, Redone, Undone
from scorekeeper.club.figures.counting import BookPeople
from scorekeeper.club.figures.names import (
    joining_event,
    load_people,
    namesake_event,
    renaming_event,
    write_change_of_people,
)
from scorekeeper.club.figures.people import compute_person_figures, sort_by_total
from scorekeeper.database.engine import db
from scorekeeper.eventlog.store import Writer
from scorekeeper.eventlog.stream import OWNER, Event, Refused
from scorekeeper.matches.events import Deleted, HandAdded, PlayerSubstituted, Undeleted
from scorekeeper.matches.fold import Match
from scorekeeper.matches.service import append_to_match, match_of_link, write_match
from scorekeeper.pitch.rules.library import Library
from tests.common import family
from tests.common.apps import clear_caches
from tests.common.family import Evening
from tests.common.hands import HAND
from tests.common.interleaving import before_first_write, cut_off_before
from tests.common.match_actions import by, record_hand, rename, sit_in, store_names, undo
from tests.matches.conftest import Begin

pytestmark = pytest.mark.every_database

MAY, JUNE, JULY = date(2026, 5, 1), date(2026, 6, 1), date(2026, 7, 1)


class Names:
    """A book whose owner mends the names of its people."""

    def __init__(self, session: Session, library: Library, begin: Begin) -> None:
        self.session, self.library, self._begin = session, library, begin
        self.code = family.begin_family_book(session).code

    @property
    def access(self) -> BookAccess:
        return load_book(self.session, self.code)

    @property
    def people(self) -> BookPeople:
        return load_people(self.session, self.access)

    @property
    def listed(self) -> dict[str, int]:
        """How many matches everybody has played, by name."""
        found = self.people
        return {
            found.names_by_person[who]: ratio.total
            for who, ratio in sort_by_total(found.win_ratios)
            if who in found.names_by_person
        }

    @property
    def matches(self) -> list[Match]:
        return [self.match(each.id) for each in self.people.matches]

    def match(self, match_id: int) -> Match:
        return match_of_link(self.session, Link(0, "", OWNER, match_id))

    @property
    def names(self) -> list[list[str]]:
        """What everybody is called in each match."""
        return [names_in(match) for match in self.matches]

    def uid(self, name: str) -> str:
        return next(who for who, called in self.people.names_by_person.items() if called == name)

    def found_by(self, person: str) -> int:
        return find_matches(self.session, [self.access], Search(person=person)).fit_count

    def play(self, evenings: Sequence[Evening]) -> None:
        family.play(self.session, self.library, self.access, evenings)

    def begin(self, **agreed: Any) -> Match:
        match = self._begin(**agreed)
        family.put(self.session, self.access, [match])
        return match

    def write(self, *changes: Event | Callable[[BookAccess], Event]) -> None:
        for change in changes:
            write_change_of_people(self.session, self.access, change, by())

    def undo(self) -> None:
        """Undo the last change."""
        last = self.access.book.next_to_undo
        assert last is not None
        self.write(Undone(target=last.seq))

    def rename(self, person: str, name: str, since: str | None = None) -> None:
        self.write(lambda book: renaming_event(self.session, book, person, name, since))

    def join(self, person: str, into: str) -> None:
        self.write(lambda book: joining_event(self.session, book, person, into))

    def make_other(self, person: str, match: str) -> None:
        self.write(lambda book: namesake_event(self.session, book, person, match))


@pytest.fixture
def book(session: Session, library: Library, begin: Begin) -> Names:
    """Play three matches in a book: Ann in all of them, once as “annie”."""
    book = Names(session, library, begin)
    evenings = [Evening(("Ann", "Bea", "Cal", "Dan"), MAY), Evening(("annie", "Bea", "Cal", "Eve"), JUNE)]
    book.play([*evenings, Evening(("Dan", "Ann", "Eve", "Bea"), JULY)])
    return book


def names_in(match: Match) -> list[str]:
    return [match.names[seat.id] for seat in match.setup.seats]


def test_two_names_are_joined_renamed_everywhere_and_taken_apart(book: Names) -> None:
    typed, ann, annie = book.names, book.uid("Ann"), book.uid("annie")

    book.join(annie, ann)
    assert book.listed == {"Ann": 3, "Bea": 3, "Cal": 2, "Dan": 2, "Eve": 2}
    assert book.names == typed
    book.rename(ann, "Anna")
    assert [names[0] for names in book.names[:2]] == ["Anna", "Anna"]

    book.write(PersonSeparated(person=annie))
    assert book.listed == {"Bea": 3, "Anna": 2, "Cal": 2, "Dan": 2, "Eve": 2, "annie": 1}
    with pytest.raises(Refused, match="for itself"):
        book.write(PersonSeparated(person=annie))
    with pytest.raises(Refused, match="somebody else"):
        book.join(ann, ann)


def test_a_person_is_renamed_everywhere_in_the_matches_too_and_back(book: Names) -> None:
    ann, before = book.uid("Ann"), book.listed
    figures = compute_person_figures(ann, book.people.matches)

    book.rename(ann, "Anna")
    assert book.listed == {("Anna" if name == "Ann" else name): n for name, n in before.items()}
    anna = [["Anna", "Bea", "Cal", "Dan"], ["annie", "Bea", "Cal", "Eve"], ["Dan", "Anna", "Eve", "Bea"]]
    assert book.names == anna
    after = compute_person_figures(ann, book.people.matches)
    assert (after.win_ratio, after.bid_ratios) == (figures.win_ratio, figures.bid_ratios)

    book.undo()
    assert book.listed == before
    assert book.names[0] == ["Ann", "Bea", "Cal", "Dan"]

    redo = book.access.book.redo_target
    assert redo is not None
    book.write(Redone(target=redo))
    assert book.names == anna


def test_a_person_is_renamed_from_a_day_on(book: Names) -> None:
    ann = book.uid("Ann")
    book.rename(ann, "Anna", JUNE.isoformat())

    assert book.listed["Anna"] == 2
    assert (book.names[0][0], book.names[2][1]) == ("Ann", "Anna")


def test_two_who_swap_names_from_a_day_on_have_swapped_in_later_matches(book: Names) -> None:
    open_match = book.begin(players=["Bea", "Bo", "Ann", "Di"])
    ann, bea = book.uid("Ann"), book.uid("Bea")
    book.rename(ann, "Anna")
    book.rename(bea, "Beate")

    swapped = ((ann, "Beate"), (bea, "Anna"))
    book.write(*(PersonRenamed(person=who, name=name, since=JULY.isoformat()) for who, name in swapped))

    assert [*book.names, names_in(book.match(open_match.id))] == [
        ["Anna", "Beate", "Cal", "Dan"],
        ["annie", "Beate", "Cal", "Eve"],
        ["Dan", "Beate", "Eve", "Anna"],
        ["Anna", "Bo", "Beate", "Di"],
    ]


def test_a_deleted_name_leaves_the_matches_true(book: Names) -> None:
    ann, before = book.uid("Ann"), book.listed
    bea = book.uid("Bea")
    opponents = compute_person_figures(bea, book.people.matches).opponent_ratios

    book.write(NameDeleted(person=ann))
    assert "Ann" not in book.listed
    assert [book.names[0], book.names[2]] == [["Player 1", "Bea", "Cal", "Dan"], ["Dan", "Player 2", "Eve", "Bea"]]
    assert compute_person_figures(bea, book.people.matches).opponent_ratios == opponents

    book.write(NameRestored(person=ann))
    assert book.listed == before
    assert book.names[0] == ["Ann", "Bea", "Cal", "Dan"]


def test_a_deleted_name_does_not_come_back_with_a_deleted_match(book: Names) -> None:
    first, ann = book.matches[0], book.uid("Ann")
    append_to_match(book.session, first, Deleted(), by())
    assert len(book.people.matches) == len(book.people.figures_by_version) - 1

    book.write(NameDeleted(person=ann))

    append_to_match(book.session, book.match(first.id), Undeleted(), by())
    assert book.names[0] == ["Player 1", "Bea", "Cal", "Dan"]


def test_a_deleted_name_is_neither_found_nor_offered(book: Names) -> None:
    book.write(NameDeleted(person=book.uid("Ann")))
    book.play([Evening(("ANN", "Bea", "Cal", "Dan"), date(2026, 8, 1))])

    assert (book.found_by("Ann"), book.found_by("Player")) == (1, 0)
    assert {*find_matches(book.session, [book.access], Search()).people} == {*book.listed}


def test_a_deleted_name_gives_way_to_a_number_that_nobody_has(book: Names) -> None:
    match = book.begin(players=["Player 2", "Bo", "Cal", "Di"])

    book.write(NameDeleted(person=book.access.book.person_named("Bo")))

    assert names_in(book.match(match.id)) == ["Player 2", "Player 1", "Cal", "Di"]


def test_a_person_is_called_as_most_often_typed(book: Names) -> None:
    book.play([Evening(("ANN", "Bea", "Cal", "Dan"), date(2026, 8, 1))])
    assert book.listed["Ann"] == 3


def test_one_of_two_with_one_name_becomes_another_person(book: Names) -> None:
    ann, before = book.uid("Ann"), book.listed
    last = book.people.matches[-1].uid

    book.make_other(ann, last)
    found = book.listed
    assert (found["Ann"], found["Ann (2)"]) == (1, 1)

    book.make_other(book.uid("Ann (2)"), last)
    assert book.listed == before
    with pytest.raises(Refused, match="has changed"):
        book.make_other(ann, "nosuch")

    book.undo()
    assert (book.listed["Ann"], book.listed["Ann (2)"]) == (1, 1)


def test_two_in_one_stored_match_whose_names_differ_in_capitals_alone_are_two_people(book: Names) -> None:
    last = book.matches[-1]

    store_names(book.session, last, p1="ann")

    assert book.listed == {"Bea": 3, "Ann": 2, "Cal": 2, "Eve": 2, "Dan": 1, "ann (2)": 1, "annie": 1}
    standings, persons = book.people.win_ratios, [book.uid(name) for name in ("Ann", "ann (2)")]
    won = last.state.winners[0] == last.setup.side_of("p1")
    assert standings[persons[1]].hits == won
    assert book.found_by("ann") == 3

    # If the two are the other way round, correcting either one is enough.
    book.make_other(persons[1], last.setup.uid)
    seated = book.people.matches[-1]
    assert (seated.people[0], seated.people[1]) == (persons[0], persons[1])


def test_a_person_renamed_to_the_name_of_another_in_a_match_keeps_the_old_one_there(book: Names) -> None:
    match = book.begin(players=["Ann", "Bo", "Gus", "Di"])

    book.rename(book.uid("Ann"), "GUS")

    assert names_in(book.match(match.id)) == ["Ann", "Bo", "Gus", "Di"]


def test_a_search_finds_a_player_and_who_sat_in_by_the_person_that_they_are(book: Names) -> None:
    match = book.begin(house={"target": 6})
    for change in (
        HandAdded(hand=HAND),
        *(PlayerSubstituted(names={seat: name}) for seat, name in (("p2", "Bea"), ("p4", "Gus"))),
        HandAdded(hand=HAND),
    ):
        write_match(book.session, match.code, change, by(), expected_version=None)
    before = [book.found_by(name) for name in ("Ann", "Bea", "Bo", "Dan", "Gus")]

    book.make_other(book.uid("Bea"), match.setup.uid)
    book.join(book.uid("Bea (2)"), book.uid("Dan"))
    book.rename(book.uid("Ann"), "Joanna")

    assert before == [4, 4, 1, 2, 1]
    assert [book.found_by(name) for name in ("Joanna", "Bo", "Dan", "Gus")] == [3, 1, 3, 1]
    offered = find_matches(book.session, [book.access], Search()).people
    assert sorted(offered) == sorted(book.listed)


@pytest.mark.parametrize("name", ["Bea", "BEA", "", "x" * 25, "a\u202eb"])
def test_a_name_that_is_taken_or_unusable_is_refused(book: Names, name: str) -> None:
    before = book.listed
    with pytest.raises(Refused):
        book.rename(book.uid("Ann"), name)
    assert book.listed == before


def test_of_two_who_are_given_one_name_at_once_one_keeps_their_own(app: Flask, book: Names) -> None:
    ann, bea = book.uid("Ann"), book.uid("Bea")

    def other_phone() -> None:
        access = load_book(db.session, book.code)
        write_change_of_people(
            db.session, access, lambda now: renaming_event(db.session, now, bea, "Zoe"), Writer("other")
        )

    with before_first_write(app, other_phone), pytest.raises(Refused, match="Zoe is in these matches too"):
        book.rename(ann, "Zoe")

    assert sorted(book.listed) == ["Ann", "Cal", "Dan", "Eve", "Zoe", "annie"]


def test_a_name_that_is_broken_off_is_new_neither_in_the_book_nor_in_its_matches(book: Names) -> None:
    ann = book.uid("Ann")

    with cut_off_before("INSERT INTO event "):
        book.rename(ann, "Anna")
    book.session.rollback()

    assert "Ann" in book.listed
    assert book.names[0] == ["Ann", "Bea", "Cal", "Dan"]


def test_a_match_in_progress_says_the_new_name_and_its_undo_is_its_own(book: Names) -> None:
    match = book.begin()
    record_hand(book.session, match.code, HAND)

    book.rename(book.uid("Ann"), "Anna")
    again = book.match(match.id)
    assert names_in(again) == ["Anna", "Bo", "Cal", "Di"]

    undone = undo(book.session, match.code)
    assert undone.log.hands == ()
    assert names_in(undone) == ["Anna", "Bo", "Cal", "Di"]


def test_who_sat_in_and_who_left_are_renamed_where_they_played(book: Names) -> None:
    match = book.begin(house={"target": 6})
    record_hand(book.session, match.code, HAND)
    sit_in(book.session, match.code, "p2", "Bea")
    record_hand(book.session, match.code, HAND)
    assert book.listed["Bea"] == 4
    bo = book.access.book.person_named("Bo")

    def names_of_seat() -> list[str]:
        return [book.match(match.id).names_at(n)["p2"] for n in (0, 1)]

    book.rename(book.uid("Bea"), "Beatrix")
    book.rename(bo, "Bob")
    assert names_in(book.match(match.id)) == ["Ann", "Beatrix", "Cal", "Di"]
    assert names_of_seat() == ["Bob", "Beatrix"]
    kept = book.people.matches
    family.count_again(book.session)
    clear_caches()
    assert book.people.matches == kept, "what was written beside the count is what is counted anew"

    book.write(NameDeleted(person=bo), NameDeleted(person=book.uid("Beatrix")))
    assert names_of_seat() == ["Player 2", "Player 2"]
    book.write(NameRestored(person=bo))
    assert names_of_seat() == ["Bob", "Player 2"]


def test_what_the_table_types_later_counts_again(book: Names) -> None:
    match = book.begin(house={"target": 3})
    record_hand(book.session, match.code, HAND)
    book.rename(book.uid("Ann"), "Anna")
    rename(book.session, match.code, {"p1": "Eve"})
    assert (book.listed["Eve"], book.listed["Anna"]) == (3, 2)
