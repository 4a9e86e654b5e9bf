"""Files named on the command line, where `-` is standard input or output."""

import os
import stat
import sys
from pathlib import Path
from typing import BinaryIO, TextIO


def read_input(name: str | Path, at_most: int = -1) -> bytes:
    """Return what a file holds, or its first bytes."""
    if str(name) == "-":
        return sys.stdin.buffer.read(at_most)
    with Path(name).open("rb") as file:
        return file.read(at_most)


def write_output(name: Path, content: bytes) -> None:
    """Write a file."""
    if str(name) == "-":
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    else:
        name.write_bytes(content)


def open_private(name: Path) -> TextIO:
    """Open a file to write text, which nobody else may read."""
    return os.fdopen(_private(name), "w", encoding="utf-8")


def open_private_bytes(name: Path) -> BinaryIO:
    """Open a file to write, which nobody else may read."""
    return os.fdopen(_private(name), "wb")


def _private(name: Path) -> int:
    file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    if stat.S_ISREG(os.fstat(file).st_mode):  # it may have been there, and readable for others
        os.fchmod(file, 0o600)
    return file
