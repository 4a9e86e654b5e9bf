"""Migrations, on both databases, empty and populated."""

import io
import json
import runpy
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.migration import MigrationContext
from alembic.operations import Operations
from flask import Flask

from scorekeeper import paths
from scorekeeper.access.links import device_digest
from scorekeeper.app import create_app
from scorekeeper.book.books import books_of_device
from scorekeeper.club.nights.book_nights import nights_in_book
from scorekeeper.club.nights.events import EntrantArrived
from scorekeeper.club.nights.service import load_night, write_night
from scorekeeper.database.engine import alembic, db
from scorekeeper.database.migrating import is_up_to_date, migrate
from scorekeeper.database.tables import metadata
from scorekeeper.eventlog.store import Writer
from scorekeeper.matches import house_rules
from scorekeeper.matches.house_rules import HouseVersion
from scorekeeper.matches.match_list import record_visit
from scorekeeper.matches.service import load_match, reload_match
from scorekeeper.pitch.rules.house_rules import HouseRules, resolve_house_rules
from tests.common.hands import HAND, SET
from tests.common.library import LIBRARY
from tests.common.match_actions import correct_hand, record_hand, start_match
from tests.common.migrating import migrate_down
from tests.common.nights import store_night

BOTH = pytest.mark.parametrize("empty_database_url", ["sqlite", "postgresql"], indirect=True)
TABLES = ("match", "link", "event", "device_match")
STATEMENTS = Path(__file__).with_name("migrations.sql")


@pytest.fixture
def bare(empty_database_url: str, tmp_path: Path) -> Iterator[Flask]:
    """Make an app on a database without tables."""
    app = create_app({"SCOREKEEPER_INSTANCE": tmp_path, "SCOREKEEPER_DATABASE_URL": empty_database_url})
    yield app
    with app.app_context():
        db.engine.dispose()


def populate(app: Flask) -> str:
    with app.app_context():
        people = ["Ann", "Bo", "Cal", "Di"]
        match = start_match(
            db.session, LIBRARY, variant="partnership-pitch", idempotency_key="a", players=people, house={"target": 300}
        )
        for seq in range(1, 6):
            record_hand(db.session, match.code, HAND, seq=seq, idempotency_key=str(seq))
        correct_hand(db.session, match.code, 2, SET, seq=6, idempotency_key="6")
        record_visit(db.session, "phone", load_match(db.session, match.code))
        return match.code


def counts(app: Flask) -> dict[str, int]:
    with app.app_context(), db.engine.connect() as connection:
        return {
            table: int(connection.execute(sa.text(f'SELECT count(*) FROM "{table}"')).scalar_one()) for table in TABLES
        }


@BOTH
def test_up_down_and_up_again(bare: Flask) -> None:
    assert migrate(bare)
    assert not migrate(bare)
    migrate_down(bare)
    assert not is_up_to_date(bare)
    assert migrate(bare)
    with bare.app_context():
        assert alembic.compare_metadata() == []


@BOTH
def test_down_leaves_nothing_behind(bare: Flask) -> None:
    migrate(bare)
    populate(bare)

    migrate_down(bare, "base")

    with bare.app_context():
        assert set(sa.inspect(db.engine).get_table_names()) <= {"alembic_version"}


