"""What the C library keeps of the memory that the process has freed: by itself, glibc keeps too much."""

from contextlib import suppress
from ctypes import CDLL

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8
"""Of mallopt(3)."""


def keep_little() -> None:
    """Keep one pool of memory for all threads from now on, and return what is free: else it is a tenth more."""
    with suppress(AttributeError, OSError):  # another C library, another way
        mallopt = CDLL(None).mallopt
        for option, value in ((_M_ARENA_MAX, 1), (_M_MMAP_THRESHOLD, 128 * 1024), (_M_TRIM_THRESHOLD, 128 * 1024)):
            mallopt(option, value)


def give_back() -> None:
    """Return at once what lies free between pieces in use, after something large is done."""
    with suppress(AttributeError, OSError):
        CDLL(None).malloc_trim(0)
