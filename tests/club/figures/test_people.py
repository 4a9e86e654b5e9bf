"""People of a book: renamed, joined, taken apart and deleted, in the book and in the matches, and back again."""

from collections.abc import Callable
from datetime import date

import pytest
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.access.links import BOOK_LINKS
from scorekeeper.access.roles import Link
from scorekeeper.book.book_list import Search, find_matches
from scorekeeper.book.books import BookAccess, load_book
from scorekeeper.book.events import NameDeleted, NameRestored, PersonParted, PersonRenamed, Redone, Undone
from scorekeeper.club.figures import counting
from scorekeeper.club.figures.names import (
    BookPeople,
    assign_other,
    join_people,
    people_of,
    rename_person,
    write_of_people,
)
from scorekeeper.club.figures.people import fold_person, most_first
from scorekeeper.database.engine import db
from scorekeeper.eventlog.append import Writer
from scorekeeper.eventlog.refusals import NotAllowed, Refused
from scorekeeper.eventlog.roles import OWNER, SCORER
from scorekeeper.matches.fold import Match
from scorekeeper.matches.load import match_of_id
from scorekeeper.pitch.rules.library import Library
from tests.common import family
from tests.common.family import Evening
from tests.common.hands import HAND
from tests.common.interleaving import before_first_write, cut_off_before
from tests.common.match_actions import record_hand, rename, sit_in, store_names, undo
from tests.matches.conftest import Begin

pytestmark = pytest.mark.every_database

Keys = Callable[[], str]
MAY, JUNE, JULY = date(2026, 5, 1), date(2026, 6, 1), date(2026, 7, 1)


@pytest.fixture(autouse=True)
def _nothing_cached() -> None:
    counting._cache.clear()


@pytest.fixture
def access(session: Session, library: Library) -> BookAccess:
    """Play three matches in a book: Ann in all of them, once as “annie”."""
    access = family.begin_family_book(session)
    evenings = [Evening(("Ann", "Bea", "Cal", "Dan"), MAY), Evening(("annie", "Bea", "Cal", "Eve"), JUNE)]
    family.play(session, library, access, [*evenings, Evening(("Dan", "Ann", "Eve", "Bea"), JULY)])
    return access


@pytest.fixture
def key() -> Keys:
    """Return a fresh form key each time."""
    numbers = iter(range(1, 100))
    return lambda: f"form {next(numbers)}"


def people(session: Session, access: BookAccess) -> BookPeople:
    return people_of(session, load_book(session, access.code))


def uid(session: Session, access: BookAccess, name: str) -> str:
    return next(who for who, called in people(session, access).names.items() if called == name)


def listed(session: Session, access: BookAccess) -> dict[str, int]:
    found = people(session, access)
    return {found.names[who]: count.of for who, count in most_first(found.standings) if who in found.names}


def matches(session: Session, access: BookAccess) -> list[Match]:
    found = people(session, access)
    return [match_of_id(session, Link(0, "", OWNER, found.found.ids[it.uid])) for it in found.matches]


def names_in(match: Match) -> list[str]:
    return [match.name(seat.id) for seat in match.setup.seats]


def test_everybody_is_listed_by_matches_played(session: Session, access: BookAccess) -> None:
    assert listed(session, access) == {"Bea": 3, "Ann": 2, "Cal": 2, "Dan": 2, "Eve": 2, "annie": 1}


def test_two_names_are_joined_and_taken_apart(session: Session, access: BookAccess, key: Keys) -> None:
    before, stood = listed(session, access), [names_in(match) for match in matches(session, access)]
    ann, annie = uid(session, access, "Ann"), uid(session, access, "annie")

    join_people(session, load_book(session, access.code), annie, ann, Writer(key()))
    assert listed(session, access) == {"Ann": 3, "Bea": 3, "Cal": 2, "Dan": 2, "Eve": 2}
    assert [names_in(match) for match in matches(session, access)] == stood, "what was typed stays"

    write_of_people(session, load_book(session, access.code), PersonParted(person=annie), Writer(key()))
    assert listed(session, access) == before
    with pytest.raises(Refused, match="for itself"):
        write_of_people(session, load_book(session, access.code), PersonParted(person=annie), Writer(key()))
    with pytest.raises(Refused, match="somebody else"):
        join_people(session, load_book(session, access.code), ann, ann, Writer(key()))


