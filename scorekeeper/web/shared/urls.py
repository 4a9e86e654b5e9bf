"""Addresses: whole ones for other phones, and paths that stay on this site."""

from typing import Any
from urllib.parse import urlsplit

from flask import current_app, request, url_for

from scorekeeper.serving.network import LOOPBACK, base_url


def external_url(endpoint: str, **values: Any) -> str:
    """Return the whole address of a page, as another phone reaches it."""
    config = current_app.config
    if config["PUBLIC_URL"]:
        # A proxy's prefix is part of the public address already.
        path = url_for(endpoint, **values).removeprefix(request.script_root)
        return f"{config['PUBLIC_URL']}{path}"
    name = request.host.rpartition(":")[0] or request.host
    if name in LOOPBACK or name.endswith(".local"):
        # Opened on the machine itself, or by a name that older phones cannot resolve: others get the number.
        return f"{base_url(config['HOST'], config['PORT'])}{url_for(endpoint, **values)}"
    return url_for(endpoint, **values, _external=True)


def without_scheme(url: str) -> str:
    """Return an address as people type it."""
    return url.partition("://")[2]


def is_local_path(path: str) -> bool:
    """Return whether this leads to a page of this site and nowhere else."""
    if not path.startswith("/") or "\\" in path or any(ord(letter) < 33 for letter in path):
        return False
    parts = urlsplit(path)
    return not parts.scheme and not parts.netloc and not path.startswith("//")


def may_install() -> bool:
    """Return whether browsers can install from this address: only over https, and on the machine itself.

    Everywhere else no page mentions it, so that none promises what a browser will not do.
    """
    return request.is_secure or urlsplit(request.host_url).hostname in LOOPBACK
