"""`scorekeeper score`, as it is run from a shell."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.cli import main

GOOD = {
    "format": "pitch-record/1",
    "variant": "partnership-pitch",
    "sides": [{"name": "Us"}, {"name": "Them"}],
    "hands": [],
}
BAD = {**GOOD, "variant": "whist"}


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Give what puts text on standard input."""

    def put(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode("utf-8", "surrogatepass"))))

    return put


def _results(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_each_file_is_answered_on_a_line_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("one.json", "two.json"):
        (tmp_path / name).write_text(json.dumps(GOOD), encoding="utf-8")

    status = main(["score", str(tmp_path / "one.json"), str(tmp_path / "two.json")])

    assert status == 0
    assert [result["status"] for result in _results(capsys)] == ["in_progress", "in_progress"]


def test_a_dash_reads_standard_input(stdin: Any, capsys: pytest.CaptureFixture[str]) -> None:
    stdin(json.dumps(GOOD, indent=2))

    assert main(["score", "-"]) == 0
    assert len(_results(capsys)) == 1


def test_a_refused_record_makes_the_status_two(stdin: Any, capsys: pytest.CaptureFixture[str]) -> None:
    stdin(f"{json.dumps(GOOD)}\n{json.dumps(BAD)}\n")

    assert main(["score", "--lines"]) == 2
    assert [result["status"] for result in _results(capsys)] == ["in_progress", "refused"]


@pytest.mark.parametrize("line", ["whist?", "", "{", "[" * 100_000, "NaN", '{"a": 1e', "\x00"])
def test_a_line_that_is_no_json_makes_the_status_one_and_the_rest_is_answered(
    line: str, stdin: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    stdin(f"{line}\n{json.dumps(BAD)}\n{json.dumps(GOOD)}\n")

    assert main(["score", "--lines"]) == 1
    first, *rest = _results(capsys)
    assert first["faults"][0]["code"] == "not_json"
    assert "line 2" not in first["faults"][0]["message"]
    assert [result["status"] for result in rest] == ["refused", "in_progress"]


def test_a_missing_file_makes_the_status_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = tmp_path / "good.json"
    good.write_text(json.dumps(GOOD), encoding="utf-8")

    assert main(["score", str(tmp_path / "missing.json"), str(good)]) == 1
    results = _results(capsys)
    assert [result["status"] for result in results] == ["refused", "in_progress"]
    assert [result["file"] for result in results] == [str(tmp_path / "missing.json"), str(good)]


def test_half_a_letter_in_a_key_stops_nothing(stdin: Any, capsys: pytest.CaptureFixture[str]) -> None:
    stdin(json.dumps({**GOOD, "\ud800": 1}))

    assert main(["score", "-"]) == 2
    assert _results(capsys)[0]["faults"][0]["field"] == r"\ud800"


def test_names_are_written_as_they_are_spelled(stdin: Any, capsys: pytest.CaptureFixture[str]) -> None:
    stdin(json.dumps({**GOOD, "sides": [{"name": "Zoë"}, {"name": "李"}]}))

    main(["score", "-"])

    assert '"Zoë": 0, "李": 0' in capsys.readouterr().out


def test_files_or_lines_but_not_both(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score"]) == 1
    assert main(["score", "--lines", "a.json"]) == 1
    assert "Name files, or give --lines." in capsys.readouterr().err
