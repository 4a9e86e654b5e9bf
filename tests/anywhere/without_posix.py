"""Run a command of Scorekeeper as if Python had nothing that it lacks on Windows.

What Python itself and its packages need of that is loaded before: those have another way there.
"""

import asyncio
import os
import signal
import socket
import sys
import tempfile
from importlib import import_module
from typing import Any

LACKING = ("fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty")
"""Modules that a Windows Python has not, or that it cannot load."""
FUNCTIONS = {
    os: ("chown", "fchmod", "fork", "getegid", "geteuid", "getuid", "nice", "setsid", "sysconf"),
    socket: ("TCP_USER_TIMEOUT",),
    signal: ("SIGALRM", "SIGHUP", "SIGUSR1"),
}


def take_away() -> None:
    """Take away what Windows lacks, from here on."""
    for name in ("portalocker", "multiprocessing.util", "zeroconf", "granian", "werkzeug.serving", "alembic.command"):
        import_module(name)
    tempfile.gettempdir()  # tempfile and pathlib ask once
    for name in LACKING:
        sys.modules[name] = None  # type: ignore[assignment]  # an import of it fails, as there
    for module, names in FUNCTIONS.items():
        for name in names:
            if hasattr(module, name):
                delattr(module, name)

    def refuse(self: Any, *_: object) -> None:
        # Any signal wakes the loop, as there: one that comes just before it goes to sleep would wait for its next task.
        signal.set_wakeup_fd(self._csock.fileno())
        raise NotImplementedError

    loop = asyncio.SelectorEventLoop
    loop.add_signal_handler = refuse  # type: ignore[method-assign, assignment]


if __name__ in ("__main__", "__mp_main__"):  # the process of the printer reads this module as well
    take_away()

if __name__ == "__main__":
    from scorekeeper.cli import main

    sys.exit(main())
