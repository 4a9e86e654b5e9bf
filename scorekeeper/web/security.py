"""Protection of matches and books: response headers, CSRF tokens, roles, and refusal of bad requests.

Each page states the role that it requires, checked before the view runs. Watchers see pages that change nothing,
scorers append events, and only owners do the rest.
"""

import logging
import re
import socket
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Lock, Thread
from time import monotonic
from urllib.parse import urlsplit
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Config, Flask, Request, Response, current_app, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from flask_wtf.csrf import CSRFProtect, generate_csrf
from itsdangerous import BadSignature
from werkzeug.exceptions import BadRequest, NotFound
from werkzeug.middleware.proxy_fix import ProxyFix

from scorekeeper import hooks
from scorekeeper.access.networks import Networks, forwarded_address, is_within, parse_address
from scorekeeper.access.roles import Kind
from scorekeeper.config import MAX_BODY_BYTES, MAX_FORM_BYTES, MAX_REQUEST_FIELDS
from scorekeeper.eventlog.stream import OWNER, NotAllowed, allows
from scorekeeper.hooks import LinkKind
from scorekeeper.server.network import LOOPBACK_HOSTS, base_url
from scorekeeper.web.context import device, load_head, required_role
from scorekeeper.web.errors import (
    PHONE_REMOVED_TEXT,
    TEXTS_BY_STATUS,
    TOO_MANY_FIELDS_TEXT,
    ErrorText,
    error_response,
    fields_to_resend,
)

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "object-src 'none'",
    )
)

DOCUMENT_TYPES = ("text/html", "image/svg+xml")
"""The media types in which a browser runs scripts; responses of other types need no policy."""

DEFAULT_HEADERS = {
    # Anybody who knows the address of a match gets in: no other site may learn it as a visitor's referrer.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex, nofollow",
    # A page is fetched again when somebody goes back to it, so that an old score is never shown as the score.
    "Cache-Control": "private, no-cache",
}
"""The headers of every response that does not set them itself."""

HSTS_VALUE = f"max-age={30 * 24 * 60 * 60}"
"""The value of Strict-Transport-Security: for 30 days a browser opens this host by https only."""

csrf = CSRFProtect()


COOKIE_RENEWAL_AGE = timedelta(days=30)
"""The age of a session cookie at which a visit renews it."""


class TimedSession(SecureCookieSession):
    """A session with the time at which its cookie was signed."""

    signed_at: datetime | None = None


