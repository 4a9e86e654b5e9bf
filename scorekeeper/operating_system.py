"""What differs between operating systems: no other module checks which system it runs on.

Steps that a system lacks are skipped silently, as long as no saved data depends on them. Locks are in
scorekeeper/database/file_lock.py.
"""

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ctypes import CDLL
from importlib import import_module
from multiprocessing import get_all_start_methods
from pathlib import Path
from secrets import token_hex
from types import ModuleType
from typing import BinaryIO

IS_WINDOWS = sys.platform.startswith("win")
IS_MAC = sys.platform == "darwin"

HAS_FORK_SERVER = "forkserver" in get_all_start_methods()
"""Whether this system can fork server processes that accept connections on one shared socket."""
STOP_SIGNALS = tuple(signal.Signals[name] for name in ("SIGINT", "SIGTERM", "SIGBREAK") if hasattr(signal, name))
"""The signals that stop a server: Ctrl+C, termination, and on Windows a closed terminal."""


def _resource_module() -> ModuleType | None:
    """Return Python's `resource` module; `None` on systems without it, like Windows."""
    with suppress(ImportError):
        return import_module("resource")
    return None


# ---------- the process ----------


def raise_open_files_limit(wanted: int) -> int:
    """Raise this process's limit of open files to at least `wanted`, as far as the system allows.

    Return how many of the `wanted` files the process may open.
    """
    resource = _resource_module()
    if resource is None:
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    allowed = wanted if hard == unlimited else min(wanted, hard)
    if soft != unlimited and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    return int(allowed)


def limit_priority_and_memory(niceness: int, max_memory: int) -> None:
    """Lower this process's priority by `niceness`, and limit its memory to `max_memory` bytes, where the system can."""
    if hasattr(os, "nice"):
        os.nice(niceness)
    if resource := _resource_module():
        with suppress(AttributeError, OSError, ValueError):  # not every system has such a limit
            resource.setrlimit(resource.RLIMIT_DATA, (max_memory, max_memory))


# ---------- files ----------

UNFINISHED_ENDING = ".unfinished"
"""The ending of files that are still being written."""


def open_privately(path: str, flags: int) -> int:
    """Open a file, which only its owner may read if it is new, and return its descriptor: an `opener` for `open`."""
    return os.open(path, flags, 0o600)


@contextmanager
def create_private_file(file: Path) -> Iterator[BinaryIO]:
    """Yield a new file that only its owner may read; it is synced to disk at the end.

    Raises `FileExistsError`.
    """
    with open(file, "xb", opener=open_privately) as written:
        yield written
        written.flush()
        os.fsync(written.fileno())


@contextmanager
def replace_private_file(file: Path) -> Iterator[BinaryIO]:
    """Yield a file that only its owner may read, which replaces `file` once it is written and synced."""
    unfinished = file.with_name(f"{file.name}.{token_hex(4)}{UNFINISHED_ENDING}")
    try:
        with create_private_file(unfinished) as written:
            yield written
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Wait until the names of a folder's files are on the disk; does nothing on Windows."""
    if IS_WINDOWS:
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def copy_owner(owner: os.stat_result, file: Path) -> None:
    """Give a file the user and the group in `owner`; raises `OSError` if only root may. Does nothing on Windows."""
    if hasattr(os, "chown"):
        os.chown(file, owner.st_uid, owner.st_gid)


def quote_for_shell(path: Path) -> str:
    """Return a path quoted for a shell of this system."""
    return subprocess.list2cmdline([str(path)]) if IS_WINDOWS else shlex.quote(str(path))


# ---------- memory: by default, the C library of Linux keeps too much freed memory ----------

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8
"""Options of mallopt(3)."""


def tune_malloc() -> None:
    """Make glibc share one memory arena among threads and free memory early; does nothing without glibc."""
    with suppress(AttributeError, OSError, TypeError):  # another C library than glibc
        mallopt = CDLL(None).mallopt
        for option, value in ((_M_ARENA_MAX, 1), (_M_MMAP_THRESHOLD, 128 * 1024), (_M_TRIM_THRESHOLD, 128 * 1024)):
            mallopt(option, value)


def return_freed_memory() -> None:
    """Return freed memory to the operating system at once, as after a large task; does nothing without glibc."""
    with suppress(AttributeError, OSError, TypeError):
        CDLL(None).malloc_trim(0)


# ---------- instructions for each system ----------


def clock_instruction() -> str:
    """Return a sentence on how to set the clock of this system."""
    if IS_WINDOWS or IS_MAC:
        return "Set the clock in the system’s settings: date and time, automatically."
    return "Set the clock: sudo timedatectl set-ntp true, or sudo date -s with the date and the time."


def start_instruction() -> str:
    """Return a sentence on how to start the server on this system."""
    if IS_WINDOWS:
        return "Start the server with run.cmd, or scorekeeper serve."
    return "Start the server with ./run, or " + (
        "scorekeeper serve." if IS_MAC else "sudo systemctl start scorekeeper."
    )


def open_port_instruction(port: int) -> str:
    """Return a sentence on how to let other computers reach a port of this system."""
    if IS_WINDOWS:
        return "Let Python through: Windows Security, Firewall, Allow an app, private networks only."
    if IS_MAC:
        return "Let Python through the firewall: System Settings, Network, Firewall, Options."
    return f"Let other computers reach port {port}: sudo ufw allow {port}/tcp."


def pango_instruction() -> str:
    """Return sentences on how to install Pango, which printed sheets need, on this system."""
    if IS_WINDOWS:
        return (
            "In MSYS2: pacman -S mingw-w64-ucrt-x86_64-pango; then set WEASYPRINT_DLL_DIRECTORIES to its folder, "
            r"C:\msys64\ucrt64\bin."
        )
    if IS_MAC:
        return "With Homebrew: brew install pango."
    return "Debian and Ubuntu: sudo apt-get install libpangoft2-1.0-0. Fedora: sudo dnf install pango."
