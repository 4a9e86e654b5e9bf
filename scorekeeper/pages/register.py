"""Register all pages, middleware and request hooks on the app."""

from flask import Flask
from werkzeug.utils import import_string

from scorekeeper.web.context import begin_budget, put_first_visit_on_list
from scorekeeper.web.errors import init_errors
from scorekeeper.web.page_cache import PollMiddleware
from scorekeeper.web.respond import write_kind_and_route
from scorekeeper.web.security import init_security
from scorekeeper.web.templates import init_assets, init_templates

BLUEPRINTS = (
    "scorekeeper.pages.home.bp",
    "scorekeeper.pages.new_match.views.bp",
    "scorekeeper.pages.match.views.bp",
    "scorekeeper.pages.hand.views.bp",
    "scorekeeper.pages.history.bp",
    "scorekeeper.pages.players.deal_bp",
    "scorekeeper.pages.players.substitute_bp",
    "scorekeeper.pages.house_rules.views.rule_change_bp",
    "scorekeeper.pages.menu.bp",
    "scorekeeper.pages.phones.views.bp",
    "scorekeeper.pages.phones.join.bp",
    "scorekeeper.pages.book.views.bp",
    "scorekeeper.pages.phones.views.book_bp",
    "scorekeeper.pages.book.views.match_book_bp",
    "scorekeeper.pages.tv.bp",
    "scorekeeper.pages.house_rules.views.bp",
    "scorekeeper.pages.rules.bp",
    "scorekeeper.pages.settle.views.bp",
    "scorekeeper.pages.prints.views.bp",
    "scorekeeper.pages.transfer.bp",
    "scorekeeper.pages.transfer.settings_bp",
    "scorekeeper.pages.share.bp",
    "scorekeeper.pages.what_if.views.bp",
    "scorekeeper.pages.pwa.bp",
    "scorekeeper.server.health.bp",
    "scorekeeper.web.locale.bp",
)
"""The import paths of all blueprints but those of optional parts."""


def register(app: Flask) -> None:
    """Register blueprints, middleware, error pages, template globals, static files and request hooks on the app."""
    app.wsgi_app = PollMiddleware(app)  # type: ignore[method-assign] # inside the middleware for proxies
    app.after_request(write_kind_and_route)
    init_security(app)
    app.before_request(begin_budget)
    app.before_request(put_first_visit_on_list)
    init_templates(app)
    init_assets(app)
    init_errors(app)
    for feature in BLUEPRINTS:
        app.register_blueprint(import_string(feature))
