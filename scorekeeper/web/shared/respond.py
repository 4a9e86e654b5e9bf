"""How a page is answered: whole, in part, or with a redirect. Every header of htmx is read and written here."""

from collections.abc import Mapping, Sequence

from flask import Response, make_response, redirect, render_template
from jinja2_fragments.flask import render_blocks

from scorekeeper.extensions import htmx

READ_HEADERS = ("HX-Request", "HX-Boosted", "HX-History-Restore-Request")


def wants_fragment() -> bool:
    """Return whether htmx asked for a part: not for a boosted link, nor for a page that it has forgotten."""
    return bool(htmx) and not htmx.boosted and not htmx.history_restore_request


def render_page(
    template: str, page: object = None, *, block: str | Sequence[str] = (), status: int = 200, **values: object
) -> Response:
    """Answer with a page of these values, or with only the named blocks of it where htmx asked for a part.

    A page with a `description` may be found by a search.
    """
    blocks = wanted_blocks((block,) if isinstance(block, str) else block)
    if page is not None:
        values["page"] = page
    response = make_response(rendered(template, values, blocks), status)
    if blocks:
        return vary(response)
    if status == 200 and (values.get("description") or getattr(page, "description", "")):
        response.headers["X-Robots-Tag"] = "all"
    return vary(response)


def wanted_blocks(blocks: Sequence[str]) -> tuple[str, ...]:
    """Return the blocks of a page to answer with: none, for the whole page, unless htmx asked for a part."""
    return tuple(blocks) if blocks and wants_fragment() else ()


def rendered(template: str, values: Mapping[str, object], blocks: Sequence[str] = ()) -> str:
    """Return a page of these values, or only the named blocks of it."""
    return render_blocks(template, list(blocks), **values) if blocks else render_template(template, **values)


def see_other(location: str) -> Response:
    """Redirect the browser to another page; with htmx, from the page that is open."""
    if wants_fragment():
        response = make_response("", 200)
        response.headers["HX-Redirect"] = location
        return vary(response)
    return vary(make_response(redirect(location, code=303)))


def nothing_new() -> Response:
    """Answer a poll where nothing has changed: htmx then touches nothing."""
    return vary(make_response("", 204))


def retarget(response: Response, selector: str) -> None:
    """Make htmx put a part inside another element than the one that asked for it."""
    if wants_fragment():
        response.headers["HX-Retarget"] = selector
        response.headers["HX-Reswap"] = "innerHTML"
        # The page that asked selects a part of its own, which is not in this answer.
        response.headers["HX-Reselect"] = "unset"


def replace_address(response: Response, url: str) -> Response:
    """Put an address into the browser's bar in the place of the one that htmx asked."""
    if wants_fragment():
        response.headers["HX-Replace-Url"] = url
    return response


def vary(response: Response) -> Response:
    """Declare that whole and part live at one address, so that no cache mixes them up."""
    response.vary.update(READ_HEADERS)
    return response
