"""Files named on the command line, where `-` is standard input or output."""

import sys
from pathlib import Path


def read_input(name: str | Path) -> bytes:
    """Return what a file holds."""
    return sys.stdin.buffer.read() if str(name) == "-" else Path(name).read_bytes()


def write_output(name: Path, content: bytes) -> None:
    """Write a file."""
    if str(name) == "-":
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    else:
        name.write_bytes(content)
