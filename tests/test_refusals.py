"""Every refusal of every command: what is wrong, then what to do, in sentences of their own."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorekeeper.cli import main
from scorekeeper.paths import PACKAGE
from tests.common.each import each

REFUSALS = {
    *(
        "CommandRefused",
        "BadSetting",
        "UnusableDatabase",
        "NoBackup",
        "NotRestored",
        "NoService",
        "NotMoved",
    ),
    *(
        "BadCode",
        "BookFileRefused",
        "FileRefused",
        "ImportNotNow",
        "print_problem",
        "faulty_input_error",
        "refuse_terminal",
    ),
}
"""What ends a command, or part of one, by its first text."""
BEFORE = {"faulty_input_error": "", "refuse_terminal": "What. "}
"""What such a call prints before that text, where the function adds words of its own."""
SENTENCES = re.compile(r"\S[^;]*[.)] ([A-Z][^;]*[.X]|X)", re.DOTALL)
"""Two sentences or more; X stands for whatever is put in."""


def texts() -> Iterator[tuple[str, str]]:
    """Yield the text of each call in the program that refuses, with where it is."""
    for file in sorted(PACKAGE.rglob("*.py")):
        if not {"pages", "web", "views.py"}.isdisjoint(file.parts):
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and (name := getattr(node.func, "id", "")) in REFUSALS:
                yield from (
                    (f"{file.name}:{node.lineno}", f"{name} {found}") for found in map(text_of, node.args) if found
                )


def text_of(node: ast.expr) -> str:
    """Return a text with X for each value in it; empty for what is no text."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(text_of(part) or "X" for part in parts)
        case ast.IfExp(body=body, orelse=orelse):
            return min(text_of(body), text_of(orelse), key=len)
        case _:
            return ""


@each("refusal", texts())
def test_a_refusal_says_what_is_wrong_and_what_to_do(refusal: tuple[str, str]) -> None:
    where, text = refusal
    name, _, message = text.partition(" ")
    if name == "faulty_input_error":
        assert not message.endswith("."), where
    else:
        assert message in ("X", "X X", "X: X X") or SENTENCES.fullmatch(f"{BEFORE.get(name, '')}{message}"), where


@pytest.fixture
def database(tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Go to a folder with files that no command can do anything with, and return the file of the database."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", database_url)
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(tmp_path / "instance"))
    Path("no.json").write_text("{", encoding="utf-8")
    Path("empty.json").write_text("{}", encoding="utf-8")
    Path("no.toml").write_text("format = 1\n", encoding="utf-8")
    Path("no").mkdir()
    Path("no", "mine.toml").write_text("format = 1\n", encoding="utf-8")
    return database_url.removeprefix("sqlite:///")


WRONG = {
    "serve": ["--port 99999", "--workers 99", "--workers 2", "--host 192.0.2.1 --port 1"],
    "backup": ["{0}", "no.json", "no/x/y", "no"],
    "restore": ["missing", "{0}", "no.json", "no"],
    "move": [
        "x sqlite://",
        "sqlite:////missing/x sqlite:////y/z",
        "sqlite:////no sqlite:////no",
        "sqlite:///{0} sqlite:///{0}",
    ],
    "erase": ["nope"],
    "export": ["nope", "--all -o no", "--all -o no/x/y"],
    "import": ["missing", "no.json", "empty.json", "no"],
    "books collect": ["--into nope"],
    "books export": ["nope"],
    "books import": ["missing", "no.json", "empty.json", "empty.json --into nope"],
    "score": ["", "no.json --lines"],
    "settle": ["missing", "no.json", "empty.json"],
    "result": ["missing -o x", "no.json -o x", "empty.json -o x"],
    "sheet": [
        *("nope -o x", "missing.toml -o x", "no.toml -o x", "pidro -o no", "pidro -o x --size nine"),
        "pidro -o x --house target=no",
    ],
    "rules decode": ["nope", "1.abc", "2.abc"],
    "rules encode": ["missing", "no.toml"],
    "rulesets check": ["--folder missing/x"],
    "rulesets show": ["nope", "--folder missing/x", "--folder no"],
    "rulesets trace": ["nope", "pidro --folder no", "pidro --house target=no"],
}
"""Words that each command refuses."""


@pytest.mark.parametrize(("command", "words"), [(name, words) for name, every in WRONG.items() for words in every])
def test_a_command_refuses_by_its_name_in_sentences(
    command: str, words: str, database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main([*command.split(), *words.format(database).split()])

    message = capsys.readouterr().err
    assert status in (1, 2)
    assert message.startswith(f"scorekeeper {command}: ")
    why, _, faults = message.removeprefix(f"scorekeeper {command}: ").rstrip("\n").partition("\n")
    if faults:
        assert re.fullmatch(r"[^;]+\. Correct this:", why)
        assert all(line.startswith("  ") and line.endswith(".") for line in faults.splitlines())
    else:
        assert SENTENCES.fullmatch(why)


@pytest.mark.parametrize("words", ["sheet pidro -o -", "result empty.json -o -"])
@pytest.mark.usefixtures("database")
def test_a_terminal_is_shown_no_pdf(
    words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    record = '{"format": "pitch-record/1", "variant": "pidro", "players": ["A", "B", "C", "D"], "hands": []}'
    Path("empty.json").write_text(record, encoding="utf-8")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)

    assert main(words.split()) == 1

    why = f"scorekeeper {words.split()[0]}: A terminal cannot show this file. Name one with -o FILE.\n"
    assert capsys.readouterr() == ("", why)
