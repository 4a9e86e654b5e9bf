"""Files named on the command line, where `-` is standard input or output, and the sheets printed into them."""

import os
import stat
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from scorekeeper.commands.terminal import CommandRefused

if TYPE_CHECKING:
    from scorekeeper.printing.fitting import Draft


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


def open_private(name: Path) -> BinaryIO:
    """Open a file to write, which nobody else may read."""
    file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    if stat.S_ISREG(os.fstat(file).st_mode):  # it may have been there, and readable for others
        os.fchmod(file, 0o600)
    return os.fdopen(file, "wb")


def add_print_options(parser: ArgumentParser) -> None:
    """Add the paper, the ink and the file."""
    parser.add_argument("--paper", choices=["letter", "a4"], default="letter")
    parser.add_argument("--ink", choices=["colour", "black"], default="colour", help="black: without any color")
    parser.add_argument(
        "-o", "--output", required=True, type=Path, metavar="FILE", help="where to write; - is standard output"
    )


def write_pdf(draft: "Draft", output: Path) -> None:
    """Print a draft to a file; raises `CommandRefused`."""
    from scorekeeper.printing.fitting import print_draft
    from scorekeeper.printing.layout import PrintingUnavailable

    try:
        write_output(output, print_draft(draft).content)
    except PrintingUnavailable as cannot:
        raise CommandRefused(str(cannot)) from cannot
    except OSError as error:
        raise CommandRefused(f"{output} cannot be written: {error.strerror}.") from error
