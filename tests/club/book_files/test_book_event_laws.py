"""Import the events of a book from its file into a server without that book."""

from collections.abc import Sequence
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.book import events as kinds
from scorekeeper.book.fold import fold_book
from scorekeeper.club.book_files.service import importable_events
from scorekeeper.eventlog.stream import Event, StoredEvent

MATCHES = tuple(f"match{n}" for n in range(4))
PEOPLE = tuple(f"person{n}" for n in range(4))
AT = datetime(2026, 1, 1, tzinfo=UTC)

people, matches = st.sampled_from(PEOPLE), st.sampled_from(MATCHES)
book_events = st.one_of(
    st.builds(kinds.BookRenamed, name=st.sampled_from(["Miller", "Grandma’s"])),
    st.builds(kinds.MatchAdded, match=matches),
    st.builds(kinds.MatchRemoved, match=matches),
    # Two people with one new name are a conflict: the name stands for the first who got it.
    st.builds(lambda person, n: kinds.PersonRenamed(person=person, name=f"{person} {n}"), people, st.integers(0, 1)),
    st.builds(kinds.NameDeleted, person=people),
    st.builds(kinds.NameRestored, person=people),
    st.builds(
        kinds.PlayerAssigned, match=matches, seat=st.sampled_from(["p1", "p2"]), sittings=st.just(0), person=people
    ),
)
steps = st.lists(book_events | st.sampled_from(["undo", "redo"]), max_size=6)


def append_steps(events: Sequence[StoredEvent], steps: Sequence[Event | str], prefix: str) -> tuple[StoredEvent, ...]:
    """Return a book's events after these steps, each written, undone or redone as a page does it."""
    events = tuple(events)
    for n, step in enumerate(steps):
        book, event = fold_book("b", events), step
        if step == "undo":
            event = kinds.Undone(target=book.next_to_undo.seq) if book.next_to_undo else ""
        elif step == "redo":
            event = kinds.Redone(target=book.redo_target) if book.redo_target else ""
        if not isinstance(event, str):
            events = (*events, StoredEvent(book.version + 1, f"{prefix}-{n}", AT, "", event))
    return events


def in_force(events: Sequence[StoredEvent]) -> list[StoredEvent]:
    undone = fold_book("b", events).undone_by
    steps = (kinds.Undone, kinds.Redone)
    return [event for event in events if event.seq not in undone and not isinstance(event.data, steps)]


@given(steps)
def test_events_are_imported_unchanged_where_every_match_comes_in(taken: list[Event | str]) -> None:
    exported = append_steps((), taken, "there")

    assert importable_events(exported, MATCHES) == exported


@given(steps, st.sets(matches))
def test_events_of_matches_that_do_not_come_in_are_left_out(taken: list[Event | str], known: set[str]) -> None:
    exported = append_steps((), taken, "there")
    imported = importable_events(exported, known)

    assert [event.seq for event in imported] == list(range(1, len(imported) + 1))
    lasting = {
        event.idempotency_key for event in in_force(exported) if getattr(event.data, "match", "") in {"", *known}
    }
    assert {event.idempotency_key for event in in_force(imported)} == lasting
