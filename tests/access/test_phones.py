"""The phones of a match, a book and a night, by one set of rules: an owner stays, and who is removed stays out."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import pytest
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.access.invitations import (
    NoInvitation,
    enter_pin,
    invitation_of_code,
    invitations_in_force,
    invite,
)
from scorekeeper.access.phones import end_link, give_role, only_owner, phones_of, reopen_link
from scorekeeper.access.roles import Invitation, Link, Linked, LinkEnded
from scorekeeper.book.books import books_of_device, join_book, load_book
from scorekeeper.club.nights.service import load_night
from scorekeeper.club.nights.store import join_night
from scorekeeper.database.engine import db
from scorekeeper.eventlog.stream import OWNER, SCORER, WATCHER, Refused
from scorekeeper.matches.phones import join_match
from scorekeeper.matches.service import load_match
from scorekeeper.pitch.rules.library import Library
from tests.common.interleaving import before_first_write
from tests.common.match_actions import start_match
from tests.common.nights import store_night

pytestmark = [
    pytest.mark.every_database,
    pytest.mark.parametrize("kind", ["match", "book", pytest.param("night", marks=pytest.mark.club)]),
]


@dataclass(frozen=True)
class Joinable:
    """A match, a book or a night with its owner's link, and how phones join it."""

    linked: Linked
    load: Callable[[Session, str], Linked]
    enter: Callable[[Session, Invitation, str], Link]

    def let_in(self, session: Session, device: str, role: str = WATCHER) -> Link:
        return self.enter(session, invite(session, self.linked, role), device)

    def role_of(self, session: Session, link: Link) -> str | None:
        """Return what a phone may do; `None` for one that was removed."""
        (phone,) = (phone for phone in phones_of(session, self.linked) if phone.link.id == link.id)
        session.rollback()
        return phone.link.role if phone.has_access else None


@pytest.fixture
def joinable(session: Session, library: Library, kind: str) -> Joinable:
    """Start a match, a book or a night that phones can join."""
    if kind == "night":
        night = load_night(session, store_night(session, "ann", title="Pitch night"))
        return Joinable(night, load_night, partial(join_night, entrant_uid=0))
    players = ["Ann", "Bo", "Cal", "Di"]
    match = start_match(
        session, library, variant="partnership-pitch", players=players, idempotency_key="match", device="ann"
    )
    if kind == "book":
        return Joinable(books_of_device(session, "ann")[0], load_book, partial(join_book, holder=""))
    return Joinable(match, load_match, partial(join_match, seat=None))


@pytest.mark.parametrize(
    "act", [partial(give_role, role=WATCHER), partial(end_link, actor="")], ids=["demote", "remove"]
)
def test_of_two_owners_who_do_so_to_each_other_at_once_one_stays(
    app: Flask, session: Session, joinable: Joinable, act: Callable[..., None]
) -> None:
    mine, other = joinable.linked.link, joinable.let_in(session, "bea")
    for _ in range(10):
        for link in (mine, other):
            reopen_link(session, joinable.linked, link.id)
            give_role(session, joinable.linked, link.id, OWNER)

        def is_done(link: Link) -> bool:
            with app.app_context():
                try:
                    act(db.session, joinable.linked, link.id)
                except Refused:
                    return False
                return True

        with ThreadPoolExecutor(2) as pool:
            done = list(pool.map(is_done, (mine, other)))

        assert sorted(done) == [False, True]
        assert [joinable.role_of(session, link) for link in (mine, other)].count(OWNER) == 1


def test_a_phone_that_is_removed_while_it_joins_again_stays_out(
    app: Flask, session: Session, joinable: Joinable
) -> None:
    theirs = joinable.let_in(session, "bea")
    invitation = invite(session, joinable.linked, SCORER)

    with (
        before_first_write(app, lambda: end_link(db.session, joinable.linked, theirs.id, "ann")),
        pytest.raises(NoInvitation),
    ):
        joinable.enter(session, invitation, "bea")

    assert joinable.role_of(session, theirs) is None


