"""The links to nights, which a link to their book opens as well."""

from typing import Any

from scorekeeper.access.links import LinkTable
from scorekeeper.club.nights.roles import NightLink
from scorekeeper.database.tables import NightEventRow, NightInvitationRow, NightLinkRow, NightRow

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
