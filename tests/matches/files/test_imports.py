"""One import at a time: whole or not at all, unseen until it is whole, and never in the way of whoever scores."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from time import monotonic, sleep
from typing import Any
from unittest import mock

import pytest
import sqlalchemy as sa
from sqlalchemy.orm import Session

from scorekeeper.database.engine import db
from scorekeeper.eventlog.refusals import Refused
from scorekeeper.matches import store as matches
from scorekeeper.matches.files import import_export, import_run, import_store
from scorekeeper.matches.files.import_export import RecordsRefused, export_all, export_match, import_file
from scorekeeper.matches.files.import_run import ImportBusy, Importer, TooManyImports
from scorekeeper.matches.load import load_match
from scorekeeper.matches.match_list import latest_matches, matches_of_device
from scorekeeper.matches.start import add_match
from scorekeeper.pitch.compare.ruling import settle_record
from scorekeeper.pitch.records.record import read_record
from scorekeeper.pitch.records.result import Rulebook, score_record
from scorekeeper.pitch.rules.library import Library
from tests.common.hands import HAND
from tests.common.importing import import_records
from tests.common.match_actions import record_hand, start_match
from tests.matches.files.test_records import RECORD, everything

PHONE = Importer("phone", "192.0.2.7")
LATER = timedelta(minutes=2)
pytestmark = pytest.mark.every_database


@contextmanager
def stopped_after(batches: int, error: BaseException, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let an import fail after so many of its transactions, as when its process is told to stop."""
    kept, done = import_run.ImportRun.keep_alive, 0

    def keep_alive(run: import_run.ImportRun) -> None:
        nonlocal done
        done += 1
        if done == batches:
            raise error
        kept(run)

    with monkeypatch.context() as patch:
        patch.setattr(import_export, "STORED_AT_ONCE", 2)
        patch.setattr(import_run.ImportRun, "keep_alive", keep_alive)
        yield


def other_session() -> Session:
    """Open a session as another process would."""
    return Session(db.engine)


