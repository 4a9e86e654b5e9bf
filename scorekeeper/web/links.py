"""Addresses: whole ones to be shown to other phones, and paths that stay on this site."""

from typing import Any
from urllib.parse import urlsplit

from flask import current_app, request, url_for

from scorekeeper.lan import LOOPBACK, base_url


def shown_url(endpoint: str, **values: Any) -> str:
    """Give the whole address of a page, as another phone reaches it."""
    config = current_app.config
    if config["PUBLIC_URL"]:
        # A proxy's prefix is part of the public address already.
        path = url_for(endpoint, **values).removeprefix(request.script_root)
        return f"{config['PUBLIC_URL']}{path}"
    if request.host.rpartition(":")[0] in LOOPBACK or request.host in LOOPBACK:
        # Opened on the machine itself, whose own name for itself means nothing to a phone.
        return f"{base_url(config['HOST'], config['PORT'])}{url_for(endpoint, **values)}"
    return url_for(endpoint, **values, _external=True)


def is_own_path(path: str) -> bool:
    """Say whether this leads to a page of this site and nowhere else."""
    if not path.startswith("/") or "\\" in path or any(ord(letter) < 33 for letter in path):
        return False
    parts = urlsplit(path)
    return not parts.scheme and not parts.netloc and not path.startswith("//")
