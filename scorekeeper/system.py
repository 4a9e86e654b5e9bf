"""What differs between systems: no other module asks which one it runs on, or imports what Windows lacks.

What a system cannot do is left out without a word, as long as nothing that a table wrote depends on it. Of locks a
library knows (scorekeeper/database/lock.py).
"""

import os
import shlex
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from ctypes import CDLL
from importlib import import_module
from multiprocessing import get_all_start_methods
from pathlib import Path
from typing import Any

IS_WINDOWS = sys.platform.startswith("win")
IS_MAC = sys.platform == "darwin"

HAS_COPIES = "forkserver" in get_all_start_methods()
"""Whether several processes can serve on one open socket."""
STOPS = tuple(signal.Signals[name] for name in ("SIGINT", "SIGTERM", "SIGBREAK") if hasattr(signal, name))
"""What tells a server to stop: Ctrl+C, the system, and on Windows a terminal that is closed."""


def _limits() -> Any:
    """Return the module of limits; `None` where the system has none, as Windows."""
    with suppress(ImportError):
        return import_module("resource")
    return None


# ---------- the process ----------


def open_files(wanted: int) -> int:
    """Return how many files and sockets may be open of those wanted, after asking for them."""
    limits = _limits()
    if limits is None:
        return wanted
    soft, hard = limits.getrlimit(limits.RLIMIT_NOFILE)
    unlimited = limits.RLIM_INFINITY
    allowed = wanted if hard == unlimited else min(wanted, hard)
    if soft != unlimited and soft < allowed:
        limits.setrlimit(limits.RLIMIT_NOFILE, (allowed, hard))
    return int(allowed)


def step_back(niceness: int, most_memory: int) -> None:
    """Let other processes go first from now on, and take no more than so many bytes of memory."""
    if hasattr(os, "nice"):
        os.nice(niceness)
    with suppress(AttributeError, OSError, ValueError):  # not every system has such a limit
        limits = _limits()
        limits.setrlimit(limits.RLIMIT_DATA, (most_memory, most_memory))


def keep_port(own: socket.socket) -> None:
    """Let a socket have a port that was ours until just now, and share it with nobody."""
    if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # Windows, where the other option lets two servers have one port
        own.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        own.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)


# ---------- files ----------


def sync_folder(folder: Path) -> None:
    """Wait until the names of files in a folder are on the disk; Windows lets nobody wait for them."""
    if IS_WINDOWS:
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def give_to(owner: os.stat_result, file: Path) -> None:
    """Give a file to the owner of another one; raises `OSError` where only root may. On Windows it has its folder's."""
    if hasattr(os, "chown"):
        os.chown(file, owner.st_uid, owner.st_gid)


def quoted(path: Path) -> str:
    """Return a path as it is typed into a terminal."""
    return subprocess.list2cmdline([str(path)]) if IS_WINDOWS else shlex.quote(str(path))


# ---------- memory: by itself, the C library of Linux keeps too much of what was freed ----------

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8
"""Of mallopt(3)."""


def keep_little_memory() -> None:
    """Keep one pool of memory for all threads from now on, and return what is free: else it is a tenth more."""
    with suppress(AttributeError, OSError, TypeError):  # another C library, another way
        mallopt = CDLL(None).mallopt
        for option, value in ((_M_ARENA_MAX, 1), (_M_MMAP_THRESHOLD, 128 * 1024), (_M_TRIM_THRESHOLD, 128 * 1024)):
            mallopt(option, value)


def give_back_memory() -> None:
    """Return at once what lies free between pieces in use, after something large is done."""
    with suppress(AttributeError, OSError, TypeError):
        CDLL(None).malloc_trim(0)


# ---------- what to do, in the words of each system ----------


def how_to_set_the_clock() -> str:
    """Return how the clock is set here."""
    if IS_WINDOWS or IS_MAC:
        return "Set the clock in the system’s settings: date and time, automatically."
    return "Set the clock: sudo timedatectl set-ntp true, or sudo date -s with the date and the time."


def how_to_start() -> str:
    """Return how the server is started here."""
    if IS_WINDOWS:
        return "Start the server with run.cmd, or scorekeeper serve."
    return "Start the server with ./run, or " + (
        "scorekeeper serve." if IS_MAC else "sudo systemctl start scorekeeper."
    )


def how_to_open_port(port: int) -> str:
    """Return how other computers are let in here."""
    if IS_WINDOWS:
        return "Let Python through: Windows Security, Firewall, Allow an app, private networks only."
    if IS_MAC:
        return "Let Python through the firewall: System Settings, Network, Firewall, Options."
    return f"Let other computers reach port {port}: sudo ufw allow {port}/tcp."


def how_to_get_pango() -> str:
    """Return how the library that sets printed sheets comes here."""
    if IS_WINDOWS:
        return (
            "In MSYS2: pacman -S mingw-w64-ucrt-x86_64-pango; then set WEASYPRINT_DLL_DIRECTORIES to its folder, "
            r"C:\msys64\ucrt64\bin."
        )
    if IS_MAC:
        return "With Homebrew: brew install pango."
    return "Debian and Ubuntu: sudo apt-get install libpangoft2-1.0-0. Fedora: sudo dnf install pango."
