"""Responses with pages and files, and URLs. All headers of htmx are read and written here.

The kind and the route of a request are stored here for the server's log and metrics.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from flask import Response, current_app, make_response, redirect, render_template, request, url_for
from jinja2_fragments.flask import render_blocks

from scorekeeper.database.engine import htmx
from scorekeeper.pitch.text.phrases import bind_seat_numbers, isolate_rtl_names, resolve_pronouns
from scorekeeper.server.network import LOOPBACK_HOSTS, NO_PUBLIC_URL_TEXT, base_url
from scorekeeper.server.watch import KIND_KEY, ROUTE_KEY

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


HTMX_HEADERS = ("HX-Request", "HX-Boosted", "HX-History-Restore-Request")
"""The request headers of htmx on which responses depend."""


def wants_fragment() -> bool:
    """Return whether htmx requested a part of a page, and not a whole page."""
    return bool(htmx) and not htmx.boosted and not htmx.history_restore_request


def render_page(template: str, *, block: str | Sequence[str] = (), status: int = 0, **values: object) -> Response:
    """Return a page rendered from a template, or only the blocks `block` if htmx requested a part.

    By default, a page with `faults`, a `fault` or a `refusal` has status 422, and any other 200. A page with a
    `description` may be indexed by search engines.
    """
    status = status or (422 if any(values.get(name) for name in ("faults", "fault", "refusal")) else 200)
    blocks = wanted_blocks((block,) if isinstance(block, str) else block)
    response = make_response(render_html(template, values, blocks), status)
    if status == 200 and values.get("description") and not blocks:
        response.headers["X-Robots-Tag"] = "all"
    return add_vary(response)


def wanted_blocks(blocks: Sequence[str]) -> tuple[str, ...]:
    """Return these blocks if htmx requested a part of a page, else none for the whole page."""
    return tuple(blocks) if blocks and wants_fragment() else ()


def render_html(template: str, values: Mapping[str, object], blocks: Sequence[str] = ()) -> str:
    """Return the HTML of a template with these values, or only of the named blocks.

    Pronouns become words, and right-to-left names do not reorder the text.
    """
    page = render_blocks(template, list(blocks), **values) if blocks else render_template(template, **values)
    return isolate_rtl_names(bind_seat_numbers(resolve_pronouns(page)))


def template_values(page: "DataclassInstance") -> dict[str, object]:
    """Return the fields of a page's dataclass by name, for its template."""
    return {field.name: getattr(page, field.name) for field in fields(page)}


def see_other(location: str) -> Response:
    """Return a redirect with status 303, or with the redirect header of htmx if it requested a part of a page."""
    if wants_fragment():
        response = make_response("", 200)
        response.headers["HX-Redirect"] = location
        return add_vary(response)
    return add_vary(make_response(redirect(location, code=303)))


def redirect_to(endpoint: str, **values: Any) -> Response:
    """Return a redirect to the URL of an endpoint with these values, as `see_other` does."""
    return see_other(url_for(endpoint, **values))


def no_news_response() -> Response:
    """Return status 204 for a poll without changes: htmx then leaves the page alone."""
    return add_vary(make_response("", 204))


def retarget_to_trouble(response: Response) -> None:
    """Make htmx put a response into the page's element for errors, `#trouble`, and not where it was requested.

    Has no effect unless htmx requested a part of a page.
    """
    if wants_fragment():
        response.headers["HX-Retarget"] = "#trouble"
        response.headers["HX-Reswap"] = "innerHTML"
        # Otherwise htmx would select the part that the page names, which is not in this response.
        response.headers["HX-Reselect"] = "unset"


def replace_url(response: Response, url: str) -> Response:
    """Make htmx show this URL in the browser's bar, and return the response.

    Has no effect unless htmx requested a part of a page.
    """
    if wants_fragment():
        response.headers["HX-Replace-Url"] = url
    return response


def add_vary(response: Response) -> Response:
    """Add htmx's headers to a response's `Vary`, as pages and their parts share their URLs; return the response."""
    response.vary.update(HTMX_HEADERS)
    return response


