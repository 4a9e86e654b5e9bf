"""The pages, one module or package for each feature; nothing outside this package knows of requests."""

from importlib import import_module

from flask import Flask

from scorekeeper.web.pwa import init_pwa
from scorekeeper.web.shared.assets import init_assets
from scorekeeper.web.shared.context import begin_budget, list_first_visit
from scorekeeper.web.shared.errors import init_errors
from scorekeeper.web.shared.permissions import init_permissions
from scorekeeper.web.shared.polls import init_polls
from scorekeeper.web.shared.reader import init_theme
from scorekeeper.web.shared.security import init_security
from scorekeeper.web.shared.templates import init_templates
from scorekeeper.web.shared.watched import init_watched

FEATURES = (
    "scorekeeper.web.home",
    "scorekeeper.web.new_match.views",
    "scorekeeper.web.match.views",
    "scorekeeper.web.hand.views",
    "scorekeeper.web.history",
    "scorekeeper.web.deal",
    "scorekeeper.web.sits_in",
    "scorekeeper.web.money_night",
    "scorekeeper.web.acceptance",
    "scorekeeper.web.rule_change",
    "scorekeeper.web.menu",
    "scorekeeper.web.phones",
    "scorekeeper.web.join",
    "scorekeeper.web.book",
    "scorekeeper.web.book_phones",
    "scorekeeper.web.book_nights",
    "scorekeeper.web.book_transfer",
    "scorekeeper.web.match_book",
    "scorekeeper.web.people.views",
    "scorekeeper.web.tv",
    "scorekeeper.web.house_rules.views",
    "scorekeeper.web.rules",
    "scorekeeper.web.settle.views",
    "scorekeeper.web.prints",
    "scorekeeper.web.transfer",
    "scorekeeper.web.settings",
    "scorekeeper.web.share",
    "scorekeeper.web.what_if",
    "scorekeeper.web.pwa",
    "scorekeeper.web.health",
    "scorekeeper.web.nights",
    "scorekeeper.web.night_seats",
    "scorekeeper.web.night_phones",
)
"""The routes of each of these modules are its blueprint `bp`."""


def register(app: Flask) -> None:
    """Add every page to an app, and what each answer carries."""
    init_polls(app)
    init_watched(app)
    init_security(app)
    init_permissions(app)
    app.before_request(begin_budget)
    app.before_request(list_first_visit)
    init_templates(app)
    init_assets(app)
    init_theme(app)
    init_pwa(app)
    init_errors(app)
    for feature in FEATURES:
        app.register_blueprint(import_module(feature).bp)