def test_a_person_is_renamed_everywhere_in_the_matches_too_and_back(
    session: Session, access: BookAccess, key: Keys
) -> None:
    ann, before = uid(session, access, "Ann"), listed(session, access)
    figures_before = fold_person(ann, people(session, access).matches)

    renamed = rename_person(session, load_book(session, access.code), ann, "Anna", None, Writer(key()))
    assert listed(session, access) == {("Anna" if name == "Ann" else name): n for name, n in before.items()}
    assert [names_in(match) for match in matches(session, access)] == [
        ["Anna", "Bea", "Cal", "Dan"],
        ["annie", "Bea", "Cal", "Eve"],
        ["Dan", "Anna", "Eve", "Bea"],
    ]
    after = fold_person(ann, people(session, access).matches)
    assert (after.won, after.bids) == (figures_before.won, figures_before.bids)
    kept = people(session, access).matches
    family.count_again(session)
    counting._cache.clear()
    assert people(session, access).matches == kept, "what was written beside the count is what is counted anew"

    target = renamed.book.undo_next
    assert target is not None
    write_of_people(session, load_book(session, access.code), Undone(target=target.seq), Writer(key()))
    assert listed(session, access) == before
    assert names_in(matches(session, access)[0]) == ["Ann", "Bea", "Cal", "Dan"]

    redo = load_book(session, access.code).book.redo_target
    assert redo is not None
    write_of_people(session, load_book(session, access.code), Redone(target=redo), Writer(key()))
    assert names_in(matches(session, access)[2]) == ["Dan", "Anna", "Eve", "Bea"]


def test_a_person_is_renamed_from_a_day_on(session: Session, access: BookAccess, key: Keys) -> None:
    ann = uid(session, access, "Ann")
    rename_person(session, load_book(session, access.code), ann, "Anna", JUNE.isoformat(), Writer(key()))

    assert listed(session, access)["Anna"] == 2
    found = matches(session, access)
    assert (names_in(found[0])[0], names_in(found[2])[1]) == ("Ann", "Anna")


def test_who_types_the_new_name_means_the_same_person(
    session: Session, access: BookAccess, library: Library, key: Keys
) -> None:
    rename_person(session, load_book(session, access.code), uid(session, access, "Ann"), "Anna", None, Writer(key()))
    family.play(session, library, access, [Evening(("anna", "Bea", "Cal", "Dan"), date(2026, 8, 1))])
    assert listed(session, access)["Anna"] == 3


def test_joined_names_come_apart_after_renaming_everywhere(session: Session, access: BookAccess, key: Keys) -> None:
    ann, annie = uid(session, access, "Ann"), uid(session, access, "annie")
    join_people(session, load_book(session, access.code), annie, ann, Writer(key()))
    rename_person(session, load_book(session, access.code), ann, "Anna", None, Writer(key()))
    assert [names_in(match)[0] for match in matches(session, access)[:2]] == ["Anna", "Anna"]

    write_of_people(session, load_book(session, access.code), PersonParted(person=annie), Writer(key()))
    assert listed(session, access) == {"Bea": 3, "Anna": 2, "Cal": 2, "Dan": 2, "Eve": 2, "annie": 1}


