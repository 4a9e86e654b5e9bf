"""`scorekeeper result`: from a record to the printed sheet, without a database."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.cli import main
from tests.common.commands import Run
from tests.printing.matches import partners
from tests.printing.pages import read, text_of


def written(folder: Path, record: Any) -> str:
    file = folder / "match.json"
    file.write_text(record if isinstance(record, str) else json.dumps(record), encoding="utf-8")
    return str(file)


def test_a_record_becomes_a_sheet(tmp_path: Path, run: Run) -> None:
    sheet = tmp_path / "sheet.pdf"

    run("result", written(tmp_path, partners(5)), "-o", str(sheet), "--paper", "letter")

    assert "Thursday at Oma’s" in text_of(sheet.read_bytes())
    assert float(read(sheet.read_bytes()).pages[0].mediabox.width) == pytest.approx(612, abs=1)


def test_it_goes_from_pipe_to_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    taken, given = io.BytesIO(json.dumps(partners(1)).encode()), io.BytesIO()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(taken))
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(given, write_through=True))

    assert main(["result", "-", "-o", "-"]) == 0

    assert given.getvalue().startswith(b"%PDF-")


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ("{", "is not JSON"),
        ("[]", "A record is a JSON object."),
        (partners(1) | {"variant": "old-maid"}, "There is no variant called 'old-maid'."),
        (partners(1) | {"hands": [{"bidder": "Ann", "bid": 9, "taken": {}}]}, "hand 1"),
    ],
)
def test_a_record_that_cannot_be_is_refused_with_the_reason(tmp_path: Path, run: Run, record: Any, why: str) -> None:
    sheet = tmp_path / "sheet.pdf"

    assert why in run("result", written(tmp_path, record), "-o", str(sheet), status=1).err
    assert not sheet.exists()


def test_files_that_are_not_there_are_named(tmp_path: Path, run: Run) -> None:
    nowhere = run("result", str(tmp_path / "none.json"), "-o", "sheet.pdf", status=1).err
    sheet = str(tmp_path / "none" / "sheet.pdf")
    unwritten = run("result", written(tmp_path, partners(1)), "-o", sheet, status=1).err

    assert "none.json cannot be read" in nowhere
    assert "sheet.pdf cannot be written" in unwritten