def test_nothing_is_seen_of_an_import_before_it_is_whole(
    session: Session, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored, shown = [0], 0

    def look_and_add(*args: Any, **said: Any) -> int:
        nonlocal shown
        with other_session() as other:
            stored.append(other.execute(sa.text('SELECT count(*) FROM "match"')).scalar_one())
            shown += len(latest_matches(other, 50)[0]) + len(list(export_all(other, library)))
            shown += len(matches_of_device(other, "phone"))
        return add_match(*args, **said)

    monkeypatch.setattr(import_export, "STORED_AT_ONCE", 2)
    monkeypatch.setattr(import_export, "add_match", look_and_add)
    import_records(session, library, [RECORD] * 4, importer=PHONE)

    assert max(stored) > 1
    assert shown == 0
    assert len(latest_matches(session, 50)[0]) == len(matches_of_device(session, "phone")) == 4


def test_scoring_goes_on_while_a_file_is_imported(
    session: Session, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = ["Ann", "Bo", "Cal", "Di"]
    with other_session() as other:
        code = start_match(other, library, variant="partnership-pitch", client_key="a", players=people).code
    checked = import_export._checked
    written = 0

    def score() -> None:
        nonlocal written
        written += 1
        with other_session() as other:
            record_hand(other, code, HAND, seq=written, client_key=f"hand-{written}")

    def score_and_check(*said: Any) -> Any:
        score()
        return checked(*said)

    def score_and_add(*args: Any, **said: Any) -> int:
        score()
        return add_match(*args, **said)

    monkeypatch.setattr(import_export, "_checked", score_and_check)
    monkeypatch.setattr(import_export, "add_match", score_and_add)
    monkeypatch.setattr(import_export, "STORED_AT_ONCE", 1)
    import_records(session, library, [RECORD] * 3)

    assert len(load_match(session, code).state.results) == written == 6


@pytest.mark.parametrize("error", [KeyboardInterrupt(), MemoryError(), RuntimeError("the disk is full")])
def test_an_import_that_stops_in_the_middle_leaves_nothing(
    session: Session, library: Library, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    with stopped_after(4, error, monkeypatch), pytest.raises(type(error)):
        import_records(session, library, [RECORD] * 6, client_key="upload", importer=PHONE)

    assert everything(session) == [0, 0, 0]
    assert len(import_records(session, library, [RECORD] * 6, client_key="upload")) == 6


def test_a_killed_import_is_cleared_away_by_the_next(
    session: Session, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = start_match(session, library, variant="partnership-pitch", client_key="a/1", players=["A", "B", "C", "D"])
    with monkeypatch.context() as patch:
        patch.setattr(import_run, "_delete_unfinished", lambda run: None)
        patch.setattr(import_store, "end_run", lambda *said: None)
        with stopped_after(3, KeyboardInterrupt(), patch), pytest.raises(KeyboardInterrupt):
            import_records(session, library, [RECORD] * 6, client_key="upload")
    assert everything(session)[0] > 1
    assert len(latest_matches(session, 50)[0]) == 1

    import_records(session, library, [RECORD], client_key="upload")

    assert everything(session)[:2] == [2, 2]
    assert load_match(session, kept.code).code == kept.code


def test_an_import_that_says_nothing_for_long_blocks_every_other(session: Session) -> None:
    with import_run.import_run(session, None):
        ago = {"then": (datetime.now(UTC) - LATER).replace(tzinfo=None)}
        session.execute(sa.text("UPDATE import_run SET alive_at = :then"), ago)
        session.commit()

        with pytest.raises(ImportBusy, match="Another import is running"), import_run.import_run(session, None):
            pass


def test_an_import_that_has_lost_its_lock_stops_where_another_began(session: Session) -> None:
    first = import_run.ImportRun(session, import_run._begin(session, None))
    with import_run.import_run(session, None), pytest.raises(ImportBusy):
        first.keep_alive()


def test_a_phone_imports_so_many_files_an_hour(
    session: Session, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_run, "MOST_BY_PHONE", 2)
    monkeypatch.setattr(import_run, "MOST_BY_NETWORK", 3)
    import_records(session, library, [RECORD], importer=PHONE)
    with pytest.raises(RecordsRefused):
        import_records(session, library, [], importer=PHONE)

    with pytest.raises(TooManyImports, match=r"^This phone sent 2 files within an hour.*in 60 minutes\.$"):
        import_records(session, library, [RECORD], importer=PHONE)
    import_records(session, library, [RECORD], importer=replace(PHONE, device="another"))
    with pytest.raises(TooManyImports, match="This network sent 3 files"):
        import_records(session, library, [RECORD], importer=replace(PHONE, device="a third"))
    import_records(session, library, [RECORD], importer=replace(PHONE, device="a fourth", network="192.0.2.8"))
    import_records(session, library, [RECORD])


@pytest.mark.parametrize("ago", [timedelta(minutes=61), -LATER], ids=["an hour ago", "before the clock went back"])
def test_older_imports_are_forgotten(
    session: Session, library: Library, monkeypatch: pytest.MonkeyPatch, ago: timedelta
) -> None:
    monkeypatch.setattr(import_run, "MOST_BY_PHONE", 1)
    import_records(session, library, [RECORD], importer=PHONE)
    then = (datetime.now(UTC) - ago).replace(tzinfo=None)
    session.execute(sa.text("UPDATE import_run SET started_at = :then"), {"then": then})
    session.commit()

    import_records(session, library, [RECORD], importer=PHONE)

    assert session.execute(sa.text("SELECT count(*) FROM import_run")).scalar_one() == 1


@pytest.mark.parametrize("key", ["", "ключ", "x" * 37, "a\nb"])
def test_a_form_key_that_is_none_is_refused(session: Session, library: Library, key: str) -> None:
    with pytest.raises(Refused, match="plain letters"):
        import_file(session, library, json.dumps(RECORD).encode(), client_key=key)


def test_keys_that_begin_alike_are_two_imports(session: Session, library: Library) -> None:
    first, second = (import_records(session, library, [RECORD], client_key=f"{'x' * 30}{end}")[0].code for end in "ab")

    assert first != second


def test_a_key_that_began_a_match_otherwise_is_refused(
    session: Session, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    start_match(session, library, variant="partnership-pitch", client_key="a/2", players=["A", "B", "C", "D"])
    monkeypatch.setattr(matches, "code_by_client_key", lambda *said: None)

    with pytest.raises(Refused, match="imported before"):
        import_records(session, library, [RECORD] * 2, client_key="a")

    assert everything(session) == [1, 1, 0]


AFTER_THE_END: dict[str, dict[str, Any]] = {
    "an unknown rule": {"house": {"nope": 1}},
    "an answer that is none": {"house": {"target": "x"}},
    "an unknown player": {"bidder": "Eve"},
    "an unknown dealer": {"dealer": "Eve"},
    "an unknown side": {"taken": {"high": "Eve"}},
    "an unknown side to be punished": {"penalties": {"Eve": 2}},
    "an unknown leaver": {"sits_in": {"Eve": "Fay"}},
    "an unknown caller": {"auction": [["Eve", 2]]},
}


@pytest.mark.parametrize("name", AFTER_THE_END)
def test_what_is_said_after_the_end_of_a_match_has_to_be_sound(session: Session, library: Library, name: str) -> None:
    over = {**RECORD, "format": "pitch-record/2", "hands": [*RECORD["hands"], AFTER_THE_END[name]]}

    with pytest.raises(RecordsRefused):
        import_records(session, library, [over])

    assert everything(session) == [0, 0, 0]


def test_others_write_between_two_transactions_of_an_import(session: Session) -> None:
    with import_run.import_run(session, None) as run:
        run.store()
        began = monotonic()
        run.let_others_write()
        assert monotonic() - began >= import_run.PAUSE / 2
        sleep(import_run.PAUSE)
        with mock.patch("time.sleep") as slept:
            run.let_others_write()  # what was done meanwhile took as long
        slept.assert_called_once_with(0.0)


BEFORE = {"tie_rule": "higher_score", "first_lead": "trump"}
TODAY = {"tie_rule": "bidder_first", "first_lead": "any"}
DAY = {"played_on": "2026-11-20"}
NAMED = {"format": "pitch-record/3", "house_rules": {"name": "The Millers’"}}


@pytest.mark.parametrize(
    ("said", "in_hand", "winner", "house"),
    [
        (DAY, {}, "Them", BEFORE),
        (DAY | NAMED, {}, "Them", BEFORE),
        (DAY | NAMED, {"penalties_to": {"Us": 1}}, "Us", TODAY),
        ({}, {}, "Us", TODAY),
    ],
    ids=["downloaded", "with a name", "newer than the answers", "written by hand"],
)
def test_a_record_from_before_an_answer_changed_means_what_it_meant_wherever_it_is_read(
    session: Session,
    library: Library,
    said: dict[str, Any],
    in_hand: dict[str, Any],
    winner: str,
    house: dict[str, str],
) -> None:
    told = {
        "format": "pitch-record/1",
        "variant": "st-paul-schmier",
        "sides": [{"name": "Us"}, {"name": "Them"}],
        "start": {"scores": {"Us": 18, "Them": 20}},
        "hands": [{"bidder": "Us", "bid": 3, "points": {"Us": 3, "Them": 3}, **in_hand}],
        **said,
    }
    rulebook = Rulebook(library)

    (match,) = import_records(session, library, [told])
    settled = settle_record(read_record(told), rulebook).state.outcome

    assert [match.names[side] for side in match.state.winners] == [winner]
    assert settled
    assert list(settled.winners) == [winner]
    assert score_record(told, rulebook)["winners"] == [winner]
    assert export_match(session, library, match.code)["house"] == house
