"""Ladder nights in the database: written once and in place, by who may, and joined by other phones."""

from collections.abc import Iterator
from functools import partial
from itertools import count
from typing import TypedDict

import pytest
import sqlalchemy as sa
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.access import invitations
from scorekeeper.access.invitations import enter_pin
from scorekeeper.club.nights.events import (
    GameWon,
    MatchKept,
    NightDeleted,
    NightEnded,
    NightPlanned,
    NightRestored,
    PairArrived,
)
from scorekeeper.club.nights.service import (
    NightAccess,
    change_settings,
    draw_round,
    draw_tables,
    load_night,
    nights_of_device,
    start_match_at,
    start_night,
    write_night,
)
from scorekeeper.club.nights.store import join_night
from scorekeeper.database.engine import db
from scorekeeper.eventlog.store import Writer
from scorekeeper.eventlog.stream import OWNER, SCORER, WATCHER, NotAllowed, Refused, undo_last
from scorekeeper.matches.fold import Match
from scorekeeper.pitch.rules.library import Library
from scorekeeper.pitch.scoring.hand import Hand
from tests.common.interleaving import before_first_write, cut_off_before
from tests.common.match_actions import record_hand, start_match

pytestmark = pytest.mark.every_database
keys: Iterator[str] = (f"key-{number}" for number in count())


class Settings(TypedDict):
    title: str
    rounds: int
    plan: NightPlanned


def begun(session: Session, pairs: int = 5) -> NightAccess:
    """Return a night in its first round."""
    code = start_night(session, "host", title="Pitch night", rounds=6, idempotency_key=next(keys))
    for number in range(pairs):
        players = [f"A{number}", f"B{number}"]
        write_night(session, code, PairArrived(players=tuple(players)), Writer(next(keys)))
    return write_night(session, code, draw_tables, Writer(next(keys)))


def played(session: Session, found: NightAccess) -> NightAccess:
    """Return the night after every table has a result."""
    current = found.night.current
    assert current
    for game in current.games:
        change = GameWon(round=current.number, table=game.table, winner=game.pairs[0])
        found = write_night(session, found.code, change, Writer(next(keys)))
    return found


def test_a_night_is_read_as_it_was_written(session: Session) -> None:
    found = played(session, begun(session))
    current = found.night.current
    assert current
    scored = GameWon(round=1, table=1, winner=current.games[0].pairs[1], scores=(-3, 21))
    write_night(session, found.code, scored, Writer(next(keys)))
    write_night(session, found.code, NightDeleted(), Writer(next(keys)))
    write_night(session, found.code, NightRestored(), Writer(next(keys)))
    found = write_night(session, found.code, partial(draw_round, 2), Writer(next(keys)))
    assert found.night.rounds[0].games[0].scores == (-3, 21)

    again = load_night(session, found.code)

    assert again.night == found.night
    assert again.night.current
    assert again.night.current.number == 2
    assert len(again.night.current.out) == 1
    assert [it.code for it in nights_of_device(session, "host")] == [found.code]


def test_the_settings_of_a_night_change_all_or_nothing(app: Flask, session: Session) -> None:
    code = start_night(session, "host", title="", rounds=6, idempotency_key=next(keys))
    for players in (("Ann", "Cal"), ("Bea", "Dan")):
        write_night(session, code, PairArrived(players=players), Writer(next(keys)))
    wanted: Settings = {"title": "Friday", "rounds": 9, "plan": NightPlanned(ranking="wins")}

    with (
        before_first_write(app, lambda: write_night(db.session, code, draw_tables, Writer(next(keys)))),
        pytest.raises(Refused, match="chosen before the start"),
    ):
        change_settings(session, code, Writer(next(keys)), **wanted)

    night = load_night(session, code).night
    assert (night.title, night.agreed) == ("", 6)


def test_a_watcher_writes_nothing_and_a_scorer_not_what_is_the_owners(session: Session) -> None:
    found = begun(session)
    watcher, scorer = (
        join_night(session, invitations.invite(session, found, role), role, None) for role in (WATCHER, SCORER)
    )
    current = found.night.current
    assert current
    win = GameWon(round=1, table=1, winner=current.games[0].pairs[0])

    with pytest.raises(NotAllowed):
        write_night(session, watcher.code, win, Writer(next(keys)))
    with pytest.raises(NotAllowed):
        write_night(session, scorer.code, undo_last, Writer(next(keys)))
    with pytest.raises(NotAllowed):
        write_night(session, scorer.code, NightEnded(), Writer(next(keys)))
    assert write_night(session, scorer.code, win, Writer(next(keys))).night.current != current


