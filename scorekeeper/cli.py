"""The `scorekeeper` command. Each command is a module of its own, read only when it is asked for."""

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from scorekeeper import __version__
from scorekeeper.commands.refused import Refused
from scorekeeper.commands.terminal import Parser, print_text

COMMANDS = {
    "serve": ("serve", "keep score for every phone on the network"),
    "migrate": ("migrate", "bring the database up to date"),
    "matches": ("matches", "list the matches with their links"),
    "books": ("books", "list every book with its link"),
    "score": ("score", "score match records"),
    "settle": ("settle", "settle one hand: who won, why, and what if"),
    "ladder": ("ladder", "say who sits where after a round of a tournament"),
    "sheet": ("sheet", "write a rule sheet as PDF"),
    "result": ("result", "write the result sheet of a match as PDF"),
    "rulesets": ("rulesets", "check or show the rulesets"),
    "rules": ("rules", "read and write house rules"),
    "export": ("export", "write matches as records"),
    "import": ("import_", "import matches from records"),
    "verify": ("verify", "check that every match still scores as when it ended"),
    "doctor": ("doctor", "check this installation: what is fine, and what to do"),
    "service": ("service", "start at boot, with systemd"),
    "move": ("move", "copy a whole database into another one"),
    "backup": ("backup", "copy the database while it is in use"),
    "restore": ("restore", "put a backup in the place of the database"),
}
"""What each command is called, the module in scorekeeper.commands that has `add_parser` and `run`, and what it does."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    parser = Parser(prog="scorekeeper", description="Keep score for the card game Pitch.")
    parser.add_argument("--version", action="version", version=f"scorekeeper {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    asked = next((word for word in words if not word.startswith("-")), None)
    module: Any = None
    for name, (module_name, does) in COMMANDS.items():
        path = f"scorekeeper.commands.{module_name}"
        if name == asked:
            module = import_module(path)
            module.add_parser(commands)
        elif asked not in COMMANDS:
            commands.add_parser(name, help=does, add_help=False)
    args = parser.parse_args(words)
    try:
        return int(module.run(args))
    except Refused as refused:
        print_text(f"scorekeeper {asked}: {refused}", sys.stderr)
        return 1
    except BrokenPipeError:  # whoever reads the answer has read enough
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        return 130