def test_a_phone_that_may_do_less_while_it_joins_again_does_no_more(
    app: Flask, session: Session, joinable: Joinable
) -> None:
    theirs = joinable.let_in(session, "bea", SCORER)
    invitation = invite(session, joinable.linked, WATCHER)

    with before_first_write(app, lambda: give_role(db.session, joinable.linked, theirs.id, WATCHER)):
        joinable.enter(session, invitation, "bea")

    assert joinable.role_of(session, theirs) == WATCHER


@pytest.mark.parametrize("joined_as", [WATCHER, SCORER])
def test_a_phone_that_was_removed_comes_back_by_no_invitation_of_any_role(
    session: Session, joinable: Joinable, joined_as: str
) -> None:
    theirs = joinable.let_in(session, "bea", joined_as)
    invited = [invite(session, joinable.linked, role) for role in (WATCHER, SCORER)]

    end_link(session, joinable.linked, theirs.id, "ann")

    assert invitations_in_force(session, joinable.linked) == {}
    for invitation in invited:
        with pytest.raises(NoInvitation):
            invitation_of_code(session, invitation.code, "match", "book", "night")
        with pytest.raises(NoInvitation):
            enter_pin(session, invitation.pin or "", f"10.0.0.{invitation.id}")
    with pytest.raises(LinkEnded):
        joinable.load(session, theirs.code)


@pytest.mark.parametrize("before", [SCORER, OWNER])
def test_a_phone_that_may_do_less_gets_no_more_again_by_an_invitation(
    session: Session, joinable: Joinable, before: str
) -> None:
    theirs = joinable.let_in(session, "bea", SCORER)
    give_role(session, joinable.linked, theirs.id, before)
    watching, scoring = (invite(session, joinable.linked, role) for role in (WATCHER, SCORER))

    give_role(session, joinable.linked, theirs.id, WATCHER)

    assert invitations_in_force(session, joinable.linked) == {WATCHER: watching}
    with pytest.raises(NoInvitation):
        invitation_of_code(session, scoring.code, scoring.kind)
    assert joinable.enter(session, watching, "bea").role == WATCHER


def test_a_phone_that_may_do_more_closes_nothing(session: Session, joinable: Joinable) -> None:
    theirs = joinable.let_in(session, "bea")
    invited = {role: invite(session, joinable.linked, role) for role in (WATCHER, SCORER)}

    give_role(session, joinable.linked, theirs.id, SCORER)

    assert invitations_in_force(session, joinable.linked) == invited


def test_a_phone_that_is_let_in_again_has_its_own_link_and_the_role_it_is_invited_to(
    session: Session, joinable: Joinable
) -> None:
    theirs = joinable.let_in(session, "bea", SCORER)
    end_link(session, joinable.linked, theirs.id, "ann")

    again = joinable.let_in(session, "bea", WATCHER)

    assert (again.id, again.code, again.role) == (theirs.id, theirs.code, WATCHER)
    assert joinable.load(session, theirs.code).link == again


def test_a_link_that_is_ended_twice_is_restored_with_all_that_ended_with_it(
    session: Session, joinable: Joinable
) -> None:
    theirs = joinable.let_in(session, "bea", SCORER)
    end_link(session, joinable.linked, theirs.id, "ann")
    [ended] = (phone for phone in phones_of(session, joinable.linked) if phone.link.id == theirs.id)

    end_link(session, joinable.linked, theirs.id, "cal")

    assert ended in phones_of(session, joinable.linked)
    reopen_link(session, joinable.linked, theirs.id)
    assert joinable.load(session, theirs.code).link == theirs


def test_the_only_owner_stays(session: Session, joinable: Joinable) -> None:
    joinable.let_in(session, "bea", SCORER)
    mine = joinable.linked.link
    assert (found := only_owner(phones_of(session, joinable.linked)))
    assert found.link == mine

    for act, number, why in ((give_role, mine.id, "owner"), (end_link, mine.id, "owner"), (give_role, 99, "phone")):
        with pytest.raises(Refused, match=why):
            act(session, joinable.linked, number, WATCHER)

    assert joinable.role_of(session, mine) == OWNER