def test_a_deleted_name_leaves_the_matches_true(session: Session, access: BookAccess, key: Keys) -> None:
    ann, before = uid(session, access, "Ann"), listed(session, access)
    bea = uid(session, access, "Bea")
    rivals = fold_person(bea, people(session, access).matches).rivals

    write_of_people(session, load_book(session, access.code), NameDeleted(person=ann), Writer(key()))
    assert "Ann" not in listed(session, access)
    assert names_in(matches(session, access)[0]) == ["Player 1", "Bea", "Cal", "Dan"]
    assert names_in(matches(session, access)[2]) == ["Dan", "Player 2", "Eve", "Bea"]
    assert fold_person(bea, people(session, access).matches).rivals == rivals

    write_of_people(session, load_book(session, access.code), NameRestored(person=ann), Writer(key()))
    assert listed(session, access) == before
    assert names_in(matches(session, access)[0]) == ["Ann", "Bea", "Cal", "Dan"]


def test_two_who_sat_at_one_table_are_two_people(session: Session, access: BookAccess, key: Keys) -> None:
    ann, bea = uid(session, access, "Ann"), uid(session, access, "Bea")
    with pytest.raises(Refused, match="Ann and Bea sat at one table in 2 matches, so they are two people"):
        join_people(session, access, ann, bea, Writer(key()))


def test_a_person_is_called_as_most_often_typed(
    session: Session, access: BookAccess, library: Library, key: Keys
) -> None:
    family.play(session, library, access, [Evening(("ANN", "Bea", "Cal", "Dan"), date(2026, 8, 1))])
    assert listed(session, access)["Ann"] == 3


def test_of_two_with_one_name_one_is_the_other(session: Session, access: BookAccess, key: Keys) -> None:
    ann, before = uid(session, access, "Ann"), listed(session, access)
    last = people(session, access).matches[-1].uid

    assign_other(session, load_book(session, access.code), ann, last, Writer(key()))
    found = listed(session, access)
    assert (found["Ann"], found["Ann (2)"]) == (1, 1)

    assign_other(session, load_book(session, access.code), uid(session, access, "Ann (2)"), last, Writer(key()))
    assert listed(session, access) == before
    with pytest.raises(Refused, match="has changed"):
        assign_other(session, load_book(session, access.code), ann, "nosuch", Writer(key()))

    target = load_book(session, access.code).book.undo_next
    assert target is not None
    write_of_people(session, load_book(session, access.code), Undone(target=target.seq), Writer(key()))
    assert (listed(session, access)["Ann"], listed(session, access)["Ann (2)"]) == (1, 1)


def test_two_in_one_stored_match_whose_names_differ_in_capitals_alone_are_two_people(
    session: Session, access: BookAccess, key: Keys
) -> None:
    last = matches(session, access)[-1]

    store_names(session, last, p1="ann")

    found = {"Bea": 3, "Ann": 2, "Cal": 2, "Eve": 2, "Dan": 1, "ann (2)": 1, "annie": 1}
    assert listed(session, access) == found
    standings, persons = people(session, access).standings, [uid(session, access, name) for name in ("Ann", "ann (2)")]
    won = last.state.winners[0] == last.setup.side_of("p1")
    assert standings[persons[1]].some == won
    assert found_by(session, access, "ann") == 3

    # Whoever it was the other way round says so of either.
    assign_other(session, load_book(session, access.code), persons[1], last.setup.uid, Writer(key()))
    seated = people(session, access).matches[-1]
    assert (seated.people[0], seated.people[1]) == (persons[0], persons[1])


def test_a_person_renamed_to_the_name_of_another_in_a_match_keeps_the_old_one_there(
    session: Session, access: BookAccess, begin: Begin, key: Keys
) -> None:
    match = begin(players=["Ann", "Bo", "Gus", "Di"])
    family.put(session, access, [match])

    rename_person(session, load_book(session, access.code), uid(session, access, "Ann"), "GUS", None, Writer(key()))

    assert names_in(match_of_id(session, Link(0, "", OWNER, match.id))) == ["Ann", "Bo", "Gus", "Di"]


@pytest.mark.parametrize("typed", ["jose\u0301", "JOS\u00c9", "José"])
def test_a_search_finds_a_name_in_every_spelling(
    session: Session, access: BookAccess, library: Library, typed: str
) -> None:
    family.play(session, library, access, [Evening(("José", "Bea", "Cal", "Dan"), date(2026, 8, 1))])
    assert found_by(session, access, typed) == 1


