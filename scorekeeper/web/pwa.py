"""What lets a phone keep the app: its worker, its name on a home screen, and the page that needs no network."""

from urllib.parse import urlsplit

from flask import Blueprint, Flask, Response, jsonify, request, url_for

from scorekeeper.lan import LOOPBACK
from scorekeeper.web.assets import KINDS, asset_url, content, version
from scorekeeper.web.contexts.offline import OfflinePage
from scorekeeper.web.contexts.parts import BarView
from scorekeeper.web.respond import page

bp = Blueprint("pwa", __name__)

WORKER = "sw.js"
SHOWN_OFFLINE = ("css/base.css", "js/outbox.js", "js/register.js")
"""Files of the page without a network: when one changes, phones fetch that page anew."""
ICONS = (
    ("icons/app-192.png", "192x192", "any"),
    ("icons/app-512.png", "512x512", "any"),
    ("icons/app-maskable-512.png", "512x512", "maskable"),
)


def init_pwa(app: Flask) -> None:
    """Let templates ask whether a phone may keep the app."""
    app.jinja_env.globals["may_install"] = may_install


def may_install() -> bool:
    """Say whether browsers let this address be kept: only https, and the machine itself.

    Everywhere else nothing is said of it, so that no page promises what a browser will not do.
    """
    return request.is_secure or urlsplit(request.host_url).hostname in LOOPBACK


@bp.get("/sw.js")
def worker() -> Response:
    """Send the worker; it lies at the root since it may answer only for what lies below it."""
    # A browser takes a worker anew when a byte of it has changed.
    marks = " ".join(version(name) for name in SHOWN_OFFLINE)
    response = Response(content(WORKER) + f"// {marks}\n".encode(), mimetype=KINDS[".js"])
    response.headers["Cache-Control"] = "no-cache"
    return response


@bp.get("/manifest.webmanifest")
def manifest() -> Response:
    """Say how the app is called and drawn on a home screen."""
    root = url_for("home.index")
    response = jsonify(
        id=root,
        name="Scorekeeper",
        short_name="Scorekeeper",
        description="Keeps score for Pitch by the rules of the house.",
        lang="en",
        start_url=root,
        scope=root,
        display="standalone",
        background_color="#f1f4e9",
        theme_color="#1d4d3c",
        icons=[
            {"src": asset_url(name), "sizes": sizes, "type": "image/png", "purpose": purpose}
            for name, sizes, purpose in ICONS
        ],
    )
    response.mimetype = "application/manifest+json"
    response.headers["Cache-Control"] = "no-cache"
    return response


@bp.get("/offline")
def offline() -> Response:
    """Show the page that stands in for one that this phone has never seen."""
    return page("offline.html", OfflinePage(title="No network", bar=BarView(title="No network", back_url=_home())))


def _home() -> str:
    return url_for("home.index")
