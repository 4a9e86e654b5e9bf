"""The command line: every command is found, and each loads only what it needs."""

import os
import re
import subprocess
import sys
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from scorekeeper import __version__
from scorekeeper.cli import COMMANDS, main
from scorekeeper.commands.terminal import Parser


def test_every_command_is_there() -> None:
    assert not [name for name, (module, _does) in COMMANDS.items() if not find_spec(module)]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main([name, "--help"])

    said = capsys.readouterr().out
    assert f"usage: scorekeeper {name}" in said


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


def test_every_file_that_is_written_is_named_alike() -> None:
    outputs = [it.option_strings for parser in parsers() for it in parser._actions if "-o" in it.option_strings]
    assert len(outputs) > 3
    assert {*map(tuple, outputs)} == {("-o", "--output")}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_a_parser_and_what_runs_it(name: str) -> None:
    parser = ArgumentParser()
    commands = parser.add_subparsers()
    import_module(COMMANDS[name][0]).PARSERS[name](commands)

    actions = [action for action in commands.choices[name]._actions if isinstance(action, _SubParsersAction)]
    runs = [one.get_default("run") for action in actions for one in action.choices.values()]
    assert list(commands.choices) == [name]
    assert all(map(callable, runs or [commands.choices[name].get_default("run")]))


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])

    listed = re.findall(r"^    (\w+) ", capsys.readouterr().out, re.MULTILINE)
    assert listed == list(COMMANDS)


def test_a_bare_command_prints_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert "usage: scorekeeper" in capsys.readouterr().out


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


def test_a_process_looks_for_no_garbage_among_modules_and_frees_none_at_its_end(tmp_path: Path) -> None:
    code = """
import gc, sys
from scorekeeper.cli import main
class Cycle:
    def __del__(self): print("freed")
def searches(): return sum(generation["collections"] for generation in gc.get_stats())
before = searches()
{command}
print(searches() - before)
kept = Cycle()
kept.itself = kept
"""
    env = {**os.environ, "SCOREKEEPER_INSTANCE": str(tmp_path)}

    def said(command: str) -> list[str]:
        words = [sys.executable, "-c", code.format(command=command), "migrate"]
        return subprocess.run(words, capture_output=True, text=True, check=True, env=env).stdout.splitlines()[-2:]

    run_inside, freed = said("main(sys.argv[1:])")
    (_, run_as_the_process) = said("main()")

    assert freed == "freed"
    assert int(run_as_the_process) * 4 < int(run_inside)


@pytest.mark.parametrize("words", [["matches"], ["books"], ["rules", "list"]])
def test_a_list_loads_no_page(words: list[str], tmp_path: Path) -> None:
    code = f"""
import sys
from scorekeeper.cli import main
main(["migrate"])
main({words!r})
heavy = {{"scorekeeper.pages.register", "weasyprint", "waitress", "babel"}} & set(sys.modules)
sys.exit(f"loaded {{sorted(heavy)}}" if heavy else 0)
"""

    env = {**os.environ, "SCOREKEEPER_INSTANCE": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=env)

    assert (done.returncode, done.stderr) == (0, "")
    assert "There are no" in done.stdout