def test_a_phone_joins_by_pin_and_has_one_link_that_allows_no_less_than_before(session: Session) -> None:
    found = begun(session)
    invited = invitations.invite(session, found, SCORER)
    by_pin = enter_pin(session, (invited.pin or "").lower(), "10.0.0.1")
    assert by_pin == invited
    first = join_night(session, invited, "phone", found.night.present[0])

    again = join_night(session, invitations.invite(session, found, WATCHER), "phone", None)

    assert (again.code, again.role, again.pair) == (first.code, SCORER, None)
    host = join_night(session, invited, "host", None)
    assert (host.code, host.role) == (found.code, OWNER)


def test_no_pin_leads_to_a_night_and_to_a_match(
    session: Session, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    pins = iter(["ACFHKM", "ACFHKM", "ACFHKR"])
    monkeypatch.setattr(invitations, "new_pin", lambda _letters: next(pins))

    first = invitations.invite(session, match, WATCHER)
    second = invitations.invite(session, begun(session), WATCHER)

    assert (first.pin, second.pin) == ("ACFHKM", "ACFHKR")
    assert enter_pin(session, "ACFHKM", "10.0.0.3") == first
    assert enter_pin(session, "ACFHKR", "10.0.0.3") == second


def at_a_table(session: Session) -> NightAccess:
    """Return a night of a game that a match can be kept of."""
    values = {"title": "", "rounds": 6, "variant": "partnership-pitch"}
    code = start_night(session, "host", idempotency_key=next(keys), **values)  # type: ignore[arg-type]
    for number in range(2):
        write_night(session, code, PairArrived(players=(f"A{number}", f"B{number}")), Writer(next(keys)))
    return write_night(session, code, draw_tables, Writer(next(keys)))


def matches_in(session: Session) -> int:
    return int(session.execute(sa.text('SELECT count(*) FROM "match"')).scalar_one())


def test_a_match_whose_place_at_the_table_cannot_be_written_is_not_kept_either(
    session: Session, library: Library
) -> None:
    found, before = at_a_table(session), matches_in(session)

    with cut_off_before("INSERT INTO night_event"):
        start_match_at(session, library, found.code, 1, Writer(next(keys)))
    session.rollback()

    assert matches_in(session) == before
    assert load_night(session, found.code).night == found.night
    assert start_match_at(session, library, found.code, 1, Writer(next(keys)))


@pytest.mark.parametrize(("winner", "pair"), [("p1", 0), ("p2", 1), ("p3", 0), ("p4", 1)])
def test_whoever_wins_alone_at_a_table_has_won_it_for_the_pair(
    session: Session, library: Library, winner: str, pair: int
) -> None:
    found = at_a_table(session)
    current = found.night.current
    assert current
    match = start_match(
        session, library, variant="canadian-smear", players=["Ann", "Bea", "Cal", "Dan"], idempotency_key=next(keys)
    )
    kept = MatchKept(round=1, table=1, match=match.id)
    write_night(session, found.code, kept, Writer(next(keys)))

    while match.ending is None or match.ending.status != "over":
        taken = dict.fromkeys(match.state.ruleset.in_play, winner)
        hand = Hand(bidder=winner, bid=5, taken=taken)
        match = record_hand(session, match.code, hand, seq=match.version + 1, idempotency_key=next(keys))

    after = load_night(session, found.code).night.current
    assert after
    assert after.games[0].winner == current.games[0].pairs[pair]


def test_a_form_that_keeps_a_match_comes_twice_and_keeps_one(session: Session, library: Library) -> None:
    found, before = at_a_table(session), matches_in(session)

    codes = {start_match_at(session, library, found.code, 1, Writer("kept")) for _ in range(2)}

    assert (len(codes), matches_in(session)) == (1, before + 1)
    with pytest.raises(Refused, match="Table 1 has a match or a result already"):
        start_match_at(session, library, found.code, 1, Writer(next(keys)))
    assert matches_in(session) == before + 1


def test_a_match_is_kept_although_another_phone_writes_at_the_same_moment(
    app: Flask, session: Session, library: Library
) -> None:
    found, before = at_a_table(session), matches_in(session)

    def pair_comes() -> None:
        write_night(db.session, found.code, PairArrived(players=("Zoe",)), Writer(next(keys)))

    with before_first_write(app, pair_comes):
        assert start_match_at(session, library, found.code, 1, Writer(next(keys)))

    assert matches_in(session) == before + 1


def test_a_deleted_night_is_in_no_list_takes_nothing_and_comes_back(session: Session) -> None:
    found = begun(session)

    write_night(session, found.code, NightDeleted(), Writer(next(keys)))

    assert nights_of_device(session, "host") == []
    for change in (PairArrived(players=("Zoe",)), undo_last):
        with pytest.raises(Refused, match="This night was deleted"):
            write_night(session, found.code, change, Writer(next(keys)))
    back = write_night(session, found.code, NightRestored(), Writer(next(keys)))
    assert [it.code for it in nights_of_device(session, "host")] == [found.code]
    assert back.night.rounds == found.night.rounds
    assert back.night.undo_next == found.night.undo_next
