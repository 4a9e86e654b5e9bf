"""What has to run beside the event loop that Playwright keeps in the thread of the tests."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def in_thread(act: Callable[[], T]) -> T:
    """Return what a function returns that is called in a thread of its own."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(act).result()
