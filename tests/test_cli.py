"""The command line: every command is found, and each loads only what it needs."""

import os
import re
import subprocess
import sys
from argparse import ArgumentParser, _SubParsersAction
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from scorekeeper import __version__
from scorekeeper.cli import COMMANDS, main


def test_every_command_is_there() -> None:
    assert not [name for name, (module, _does) in COMMANDS.items() if not find_spec(f"scorekeeper.commands.{module}")]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main([name, "--help"])

    assert f"usage: scorekeeper {name}" in capsys.readouterr().out


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_a_parser_and_what_runs_it(name: str) -> None:
    parser = ArgumentParser()
    commands = parser.add_subparsers()
    import_module(f"scorekeeper.commands.{COMMANDS[name][0]}").PARSERS[name](commands)

    actions = [action for action in commands.choices[name]._actions if isinstance(action, _SubParsersAction)]
    runs = [one.get_default("run") for action in actions for one in action.choices.values()]
    assert list(commands.choices) == [name]
    assert all(map(callable, runs or [commands.choices[name].get_default("run")]))


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])

    listed = re.findall(r"^    (\w+) ", capsys.readouterr().out, re.MULTILINE)
    assert listed == list(COMMANDS)


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])

    assert capsys.readouterr().out == f"scorekeeper {__version__}\n"


@pytest.mark.parametrize("words", [[], ["deal"], ["--shuffle"]])
def test_what_is_no_command_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(words)

    assert "usage: scorekeeper" in capsys.readouterr().err


def test_scoring_a_record_loads_no_server_and_no_database() -> None:
    code = """
import sys
from scorekeeper.cli import main
main(["score", "--lines"])
heavy = {"flask", "sqlalchemy", "sqlmodel", "weasyprint", "granian", "alembic"} & set(sys.modules)
sys.exit(f"loaded {sorted(heavy)}" if heavy else 0)
"""

    done = subprocess.run([sys.executable, "-c", code], input="{}\n", capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")
    assert '"refused"' in done.stdout


@pytest.mark.parametrize("words", [["matches"], ["books"], ["rules", "list"]])
def test_a_list_loads_no_page(words: list[str], tmp_path: Path) -> None:
    code = f"""
import sys
from scorekeeper.cli import main
main(["migrate"])
main({words!r})
heavy = {{"scorekeeper.web", "weasyprint", "granian", "babel"}} & set(sys.modules)
sys.exit(f"loaded {{sorted(heavy)}}" if heavy else 0)
"""

    env = {**os.environ, "SCOREKEEPER_INSTANCE": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=env)

    assert (done.returncode, done.stderr) == (0, "")
    assert "There are no" in done.stdout
