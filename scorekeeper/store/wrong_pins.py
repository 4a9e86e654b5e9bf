"""Wrong PINs that were typed, by network. Nothing here commits."""

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from scorekeeper.store.codec import utc
from scorekeeper.store.tables import WrongPinRow

_table: Any = WrongPinRow.__table__
_OF_NETWORK = (
    sa.select(_table.c.seq, _table.c.at).where(_table.c.network == sa.bindparam("network")).order_by(_table.c.seq)
)


def wrong_pins_of(session: Session, network: str) -> list[tuple[int, datetime]]:
    """Return the numbers and the times of a network's wrong PINs, the first one first."""
    return [(row.seq, utc(row.at)) for row in session.execute(_OF_NETWORK, {"network": network})]


def add(session: Session, network: str, seq: int, at: datetime) -> None:
    """Insert a wrong PIN; raises `IntegrityError` where another one came at the same moment."""
    session.execute(sa.insert(_table), {"network": network, "seq": seq, "at": at})


def forget_before(session: Session, at: datetime) -> None:
    """Delete what is older."""
    session.execute(sa.delete(_table).where(_table.c.at <= at))


def bring_back(session: Session, network: str, now: datetime) -> None:
    """Move what a clock that went back since has put into the future to this moment."""
    session.execute(sa.update(_table).where(_table.c.network == network, _table.c.at > now).values(at=now))
