"""How a page is answered: whole or in part. Every header of htmx is read and written here."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from flask import Response, make_response, redirect, render_template
from jinja2_fragments.flask import render_blocks

from scorekeeper.extensions import htmx

READ_HEADERS = ("HX-Request", "HX-Boosted", "HX-History-Restore-Request")


def wants_fragment() -> bool:
    """Say whether htmx asked for a part: not for a boosted link, nor for a page that it has forgotten."""
    return bool(htmx) and not htmx.boosted and not htmx.history_restore_request


def page(
    template: str,
    context: object,
    *,
    block: str | Sequence[str] | None = None,
    status: int = 200,
    trigger: Mapping[str, Any] | None = None,
    address: str | None = None,
) -> Response:
    """Answer with a page, or with only the named blocks of it where htmx asked for a part.

    `trigger` names events for the scripts of the page; `address` is what the browser shows from now on.
    """
    render = partial(render_template, template)
    is_part = block is not None and wants_fragment()
    if block is not None and is_part:
        render = partial(render_blocks, template, [block] if isinstance(block, str) else list(block))
    response = make_response(render(page=context), status)
    if is_part and trigger:
        response.headers["HX-Trigger"] = json.dumps(trigger)
    if is_part and address:
        response.headers["HX-Push-Url"] = address
    return vary(response)


def fragment_or_redirect(
    template: str,
    context: object,
    *,
    block: str | Sequence[str],
    location: str,
    trigger: Mapping[str, Any] | None = None,
    address: str | None = None,
) -> Response:
    """Answer a form that was taken: its blocks to htmx, and the way to the next page to everyone else."""
    if wants_fragment():
        return page(template, context, block=block, trigger=trigger, address=address)
    return see_other(location)


def see_other(location: str) -> Response:
    """Send the browser on to another page; htmx is told to leave the one that it is on."""
    if wants_fragment():
        response = make_response("", 200)
        response.headers["HX-Redirect"] = location
        return vary(response)
    return vary(make_response(redirect(location, code=303)))


def nothing_new() -> Response:
    """Answer a poll where nothing has changed: htmx then touches nothing."""
    return vary(make_response("", 204))


def instead_of(selector: str, response: Response, *, swap: str = "innerHTML") -> Response:
    """Put what is answered to htmx somewhere else than it asked for."""
    if wants_fragment():
        response.headers["HX-Retarget"] = selector
        response.headers["HX-Reswap"] = swap
        # What was asked for names a part of its own page, which is not in this answer.
        response.headers["HX-Reselect"] = "unset"
    return response


def vary(response: Response) -> Response:
    """Say that whole and part live at one address, so that no cache mixes them up."""
    response.vary.update(READ_HEADERS)
    return response
