"""The pages: the only place that knows of requests. What each module adds to the app is named here."""

from importlib import import_module

from flask import Flask

from scorekeeper.web.assets import init_assets
from scorekeeper.web.errors import init_errors
from scorekeeper.web.pwa import init_pwa
from scorekeeper.web.rights import init_rights
from scorekeeper.web.security import init_security
from scorekeeper.web.theme import init_theme
from scorekeeper.web.tries import init_tries

BLUEPRINTS = (
    *("theme", "pwa", "home", "join", "new", "transfer", "sheets", "prints", "house"),
    *("matches", "hands", "history", "tv", "settings", "marks", "rule_change", "agreement", "deal", "sharing"),
)
"""Modules of this package, each with its blueprint as `bp`."""


def register(app: Flask) -> None:
    """Add every page, what each answer carries, and what is said when something fails."""
    init_security(app)
    init_rights(app)
    init_assets(app)
    init_theme(app)
    init_tries(app)
    init_pwa(app)
    init_errors(app)
    for name in BLUEPRINTS:
        app.register_blueprint(import_module(f"scorekeeper.web.{name}").bp)
