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
    """Run a command, by default the one in `sys.argv`, and return its exit status."""
    if argv is None:
        # Half the time of a short command went into garbage collections among modules, which stay, and into freeing
        # them one by one at the end of the process. They are on again once the module of the command is imported.
        atexit.register(gc.freeze)
        gc.disable()
        argv = sys.argv[1:]
    called = ["scorekeeper"]
    try:
        with scorekeeper.make_context(called[0], [*argv] or ["--help"], obj=called) as context:
            return int(scorekeeper.invoke(context) or 0)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.UsageError as fault:
        program, why = " ".join(called), fault.format_message()
        stop = "" if why.endswith((".", "?")) else "."
        print_text(f"{program}: {why[:1].upper()}{why[1:]}{stop} {program} -h says what it takes.", sys.stderr)
        return fault.exit_code
    except OperatorError as refused:
        print_text(f"{' '.join(called)}: {refused}", sys.stderr)
        return 1
    except BrokenPipeError:  # the program that reads the output has closed the pipe
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        return 130
