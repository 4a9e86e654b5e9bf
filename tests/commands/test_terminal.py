"""What commands print: nothing of a stranger's file steers the terminal, and every letter is one that it can show."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.cli import main
from scorekeeper.commands.terminal import print_json, print_text
from tests.matches.files.test_records import RECORD

STEERING = "\x1b[31m\x1b]0;x\x07\x9b2J\x7f\u202e\r"
BAD_RECORD: dict[str, Any] = {**RECORD, "variant": STEERING, "house": {STEERING: 1}, STEERING: STEERING}
BAD_RULESET = 'format = 1\nname = "x"\nextends = "\\u001b[31m"\n"\\u001b]0;x\\u009b" = 1\n'


def is_harmless(text: str) -> bool:
    """Return whether a terminal only shows a text."""
    return all(letter.isprintable() or letter == "\n" for letter in text)


@pytest.mark.parametrize(
    "words",
    [
        "score",
        "settle",
        "settle --json",
        "result -o x.pdf",
        "rules encode",
        "sheet -o x.pdf",
        "rulesets check --folder",
        "rulesets show --folder",
        "score --nope",
    ],
)
@pytest.mark.parametrize("name", ["record.json", "\x1b[31m.json", "ours.toml", "\x1b]0;x\x07.toml"])
def test_no_command_lets_a_file_steer_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: str, name: str
) -> None:
    file = tmp_path / name
    file.write_text(BAD_RULESET if name.endswith(".toml") else json.dumps(BAD_RECORD))

    status = main([*words.split(), str(tmp_path if "--folder" in words else file)])

    captured = capsys.readouterr()
    assert status in (0, 1, 2)
    assert is_harmless(captured.out + captured.err), captured


def test_json_says_what_steers_without_doing_it(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"é": STEERING + "\U000e0001"})

    printed = capsys.readouterr().out
    assert is_harmless(printed)
    assert "é" in printed
    assert json.loads(printed) == {"é": STEERING + "\U000e0001"}


def test_a_letter_that_cannot_be_shown_is_a_question_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", out)

    print_text("Zoë \udcff")

    out.flush()
    assert out.buffer.getvalue() == b"Zo? ?\n"
