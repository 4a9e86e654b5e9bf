"""The pages, one module or package for each feature; nothing outside this package knows of requests."""

from importlib import import_module

from flask import Flask

from scorekeeper.pages.pwa import init_pwa
from scorekeeper.web.assets import init_assets
from scorekeeper.web.context import begin_budget, list_first_visit
from scorekeeper.web.errors import init_errors
from scorekeeper.web.locale import init_theme
from scorekeeper.web.page_cache import init_polls
from scorekeeper.web.respond import init_watched
from scorekeeper.web.security import init_security
from scorekeeper.web.templates import init_templates

FEATURES = (
    "scorekeeper.pages.home",
    "scorekeeper.pages.new_match.views",
    "scorekeeper.pages.match.views",
    "scorekeeper.pages.hand.views",
    "scorekeeper.pages.history",
    "scorekeeper.pages.deal",
    "scorekeeper.pages.substitute",
    "scorekeeper.pages.rule_change",
    "scorekeeper.pages.menu",
    "scorekeeper.pages.phones.views",
    "scorekeeper.pages.phones.join",
    "scorekeeper.pages.book.views",
    "scorekeeper.pages.phones.book",
    "scorekeeper.pages.book.move_match",
    "scorekeeper.pages.tv",
    "scorekeeper.pages.house_rules.views",
    "scorekeeper.pages.rules",
    "scorekeeper.pages.settle.views",
    "scorekeeper.pages.prints.views",
    "scorekeeper.pages.transfer",
    "scorekeeper.pages.settings",
    "scorekeeper.pages.share",
    "scorekeeper.pages.what_if.views",
    "scorekeeper.pages.pwa",
    "scorekeeper.server.health",
)
"""The routes of each of these modules are its blueprint `bp`."""


def register(app: Flask) -> None:
    """Add every page to an app, and what each answer carries."""
    init_polls(app)
    init_watched(app)
    init_security(app)
    app.before_request(begin_budget)
    app.before_request(list_first_visit)
    init_templates(app)
    init_assets(app)
    init_theme(app)
    init_pwa(app)
    init_errors(app)
    for feature in FEATURES:
        app.register_blueprint(import_module(feature).bp)
