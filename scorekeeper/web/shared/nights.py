"""The night that a link leads to, for every page about one: loaded, and written in."""

from scorekeeper.extensions import db
from scorekeeper.ladder.changes import NightChange
from scorekeeper.ledger.signatures import signature
from scorekeeper.services import nights
from scorekeeper.services.nights import NightAtHand
from scorekeeper.web.shared.device import device
from scorekeeper.web.shared.form_keys import posted_key


def load_night(code: str) -> NightAtHand:
    """Return the night that a link leads to; raises `UnknownNight`, for which there is an error page."""
    return nights.load_night(db.session, code)


def write_night(code: str, change: NightChange, *, version: int | None = None) -> NightAtHand:
    """Write a change, signed by this phone and once for a form; raises `Refused`, `NotAllowed` and `StaleNight`."""
    return nights.write_night(
        db.session, code, change, client_key=posted_key(), actor=signature(device()), version=version
    )
