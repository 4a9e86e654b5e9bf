"""The log of an error: where it happened and its type, never its message or the request's address.

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
