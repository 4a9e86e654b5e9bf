"""The files that a phone needs to install the app: service worker, manifest, and offline page."""

from flask import Blueprint, Response, jsonify, url_for

from scorekeeper.web.respond import render_page
from scorekeeper.web.templates import MEDIA_TYPES, asset_content, asset_url, asset_version

bp = Blueprint("pwa", __name__)

WORKER_FILE = "sw.js"
OFFLINE_PAGE_FILES = ("css/base.css", "js/outbox.js", "js/network.js")
"""The files that the offline page needs; when one of them changes, phones load the page anew."""
ICONS = (
    ("icons/app-192.png", "192x192", "any"),
    ("icons/app-512.png", "512x512", "any"),
    ("icons/app-maskable-512.png", "512x512", "maskable"),
)
"""The file, the size in pixels and the purpose of each icon in the manifest."""


@bp.get("/sw.js")
def worker() -> Response:
    """Send the service worker."""
    # Its URL is at the root, as a worker may handle only URLs below its own.
    # A browser installs the worker again if any byte of it has changed.
    versions = " ".join(asset_version(name) for name in OFFLINE_PAGE_FILES)
    response = Response(asset_content(WORKER_FILE) + f"// {versions}\n".encode(), mimetype=MEDIA_TYPES[".js"])
    response.headers["Cache-Control"] = "no-cache"
    return response


@bp.get("/manifest.webmanifest")
def manifest() -> Response:
    """Send the web app manifest, with the app's name and icons for the home screen."""
    root = url_for("home.index")
    response = jsonify(
        id=root,
        name="Scorekeeper",
        short_name="Scorekeeper",
        description="Keeps score for Pitch by your house rules.",
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
    """Show the offline page, which a phone without a connection shows for pages that are not in its cache."""
    return render_page("pwa/offline.html")
