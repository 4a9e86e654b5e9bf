"""Fold events into a match log, without a database."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from hypothesis import assume, given
from hypothesis import strategies as st

from scorekeeper.matches.events import (
    AgreementSet,
    DealerMoved,
    Deleted,
    Event,
    HandAccepted,
    HandAdded,
    HandCorrected,
    HandRemoved,
    HandRestored,
    MarkersChanged,
    PlayerSubstituted,
    Redone,
    Renamed,
    Resumed,
    RulesChanged,
    Stopped,
    StoredEvent,
    Undeleted,
    Undone,
)
from scorekeeper.matches.log import MatchLog, NextHandSettings, PaperRule, fold
from scorekeeper.pitch.scoring.hand import Hand

LONG_AGO = datetime(2026, 11, 20, 20, 0, tzinfo=UTC)


def events_of(events: Sequence[Event]) -> list[StoredEvent]:
    return [
        StoredEvent(seq, f"key-{seq}", LONG_AGO + timedelta(minutes=seq), f"phone-{seq}", event)
        for seq, event in enumerate(events, 1)
    ]


def fold_log(*events: Event) -> MatchLog:
    return fold(events_of(events))


def hand(name: str) -> HandAdded:
    return HandAdded(hand=Hand(note=name))


def notes(log: MatchLog) -> list[str | None]:
    return [hand.hand.note for hand in log.hands]


def essence(log: MatchLog) -> tuple[object, ...]:
    """Return the result of a fold, without authors and times and without what can be undone."""
    hands = [(h.uid, h.hand, h.pending, len(h.corrections)) for h in log.hands]
    return (
        hands,
        log.renamed,
        log.remarks,
        log.is_stopped,
        log.is_deleted,
        log.pending,
        [(substitution.who, substitution.former_name) for substitution in log.substitutions],
    )


def test_a_correction_keeps_what_was_before_and_who_wrote_it() -> None:
    log = fold_log(hand("a"), HandCorrected(uid=1, hand=Hand(note="A")))

    (correction,) = log.hands[0].corrections
    assert notes(log) == ["A"]
    assert (correction.before, correction.after) == (Hand(note="a"), Hand(note="A"))
    assert (correction.stamp.seq, correction.stamp.actor) == (2, "phone-2")


def test_a_hand_taken_back_can_be_put_back_after_others_were_written() -> None:
    undone = fold_log(hand("a"), hand("b"), Undone(target=2), hand("c"))
    returned = fold_log(hand("a"), hand("b"), Undone(target=2), hand("c"), HandRestored(uid=2))

    assert notes(undone) == ["a", "c"]
    assert [(gone.uid, gone.was_undone) for gone in undone.removed_hands] == [(2, True)]
    assert undone.redo_target is None
    assert notes(returned) == ["a", "b", "c"]


def test_an_undo_of_what_is_not_the_last_changes_nothing() -> None:
    log = fold_log(hand("a"), hand("b"), Undone(target=1), Redone(target=3))

    assert notes(log) == ["a", "b"]


def test_what_was_said_before_a_hand_belongs_to_the_next_that_stands() -> None:
    changed = RulesChanged(house={"low": "held"}, on="2026-11-20")
    log = fold_log(hand("a"), changed, DealerMoved(who="p3"), hand("b"), hand("c"), HandRemoved(uid=4))

    assert [(h.pending.dealer, h.pending.house, h.pending.house_on) for h in log.hands] == [
        (None, None, None),
        ("p3", {"low": "held"}, "2026-11-20"),
    ]


def test_what_stands_on_paper_only_holds_from_the_next_hand_on_and_changes_no_option() -> None:
    agreed = RulesChanged(house={}, on="2026-11-20", notes=("reneging: set",))
    log = fold_log(hand("a"), agreed, hand("b"), hand("c"))

    rule = PaperRule("reneging: set", "2026-11-20")
    assert [(h.pending.house, h.pending.on_paper) for h in log.hands] == [(None, ()), (None, (rule,)), (None, ())]


def test_a_hand_put_before_another_leaves_that_one_what_was_said_before_it() -> None:
    log = fold_log(hand("a"), DealerMoved(who="p3"), hand("c"), HandAdded(hand=Hand(note="b"), before=3))

    assert [(h.hand.note, h.pending.dealer) for h in log.hands] == [("a", None), ("b", None), ("c", "p3")]


def test_what_was_said_after_the_last_hand_waits_for_the_next() -> None:
    log = fold_log(
        hand("a"), DealerMoved(who="p3"), RulesChanged(house={"low": "held"}), RulesChanged(house={"jack": 2})
    )

    assert log.pending == NextHandSettings(dealer="p3", house={"low": "held", "jack": 2})


def test_a_hand_knows_who_sat_in_before_it_and_a_name_is_whose_it_was_then() -> None:
    log = fold_log(
        hand("a"),
        Renamed(names={"p3": "Calvin"}),
        PlayerSubstituted(names={"p3": "Eva"}),
        hand("c"),
        HandAdded(hand=Hand(note="b"), before=4),
        Renamed(names={"p3": "Evelyn", "p2": "Beatrice"}),
        PlayerSubstituted(names={"p4": "Gus"}),
    )

    assert [(h.hand.note, h.substitution_count, h.pending.substitutes) for h in log.hands] == [
        ("a", 0, None),
        ("b", 0, None),
        ("c", 1, {"p3": "Eva"}),
    ]
    assert log.pending.substitutes == {"p4": "Gus"}
    assert [log.renamed_at(count) for count in range(3)] == [
        {"p2": "Beatrice", "p3": "Calvin"},
        {"p2": "Beatrice", "p3": "Evelyn"},
        {"p2": "Beatrice", "p3": "Evelyn", "p4": "Gus"},
    ]


def test_a_hand_that_was_removed_leaves_who_sat_in_to_the_next() -> None:
    log = fold_log(hand("a"), PlayerSubstituted(names={"p3": "Eva"}), hand("b"), HandRemoved(uid=3), hand("c"))

    assert [(h.hand.note, h.substitution_count, h.pending.substitutes) for h in log.hands] == [
        ("a", 0, None),
        ("c", 1, {"p3": "Eva"}),
    ]
    assert [h.substitution_count for h in log.removed_hands] == [1]


def test_which_form_an_event_came_from_is_known() -> None:
    log = fold_log(hand("a"), hand("b"), Stopped())

    assert log.has_key("key-2")
    assert not log.has_key("key-4")


@st.composite
def histories(draw: st.DrawFn) -> list[Event]:
    """Draw events as people write them: undo and redo hit what the log offers, the other events whatever exists."""
    events: list[Event] = []
    for number in range(draw(st.integers(0, 14))):
        log = fold_log(*events)
        uids = [h.uid for h in (*log.hands, *log.removed_hands)]
        options: list[Event] = [
            hand(str(number)),
            Stopped(),
            Resumed(),
            Deleted(),
            Undeleted(),
            DealerMoved(who=f"p{number % 4 + 1}"),
            RulesChanged(house={"jack": number % 20 + 1}),
            Renamed(names={f"p{number % 4 + 1}": f"name {number}"}, title=f"title {number}"),
            PlayerSubstituted(names={f"p{number % 4 + 1}": f"newcomer {number}"}),
        ]
        if uids:
            uid = draw(st.sampled_from(uids))
            options += [
                HandAdded(hand=Hand(note=f"{number} before {uid}"), before=uid),
                HandCorrected(uid=uid, hand=Hand(note=f"{uid} now {number}")),
                HandRemoved(uid=uid),
                HandRestored(uid=uid),
            ]
        # Often enough that undo after undo, and redo after redo, come up.
        options += [Undone(target=log.next_to_undo.seq)] * 6 if log.next_to_undo else []
        options += [Redone(target=log.redo_target)] * 6 if log.redo_target else []
        events.append(draw(st.sampled_from(options)))
    return events


def standing(events: Sequence[Event]) -> list[Event]:
    """Return, by the simplest algorithm, the events that are left after every undo and redo."""
    done: list[Event] = []
    taken_back: list[Event] = []
    for event in events:
        match event:
            case Undone():
                taken_back.append(done.pop())
            case Redone():
                done.append(taken_back.pop())
            case _:
                done.append(event)
                taken_back.clear()
    return done


@given(histories())
def test_undo_gives_the_fold_of_the_other_events(events: list[Event]) -> None:
    before = fold_log(*events)
    assume(before.next_to_undo is not None)
    assert before.next_to_undo

    after = fold_log(*events, Undone(target=before.next_to_undo.seq))

    without = [event for event in events_of(events) if event.seq != before.next_to_undo.seq]
    assert essence(after) == essence(fold(without))


@given(histories())
def test_redo_restores_what_was_before_the_undo(events: list[Event]) -> None:
    before = fold_log(*events)
    assume(before.next_to_undo is not None)
    assert before.next_to_undo
    undo = Undone(target=before.next_to_undo.seq)

    after = fold_log(*events, undo, Redone(target=len(events) + 1))

    assert essence(after) == essence(before)
    assert after.next_to_undo == before.next_to_undo


@given(histories())
def test_undo_and_redo_are_a_stack_of_events(events: list[Event]) -> None:
    log = fold_log(*events)

    left = standing(events)
    stops = [isinstance(event, Stopped) for event in left if isinstance(event, Stopped | Resumed)]
    assert (log.next_to_undo.data if log.next_to_undo else None) == (left[-1] if left else None)
    assert log.is_stopped == (stops or [False])[-1]


@given(histories())
def test_every_hand_stands_or_can_be_put_back(events: list[Event]) -> None:
    log = fold_log(*events)

    written = [seq for seq, event in enumerate(events, 1) if isinstance(event, HandAdded)]
    assert sorted(h.uid for h in (*log.hands, *log.removed_hands)) == written
    assert log.added_hand_count == len(written)


@given(histories())
def test_a_hand_that_has_gone_comes_back_in_its_place(events: list[Event]) -> None:
    # One more hand, taken out or taken back at the end, so that there always is one.
    events = [*events, hand("last")]
    uid = len(events)
    taken_out, taken_back = fold_log(*events, HandRemoved(uid=uid)), fold_log(*events, Undone(target=uid))
    gone: list[tuple[MatchLog, Event, int]] = [
        (taken_out, HandRemoved(uid=uid), u.uid) for u in taken_out.removed_hands
    ]
    gone += [(taken_back, Undone(target=uid), u.uid) for u in taken_back.removed_hands]

    returned = [(before, fold_log(*events, how, HandRestored(uid=uid)), uid) for before, how, uid in gone]

    assert returned
    for before, after, uid in returned:
        assert [h.uid for h in after.hands if h.uid != uid] == [h.uid for h in before.hands]
        assert after.hand(uid) is not None


def test_what_was_written_about_acceptance_changes_nothing() -> None:
    with_acceptance = fold_log(
        AgreementSet(on=True),
        hand("a"),
        HandAccepted(by="p2", uid=2, version=2),
        hand("b"),
        HandCorrected(uid=2, hand=Hand(note="A")),
        Undone(target=5),
        HandAccepted(uid=4, version=4),
        Undone(target=7),
        Undone(target=4),
        HandAccepted(uid=2, version=2),
    )

    assert notes(with_acceptance) == ["a"]
    assert [event and event.seq for event in (with_acceptance.next_to_undo,)] == [2]
    assert with_acceptance.redo_target == 9


def test_what_was_undone_is_known() -> None:
    assert fold_log(hand("a"), Undone(target=1)).undone_by.keys() == {1}
    assert fold_log(hand("a"), Undone(target=1), Redone(target=2)).undone_by == {}


def test_markers_are_taken_in_turn_and_an_undo_gives_the_old_ones_back() -> None:
    assert fold_log(MarkersChanged(marks={"s1": 2, "s2": 1}), MarkersChanged(marks={"s1": 5})).changed_markers == {
        "s1": 5,
        "s2": 1,
    }
    assert fold_log(MarkersChanged(marks={"s1": 2, "s2": 1}), Undone(target=1)).changed_markers == {}


def test_a_name_given_by_the_book_is_shown_and_neither_undone_nor_taken_for_typed() -> None:
    by_book = Renamed(names={"p1": "Anna"}, by_book=True)
    log = fold_log(Renamed(names={"p2": "Bea"}), hand("one"), by_book)

    assert log.renamed == {"p1": "Anna", "p2": "Bea"}
    assert log.typed == {"p2": "Bea"}
    assert log.next_to_undo is not None
    assert log.next_to_undo.seq == 2
    undone = fold_log(hand("one"), by_book, Undone(target=1), by_book, Redone(target=3))
    assert (notes(undone), undone.renamed) == (["one"], {"p1": "Anna"})


def test_who_left_a_seat_keeps_what_was_typed_and_what_was_shown() -> None:
    log = fold_log(
        Renamed(names={"p1": "Ann"}),
        Renamed(names={"p1": "Anna"}, by_book=True),
        PlayerSubstituted(names={"p1": "Eve"}),
    )

    assert (log.renamed_at(0), log.typed_at(0)) == ({"p1": "Anna"}, {"p1": "Ann"})
    assert log.renamed_at(1) == log.typed_at(1) == {"p1": "Eve"}
