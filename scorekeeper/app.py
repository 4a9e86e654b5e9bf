"""The app: its settings, extensions, pages and error pages."""

import os
from collections.abc import Mapping
from typing import Any

from flask import Flask

from scorekeeper import paths, web
from scorekeeper.config import flask_config, read_settings
from scorekeeper.extensions import init_extensions


def create_app(config: Mapping[str, Any] | None = None) -> Flask:
    """Return an app; `config` takes SCOREKEEPER_… in place of the environment's, and Flask's own keys."""
    config = config or {}
    settings = read_settings({**os.environ, **{key: str(value) for key, value in config.items() if _is_ours(key)}})
    app = Flask(
        "scorekeeper",
        root_path=str(paths.PACKAGE),
        instance_path=str(settings.instance),
        static_folder=str(paths.STATIC),
        template_folder=str(paths.TEMPLATES),
    )
    app.config.from_mapping(flask_config(settings))
    app.config.update({key: value for key, value in config.items() if not _is_ours(key)})
    init_extensions(app)
    web.register(app)
    return app


def _is_ours(key: str) -> bool:
    return key.startswith("SCOREKEEPER_")
