"""What a server does at least every hour beside answering requests."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from scorekeeper.server.watch import print_error

FIRST_DELAY_RANGE_S, NEXT_DELAY_RANGE_S = (60, 300), (1800, 3600)
"""The ranges of the random delays before the first and each further call of `run_repeatedly`."""


@contextmanager
def run_repeatedly(work: Callable[[], object], name: str) -> Iterator[None]:
    """Call a function in a thread during a block, every 30 to 60 minutes.

    The first call is after 1 to 5 minutes. An exception is printed with `name`, and the calls go on.
    """
    stopped = Event()

    def repeat() -> None:
        delay_range_s = FIRST_DELAY_RANGE_S
        while not stopped.wait(random.uniform(*delay_range_s)):
            try:
                work()
            except Exception as error:
                print_error(error, name)
            delay_range_s = NEXT_DELAY_RANGE_S

    thread = Thread(target=repeat, name=name, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join(timeout=10)
