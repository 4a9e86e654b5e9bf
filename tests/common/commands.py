"""Every command, by the words that call it, and how tests run one."""

from collections.abc import Callable
from pathlib import Path
from pkgutil import resolve_name
from typing import NamedTuple

import click
import pytest

from scorekeeper.cli import main
from scorekeeper.commands.registry import COMMANDS

EVERY_COMMAND: dict[str, click.Command] = {
    f"{within} {name}".removeprefix("scorekeeper "): resolve_name(where)
    for within, commands in COMMANDS.items()
    for name, (where, _) in commands.items()
}


def options_of(command: click.Command) -> list[click.Option]:
    """Return the options of a command."""
    return [param for param in command.params if isinstance(param, click.Option)]


class CommandOutput(NamedTuple):
    """What a command wrote."""

    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """The lines of its output."""
        return self.out.splitlines()


Run = Callable[..., CommandOutput]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command, which has to end with a status."""

    def run(*words: str, status: int = 0) -> CommandOutput:
        capsys.readouterr()
        assert main(words) == status
        return CommandOutput(*capsys.readouterr())

    return run


@pytest.fixture
def installed(database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands find the database of the test."""
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(tmp_path / "instance"))
    monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", database_url)
    monkeypatch.setenv("SCOREKEEPER_PUBLIC_URL", "https://pitch.example")
