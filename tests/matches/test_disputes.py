"""Dispute a hand from a phone that watches, until a scorer corrects or confirms it."""

from datetime import UTC, datetime

import pytest
from sqlalchemy.orm import Session

from scorekeeper.access.phones import end_link
from scorekeeper.access.roles import LinkEnded
from scorekeeper.database.tables import LinkRow
from scorekeeper.eventlog.fields import DisputeStatement
from scorekeeper.eventlog.stream import WATCHER, HandRefused, NotAllowed, redo_event, undo_event
from scorekeeper.matches import events
from scorekeeper.matches.events import (
    MAX_DISPUTES,
    HandAccepted,
    HandCorrected,
    HandDisputed,
    HandRemoved,
    HandRestored,
)
from scorekeeper.matches.fold import Match
from scorekeeper.matches.notices import dispute_words
from scorekeeper.matches.service import load_match
from scorekeeper.pitch.rules.entered_text import MAX_EVENTS
from tests.common.hands import HAND, SET, THEIRS
from tests.common.match_actions import record_hand, write_event


@pytest.fixture
def watching(session: Session, match: Match) -> str:
    """Let phones watch, and return the code of their link."""
    session.add(LinkRow(code="watching", match_id=match.id, role=WATCHER, created_at=datetime.now(UTC)))
    session.commit()
    record_hand(session, match.code, HAND)
    return "watching"


def write_statement(
    session: Session, code: str, statement: DisputeStatement, *, actor: str = "Mia", version: int = 1
) -> Match:
    return write_event(session, code, HandDisputed(uid=1, version=version, says=statement), actor=actor)


def disputed(match: Match) -> list[int]:
    return [hand.uid for hand in match.log.disputed_hands]


def test_a_hand_is_disputed_and_counts_all_the_same(session: Session, match: Match, watching: str) -> None:
    written = write_statement(session, watching, "wrong")
    on = record_hand(session, match.code, THEIRS)

    assert disputed(written) == disputed(on) == [1]
    assert on.state.scores == {"s1": 4, "s2": 3}


def test_each_phone_says_it_once_of_a_hand(session: Session, watching: str) -> None:
    for actor in ("Mia", "Joe", "Mia"):
        written = write_statement(session, watching, "wrong", actor=actor)

    assert [stamp.actor for stamp in written.log.disputed_hands[0].disputes] == ["Mia", "Joe"]
    assert written.version == 3


def test_a_phone_takes_back_what_it_said_itself(session: Session, watching: str) -> None:
    write_statement(session, watching, "wrong", actor="Mia")
    write_statement(session, watching, "wrong", actor="Joe")

    others = write_statement(session, watching, "withdrawn", actor="Eve")
    own = write_statement(session, watching, "withdrawn", actor="Mia")
    again = write_statement(session, watching, "wrong", actor="Mia")

    assert [len(match.log.hands[0].disputes) for match in (others, own, again)] == [2, 1, 2]


def test_only_who_scores_confirms_a_hand(session: Session, match: Match, watching: str) -> None:
    write_statement(session, watching, "wrong")

    with pytest.raises(NotAllowed):
        write_statement(session, watching, "confirmed")

    assert disputed(write_statement(session, match.code, "confirmed")) == []


def test_what_was_confirmed_is_not_said_again_by_the_same_phone(session: Session, match: Match, watching: str) -> None:
    write_statement(session, watching, "wrong")
    write_statement(session, match.code, "confirmed")

    with pytest.raises(HandRefused, match="confirmed after you said so"):
        write_statement(session, watching, "wrong")

    assert disputed(write_statement(session, watching, "wrong", actor="Joe")) == [1]


def test_a_confirmation_is_undone_and_redone(session: Session, match: Match, watching: str) -> None:
    write_statement(session, watching, "wrong")
    write_statement(session, match.code, "confirmed")

    undone, redone = write_event(session, match.code, undo_event), write_event(session, match.code, redo_event)

    assert (disputed(undone), disputed(redone)) == ([1], [])


@pytest.mark.parametrize("settles", [HandCorrected(uid=1, hand=SET), HandRemoved(uid=1)])
def test_a_change_of_the_hand_settles_it_until_that_is_undone(
    session: Session, match: Match, watching: str, settles: events.Event
) -> None:
    write_statement(session, watching, "wrong")

    settled, undone = write_event(session, match.code, settles), write_event(session, match.code, undo_event)

    assert (disputed(settled), disputed(undone)) == ([], [1])


def test_a_hand_that_was_deleted_comes_back_undisputed(session: Session, match: Match, watching: str) -> None:
    write_statement(session, watching, "wrong")
    write_event(session, match.code, HandRemoved(uid=1))

    assert disputed(write_event(session, match.code, HandRestored(uid=1))) == []


@pytest.mark.parametrize("changes", [HandCorrected(uid=1, hand=SET), HandRemoved(uid=1)])
def test_a_hand_that_changed_meanwhile_is_looked_at_again(
    session: Session, match: Match, watching: str, changes: events.Event
) -> None:
    write_event(session, match.code, changes)

    with pytest.raises(HandRefused, match="has changed since"):
        write_statement(session, watching, "wrong")


def test_a_correction_may_be_wrong_as_well(session: Session, match: Match, watching: str) -> None:
    write_statement(session, watching, "wrong")
    write_event(session, match.code, HandCorrected(uid=1, hand=SET))

    assert disputed(write_statement(session, watching, "wrong", version=3)) == [1]


def test_who_watches_touches_neither_undo_nor_redo(session: Session, match: Match, watching: str) -> None:
    record_hand(session, match.code, THEIRS)
    write_event(session, match.code, undo_event)
    write_statement(session, watching, "wrong")
    written = write_statement(session, watching, "withdrawn")

    assert written.log.next_to_undo is not None
    assert written.log.next_to_undo.seq == 1
    assert len(write_event(session, match.code, redo_event).log.hands) == 2


def test_who_watches_never_fills_a_match(session: Session, match: Match, watching: str) -> None:
    for _ in range(MAX_DISPUTES):
        write_statement(session, watching, "wrong")
        written = write_statement(session, watching, "withdrawn")

    with pytest.raises(HandRefused, match="said too often"):
        write_statement(session, watching, "wrong")

    assert written.version == 1 + 2 * MAX_DISPUTES < MAX_EVENTS / 10


def test_a_removed_phone_says_nothing(session: Session, match: Match, watching: str) -> None:
    end_link(session, match, load_match(session, watching).link.id, "")

    with pytest.raises(LinkEnded):
        write_statement(session, watching, "wrong")


def test_phones_are_called_by_who_holds_them(session: Session, match: Match, watching: str) -> None:
    write_statement(session, watching, "wrong", actor="p2:one")
    one = write_statement(session, watching, "wrong", actor="two")
    both = write_statement(session, watching, "wrong", actor="three")

    assert dispute_words(one, one.log.hands[0]) == "Bo’s phone and a watching phone: That’s wrong."
    assert dispute_words(both, both.log.hands[0]) == "Bo’s phone and 2 watching phones: That’s wrong."


def test_nobody_accepts_a_hand_any_more(session: Session, match: Match, watching: str) -> None:
    for code in (match.code, watching):
        with pytest.raises(NotAllowed):
            write_event(session, code, HandAccepted(uid=1, version=1))