class LongSessionInterface(SecureCookieSessionInterface):
    """Sessions that last 400 days from the last renewal, as phones close the browser between evenings.

    A session only identifies the phone; refusing an old one would empty the phone's list.
    """

    session_class = TimedSession

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """Return the session of a cookie and when it was signed; an empty session without a valid cookie.

        A cookie of any age is valid: a machine without a battery has an unreliable clock.
        """
        serializer, cookie = self.get_signing_serializer(app), request.cookies.get(self.get_cookie_name(app), "")
        assert serializer is not None  # there is a secret key
        try:
            fields, signed_at = serializer.loads(cookie, return_timestamp=True)
        except BadSignature:
            return TimedSession()
        session = TimedSession(fields)
        session.signed_at = signed_at
        return session

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Save a changed session in its cookie, and renew the cookie of a used one after `COOKIE_RENEWAL_AGE`.

        A saved session has the phone's code and a CSRF token.
        """
        signed_at = session.signed_at if isinstance(session, TimedSession) else None
        # A response that is the same for everybody reads no session, and must not have anybody's cookie.
        if session and session.accessed and signed_at:
            is_recent = timedelta() <= datetime.now(UTC) - signed_at < COOKIE_RENEWAL_AGE
            session.modified = session.modified or not is_recent
        if session and session.modified:
            # The phone has its code before it sends its first form, so that two taps are one phone's; and of two pages
            # that it opens at once neither makes a token of its own, which would make the other's invalid.
            device(session)
            generate_csrf()
            session.permanent = True
        super().save_session(app, session, response)
        cookie_name, max_age = self.get_cookie_name(app), int(app.permanent_session_lifetime.total_seconds())
        if cookies := response.headers.getlist("Set-Cookie"):
            # By the browser's clock alone: that of a machine without a battery may be decades behind.
            headers_with_max_age = [
                _EXPIRES_ATTRIBUTE.sub(f"Max-Age={max_age}", header) if header.startswith(f"{cookie_name}=") else header
                for header in cookies
            ]
            response.headers.setlist("Set-Cookie", headers_with_max_age)


_EXPIRES_ATTRIBUTE = re.compile(r"Expires=(?!Thu, 01 Jan 1970)[^;]*")
"""The expiry date in the header of a cookie, unless it deletes the cookie."""


def init_security(app: Flask) -> None:
    """Install all protections on an app, and register the kinds of links to matches and books."""
    app.session_interface = LongSessionInterface()
    # A page may stay open all evening; its token lasts as long as the session it belongs to.
    app.config["WTF_CSRF_TIME_LIMIT"] = None
    # Some browsers send no referrer at all; the token and the cookie's SameSite do the work.
    app.config["WTF_CSRF_SSL_STRICT"] = False
    app.before_request(_check_host)
    app.before_request(_refuse_embedding)
    app.before_request(_limit_body)  # before the form is parsed for its token
    app.before_request(_check_fields)
    csrf.init_app(app)
    app.after_request(_add_headers)
    if app.config["PUBLIC_URL"]:
        # There is a public address only behind a proxy, and its headers are trusted of that proxy alone.
        proxy = TrustedProxies(app.wsgi_app, app.config["PUBLIC_URL"], app.config["PROXIES"])
        app.wsgi_app = proxy  # type: ignore[method-assign]
    hooks.link_kinds["match"], hooks.link_kinds["book"] = MATCH_LINK_KIND, BOOK_LINK_KIND
    app.before_request(_check_role)
    app.register_error_handler(NotAllowed, _show_not_allowed)


class TrustedProxies(ProxyFix):
    """A middleware that believes the forwarding headers of the configured proxies, and of no other machine."""

    def __init__(self, app: WSGIApplication, public_url: str, proxies: Networks) -> None:
        super().__init__(app, x_for=1, x_proto=1, x_host=1, x_prefix=1)
        self._prefix, self._proxies = urlsplit(public_url).path, proxies
        self._has_warned = False

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Pass a request on to the app, with what a trusted proxy's headers say about the client.

        A request from any other machine is passed on as it is.
        """
        peer = environ.get("REMOTE_ADDR", "")
        if not is_within(peer, self._proxies):
            if "HTTP_X_FORWARDED_FOR" in environ and not self._has_warned:
                self._has_warned = True
                logging.getLogger(__name__).warning(
                    "%s is not the configured proxy, so its X-Forwarded-For is not believed. "
                    "If it is your proxy, set SCOREKEEPER_PROXY=%s.",
                    *(peer, peer),
                )
            return self.app(environ, start_response)
        # Few proxies set it, and a header that they do not set they pass on from the client: links would lead to
        # another site.
        if environ.get("HTTP_X_FORWARDED_PREFIX", "").rstrip("/") != self._prefix:
            environ.pop("HTTP_X_FORWARDED_PREFIX", None)
        # Without a valid address clients could not be told apart, and each could pretend to be a new one.
        environ["HTTP_X_FORWARDED_FOR"] = forwarded_address(environ.get("HTTP_X_FORWARDED_FOR", ""), peer)
        return super().__call__(environ, start_response)


def _check_host() -> Response | None:
    """Refuse a request to a host name that is not this server's, against DNS rebinding.

    The health check has no such limit, for proxies.
    """
    config = current_app.config
    if request.endpoint == "health.show" or is_own_host(request.host_url, config):
        return None
    advice = f"Open {base_url(config['HOST'], config['PORT'], config['PUBLIC_URL'])}/ instead."
    if not config["PUBLIC_URL"]:
        advice += f" To open it by this name, start the server with SCOREKEEPER_NAMES={_host_of(request.host_url)}."
    return error_response(421, replace(TEXTS_BY_STATUS[421], advice=advice))


