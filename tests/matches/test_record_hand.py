"""Write a hand once, at its index, and only if it is possible; on both databases."""

from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.access.links import MATCH_LINKS
from scorekeeper.access.roles import UnknownCode
from scorekeeper.database.engine import db
from scorekeeper.eventlog.cache import clear_all_caches
from scorekeeper.eventlog.store import retry_on_conflict
from scorekeeper.eventlog.stream import HandRefused, MatchClosed, Refused
from scorekeeper.matches import service
from scorekeeper.matches.fold import Match
from scorekeeper.matches.service import StaleMatch, load_match, reload_match
from scorekeeper.pitch.scoring.hand import Hand
from tests.common.hands import HAND, IMPOSSIBLE, SET, THEIRS
from tests.common.importing import import_records
from tests.common.library import LIBRARY
from tests.common.match_actions import (
    correct_hand,
    record_hand,
    record_hands,
    remove_hand,
    rename,
    return_hand,
    stop,
)
from tests.matches.conftest import Begin, at_once
from tests.matches.files.test_records import RECORD

pytestmark = pytest.mark.every_database


def rows(session: Session) -> int:
    return int(session.execute(sa.text("SELECT count(*) FROM event")).scalar_one())


def test_a_hand_is_scored_and_kept(session: Session, match: Match) -> None:
    recorded = record_hand(session, match.code, HAND, actor="Bea's phone")

    assert recorded.state.scores == {"s1": 3, "s2": 1}
    assert reload_match(session, match.code).state == recorded.state
    assert recorded.log.hands[0].added.actor == "Bea's phone"


def test_a_late_retry_is_answered_as_the_first_time_and_does_not_disturb_what_came_after(
    session: Session, match: Match
) -> None:
    first = record_hand(session, match.code, HAND, seq=1, idempotency_key="one")
    record_hand(session, match.code, THEIRS)

    again = record_hand(session, match.code, HAND, seq=1, idempotency_key="one")

    assert again == first
    assert reload_match(session, match.code).state.scores == {"s1": 4, "s2": 3}
    assert rows(session) == 2


def test_the_second_of_two_phones_is_told_what_the_first_wrote(session: Session, match: Match) -> None:
    record_hand(session, match.code, HAND, seq=1, actor="Bea")

    with pytest.raises(StaleMatch) as stale:
        record_hand(session, match.code, SET, seq=1, actor="Cal")

    assert [(event.actor, event.data.kind) for event in stale.value.since] == [("Bea", "hand")]
    assert stale.value.match.state.scores == {"s1": 3, "s2": 1}
    assert rows(session) == 1


def test_a_form_from_the_future_is_stale_as_well(session: Session, match: Match) -> None:
    with pytest.raises(StaleMatch) as stale:
        record_hand(session, match.code, HAND, seq=5)

    assert stale.value.since == ()


@pytest.mark.parametrize(
    ("hand", "field"),
    [
        (IMPOSSIBLE, "bid"),
        (replace(HAND, bidder="p9"), "bidder"),
        (replace(HAND, card_points={"s1": 10, "s2": 500}), "card_points"),
        (replace(HAND, note="x" * 501), "note"),
        (replace(HAND, called="x" * 25), "called"),
        (replace(HAND, house={"low": "x" * 9000}), ""),
        (replace(HAND, auction=(("p1", "pass"),) * 900), ""),
    ],
)
def test_an_impossible_hand_is_refused_at_its_field_and_leaves_no_trace(
    session: Session, match: Match, hand: Hand, field: str
) -> None:
    with pytest.raises(HandRefused) as refused:
        record_hand(session, match.code, hand)

    assert [fault.field for fault in refused.value.own_faults] == [field]
    assert rows(session) == 0
    assert record_hand(session, match.code, HAND).version == 1


@pytest.mark.parametrize("key", ["", "x" * 37, "ä", "a\nb"])
def test_a_form_needs_a_key_that_fits(session: Session, match: Match, key: str) -> None:
    with pytest.raises(Refused, match="key"):
        record_hand(session, match.code, HAND, idempotency_key=key)


@pytest.mark.parametrize("opened", [MATCH_LINKS.head_in_force, load_match])
def test_a_link_to_nowhere_leads_nowhere(session: Session, opened: Any) -> None:
    with pytest.raises(UnknownCode):
        opened(session, "nowhere")


def test_a_correction_is_followed_by_everything_after_it(session: Session, match: Match) -> None:
    record_hands(session, match.code, HAND, THEIRS)

    corrected = correct_hand(session, match.code, 1, SET)

    assert corrected.state.scores == {"s1": -2, "s2": 5}


def test_a_correction_that_changes_nothing_is_not_written(session: Session, match: Match) -> None:
    record_hand(session, match.code, HAND)

    assert correct_hand(session, match.code, 1, HAND).version == 1


