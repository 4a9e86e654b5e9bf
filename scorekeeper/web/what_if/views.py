"""A match scored again under the rules in the address, which writes nothing; and sharing that."""

from typing import Any

from flask import Blueprint, Response, request, url_for

from scorekeeper.extensions import db
from scorekeeper.ledger.roles import OWNER, WATCHER
from scorekeeper.services.house_rules import houses_of_device
from scorekeeper.services.phones import share_match, shared_link
from scorekeeper.web.match.page import match_title
from scorekeeper.web.share.page import SharePage
from scorekeeper.web.shared.device import device
from scorekeeper.web.shared.library import library
from scorekeeper.web.shared.permissions import requires
from scorekeeper.web.shared.places import load_match
from scorekeeper.web.shared.respond import render_page, see_other
from scorekeeper.web.what_if.choose_page import choose_page
from scorekeeper.web.what_if.form import read_form
from scorekeeper.web.what_if.page import what_if_page
from scorekeeper.web.what_if.share import share_words

bp = Blueprint("what_if", __name__, url_prefix="/matches/<code>/what-if")

BLOCKS = ("results", "share_it", "announcement", "hands")


@bp.get("")
@requires(WATCHER)
def show(code: str) -> Response:
    """Show the match as played beside itself under other rules; without any, what every other answer comes to."""
    page = what_if_page(load_match(code), read_form(request.args), library())
    return render_page("what_if/show.html", page, block=BLOCKS, status=422 if page.problem else 200)


@bp.get("/rules")
@requires(WATCHER)
def choose(code: str) -> Response:
    """Show every rule that can be answered otherwise."""
    houses = houses_of_device(db.session, device())
    return render_page("what_if/choose.html", choose_page(load_match(code), houses))


@bp.get("/share")
@requires(WATCHER)
def share(code: str) -> Response:
    """Show what can be sent; only an owner's phone sends a link along, which opens this very comparison."""
    match, form = load_match(code), read_form(request.args)
    text = share_words(match, form, library())
    if not text:
        return see_other(url_for(".show", code=code))
    shared = shared_link(db.session, match) if match.link.is_owner else None
    page = SharePage(
        code=code,
        match_title=match_title(match),
        text=text,
        link_code=shared.code if shared else "",
        is_owner=match.link.is_owner,
        what_if=form.query,
    )
    return render_page("share/show.html", page)


@bp.post("/share")
@requires(OWNER)
def make_link(code: str) -> Response:
    """Make a link to watch by, which the page of the phones can remove."""
    share_match(db.session, load_match(code))
    query: dict[str, Any] = read_form(request.args).query
    return see_other(url_for(".share", code=code, **query))
