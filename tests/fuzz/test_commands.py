"""No command ends with a traceback or steers the terminal, whatever its files and words are."""

import gc
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from flask import Flask

from scorekeeper.commands.registry import COMMANDS
from tests.common.ci import IS_CI
from tests.fuzz.commands import LEFT_OUT, Known, fuzz
from tests.fuzz.hostile import SEED, USUAL_SEED
from tests.fuzz.world import filled_world

COMMANDS_RUN = 80 if IS_CI else 32
"""Each five times, outside CI twice."""


@pytest.mark.every_database
def test_no_command_fails(app: Flask, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(tmp_path / "instance"))
    monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", database_url)
    folder = tmp_path / "here"
    folder.mkdir()
    world = filled_world(app)
    known = Known([*world.codes, *world.books, *world.others], world.file)
    statuses: dict[str, Counter[int]] = {name: Counter() for name in COMMANDS["scorekeeper"] if name not in LEFT_OUT}

    for command, status in fuzz(folder, Random(SEED), COMMANDS_RUN, known):
        statuses[command.words[0]][status] += 1

    assert sum(counts.total() for counts in statuses.values()) == COMMANDS_RUN
    # Some get through to what the command does.
    assert not [name for name, counts in statuses.items() if not counts]
    assert SEED != USUAL_SEED or sum(counts[0] for counts in statuses.values()) > COMMANDS_RUN // 10, statuses
    # A connection that a command left open is found now, not by whichever test comes next.
    gc.collect()
