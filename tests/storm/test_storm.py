"""A storm in process: phones over the app itself, with a real file of a database."""

import ast
import shutil
from pathlib import Path
from typing import ClassVar

import pytest
from flask import Flask
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from tests.common.apps import close, make_app
from tests.storm import homes, teeth, weather
from tests.storm.in_process import InProcess
from tests.storm.ladder import LadderStorm
from tests.storm.model import Table
from tests.storm.money import MoneyStorm
from tests.storm.served import faults_found, scores_of
from tests.storm.storm import Storm

FOLDER = Path(__file__).parent
ALLOWED = {"tests.storm", "tests.common.reading"}
"""What the model and the phones may import beside what Python and the package index bring."""


def imported(path: Path) -> set[str]:
    """Return the modules that a file imports."""
    nodes = list(ast.walk(ast.parse(path.read_text())))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return names | {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}


def test_the_model_and_the_phones_know_nothing_of_the_code() -> None:
    names = (
        "model",
        "phones",
        "storm",
        "weather",
        "restored",
        "served",
        "disks",
        "clocks",
        "homes",
        "ladder",
        "money",
        "nights",
        "orders",
    )
    own = {FOLDER / f"{name}.py" for name in names}
    files = {*own, FOLDER.parent / "common" / "reading.py"}
    modules = {name for path in files for name in imported(path)}

    ours = {name for name in modules if name.partition(".")[0] in ("scorekeeper", "tests")}
    assert {
        name for name in ours if not any(name == allowed or name.startswith(f"{allowed}.") for allowed in ALLOWED)
    } == set()


class Evening(RuleBasedStateMachine):
    """A match with one to five phones, whose posts are late, lost, sent twice or at once."""

    app: ClassVar[Flask]
    tried: ClassVar[list[Storm]]

    def __init__(self) -> None:
        super().__init__()
        self.storm = Storm(lambda: InProcess(self.app.test_client()), is_in_turn=True)
        self.tried.append(self.storm)

    @initialize(
        table=st.sampled_from(weather.TABLES),
        roles=st.lists(st.sampled_from(["scorer", "scorer", "watcher"]), max_size=4),
    )
    def begin(self, table: Table, roles: list[str]) -> None:
        """Start the match, and let phones in."""
        self.storm.table = table
        self.storm.begin()
        for role in roles:
            self.storm.join(role)

    @rule(act=st.sampled_from(weather.ACTS), data=st.data())
    def blow(self, act: weather.Act, data: st.DataObject) -> None:
        """Let one act happen, and check that all that was acknowledged is there."""
        act(self.storm, lambda most: data.draw(st.integers(0, most - 1)))


def test_every_acknowledged_post_is_there_once_and_some_order_explains_all(app: Flask, database_url: str) -> None:
    Evening.app, Evening.tried = app, []
    chosen = settings(
        max_examples=48,
        stateful_step_count=50,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )

    run_state_machine_as_test(Evening, settings=chosen)

    assert sum(storm.steps for storm in Evening.tried) >= 600
    assert sum(storm.questions for storm in Evening.tried) > 0
    assert faults_found(app.instance_path, database_url) == ""


def test_a_long_storm_of_four_phones(app: Flask, database_url: str) -> None:
    storms = [weather.evening(lambda: InProcess(app.test_client()), seed, phones=4, posts=50) for seed in range(32)]
    remaining = [storm for storm in storms if not storm.match.state.is_deleted]

    assert sum(storm.steps for storm in storms) >= 1600
    assert sum(storm.acknowledged for storm in storms) >= 400
    assert sum(storm.questions for storm in storms) >= 60
    assert scores_of([storm.record() for storm in remaining]) == [
        storm.match.state.named_scores() for storm in remaining
    ]
    assert faults_found(app.instance_path, database_url) == ""


@pytest.mark.club
def test_a_match_in_two_homes_whose_book_file_goes_to_and_fro(
    app: Flask, database_url: str, migrated_file: Path, tmp_path: Path
) -> None:
    file = shutil.copy(migrated_file, tmp_path / "away.sqlite3")
    away = make_app(tmp_path, f"sqlite:///{file}", IMPORTS_AN_HOUR=homes.IMPORTS_AN_HOUR)
    app.config["IMPORTS_AN_HOUR"] = homes.IMPORTS_AN_HOUR

    def phone() -> InProcess:
        return InProcess(app.test_client())

    evenings = [homes.evening(phone, lambda: InProcess(away.test_client()), seed, posts=40) for seed in range(6)]
    storms = [storm for evening in evenings for storm in evening]
    close(away)
    log = "".join(line for storm in storms for line in storm.log)

    assert sum(storm.steps for storm in storms) >= 160
    assert "new=0&left=1" in log
    assert "new=0&left=0" in log
    assert faults_found(app.instance_path, database_url) == ""
    assert faults_found(str(tmp_path), f"sqlite:///{file}") == ""


@pytest.mark.club
def test_a_ladder_night_of_three_phones(app: Flask, database_url: str) -> None:
    storms = [LadderStorm.evening(lambda: InProcess(app.test_client()), seed, phones=3, posts=40) for seed in range(8)]

    assert sum(storm.steps for storm in storms) >= 320
    assert max(len(storm.nights[0].rounds) for storm in storms) > 1
    assert faults_found(app.instance_path, database_url) == ""


@pytest.mark.club
def test_a_money_night_of_three_phones(app: Flask, database_url: str) -> None:
    storms = [
        MoneyStorm.evening(lambda: InProcess(app.test_client()), seed, phones=3, posts=40) for seed in range(1, 7)
    ]

    assert sum(storm.steps for storm in storms) >= 240
    assert any(len(storm.nights[0].games) > 2 and storm.nights[0].paid for storm in storms)
    assert faults_found(app.instance_path, database_url) == ""


@pytest.mark.parametrize("mistake", ["a commit is left out", "a resend is answered with the present version"])
def test_a_planted_mistake_is_noticed(mistake: str) -> None:
    assert teeth.tried(mistake, posts=200) is not None


@pytest.mark.parametrize("mistake", teeth.MISTAKES)
def test_a_mistake_that_can_be_planted_has_one_place(mistake: str) -> None:
    assert teeth.planted(mistake)
