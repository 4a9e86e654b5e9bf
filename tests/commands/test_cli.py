"""The command line: every command is found, and each loads only what it needs."""

import subprocess
import sys
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from scorekeeper import __version__
from scorekeeper.cli import COMMANDS, main
from scorekeeper.commands.terminal import Parser


def parsers() -> Iterator[ArgumentParser]:
    """Yield the parser of every command, and of every command within one."""
    commands = Parser(prog="scorekeeper").add_subparsers()
    for name, (module, _) in COMMANDS.items():
        import_module(module).PARSERS[name](commands)
    left = list(commands.choices.values())
    while left:
        parser = left.pop()
        yield parser
        left += [one for it in parser._actions if isinstance(it, _SubParsersAction) for one in it.choices.values()]


def test_every_command_says_what_it_does_and_what_each_word_means() -> None:
    for parser in parsers():
        assert parser.description, parser.prog
        assert parser.description[0].isupper(), parser.prog
        assert [it.dest for it in parser._actions if not it.help and not isinstance(it, _SubParsersAction)] == []


@pytest.mark.parametrize("option", ["-V", "--version"])
def test_the_version_is_told(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main([option])

    assert capsys.readouterr().out == f"scorekeeper {__version__}\n"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["deal"], "scorekeeper: There is no command 'deal'. scorekeeper -h says what it takes."),
        (
            ["service", "--print"],
            "scorekeeper: The command service is gone: docs/keep-it-running.md has what starts it by itself. "
            "scorekeeper -h says what it takes.",
        ),
        (["--shuffle"], "scorekeeper: Unrecognized arguments: --shuffle. scorekeeper -h says what it takes."),
        (
            ["books", "export"],
            "scorekeeper books export: The following arguments are required: BOOK. "
            "scorekeeper books export -h says what it takes.",
        ),
    ],
)
def test_what_is_typed_wrong_is_said_in_a_sentence(
    words: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(words)

    assert capsys.readouterr().err == f"{why}\n"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["serve", "--port", "99999"], "scorekeeper serve: --port is '99999'. Set it to a number up to 65535."),
        (
            ["move", "x", "sqlite://"],
            "scorekeeper move: FROM_URL is no address of a database. Set it to sqlite:///file or",
        ),
        (["books", "export", "x"], "scorekeeper books export: No link to a book ends like that."),
        (["export", "x"], "scorekeeper export: No link ends like that. Find it with scorekeeper matches."),
        (["settle", "/nosuch"], "scorekeeper settle: /nosuch cannot be read: No such file or directory."),
        (["import", "/nosuch"], "scorekeeper import: /nosuch cannot be read: No such file or directory."),
    ],
)
def test_what_cannot_be_done_is_said_alike(
    words: list[str], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(tmp_path))
    main(["migrate"])
    capsys.readouterr()

    assert main(words) == 1
    assert capsys.readouterr().err.startswith(why)


def test_scoring_a_record_loads_no_server_and_no_database() -> None:
    code = """
import sys
from scorekeeper.cli import main
main(["score", "--lines"])
heavy = {"flask", "sqlalchemy", "sqlmodel", "weasyprint", "waitress", "alembic"} & set(sys.modules)
sys.exit(f"loaded {sorted(heavy)}" if heavy else 0)
"""

    done = subprocess.run([sys.executable, "-c", code], input="{}\n", capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")
    assert '"refused"' in done.stdout
