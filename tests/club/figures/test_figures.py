"""Store the figures of each match as it ends: a second count equals the first, and no figure is stale."""

from datetime import date
from io import BytesIO
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.orm import Session

from scorekeeper.book.books import BookAccess, load_book
from scorekeeper.club.figures.counting import BookPeople, load_book_people, write_matches_csv
from scorekeeper.club.figures.people import Ratio, compute_person_figures
from scorekeeper.database.tables import EndingRow, EventRow, MatchFiguresRow
from scorekeeper.matches.fold import Match
from scorekeeper.pitch.rules.library import Library
from tests.common import family
from tests.common.apps import clear_caches
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


@pytest.fixture
def access(session: Session) -> BookAccess:
    """Begin a book."""
    return family.begin_family_book(session)


def counted(session: Session, access: BookAccess) -> BookPeople:
    return load_book_people(session, access.id, load_book(session, access.code).book)


def stored(session: Session) -> dict[int, tuple[int, object, str]]:
    rows = session.execute(sa.select(MatchFiguresRow.__table__))
    return {row.match_id: (row.version, row.figures, row.details) for row in rows}


@pytest.fixture
def start(session: Session, begin: Begin, access: BookAccess) -> Begin:
    """Begin a match that is in the book."""

    def start(**agreed: Any) -> Match:
        match = begin(**agreed)
        family.put(session, access, [match])
        return match

    return start


def test_a_start_and_a_page_count_what_is_gone_or_old_as_it_was_counted_first(
    session: Session, library: Library, access: BookAccess
) -> None:
    family.play(session, library, access, list(family.evenings(12, ["Ann", "Bea", "Cal", "Dan", "Eve"])))
    before, kept = counted(session, access), stored(session)
    assert len(before.matches) == 12 == len(kept)

    family.count_again(session)

    assert stored(session) == kept
    figures = MatchFiguresRow.__table__
    for change in (sa.delete(figures), sa.update(figures).values(edition=0, figures=["old"])):
        session.execute(change)
        session.commit()
        clear_caches()
        assert counted(session, access) == before


def test_a_match_is_counted_as_it_ends_and_as_it_changes_after(
    session: Session, start: Begin, access: BookAccess
) -> None:
    match = start(house={"target": 3})
    assert counted(session, access).matches == ()

    record_hand(session, match.code, HAND)
    assert [side.has_won for side in counted(session, access).matches[0].figures.sides] == [True, False]

    correct_hand(session, match.code, 1, THEIRS)
    assert counted(session, access).matches == (), "nobody has won any more"

    undo(session, match.code)
    assert [side.has_won for side in counted(session, access).matches[0].figures.sides] == [True, False]

    rename(session, match.code, {"p1": "Anna"}, title="Thursday")
    figures = counted(session, access).matches[0].figures
    assert (figures.title, figures.players[0].typed_name) == ("Thursday", "Anna")


def test_what_did_not_end_or_was_deleted_counts_nowhere(session: Session, start: Begin, access: BookAccess) -> None:
    in_progress, stopped, over = start(), start(), start(house={"target": 3})
    record_hand(session, in_progress.code, HAND)
    record_hand(session, stopped.code, HAND)
    stop(session, stopped.code)
    record_hand(session, over.code, HAND)
    assert [match.uid for match in counted(session, access).matches] == [over.setup.uid]

    delete(session, over.code)
    assert counted(session, access).matches == ()
    undelete(session, over.code)
    assert len(counted(session, access).matches) == 1
    resume(session, stopped.code)
    remove_hand(session, over.code, 1)
    assert counted(session, access).matches == ()


def test_a_spreadsheet_says_the_same_of_an_ending_that_is_stored_and_of_one_that_is_not(
    session: Session, start: Begin, library: Library, access: BookAccess
) -> None:
    in_progress, stopped, over, changed = (start(house={"target": target}) for target in (300, 300, 3, 6))
    family.play(session, library, access, list(family.evenings(4, ["Ann", "Bea", "Cal", "Dan", "Eve"])))
    for match in (in_progress, stopped, over, changed, changed):
        record_hand(session, match.code, HAND)
    stop(session, stopped.code)
    rename(session, over.code, {"p1": "Anna"})

    exported = matches_csv(session, access)
    session.execute(sa.delete(EndingRow.__table__))
    session.commit()
    assert matches_csv(session, access) == exported
    assert [line.split(",")[5] for line in exported.splitlines()[1:]] == ["in progress", "stopped", *["over"] * 6]


def test_a_spreadsheet_names_who_won_and_not_who_would_have_sat_in(
    session: Session, start: Begin, access: BookAccess
) -> None:
    match = start(house={"target": 6})
    record_hand(session, match.code, HAND)
    record_hand(session, match.code, SET)
    sit_in(session, match.code, "p1", "Eve")

    correct_hand(session, match.code, 2, HAND)

    assert "Eve" not in matches_csv(session, access)


def matches_csv(session: Session, access: BookAccess) -> str:
    file = BytesIO()
    write_matches_csv(session, access.id, file)
    return file.getvalue().decode("utf-8-sig")


def test_a_match_that_cannot_be_scored_counts_nowhere(session: Session, start: Begin, access: BookAccess) -> None:
    match = start(house={"target": 3})
    record_hand(session, match.code, HAND)
    session.execute(sa.delete(MatchFiguresRow.__table__))
    payload = {"v": 1, "hand": {"bidder": "p1", "bid": 99}}
    session.execute(sa.update(EventRow.__table__).values(payload=payload))
    session.commit()
    clear_caches()

    assert counted(session, access).matches == ()


def test_a_player_who_sat_in_counts_for_the_hands_played(session: Session, start: Begin, access: BookAccess) -> None:
    match = start(house={"target": 9})
    record_hand(session, match.code, HAND)
    record_hand(session, match.code, SET)
    sit_in(session, match.code, "p1", "Eve")
    for _ in range(3):
        record_hand(session, match.code, HAND)

    found = counted(session, access)
    people = {name: found.book.person_named(name) for name in ("Ann", "Eve", "Cal", "Bo")}
    figures_by_name = {name: compute_person_figures(uid, found.matches) for name, uid in people.items()}

    assert figures_by_name["Ann"].bid_ratios == {3: Ratio(1, 2)}
    assert figures_by_name["Eve"].bid_ratios == {3: Ratio(3, 3)}
    assert [figures_by_name[name].win_ratio for name in ("Ann", "Eve", "Cal")] == [(0, 0), (1, 1), (1, 1)]
    assert figures_by_name["Cal"].partner_ratios == {people["Eve"]: Ratio(1, 1)}
    assert figures_by_name["Bo"].win_ratio == Ratio(0, 1)


def test_a_called_partner_counts_for_that_hand(session: Session, library: Library, access: BookAccess) -> None:
    family.play_calling(session, library, access, date(2026, 5, 1))

    found = counted(session, access)
    ann, cal, dan = (found.book.person_named(name) for name in ("Ann", "Cal", "Dan"))
    figures = compute_person_figures(ann, found.matches)
    assert figures.partner_ratios == {}
    called = figures.called_partner_ratios
    assert called[cal].total + called[dan].total == figures.made_ratio.total > called[cal].total > 0
    assert compute_person_figures(cal, found.matches).called_partner_ratios == {ann: called[cal]}
    assert len(figures.opponent_ratios) == 4
