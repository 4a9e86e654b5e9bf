"""Files that commands read and write, where "-" is standard input or output, and sheets that they print as PDF."""

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


def read_input(file_name: str | Path, max_bytes: int = -1) -> bytes:
    """Return the content of a file, or its first `max_bytes`; raises `OSError`. The name "-" means standard input."""
    if str(file_name) == "-":
        return sys.stdin.buffer.read(max_bytes)
    with Path(file_name).open("rb") as file:
        return file.read(max_bytes)


def input_name(file_name: str | Path) -> str:
    """Return the name of a file for messages: "Standard input" for "-"."""
    return "Standard input" if str(file_name) == "-" else str(file_name)


def unreadable_file_error(file_name: str | Path, error: OSError) -> CommandRefused:
    """Return the exception to raise for a file that cannot be read, with the reason and what to check."""
    return CommandRefused(f"{file_name} cannot be read: {error.strerror}. Check its name and its rights.")


def faulty_input_error(problem: str, faults: Iterable[object]) -> CommandRefused:
    """Return the exception to raise for an input with faults; its message has `problem` and then all faults.

    `problem` is a sentence without its period: "cases.json has an error".
    """
    return CommandRefused("\n  ".join([f"{problem}. Correct this:", *map(str, faults)]))


def load_library(folder: Path = paths.RULESETS) -> Library:
    """Return the rulesets in a folder. Raises `CommandRefused` with everything that is wrong in their files."""
    try:
        return read_library(folder)
    except BadRulesets as error:
        raise faulty_input_error(f"{folder} has an error", error.faults) from error
    except OSError as error:
        raise unreadable_file_error(folder, error) from error


@contextmanager
def open_output(file_name: Path, *, is_private: bool = False) -> Iterator[BinaryIO]:
    """Yield a file for the output of a command. The old file of this name is replaced once the new one is complete.

    The name "-" means standard output. With `is_private`, only the owner may read the file. Raises `CommandRefused`,
    and the old file stays then.
    """
    try:
        with _open_output(file_name, is_private=is_private) as file:
            yield file
    except BrokenPipeError:  # the program that reads the output has closed the pipe
        raise
    except OSError as error:
        output_name = "Standard output" if str(file_name) == "-" else file_name
        raise CommandRefused(f"{output_name} cannot be written: {error.strerror}. Name another file.") from error


@contextmanager
def _open_output(file_name: Path, *, is_private: bool) -> Iterator[BinaryIO]:
    """Yield a file for output as `open_output` does, but let `OSError` pass."""
    if str(file_name) == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    existing_status = None
    with suppress(FileNotFoundError):
        existing_status = file_name.stat()
    if existing_status and _is_stream(existing_status):
        with file_name.open("wb") as stream_file:
            yield stream_file
        return
    if existing_status and not stat.S_ISREG(existing_status.st_mode):
        raise OSError(errno.EINVAL, "It is no file that can be replaced")
    real_path = Path(os.path.realpath(file_name))  # a symbolic link stays, and its target is replaced
    unfinished_file = real_path.with_name(f".{secrets.token_hex(8)}.unfinished")
    try:
        with open(unfinished_file, "xb", opener=open_privately if is_private else None) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if existing_status:
            with suppress(PermissionError):
                copy_owner(existing_status, unfinished_file)
            if not is_private:
                unfinished_file.chmod(stat.S_IMODE(existing_status.st_mode))
        unfinished_file.replace(real_path)
    except BaseException:
        unfinished_file.unlink(missing_ok=True)
        raise


def refuse_terminal(instruction: str) -> None:
    """Raise `CommandRefused` if standard output is a terminal.

    `instruction` is a sentence: "Name one with -o FILE."
    """
    if sys.stdout.isatty():
        raise CommandRefused(f"A terminal cannot show this file. {instruction}")


def _is_stream(file_status: os.stat_result) -> bool:
    """Return whether a file status is that of a pipe, of the terminal at standard output, or of /dev/null."""
    if stat.S_ISFIFO(file_status.st_mode):
        return True
    stream_devices = {os.stat(os.devnull).st_rdev, os.stat(sys.stdout.fileno()).st_rdev if sys.stdout.isatty() else 0}
    return stat.S_ISCHR(file_status.st_mode) and file_status.st_rdev in stream_devices


def write_pdf(draft: "Draft", output: Path) -> None:
    """Print a draft as PDF to a file, or to standard output if that is no terminal; raises `CommandRefused`."""
    from scorekeeper.printing.fitting import print_draft
    from scorekeeper.printing.pdf import PrintingUnavailable

    if str(output) == "-":
        refuse_terminal("Name one with -o FILE.")
    try:
        pdf_bytes = print_draft(draft).content
    except PrintingUnavailable as error:
        raise CommandRefused(str(error)) from error
    with open_output(output) as file:
        file.write(pdf_bytes)


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
