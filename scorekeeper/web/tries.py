"""How often a PIN may be tried: a wrong one counts, a right one does not."""

import time
from datetime import UTC, datetime

from flask import Flask, current_app, request
from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

EACH = parse("10 per 10 minutes")
"""From one address: all phones behind one router have the same."""
ALL = parse("60 per 10 minutes")
"""From everywhere together: of 100,000 PINs so many are tried in vain that nobody's is found in an evening."""
_EVERYBODY = "everybody"


def init_tries(app: Flask) -> None:
    """Begin to count."""
    app.extensions["scorekeeper-tries"] = MovingWindowRateLimiter(MemoryStorage())


def wait_until() -> datetime | None:
    """Say when this phone may try again; `None`: now."""
    counted = [(limit, key) for limit, key in _limits() if not _limiter().test(limit, key)]
    ends = [_limiter().get_window_stats(limit, key).reset_time for limit, key in counted]
    return datetime.fromtimestamp(max(*ends, time.time()), UTC) if ends else None


def count_wrong() -> None:
    """Count a PIN that was wrong."""
    for limit, key in _limits():
        _limiter().hit(limit, key)


def _limits() -> tuple[tuple[RateLimitItem, str], ...]:
    return (EACH, request.remote_addr or ""), (ALL, _EVERYBODY)


def _limiter() -> MovingWindowRateLimiter:
    limiter: MovingWindowRateLimiter = current_app.extensions["scorekeeper-tries"]
    return limiter
