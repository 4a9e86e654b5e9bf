"""The page that finds a game, at the address of whatever it is found for."""

from flask import Response, request

from scorekeeper.extensions import db
from scorekeeper.services.house_rules import houses_of_device
from scorekeeper.services.match_list import matches_by_variant
from scorekeeper.web.find_game.form import read_form
from scorekeeper.web.find_game.page import Finder, FinderPage, Purpose, finder
from scorekeeper.web.shared.device import device
from scorekeeper.web.shared.library import library
from scorekeeper.web.shared.respond import render_page, wants_fragment

TEMPLATE = "find_game/show.html"
BLOCKS = ("clear", "total", "fits", "found", "others", "bottom_bar")


def read_finder(purpose: Purpose) -> Finder:
    """Return the games that fit what the address says; to change rules, only those of the book."""
    houses = () if purpose == "change" else houses_of_device(db.session, device())
    played = matches_by_variant(db.session, device())
    return finder(library(), read_form(request.args), purpose, houses=houses, played=played)


def show_finder(purpose: Purpose) -> Response:
    """Show the games that fit what the address says."""
    return render_finder(TEMPLATE, FinderPage(finder=read_finder(purpose)))


def render_finder(template: str, page: object) -> Response:
    """Answer with a page that extends the finder's, or with the parts of it that change while somebody searches.

    The parts are the same on each of them, and a template does not know the blocks that it inherits.
    """
    return render_page(TEMPLATE if wants_fragment() else template, page, block=BLOCKS)
