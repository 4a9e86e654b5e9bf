"""Undo of anything, one step at a time back to the beginning, and forward again."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.orm import Session

from scorekeeper.eventlog.cache import clear_all_caches
from scorekeeper.eventlog.stream import MatchClosed, Refused, redo_event, undo_event
from scorekeeper.matches.events import (
    Change,
    DealerMoved,
    Deleted,
    HandAdded,
    HandCorrected,
    HandRemoved,
    HandRestored,
    MarkersChanged,
    PlayerSubstituted,
    Resumed,
    RulesChanged,
    Stopped,
    Undeleted,
    rename_change,
)
from scorekeeper.matches.fold import Match
from scorekeeper.matches.service import StaleMatch, load_match, preview_change, reload_match
from scorekeeper.pitch.scoring.hand import Hand
from tests.common.hands import HAND, SET, THEIRS
from tests.common.match_actions import (
    change_rules,
    delete,
    move_dealer,
    record_hand,
    record_hands,
    redo,
    remove_hand,
    rename,
    undelete,
    undo,
    write_event,
)
from tests.matches.conftest import Begin

ANYTHING: dict[str, Change] = {
    "hand": HandAdded(hand=THEIRS),
    "inserted hand": HandAdded(hand=THEIRS, before=1),
    "correction": HandCorrected(uid=1, hand=SET),
    "removal": HandRemoved(uid=2),
    "return": HandRestored(uid=3),
    "stop": Stopped(),
    "names": rename_change({"p1": "Anna", "s2": "Neighbours"}, "Friday"),
    "title": rename_change({}, "Friday"),
    "deletion": Deleted(),
    "dealer": DealerMoved(who="p4"),
    "rules": RulesChanged(house={"low": "held"}, on="2026-11-20"),
    "sits in": PlayerSubstituted(names={"p3": "Eva"}),
    "markers": MarkersChanged(marks={"s1": 2, "s2": 1}),
}


def seen(match: Match) -> tuple[Any, ...]:
    """What a page shows of a match."""
    return (match.names, match.title, match.markers, match.state, match.status, match.log.is_deleted)


@pytest.mark.every_database
@pytest.mark.parametrize("change", ANYTHING.values(), ids=ANYTHING)
def test_anything_can_be_undone_and_redone(session: Session, match: Match, change: Change) -> None:
    record_hands(session, match.code, HAND, THEIRS, SET)
    before = remove_hand(session, match.code, 3)

    done, undone, redone = (write_event(session, match.code, step) for step in (change, undo_event, redo_event))

    assert seen(done) != seen(before)
    assert seen(undone) == seen(before)
    assert seen(redone) == seen(done)
    assert seen(reload_match(session, match.code)) == seen(done)


@pytest.mark.every_database
def test_undo_goes_back_to_the_beginning_and_forward_again(session: Session, match: Match) -> None:
    end = record_hands(session, match.code, HAND, THEIRS, SET)

    *_, back = (undo(session, match.code) for _ in range(3))
    with pytest.raises(Refused, match="nothing to undo"):
        undo(session, match.code)
    *_, again = (redo(session, match.code) for _ in range(3))
    with pytest.raises(Refused, match="nothing to redo"):
        redo(session, match.code)

    assert seen(back) == seen(match)
    assert seen(again) == seen(end)


def test_an_undo_that_comes_twice_undoes_once(session: Session, match: Match) -> None:
    record_hands(session, match.code, HAND, THEIRS)

    _, again = (undo(session, match.code, seq=3, idempotency_key="undo") for _ in range(2))

    assert len(again.log.hands) == 1


def test_two_phones_that_undo_the_same_hand_undo_one(session: Session, match: Match) -> None:
    record_hands(session, match.code, HAND, THEIRS)
    undo(session, match.code, seq=3)

    with pytest.raises(StaleMatch) as stale:
        undo(session, match.code, seq=3)

    assert [event.data.kind for event in stale.value.since] == ["undo"]


def test_an_undo_of_something_in_particular_is_refused_where_it_is_not_the_last(session: Session, match: Match) -> None:
    record_hands(session, match.code, HAND, THEIRS)

    with pytest.raises(Refused, match="changed after that"):
        undo(session, match.code, target=1)
    assert len(undo(session, match.code, target=2).log.hands) == 1


def test_a_match_thrown_away_takes_nothing_but_its_return(session: Session, match: Match) -> None:
    delete(session, match.code)

    with pytest.raises(MatchClosed, match="deleted"):
        record_hand(session, match.code, HAND)
    with pytest.raises(MatchClosed, match="deleted"):
        rename(session, match.code, {"p1": "Anna"})

    assert not undelete(session, match.code).log.is_deleted


@pytest.mark.parametrize("again", [Stopped(), Deleted(), Resumed(), Undeleted()])
def test_what_is_so_already_is_not_written(session: Session, match: Match, again: Change) -> None:
    first, second = (write_event(session, match.code, again) for _ in range(2))

    assert first.version == second.version == isinstance(again, Stopped | Deleted)


def test_the_deal_moves_for_the_next_hand(begin: Begin, session: Session) -> None:
    match = record_hand(session, begin(first_dealer="Ann").code, HAND)

    moved = move_dealer(session, match.code, "p4")
    after = record_hand(session, match.code, THEIRS)

    assert match.state.dealer == "p2"
    assert moved.state.dealer == "p4"
    assert [result.dealer for result in after.state.results] == ["p1", "p4"]
    assert after.state.dealer == "p1"


def test_the_deal_cannot_move_to_a_stranger(session: Session, match: Match) -> None:
    with pytest.raises(Refused, match="no such seat"):
        move_dealer(session, match.code, "p7")


def test_rules_change_for_the_hands_that_follow(session: Session, match: Match) -> None:
    record_hand(session, match.code, HAND)

    changed = change_rules(session, match.code, {"jack": 2}, on="2026-11-20")
    after = record_hand(session, match.code, HAND)

    assert changed.state.ruleset.answer("jack") == 2
    assert after.state.scores == {"s1": 7, "s2": 2}
    assert (after.state.results[1].hand.house, after.state.results[1].hand.house_on) == ({"jack": 2}, "2026-11-20")


def test_rules_that_contradict_themselves_are_refused(session: Session, match: Match) -> None:
    with pytest.raises(Refused, match="lowest bid"):
        change_rules(session, match.code, {"min_bid": 9})

    assert load_match(session, match.code).version == 0


def test_a_preview_says_how_it_would_stand_and_writes_nothing(session: Session, match: Match) -> None:
    before = record_hands(session, match.code, HAND, THEIRS)

    would_be = preview_change(before, HandRemoved(uid=1))

    assert before.state.scores == {"s1": 4, "s2": 3}
    assert would_be.state.scores == {"s1": 1, "s2": 2}
    clear_all_caches()
    assert load_match(session, match.code).state == before.state


A_HAND = st.sampled_from([HAND, SET, THEIRS])
UIDS = st.integers(1, 12)
CHANGES = st.one_of(
    st.builds(HandAdded, hand=A_HAND, before=st.none() | UIDS),
    st.builds(HandCorrected, uid=UIDS, hand=A_HAND),
    st.builds(HandRemoved, uid=UIDS),
    st.builds(HandRestored, uid=UIDS),
    st.builds(DealerMoved, who=st.sampled_from(["p1", "p2", "p3", "p4"])),
    st.builds(RulesChanged, house=st.integers(1, 20).map(lambda worth: {"jack": worth})),
    st.builds(rename_change, st.dictionaries(st.sampled_from(["p1", "s1"]), st.sampled_from(["Anna", "Us", "Bo"]))),
    *map(st.just, (HandAdded(hand=Hand(bidder="p1", bid=2)), Stopped(), Resumed(), undo_event, undo_event, redo_event)),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(st.lists(CHANGES, max_size=12))
def test_what_is_put_together_step_by_step_is_what_is_put_together_at_once(
    begin: Begin, session: Session, wanted: list[Change]
) -> None:
    match = begin()
    for change in wanted:
        try:
            match = write_event(session, match.code, change)
        except (Refused, MatchClosed):
            continue

    assert reload_match(session, match.code) == match
