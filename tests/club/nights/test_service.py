"""Store ladder nights: each event is written once and in order, by who may write it, and other phones join."""

from functools import partial

import pytest
import sqlalchemy as sa
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.access import invitations
from scorekeeper.access.invitations import enter_pin
from scorekeeper.club.nights.events import (
    EntrantArrived,
    GameWon,
    NightDeleted,
    NightEnded,
    NightRenamed,
    NightRestored,
    RoundsAgreed,
)
from scorekeeper.club.nights.night import NightPlanned
from scorekeeper.club.nights.service import (
    NightAccess,
    draw_lots_for_first_round,
    draw_lots_for_round,
    ladder_nights_of_device,
    load_night,
    start_match_at_table,
)
from scorekeeper.club.nights.store import join_night
from scorekeeper.database.engine import db
from scorekeeper.eventlog.store import Writer
from scorekeeper.eventlog.stream import OWNER, SCORER, WATCHER, NotAllowed, Refused, undo_event
from scorekeeper.matches.service import load_match
from scorekeeper.pitch.rules.library import Library
from scorekeeper.pitch.scoring.hand import Hand
from tests.club.nights.nights import new_night, write
from tests.common.interleaving import before_first_write, cut_off_before
from tests.common.match_actions import by, record_hand

pytestmark = pytest.mark.every_database


def begun(session: Session, pairs: int = 5, **agreed: str) -> NightAccess:
    """Return a night in its first round."""
    code = new_night(session, *([f"A{number}", f"B{number}"] for number in range(pairs)), **agreed)
    return write(session, code, draw_lots_for_first_round)


def sides_at_table_1(found: NightAccess) -> tuple[int, int]:
    return found.night.rounds[-1].games[0].sides


def test_a_night_is_read_as_it_was_written(session: Session) -> None:
    found = begun(session)
    _, second = sides_at_table_1(found)
    won = GameWon(round=1, table=2, winner=found.night.rounds[0].games[1].sides[0])
    scored = GameWon(round=1, table=1, winner=second, scores=(-3, 21))
    found = write(session, found.code, won, scored, NightDeleted(), NightRestored(), partial(draw_lots_for_round, 2))
    assert found.night.rounds[0].games[0].scores == (-3, 21)

    again = load_night(session, found.code)

    assert again.night == found.night
    assert [(of.number, len(of.sitting_out_uids)) for of in again.night.rounds] == [(1, 1), (2, 1)]
    assert [mine.code for mine in ladder_nights_of_device(session, "host")] == [found.code]


def test_the_settings_of_a_night_change_all_or_nothing(session: Session) -> None:
    found = begun(session)
    settings = RoundsAgreed(rounds=9), NightRenamed(title="Friday"), NightPlanned(ranking="wins")

    with pytest.raises(Refused, match="chosen before the start"):
        write(session, found.code, lambda _: settings)

    assert load_night(session, found.code).night == found.night


def test_a_watcher_writes_nothing_and_a_scorer_not_what_is_the_owners(session: Session) -> None:
    found = begun(session)
    watcher, scorer = (
        join_night(session, invitations.invite(session, found, role), role, 0).code for role in (WATCHER, SCORER)
    )
    won = GameWon(round=1, table=1, winner=sides_at_table_1(found)[0])

    for code, change in ((watcher, won), (scorer, undo_event), (scorer, NightEnded())):
        with pytest.raises(NotAllowed):
            write(session, code, change)
    assert write(session, scorer, won).night.current_round != found.night.current_round


def test_a_phone_joins_by_pin_and_has_one_link_that_allows_no_less_than_before(session: Session) -> None:
    found = begun(session)
    invited = invitations.invite(session, found, SCORER)
    assert enter_pin(session, (invited.pin or "").lower(), "10.0.0.1") == invited
    first = join_night(session, invited, "phone", found.night.present_uids[0])

    again = join_night(session, invitations.invite(session, found, WATCHER), "phone", 0)

    assert (again.code, again.role, again.holder) == (first.code, SCORER, "")
    host = join_night(session, invited, "host", 0)
    assert (host.code, host.role) == (found.code, OWNER)


def at_a_table(session: Session, variant: str = "partnership-pitch") -> NightAccess:
    """Return a night of two pairs of a game that a match can be kept of."""
    return begun(session, 2, variant=variant)


def matches_in(session: Session) -> int:
    return int(session.execute(sa.text('SELECT count(*) FROM "match"')).scalar_one())


def test_a_match_whose_place_at_the_table_cannot_be_written_is_not_kept_either(
    session: Session, library: Library
) -> None:
    found = at_a_table(session)

    with cut_off_before("INSERT INTO night_event"):
        start_match_at_table(session, library, found.code, 1, by())
    session.rollback()

    assert matches_in(session) == 0
    assert load_night(session, found.code).night == found.night
    assert start_match_at_table(session, library, found.code, 1, by())


@pytest.mark.parametrize(("winner", "pair"), [("p1", 0), ("p2", 1), ("p3", 0), ("p4", 1)])
def test_whoever_wins_alone_at_a_table_has_won_it_for_the_pair(
    session: Session, library: Library, winner: str, pair: int
) -> None:
    found = at_a_table(session, "canadian-smear")
    match = load_match(session, start_match_at_table(session, library, found.code, 1, by()))

    hand = Hand(bidder=winner, bid=5, taken=dict.fromkeys(match.rules.in_play, winner))
    while not match.state.outcome:
        match = record_hand(session, match.code, hand)

    after = load_night(session, found.code).night
    assert after.rounds[0].games[0].winner == sides_at_table_1(found)[pair]


def test_a_form_that_keeps_a_match_comes_twice_and_keeps_one(session: Session, library: Library) -> None:
    found = at_a_table(session)

    codes = {start_match_at_table(session, library, found.code, 1, Writer("kept")) for _ in range(2)}

    assert len(codes) == 1
    with pytest.raises(Refused, match="Table 1 has a match or a result already"):
        start_match_at_table(session, library, found.code, 1, by())
    assert matches_in(session) == 1


def test_a_match_is_kept_although_another_phone_writes_at_the_same_moment(
    app: Flask, session: Session, library: Library
) -> None:
    found = at_a_table(session)

    with before_first_write(app, lambda: write(db.session, found.code, EntrantArrived(players=("Zoe",)))):
        assert start_match_at_table(session, library, found.code, 1, by())

    assert matches_in(session) == 1


def test_a_deleted_night_is_in_no_list_takes_nothing_and_comes_back(session: Session) -> None:
    found = begun(session)

    write(session, found.code, NightDeleted())

    assert ladder_nights_of_device(session, "host") == []
    for change in (EntrantArrived(players=("Zoe",)), undo_event):
        with pytest.raises(Refused, match="This night was deleted"):
            write(session, found.code, change)
    write(session, found.code, NightRestored())
    assert [mine.code for mine in ladder_nights_of_device(session, "host")] == [found.code]
