"""The hourly limits of a network, from the settings; without a setting, no limit."""

import hmac
from collections.abc import Iterator
from contextlib import contextmanager

from flask import current_app, request

from scorekeeper.access import hourly_limits
from scorekeeper.access.invitations import network_of
from scorekeeper.database.engine import db
from scorekeeper.printing import print_service
from scorekeeper.printing.fitting import SheetTooLong
from scorekeeper.printing.kinds import PrintOrder
from scorekeeper.printing.print_process import PrintingFailed


def network_digest() -> str:
    """Return a digest of the request's network."""
    # Keyed, as networks are few enough to guess.
    key, address = current_app.config["SECRET_KEY"], network_of(request.remote_addr or "")
    return hmac.digest(key.encode(), address.encode(), "sha256").hex()


def count_match(_match_id: int) -> None:
    """Count a new match of the request's network; raises `TooManyAnHour` at the limit, if there is one.

    To be passed as `in_transaction` to a function that starts a match, so that both are stored together.
    """
    if limit := current_app.config["MATCHES_AN_HOUR"]:
        hourly_limits.count_action(db.session, "match", network_digest(), limit)


@contextmanager
def count_sheet(order: PrintOrder) -> Iterator[None]:
    """Count a sheet for the request's network, and let a block print it; raises `TooManyAnHour` at the limit.

    A printed sheet counts once an hour, and not while cached or queued. An error in the block takes the count back,
    unless printing failed or still goes on. Commits.
    """
    limit = current_app.config["PRINTS_AN_HOUR"]
    if not limit or print_service.is_cached_or_queued(order):
        yield
        return
    try:
        counted = hourly_limits.count_action(db.session, "sheet", network_digest(), limit, order.key)
    finally:
        db.session.commit()
    try:
        yield
    except print_service.ImageBeingDrawn:
        raise
    except Exception as error:
        # A failed print takes the longest: it stays counted, and counts again if repeated.
        has_failed = isinstance(error, PrintingFailed | SheetTooLong)
        hourly_limits.delete_counts(db.session, counted[1:] if has_failed else counted)
        db.session.commit()
        raise
