"""The server's request log: the kind and the route of each request, never the secret link in its address."""

from collections.abc import Iterable
from typing import Any

import pytest
from flask import Flask

from scorekeeper.server.watch import KIND_KEY, ROUTE_KEY
from tests.common.calling import save, with_rest
from tests.common.phone import Page, Phone

Requests = list[tuple[str, str]]


@pytest.fixture
def requests(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Requests:
    """Return the kind and the route of every request from here on."""
    requests: Requests = []
    answer = app.wsgi_app

    def noting(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        parts = answer(environ, start_response)
        requests.append((environ[KIND_KEY], environ[ROUTE_KEY]))
        return parts

    monkeypatch.setattr(app, "wsgi_app", noting)
    return requests


def test_each_request_has_a_kind_and_a_route(match: Page, phone: Phone, requests: Requests) -> None:
    match.open()
    match.open("board?v=0", part=True)
    phone.open("/static/css/base.css")
    phone.open("/nowhere")
    match.send("/undo") if match.has_form("/undo") else phone.post(f"{match.path}undo", {})

    assert requests == [
        ("page", "/matches/<code>/"),
        ("poll", "/matches/<code>/board"),
        ("file", "/static/<path:filename>"),
        ("page", ""),
        ("form", "/matches/<code>/undo"),
    ]


def test_a_saved_hand_is_logged_as_a_hand_and_a_preview_as_a_form(match: Page, requests: Requests) -> None:
    counted = match.open("hands/new").send("/hands/new", {"call": "p4:3"})
    save(with_rest(counted))

    assert [kind for kind, _ in requests if kind in ("hand", "form")] == ["form", "form", "hand"]
