"""What was printed last: the same page is set once, and by one at a time."""

from collections import OrderedDict
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from threading import Lock

from scorekeeper.printing.fitting import CSS, Draft, Printed

KEPT = 64

_printed: OrderedDict[str, Printed] = OrderedDict()
_lock = Lock()


def draft_key(draft: Draft, *, is_black: bool = False) -> str:
    """Stand for everything that is on the pages, in a few letters; the same page has the same key."""
    return sha256(f"{is_black}\n{_style_key(draft.stylesheets)}\n{draft!r}".encode()).hexdigest()[:32]


@cache
def _style_key(stylesheets: tuple[str, ...]) -> str:
    return sha256(b"\n".join((CSS / name).read_bytes() for name in stylesheets)).hexdigest()


def remembered(key: str, make: Callable[[], Printed]) -> Printed:
    """Give what was printed under a key, or print it now."""
    with _lock:  # one at a time: laying out takes a core, and the next in line may find it done
        if key in _printed:
            _printed.move_to_end(key)
            return _printed[key]
        printed = make()
        _printed[key] = printed
        while len(_printed) > KEPT:
            _printed.popitem(last=False)
        return printed


def forget() -> None:
    """Forget everything that was printed."""
    with _lock:
        _printed.clear()
