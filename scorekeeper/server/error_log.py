"""What is written of an error: where it happened and of what kind it is, never what it was about.

A message, like an address, may hold the link of a match, a PIN or a name.
"""

import sys
import traceback


def print_error(error: BaseException, doing: str) -> None:
    """Write an error to the terminal: its kind, and the lines that led to it."""
    lines = [f"{type(error).__name__} in {doing}:\n", *traceback.format_tb(error.__traceback__)]
    cause = error.__cause__ or error.__context__
    if cause:
        lines += [f"  because of {type(cause).__name__}:\n", *traceback.format_tb(cause.__traceback__)]
    print("".join(lines).rstrip(), file=sys.stderr, flush=True)
