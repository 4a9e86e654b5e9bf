"""What the commands that write a PDF share: how it is printed, and where to."""

from argparse import ArgumentParser
from pathlib import Path
from typing import TYPE_CHECKING

from scorekeeper.commands.files import write_output
from scorekeeper.commands.refused import Refused

if TYPE_CHECKING:
    from scorekeeper.printing.fitting import Draft


def add_print_options(parser: ArgumentParser) -> None:
    """Add the paper, the ink and the file."""
    parser.add_argument("--paper", choices=["letter", "a4"], default="letter")
    parser.add_argument("--ink", choices=["colour", "black"], default="colour", help="black: without any color")
    parser.add_argument(
        "-o", "--output", required=True, type=Path, metavar="FILE", help="where to write; - is standard output"
    )


def write_pdf(draft: "Draft", output: Path) -> None:
    """Print a draft to a file; raises `Refused`."""
    from scorekeeper.printing.fitting import print_draft
    from scorekeeper.printing.layout import PrintingUnavailable

    try:
        write_output(output, print_draft(draft).content)
    except PrintingUnavailable as cannot:
        raise Refused(str(cannot)) from cannot
    except OSError as error:
        raise Refused(f"{output} cannot be written: {error.strerror}.") from error
