"""How a match ended is stored when it does, and a later version that scores it otherwise is found out."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.app import create_app
from scorekeeper.cli import main
from scorekeeper.database.engine import db
from scorekeeper.database.migrating import migrate
from scorekeeper.eventlog.cache import clear_all_caches
from scorekeeper.eventlog.store import Writer
from scorekeeper.eventlog.stream import undo_event
from scorekeeper.matches import service
from scorekeeper.matches.events import AgreementSet, Change, HandCorrected, HandRemoved
from scorekeeper.matches.fold import Ending, Match
from scorekeeper.matches.service import compute_missing_endings, replay_all
from scorekeeper.matches.store import MATCH_EVENTS, set_ending, stored_endings
from scorekeeper.pitch.scoring.hand import Hand
from scorekeeper.pitch.text.endings import verdict_text
from tests.common.apps import close
from tests.common.commands import Run
from tests.common.commands import installed as installed
from tests.common.commands import run as run
from tests.common.hands import HAND, SET
from tests.common.importing import import_records
from tests.common.library import LIBRARY
from tests.common.match_actions import (
    correct_hand,
    delete,
    record_hand,
    remove_hand,
    rename,
    resume,
    return_hand,
    start_match,
    stop,
    write_event,
)
from tests.common.migrating import migrate_down
from tests.matches.conftest import Begin
from tests.matches.files.test_records import RECORD
from tests.scenarios.scene import told_record

pytestmark = pytest.mark.every_database

WON = Ending("over", ("s1",), {"s1": 3, "s2": 1})
AS_BEFORE = Ending("over", ("s1",), {"s1": 4, "s2": 2})
"""The end of the same match by a version that gave everybody a point more."""


def kept(session: Session, match: Match) -> Ending | None:
    return stored_endings(session, [match.id]).get(match.id)


@pytest.fixture
def over(session: Session, begin: Begin) -> Match:
    """Play a match that Ann and Cal have won with its only hand."""
    return record_hand(session, begin(house={"target": 3}).code, HAND)


@pytest.fixture
def scored_otherwise(session: Session, over: Match) -> Match:
    """Return a match that an earlier version scored otherwise."""
    set_ending(session, over.id, AS_BEFORE)
    session.commit()
    return over


def changed(session: Session) -> list[int]:
    return [item.setup.id for item in replay_all(session) if not item.has_same_ending]


def test_the_hand_that_wins_stores_who_won(session: Session, over: Match) -> None:
    assert kept(session, over) == WON


def test_a_match_that_is_stopped_stores_its_scores_until_it_is_resumed(session: Session, match: Match) -> None:
    record_hand(session, match.code, HAND)

    stopped = kept(session, stop(session, match.code))
    resumed = kept(session, resume(session, match.code))

    assert (stopped, resumed) == (Ending("stopped", (), {"s1": 3, "s2": 1}), None)


@pytest.mark.parametrize(
    "change", [HandCorrected(uid=1, hand=SET), HandRemoved(uid=1), undo_event], ids=["corrected", "deleted", "undone"]
)
@pytest.mark.parametrize("is_cached", [True, False], ids=["cached", "read again"])
def test_the_result_goes_with_the_hand_that_made_it(
    session: Session, over: Match, change: Change, is_cached: bool
) -> None:
    if not is_cached:
        clear_all_caches()

    write_event(session, over.code, change)

    assert kept(session, over) is None


def test_a_correction_of_an_ended_match_corrects_its_result(session: Session, over: Match) -> None:
    every_point = replace(HAND, taken=dict.fromkeys(("high", "low", "jack", "game"), "s1"))

    correct_hand(session, over.code, 1, every_point)

    assert kept(session, over) == Ending("over", ("s1",), {"s1": 4, "s2": 0})


def test_a_hand_that_is_restored_brings_the_result_back(session: Session, over: Match) -> None:
    remove_hand(session, over.code, 1)
    return_hand(session, over.code, 1)

    assert kept(session, over) == WON


def test_an_event_that_changes_no_score_leaves_what_was_stored(session: Session, scored_otherwise: Match) -> None:
    rename(session, scored_otherwise.code, {"p1": "Anna"})

    assert kept(session, scored_otherwise) == AS_BEFORE
    assert changed(session) == [scored_otherwise.id]


def test_an_imported_match_is_stored_as_it_ended(session: Session) -> None:
    (match,) = import_records(session, LIBRARY, [{**RECORD, "stopped": True}])

    assert match.ending is not None
    assert kept(session, match) == match.ending


ASKING = told_record(
    "blind-all-fours",
    ["Ann 3 points | Bea 1 points"],
    ["Ann", "Bea"],
    players=["Ann", "Bea"],
    start={"Ann": 5, "Bea": 6},
)
"""Bea has won if she took High, and Ann if not."""


@pytest.fixture
def ended_by_points(session: Session) -> Match:
    """Import a match that an earlier version had ended, by its points alone."""
    (match,) = import_records(session, LIBRARY, [ASKING])
    assert match.state.question
    set_ending(session, match.id, Ending("over", ("p1",), {"p1": 8, "p2": 7}))
    session.commit()
    clear_all_caches()
    return service.load_match(session, match.code)


def test_a_match_that_had_ended_by_points_keeps_its_ending_and_says_so(
    session: Session, ended_by_points: Match
) -> None:
    match = ended_by_points

    assert (match.status, match.state.winners, match.closed_reason()) == ("over", ("p1",), "over")
    assert verdict_text(match.state, match.names) == (
        "Ann won when this match ended, with 8. "
        "That rests on points alone, which do not say who won: to tell it, correct hand 1 by cards."
    )
    assert changed(session) == []
    assert rename(session, match.code, {"p1": "Anna"}).status == "over"
    assert kept(session, match) == match.ending


def test_a_match_corrected_to_its_cards_ends_by_them(session: Session, ended_by_points: Match) -> None:
    by_cards = Hand(taken={"high": "p2", "low": "p1", "jack": "p1", "game": "p1"})

    corrected = correct_hand(session, ended_by_points.code, 1, by_cards)

    assert corrected.state.winners == ("p2",)
    assert kept(session, corrected) == corrected.ending


def forget_endings(session: Session) -> None:
    """Leave the table as the migration does."""
    session.execute(sa.text("DELETE FROM ending"))
    session.execute(sa.text("INSERT INTO ending (match_id, winners, scores) SELECT id, '[]', '{}' FROM \"match\""))
    session.commit()


def test_what_a_migration_left_open_is_looked_up(
    session: Session, begin: Begin, over: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "_BATCH_SIZE", 1)
    in_progress = begin()
    forget_endings(session)

    compute_missing_endings(session)

    assert kept(session, over) == WON
    assert session.execute(sa.text("SELECT count(*) FROM ending")).scalar_one() == 1
    assert kept(session, in_progress) is None


def test_a_match_that_cannot_be_scored_stays_open(session: Session, over: Match) -> None:
    forget_endings(session)
    session.execute(sa.text("UPDATE event SET payload = :payload"), {"payload": '{"v": 99}'})
    session.commit()

    compute_missing_endings(session)

    assert session.execute(sa.text("SELECT status FROM ending")).scalars().all() == [None]


@pytest.mark.usefixtures("installed", "over", "match")
def test_the_command_says_that_all_is_well_and_changes_nothing(session: Session, run: Run) -> None:
    assert run("verify").out == "Every match scores as when it ended: 2 in all, 1 of them ended.\n"

    forget_endings(session)
    assert "2 in all, 1 of them ended" in run("verify").out
    assert session.execute(sa.text("SELECT status FROM ending")).scalars().all() == [None, None]


@pytest.mark.usefixtures("installed")
def test_the_command_names_a_match_that_scores_otherwise(session: Session, scored_otherwise: Match, run: Run) -> None:
    delete(session, scored_otherwise.code)

    named, link, count = run("verify", status=1).lines

    then = "Ann & Cal 4, Bo & Di 2 (won by Ann & Cal)"
    assert named.endswith(f"Ann & Cal 3, Bo & Di 1 (won by Ann & Cal) today; {then} when it ended")
    assert link == f"  https://pitch.example/matches/{scored_otherwise.code}/"
    assert count == "No longer as when they ended: 1 of 1 matches."


@pytest.mark.usefixtures("installed", "over")
@pytest.mark.parametrize(
    ("payload", "fault"),
    [
        ('{"v": 99}', "A hand of version 99 cannot be read"),
        ('{"v": 1, "hand": {"bidder": "p1", "bid": 9, "taken": {}}}', "9 is too high"),
    ],
)
def test_the_command_names_a_match_that_cannot_be_scored_any_more_with_the_reason(
    session: Session, run: Run, payload: str, fault: str
) -> None:
    session.execute(sa.text("UPDATE event SET payload = :payload"), {"payload": payload})
    session.commit()
    clear_all_caches()

    out = run("verify", status=1).out

    assert "can’t be scored any more" in out
    assert fault in out


@pytest.fixture
def empty(empty_database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    """Make an app on a database of its own, which the commands find, with all tables."""
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(tmp_path))
    monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", empty_database_url)
    app = create_app()
    migrate(app)
    yield app
    close(app)


on_each_database = pytest.mark.parametrize("empty_database_url", ["sqlite", "postgresql"], indirect=True)


@on_each_database
def test_migrating_looks_up_how_older_matches_ended(empty: Flask) -> None:
    with empty.app_context():
        match = _played()
    migrate_down(empty, "0004")

    assert main(["migrate"]) == 0

    with empty.app_context():
        assert kept(db.session, match) == WON


@on_each_database
def test_migrating_counts_hands_that_waited_to_be_accepted(empty: Flask) -> None:
    with empty.app_context():
        waiting, stopped = _played(), stop(db.session, _played(target=300).code)
        [by_points] = import_records(db.session, LIBRARY, [ASKING])
        ended = Ending("over", ("p1",), {"p1": 8, "p2": 7})
        before = [(waiting, None), (stopped, Ending("stopped", (), {"s1": 0, "s2": 0})), (by_points, ended)]
        for match, ending in before:
            MATCH_EVENTS.add(db.session, match.id, [Writer("on").event(match.version + 1, AgreementSet(on=True))])
            set_ending(db.session, match.id, ending)
        db.session.commit()
    migrate_down(empty, "0018")

    assert main(["migrate"]) == 0

    with empty.app_context():
        now = [kept(db.session, match) for match, _ in before]
    assert now == [WON, Ending("stopped", (), {"s1": 3, "s2": 1}), ended]
    assert main(["verify"]) == 0


def _played(target: int = 3) -> Match:
    people = ["Ann", "Bo", "Cal", "Di"]
    match = start_match(db.session, LIBRARY, variant="partnership-pitch", players=people, house={"target": target})
    return record_hand(db.session, match.code, HAND)
