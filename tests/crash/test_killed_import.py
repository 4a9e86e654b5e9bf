"""An import that is killed in the middle: nothing of it is ever seen, and the next one begins as if it had not been."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest
import sqlalchemy as sa
from flask import Flask

from scorekeeper.database.engine import db
from scorekeeper.matches.files.import_export import export_all
from scorekeeper.matches.match_list import latest_matches
from scorekeeper.web.library import library
from tests.common.importing import import_records
from tests.crash.killing import TIMEOUT
from tests.matches.files.test_records import RECORD

MATCHES = 600
HOLD = sa.text("UPDATE import_run SET device = device")
"""Whoever has written this and not committed stops the import at its next transaction."""
STORED = sa.text('SELECT count(*) FROM "match"')


@pytest.mark.every_database
def test_nothing_is_seen_of_an_import_that_was_killed(app: Flask, database_url: str, tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    file.write_text("\n".join([json.dumps(RECORD)] * MATCHES))
    environ = {"SCOREKEEPER_INSTANCE": str(tmp_path / "instance"), "SCOREKEEPER_DATABASE_URL": database_url}
    command = [sys.executable, "-m", "scorekeeper", "import", str(file)]

    with app.app_context():
        process = subprocess.Popen(command, env=os.environ | environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            stored = _kill_when_something_is_stored(process)
        finally:
            process.kill()
            said = process.communicate()

        assert process.returncode == -signal.SIGKILL, said
        assert 0 < stored < MATCHES
        assert db.session.execute(STORED).scalar_one() == stored
        assert not latest_matches(db.session, 50)[0]
        assert not list(export_all(db.session, library()))
        import_records(db.session, library(), [RECORD] * 2)
        assert db.session.execute(STORED).scalar_one() == len(latest_matches(db.session, 50)[0]) == 2


def _kill_when_something_is_stored(process: "subprocess.Popen[bytes]") -> int:
    until = monotonic() + TIMEOUT
    while monotonic() < until and process.poll() is None:
        with db.engine.connect() as holding:
            holding.execute(HOLD)
            if stored := int(holding.execute(STORED).scalar_one()):
                process.kill()
                process.wait()
                return stored
        sleep(0.02)
    return 0