def is_own_host(url: str, config: Config) -> bool:
    """Return whether this server responds at the host of a URL.

    With a public URL, only at its host and at loopback ones. Otherwise at IP addresses, and at names that no stranger
    can register, that the settings have, or that are this machine's.
    """
    host = _host_of(url)
    if config["PUBLIC_URL"]:
        return host in (_host_of(config["PUBLIC_URL"]), *LOOPBACK_HOSTS)
    return not host or _is_ip_or_home_name(host) or host in (config["HOST"], *config["NAMES"]) or host in machine_names


def _host_of(url: str) -> str:
    """Return the host name in a URL, in small letters; empty without a valid one."""
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""


HOME_NAME_ENDINGS = (".local", ".lan", ".home.arpa", ".internal")
"""Endings of host names that no stranger can register."""
NETWORK_NAME_INTERVAL_S, NETWORK_NAME_TIMEOUT_S = 60.0, 0.5
"""Seconds between two look-ups of this machine's network name, and the most that a request waits for a look-up."""


def _is_ip_or_home_name(host: str) -> bool:
    """Return whether a host is an IP address, or a name that no stranger can register."""
    return "." not in host or host.endswith(HOME_NAME_ENDINGS) or parse_address(host) is not None


class MachineNames:
    """A set of this machine's host names, which may change while it serves."""

    def __init__(self) -> None:
        self._network_name = ""
        self._next_look_up = 0.0
        self._look_up_lock = Lock()

    def __contains__(self, name: str) -> bool:
        """Return whether this is a name of this machine, as far as it is known."""
        if name == socket.gethostname().lower():
            return True
        if monotonic() >= self._next_look_up and self._look_up_lock.acquire(blocking=False):
            # A name server that does not answer keeps nobody waiting.
            look_up = Thread(target=self._look_up, name="machine names", daemon=True)
            look_up.start()
            look_up.join(NETWORK_NAME_TIMEOUT_S)
        return name == self._network_name

    def _look_up(self) -> None:
        """Store this machine's name on the network, if it can be found."""
        with suppress(OSError, UnicodeError):
            self._network_name = socket.getfqdn().rstrip(".").lower()
        self._next_look_up = monotonic() + NETWORK_NAME_INTERVAL_S
        self._look_up_lock.release()


machine_names = MachineNames()

EMBEDDABLE_ENDPOINTS = ("static", "pwa.manifest", "health.show")
"""Endpoints that pages of other sites may load: cheap, and without data of a match."""
_EMBEDDING_REFUSAL_TEXT = "This can’t be shown inside another site. Open it by its own address.\n"


def _refuse_embedding() -> Response | None:
    """Refuse what a page of another site loads by itself, such as an image.

    Followed links, sent forms and `EMBEDDABLE_ENDPOINTS` are let through.
    """
    if request.endpoint in EMBEDDABLE_ENDPOINTS or not _is_embedded():
        return None
    return Response(_EMBEDDING_REFUSAL_TEXT, status=403, mimetype="text/plain")


def _is_embedded() -> bool:
    """Return whether a page of another site made this request by itself: nobody followed a link or sent a form."""
    headers = request.headers
    if site := headers.get("Sec-Fetch-Site"):
        is_followed = (headers.get("Sec-Fetch-Mode"), headers.get("Sec-Fetch-Dest")) == ("navigate", "document")
        return site == "cross-site" and not is_followed
    if request.method not in ("GET", "HEAD"):
        return False  # the request needs the token of a form
    # Over plain http, and in older browsers, only these headers show it; a followed link accepts HTML.
    origin, referrer = headers.get("Origin"), headers.get("Referer")
    accepts_page = "text/html" in headers.get("Accept", "")
    return _is_other_site(origin) or (_is_other_site(referrer) and not accepts_page)


def _is_other_site(url: str | None) -> bool:
    """Return whether a URL is of another site; an invalid one is, an empty one is not."""
    if not url:
        return False
    try:
        site = urlsplit(url).netloc
    except ValueError:
        return True
    return not site or site not in (request.host, urlsplit(current_app.config["PUBLIC_URL"]).netloc)


