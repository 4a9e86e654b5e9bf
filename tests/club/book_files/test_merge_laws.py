"""Two books merged: twice changes nothing, and where nothing conflicts, either way round is the same."""

from collections.abc import Sequence
from datetime import UTC, datetime

from hypothesis import assume, example, given
from hypothesis import strategies as st

from scorekeeper.book import events as facts
from scorekeeper.book.fold import Book, fold_book, in_force
from scorekeeper.club.book_files.merge import merged
from scorekeeper.eventlog.stream import Event, Fact

MATCHES = tuple(f"match{n}" for n in range(4))
PEOPLE = tuple(f"person{n}" for n in range(4))
AT = datetime(2026, 1, 1, tzinfo=UTC)

people, matches = st.sampled_from(PEOPLE), st.sampled_from(MATCHES)
said = st.one_of(
    st.builds(facts.BookRenamed, name=st.sampled_from(["Miller", "Grandma’s"])),
    st.builds(facts.MatchAdded, match=matches),
    st.builds(facts.MatchRemoved, match=matches),
    # Two people who are given one name are a conflict: the first who was called so is whom it stands for.
    st.builds(lambda person, n: facts.PersonRenamed(person=person, name=f"{person} {n}"), people, st.integers(0, 1)),
    st.builds(facts.NameDeleted, person=people),
    st.builds(facts.NameRestored, person=people),
    st.builds(
        facts.PlayerAssigned, match=matches, seat=st.sampled_from(["p1", "p2"]), sittings=st.just(0), person=people
    ),
)
steps = st.lists(said | st.sampled_from(["undo", "redo"]), max_size=6)


def told(events: Sequence[Event], steps: Sequence[Fact | str], where: str) -> tuple[Event, ...]:
    """Return a book's events after more was said there, undone and redone, each as a page does it."""
    events = tuple(events)
    for n, step in enumerate(steps):
        book, fact = fold_book("b", events), step
        if step == "undo":
            fact = facts.Undone(target=book.undo_next.seq) if book.undo_next else ""
        elif step == "redo":
            fact = facts.Redone(target=book.redo_target) if book.redo_target else ""
        if not isinstance(fact, str):
            events = (*events, Event(book.version + 1, f"{where}-{n}", AT, "", fact))
    return events


def after(here: Sequence[Event], there: Sequence[Event]) -> tuple[Event, ...]:
    return (*here, *merged(here, there))


def state(events: Sequence[Event]) -> tuple[object, ...]:
    book: Book = fold_book("b", events)
    return book.name, sorted(book.matches), book.people


@given(steps, steps)
def test_what_goes_on_elsewhere_comes_back_as_it_is_there(base: list[Fact | str], more: list[Fact | str]) -> None:
    here = told((), base, "base")
    there = told(here, more, "there")

    assert after(here, there) == there
    assert merged(there, here) == ()
    assert after((), there) == there


@given(steps, steps, steps)
@example([facts.BookRenamed(name="Miller")], [facts.BookRenamed(name="Miller")], ["undo", "redo", "undo"])
def test_the_same_file_twice_changes_nothing(
    base: list[Fact | str], mine: list[Fact | str], theirs: list[Fact | str]
) -> None:
    common = told((), base, "base")
    here, there = told(common, mine, "here"), told(common, theirs, "there")
    once = after(here, there)

    assert once[: len(here)] == here
    assert [event.seq for event in once] == list(range(1, len(once) + 1))
    assert len({event.client_key for event in once}) == len(once)
    assert merged(once, there) == ()


@given(steps, steps, steps)
def test_where_nothing_conflicts_either_way_round_is_the_same(
    base: list[Fact | str], mine: list[Fact | str], theirs: list[Fact | str]
) -> None:
    common = told((), base, "base")
    here, there = told(common, mine, "here"), told(common, theirs, "there")
    assume(not changed(common, here) & changed(common, there))
    # A first name for a person has no opposite: where both went on, its undoing stays where it was done.
    gone = [it for some in (here, there) for it in in_force(common) if it not in in_force(some)]
    assume(not any(isinstance(it.fact, facts.PersonRenamed | facts.PlayerAssigned) for it in gone))

    assert state(after(here, there)) == state(after(there, here))


@given(steps, steps, steps)
def test_what_was_said_here_counts_where_both_said_something_else(
    base: list[Fact | str], mine: list[Fact | str], theirs: list[Fact | str]
) -> None:
    common = told((), base, "base")
    here, there = told(common, mine, "here"), told(common, theirs, "there")
    keys = {event.client_key for event in common}
    own = {it.fact.subject: it.fact for it in in_force(here) if it.client_key not in keys}

    last = {it.fact.subject: it.fact for it in in_force(after(here, there))}

    assert {about: last.get(about) for about in own} == own


def changed(common: Sequence[Event], events: Sequence[Event]) -> set[object]:
    """Return what is other than it was, or was said again."""
    before, now = ({it.fact.subject: it for it in in_force(some)} for some in (common, events))
    return {about for about in before.keys() | now.keys() if before.get(about) != now.get(about)}


def test_an_undo_elsewhere_takes_back_what_both_had() -> None:
    common = told((), [facts.PeopleJoined(person="a", into="b")], "base")
    here = told(common, [facts.NameDeleted(person="c")], "here")
    there = told(common, ["undo"], "there")

    assert fold_book("b", after(here, there)).people.joined == {}


def test_both_names_are_kept_and_the_one_here_counts() -> None:
    here, there = (told((), [facts.BookRenamed(name=name)], name) for name in ("Here", "There"))

    assert [it.fact.name for it in after(here, there) if isinstance(it.fact, facts.BookRenamed)] == [
        "Here",
        "There",
        "Here",
    ]
