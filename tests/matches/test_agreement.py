"""A hand counts only when another side has accepted it, where the table wants it so."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.orm import Session

from scorekeeper.database.tables import LinkRow
from scorekeeper.eventlog.append import Writer
from scorekeeper.eventlog.refusals import HandRefused, MatchClosed, NotAllowed, Refused
from scorekeeper.matches.files.import_export import export_match
from scorekeeper.matches.fold import Match
from scorekeeper.matches.load import load_match, read_match
from scorekeeper.matches.match_stream import accepting_sides, may_accept
from scorekeeper.matches.write import write
from scorekeeper.pitch.rules.library import Library
from scorekeeper.pitch.scoring.hand import Hand
from scorekeeper.pitch.scoring.match import MatchState, open_match, replay
from tests.common import match_actions
from tests.common.hands import HAND, SET, THEIRS
from tests.common.importing import import_records
from tests.matches.conftest import Begin
from tests.matches.test_undo import CHANGES, seen, written

LetIn = Callable[[Match, str | None], str]


@pytest.fixture
def let_in(session: Session) -> LetIn:
    """Give a phone a link of its own."""

    def let_in(match: Match, seat: str | None) -> str:
        code = f"link-of-{seat}-{match.id}"
        now = datetime.now(UTC)
        session.add(LinkRow(code=code, match_id=match.id, role="scorer", created_at=now, seat=seat))
        session.commit()
        return code

    return let_in


def agreeing(session: Session, match: Match) -> Match:
    return match_actions.set_agreement(session, match.code, True, client_key=f"agreement-{match.version}")


def accept(session: Session, code: str, uid: int, version: int | None = None) -> Match:
    match = load_match(session, code)
    hand = match.log.hand(uid) or match.log.gone_hand(uid)
    assert hand
    version = version or hand.latest.seq
    return match_actions.accept_hand(
        session, code, uid, version, client_key=f"accept-{match.version}", actor=f"of {code}"
    )


def counts(match: Match) -> dict[str, int]:
    return dict(match.counted.scores)


def test_a_hand_counts_when_the_other_side_has_accepted_it(session: Session, match: Match, let_in: LetIn) -> None:
    us, them = let_in(match, "p1"), let_in(match, "p2")
    agreeing(session, match)

    wrote = match_actions.record_hand(session, us, HAND, seq=2, client_key="hand")
    accepted = accept(session, them, 2)

    assert (counts(wrote), wrote.state.scores) == ({"s1": 0, "s2": 0}, {"s1": 3, "s2": 1})
    assert counts(accepted) == {"s1": 3, "s2": 1}
    assert [(it.stamp.by, it.version) for it in accepted.log.hands[0].acceptances] == [("p2", 2)]


def test_without_the_setting_everything_counts_at_once(session: Session, match: Match) -> None:
    wrote = written(session, match, HAND, THEIRS)

    assert not wrote.log.needs_agreement
    assert wrote.counted is wrote.state


def test_hands_from_before_the_setting_count(session: Session, match: Match) -> None:
    written(session, match, HAND)

    wrote = written(session, agreeing(session, load_match(session, match.code)), THEIRS)

    assert counts(wrote) == {"s1": 3, "s2": 1}


def test_without_the_setting_again_everything_counts(session: Session, match: Match) -> None:
    wrote = written(session, agreeing(session, match), HAND)

    off = match_actions.set_agreement(session, match.code, False, client_key="off")

    assert counts(wrote) == {"s1": 0, "s2": 0}
    assert counts(off) == {"s1": 3, "s2": 1}
    assert off.log.waiting == ()


def test_no_hand_counts_before_those_it_follows(session: Session, match: Match, let_in: LetIn) -> None:
    them = let_in(match, "p2")
    written(session, agreeing(session, match), HAND, THEIRS)

    second = accept(session, them, 3)
    both = accept(session, them, 2)

    assert counts(second) == {"s1": 0, "s2": 0}
    assert counts(both) == {"s1": 4, "s2": 3}


@pytest.mark.parametrize("seat", ["p1", "p3", "s1"])
def test_a_side_cannot_accept_what_it_wrote(session: Session, match: Match, let_in: LetIn, seat: str) -> None:
    ours, same = let_in(match, "p1" if seat != "p1" else "p3"), let_in(match, seat)
    agreeing(session, match)
    match_actions.record_hand(session, ours, HAND, seq=2, client_key="hand", actor="one phone")

    with pytest.raises(HandRefused, match="another side"):
        accept(session, same, 2)


def test_a_phone_that_is_nobodys_cannot_accept(session: Session, match: Match) -> None:
    written(session, agreeing(session, match), HAND)

    with pytest.raises(HandRefused, match="has no player"):
        accept(session, match.code, 2)


@pytest.mark.parametrize("seat", ["p1", "p2"])
def test_anybody_accepts_what_the_phone_in_the_middle_wrote(
    session: Session, match: Match, let_in: LetIn, seat: str
) -> None:
    written(session, agreeing(session, match), HAND)

    assert counts(accept(session, let_in(match, seat), 2)) == {"s1": 3, "s2": 1}


def test_the_phone_that_wrote_a_hand_cannot_accept_it_under_a_name(
    session: Session, match: Match, let_in: LetIn
) -> None:
    named = let_in(match, "p2")
    agreeing(session, match)
    match_actions.record_hand(session, match.code, HAND, seq=2, client_key="hand", actor="abc123")

    with pytest.raises(HandRefused, match="their own phone"):
        match_actions.accept_hand(session, named, 2, 2, client_key="accept", actor="p2:abc123")


def test_where_each_scores_alone_anybody_else_accepts(begin: Begin, session: Session, let_in: LetIn) -> None:
    match = begin(variant="cutthroat-pitch", players=["Ann", "Bo", "Cal"], house={})
    ann, cal = let_in(match, "p1"), let_in(match, "p3")
    agreeing(session, match)
    hand = Hand(bidder="p1", bid=2, taken={"high": "p1", "low": "p1", "jack": None, "game": "p2"})
    wrote = match_actions.record_hand(session, ann, hand, seq=2, client_key="hand", actor="one phone")

    assert accepting_sides(match.setup, wrote.log.hands[0]) == ("p2", "p3")
    with pytest.raises(HandRefused):
        accept(session, ann, 2)
    assert counts(accept(session, cal, 2))["p1"] == 2


def test_a_correction_is_accepted_anew_by_who_did_not_make_it(session: Session, match: Match, let_in: LetIn) -> None:
    us, them = let_in(match, "p1"), let_in(match, "p2")
    agreeing(session, match)
    match_actions.record_hand(session, us, HAND, seq=2, client_key="hand")
    accept(session, them, 2)

    corrected = match_actions.correct_hand(session, them, 2, SET, seq=4, client_key="correction")
    with pytest.raises(HandRefused):
        accept(session, them, 2)
    accepted = accept(session, us, 2)

    assert counts(corrected) == {"s1": 0, "s2": 0}
    assert counts(accepted) == {"s1": -3, "s2": 3}


def test_a_hand_that_is_again_as_agreed_counts_again(session: Session, match: Match) -> None:
    written(session, match, HAND)
    agreeing(session, load_match(session, match.code))
    waits = match_actions.correct_hand(session, match.code, 1, SET, seq=3, client_key="one")

    back = match_actions.correct_hand(session, match.code, 1, HAND, seq=4, client_key="two")

    assert [hand.uid for hand in waits.log.waiting] == [1]
    assert back.log.waiting == ()
    assert counts(back) == {"s1": 3, "s2": 1}


def test_taking_out_a_hand_that_counted_is_accepted_as_well(session: Session, match: Match, let_in: LetIn) -> None:
    them = let_in(match, "p2")
    written(session, match, HAND, THEIRS)
    agreeing(session, load_match(session, match.code))

    out = match_actions.remove_hand(session, match.code, 1, seq=4, client_key="out")
    accepted = accept(session, them, 1)

    assert counts(out) == {"s1": 0, "s2": 0}
    assert [hand.uid for hand in out.log.waiting] == [1]
    assert counts(accepted) == {"s1": 1, "s2": 2}


def test_taking_out_a_hand_that_never_counted_asks_nobody(session: Session, match: Match) -> None:
    written(session, agreeing(session, match), HAND)

    assert match_actions.remove_hand(session, match.code, 2, seq=3, client_key="out").log.waiting == ()


def test_a_hand_that_was_put_back_waits(session: Session, match: Match) -> None:
    written(session, agreeing(session, match), HAND)
    match_actions.undo(session, match.code, seq=3, client_key="undo")

    back = match_actions.return_hand(session, match.code, 2, seq=4, client_key="back")

    assert [(hand.uid, hand.latest.seq) for hand in back.log.waiting] == [(2, 4)]


def test_a_hand_that_changed_meanwhile_is_not_accepted_as_it_was(session: Session, match: Match, let_in: LetIn) -> None:
    them = let_in(match, "p2")
    written(session, agreeing(session, match), HAND)
    match_actions.correct_hand(session, match.code, 2, SET, seq=3, client_key="correction")

    with pytest.raises(HandRefused, match="has changed since"):
        accept(session, them, 2, version=2)


def test_what_others_write_meanwhile_keeps_nobody_from_accepting(session: Session, match: Match, let_in: LetIn) -> None:
    them = let_in(match, "p2")
    written(session, agreeing(session, match), HAND, THEIRS)

    assert counts(accept(session, them, 2, version=2)) == {"s1": 3, "s2": 1}


def test_a_hand_is_accepted_once(session: Session, match: Match, let_in: LetIn) -> None:
    them = let_in(match, "p2")
    written(session, agreeing(session, match), HAND)

    assert accept(session, them, 2).version == accept(session, them, 2).version == 3


def test_accepting_is_undone_and_redone(session: Session, match: Match, let_in: LetIn) -> None:
    them = let_in(match, "p2")
    waits = written(session, agreeing(session, match), HAND)
    done = accept(session, them, 2)

    undone = match_actions.undo(session, match.code, seq=4, client_key="undo")
    redone = match_actions.redo(session, match.code, seq=5, client_key="redo")

    assert counts(undone) == counts(waits) != counts(done)
    assert counts(redone) == counts(done)


def test_nobody_wins_before_the_deciding_hand_is_accepted(begin: Begin, session: Session, let_in: LetIn) -> None:
    match = begin(house={"target": 3})
    them = let_in(match, "p2")

    wrote = written(session, agreeing(session, match), HAND)
    accepted = accept(session, them, 2)

    assert (wrote.status, wrote.counted.outcome, bool(wrote.state.outcome)) == ("in_progress", None, True)
    assert accepted.status == "over"
    assert accepted.counted.outcome == wrote.state.outcome


def test_a_phone_finds_what_waits_for_it(session: Session, match: Match, let_in: LetIn) -> None:
    us, them = let_in(match, "p1"), let_in(match, "p2")
    agreeing(session, match)
    wrote = match_actions.record_hand(session, us, HAND, seq=2, client_key="hand", actor="one phone")
    hand = wrote.log.hands[0]

    theirs = load_match(session, them)

    assert not may_accept(wrote.setup, wrote.link, "one phone", hand)
    assert may_accept(theirs.setup, theirs.link, "another", theirs.log.hands[0])


def test_an_export_keeps_what_waits_and_says_so(session: Session, library: Library, match: Match) -> None:
    written(session, match, HAND)
    agreeing(session, load_match(session, match.code))
    written(session, load_match(session, match.code), THEIRS, replace(SET, note="late"))

    record = export_match(session, library, match.code)
    [taken_in] = import_records(session, library, [record])

    notes = [hand.get("note") for hand in record["hands"]]
    assert notes == [None, "Not accepted by another side yet.", "late\nNot accepted by another side yet."]
    assert taken_in.counted.scores == load_match(session, match.code).state.scores


def test_a_note_that_fills_its_place_is_left_as_it_is(session: Session, library: Library, match: Match) -> None:
    written(session, agreeing(session, match), replace(HAND, note="x" * 500))

    record = export_match(session, library, match.code)

    assert record["hands"][0]["note"] == "x" * 500
    assert import_records(session, library, [record])


DONE = st.one_of(
    *[CHANGES.map(lambda change: ("change", change))] * 3,
    st.booleans().map(lambda on: ("setting", on)),
    *[st.tuples(st.sampled_from(["p1", "p2"]), st.integers(1, 14)).map(lambda it: ("accept", it))] * 3,
)


def _do(session: Session, match: Match, step: tuple[str, Any], number: int) -> None:
    kind, what = step
    key = f"step-{number}"
    if kind == "change":
        write(session, f"link-of-p1-{match.id}", what, Writer(key), seq=None)
    elif kind == "setting":
        match_actions.set_agreement(session, match.code, what, client_key=key)
    else:
        seat, uid = what
        log = load_match(session, match.code).log
        hand = log.hand(uid) or log.gone_hand(uid)
        version = hand.latest.seq if hand else 0
        match_actions.accept_hand(session, f"link-of-{seat}-{match.id}", uid, version, client_key=key)


def _do_all(session: Session, match: Match, steps: list[tuple[str, Any]]) -> Match:
    for number, step in enumerate(steps):
        try:
            _do(session, match, step, number)
        except (Refused, MatchClosed, NotAllowed):
            continue
    return load_match(session, match.code)


def _replay_of(match: Match, number: int) -> MatchState:
    opened = open_match(match.rules, match.setup.seating, match.setup.carried_over, None)
    return replay(opened, [result.hand for result in match.state.results[:number]])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.lists(DONE, max_size=14))
def test_what_counts_is_the_replay_of_the_hands_before_the_first_that_waits(
    begin: Begin, session: Session, let_in: LetIn, steps: list[tuple[str, Any]]
) -> None:
    match = begin()
    let_in(match, "p1"), let_in(match, "p2")

    match = _do_all(session, match, [("setting", True), *steps])

    places = [i for i, hand in enumerate(match.log.hands) if hand.waits]
    before = _replay_of(match, match.log.counted)
    assert match.log.counted <= min(places, default=len(match.log.hands))
    assert match.log.waiting or match.log.counted == len(match.log.hands)
    assert (match.counted.scores, match.counted.outcome) == (before.scores, before.outcome)
    assert read_match(session, match.code) == match


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(st.lists(DONE, max_size=12))
def test_with_everything_accepted_it_stands_as_without_the_setting(
    begin: Begin, session: Session, let_in: LetIn, steps: list[tuple[str, Any]]
) -> None:
    match = begin()
    let_in(match, "p1"), let_in(match, "p2")
    match = _do_all(session, match, [("setting", True), *steps])
    waiting = match.log.waiting
    without = seen(match)

    for hand in waiting:
        match = accept(session, f"link-of-{'p2' if hand.latest.by == 'p1' else 'p1'}-{match.id}", hand.uid)

    assert match.log.waiting == ()
    assert match.counted is match.state
    assert seen(match)[2:4] == without[2:4]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(st.lists(DONE, max_size=12))
def test_turning_the_setting_off_counts_everything(
    begin: Begin, session: Session, let_in: LetIn, steps: list[tuple[str, Any]]
) -> None:
    match = begin()
    let_in(match, "p1"), let_in(match, "p2")
    _do_all(session, match, [("setting", True), *steps])

    off = match_actions.set_agreement(session, match.code, False, client_key="off")

    assert off.log.waiting == ()
    assert off.counted is off.state