def _limit_body() -> None:
    """Set the size limit of this request's body: low for a form, high for a form with a file."""
    # Flask limits the fields of a form that has a file, and a form without one only by the largest body.
    has_file = request.mimetype == "multipart/form-data"
    request.max_content_length = MAX_BODY_BYTES if has_file else MAX_FORM_BYTES


def _check_fields() -> Response | None:
    """Return an error page for a request with more fields than any form has, else `None`.

    Raises `NotFound` for a NUL character in the path, and `BadRequest` for bad fields.
    """
    # No text in PostgreSQL can have this character.
    if "\0" in request.path:
        raise NotFound
    sent = [field for fields in (request.args, request.form) for field in fields.lists()]
    if sum(len(texts) for _, texts in sent) > MAX_REQUEST_FIELDS:
        return error_response(413, TOO_MANY_FIELDS_TEXT)
    # The name of a form's part may be missing.
    if any(name is None or "\0" in name or "\0" in "".join(texts) for name, texts in sent):
        raise BadRequest
    return None


def _add_headers(response: Response) -> Response:
    """Add the common headers that a response lacks, and to a document the security policy."""
    for name, value in common_headers(current_app).items():
        response.headers.setdefault(name, value)
    if response.mimetype in DOCUMENT_TYPES:
        response.headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
    return response


def common_headers(app: Flask) -> dict[str, str]:
    """Return the default headers of every response, with HSTS if the public URL is https."""
    is_https = app.config["PUBLIC_URL"].startswith("https://")
    return DEFAULT_HEADERS | {"Strict-Transport-Security": HSTS_VALUE} if is_https else DEFAULT_HEADERS


SCORERS_ONLY_TEXT = ErrorText(
    "This phone is watching",
    "This phone can watch but not score, so nothing was saved.",
    "Ask whoever started the match to let it score.",
)
OWNERS_ONLY_TEXT = ErrorText(
    "This phone can’t do that",
    "Only an owner’s phone can do this.",
    "Ask whoever started the match.",
)
MATCH_LINK_KIND = LinkKind(
    route_prefix="/matches/<code>",
    join_endpoint="join.ask_seat",
    owners_only=OWNERS_ONLY_TEXT,
    scorers_only=SCORERS_ONLY_TEXT,
    removed=PHONE_REMOVED_TEXT,
)
BOOK_LINK_KIND = LinkKind(
    route_prefix="/books/<code>",
    join_endpoint="join.ask_seat",
    owners_only=replace(OWNERS_ONLY_TEXT, advice="Ask whoever started this list."),
    scorers_only=replace(SCORERS_ONLY_TEXT, advice="Ask whoever started this list to let this phone score."),
    removed=ErrorText(
        "This phone was removed",
        "This phone’s link to this list of matches no longer works.",
        "To come back, ask for the QR code or PIN of these matches.",
    ),
)


def _check_role() -> Response | None:
    """Return an error page if the link's role does not allow the requested page, else `None`."""
    kind = _link_kind()
    if kind is None or request.url_rule is None:
        return None
    role, code = required_role(request.url_rule.endpoint), (request.view_args or {})["code"]
    if allows(load_head(code, kind).link.role, role):
        return None
    link_kind = hooks.link_kinds[kind]
    text = link_kind.owners_only if role == OWNER else link_kind.scorers_only
    if kind != "match":
        return error_response(403, text)
    # A phone that becomes a scorer's can send the form again.
    return error_response(403, text, resend=fields_to_resend(), match_code=code)


def _link_kind() -> Kind | None:
    """Return the kind of access link that leads to the requested page; `None` for a page without one."""
    rule = request.url_rule.rule if request.url_rule else ""
    return next((kind for kind, link_kind in hooks.link_kinds.items() if rule.startswith(link_kind.route_prefix)), None)


def _show_not_allowed(_refused: NotAllowed) -> Response:
    """Show that this phone may open the page but not do this, such as undo an owner's action."""
    kind, code = _link_kind() or "match", (request.view_args or {})["code"]
    if kind != "match":
        return error_response(403, hooks.link_kinds[kind].owners_only)
    return error_response(
        403, OWNERS_ONLY_TEXT if load_head(code).link.may_score else SCORERS_ONLY_TEXT, match_code=code
    )
