"""The night that a link leads to, for every page about one: loaded, and written in."""

from scorekeeper.extensions import db
from scorekeeper.ladder.facts import NightChange
from scorekeeper.ledger.signatures import signature
from scorekeeper.services import nights
from scorekeeper.services.nights import DeletedNight, NightAtHand
from scorekeeper.web.shared.device import device
from scorekeeper.web.shared.form_keys import posted_key, shown_version
from scorekeeper.web.shared.respond import wants_fragment


def load_night(code: str, *, may_be_deleted: bool = False) -> NightAtHand:
    """Return the night that a link leads to; raises `UnknownNight` and `DeletedNight`, for which there are pages."""
    found = nights.load_night(db.session, code)
    if found.night.is_deleted and not may_be_deleted:
        raise DeletedNight(code)
    return found


def is_unchanged(code: str) -> bool:
    """Return whether the open page that polls shows the night as it is."""
    return wants_fragment() and shown_version() == nights.night_head(db.session, code).version


def write_night(code: str, change: NightChange, *, version: int | None = None) -> NightAtHand:
    """Write a change, signed by this phone and once for a form; raises `Refused`, `NotAllowed` and `Stale`."""
    return nights.write_night(
        db.session, code, change, client_key=posted_key(), actor=signature(device()), version=version
    )
