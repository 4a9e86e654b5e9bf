"""An import that is killed in the middle: it is there as a whole or not at all, and the next one begins as always."""

import json
import os
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest
import sqlalchemy as sa
from flask import Flask

from scorekeeper.database.engine import db
from scorekeeper.matches.match_list import latest_matches
from scorekeeper.web.library import library
from tests.common.importing import import_records
from tests.matches.files.test_records import RECORD

TIMEOUT = 60.0
MATCHES = 600
MOMENTS = (0.5, 0.7, 0.8, 0.85, 0.9, 0.95)
"""When it is killed, as parts of the time that the whole import takes."""
STORED = sa.text('SELECT count(*) FROM "match"')


@pytest.mark.every_database
def test_nothing_is_there_of_an_import_that_was_killed(app: Flask, database_url: str, tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    file.write_text("\n".join([json.dumps(RECORD)] * MATCHES))
    environ = os.environ | {
        "SCOREKEEPER_INSTANCE": str(tmp_path / "instance"),
        "SCOREKEEPER_DATABASE_URL": database_url,
    }
    command = [sys.executable, "-m", "scorekeeper", "import", str(file), "--known", "again"]
    began = monotonic()
    subprocess.run(command, env=environ, check=True, capture_output=True, timeout=TIMEOUT)
    took = monotonic() - began

    whole = 1
    for moment in MOMENTS:
        process = subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        sleep(took * moment)
        process.kill()
        whole += process.wait() == 0
        with app.app_context():
            stored = db.session.execute(STORED).scalar_one()
            assert stored == len(latest_matches(db.session, stored + 1)[0])
            assert stored in (whole * MATCHES, (whole + 1) * MATCHES)  # it had just stored all, and had not reported it
            whole = stored // MATCHES

    with app.app_context():
        assert whole <= len(MOMENTS)
        assert len(import_records(db.session, library(), [RECORD] * 2)) == 2
