"""What matches count for is stored as they end, comes to the same when it is counted again, and is never stale."""

from dataclasses import replace
from io import BytesIO

import pytest
import sqlalchemy as sa
from sqlalchemy.orm import Session

from scorekeeper.access.roles import Link
from scorekeeper.book.books import BookAccess, load_book
from scorekeeper.club.figures import counting
from scorekeeper.club.figures.counting import BookMatches, book_matches, count_all, write_matches
from scorekeeper.club.figures.match_figures import figures_of
from scorekeeper.club.figures.people import Ratio, fold_person
from scorekeeper.database.tables import EventRow, MatchFiguresRow
from scorekeeper.eventlog.stream import OWNER
from scorekeeper.matches import service
from scorekeeper.matches.fold import Match
from scorekeeper.matches.service import look_up_open_endings, match_of_id
from scorekeeper.pitch.rules.library import Library
from scorekeeper.pitch.scoring.hand import Hand
from tests.common import family
from tests.common.hands import HAND, SET, THEIRS
from tests.common.match_actions import (
    correct_hand,
    delete,
    record_hand,
    remove_hand,
    rename,
    resume,
    sit_in,
    stop,
    undelete,
    undo,
)
from tests.matches.conftest import Begin

pytestmark = pytest.mark.every_database


@pytest.fixture(autouse=True)
def _nothing_cached() -> None:
    counting._cache.clear()


@pytest.fixture
def access(session: Session) -> BookAccess:
    """Begin a book."""
    return family.begin_family_book(session)


def counted(session: Session, access: BookAccess) -> BookMatches:
    return book_matches(session, access.id, load_book(session, access.code).book)


def stored(session: Session) -> dict[int, tuple[int, object, str]]:
    rows = session.execute(sa.select(MatchFiguresRow.__table__))
    return {row.match_id: (row.version, row.figures, row.details) for row in rows}


def put(session: Session, access: BookAccess, *found: Match) -> None:
    family.put(session, access, found)


def test_what_is_stored_equals_the_fold(session: Session, library: Library, access: BookAccess) -> None:
    family.play(session, library, access, list(family.evenings(12, ["Ann", "Bea", "Cal", "Dan", "Eve"])))
    before, kept = counted(session, access), stored(session)
    assert len(before.matches) == 12 == len(kept)
    assert all(figures_of(match) is not None for match in _matches(session, before))

    family.count_again(session)

    assert stored(session) == kept
    counting._cache.clear()
    assert counted(session, access) == before


def _matches(session: Session, found: BookMatches) -> list[Match]:
    return [match_of_id(session, Link(0, "", OWNER, match_id)) for match_id in found.ids.values()]


def test_a_match_is_counted_as_it_ends_and_as_it_changes_after(
    session: Session, begin: Begin, access: BookAccess
) -> None:
    match = begin(house={"target": 3})
    put(session, access, match)
    assert counted(session, access).matches == ()

    record_hand(session, match.code, HAND, seq=1, idempotency_key="one")
    assert [side.won for side in counted(session, access).matches[0].figures.sides] == [True, False]

    correct_hand(session, match.code, 1, THEIRS, seq=2, idempotency_key="two")
    assert counted(session, access).matches == (), "nobody has won any more"

    undo(session, match.code, seq=3, idempotency_key="three")
    assert [side.won for side in counted(session, access).matches[0].figures.sides] == [True, False]

    rename(session, match.code, {"p1": "Anna"}, idempotency_key="four", title="Thursday")
    it = counted(session, access).matches[0].figures
    assert (it.title, it.typed_names[0]) == ("Thursday", "Anna")


def test_what_did_not_end_or_was_deleted_counts_nowhere(session: Session, begin: Begin, access: BookAccess) -> None:
    going_on, stopped, over = begin(), begin(), begin(house={"target": 3})
    put(session, access, going_on, stopped, over)
    record_hand(session, going_on.code, HAND, seq=1, idempotency_key="one")
    record_hand(session, stopped.code, HAND, seq=1, idempotency_key="one")
    stop(session, stopped.code, idempotency_key="two")
    record_hand(session, over.code, HAND, seq=1, idempotency_key="one")
    assert [match.uid for match in counted(session, access).matches] == [over.setup.uid]

    delete(session, over.code, idempotency_key="two")
    assert counted(session, access).matches == ()
    undelete(session, over.code, idempotency_key="three")
    assert len(counted(session, access).matches) == 1
    resume(session, stopped.code, idempotency_key="three")
    remove_hand(session, over.code, 1, seq=4, idempotency_key="four")
    assert counted(session, access).matches == ()