MAX_FILE_STEM_LENGTH = 80


def file_name(title: str, ending: str) -> str:
    """Return a file name for a title: its letters and digits, with hyphens between words.

    A long title is cut; one without letters and digits becomes "pitch".
    """
    words = re.sub(r"[^\w]+", "-", unicodedata.normalize("NFC", title), flags=re.UNICODE).strip("-_")
    return f"{words[:MAX_FILE_STEM_LENGTH].strip('-') or 'pitch'}.{ending}"


def make_download(response: Response, name: str, *, is_inline: bool = False) -> Response:
    """Make a response a file to save under a name, and return it.

    With `is_inline`, the browser opens it first.
    """
    ascii_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode() or "pitch"
    options = {"filename": ascii_name}
    if ascii_name != name:
        options["filename*"] = f"UTF-8''{quote(name, safe='')}"
    response.headers.set("Content-Disposition", "inline" if is_inline else "attachment", **options)
    return response


def external_url(endpoint: str, **values: Any) -> str:
    """Return the absolute URL of a page, if possible one by which other phones can open it."""
    config = current_app.config
    if config["PUBLIC_URL"]:
        # The public address already includes a proxy's prefix.
        path = url_for(endpoint, **values).removeprefix(request.script_root)
        return f"{config['PUBLIC_URL']}{path}"
    if _is_opened_by_local_name() and not config["IN_CONTAINER"]:
        # Opened on the machine itself, or by a name that older phones cannot resolve: others get the IP address.
        return f"{base_url(config['HOST'], config['PORT'])}{url_for(endpoint, **values)}"
    return url_for(endpoint, **values, _external=True)


def _is_opened_by_local_name() -> bool:
    """Return whether this page was opened by a name that may not lead other phones here: loopback or .local."""
    name = urlsplit(request.host_url).hostname or ""
    return name in LOOPBACK_HOSTS or name.endswith(".local")


def public_url_note() -> str:
    """Return a note that phones can only open this server after a public URL is set; empty if they can."""
    config = current_app.config
    is_address_unknown = config["IN_CONTAINER"] and not config["PUBLIC_URL"] and _is_opened_by_local_name()
    return NO_PUBLIC_URL_TEXT if is_address_unknown else ""


def contact() -> str:
    """Return the contact for reports of content to remove; empty if none is set."""
    return str(current_app.config["CONTACT"])


def removal_time(used: datetime | None = None) -> datetime | None:
    """Return when data last used at this time, by default now, is removed; `None` if never."""
    days = current_app.config["KEEP_UNUSED"]
    return (used or datetime.now(UTC)) + timedelta(days=days) if days else None


def without_scheme(url: str) -> str:
    """Return a URL without its scheme, as people type it."""
    return url.partition("://")[2]


def is_local_path(path: str) -> bool:
    """Return whether a path leads to a page of this site, not of another."""
    is_plain = "\\" not in path and all(ord(letter) > 32 for letter in path)
    return is_plain and path.startswith("/") and not path.startswith("//")


def is_match_page() -> bool:
    """Return whether the requested page belongs to a match, for which the phone may store unsent hands."""
    return request.url_rule is not None and request.url_rule.rule.startswith("/matches/<code>/")


def may_install() -> bool:
    """Return whether a browser can install the app from the URL of this page: over https, or on this machine.

    Elsewhere no page mentions installing, as the browser would refuse.
    """
    return request.is_secure or urlsplit(request.host_url).hostname in LOOPBACK_HOSTS


def mark_request_as_hand() -> None:
    """Mark this request as one that saves a hand, for the server's log and metrics."""
    request.environ[KIND_KEY] = "hand"


def write_kind_and_route(response: Response) -> Response:
    """Write a request's kind and route into its WSGI environment, for the log; return the same response."""
    kind = "form" if request.method == "POST" else "page"
    if request.endpoint == "static":
        kind = "file"
    elif response.mimetype in ("application/pdf", "image/png"):
        kind = "print"
    request.environ[ROUTE_KEY] = str(request.url_rule or "")
    request.environ.setdefault(KIND_KEY, kind)
    return response
