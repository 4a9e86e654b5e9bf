"""Turn names into people: every change to a person can be undone, and no typed name is lost."""

from dataclasses import replace
from datetime import UTC, date, datetime

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.book import events
from scorekeeper.book.fold import Book, fold_book, person_uid
from scorekeeper.eventlog.stream import Event, StoredEvent
from scorekeeper.pitch.scoring.seats import name_key

NAMES = ("Ann", "Annie", "Bea", "Cal", "Dan", "Ëva")
UIDS = [person_uid("b", name) for name in NAMES]
SEATS = [("m1", "p1", 0), ("m1", "p2", 0), ("m2", "p1", 1)]

people = st.sampled_from(UIDS)
person_events = st.one_of(
    st.builds(events.PeopleJoined, person=people, into=people),
    st.builds(events.PersonSeparated, person=people),
    st.builds(
        events.PersonRenamed,
        person=people,
        name=st.sampled_from(NAMES),
        since=st.none() | st.sampled_from(["2026-01-01", "2026-06-01"]),
    ),
    st.builds(events.NameDeleted, person=people),
    st.builds(events.NameRestored, person=people),
    st.builds(
        lambda seat, person: events.PlayerAssigned(match=seat[0], seat=seat[1], sittings=seat[2], person=person),
        st.sampled_from(SEATS),
        people,
    ),
)


def book_of(*stated: Event) -> Book:
    return fold_book(
        "b",
        [StoredEvent(n, f"k{n}", datetime(2026, 1, 1, tzinfo=UTC), "", event) for n, event in enumerate(stated, 1)],
    )


def everybody(book: Book) -> list[str]:
    return [book.person_of_player(*seat, name) for seat in SEATS for name in NAMES]


def test_a_name_is_one_person_however_it_is_typed() -> None:
    assert name_key("  ANN   Marie ") == name_key("ann marie") == name_key("Ａnn Marie")
    assert name_key("Ann") == name_key("\u200bA\u200dn\u00adn\ufe0f\u2060") == name_key("\u3164Ann\u2800")
    assert name_key("Ann Marie") == name_key("Ann\u2800Marie") == name_key("Ann \u1160 Marie")
    assert name_key("José") == name_key("Jose\u034f\u0301")
    assert person_uid("b", "Ann") == person_uid("b", "ANN") != person_uid("b", "Anna")
    assert person_uid("b", "Ann") != person_uid("other", "Ann")


@given(st.text())
def test_the_key_of_a_key_is_the_key(name: str) -> None:
    assert name_key(name_key(name)) == name_key(name)


@given(st.lists(person_events, max_size=12), people, people)
def test_joining_and_taking_apart_is_lossless(before: list[Event], person: str, into: str) -> None:
    stood = book_of(*before)
    joins = events.PeopleJoined(person=person, into=into)
    joined = book_of(*before, joins)

    if stood.people.root(person) == person:
        apart = book_of(*before, joins, events.PersonSeparated(person=person))
        assert apart.people == stood.people
        assert everybody(apart) == everybody(stood)
        expected = {person: stood.people.root(into)}
        assert everybody(joined) == [expected.get(one, one) for one in everybody(stood)]
    else:
        assert joined.people == stood.people


@given(st.lists(person_events, max_size=12), person_events)
def test_an_undo_gives_back_what_was(before: list[Event], event: Event) -> None:
    stood, target = book_of(*before), len(before) + 1
    undone = book_of(*before, event, events.Undone(target=target))
    redone = book_of(*before, event, events.Undone(target=target), events.Redone(target=target + 1))

    assert undone.people == stood.people
    assert redone.people == book_of(*before, event).people
    assert (undone.redo_target, redone.redo_target) == (target + 1, None)


@given(st.lists(person_events, max_size=20))
def test_nobody_is_joined_to_themselves(stated: list[Event]) -> None:
    book = book_of(*stated)
    for person in UIDS:
        assert book.people.root(book.people.root(person)) == book.people.root(person)


def test_a_person_is_called_otherwise_everywhere_or_from_a_day_on() -> None:
    ann = UIDS[0]
    everywhere = book_of(events.PersonRenamed(person=ann, name="Anna"))
    assert everywhere.name_of(ann) == everywhere.name_of(ann, date(1999, 1, 1)) == "Anna"
    assert everywhere.person_of_player("m", "p1", 0, "anna") == ann, "who types the new name means the same person"

    married = events.PersonRenamed(person=ann, name="Anna", since="2026-06-01")
    since = book_of(married)
    assert (since.name_of(ann, date(2026, 5, 31)), since.name_of(ann, date(2026, 6, 1))) == (None, "Anna")
    again = book_of(married, replace(married, name="Hanna", since=None))
    assert again.name_of(ann, date(2026, 7, 1)) == again.name_of(ann) == "Hanna"


def test_a_seat_of_one_of_two_with_one_name_is_assigned_to_the_other() -> None:
    ann, other = UIDS[0], person_uid("b", "Ann (2)")
    book = book_of(
        events.PlayerAssigned(match="m1", seat="p1", sittings=0, person=other),
        events.PersonRenamed(person=other, name="Ann (2)"),
    )
    assert book.person_of_player("m1", "p1", 0, "Ann") == other
    assert book.person_of_player("m2", "p1", 0, "Ann") == ann