def found_by(session: Session, access: BookAccess, person: str) -> int:
    return find_matches(session, [load_book(session, access.code)], Search(person=person)).found


def test_a_search_finds_a_player_by_the_person_that_they_are(session: Session, access: BookAccess, key: Keys) -> None:
    ann, first = uid(session, access, "Ann"), people(session, access).matches[0].uid
    assert (found_by(session, access, "Ann"), found_by(session, access, "Eve")) == (3, 2)

    assign_other(session, load_book(session, access.code), ann, first, Writer(key()))
    assert found_by(session, access, "Ann") == 3
    other = uid(session, access, "Ann (2)")
    join_people(session, load_book(session, access.code), other, uid(session, access, "Eve"), Writer(key()))
    rename_person(session, load_book(session, access.code), ann, "Joanna", None, Writer(key()))

    assert (found_by(session, access, "Joanna"), found_by(session, access, "Eve")) == (1, 3)
    offered = find_matches(session, [load_book(session, access.code)], Search()).people
    assert set(offered[:2]) == {"Bea", "Eve"}
    assert sorted(offered) == sorted(listed(session, access))


def test_a_search_finds_who_sat_in_by_the_person_that_they_are(
    session: Session, access: BookAccess, begin: Begin, key: Keys
) -> None:
    match = begin(house={"target": 6})
    family.put(session, access, [match])
    record_hand(session, match.code, HAND, seq=1, client_key="one")
    sit_in(session, match.code, "p2", "Bea", seq=2, client_key="two")
    sit_in(session, match.code, "p4", "Gus", seq=3, client_key="three")
    record_hand(session, match.code, HAND, seq=4, client_key="four")
    before = [found_by(session, access, name) for name in ("Bea", "Bo", "Dan", "Gus")]

    assign_other(session, load_book(session, access.code), uid(session, access, "Bea"), match.setup.uid, Writer(key()))
    join_people(
        session,
        load_book(session, access.code),
        uid(session, access, "Bea (2)"),
        uid(session, access, "Dan"),
        Writer(key()),
    )

    assert before == [4, 1, 2, 1]
    assert [found_by(session, access, name) for name in ("Bo", "Dan", "Gus")] == [1, 3, 1]


@pytest.mark.parametrize("name", ["Bea", "BEA", "", "x" * 25, "a\u202eb"])
def test_a_name_that_is_taken_or_unusable_is_refused(
    session: Session, access: BookAccess, key: Keys, name: str
) -> None:
    before = listed(session, access)
    with pytest.raises(Refused):
        rename_person(session, load_book(session, access.code), uid(session, access, "Ann"), name, None, Writer(key()))
    assert listed(session, access) == before


def test_only_an_owner_changes_names(session: Session, access: BookAccess, key: Keys) -> None:
    ann = uid(session, access, "Ann")
    BOOK_LINKS.change(session, access.link.id, role=SCORER)
    session.commit()
    with pytest.raises(NotAllowed):
        rename_person(session, load_book(session, access.code), ann, "Anna", None, Writer(key()))


def test_of_two_who_are_given_one_name_at_once_one_keeps_their_own(
    app: Flask, session: Session, access: BookAccess, key: Keys
) -> None:
    ann, bea = uid(session, access, "Ann"), uid(session, access, "Bea")

    def other_phone() -> None:
        rename_person(db.session, load_book(db.session, access.code), bea, "Zoe", None, Writer(key()))

    with before_first_write(app, other_phone), pytest.raises(Refused, match="Zoe is in these matches too"):
        rename_person(session, load_book(session, access.code), ann, "Zoe", None, Writer(key()))

    assert sorted(listed(session, access)) == ["Ann", "Cal", "Dan", "Eve", "Zoe", "annie"]


