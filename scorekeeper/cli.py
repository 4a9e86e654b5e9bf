"""The `scorekeeper` command."""

import atexit
import gc
import sys
from collections.abc import Sequence

import click

from scorekeeper import OperatorError, __version__
from scorekeeper.commands.registry import LazyGroup
from scorekeeper.commands.terminal import print_text


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", message="%(prog)s %(version)s")
def scorekeeper() -> None:
    """Keep score for the card game Pitch."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status.

    `argv` has the words after `scorekeeper`, by default those in `sys.argv`: ["serve", "--port", "80"].
    """
    if argv is None:
        # Half the time of a short command went into garbage collections among modules, which stay, and into freeing
        # them one by one at the end of the process. They are on again once the module of the command is imported.
        atexit.register(gc.freeze)
        gc.disable()
        argv = sys.argv[1:]
    command_words = ["scorekeeper"]
    try:
        with scorekeeper.make_context(command_words[0], [*argv] or ["--help"], obj=command_words) as context:
            return int(scorekeeper.invoke(context) or 0)
    except click.exceptions.Exit as exit_request:
        return exit_request.exit_code
    except click.UsageError as usage_error:
        command, fault = " ".join(command_words), usage_error.format_message()
        period = "" if fault.endswith((".", "?")) else "."
        print_text(f"{command}: {fault[:1].upper()}{fault[1:]}{period} {command} -h says what it takes.", sys.stderr)
        return usage_error.exit_code
    except OperatorError as error:
        print_text(f"{' '.join(command_words)}: {error}", sys.stderr)
        return 1
    except BrokenPipeError:  # the program that reads the output has closed the pipe
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        return 130