def test_an_impossible_correction_is_refused_at_its_own_hand(session: Session, match: Match) -> None:
    record_hands(session, match.code, HAND, THEIRS)

    with pytest.raises(HandRefused) as refused:
        correct_hand(session, match.code, 1, IMPOSSIBLE)

    assert refused.value.position == 1
    assert [fault.field for fault in refused.value.own_faults] == ["bid"]
    assert refused.value.faults_elsewhere == ()


def test_what_would_break_a_later_hand_says_which(session: Session, begin: Begin) -> None:
    match = begin(house={"pitching": True})
    first = replace(HAND, dealer="p1")
    outbid_by_the_dealer = replace(THEIRS, bid=4, overtook_pitch=True)
    record_hands(session, match.code, first, outbid_by_the_dealer)

    with pytest.raises(HandRefused) as refused:
        correct_hand(session, match.code, 1, replace(first, dealer="p2"))

    assert refused.value.own_faults == ()
    assert {item.hand for item in refused.value.faults_elsewhere} == {2}


def test_a_hand_that_has_gone_is_not_corrected(session: Session, match: Match) -> None:
    record_hand(session, match.code, HAND)
    remove_hand(session, match.code, 1)

    with pytest.raises(HandRefused, match="Restore it first"):
        correct_hand(session, match.code, 1, SET)


@pytest.mark.parametrize(("change", "what"), [(correct_hand, (7, HAND)), (remove_hand, (7,)), (return_hand, (7,))])
def test_a_hand_that_never_was_is_not_there(session: Session, match: Match, change: Any, what: Any) -> None:
    with pytest.raises(HandRefused, match="no such hand"):
        change(session, match.code, *what)


def test_a_hand_that_is_still_being_bid_is_completed_by_correcting_it(session: Session, match: Match) -> None:
    bid = record_hand(session, match.code, Hand(bidder="p1", bid=3))

    with pytest.raises(HandRefused) as refused:
        record_hand(session, match.code, THEIRS)
    played = correct_hand(session, match.code, 1, HAND)

    assert bid.state.results[0].status == "bid"
    assert [item.hand for item in refused.value.faults] == [1]
    assert played.state.scores == {"s1": 3, "s2": 1}


def test_a_stopped_table_writes_no_hand_until_it_goes_on(session: Session, match: Match) -> None:
    stopped = stop(session, match.code)

    with pytest.raises(MatchClosed, match="stopped"):
        record_hand(session, match.code, HAND)

    assert stopped.status == "stopped"


def test_a_match_has_room_for_so_many_hands(session: Session) -> None:
    misdeals = {**RECORD, "start": {}, "hands": [{"thrown_in": "misdeal"}] * 1000}
    (match,) = import_records(session, LIBRARY, [misdeals])

    with pytest.raises(HandRefused, match="room for 1000 hands"):
        record_hand(session, match.code, Hand(thrown_in="misdeal"))


def test_phones_that_write_at_the_same_moment_do_not_overwrite_each_other(
    app: Flask, session: Session, match: Match
) -> None:
    def post(_number: int) -> str:
        try:
            record_hand(db.session, match.code, HAND, seq=1)
        except StaleMatch as stale:
            return f"stale, {len(stale.since)} since"
        return "written"

    assert sorted(at_once(app, post)) == ["stale, 1 since"] * 7 + ["written"]
    assert rows(session) == 1


def test_one_form_sent_many_times_at_once_is_written_once(app: Flask, session: Session, match: Match) -> None:
    def post(_number: int) -> int:
        return record_hand(db.session, match.code, HAND, seq=1, idempotency_key="the same").version

    assert at_once(app, post) == [1] * 8
    assert rows(session) == 1


def test_what_minds_no_order_is_written_by_everybody(app: Flask, session: Session, match: Match) -> None:
    at_once(app, lambda number: rename(db.session, match.code, {f"p{number % 4 + 1}": f"name {number}"}))

    assert rows(session) == 8
    assert reload_match(session, match.code).version == 8


def test_a_write_that_conflicts_each_time_ends_its_transaction(session: Session, match: Match) -> None:
    record_hand(session, match.code, HAND)
    again = sa.text("INSERT INTO event SELECT * FROM event")

    with pytest.raises(sa.exc.IntegrityError):
        retry_on_conflict(session, lambda: session.execute(again))

    assert not session.in_transaction()


def test_another_process_that_writes_is_noticed(session: Session, match: Match) -> None:
    here = record_hand(session, match.code, HAND)
    clear_all_caches()  # as another process would: it has loaded nothing yet
    written = record_hand(session, match.code, THEIRS)
    service.cache_match(session, here)

    assert load_match(session, match.code).state == written.state


def test_a_database_put_back_from_a_backup_is_noticed(session: Session, match: Match) -> None:
    kept = record_hand(session, match.code, HAND)
    session.execute(sa.text("DELETE FROM event"))
    session.commit()
    record_hand(session, match.code, SET)
    service.cache_match(session, kept)

    assert load_match(session, match.code).state.scores == {"s1": -3, "s2": 3}
