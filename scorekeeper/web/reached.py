"""The match that a link leads to, for every page that is about one."""

from flask import g

from scorekeeper.extensions import db
from scorekeeper.services.devices import remember_match
from scorekeeper.services.load import LoadedMatch, load_match
from scorekeeper.web.keys import device


def reach(code: str) -> LoadedMatch:
    """Load the match of a link; raises `UnknownMatch`, for which there is a page."""
    match = load_match(db.session, code)
    g.link = match.link
    return match


def reach_and_remember(code: str) -> LoadedMatch:
    """Load the match of a link, and put it on top of this phone's list."""
    match = reach(code)
    remember_match(db.session, device(), match)
    return match
