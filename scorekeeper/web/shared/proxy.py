"""Whom a proxy may speak for: what it says of the phone behind it is believed of the configured proxy alone."""

import logging
from collections.abc import Iterable, Sequence
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_address
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment


class ConfiguredProxy:
    """A WSGI app that hands on to `believing` what comes from a proxy, and anything else to the app itself."""

    def __init__(
        self, app: WSGIApplication, believing: WSGIApplication, proxies: Sequence[IPv4Network | IPv6Network]
    ) -> None:
        self._app, self._believing, self._proxies = app, believing, proxies
        self._is_proxy = lru_cache(1000)(self._looked_up)
        self._has_warned = False

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        peer = environ.get("REMOTE_ADDR", "")
        if self._is_proxy(peer):
            return self._believing(environ, start_response)
        if "HTTP_X_FORWARDED_FOR" in environ and not self._has_warned:
            self._has_warned = True
            logging.getLogger(__name__).warning(
                "%s is not the configured proxy, so its X-Forwarded-For is not believed. "
                "If it is your proxy, set SCOREKEEPER_PROXY=%s.",
                *(peer, peer),
            )
        return self._app(environ, start_response)

    def _looked_up(self, peer: str) -> bool:
        try:
            address = ip_address(peer.partition("%")[0].strip("[]"))
        except ValueError:
            return False
        address = (address.ipv4_mapped if address.version == 6 else None) or address
        return any(address in proxy for proxy in self._proxies)
