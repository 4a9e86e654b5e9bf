"""What protects a match: headers on every answer, a token in every form, cookies, and trust in proxies."""

from typing import Any, cast

from flask import Flask, Response, request
from flask.sessions import SecureCookieSessionInterface, SessionMixin
from flask_wtf.csrf import CSRFProtect
from werkzeug.middleware.proxy_fix import ProxyFix

from scorekeeper.config import LARGEST_FORM

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "object-src 'none'",
    )
)

HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    # Whoever knows the address of a match gets in: no other site learns where a visitor came from.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex, nofollow",
    # A page is fetched again when somebody goes back to it, so that an old score is never shown as the score.
    "Cache-Control": "private, no-cache",
}

csrf = CSRFProtect()


class LongSessions(SecureCookieSessionInterface):
    """Sessions that outlive the browser, which a phone closes between two evenings."""

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Make a session permanent as soon as there is anything in it."""
        if session and session.modified and not session.permanent:
            session.permanent = True
        super().save_session(app, session, response)


def init_security(app: Flask) -> None:
    """Protect every page of an app."""
    app.session_interface = LongSessions()
    # A page may stay open all evening; its token lasts as long as the session it belongs to.
    app.config["WTF_CSRF_TIME_LIMIT"] = None
    # Some browsers send no referrer at all; the token and the cookie's SameSite do the work.
    app.config["WTF_CSRF_SSL_STRICT"] = False
    app.before_request(_limit_form)  # before it is read for its token
    csrf.init_app(app)
    app.after_request(_add_headers)
    if app.config["PUBLIC_URL"]:
        # There is a public address only behind a proxy, and only then are its headers trusted.
        fixed = ProxyFix(app.wsgi_app, x_for=1, x_proto=1, x_host=1, x_prefix=1)
        app.wsgi_app = cast(Any, fixed)  # type: ignore[method-assign]


def _limit_form() -> None:
    # Flask limits the fields of a form that has a file, and a form without one only by the largest body.
    if request.mimetype != "multipart/form-data":
        request.max_content_length = LARGEST_FORM


def _add_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response
