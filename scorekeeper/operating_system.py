"""What differs between operating systems; no other module looks at which system it runs on.

A step that a system lacks is skipped silently, unless saved data depends on it. Locks are in
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
"""Whether several processes can serve here: they are forked, and accept connections on one socket."""
STOP_SIGNALS = tuple(signal.Signals[name] for name in ("SIGINT", "SIGTERM", "SIGBREAK") if hasattr(signal, name))
"""The signals that stop a server: from Ctrl+C, from `kill`, and on Windows from Ctrl+Break or a closed terminal."""


def _resource_module() -> ModuleType | None:
    """Return Python's module `resource`; `None` on a system without it, such as Windows."""
    with suppress(ImportError):
        return import_module("resource")
    return None


# ---------- the process ----------


def raise_open_files_limit(wanted_count: int) -> int:
    """Let this process open at least `wanted_count` files, as far as the system allows.

    Return how many of these files it may open.
    """
    resource = _resource_module()
    if resource is None:
        return wanted_count
    soft_limit, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    allowed_count = wanted_count if hard_limit == unlimited else min(wanted_count, hard_limit)
    if soft_limit != unlimited and soft_limit < allowed_count:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed_count, hard_limit))
    return int(allowed_count)


def limit_priority_and_memory(niceness: int, max_bytes: int) -> None:
    """Lower this process's priority by `niceness`, and limit its memory.

    A limit that the system lacks is skipped.
    """
    if hasattr(os, "nice"):
        os.nice(niceness)
    if resource := _resource_module():
        with suppress(AttributeError, OSError, ValueError):  # not every system has such a limit
            resource.setrlimit(resource.RLIMIT_DATA, (max_bytes, max_bytes))


# ---------- files ----------

UNFINISHED_ENDING = ".unfinished"
"""The ending of the names of files that are still being written."""


def open_privately(path: str, flags: int) -> int:
    """Open a file and return its descriptor; a new file is one that only its owner may read.

    For the argument `opener` of `open`.
    """
    return os.open(path, flags, 0o600)


@contextmanager
def create_private_file(file: Path) -> Iterator[BinaryIO]:
    """Yield a new file to write, which only its owner may read. At the end of the block it is synced to disk.

    Raises `FileExistsError`.
    """
    with open(file, "xb", opener=open_privately) as new_file:
        yield new_file
        new_file.flush()
        os.fsync(new_file.fileno())


@contextmanager
def replace_private_file(file: Path) -> Iterator[BinaryIO]:
    """Yield a new file to write, which only its owner may read. At the end of the block it takes the place of `file`.

    If the block fails, the old file stays.
    """
    unfinished = file.with_name(f"{file.name}.{token_hex(4)}{UNFINISHED_ENDING}")
    try:
        with create_private_file(unfinished) as new_file:
            yield new_file
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Wait until the names of a folder's files are on the disk.

    Windows needs no such wait, so nothing is done there.
    """
    if IS_WINDOWS:
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def copy_owner(old_status: os.stat_result, file: Path) -> None:
    """Give `file` the user and the group that `old_status` has; raises `OSError` if only root may do that.

    Does nothing on Windows.
    """
    if hasattr(os, "chown"):
        os.chown(file, old_status.st_uid, old_status.st_gid)


def quote_for_shell(path: Path) -> str:
    """Return a path as it is typed in this system's shell: "'My files/a.db'"."""
    return subprocess.list2cmdline([str(path)]) if IS_WINDOWS else shlex.quote(str(path))


# ---------- memory: by default, the C library of Linux keeps too much freed memory ----------

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8
"""The numbers by which the C function mallopt(3) knows its options."""


def tune_malloc() -> None:
    """Make all threads share one memory arena, and give freed memory back early; does nothing without glibc."""
    with suppress(AttributeError, OSError, TypeError):  # another C library than glibc
        mallopt = CDLL(None).mallopt
        for option, value in ((_M_ARENA_MAX, 1), (_M_MMAP_THRESHOLD, 128 * 1024), (_M_TRIM_THRESHOLD, 128 * 1024)):
            mallopt(option, value)


def return_freed_memory() -> None:
    """Give freed memory back to the system at once, as after a large task; does nothing without glibc."""
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
    """Return a sentence on how to let other computers reach `port` through the firewall of this system."""
    if IS_WINDOWS:
        return "Let Python through: Windows Security, Firewall, Allow an app, private networks only."
    if IS_MAC:
        return "Let Python through the firewall: System Settings, Network, Firewall, Options."
    return f"Let other computers reach port {port}: sudo ufw allow {port}/tcp."


def pango_instruction() -> str:
    """Return sentences on how to install Pango, which lays out printed sheets, on this system."""
    if IS_WINDOWS:
        return (
            "In MSYS2: pacman -S mingw-w64-ucrt-x86_64-pango; then set WEASYPRINT_DLL_DIRECTORIES to its folder, "
            r"C:\msys64\ucrt64\bin."
        )
    if IS_MAC:
        return "With Homebrew: brew install pango."
    return "Debian and Ubuntu: sudo apt-get install libpangoft2-1.0-0. Fedora: sudo dnf install pango."