def test_a_spreadsheet_says_the_same_of_what_was_counted_and_of_what_was_not(
    session: Session, begin: Begin, library: Library, access: BookAccess
) -> None:
    going_on, stopped, over, changed = begin(), begin(), begin(house={"target": 3}), begin(house={"target": 6})
    put(session, access, going_on, stopped, over, changed)
    family.play(session, library, access, list(family.evenings(4, ["Ann", "Bea", "Cal", "Dan", "Eve"])))
    for match in (going_on, stopped, over, changed):
        record_hand(session, match.code, HAND, seq=1, idempotency_key="one")
    stop(session, stopped.code, idempotency_key="two")
    record_hand(session, changed.code, HAND, seq=2, idempotency_key="two")
    session.execute(sa.update(MatchFiguresRow.__table__).values(edition=0).where(_of(changed)))
    rename(session, over.code, {"p1": "Anna"}, idempotency_key="name")
    session.execute(sa.update(MatchFiguresRow.__table__).values(version=1).where(_of(over)))
    session.commit()

    said = matches_csv(session, access)
    family.drop_all_figures(session)
    session.commit()
    assert matches_csv(session, access) == said
    assert [line.split(",")[5] for line in said.splitlines()[1:]] == ["in progress", "stopped", *["over"] * 6]


def matches_csv(session: Session, access: BookAccess) -> str:
    file = BytesIO()
    write_matches(session, access.id, file)
    return file.getvalue().decode("utf-8-sig")


def _of(match: Match) -> sa.ColumnElement[bool]:
    return sa.column("match_id") == match.id


def test_figures_that_are_gone_or_old_are_made_again(session: Session, begin: Begin, access: BookAccess) -> None:
    match = begin(house={"target": 3})
    put(session, access, match)
    record_hand(session, match.code, HAND, seq=1, idempotency_key="one")
    before = counted(session, access)

    session.execute(sa.delete(MatchFiguresRow.__table__))
    session.commit()
    counting._cache.clear()
    assert counted(session, access) == before

    session.execute(sa.update(MatchFiguresRow.__table__).values(edition=0, figures=["old"]))
    session.commit()
    counting._cache.clear()
    assert counted(session, access) == before


def test_a_match_that_cannot_be_scored_counts_nowhere(session: Session, begin: Begin, access: BookAccess) -> None:
    match = begin(house={"target": 3})
    put(session, access, match)
    record_hand(session, match.code, HAND, seq=1, idempotency_key="one")
    session.execute(sa.delete(MatchFiguresRow.__table__))
    payload = {"v": 1, "hand": {"bidder": "p1", "bid": 99}}
    session.execute(sa.update(EventRow.__table__).values(payload=payload))
    session.commit()
    service._cache.clear()

    assert counted(session, access).matches == ()


def test_a_player_who_sat_in_counts_for_the_hands_played(session: Session, begin: Begin, access: BookAccess) -> None:
    match = begin(house={"target": 9})
    put(session, access, match)
    record_hand(session, match.code, HAND, seq=1, idempotency_key="one")
    record_hand(session, match.code, SET, seq=2, idempotency_key="two")
    sit_in(session, match.code, "p1", "Eve", seq=3, idempotency_key="three")
    for seq in (4, 5, 6):
        record_hand(session, match.code, HAND, seq=seq, idempotency_key=f"hand {seq}")

    found = counted(session, access)
    people = {name: found.book.person_named(name) for name in ("Ann", "Eve", "Cal", "Bo")}
    figures_by_name = {name: fold_person(uid, found.matches) for name, uid in people.items()}

    assert figures_by_name["Ann"].bids == {3: Ratio(1, 2)}
    assert figures_by_name["Eve"].bids == {3: Ratio(3, 3)}
    assert [figures_by_name[name].won for name in ("Ann", "Eve", "Cal")] == [(0, 0), (1, 1), (1, 1)]
    assert figures_by_name["Cal"].partners == {people["Eve"]: Ratio(1, 1)}
    assert figures_by_name["Bo"].won == Ratio(0, 1)


def test_a_called_partner_counts_for_that_hand(session: Session, begin: Begin, access: BookAccess) -> None:
    match = begin(variant="pawnee-call-your-partner", players=["Ann", "Bo", "Cal", "Di", "Eve"], house={"target": 21})
    awards = match.rules.in_play
    taken: dict[str, str | None] = dict.fromkeys(awards, "bidders")
    hand = Hand(bidder="p1", bid=match.rules.bottom_number, trump="hearts", partner="p3", taken=taken)
    number = 0
    while not match.state.outcome and number < 20:
        number += 1
        caller = hand if number % 2 else replace(hand, partner="p4")
        match = record_hand(session, match.code, caller, seq=number, idempotency_key=f"hand {number}")
    put(session, access, match)

    found = counted(session, access)
    ann, cal, di = (found.book.person_named(name) for name in ("Ann", "Cal", "Di"))
    it = fold_person(ann, found.matches)
    assert it.partners == {}
    assert it.called[cal].total + it.called[di].total == number == it.made.total
    assert fold_person(cal, found.matches).called == {ann: it.called[cal]}
    assert len(it.opponents) == 4


def test_matches_that_came_with_a_file_are_counted_when_their_endings_are(
    session: Session, library: Library, access: BookAccess
) -> None:
    family.play(session, library, access, list(family.evenings(2, family.FOUR)))
    look_up_open_endings(session)
    count_all(session)
    assert len(stored(session)) == 2
