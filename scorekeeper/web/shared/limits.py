"""What the settings let a network do within an hour, which is as much as it likes where they say nothing."""

import hmac
from collections.abc import Iterator
from contextlib import contextmanager

from flask import current_app, request

from scorekeeper.extensions import db
from scorekeeper.printing import print_service
from scorekeeper.printing.fitting import SheetTooLong
from scorekeeper.printing.kinds import Order
from scorekeeper.printing.print_process import PrintingFailed
from scorekeeper.services import hourly
from scorekeeper.services.invitations import network_of


def network() -> str:
    """Return a digest of the network that asks; there are so few networks that only the secret key hides which."""
    key, asks = current_app.config["SECRET_KEY"], network_of(request.remote_addr or "")
    return hmac.digest(key.encode(), asks.encode(), "sha256").hex()


def count_match(_match_id: int) -> None:
    """Count a match that is being added, with which this is committed; raises `TooManyAnHour`."""
    if most := current_app.config["MATCHES_AN_HOUR"]:
        hourly.check(db.session, "match", network(), most)
        hourly.count(db.session, "match", network())


@contextmanager
def counting_sheet(order: Order) -> Iterator[None]:
    """Count a sheet that is made meanwhile, or begun, unless there is one already; raises `TooManyAnHour`.

    Each process makes its own, and all of an hour count once. One that fails counts each time: nothing takes longer.
    """
    most = current_app.config["PRINTS_AN_HOUR"]
    if not most or print_service.is_made(order):
        yield
        return
    hourly.check(db.session, "sheet", network(), most, order.key)
    try:
        yield
    except print_service.BeingDrawn:
        _count_sheet(order.key)
        raise
    except (PrintingFailed, SheetTooLong):
        _count_sheet()
        raise
    _count_sheet(order.key)


def _count_sheet(key: str = "") -> None:
    hourly.count(db.session, "sheet", network(), key)
    db.session.commit()
