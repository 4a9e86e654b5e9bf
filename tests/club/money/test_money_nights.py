"""Keep the matches of a money night in one row: even if two phones act at once, each match has one next match."""

from collections.abc import Callable

import pytest
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.club.money import store as money_nights
from scorekeeper.club.money.service import (
    change_players,
    load_money_night,
    may_take_back_player_change,
    record_payment,
    take_back_player_change,
)
from scorekeeper.database.engine import db
from scorekeeper.eventlog.store import Writer
from scorekeeper.eventlog.stream import SCORER, MatchClosed, Refused
from scorekeeper.matches.events import Deleted, Undeleted
from scorekeeper.matches.fold import Match
from scorekeeper.matches.service import StaleMatch, load_match, write_match
from scorekeeper.pitch.scoring.hand import Hand
from tests.access.test_links import let_in
from tests.common.interleaving import after_statement, before_first_write
from tests.common.match_actions import by, record_hand, resume, stop, undo
from tests.matches.conftest import Begin

pytestmark = pytest.mark.every_database
WITH_EVE, WITH_FAY = ("Ann", "Bo", "Cal", "Eve"), ("Ann", "Bo", "Cal", "Fay")


@pytest.fixture
def match(session: Session, begin: Begin) -> Match:
    """Begin a match for money in which Bo is owed something, and settle up."""
    match = begin(variant="racehorse", house={})
    taken = dict.fromkeys(("high", "low", "jack", "game"), "p2")
    record_hand(session, match.code, Hand(bidder="p2", bid=2, taken=taken))
    return stop(session, match.code)


def changed(session: Session, match: Match, players: tuple[str, ...] = WITH_EVE) -> Match:
    """Let the night go on in another match, and return that."""
    now = load_match(session, match.code)
    return load_match(session, change_players(session, now, players, by(), version=now.version))


def played(session: Session, match: Match) -> list[tuple[str, ...]]:
    """Return who plays in each match of the night, the first one first."""
    night = load_money_night(session, load_match(session, match.code).link)
    return [tuple(match.names_by_person.values()) for match in night.matches]


def test_the_players_are_not_changed_in_the_middle_of_a_hand(session: Session, begin: Begin) -> None:
    match = begin(variant="racehorse", house={})
    record_hand(session, match.code, Hand(bidder="p2", bid=2))

    with pytest.raises(Refused, match="A hand is not finished"):
        changed(session, match)


def test_a_key_that_something_else_has_changes_no_players(session: Session, match: Match) -> None:
    used = Writer(match.log.events[-1].idempotency_key)

    with pytest.raises(Refused, match="This form was sent already"):
        change_players(session, match, WITH_EVE, used, version=None)


def test_the_key_of_a_change_leads_to_no_link_to_the_next_match(session: Session, begin: Begin, match: Match) -> None:
    key = "the form"
    code = change_players(session, match, WITH_EVE, Writer(key), version=None)

    begun = begin(variant="racehorse", house={}, idempotency_key=key)

    assert begun.id != load_match(session, code).id


def test_of_two_phones_that_change_the_players_at_once_one_is_second(
    app: Flask, session: Session, match: Match
) -> None:
    with before_first_write(app, lambda: changed(db.session, match, WITH_FAY)), pytest.raises(StaleMatch):
        changed(session, match, WITH_EVE)

    assert played(session, match)[1:] == [WITH_FAY]


@pytest.mark.parametrize("reopen", [resume, lambda *args, **key: undo(*args, **key)], ids=["resume", "undo"])
def test_a_match_is_not_resumed_while_another_phone_goes_on_from_it(
    app: Flask, session: Session, match: Match, reopen: Callable[..., Match]
) -> None:
    with (
        before_first_write(app, lambda: changed(db.session, match)),
        pytest.raises((MatchClosed, StaleMatch)),
    ):
        reopen(session, match.code)

    assert load_match(session, match.code).log.is_stopped


def test_the_players_are_not_changed_while_another_phone_resumes(app: Flask, session: Session, match: Match) -> None:
    with (
        before_first_write(app, lambda: resume(db.session, match.code)),
        pytest.raises(StaleMatch),
    ):
        changed(session, match)

    assert len(played(session, match)) == 1


@pytest.mark.parametrize("statements", [2, 5, 9])
def test_a_change_of_players_is_not_undone_while_another_phone_goes_on_from_it(
    app: Flask, session: Session, match: Match, statements: int
) -> None:
    first = changed(session, match)

    with after_statement(app, statements, lambda: changed(db.session, first, WITH_FAY)), pytest.raises(Refused):
        take_back_player_change(session, first, by())

    assert played(session, match)[1:] == [WITH_EVE, WITH_FAY]


def test_a_match_that_was_taken_back_is_not_restored_beside_what_is_played_since(
    app: Flask, session: Session, match: Match
) -> None:
    first = changed(session, match)
    take_back_player_change(session, first, by())
    restored = by()

    with pytest.raises(MatchClosed):
        write_match(session, first.code, Undeleted(), restored, expected_version=None)
    stop(session, match.code)
    with before_first_write(app, lambda: changed(db.session, match, WITH_FAY)), pytest.raises(MatchClosed):
        write_match(session, first.code, Undeleted(), restored, expected_version=None)

    assert played(session, match)[1:] == [WITH_FAY]


def test_a_match_of_the_night_that_was_deleted_is_restored(app: Flask, session: Session, match: Match) -> None:
    after = changed(session, match)
    write_match(session, after.code, Deleted(), by(), expected_version=None)

    with (
        before_first_write(app, lambda: write_match(db.session, after.code, Undeleted(), by(), expected_version=None)),
        pytest.raises((StaleMatch, MatchClosed)),
    ):
        changed(session, match, WITH_FAY)

    assert played(session, match)[1:] == [WITH_EVE]


def test_of_a_night_that_was_forked_before_one_branch_is_taken_back_and_the_other_is_played_on(
    session: Session, begin: Begin, match: Match
) -> None:
    mine = changed(session, match)
    other = begin(variant="racehorse", house={}, players=list(WITH_FAY))
    money_nights.store_earlier_match(session, other.id, match.id)
    session.commit()

    take_back_player_change(session, mine, by())

    assert load_match(session, match.code).log.is_stopped


def test_two_phones_that_write_down_one_payment_write_it_once(app: Flask, session: Session, match: Match) -> None:
    guest = load_match(session, let_in(session, match, "guest", SCORER))
    (payment, *_) = load_money_night(session, guest.link).payments_due

    def pay_in_the_next_match() -> None:
        after = changed(db.session, match)
        record_payment(db.session, after.link, payment, by())

    with before_first_write(app, pay_in_the_next_match), pytest.raises((StaleMatch, Refused)):
        record_payment(session, guest.link, payment, by())
    late = load_match(session, let_in(session, match, "late", SCORER))
    with pytest.raises(Refused, match="Something has changed since"):
        record_payment(session, late.link, payment, by())

    assert len(load_money_night(session, load_match(session, match.code).link).payments_recorded) == 1


def test_a_match_in_which_somebody_paid_is_not_taken_back(session: Session, match: Match) -> None:
    after = changed(session, match)
    (payment, *_) = load_money_night(session, after.link).payments_due
    assert may_take_back_player_change(load_money_night(session, after.link), after)

    record_payment(session, after.link, payment, by())

    now = load_match(session, after.code)
    assert not may_take_back_player_change(load_money_night(session, now.link), now)
    with pytest.raises(Refused):
        take_back_player_change(session, now, by())
