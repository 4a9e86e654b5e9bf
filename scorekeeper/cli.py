"""The `scorekeeper` command. The module of a command is read only when it is asked for."""

import atexit
import gc
import sys
from argparse import Namespace
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import Any

from scorekeeper import __version__
from scorekeeper.commands.terminal import CommandRefused, Parser, complain

COMMANDS = {
    "serve": ("scorekeeper.commands.installation", "keep score for every phone on the network"),
    "migrate": ("scorekeeper.commands.installation", "bring the database up to date"),
    "matches": ("scorekeeper.commands.matches", "list the matches with their links"),
    "nights": ("scorekeeper.club.nights.commands", "list the ladder nights with their links"),
    "books": ("scorekeeper.commands.matches", "list every book with its link"),
    "score": ("scorekeeper.commands.records", "score match records"),
    "settle": ("scorekeeper.commands.records", "settle one hand: who won, why, and what if"),
    "sheet": ("scorekeeper.commands.rules", "write a rule sheet as PDF"),
    "result": ("scorekeeper.commands.records", "write the result sheet of a match as PDF"),
    "rulesets": ("scorekeeper.commands.rules", "check or show the rulesets"),
    "rules": ("scorekeeper.commands.rules", "read and write house rules"),
    "export": ("scorekeeper.commands.matches", "write matches as records"),
    "import": ("scorekeeper.commands.matches", "import matches from records"),
    "erase": ("scorekeeper.club.hosting.erase_command", "remove a match, a book or a night for good"),
    "verify": ("scorekeeper.commands.matches", "check that every match still scores as when it ended"),
    "doctor": ("scorekeeper.commands.installation", "check this installation: what is fine, and what to do"),
    "move": ("scorekeeper.club.hosting.commands", "copy a whole database into another one"),
    "backup": ("scorekeeper.commands.installation", "copy the database while it is in use"),
    "restore": ("scorekeeper.commands.installation", "put a backup in the place of the database"),
}
"""What each command is called, the module that has it in its `PARSERS`, and what it does."""
GONE = {
    "ladder": "the command ladder is gone: a ladder night on the home page moves its tables itself",
    "service": "the command service is gone: docs/keep-it-running.md has what starts it by itself",
}
"""What takes the place of commands that there were."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status; by default the one that this process was started for."""
    if argv is not None:
        return _exit_status(_parsed(argv))
    # Half the time of a short command went into looking for garbage among modules, which stay, and into freeing them
    # one by one at the end of the process.
    atexit.register(gc.freeze)
    gc.disable()
    args = _parsed(sys.argv[1:])
    gc.freeze()
    gc.enable()
    return _exit_status(args)


def _parsed(words: Sequence[str]) -> Namespace:
    parser = Parser(prog="scorekeeper", description="Keep score for the card game Pitch.")
    parser.add_argument("-V", "--version", action="version", version=f"scorekeeper {__version__}")
    parser.set_defaults(run=partial(_help, parser))
    commands = parser.add_subparsers(metavar="COMMAND")
    asked = next((word for word in words if not word.startswith("-")), None)
    if asked is not None and asked not in COMMANDS:
        parser.error(GONE.get(asked, f"there is no command {asked!r}"))
    for name, (module_name, does) in COMMANDS.items():
        if name == asked:
            module: Any = import_module(module_name)
            module.PARSERS[name](commands)
        elif asked not in COMMANDS:
            commands.add_parser(name, help=does, add_help=False)
    return parser.parse_args(words)


def _help(parser: Parser, _args: Namespace) -> int:
    parser.print_help()
    return 0


def _exit_status(args: Namespace) -> int:
    try:
        return int(args.run(args))
    except CommandRefused as refused:
        complain(args, str(refused))
        return 1
    except BrokenPipeError:  # whoever reads the answer has read enough
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        return 130
