"""What a link may write: a role for every kind of event, and for undoing and redoing each."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from sqlalchemy.orm import Session

from scorekeeper.access.phones import end_link, give_role, phones_of
from scorekeeper.access.roles import LinkEnded
from scorekeeper.database.tables import LinkRow
from scorekeeper.eventlog.store import Writer
from scorekeeper.eventlog.stream import OWNER, SCORER, WATCHER, NotAllowed, allows, redo_event, undo_event
from scorekeeper.matches.events import (
    EVENT_KINDS,
    Change,
    DealerMoved,
    Deleted,
    HandAdded,
    HandCorrected,
    HandDisputed,
    HandRemoved,
    HandRestored,
    PaymentRecorded,
    PlayerSubstituted,
    Resumed,
    RulesChanged,
    Stopped,
    Undeleted,
    marker_change,
    rename_change,
)
from scorekeeper.matches.files.import_export import export_match
from scorekeeper.matches.fold import Match
from scorekeeper.matches.match_list import record_visit
from scorekeeper.matches.service import load_match, write_match
from scorekeeper.pitch.rules.library import Library
from tests.access.test_links import let_in
from tests.common.hands import HAND, SET, THEIRS
from tests.common.importing import import_records
from tests.matches.conftest import Begin

ROLES = (OWNER, SCORER, WATCHER)
WRITES: dict[str, tuple[str, Change, tuple[Change, ...]]] = {
    "hand": (SCORER, HandAdded(hand=THEIRS), ()),
    "correction": (SCORER, HandCorrected(uid=1, hand=SET), ()),
    "removal": (SCORER, HandRemoved(uid=1), ()),
    "return": (SCORER, HandRestored(uid=1), (HandRemoved(uid=1),)),
    "dispute": (WATCHER, HandDisputed(uid=1, version=1, says="wrong"), ()),
    "stop": (SCORER, Stopped(), ()),
    "resume": (SCORER, Resumed(), (Stopped(),)),
    "rename": (OWNER, rename_change({"p1": "Anna"}), ()),
    "marks": (SCORER, marker_change("s1", 5), ()),
    "deletion": (OWNER, Deleted(), ()),
    "undeletion": (OWNER, Undeleted(), (Deleted(),)),
    "rules": (OWNER, RulesChanged(house={"target": 200}), ()),
    "dealer": (SCORER, DealerMoved(who="p3"), ()),
    "sits_in": (SCORER, PlayerSubstituted(names={"p1": "Eve"}), ()),
    "payment": (SCORER, PaymentRecorded(debtor=f"{'c' * 22}/p2", creditor=f"{'c' * 22}/p1", cents=100), ()),
}
"""By kind: the role that may write it, the change that writes it, and the events before it."""
OTHERS = {"acceptance", "agreement", "undo", "redo", "went_on"}

Link = Callable[[str], str]


@pytest.fixture
def link(session: Session, match: Match) -> Link:
    """Give a phone a link of a role, which has the role as its code."""

    def link(role: str) -> str:
        session.add(LinkRow(code=role, match_id=match.id, role=role, created_at=datetime.now(UTC)))
        session.commit()
        return role

    return link


def by(session: Session, code: str, change: Change, actor: str = "") -> Match:
    version = load_match(session, code).version
    return write_match(session, code, change, Writer(f"{code[:20]}-{version}", actor), expected_version=None)


def test_every_kind_of_event_is_tried() -> None:
    assert {*WRITES, *OTHERS} == set(EVENT_KINDS)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("kind", WRITES)
def test_an_event_needs_its_role_and_undo_and_redo_that_of_what_they_touch(
    session: Session, match: Match, link: Link, kind: str, role: str
) -> None:
    least, change, before = WRITES[kind]
    for prepares in (HandAdded(hand=HAND), *before):
        by(session, match.code, prepares)
    code = link(role)
    may_undo = role != WATCHER and allows(role, least)

    for step, is_allowed in ((change, allows(role, least)), (undo_event, may_undo), (redo_event, may_undo)):
        log = load_match(session, code).log
        if step is not change:
            assert (log.may_undo if step is undo_event else log.may_redo)(role) == is_allowed
        if is_allowed:
            assert by(session, code, step).version == log.version + 1
        else:
            with pytest.raises(NotAllowed):
                by(session, code, step)
            by(session, match.code, step)


def with_another_owner(session: Session, match: Match) -> Match:
    """Return the match as another owner has it."""
    other = load_match(session, let_in(session, match, "another phone"))
    give_role(session, match, other.link.id, OWNER)
    return load_match(session, other.code)


@pytest.mark.every_database
def test_a_beginning_sent_again_is_answered_with_the_link_that_it_made(begin: Begin, session: Session) -> None:
    match = begin(idempotency_key="the form")
    give_role(session, with_another_owner(session, match), match.link.id, WATCHER)

    again = begin(idempotency_key="the form")

    assert (again.code, again.link.role) == (match.code, WATCHER)


@pytest.mark.every_database
def test_a_beginning_sent_again_leads_nowhere_for_whom_was_removed(begin: Begin, session: Session) -> None:
    match = begin(idempotency_key="the form")
    end_link(session, with_another_owner(session, match), match.link.id, "")

    with pytest.raises(LinkEnded):
        begin(idempotency_key="the form")


@pytest.mark.every_database
def test_an_import_sent_again_is_answered_with_the_links_that_it_made(
    begin: Begin, session: Session, library: Library
) -> None:
    record = export_match(session, library, begin().code)
    first, second = import_records(session, library, [record, record], idempotency_key="k" * 36)
    give_role(session, with_another_owner(session, second), second.link.id, WATCHER)

    again = import_records(session, library, [record, record], idempotency_key="k" * 36)

    assert [(match.code, match.link.role) for match in again] == [(first.code, OWNER), (second.code, WATCHER)]


@pytest.mark.every_database
def test_a_phone_has_one_link_however_often_it_comes_in(session: Session, match: Match) -> None:
    code = let_in(session, match, "guest", SCORER, "p2")

    record_visit(session, "somebody else", load_match(session, code))
    passed_on = let_in(session, match, "guest", SCORER, "p4")
    record_visit(session, "guest", match)
    by_the_owners = let_in(session, match, "guest", SCORER, "p4")

    assert {passed_on, by_the_owners} == {code}
    assert len(phones_of(session, match)) == 2


def test_nobody_takes_over_the_link_that_another_phone_was_given(session: Session, match: Match) -> None:
    theirs = let_in(session, match, "guest", WATCHER, "p2")
    record_visit(session, "another", load_match(session, theirs))

    assert let_in(session, match, "another", WATCHER, "p4") != theirs
    assert load_match(session, theirs).link.holder == "p2"
