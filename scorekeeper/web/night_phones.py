"""The connected phones of a night, as `phones` has them, and the code to join by that stands on the wall."""

from functools import partial

from flask import Blueprint, Response, url_for
from sqlalchemy.orm import Session

from scorekeeper.extensions import db
from scorekeeper.ladder.roles import NightLink
from scorekeeper.ladder.words import night_title
from scorekeeper.ledger.roles import OWNER, RANKS, SCORER, WATCHER
from scorekeeper.services import phones
from scorekeeper.services.invitations import invite
from scorekeeper.services.nights import NightAtHand
from scorekeeper.services.phones import Phone
from scorekeeper.web.phones import HINT, Offer, PhonesRoom, PhonesWords, PhoneView, end_link
from scorekeeper.web.shared.permissions import requires
from scorekeeper.web.shared.places import load_night
from scorekeeper.web.shared.respond import see_other

bp = Blueprint("night_phones", __name__, url_prefix="/nights/<code>/phones")

_WORDS = PhonesWords(
    home="nights.show",
    back="Tables",
    invites={WATCHER: "Find a table", SCORER: "Write who won"},
    allows={WATCHER: "sees where to sit, and writes nothing", SCORER: "can write who won"},
    hint=f"{HINT} The wall shows the one to find a table.",
    does={OWNER: "hosts the night", SCORER: "can write who won", WATCHER: "watches"},
    is_brief=True,
)
_OFFERS = {
    OWNER: (Offer(SCORER, "Let it only write who won", "pencil"),),
    SCORER: (Offer(OWNER, "Make it co-owner"), Offer(WATCHER, "Let it only watch", "undo")),
    WATCHER: (Offer(SCORER, "Let it write who won", "pencil"),),
}


def _view(found: NightAtHand, phone: Phone[NightLink], offers: tuple[Offer, ...]) -> PhoneView:
    pair = phone.link.pair
    if pair is not None and pair in found.night.pairs:
        return PhoneView(phone=phone, name=found.night.name(pair), offers=offers)
    nameless = "A phone that keeps the night" if phone.link.may_score else "A phone that watches, or the wall"
    return PhoneView(phone=phone, name=nameless, offers=offers)


def _let_in(session: Session, found: NightAtHand, link_id: int, role: str) -> None:
    """Let a phone do what a role allows, also one that was removed."""
    phones.reopen_link(session, found, link_id)
    phones.give_role(session, found, link_id, role)


PhonesRoom[NightAtHand](
    words=_WORDS,
    load=load_night,
    title=lambda found: night_title(found.night),
    view=_view,
    changes={**{role: partial(_let_in, role=role) for role in RANKS}, "end": end_link},
    offers=_OFFERS,
    remove="Remove",
    again=None,
    close="close",
).add_to(bp, "")


@bp.post("/wall")
@requires(OWNER)
def put_on_wall(code: str) -> Response:
    """Let phones join by what stands on the wall, and show it."""
    invite(db.session, load_night(code), WATCHER)
    return see_other(url_for("night_seats.wall", code=code))
