"""Static files: addresses that change with the content, kept for a year; and answers packed small."""

from functools import cache
from hashlib import sha256
from pathlib import Path

from flask import Flask, Response, request, url_for
from flask_compress import Compress

from scorekeeper.paths import STATIC

A_WEEK = "public, max-age=604800"
A_YEAR = "public, max-age=31536000, immutable"

compress = Compress()


def init_assets(app: Flask) -> None:
    """Give templates `asset_url`, and say how long each static file may be kept."""
    # Browsers take brotli over https only; at home, where it is plain http, gzip is what counts.
    app.config.setdefault("COMPRESS_ALGORITHM", ["br", "gzip"])
    app.config.setdefault("COMPRESS_ALGORITHM_STREAMING", ["br", "gzip"])
    app.config.setdefault("COMPRESS_BR_LEVEL", 5)
    app.jinja_env.globals["asset_url"] = asset_url
    app.after_request(_keep)
    compress.init_app(app)


def asset_url(name: str) -> str:
    """Give the address of a static file, with what stands for its content."""
    if _is_font(name):  # as the stylesheets name it, or it would be fetched twice
        return url_for("static", filename=name)
    return url_for("static", filename=name, v=version(name))


def version(name: str) -> str:
    """Stand for the content of a static file in a few letters; empty where there is none such."""
    file = STATIC / name
    try:
        changed = file.stat().st_mtime_ns
    except OSError:
        return ""
    return _digest(file, changed)


@cache
def _digest(file: Path, _changed: int) -> str:
    return sha256(file.read_bytes()).hexdigest()[:10]


def _is_font(name: str) -> bool:
    return name.endswith(".woff2")


def _keep(response: Response) -> Response:
    if request.endpoint == "static" and response.status_code in (200, 206, 304):
        name = (request.view_args or {})["filename"]
        if _is_font(name):
            response.headers["Cache-Control"] = A_WEEK
        elif request.args.get("v") and request.args["v"] == version(name):
            response.headers["Cache-Control"] = A_YEAR
        else:
            response.headers["Cache-Control"] = "no-cache"
    return response
