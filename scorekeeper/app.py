"""The app factory, which puts together the settings, the database, the pages and the optional club."""

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
"""The import path of the club; its function `init` adds the club to the hooks and to the Flask app."""


class Scorekeeper(Flask):
    """The Flask app. Its log of errors leaves out links, PINs and names, which are secret."""

    def log_exception(self, exc_info: tuple[type, BaseException, TracebackType] | tuple[None, None, None]) -> None:
        """Log an error's route, type and traceback.

        The message and the URL are left out: they may have a link's code.
        """
        if exc_info[1]:
            print_error(exc_info[1], f"{request.method} {request.url_rule or 'of an unknown address'}")


def create_app(config: Mapping[str, object] | None = None, *, has_pages: bool = True) -> Flask:
    """Return a new app, with the club if the setting `club` is on.

    `config` has keys of Flask, and settings that override the environment: "SCOREKEEPER_PORT". Commands that show no
    page pass `has_pages=False`, to start faster. Raises `BadSetting`.
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


def _is_setting(config_key: str) -> bool:
    """Return whether `config_key` names a setting of this program: "SCOREKEEPER_PORT". All other keys are Flask's."""
    return config_key.startswith("SCOREKEEPER_")