def test_a_name_that_is_broken_off_is_new_neither_in_the_book_nor_in_its_matches(
    session: Session, access: BookAccess, key: Keys
) -> None:
    ann = uid(session, access, "Ann")

    with cut_off_before("INSERT INTO event "):
        rename_person(session, load_book(session, access.code), ann, "Anna", None, Writer(key()))
    session.rollback()

    assert "Ann" in listed(session, access)
    assert names_in(matches(session, access)[0]) == ["Ann", "Bea", "Cal", "Dan"]


def test_a_match_in_progress_says_the_new_name_and_its_undo_is_its_own(
    session: Session, access: BookAccess, begin: Begin, key: Keys
) -> None:
    match = begin()
    family.put(session, access, [match])
    record_hand(session, match.code, HAND, seq=1, client_key="one")

    rename_person(session, load_book(session, access.code), uid(session, access, "Ann"), "Anna", None, Writer(key()))
    again = match_of_id(session, Link(0, "", OWNER, match.id))
    assert names_in(again) == ["Anna", "Bo", "Cal", "Di"]

    undone = undo(session, match.code, seq=3, client_key="two")
    assert undone.log.hands == ()
    assert names_in(undone) == ["Anna", "Bo", "Cal", "Di"]


def test_who_sat_in_and_who_left_are_renamed_where_they_played(
    session: Session, access: BookAccess, begin: Begin, key: Keys
) -> None:
    match = begin(house={"target": 6})
    family.put(session, access, [match])
    record_hand(session, match.code, HAND, seq=1, client_key="one")
    sit_in(session, match.code, "p2", "Bea", seq=2, client_key="two")
    record_hand(session, match.code, HAND, seq=3, client_key="three")
    assert listed(session, access)["Bea"] == 4
    bo = book_uid(session, access, "Bo")

    rename_person(session, load_book(session, access.code), uid(session, access, "Bea"), "Beatrix", None, Writer(key()))
    rename_person(session, load_book(session, access.code), bo, "Bob", None, Writer(key()))
    again = match_of_id(session, Link(0, "", OWNER, match.id))
    assert names_in(again) == ["Ann", "Beatrix", "Cal", "Di"]
    assert [again.names_at(n)["p2"] for n in (0, 1)] == ["Bob", "Beatrix"]
    kept = people(session, access).matches
    family.count_again(session)
    counting._cache.clear()
    assert people(session, access).matches == kept

    write_of_people(session, load_book(session, access.code), NameDeleted(person=bo), Writer(key()))
    write_of_people(
        session, load_book(session, access.code), NameDeleted(person=uid(session, access, "Beatrix")), Writer(key())
    )
    again = match_of_id(session, Link(0, "", OWNER, match.id))
    assert [again.names_at(n)["p2"] for n in (0, 1)] == ["Player 2", "Player 2"]
    write_of_people(session, load_book(session, access.code), NameRestored(person=bo), Writer(key()))
    again = match_of_id(session, Link(0, "", OWNER, match.id))
    assert [again.names_at(n)["p2"] for n in (0, 1)] == ["Bob", "Player 2"]


def book_uid(session: Session, access: BookAccess, name: str) -> str:
    return load_book(session, access.code).book.person_named(name)


def test_what_the_table_types_later_counts_again(session: Session, access: BookAccess, begin: Begin, key: Keys) -> None:
    match = begin(house={"target": 3})
    family.put(session, access, [match])
    record_hand(session, match.code, HAND, seq=1, client_key="one")
    rename_person(session, load_book(session, access.code), uid(session, access, "Ann"), "Anna", None, Writer(key()))
    rename(session, match.code, {"p1": "Eve"}, client_key="two")
    assert (listed(session, access)["Eve"], listed(session, access)["Anna"]) == (3, 2)


def test_a_form_sent_twice_counts_once(session: Session, access: BookAccess) -> None:
    ann = uid(session, access, "Ann")
    for _ in range(2):
        rename_person(session, load_book(session, access.code), ann, "Anna", None, Writer("once"))
    events = load_book(session, access.code).book.events
    assert sum(isinstance(event.fact, PersonRenamed) for event in events) == 1
    assert matches(session, access)[0].version == matches(session, access)[0].log.version
