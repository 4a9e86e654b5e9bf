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
    "home",
    "new_match.views",
    "match.views",
    "hand.views",
    "history",
    "deal",
    "sits_in",
    "money_night",
    "acceptance",
    "rule_change",
    "menu",
    "phones",
    "join",
    "book",
    "book_phones",
    "book_nights",
    "book_transfer",
    "match_book",
    "people.views",
    "tv",
    "house_rules.views",
    "rules",
    "settle.views",
    "prints",
    "transfer",
    "settings",
    "share",
    "what_if",
    "pwa",
    "health",
    "nights",
    "night_seats",
    "night_phones",
)
"""Modules of this package: the routes of each are its blueprint `bp`."""


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
        app.register_blueprint(import_module(f"scorekeeper.web.{feature}").bp)
