"""Run one import at a time: whole or not at all, with as little delay as possible for phones that score."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.database.engine import db
from scorekeeper.eventlog.stream import Refused
from scorekeeper.matches.files import import_run
from scorekeeper.matches.files.import_export import RecordsRefused, export_match, import_file
from scorekeeper.matches.files.import_run import ImportBusy, Importer, TooManyImports
from scorekeeper.matches.service import load_match
from scorekeeper.pitch.compare.ruling import make_record_ruling
from scorekeeper.pitch.records.record import read_record
from scorekeeper.pitch.records.result import score_record
from scorekeeper.pitch.rules.schema import Ruleset
from tests.common.hands import HAND
from tests.common.importing import another_import, import_records
from tests.common.interleaving import cut_off_before
from tests.common.library import LIBRARY, RULEBOOK
from tests.common.match_actions import record_hand, start_match
from tests.matches.files.test_records import RECORD, everything

PHONE = Importer("phone", "192.0.2.7")
LATER = timedelta(minutes=2)
pytestmark = pytest.mark.every_database


def other_session() -> Session:
    """Open a session as another process would."""
    return Session(db.engine)


def test_scoring_goes_on_while_a_file_is_checked(session: Session) -> None:
    people = ["Ann", "Bo", "Cal", "Di"]
    with other_session() as other:
        code = start_match(other, LIBRARY, variant="partnership-pitch", players=people).code
    written = 0

    class Scoring(dict[str, Ruleset]):
        """The games, of which each is looked up while somebody scores."""

        def __getitem__(self, variant: str) -> Ruleset:
            nonlocal written
            written += 1
            with other_session() as other:
                record_hand(other, code, HAND, seq=written)
            return super().__getitem__(variant)

    import_records(session, Scoring({ruleset.id: ruleset for ruleset in LIBRARY}), [RECORD] * 3)

    assert len(load_match(session, code).state.results) == written > 0


def test_an_import_that_stops_in_the_middle_leaves_nothing(session: Session) -> None:
    with cut_off_before("INSERT INTO link"):
        import_records(session, LIBRARY, [RECORD] * 6, idempotency_key="upload", importer=PHONE)
    session.rollback()

    assert everything(session) == [0, 0, 0]
    assert len(import_records(session, LIBRARY, [RECORD] * 6, idempotency_key="upload")) == 6


def test_one_import_runs_at_a_time(app: Flask, session: Session) -> None:
    with another_import(app), pytest.raises(ImportBusy, match="Another import is running"):
        import_records(session, LIBRARY, [RECORD])

    assert len(import_records(session, LIBRARY, [RECORD])) == 1


def test_a_phone_imports_so_many_files_an_hour(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_run, "MAX_IMPORTS_BY_PHONE", 2)
    monkeypatch.setattr(import_run, "MAX_IMPORTS_BY_NETWORK", 3)
    import_records(session, LIBRARY, [RECORD], importer=PHONE)
    with pytest.raises(RecordsRefused):
        import_records(session, LIBRARY, [], importer=PHONE)

    with pytest.raises(TooManyImports, match=r"^This phone sent 2 files within an hour.*in 60 minutes\.$"):
        import_records(session, LIBRARY, [RECORD], importer=PHONE)
    import_records(session, LIBRARY, [RECORD], importer=replace(PHONE, device="another"))
    with pytest.raises(TooManyImports, match="This network sent 3 files"):
        import_records(session, LIBRARY, [RECORD], importer=replace(PHONE, device="a third"))
    import_records(session, LIBRARY, [RECORD], importer=replace(PHONE, device="a fourth", network_digest="192.0.2.8"))
    import_records(session, LIBRARY, [RECORD])


@pytest.mark.parametrize("ago", [timedelta(minutes=61), -LATER], ids=["an hour ago", "before the clock went back"])
def test_older_imports_are_forgotten(session: Session, monkeypatch: pytest.MonkeyPatch, ago: timedelta) -> None:
    monkeypatch.setattr(import_run, "MAX_IMPORTS_BY_PHONE", 1)
    import_records(session, LIBRARY, [RECORD], importer=PHONE)
    then = (datetime.now(UTC) - ago).replace(tzinfo=None)
    session.execute(sa.text("UPDATE import_run SET started_at = :then"), {"then": then})
    session.commit()

    import_records(session, LIBRARY, [RECORD], importer=PHONE)

    kept = session.execute(sa.text("SELECT count(*) FROM import_run WHERE started_at = :then"), {"then": then})
    assert kept.scalar_one() == 0


@pytest.mark.parametrize("key", ["", "ключ", "x" * 37, "a\nb"])
def test_a_form_key_that_is_none_is_refused(session: Session, key: str) -> None:
    with pytest.raises(Refused, match="plain letters"):
        import_file(session, LIBRARY, json.dumps(RECORD).encode(), idempotency_key=key)


def test_keys_that_begin_alike_are_two_imports(session: Session) -> None:
    first, second = (
        import_records(session, LIBRARY, [RECORD], idempotency_key=f"{'x' * 30}{end}")[0].code for end in "ab"
    )

    assert first != second


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
def test_what_is_said_after_the_end_of_a_match_has_to_be_sound(session: Session, name: str) -> None:
    over = {**RECORD, "format": "pitch-record/2", "hands": [*RECORD["hands"], AFTER_THE_END[name]]}

    with pytest.raises(RecordsRefused):
        import_records(session, LIBRARY, [over])

    assert everything(session) == [0, 0, 0]


BEFORE = {"tie_rule": "higher_score", "first_lead": "trump"}
TODAY = {"tie_rule": "bidder_first", "first_lead": "any"}
DAY = {"played_on": "2026-11-20"}
NAMED = {"format": "pitch-record/3", "house_rules": {"name": "The Millers’"}}


@pytest.mark.parametrize(
    ("changes", "in_hand", "winner", "house"),
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
    changes: dict[str, Any],
    in_hand: dict[str, Any],
    winner: str,
    house: dict[str, str],
) -> None:
    record = {
        "format": "pitch-record/1",
        "variant": "st-paul-schmier",
        "sides": [{"name": "Us"}, {"name": "Them"}],
        "start": {"scores": {"Us": 18, "Them": 20}},
        "hands": [{"bidder": "Us", "bid": 3, "points": {"Us": 3, "Them": 3}, **in_hand}],
        **changes,
    }
    (match,) = import_records(session, LIBRARY, [record])
    settled = make_record_ruling(read_record(record), RULEBOOK).state.outcome

    assert [match.names[side] for side in match.state.winners] == [winner]
    assert settled
    assert list(settled.winners) == [winner]
    assert score_record(record, RULEBOOK)["winners"] == [winner]
    assert export_match(session, LIBRARY, match.code)["house"] == house
