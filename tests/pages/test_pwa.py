"""The web app manifest, which pages link only where a browser would install the app."""

import json
import struct

import pytest
from flask import Flask

from scorekeeper.pages.pwa import OFFLINE_PAGE_FILES
from scorekeeper.paths import STATIC
from tests.common.phone import Page, Phone


def opened(phone: Phone, base: str) -> Page:
    """Open the home page at an address, which the server answers to."""
    phone.client.application.config["NAMES"] = ("pitch.example",)
    return Page(phone.client.get("/", base_url=base), phone)


@pytest.mark.parametrize("base", ["http://192.168.1.20:8000", "http://pitch.example", "http://kitchen.local:8000"])
def test_over_plain_http_it_cannot_be_installed(phone: Phone, base: str) -> None:
    page = opened(phone, base)

    assert page.all("link", rel="manifest") == []
    assert [script.attrs["src"] for script in page.all("script") if "data-copies" in script.attrs] == []


@pytest.mark.parametrize("base", ["https://pitch.example", "http://localhost", "http://127.0.0.1:8000", "http://[::1]"])
def test_where_browsers_keep_pages_the_app_can_be_installed(phone: Phone, base: str) -> None:
    page = opened(phone, base)

    address = page.one("link", rel="manifest").attrs["href"]
    manifest = json.loads(phone.client.get(address, base_url=base).text)

    assert [script.attrs["src"] for script in page.all("script") if "data-copies" in script.attrs] != []
    assert (manifest["display"], manifest["start_url"], manifest["scope"]) == ("standalone", "/", "/")
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        picture = phone.client.get(icon["src"], base_url=base)
        assert picture.mimetype == "image/png"
        width, height = struct.unpack(">II", picture.data[16:24])
        assert icon["sizes"] == f"{width}x{height}"


def test_the_worker_lies_at_the_root_and_is_asked_for_every_time(phone: Phone) -> None:
    answer = phone.client.get("/sw.js")

    assert answer.mimetype == "text/javascript"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert answer.text.count("addEventListener") == (STATIC / "sw.js").read_text().count("addEventListener") > 0


def test_the_worker_changes_with_what_it_shows_offline(phone: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    before = phone.client.get("/sw.js").text

    monkeypatch.setattr("scorekeeper.pages.pwa.asset_version", lambda name: f"{name} of tomorrow")

    assert before != phone.client.get("/sw.js").text
    assert all((STATIC / name).exists() for name in OFFLINE_PAGE_FILES)


def test_below_a_proxy_s_path_everything_stays_below_it(app: Flask) -> None:
    answer = app.test_client().get("/manifest.webmanifest", base_url="https://oma.local/pitch")

    manifest = json.loads(answer.text)

    assert (manifest["start_url"], manifest["scope"]) == ("/pitch/", "/pitch/")
    assert all(icon["src"].startswith("/pitch/static/") for icon in manifest["icons"])


def test_the_page_without_a_network_leads_home(phone: Phone) -> None:
    page = phone.open("/offline")

    assert page.status == 200
    assert page.tap("Home").path == "/"
