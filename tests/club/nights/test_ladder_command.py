"""`scorekeeper ladder`: the next round from the file of one, as JSON."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.cli import main

ROUND: dict[str, Any] = {
    "tables": [["A", "B"], ["C", "D"], ["E", "F"]],
    "winners": ["A", "D", "E"],
    "last_round": False,
}


def ladder(monkeypatch: pytest.MonkeyPatch, content: object) -> int:
    """Give the command what is put on standard input."""
    text = content if isinstance(content, str) else json.dumps(content)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode("utf-8", "surrogatepass"))))
    return main(["ladder", "-"])


def test_it_says_who_stays_and_then_who_arrives(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "round.json"
    file.write_text(json.dumps(ROUND), encoding="utf-8")

    assert main(["ladder", str(file)]) == 0

    assert json.loads(capsys.readouterr().out) == {"tables": [["B", "F"], ["C", "A"], ["E", "D"]], "champion": None}


def test_in_the_last_round_nobody_moves_and_the_top_table_has_the_champion(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ladder(monkeypatch, {**ROUND, "last_round": True}) == 0

    assert json.loads(capsys.readouterr().out) == {"tables": ROUND["tables"], "champion": "E"}


def test_without_a_word_of_the_last_round_it_is_another(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ladder(monkeypatch, {"tables": [["A", "B"]], "winners": ["B"]}) == 0

    assert json.loads(capsys.readouterr().out) == {"tables": [["B", "A"]], "champion": None}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"tables": []}, "tables: There is no table. Write at least one"),
        ({"tables": None}, "tables: This is missing."),
        ({"tables": "A"}, "tables: This must be a list."),
        ({"tables": [["A"]]}, "tables.0: Table 1 needs the names of two sides."),
        ({"tables": [["A", " "]]}, "tables.0: Table 1 needs the names of two sides."),
        ({"tables": [["A", "B"], ["C", "A"], ["E", "F"]]}, "tables.1: A sits at table 1 and at table 2."),
        ({"winners": ["A"]}, "winners: There are 3 tables and 1 winners. Name one winner for each table"),
        ({"winners": ["A", "A", "E"]}, "winners.1: The winner at table 2 must be C or D."),
        ({"winners": ["A", None, "E"]}, "winners.1: The winner at table 2 must be C or D."),
        ({"last_round": "yes"}, "last_round: This must be true or false."),
        ({"rounds": 6}, "rounds: 'rounds' has no meaning here."),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], changes: dict[str, Any], said: str
) -> None:
    assert ladder(monkeypatch, {**ROUND, **changes}) == 2

    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("scorekeeper ladder: ")
    assert said in shown.err


@pytest.mark.parametrize(("text", "status"), [("whist?", 1), ("", 1), ("[" * 100_000, 1), ("[]", 2), ("null", 2)])
def test_what_is_no_round_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str, status: int
) -> None:
    assert ladder(monkeypatch, text) == status
    assert capsys.readouterr().out == ""


def test_a_file_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ladder", str(tmp_path / "none.json")]) == 1
    assert "none.json cannot be read: No such file" in capsys.readouterr().err


def test_names_do_not_steer_the_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert ladder(monkeypatch, {"tables": [["\x1b[2J", "B"]], "winners": ["\x1b[2J"]}) == 0
    assert "\x1b" not in capsys.readouterr().out
