"""What a server does about once an hour, beside responding to requests."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from scorekeeper.server.watch import print_error

FIRST_DELAY_RANGE_S, NEXT_DELAY_RANGE_S = (60, 300), (1800, 3600)
"""The shortest and the longest delay before the first call of `run_repeatedly`, and before each further call.

The delays are random, so that several processes do not call at the same moment.
"""


@contextmanager
def run_repeatedly(task: Callable[[], object], name: str) -> Iterator[None]:
    """Call `task` in a thread during a block: after 1 to 5 minutes, then every 30 to 60 minutes.

    If it raises an exception, that is printed with `name`, and the calls go on.
    """
    stopped = Event()

    def repeat() -> None:
        delay_range_s = FIRST_DELAY_RANGE_S
        while not stopped.wait(random.uniform(*delay_range_s)):
            try:
                task()
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
