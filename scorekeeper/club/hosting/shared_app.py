"""The app that all processes of a server share: made and warmed up when this module is imported.

The processes are forks of the process that imports this module, so that each can answer at once.
"""

from contextlib import suppress

from flask import Flask
from sqlalchemy.exc import SQLAlchemyError

from scorekeeper.access.roles import Link
from scorekeeper.app import create_app
from scorekeeper.database.engine import db
from scorekeeper.eventlog.store import UnreadableEvent
from scorekeeper.eventlog.stream import OWNER
from scorekeeper.matches.fold import UnscorableMatch
from scorekeeper.matches.match_list import HIGHEST_ID
from scorekeeper.matches.service import match_of_link
from scorekeeper.matches.store import setups_before
from scorekeeper.operating_system import tune_malloc
from scorekeeper.pages.match.page import Viewer, match_page
from scorekeeper.pages.match.views import MATCH_TEMPLATE
from scorekeeper.server.server import freeze_gc
from scorekeeper.web.library import library
from scorekeeper.web.respond import render_html, template_values


def _warm_up(new_app: Flask) -> None:
    """Answer requests and render the latest match, so that SQL is compiled; then close the database connections."""
    client, base_url = new_app.test_client(), new_app.config["PUBLIC_URL"] or None
    for path in ("/", "/matches/none/"):
        client.get(path, base_url=base_url)
    # A fault does not matter here: whoever opens such a page gets a page that reports the fault.
    with suppress(SQLAlchemyError, UnscorableMatch, UnreadableEvent), new_app.test_request_context(base_url=base_url):
        for setup in setups_before(db.session, HIGHEST_ID, 1):
            match = match_of_link(db.session, Link(0, "none", OWNER, setup.id))
            render_html(MATCH_TEMPLATE, template_values(match_page(match, Viewer(OWNER, ""))))
    with new_app.app_context():
        db.engine.dispose()


tune_malloc()
app = create_app()
for template in app.jinja_env.list_templates(extensions=["html"]):
    app.jinja_env.get_template(template)  # which compiles it
library()
_warm_up(app)
freeze_gc()
