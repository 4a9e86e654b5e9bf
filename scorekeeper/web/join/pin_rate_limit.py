"""How often a PIN may be tried: a wrong one counts, a right one does not."""

import time
from datetime import UTC, datetime

from flask import Flask, current_app, request
from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

PER_ADDRESS = parse("10 per 10 minutes")
"""All phones behind one router have the same address."""
IN_ALL = parse("60 per 10 minutes")
"""Of 100,000 PINs so few can be tried that nobody's is found in an evening."""
_EXTENSION = "scorekeeper-pin-rate-limit"


def init_pin_rate_limit(app: Flask) -> None:
    """Begin to count wrong PINs."""
    app.extensions[_EXTENSION] = MovingWindowRateLimiter(MemoryStorage())


def blocked_until() -> datetime | None:
    """Return when this phone may try a PIN again; `None` where it may now."""
    reached = [(limit, key) for limit, key in _limits() if not _limiter().test(limit, key)]
    ends = [_limiter().get_window_stats(limit, key).reset_time for limit, key in reached]
    return datetime.fromtimestamp(max(*ends, time.time()), UTC) if ends else None


def count_wrong_pin() -> None:
    """Count a PIN that was wrong."""
    for limit, key in _limits():
        _limiter().hit(limit, key)


def _limits() -> tuple[tuple[RateLimitItem, str], ...]:
    return (PER_ADDRESS, request.remote_addr or ""), (IN_ALL, "everybody")


def _limiter() -> MovingWindowRateLimiter:
    limiter: MovingWindowRateLimiter = current_app.extensions[_EXTENSION]
    return limiter
