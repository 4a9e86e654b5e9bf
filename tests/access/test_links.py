"""Keep the phones of a match: links made or changed at the same moment, and which phones are here."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.access import invitations, phones
from scorekeeper.access.links import MATCH_LINKS
from scorekeeper.access.roles import LinkEnded
from scorekeeper.database.engine import db
from scorekeeper.eventlog.store import Writer
from scorekeeper.eventlog.stream import OWNER, SCORER, WATCHER
from scorekeeper.matches import phones as match_phones
from scorekeeper.matches.events import PlayerSubstituted
from scorekeeper.matches.fold import Match
from scorekeeper.matches.match_list import matches_of_device, record_visit
from scorekeeper.matches.service import load_match, write_match
from tests.common.interleaving import before_first_write


def let_in(session: Session, match: Match, device: str, role: str = WATCHER, seat: str | None = None) -> str:
    """Add a phone, and give the code of its link."""
    return match_phones.join_match(session, invitations.invite(session, match, role), device, seat).code


@pytest.mark.every_database
def test_the_same_form_at_the_same_moment_makes_one_link(app: Flask, session: Session, match: Match) -> None:
    invitation = invitations.invite(session, match, SCORER)

    def post(_number: int) -> str:
        with app.app_context():
            return match_phones.join_match(db.session, invitation, "phone", "p2").code

    with ThreadPoolExecutor(8) as pool:
        codes = set(pool.map(post, range(8)))

    assert len(codes) == 1
    assert len(phones.phones_of(session, match)) == 2


@pytest.mark.every_database
def test_a_match_that_two_owners_share_at_once_has_one_shared_link(app: Flask, session: Session, match: Match) -> None:
    with before_first_write(app, lambda: match_phones.share_match(db.session, match)):
        shared = match_phones.share_match(session, match)

    assert [phone.link for phone in phones.phones_of(session, match) if phone.link.is_shared] == [shared]


@pytest.mark.every_database
def test_a_link_that_changes_is_never_the_old_one(session: Session, match: Match) -> None:
    theirs = let_in(session, match, "phone", SCORER, "p2")
    link = load_match(session, theirs).link

    phones.give_role(session, match, link.id, WATCHER)
    assert (MATCH_LINKS.head_in_force(session, theirs).link.role, load_match(session, theirs).link.role) == (
        WATCHER,
        WATCHER,
    )
    match_phones.set_holder(session, load_match(session, theirs), "p4")
    assert load_match(session, theirs).link.holder == "p4"
    phones.end_link(session, match, link.id, "p1:abc")
    with pytest.raises(LinkEnded):
        load_match(session, theirs)
    assert load_match(session, match.code).link.role == OWNER


@pytest.mark.every_database
def test_whoever_ended_a_link_is_named_also_after_somebody_took_the_seat(session: Session, match: Match) -> None:
    theirs = let_in(session, match, "phone")
    phones.end_link(session, match, load_match(session, theirs).link.id, "p1:abcdef")
    with pytest.raises(LinkEnded) as ended:
        load_match(session, theirs)

    write_match(session, match.code, PlayerSubstituted(names={"p1": "Eva"}), Writer("later"), expected_version=None)

    assert match_phones.name_of_ender(session, ended.value.link) == "Ann"
    assert match_phones.name_of_ender(session, match.link) == ""


@pytest.mark.every_database
def test_a_phone_that_was_let_go_no_longer_lists_the_match(session: Session, match: Match) -> None:
    theirs = let_in(session, match, "phone")
    assert len(matches_of_device(session, "phone")) == 1

    phones.end_link(session, match, load_match(session, theirs).link.id, "")

    assert matches_of_device(session, "phone") == []


def test_a_visit_by_a_weaker_link_keeps_the_stronger(session: Session, match: Match) -> None:
    record_visit(session, "mine", match)
    weaker = load_match(session, let_in(session, match, "phone"))

    record_visit(session, "mine", weaker)

    assert [listed.link.code for listed in matches_of_device(session, "mine")] == [match.code]


def test_an_invitation_that_holds_is_renewed(session: Session, match: Match) -> None:
    first = invitations.invite(session, match, WATCHER)
    again = invitations.invite(session, match, WATCHER)
    other = invitations.invite(session, match, SCORER)

    assert (first.code, first.pin) == (again.code, again.pin)
    assert again.expires_at > first.expires_at
    assert other.pin != first.pin
    assert set(invitations.invitations_in_force(session, match)) == {WATCHER, SCORER}


@pytest.fixture
def guest(session: Session, match: Match) -> Match:
    """Let a phone in, which watches."""
    return load_match(session, let_in(session, match, "phone"))


def forget_in_memory() -> None:
    """Clear what is in memory, as in another process of the same server."""
    phones._last_seen_by_code.clear()
    phones._last_stored_by_code.clear()


def long_ago(session: Session) -> None:
    """Let nobody have been seen for a while."""
    forget_in_memory()
    session.execute(sa.text("UPDATE device_match SET last_seen = '2026-11-20 12:00:00'"))
    session.commit()


def here(session: Session, match: Match) -> list[bool]:
    return [phone.is_here for phone in phones.phones_of(session, match)]


@pytest.mark.every_database
def test_a_phone_that_asks_is_here(session: Session, match: Match, guest: Match) -> None:
    long_ago(session)

    phones.note_presence(session, "phone", guest.link)

    assert here(session, match) == [False, True]


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_other_processes_know_that_a_phone_is_here(session: Session, match: Match, guest: Match) -> None:
    long_ago(session)

    phones.note_presence(session, "phone", guest.link)
    forget_in_memory()

    assert here(session, match) == [False, True]


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_a_phone_that_asks_all_the_time_is_stored_once_a_minute(session: Session, guest: Match) -> None:
    long_ago(session)
    stored = []
    for _process in range(3):
        forget_in_memory()
        for _ in range(3):
            phones.note_presence(session, "phone", guest.link)
            stored.append(session.execute(sa.text("SELECT last_seen FROM device_match")).scalar_one())
            session.rollback()

    assert len(set(stored)) == 1


@pytest.mark.every_database
def test_a_phone_that_is_not_known_is_not_stored(session: Session, match: Match) -> None:
    phones.note_presence(session, "", match.link)
    phones.note_presence(session, "a phone that forgot the match", match.link)

    assert session.execute(sa.text("SELECT count(*) FROM device_match")).scalar_one() == 0
