"""What commands read and write: files, where `-` is standard input or output, and PDF sheets."""

import errno
import os
import secrets
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from scorekeeper import paths
from scorekeeper.commands.terminal import CommandRefused
from scorekeeper.operating_system import copy_owner, open_privately
from scorekeeper.pitch.rules.faults import BadRulesets
from scorekeeper.pitch.rules.library import Library, read_library

if TYPE_CHECKING:
    from scorekeeper.printing.fitting import Draft


def read_input(name: str | Path, max_bytes: int = -1) -> bytes:
    """Return the content of a file, or its first `max_bytes`; - is standard input. Raises `OSError`."""
    if str(name) == "-":
        return sys.stdin.buffer.read(max_bytes)
    with Path(name).open("rb") as file:
        return file.read(max_bytes)


def input_name(name: str | Path) -> str:
    """Return what messages call a file that `read_input` reads."""
    return "Standard input" if str(name) == "-" else str(name)


def unreadable_file_error(name: str | Path, error: OSError) -> CommandRefused:
    """Return the exception to raise for a file that cannot be read."""
    return CommandRefused(f"{name} cannot be read: {error.strerror}. Check its name and its rights.")


def faulty_input_error(what: str, faults: Iterable[object]) -> CommandRefused:
    """Return the exception to raise for a faulty input: `what`, a sentence without its period, and each fault."""
    return CommandRefused("\n  ".join([f"{what}. Correct this:", *map(str, faults)]))


def load_library(folder: Path = paths.RULESETS) -> Library:
    """Load the rulesets in a folder; raises `CommandRefused` with all that is wrong with them."""
    try:
        return read_library(folder)
    except BadRulesets as bad:
        raise faulty_input_error(f"{folder} has an error", bad.faults) from bad
    except OSError as error:
        raise unreadable_file_error(folder, error) from error


@contextmanager
def open_output(name: Path, *, is_private: bool = False) -> Iterator[BinaryIO]:
    """Open a command's output, where - is standard output; a file is replaced only once it is complete.

    Raises `CommandRefused`; an older file then stays as it was. With `is_private`, only the owner may read the file.
    """
    try:
        with _open_output(name, is_private=is_private) as file:
            yield file
    except BrokenPipeError:  # the program that reads the output has closed the pipe
        raise
    except OSError as error:
        output = "Standard output" if str(name) == "-" else name
        raise CommandRefused(f"{output} cannot be written: {error.strerror}. Name another file.") from error


@contextmanager
def _open_output(name: Path, *, is_private: bool) -> Iterator[BinaryIO]:
    """Open an output as `open_output` does, but raise `OSError`."""
    if str(name) == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    existing = None
    with suppress(FileNotFoundError):
        existing = name.stat()
    if existing and _is_stream(existing):
        with name.open("wb") as stream:
            yield stream
        return
    if existing and not stat.S_ISREG(existing.st_mode):
        raise OSError(errno.EINVAL, "It is no file that can be replaced")
    target = Path(os.path.realpath(name))  # a symbolic link stays, and its target is replaced
    unfinished = target.with_name(f".{secrets.token_hex(8)}.unfinished")
    try:
        with open(unfinished, "xb", opener=open_privately if is_private else None) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if existing:
            with suppress(PermissionError):
                copy_owner(existing, unfinished)
            if not is_private:
                unfinished.chmod(stat.S_IMODE(existing.st_mode))
        unfinished.replace(target)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def refuse_terminal(instead: str) -> None:
    """Raise `CommandRefused` if standard output is a terminal; the sentence `instead` says what to do."""
    if sys.stdout.isatty():
        raise CommandRefused(f"A terminal cannot show this file. {instead}")


def _is_stream(status: os.stat_result) -> bool:
    """Return whether a status is of a pipe, of the terminal that is standard output, or of /dev/null."""
    if stat.S_ISFIFO(status.st_mode):
        return True
    stream_devices = {os.stat(os.devnull).st_rdev, os.stat(sys.stdout.fileno()).st_rdev if sys.stdout.isatty() else 0}
    return stat.S_ISCHR(status.st_mode) and status.st_rdev in stream_devices


def write_pdf(draft: "Draft", output: Path) -> None:
    """Print a draft as PDF to a file or to standard output; raises `CommandRefused`.

    A terminal is refused.
    """
    from scorekeeper.printing.fitting import print_draft
    from scorekeeper.printing.pdf import PrintingUnavailable

    if str(output) == "-":
        refuse_terminal("Name one with -o FILE.")
    try:
        content = print_draft(draft).content
    except PrintingUnavailable as cannot:
        raise CommandRefused(str(cannot)) from cannot
    with open_output(output) as file:
        file.write(content)


output_option = click.option(
    "-o", "--output", type=Path, default="-", metavar="FILE", help="the file to write; standard output by default"
)
required_output_option = click.option(
    "-o", "--output", type=Path, required=True, metavar="FILE", help="the file to write; - is standard output"
)
paper_option = click.option("--paper", type=click.Choice(["letter", "a4"]), default="letter", help="letter by default")
ink_option = click.option(
    "--ink", type=click.Choice(["colour", "black"]), default="colour", help="black: without any color"
)
