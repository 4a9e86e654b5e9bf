"""Which phones have the match open just now: known from their asking, kept in memory and nowhere else."""

from datetime import UTC, datetime
from threading import Lock

_MOST = 2000
_asked: dict[str, datetime] = {}
_lock = Lock()


def note_here(code: str) -> None:
    """Note that the phone of a link has a page open."""
    with _lock:
        _asked.pop(code, None)
        _asked[code] = datetime.now(UTC)
        if len(_asked) > _MOST:
            del _asked[next(iter(_asked))]


def last_here(code: str) -> datetime | None:
    """Say when the phone of a link asked last, if it has since this server began."""
    return _asked.get(code)
