"""Who may do what with a link: asked in one place, before any page of a match is come to.

Whoever looks on sees every page and sends nothing; whoever has the pencil writes; the rest is the owner's. A page that
is not named here is anybody's to see, and takes a pencil to send.
"""

from flask import Flask, Response, g, request, url_for
from werkzeug.exceptions import Forbidden

from scorekeeper.extensions import db
from scorekeeper.services.load import head_of
from scorekeeper.services.roles import OWNER, SCORER, WATCHER, allows
from scorekeeper.web.contexts.parts import Action
from scorekeeper.web.errors import Words, sent_again, told

OF_A_MATCH = "/matches/<code>"
"""How the address of every page of a match begins."""

TO_WRITE = frozenset({"hands.new", "hands.edit", "history.remove", "matches.stop", "deal.show"})
"""Pages to see that are of use only to somebody with the pencil."""
OWNERS = frozenset(
    {
        *("settings.names", "rule_change.show", "rule_change.submit"),
        *("agreement.show", "agreement.submit"),
        *("matches.delete", "matches.delete_submit", "matches.restore"),
        *("room.show", "room.invite", "room.close", "room.change", "tv.put_on"),
        "tv.put_on",
    }
)
ANYBODYS = frozenset({"room.whose_submit", "agreement.accept"})
"""Forms that take no pencil: whose phone this is, and that a hand was so, which a side says for itself."""

LOOKS_ON = Words(
    "This phone looks on",
    "It has no pencil, so nothing was written.",
    "Ask whoever began the match for the pencil.",
)
NOT_THE_OWNER = Words(
    "Not with this phone",
    "Only the phone that began the match does this.",
    "Ask whoever has it.",
)


def init_rights(app: Flask) -> None:
    """Ask before every page of a match."""
    app.before_request(turn_away)


def least_role(endpoint: str, method: str) -> str:
    """Say what a link must allow at least for this."""
    if endpoint in OWNERS:
        return OWNER
    if endpoint in TO_WRITE:
        return SCORER
    return WATCHER if method in ("GET", "HEAD", "OPTIONS") or endpoint in ANYBODYS else SCORER


def turn_away() -> Response | None:
    """Answer in the page's place where its link does not allow it; what was typed can be sent again."""
    rule = request.url_rule
    if rule is None or not rule.rule.startswith(OF_A_MATCH):
        return None
    least = least_role(rule.endpoint, request.method)
    if least == WATCHER:
        return None
    code = (request.view_args or {})["code"]
    g.link = head_of(db.session, code).link
    if allows(g.link.role, least):
        return None
    back = Action(label="To the score", url=url_for("matches.show", code=code))
    again = sent_again() if request.method == "POST" and least == SCORER else None
    return told(Forbidden(), NOT_THE_OWNER if least == OWNER else LOOKS_ON, again=again, back=back, mend=LOOKS_ON.mend)
