"""Undo of anything, one step at a time back to the beginning, and forward again."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.orm import Session

from scorekeeper.eventlog.cache import clear_all
from scorekeeper.eventlog.store import Writer
from scorekeeper.eventlog.stream import MatchClosed, Refused, redo_last, undo_last
from scorekeeper.matches.events import (
    Change,
    DealerMoved,
    HandAdded,
    HandCorrected,
    HandRemoved,
    HandReturned,
    Marked,
    Resumed,
    RulesChanged,
    Stopped,
    renaming,
)
from scorekeeper.matches.fold import Match
from scorekeeper.matches.service import StaleMatch, load_match, preview, read_match, write
from scorekeeper.pitch.scoring.hand import Hand
from tests.common.hands import HAND, SET, THEIRS
from tests.common.match_actions import (
    change_rules,
    correct_hand,
    delete,
    move_dealer,
    record_hand,
    redo,
    remove_hand,
    rename,
    resume,
    return_hand,
    sit_in,
    stop,
    undelete,
    undo,
)
from tests.matches.conftest import Begin


def written(session: Session, match: Match, *hands: Any) -> Match:
    for hand in hands:
        match = record_hand(session, match.code, hand, seq=match.version + 1, idempotency_key=f"hand-{match.version}")
    return match


ANYTHING: list[Callable[[Session, str, int], Match]] = [
    lambda s, c, n: record_hand(s, c, THEIRS, seq=n, idempotency_key="it"),
    lambda s, c, n: record_hand(s, c, THEIRS, seq=n, idempotency_key="it", before=1),
    lambda s, c, n: correct_hand(s, c, 1, SET, seq=n, idempotency_key="it"),
    lambda s, c, n: remove_hand(s, c, 2, seq=n, idempotency_key="it"),
    lambda s, c, n: return_hand(s, c, 3, seq=n, idempotency_key="it"),
    lambda s, c, n: stop(s, c, idempotency_key="it"),
    lambda s, c, n: rename(s, c, {"p1": "Anna", "s2": "Neighbours"}, title="Friday", idempotency_key="it"),
    lambda s, c, n: rename(s, c, {}, title="Friday", idempotency_key="it"),
    lambda s, c, n: delete(s, c, idempotency_key="it"),
    lambda s, c, n: move_dealer(s, c, "p4", seq=n, idempotency_key="it"),
    lambda s, c, n: change_rules(s, c, {"low": "held"}, seq=n, idempotency_key="it", on="2026-11-20"),
    lambda s, c, n: sit_in(s, c, "p3", "Eva", seq=n, idempotency_key="it"),
    lambda s, c, n: write(s, c, Marked(marks={"s1": 2, "s2": 1}), Writer("it"), expected_version=n - 1),
]
NAMES = (
    "hand, inserted hand, correction, removal, return, stop, names, title, deletion, dealer, rules, sits in, markers"
)


def seen(match: Match) -> tuple[Any, ...]:
    """What a page shows of a match."""
    return (match.names, match.title, match.marks, match.state, match.status, match.log.is_deleted)


@pytest.mark.every_database
@pytest.mark.parametrize("do", ANYTHING, ids=NAMES.split(", "))
def test_anything_can_be_undone_and_redone(
    session: Session, match: Match, do: Callable[[Session, str, int], Match]
) -> None:
    before = written(session, match, HAND, THEIRS, SET)
    before = remove_hand(session, match.code, 3, seq=4, idempotency_key="gone")

    done = do(session, match.code, 5)
    undone = undo(session, match.code, seq=6, idempotency_key="undo")
    redone = redo(session, match.code, seq=7, idempotency_key="redo")

    assert seen(done) != seen(before)
    assert seen(undone) == seen(before)
    assert seen(redone) == seen(done)
    assert seen(read_match(session, match.code)) == seen(done)


@pytest.mark.every_database
def test_undo_goes_back_to_the_beginning_and_forward_again(session: Session, match: Match) -> None:
    end = written(session, match, HAND, THEIRS, SET)

    for step in range(3):
        back = undo(session, match.code, seq=4 + step, idempotency_key=f"undo-{step}")
    with pytest.raises(Refused, match="nothing to undo"):
        undo(session, match.code, seq=7, idempotency_key="undo-4")
    for step in range(3):
        again = redo(session, match.code, seq=7 + step, idempotency_key=f"redo-{step}")
    with pytest.raises(Refused, match="nothing to redo"):
        redo(session, match.code, seq=10, idempotency_key="redo-4")

    assert seen(back) == seen(match)
    assert seen(again) == seen(end)


def test_an_undo_that_comes_twice_undoes_once(session: Session, match: Match) -> None:
    written(session, match, HAND, THEIRS)

    undo(session, match.code, seq=3, idempotency_key="undo")
    again = undo(session, match.code, seq=3, idempotency_key="undo")

    assert len(again.log.hands) == 1


def test_two_phones_that_undo_the_same_hand_undo_one(session: Session, match: Match) -> None:
    written(session, match, HAND, THEIRS)
    undo(session, match.code, seq=3, idempotency_key="one phone")

    with pytest.raises(StaleMatch) as stale:
        undo(session, match.code, seq=3, idempotency_key="another phone")

    assert [event.data.kind for event in stale.value.since] == ["undo"]


def test_an_undo_of_something_in_particular_is_refused_where_it_is_not_the_last(session: Session, match: Match) -> None:
    written(session, match, HAND, THEIRS)

    with pytest.raises(Refused, match="changed after that"):
        undo(session, match.code, seq=3, idempotency_key="undo", target=1)
    assert len(undo(session, match.code, seq=3, idempotency_key="undo", target=2).log.hands) == 1


def test_a_match_thrown_away_takes_nothing_but_its_return(session: Session, match: Match) -> None:
    delete(session, match.code, idempotency_key="delete")

    with pytest.raises(MatchClosed, match="deleted"):
        record_hand(session, match.code, HAND, seq=2, idempotency_key="hand")
    with pytest.raises(MatchClosed, match="deleted"):
        rename(session, match.code, {"p1": "Anna"}, idempotency_key="name")

    assert not undelete(session, match.code, idempotency_key="undelete").log.is_deleted


@pytest.mark.parametrize(
    ("do", "again"), [((), resume), ((stop,), stop), ((), undelete), ((delete,), delete)], ids=lambda f: str(f)[:20]
)
def test_what_is_so_already_is_not_written(session: Session, match: Match, do: Any, again: Any) -> None:
    for first in do:
        first(session, match.code, idempotency_key="first")

    assert again(session, match.code, idempotency_key="again").version == len(do)


def test_the_deal_moves_for_the_next_hand(begin: Begin, session: Session) -> None:
    match = begin(first_dealer="Ann")
    match = written(session, match, HAND)

    moved = move_dealer(session, match.code, "p4", seq=2, idempotency_key="dealer")
    after = written(session, moved, THEIRS)

    assert match.state.dealer == "p2"
    assert moved.state.dealer == "p4"
    assert [result.dealer for result in after.state.results] == ["p1", "p4"]
    assert after.state.dealer == "p1"


def test_the_deal_cannot_move_to_a_stranger(session: Session, match: Match) -> None:
    with pytest.raises(Refused, match="no such seat"):
        move_dealer(session, match.code, "p7", seq=1, idempotency_key="dealer")


def test_rules_change_for_the_hands_that_follow(session: Session, match: Match) -> None:
    match = written(session, match, HAND)

    changed = change_rules(session, match.code, {"jack": 2}, seq=2, idempotency_key="rules", on="2026-11-20")
    after = written(session, changed, HAND)

    assert changed.state.ruleset.answer("jack") == 2
    assert after.state.scores == {"s1": 7, "s2": 2}
    assert (after.state.results[1].hand.house, after.state.results[1].hand.house_on) == ({"jack": 2}, "2026-11-20")


def test_rules_that_contradict_themselves_are_refused(session: Session, match: Match) -> None:
    with pytest.raises(Refused) as refused:
        change_rules(session, match.code, {"min_bid": 9}, seq=1, idempotency_key="rules")

    assert refused.value.faults
    assert load_match(session, match.code).version == 0


def test_a_preview_says_how_it_would_stand_and_writes_nothing(session: Session, match: Match) -> None:
    before = written(session, match, HAND, THEIRS)

    would_be = preview(before, HandRemoved(uid=1))

    assert before.state.scores == {"s1": 4, "s2": 3}
    assert would_be.state.scores == {"s1": 1, "s2": 2}
    clear_all()
    assert load_match(session, match.code).state == before.state


CHANGES = st.one_of(
    st.sampled_from([HAND, SET, THEIRS]).map(lambda hand: HandAdded(hand=hand)),
    st.builds(HandAdded, hand=st.sampled_from([HAND, SET, THEIRS]), before=st.integers(1, 12)),
    st.just(HandAdded(hand=Hand(bidder="p1", bid=2))),
    st.builds(HandCorrected, uid=st.integers(1, 12), hand=st.sampled_from([HAND, SET, THEIRS])),
    st.integers(1, 12).map(lambda uid: HandRemoved(uid=uid)),
    st.integers(1, 12).map(lambda uid: HandReturned(uid=uid)),
    st.integers(1, 4).map(lambda n: DealerMoved(who=f"p{n}")),
    st.integers(1, 20).map(lambda n: RulesChanged(house={"jack": n})),
    st.builds(renaming, st.dictionaries(st.sampled_from(["p1", "s1"]), st.sampled_from(["Anna", "Us", "Bo"]))),
    st.just(Stopped()),
    st.just(Resumed()),
    st.just(undo_last),
    st.just(undo_last),
    st.just(redo_last),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(st.lists(CHANGES, max_size=12))
def test_what_is_put_together_step_by_step_is_what_is_put_together_at_once(
    begin: Begin, session: Session, wanted: list[Change]
) -> None:
    match = begin()
    for number, change in enumerate(wanted):
        try:
            match = write(session, match.code, change, Writer(f"step-{number}"), expected_version=None)
        except (Refused, MatchClosed):
            continue

    assert read_match(session, match.code) == match
