"""Letters that no face of this machine has: what is printed for them is an empty box."""

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager

_UNKNOWN = re.compile(r"notdef.*\(U\+([0-9A-F]+)\)")


class _Listener(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.letters: dict[str, None] = {}

    def emit(self, record: logging.LogRecord) -> None:
        if found := _UNKNOWN.search(record.getMessage()):
            self.letters[chr(int(found[1], 16))] = None


@contextmanager
def unknown_letters() -> Iterator[dict[str, None]]:
    """Gather, in order, the letters that WeasyPrint finds no face for."""
    listener = _Listener()
    logger = logging.getLogger("weasyprint")
    logger.addHandler(listener)
    try:
        yield listener.letters
    finally:
        logger.removeHandler(listener)
