"""Hands are written once, in their place, and only if they can have been so; on both databases."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.access.roles import UnknownCode
from scorekeeper.database.engine import db
from scorekeeper.eventlog.cache import clear_all
from scorekeeper.eventlog.stream import HandRefused, MatchClosed, Refused
from scorekeeper.matches import service
from scorekeeper.matches.fold import Match
from scorekeeper.matches.service import StaleMatch, head_of, load_match, read_match
from scorekeeper.pitch.rules import typed_text
from scorekeeper.pitch.scoring.hand import Hand
from tests.common.hands import HAND, IMPOSSIBLE, SET, THEIRS
from tests.common.match_actions import correct_hand, record_hand, remove_hand, rename, return_hand, stop
from tests.matches.conftest import Begin

pytestmark = pytest.mark.every_database


def rows(session: Session) -> int:
    return int(session.execute(sa.text("SELECT count(*) FROM event")).scalar_one())


def test_a_hand_is_scored_and_kept(session: Session, match: Match) -> None:
    recorded = record_hand(session, match.code, HAND, seq=1, idempotency_key="one", actor="Bea's phone")

    assert recorded.state.scores == {"s1": 3, "s2": 1}
    assert read_match(session, match.code).state == recorded.state
    assert recorded.log.hands[0].added.actor == "Bea's phone"


def test_a_late_retry_is_answered_as_the_first_time_and_does_not_disturb_what_came_after(
    session: Session, match: Match
) -> None:
    first = record_hand(session, match.code, HAND, seq=1, idempotency_key="one")
    record_hand(session, match.code, THEIRS, seq=2, idempotency_key="two")

    again = record_hand(session, match.code, HAND, seq=1, idempotency_key="one")

    assert again == first
    assert read_match(session, match.code).state.scores == {"s1": 4, "s2": 3}
    assert rows(session) == 2


def test_the_second_of_two_phones_is_told_what_the_first_wrote(session: Session, match: Match) -> None:
    record_hand(session, match.code, HAND, seq=1, idempotency_key="one", actor="Bea")

    with pytest.raises(StaleMatch) as stale:
        record_hand(session, match.code, SET, seq=1, idempotency_key="two", actor="Cal")

    assert [(event.actor, event.data.kind) for event in stale.value.since] == [("Bea", "hand")]
    assert stale.value.match.state.scores == {"s1": 3, "s2": 1}
    assert rows(session) == 1


def test_a_form_from_the_future_is_stale_as_well(session: Session, match: Match) -> None:
    with pytest.raises(StaleMatch) as stale:
        record_hand(session, match.code, HAND, seq=5, idempotency_key="one")

    assert stale.value.since == ()


def test_an_impossible_hand_is_refused_and_leaves_no_trace(session: Session, match: Match) -> None:
    with pytest.raises(HandRefused) as refused:
        record_hand(session, match.code, IMPOSSIBLE, seq=1, idempotency_key="one")

    assert [fault.field for fault in refused.value.own] == ["bid"]
    assert rows(session) == 0
    assert record_hand(session, match.code, HAND, seq=1, idempotency_key="one").version == 1


def test_faults_are_at_the_ids_that_the_form_has(session: Session, match: Match) -> None:
    counts = replace(HAND, card_points={"s1": 10, "s2": 500})

    with pytest.raises(HandRefused) as refused:
        record_hand(session, match.code, counts, seq=1, idempotency_key="one")

    assert {fault.field for fault in refused.value.own} <= {"card_points", "card_points.s2", "card_points.s1"}


def test_somebody_who_does_not_sit_there_is_refused(session: Session, match: Match) -> None:
    with pytest.raises(HandRefused, match="p9") as refused:
        record_hand(session, match.code, replace(HAND, bidder="p9"), seq=1, idempotency_key="one")

    assert [fault.field for fault in refused.value.own] == ["bidder"]


@pytest.mark.parametrize(
    "hand",
    [
        replace(HAND, note="x" * 501),
        replace(HAND, note="a\x00b"),
        replace(HAND, note="half a \ud83d"),
        replace(HAND, called="x" * 25),
        replace(HAND, house={"low": "x" * 9000}),
        replace(HAND, auction=(("p1", "pass"),) * 900),
    ],
)
def test_what_is_no_hand_is_refused(session: Session, match: Match, hand: Hand) -> None:
    with pytest.raises(HandRefused):
        record_hand(session, match.code, hand, seq=1, idempotency_key="one")

    assert rows(session) == 0


@pytest.mark.parametrize("key", ["", "x" * 37, "ä", "a\nb"])
def test_a_form_needs_a_key_that_fits(session: Session, match: Match, key: str) -> None:
    with pytest.raises(Refused, match="key"):
        record_hand(session, match.code, HAND, seq=1, idempotency_key=key)


def test_a_link_to_nowhere_leads_nowhere(session: Session) -> None:
    with pytest.raises(UnknownCode):
        head_of(session, "nowhere")
    with pytest.raises(UnknownCode):
        load_match(session, "nowhere")
    with pytest.raises(UnknownCode):
        record_hand(session, "nowhere", HAND, seq=1, idempotency_key="one")


def test_a_correction_is_followed_by_everything_after_it(session: Session, match: Match) -> None:
    record_hand(session, match.code, HAND, seq=1, idempotency_key="one")
    record_hand(session, match.code, THEIRS, seq=2, idempotency_key="two")

    corrected = correct_hand(session, match.code, 1, SET, seq=3, idempotency_key="three", actor="Bea")

    assert corrected.state.scores == {"s1": -2, "s2": 5}
    assert corrected.log.hands[0].corrections[0].stamp.actor == "Bea"
    assert read_match(session, match.code).state == corrected.state


def test_a_correction_that_changes_nothing_is_not_written(session: Session, match: Match) -> None:
    record_hand(session, match.code, HAND, seq=1, idempotency_key="one")

    correct_hand(session, match.code, 1, HAND, seq=2, idempotency_key="two")

    assert rows(session) == 1


def test_an_impossible_correction_is_refused_at_its_own_hand(session: Session, match: Match) -> None:
    record_hand(session, match.code, HAND, seq=1, idempotency_key="one")
    record_hand(session, match.code, THEIRS, seq=2, idempotency_key="two")

    with pytest.raises(HandRefused) as refused:
        correct_hand(session, match.code, 1, IMPOSSIBLE, seq=3, idempotency_key="three")

    assert refused.value.position == 1
    assert [fault.field for fault in refused.value.own] == ["bid"]
    assert refused.value.elsewhere == ()


def test_what_would_break_a_later_hand_says_which(session: Session, begin: Begin) -> None:
    match = begin(house={"pitching": True})
    first = replace(HAND, dealer="p1")
    outbid_by_the_dealer = replace(THEIRS, bid=4, overtook_pitch=True)
    record_hand(session, match.code, first, seq=1, idempotency_key="one")
    record_hand(session, match.code, outbid_by_the_dealer, seq=2, idempotency_key="two")

    with pytest.raises(HandRefused) as refused:
        correct_hand(session, match.code, 1, replace(first, dealer="p2"), seq=3, idempotency_key="three")

    assert refused.value.own == ()
    assert {item.hand for item in refused.value.elsewhere} == {2}


def test_a_hand_taken_out_counts_no_more_and_can_be_put_back(session: Session, match: Match) -> None:
    record_hand(session, match.code, HAND, seq=1, idempotency_key="one")
    record_hand(session, match.code, THEIRS, seq=2, idempotency_key="two")

    removed = remove_hand(session, match.code, 1, seq=3, idempotency_key="three")
    returned = return_hand(session, match.code, 1, seq=4, idempotency_key="four")

    assert removed.state.scores == {"s1": 1, "s2": 2}
    assert returned.state.scores == {"s1": 4, "s2": 3}
    assert [hand.uid for hand in returned.log.hands] == [1, 2]


def test_a_hand_that_has_gone_is_not_corrected(session: Session, match: Match) -> None:
    record_hand(session, match.code, HAND, seq=1, idempotency_key="one")
    remove_hand(session, match.code, 1, seq=2, idempotency_key="two")

    with pytest.raises(HandRefused, match="Restore it first"):
        correct_hand(session, match.code, 1, SET, seq=3, idempotency_key="three")


@pytest.mark.parametrize("change", [correct_hand, remove_hand, return_hand])
def test_a_hand_that_never_was_is_not_there(session: Session, match: Match, change: Any) -> None:
    what = (7, HAND) if change is correct_hand else (7,)

    with pytest.raises(HandRefused, match="no such hand"):
        change(session, match.code, *what, seq=1, idempotency_key="one")


def test_a_hand_that_is_still_being_bid_is_completed_by_correcting_it(session: Session, match: Match) -> None:
    bid = record_hand(session, match.code, Hand(bidder="p1", bid=3), seq=1, idempotency_key="one")

    with pytest.raises(HandRefused) as refused:
        record_hand(session, match.code, THEIRS, seq=2, idempotency_key="two")
    played = correct_hand(session, match.code, 1, HAND, seq=2, idempotency_key="three")

    assert bid.state.results[0].status == "bid"
    assert [item.hand for item in refused.value.faults] == [1]
    assert played.state.scores == {"s1": 3, "s2": 1}


def test_a_stopped_table_writes_no_hand_until_it_goes_on(session: Session, match: Match) -> None:
    stopped = stop(session, match.code, idempotency_key="one")

    with pytest.raises(MatchClosed, match="stopped"):
        record_hand(session, match.code, HAND, seq=2, idempotency_key="two")

    assert stopped.status == "stopped"


def test_a_match_has_room_for_so_many_hands(session: Session, match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorekeeper.matches.events.MAX_HANDS", 2)
    record_hand(session, match.code, HAND, seq=1, idempotency_key="one")
    record_hand(session, match.code, HAND, seq=2, idempotency_key="two")

    with pytest.raises(HandRefused, match="room for 2 hands"):
        record_hand(session, match.code, HAND, seq=3, idempotency_key="three")

    assert typed_text.MAX_HANDS == 1000


def test_phones_that_write_at_the_same_moment_do_not_overwrite_each_other(
    app: Flask, session: Session, match: Match
) -> None:
    at_once = threading.Barrier(8)

    def post(number: int) -> str:
        with app.app_context():
            load_match(db.session, match.code)
            at_once.wait()
            try:
                record_hand(db.session, match.code, HAND, seq=1, idempotency_key=f"phone-{number}")
            except StaleMatch as stale:
                return f"stale, {len(stale.since)} since"
            return "written"

    with ThreadPoolExecutor(8) as phones:
        answers = sorted(phones.map(post, range(8)))

    assert answers == ["stale, 1 since"] * 7 + ["written"]
    assert rows(session) == 1


def test_one_form_sent_many_times_at_once_is_written_once(app: Flask, session: Session, match: Match) -> None:
    at_once = threading.Barrier(8)

    def post(_number: int) -> int:
        with app.app_context():
            load_match(db.session, match.code)
            at_once.wait()
            return record_hand(db.session, match.code, HAND, seq=1, idempotency_key="the same").version

    with ThreadPoolExecutor(8) as phones:
        assert list(phones.map(post, range(8))) == [1] * 8

    assert rows(session) == 1


def test_what_minds_no_order_is_written_by_everybody(app: Flask, session: Session, match: Match) -> None:
    def post(number: int) -> None:
        with app.app_context():
            rename(db.session, match.code, {f"p{number % 4 + 1}": f"name {number}"}, idempotency_key=f"phone-{number}")

    with ThreadPoolExecutor(8) as phones:
        list(phones.map(post, range(8)))

    assert rows(session) == 8
    assert read_match(session, match.code).version == 8


def test_another_process_that_writes_is_noticed(session: Session, match: Match) -> None:
    here = record_hand(session, match.code, HAND, seq=1, idempotency_key="one")
    clear_all()  # as another process would: it has loaded nothing yet
    there = record_hand(session, match.code, THEIRS, seq=2, idempotency_key="two")
    service.cache(session, here)

    assert load_match(session, match.code).state == there.state


def test_a_database_put_back_from_a_backup_is_noticed(session: Session, match: Match) -> None:
    kept = record_hand(session, match.code, HAND, seq=1, idempotency_key="one")
    session.execute(sa.text("DELETE FROM event"))
    session.commit()
    record_hand(session, match.code, SET, seq=1, idempotency_key="after the backup")
    service.cache(session, kept)

    assert load_match(session, match.code).state.scores == {"s1": -3, "s2": 3}
