"""The connected phones of a night, as `phones` has them, and the code to join by that is shown on the wall."""

from functools import partial

from flask import Blueprint, Response
from sqlalchemy.orm import Session

from scorekeeper.access import phones
from scorekeeper.access.invitations import invite
from scorekeeper.access.phones import Phone
from scorekeeper.club.nights.pages.context import load_night
from scorekeeper.club.nights.service import NightAtHand
from scorekeeper.club.nights.store import NightLink
from scorekeeper.club.nights.words import night_title
from scorekeeper.database.engine import db
from scorekeeper.eventlog.stream import RANKS, WATCHER
from scorekeeper.pages.phones.views import PhonesRoom, PhoneView, end_link
from scorekeeper.web.context import for_owners
from scorekeeper.web.respond import redirect_to

bp = Blueprint("night_phones", __name__, url_prefix="/nights/<code>/phones")


def _view(found: NightAtHand, phone: Phone[NightLink], _number: int) -> PhoneView:
    pair = phone.link.pair
    if pair is not None and pair in found.night.pairs:
        return PhoneView(phone=phone, name=found.night.name(pair))
    nameless = "A phone that keeps the night" if phone.link.may_score else "A phone that watches, or the wall"
    return PhoneView(phone=phone, name=nameless)


def _let_in(session: Session, found: NightAtHand, link_id: int, role: str) -> None:
    """Let a phone do what a role allows, also one that was removed."""
    phones.give_role(session, found, link_id, role, also_reopens=True)


PhonesRoom[NightAtHand](
    home="nights.show",
    load=load_night,
    title=lambda found: night_title(found.night),
    view=_view,
    changes={**{role: partial(_let_in, role=role) for role in RANKS}, "end": end_link},
    close="close",
).add_to(bp, "")


@bp.post("/wall")
@for_owners
def put_on_wall(code: str) -> Response:
    """Let phones join by the code that is shown on the wall, and show it."""
    invite(db.session, load_night(code), WATCHER)
    return redirect_to("night_seats.wall", code=code)
