"""Every command, by the words that call it."""

from pkgutil import resolve_name

import click

from scorekeeper.commands.registry import COMMANDS

EVERY_COMMAND: dict[str, click.Command] = {
    f"{within} {name}".removeprefix("scorekeeper "): resolve_name(where)
    for within, commands in COMMANDS.items()
    for name, (where, _) in commands.items()
}


def options_of(command: click.Command) -> list[click.Option]:
    """Return the options of a command."""
    return [param for param in command.params if isinstance(param, click.Option)]
