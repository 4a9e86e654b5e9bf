"""The memory of a running server after a large file was imported."""

import json
import re
from pathlib import Path

import pytest

from tests.bench import bench
from tests.bench.bench import Connection, match_record, open_bench, serving

MATCHES = 300
MAX_KEPT = 11.0
"""MiB for 12,000 hands; of records that are all in memory at once 13 stay, read one by one and packed it is 9."""
FIELDS = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')


@pytest.mark.parametrize("as_list", [False, True], ids=["one a line", "a list"])
def test_memory_is_back_after_an_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, as_list: bool) -> None:
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(tmp_path))
    monkeypatch.setattr(bench, "MATCHES", 1)
    records = [match_record() | {"played_on": "2020-02-20"}] * MATCHES  # on a day on which none is here yet
    content = json.dumps(records) if as_list else "\n".join(map(json.dumps, records))
    with open_bench() as opened, serving(opened) as server:
        line = Connection(server)
        for path in ("/", f"/matches/{opened.codes[0]}/"):
            line.get(path)
        form = dict(FIELDS.findall(line.get("/transfer").text))
        before = server.megabytes()
        answer = line.upload("/transfer", form, "record", content)
        kept = server.megabytes() - before
        line.close()

    assert answer.headers["Location"] == f"/transfer?taken={MATCHES}"
    assert kept < MAX_KEPT
