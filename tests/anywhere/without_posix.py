"""Run a command of Scorekeeper as if Python had nothing that it lacks on Windows, nor an optional package.

What Python itself and its packages need of that is loaded before: those have another way there.
"""

import os
import select
import signal
import sys
import tempfile
from importlib import import_module

LACKING = ("fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty")
"""Modules that a Windows Python has not, or that it cannot load."""
OPTIONAL = ("prometheus_client", "psycopg")
"""Packages that Scorekeeper does without."""
FUNCTIONS = {
    os: ("chown", "fchmod", "fork", "getegid", "geteuid", "getuid", "nice", "setsid", "sysconf"),
    select: ("epoll", "poll"),
    signal: ("SIGALRM", "SIGHUP", "SIGUSR1"),
}


def take_away() -> None:
    """Take away what Windows lacks, from here on."""
    for name in ("portalocker", "multiprocessing.util", "zeroconf", "waitress", "werkzeug.serving", "alembic.command"):
        import_module(name)
    tempfile.gettempdir()  # tempfile and pathlib ask once
    for name in LACKING + OPTIONAL:
        sys.modules[name] = None  # type: ignore[assignment]  # an import of it fails, as there
    for module, names in FUNCTIONS.items():
        for name in names:
            if hasattr(module, name):
                delattr(module, name)


if __name__ in ("__main__", "__mp_main__"):  # the process of the printer reads this module as well
    take_away()

if __name__ == "__main__":
    from scorekeeper.cli import main

    sys.exit(main())
