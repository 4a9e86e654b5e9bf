"""What the pages of a night share: loading, changing and rendering it, and the texts of its error pages."""

from collections.abc import Sequence

from flask import Response

from scorekeeper.club.nights import service as nights
from scorekeeper.club.nights.events import NightChange
from scorekeeper.club.nights.sentences import night_heading
from scorekeeper.club.nights.service import DeletedNight, NightAccess
from scorekeeper.database.engine import db
from scorekeeper.hooks import LinkKind
from scorekeeper.web.context import load_head, polled_version, writer
from scorekeeper.web.errors import ErrorText
from scorekeeper.web.respond import redirect_to, render_page, wants_fragment

NIGHT_LINK_KIND = LinkKind(
    route_prefix="/nights/<code>",
    join_endpoint="night_seats.ask_entrant",
    owners_only=ErrorText(
        "This phone can’t do that",
        "Only the host’s phone can do this.",
        "Ask whoever started the night.",
    ),
    scorers_only=ErrorText(
        "This phone is watching",
        "This phone can’t write results, so nothing was saved.",
        "Ask whoever started the night to let it.",
    ),
    removed=ErrorText(
        "This phone was removed",
        "This phone’s link to the night no longer works.",
        "To join again, ask for the night’s QR code or PIN.",
    ),
)


def load_night(code: str, *, may_be_deleted: bool = False) -> NightAccess:
    """Return the night of the link with a code; raises `UnknownCode`.

    Raises `DeletedNight` for a deleted night, unless `may_be_deleted`.
    """
    access = nights.load_night(db.session, code)
    if access.night.is_deleted and not may_be_deleted:
        raise DeletedNight(code)
    return access


def show_deleted(deleted: DeletedNight) -> Response:
    """Redirect from any page of a deleted night to the page that says that the night was deleted."""
    return redirect_to("nights.show", code=deleted.code)


def is_poll_without_news(code: str) -> bool:
    """Return whether the request is a poll by a page that already shows the latest version of the night."""
    return wants_fragment() and polled_version() == load_head(code, "night").version


def write_night(code: str, change: NightChange, *, version: int | None = None) -> NightAccess:
    """Append the events of `change` to the night of a link, commit, and return the changed night.

    A form that is sent twice is applied once. Raises `UnknownCode`, `Refused` and `NotAllowed`, and `StaleStream` if
    `version` is given and the night is at another version.
    """
    return nights.write_night(db.session, code, change, writer(), version=version)


def render_night(
    template: str, access: NightAccess, *, block: Sequence[str] = (), status: int = 0, **values: object
) -> Response:
    """Return the page that a template renders from a night, its heading and `values`.

    A request for a fragment gets only the blocks that `block` names. With a `status` of 0, the response has the status
    422 if `values` has `faults`, else 200.
    """
    night = access.night
    values["head"] = night_heading(night)
    return render_page(template, block=block, status=status, access=access, night=night, **values)
