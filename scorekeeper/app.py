"""The app factory: settings, extensions, pages and error pages."""

import os
from collections.abc import Mapping
from importlib import import_module
from types import TracebackType

from flask import Flask, request

from scorekeeper import paths
from scorekeeper.config import flask_config, read_settings
from scorekeeper.database.engine import init_extensions
from scorekeeper.server.watch import print_error

CLUB_MODULE = "scorekeeper.club.register"
"""The module whose `init` registers the club with `scorekeeper/hooks.py` and Flask."""


class Scorekeeper(Flask):
    """The app; it logs errors without links, PINs and names."""

    def log_exception(self, exc_info: tuple[type, BaseException, TracebackType] | tuple[None, None, None]) -> None:
        """Log an error by its route, type and traceback, without its message and without the URL."""
        if exc_info[1]:
            print_error(exc_info[1], f"{request.method} {request.url_rule or 'of an unknown address'}")


def create_app(config: Mapping[str, object] | None = None, *, has_pages: bool = True) -> Flask:
    """Return an app, with the club if enabled.

    `config` has Flask's keys, and settings that override the environment; raises `BadSetting`. Commands that show no
    page pass `has_pages=False`, to start faster.
    """
    config = config or {}
    settings = read_settings({**os.environ, **{key: str(value) for key, value in config.items() if _is_setting(key)}})
    app = Scorekeeper(
        "scorekeeper",
        root_path=str(paths.PACKAGE),
        instance_path=str(settings.instance),
        static_folder=str(paths.STATIC),
        template_folder=str(paths.TEMPLATES),
    )
    app.config.from_mapping(flask_config(settings))
    app.config.update({key: value for key, value in config.items() if not _is_setting(key)})
    init_extensions(app)
    if has_pages:
        from scorekeeper.pages import register

        register.register(app)
    if settings.club:
        import_module(CLUB_MODULE).init(app, has_pages=has_pages)
    return app


def _is_setting(key: str) -> bool:
    """Return whether a configuration key is of a setting of this program, and not of Flask."""
    return key.startswith("SCOREKEEPER_")
