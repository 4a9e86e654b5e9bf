"""The ladder night that a request is about."""

from scorekeeper.club.nights import service as nights
from scorekeeper.club.nights.events import NightChange
from scorekeeper.club.nights.service import DeletedNight, NightAtHand
from scorekeeper.database.engine import db
from scorekeeper.web.context import shown_version, writer
from scorekeeper.web.respond import wants_fragment


def load_night(code: str, *, may_be_deleted: bool = False) -> NightAtHand:
    """Return the night that a link leads to; raises `UnknownCode` and `DeletedNight`, for which there are pages."""
    found = nights.load_night(db.session, code)
    if found.night.is_deleted and not may_be_deleted:
        raise DeletedNight(code)
    return found


def is_unchanged(code: str) -> bool:
    """Return whether the open page that polls shows the night as it is."""
    return wants_fragment() and shown_version() == nights.night_head(db.session, code).version


def write_night(code: str, change: NightChange, *, version: int | None = None) -> NightAtHand:
    """Write a change, signed by this phone and once for a form; raises `Refused`, `NotAllowed` and `Stale`."""
    return nights.write_night(db.session, code, change, writer(), version=version)
