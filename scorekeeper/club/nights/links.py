"""The links to nights, which a link to their book opens as well; their roles are those of a match."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy.orm import Session

from scorekeeper.access.links import LinkTable
from scorekeeper.access.phones import add_phone
from scorekeeper.access.roles import AnyLink, Invitation, Kind
from scorekeeper.database.tables import NightEventRow, NightInvitationRow, NightLinkRow, NightRow


@dataclass(frozen=True, slots=True)
class NightLink(AnyLink):
    """A phone's link to a night, and what it may do there."""

    kind: ClassVar[Kind] = "night"
    pair: int | None = None
    """Which pair holds the phone; `None` where it is nobody's."""


@dataclass(frozen=True, slots=True)
class NightSetup:
    """How a night began; its present name is in the log."""

    id: int
    uid: str
    """Its id in its book's file."""
    created_at: datetime
    title: str
    rounds: int
    size: int
    """How many play together: two, or as the game has it."""
    variant: str
    """The game that is played; empty where none was entered."""
    house: Mapping[str, Any]
    """The answers that were agreed for that game, at every table."""
    book_id: int | None = None
    """The book that it is in."""


NO_DEVICE = ""
"""The device of the owner's link to a night that a command imported."""


def _night_link(row: Any) -> NightLink:
    return NightLink(row.link_id, row.code, row.role, row.stream_id, row.pair)


NIGHT_LINKS = LinkTable(
    "night",
    places=NightRow.__table__,
    links=NightLinkRow.__table__,
    invited=NightInvitationRow.__table__.c.night_id,
    events=NightEventRow.__table__,
    read=_night_link,
    holder=("pair",),
    unknown="There is no such phone. Check the list again.",
    last_owner="This is the only owner’s phone. Make another one a co-owner first.",
)


def join_night(session: Session, invitation: Invitation, device: str, pair: int | None) -> NightLink:
    """Add a phone to a night, and return its own link, the only one that it gets: it allows no less than before."""
    return add_phone(session, NIGHT_LINKS, invitation, device, lambda _own: {"pair": pair})