@BOTH
def test_saved_rules_keep_an_answer_that_was_standard(bare: Flask) -> None:
    migrate(bare)
    saved: tuple[tuple[str, dict[str, Any]], ...] = (
        ("st-paul-schmier", {}),
        ("st-paul-schmier", {"tie_rule": "another_hand", "target": None}),
        ("seven-up", {"turned_jack": False}),
        ("trinidad-all-fours", {"game": 2}),
        ("minnesota-smear", {"first_lead": "any"}),
        ("nine-point-pitch", {"min_bid": 2}),
        ("partnership-pitch", {}),
        ("hoyle-auction-pitch", {"target": 10}),
        ("pitch-with-joker", {"all_pass": "redeal"}),
    )
    with bare.app_context():
        for number, (variant, options) in enumerate(saved, 1):
            rules = HouseRules(f"Ours {number}", variant, options)
            version = HouseVersion(1, str(number), datetime.now(UTC), "", rules, is_retired=False)
            house = house_rules.add_house_rules(db.session, f"code {number}", str(number), version.at)
            house_rules.add_version(db.session, house, version)
        db.session.commit()
    migrate_down(bare, "0012")

    migrate(bare)

    with bare.app_context():
        found = db.session.connection().execute(sa.text("SELECT options FROM house_version ORDER BY id")).scalars()
        kept = [json.loads(options) if isinstance(options, str) else options for options in found]
    assert kept == [
        {"tie_rule": "higher_score", "first_lead": "trump"},
        {"tie_rule": "another_hand", "target": None, "first_lead": "trump"},
        {"turned_jack": False, "gift_to": "beggar"},
        {"game": 2, "turned_cards": "once"},
        {"first_lead": "any"},
        {"min_bid": 2, "first_lead": "trump"},
        {},
        {"target": 10, "all_pass": None},
        {"all_pass": "redeal"},
    ]
    for (variant, _), options in zip(saved, kept, strict=True):
        assert resolve_house_rules(HouseRules("Ours", variant, options), LIBRARY)[1] == []


@BOTH
def test_links_gain_and_lose_their_seats_without_any_other_loss(bare: Flask) -> None:
    migrate(bare)
    code = populate(bare)
    with bare.app_context():
        stood = reload_match(db.session, code)
    migrate_down(bare, "0002")
    before = counts(bare)

    migrate(bare)

    assert before == {"match": 1, "link": 1, "event": 6, "device_match": 1}
    assert counts(bare) == before
    with bare.app_context():
        found = reload_match(db.session, code)
        # Before books a match had no uid: it is a new one.
        assert replace(found, setup=replace(found.setup, uid=stood.setup.uid)) == stood
        assert (stood.link.role, stood.link.holder) == ("owner", "")


@BOTH
def test_a_night_comes_into_the_book_of_the_phone_that_began_it_and_goes_again(bare: Flask) -> None:
    migrate(bare)
    with bare.app_context():
        code = store_night(db.session, title="Friday")
        other = store_night(db.session, "lost", "other", title="Sunday")
        write_night(db.session, code, EntrantArrived(players=("Ann", "Cal")), Writer("pair"))
        [book] = books_of_device(db.session, "host")
        db.session.execute(sa.text("DELETE FROM device_book WHERE device <> :own"), {"own": device_digest("host")})
        db.session.commit()

    migrate_down(bare, "0012")
    migrate(bare)

    with bare.app_context():
        [(setup, night)] = nights_in_book(db.session, book.id)
        assert setup.title == "Friday"
        assert night.name(1) == "Ann & Cal"
        assert len(setup.uid) == 22
        assert load_night(db.session, other).setup.title == "Sunday"


def test_migrations_do_what_they_always_did() -> None:
    """Compare with the statements that were kept: a new migration adds its own at the end, and changes none."""
    assert statements_of_migrations() == STATEMENTS.read_text()


def statements_of_migrations() -> str:
    """Return the SQL of every migration for PostgreSQL, up and down."""
    output = io.StringIO()
    for file in sorted(paths.MIGRATIONS.glob("*.py")):
        migration = runpy.run_path(str(file))
        if "_fill_uids" in migration:  # it reads the matches
            migration["upgrade"].__globals__["_fill_uids"] = lambda: None
        for direction in ("upgrade", "downgrade"):
            output.write(f"-- {direction} {migration['revision']}\n\n")
            context = MigrationContext.configure(
                dialect_name="postgresql", opts={"as_sql": True, "output_buffer": output, "target_metadata": metadata}
            )
            with Operations.context(context):
                migration[direction]()
    return output.getvalue()
