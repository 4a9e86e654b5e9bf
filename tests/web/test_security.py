"""What protects a match: headers, tokens in forms, cookies, bounds, and whom a proxy may speak for."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from flask import Flask, jsonify, render_template_string, request
from flask.testing import FlaskClient
from itsdangerous import TimestampSigner

from scorekeeper.config import LARGEST_BODY, MAX_FIELDS
from scorekeeper.web import security
from scorekeeper.web.respond import external_url, is_local_path
from tests.common.apps import make_app

ORIGIN = {"Origin": "http://localhost"}


def add_pages(app: Flask) -> None:
    app.add_url_rule("/form", view_func=lambda: render_template_string("{{ csrf_token() }}"), endpoint="form")
    app.add_url_rule("/take", view_func=lambda: jsonify(request.form.to_dict()), methods=["POST"], endpoint="take")
    app.add_url_rule(
        "/seen", view_func=lambda: f"{request.scheme} {request.host} {request.remote_addr}", endpoint="seen"
    )
    app.add_url_rule("/shown", view_func=lambda: external_url("shown"), endpoint="shown")


@pytest.fixture
def pages(app: Flask) -> FlaskClient:
    """Make a client of an app with a form; its posts need their token."""
    return app.test_client()


def behind_proxy(tmp_path: Path, public_url: str = "https://pitch.example", proxy: str = "") -> FlaskClient:
    app = make_app(tmp_path, SCOREKEEPER_PUBLIC_URL=public_url, SCOREKEEPER_PROXY=proxy)
    add_pages(app)
    return app.test_client()


def set_cookie(client: FlaskClient, path: str = "/form") -> SimpleCookie:
    return SimpleCookie(client.get(path).headers["Set-Cookie"])


@pytest.mark.parametrize("path", ["/form", "/nowhere", "/static/vendor/htmx-2.0.11.min.js"])
@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("Referrer-Policy", "same-origin"),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Robots-Tag", "noindex, nofollow"),
    ],
)
def test_every_answer_carries_the_headers(pages: FlaskClient, path: str, header: str, value: str) -> None:
    assert pages.get(path).headers[header] == value


def test_nothing_runs_or_loads_from_elsewhere_or_from_inside_a_page(pages: FlaskClient) -> None:
    said = pages.get("/form").headers["Content-Security-Policy"].split("; ")

    assert set(said) >= {"default-src 'self'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"}
    assert not any("unsafe" in rule or "*" in rule for rule in said)


@pytest.mark.parametrize(
    ("path", "has_policy"), [("/", True), ("/static/icons/favicon.svg", True), ("/static/css/base.css", False)]
)
def test_what_a_browser_could_run_scripts_of_has_the_policy(pages: FlaskClient, path: str, has_policy: bool) -> None:
    assert ("Content-Security-Policy" in pages.get(path).headers) == has_policy


def test_a_page_is_requested_again_when_somebody_goes_back_to_it(pages: FlaskClient) -> None:
    assert pages.get("/form").headers["Cache-Control"] == "private, no-cache"


IMAGE = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
FRAME = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}
LINK = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
POLL = {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"}
ELSEWHERE = "https://elsewhere.example"
A_PAGE = "text/html,application/xhtml+xml,*/*;q=0.8"


@pytest.mark.parametrize(
    ("path", "headers", "is_refused"),
    [
        ("/settle", IMAGE, True),
        ("/settle", FRAME, True),
        ("/settle", LINK, False),
        ("/settle", POLL, False),
        ("/static/css/base.css", IMAGE, False),
        ("/settle", {"Origin": ELSEWHERE}, True),
        ("/settle", {"Origin": "null"}, True),
        ("/settle", {"Origin": "http://localhost"}, False),
        ("/settle", {"Referer": f"{ELSEWHERE}/", "Accept": "image/webp,*/*;q=0.8"}, True),
        ("/settle", {"Referer": f"{ELSEWHERE}/", "Accept": A_PAGE}, False),
        ("/settle", {"Referer": "http://localhost/", "Accept": "image/webp,*/*;q=0.8"}, False),
        ("/settle", {}, False),
    ],
)
def test_a_page_elsewhere_may_link_here_and_embed_nothing(
    pages: FlaskClient, path: str, headers: dict[str, str], is_refused: bool
) -> None:
    answer = pages.get(path, headers=headers)

    assert (answer.status_code == 403) == is_refused
    assert ("inside another site" in answer.text) == is_refused


def test_a_form_without_its_token_changes_nothing(pages: FlaskClient) -> None:
    assert pages.post("/take", data={"bid": "3"}).status_code == 400


def test_a_token_of_another_device_is_refused(pages: FlaskClient, app: Flask) -> None:
    theirs = app.test_client().get("/form").text
    pages.get("/form")

    assert pages.post("/take", data={"csrf_token": theirs}).status_code == 400


def test_an_expired_form_can_be_sent_again_with_all_that_was_entered(pages: FlaskClient) -> None:
    page = pages.post("/take", data={"bid": "3", "who": 'A"n<n', "csrf_token": "old"}, headers=ORIGIN)
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page.text))

    again = pages.post("/take", data={"bid": fields["bid"], "csrf_token": fields["csrf_token"]})

    assert page.status_code == 400
    assert fields["who"] == "A&#34;n&lt;n"
    assert again.get_json()["bid"] == "3"


@pytest.mark.parametrize(
    "origin", [None, "null", "https://evil.example", "http://localhost.evil.example", "https://localhost"]
)
def test_what_another_site_sent_is_not_offered_again(pages: FlaskClient, origin: str | None) -> None:
    headers = {} if origin is None else {"Origin": origin}

    page = pages.post("/take", data={"bid": "3"}, headers=headers)

    assert page.status_code == 400
    assert 'name="bid"' not in page.text


def test_the_cookie_is_for_this_site_and_no_script(pages: FlaskClient) -> None:
    cookie = set_cookie(pages)["scorekeeper"]

    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


def test_the_cookie_works_on_plain_http_at_home(pages: FlaskClient) -> None:
    assert not set_cookie(pages)["scorekeeper"]["secure"]


def test_the_cookie_is_sent_over_https_only_where_the_address_is_https(tmp_path: Path) -> None:
    assert set_cookie(behind_proxy(tmp_path))["scorekeeper"]["secure"]


def test_a_static_file_sets_no_cookie(pages: FlaskClient) -> None:
    answer = pages.get("/static/vendor/htmx-2.0.11.min.js")

    assert "Set-Cookie" not in answer.headers
    assert "Cookie" not in answer.headers["Vary"]


def test_a_body_larger_than_any_file_is_refused(pages: FlaskClient) -> None:
    assert pages.post("/take", data=b"x" * (LARGEST_BODY + 1)).status_code == 413


def test_a_form_larger_than_any_entry_is_refused(pages: FlaskClient) -> None:
    assert pages.post("/take", data={"note": "x" * 200_000}).status_code == 413


def test_a_form_of_too_many_parts_is_refused(pages: FlaskClient) -> None:
    parts = {f"field{number}": "x" for number in range(MAX_FIELDS + 1)}

    assert pages.post("/take", data=parts, content_type="multipart/form-data").status_code == 413


FORWARDED = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "pitch.example"}


def test_without_a_public_address_no_proxy_is_trusted(pages: FlaskClient) -> None:
    assert pages.get("/seen", headers=FORWARDED).text == "http localhost 127.0.0.1"


def test_with_a_public_address_the_proxys_headers_are_trusted(tmp_path: Path) -> None:
    assert behind_proxy(tmp_path).get("/seen", headers=FORWARDED).text == "https pitch.example 203.0.113.9"


@pytest.mark.parametrize(
    ("named", "address"),
    [
        ("203.0.113.9:51234", "203.0.113.9"),
        ("198.51.100.1, 203.0.113.9:51234", "203.0.113.9"),
        ("[2001:db8::9]:51234", "2001:db8::9"),
        ("[2001:db8::9]", "2001:db8::9"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        *(
            (nothing, "127.0.0.1")
            for nothing in ("unknown", "_hidden", "203.0.113.9, ", "203.0.113.999", "[]:80", "x" * 99)
        ),
    ],
)
def test_the_address_is_read_however_the_proxy_writes_it_or_else_it_is_the_proxys(
    tmp_path: Path, named: str, address: str
) -> None:
    seen = behind_proxy(tmp_path).get("/seen", headers=FORWARDED | {"X-Forwarded-For": named}).text

    assert seen == f"https pitch.example {address}"


@pytest.mark.parametrize(
    "peer", ["192.168.1.66", "203.0.113.66", "::ffff:192.168.1.66", "fe80::1%eth0", "", "nonsense"]
)
def test_with_a_public_address_nobody_but_the_proxy_is_believed(
    tmp_path: Path, peer: str, caplog: pytest.LogCaptureFixture
) -> None:
    client = behind_proxy(tmp_path)

    seen = [client.get("/seen", headers=FORWARDED, environ_base={"REMOTE_ADDR": peer}).text for _ in range(2)]

    assert seen == [f"http localhost {peer}"] * 2
    assert [record.getMessage() for record in caplog.records] == [
        f"{peer} is not the configured proxy, so its X-Forwarded-For is not believed. "
        f"If it is your proxy, set SCOREKEEPER_PROXY={peer}."
    ]


@pytest.mark.parametrize("peer", ["172.18.0.2", "::ffff:172.18.0.2", "10.7.0.9"])
def test_the_proxy_may_be_another_machine(tmp_path: Path, peer: str) -> None:
    client = behind_proxy(tmp_path, proxy="172.18.0.2, 10.7.0.0/16")

    seen = client.get("/seen", headers=FORWARDED, environ_base={"REMOTE_ADDR": peer}).text

    assert seen == "https pitch.example 203.0.113.9"
    assert client.get("/seen", headers=FORWARDED).text == "http localhost 127.0.0.1"


def test_the_cookie_lasts_400_days_by_the_browsers_own_clock(pages: FlaskClient) -> None:
    morsel = set_cookie(pages)["scorekeeper"]

    assert (morsel["max-age"], morsel["expires"]) == (str(400 * 24 * 60 * 60), "")


def test_the_cookie_is_renewed_by_use_and_stays_the_same_phone(pages: FlaskClient) -> None:
    pages.get("/form")
    fields = session_of(pages)
    assert "Set-Cookie" not in pages.get("/form").headers
    app = pages.application
    signer = app.session_interface.get_signing_serializer(app)  # type: ignore[attr-defined]
    with freeze_signer(31):
        pages.set_cookie("scorekeeper", signer.dumps(fields))

    read = pages.get("/form")

    assert f"Max-Age={400 * 24 * 60 * 60}" in read.headers["Set-Cookie"]
    assert session_of(pages) == fields
    assert "Set-Cookie" not in pages.get("/form").headers


def session_of(pages: FlaskClient) -> dict[str, Any]:
    with pages.session_transaction() as session:
        return dict(session)


@contextmanager
def freeze_signer(days_ago: int) -> Iterator[None]:
    then = int(time.time()) - days_ago * 24 * 60 * 60
    with patch.object(TimestampSigner, "get_timestamp", lambda _signer: then):
        yield


@pytest.mark.parametrize("public_url", ["https://pitch.example", "https://pitch.example/"])
def test_a_link_to_show_has_the_public_address(tmp_path: Path, public_url: str) -> None:
    answer = behind_proxy(tmp_path, public_url).get("/shown", headers={"Host": "127.0.0.1:8000"})

    assert answer.text == "https://pitch.example/shown"


def test_a_link_to_show_below_a_prefix_names_the_prefix_once(tmp_path: Path) -> None:
    client = behind_proxy(tmp_path, "https://club.example/pitch")
    headers = {"Host": "club.example", "X-Forwarded-Prefix": "/pitch"}

    assert client.get("/shown", headers=headers).text == "https://club.example/pitch/shown"


@pytest.mark.parametrize("prefix", ["//evil.example", "/other", "/pitch, //evil.example", "evil"])
@pytest.mark.parametrize("public_url", ["https://pitch.example", "https://pitch.example/pitch"])
def test_a_prefix_that_is_not_the_public_addresss_own_is_ignored(tmp_path: Path, public_url: str, prefix: str) -> None:
    headers = {"Host": "pitch.example", "X-Forwarded-Prefix": prefix}

    answer = behind_proxy(tmp_path, public_url).post("/theme", headers=headers)

    assert "evil" not in answer.text
    assert prefix not in answer.text


@pytest.mark.parametrize("host", ["evil.example", "pitch.example.evil.example", "192.168.1.5:8000", "[", ""])
@pytest.mark.parametrize("path", ["/seen", "/nowhere", "/static/vendor/htmx-2.0.11.min.js"])
def test_with_a_public_address_no_other_is_answered(tmp_path: Path, host: str, path: str) -> None:
    answer = behind_proxy(tmp_path).get(path, headers={"Host": host})

    assert answer.status_code == 421
    assert "Open https://pitch.example/ instead." in answer.text
    assert host not in answer.text or not host.isalpha()


def test_a_host_that_was_forwarded_is_checked_as_well(tmp_path: Path) -> None:
    headers = FORWARDED | {"Host": "pitch.example", "X-Forwarded-Host": "evil.example"}

    assert behind_proxy(tmp_path).get("/seen", headers=headers).status_code == 421


@pytest.mark.parametrize("host", ["pitch.example", "Pitch.example:443", "127.0.0.1:8000", "localhost", "[::1]:8000"])
def test_the_public_address_and_the_machine_itself_are_answered(tmp_path: Path, host: str) -> None:
    assert behind_proxy(tmp_path).get("/seen", headers={"Host": host}).status_code == 200


OWN = ["127.0.0.1:8000", "192.168.1.5", "203.0.113.9:8000", "[::1]:8000", "[2001:db8::5]", "[::ffff:192.168.1.5]"]
OWN += [
    "localhost:8000",
    "kitchen",
    "Kitchen.",
    "pitch.local:8000",
    "pitch-2.LOCAL",
    "pc.lan",
    "pc.home.arpa.",
    "pc.internal",
    "",
]
FOREIGN = ["evil.example", "evil.example:8000", "192.168.1.5.evil.example", "local.evil.example", "evillan.example"]
FOREIGN += ["127.0.0.1.nip.io", "localhost.evil.example", "evil.example.", "EVIL.example", "pc.lan.example"]


@pytest.mark.parametrize("host", OWN)
def test_without_a_public_address_numbers_and_names_at_home_are_answered(pages: FlaskClient, host: str) -> None:
    assert pages.get("/seen", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", FOREIGN)
@pytest.mark.parametrize("path", ["/seen", "/nowhere", "/static/vendor/htmx-2.0.11.min.js", "/matches/abc/board"])
def test_a_name_elsewhere_does_not_lead_here(
    pages: FlaskClient, app: Flask, host: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    app.config.update(HOST="0.0.0.0", PORT=8000)
    monkeypatch.setattr("scorekeeper.server.network.lan_address", lambda: "192.168.1.5")

    answer = pages.get(path, headers={"Host": host})

    assert answer.status_code == 421
    assert "Open http://192.168.1.5:8000/ instead." in answer.text
    assert f"SCOREKEEPER_NAMES={host.lower().removesuffix(':8000').rstrip('.')}." in answer.text


def test_how_we_are_may_be_asked_by_any_name(pages: FlaskClient) -> None:
    assert pages.get("/healthz", headers={"Host": "evil.example"}).status_code == 200


def test_a_name_may_be_allowed(pages: FlaskClient, app: Flask) -> None:
    app.config["NAMES"] = ("pitch.example",)

    assert pages.get("/seen", headers={"Host": "pitch.example:8000"}).status_code == 200
    assert pages.get("/seen", headers={"Host": "www.pitch.example"}).status_code == 421


def test_behind_a_proxy_without_a_public_address_the_host_that_it_sends_counts(pages: FlaskClient) -> None:
    forwarded = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Host": "127.0.0.1"}

    kept = pages.get("/seen", headers={"Host": "pitch.example", **forwarded})
    its_own = pages.get("/seen", headers={"Host": "127.0.0.1:8000", "X-Forwarded-Host": "pitch.example"})

    assert (kept.status_code, its_own.status_code) == (421, 200)


def test_what_the_machine_is_called_is_answered_also_when_that_changes(
    pages: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(security, "own_names", security.OwnNames())
    monkeypatch.setattr(security, "CHECK_INTERVAL_S", 0.0)
    names = ["pc.club.example", "pc.fritz.box", "tower.club.example", "tower.home"]

    def answered(host: str, on_network: str) -> list[str]:
        monkeypatch.setattr("socket.gethostname", lambda: host)
        monkeypatch.setattr("socket.getfqdn", lambda: on_network)
        return [name for name in names if pages.get("/seen", headers={"Host": name}).status_code == 200]

    assert answered("PC.club.example", "pc.fritz.box.") == names[:2]
    assert answered("tower.club.example", "tower.home") == names[2:]


@pytest.mark.parametrize("path", ["/seen", "/nowhere"])
def test_behind_https_browsers_stay_there(tmp_path: Path, path: str) -> None:
    answer = behind_proxy(tmp_path).get(path, headers={"Host": "pitch.example"})

    assert answer.headers["Strict-Transport-Security"] == "max-age=2592000"


def test_without_https_browsers_are_not_told_to_use_it(pages: FlaskClient, tmp_path: Path) -> None:
    plain = behind_proxy(tmp_path, "http://pitch.example").get("/seen", headers={"Host": "pitch.example"})

    assert "Strict-Transport-Security" not in plain.headers
    assert "Strict-Transport-Security" not in pages.get("/seen").headers


def test_a_link_to_show_has_the_address_that_the_phone_used(pages: FlaskClient) -> None:
    assert pages.get("/shown", headers={"Host": "192.168.1.5:8000"}).text == "http://192.168.1.5:8000/shown"


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost", "pitch.local:8000", "pitch-2.local"])
def test_a_link_made_on_the_machine_itself_or_by_its_name_works_on_every_phone(
    pages: FlaskClient, app: Flask, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    app.config.update(HOST="0.0.0.0", PORT=8000)
    monkeypatch.setattr("scorekeeper.server.network.lan_address", lambda: "192.168.1.5")

    assert pages.get("/shown", headers={"Host": host}).text == "http://192.168.1.5:8000/shown"


@pytest.mark.parametrize("path", ["/", "/matches/abc?v=3#board", "/a%2F"])
def test_a_way_back_on_this_site_is_taken(path: str) -> None:
    assert is_local_path(path)


@pytest.mark.parametrize(
    "path",
    [
        "",
        "matches",
        "//evil.example",
        "/\\evil.example",
        "https://evil.example",
        "/\t/evil.example",
        "/ /x",
        "javascript:x",
    ],
)
def test_a_way_to_another_site_is_not(path: str) -> None:
    assert not is_local_path(path)


def test_the_theme_is_kept_and_leads_back(client: FlaskClient) -> None:
    answer = client.post("/theme", data={"theme": "dark", "next": "/matches/abc"})

    assert (answer.status_code, answer.location) == (303, "/matches/abc")
    assert SimpleCookie(answer.headers["Set-Cookie"])["theme"].value == "dark"


def test_the_theme_leads_nowhere_else(client: FlaskClient) -> None:
    assert client.post("/theme", data={"theme": "light", "next": "//evil.example"}).location == "/"


@pytest.mark.every_database
@pytest.mark.parametrize("path", ["/matches/a%00b/", "/join/%00", "/house/x%00", "/new/again/%00"])
def test_no_page_has_an_address_with_a_nul_in_it(database_url: str, client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.every_database
@pytest.mark.parametrize("path", ["/print?match=a%00b", "/new?q=%00", "/house/new?house=%00", "/?a%00b=1"])
def test_a_question_with_a_nul_in_it_is_refused(database_url: str, client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 400


@pytest.mark.every_database
@pytest.mark.parametrize("path", ["/new/partnership-pitch", "/join", "/house/new?base=racehorse", "/transfer"])
@pytest.mark.parametrize("field", ["client_key", "pin", "seat-0", "a\0b"])
def test_a_field_with_a_nul_in_it_is_refused(database_url: str, client: FlaskClient, path: str, field: str) -> None:
    assert client.post(path, data={field: "a\0b"}).status_code == 400


def test_a_field_without_a_name_is_refused(client: FlaskClient) -> None:
    part = b'--x\r\nContent-Disposition: form-data; name=}"pin"\r\n\r\n1\r\n--x--\r\n'

    assert client.post("/join", data=part, content_type="multipart/form-data; boundary=x").status_code == 400


def test_an_origin_that_is_none_is_no_page_of_ours(pages: FlaskClient) -> None:
    page = pages.post("/take", data={"bid": "3", "csrf_token": "old"}, headers={"Origin": "http://["})

    assert page.status_code == 400
    assert 'name="bid"' not in page.text


@pytest.mark.parametrize(
    ("public_url", "opened", "is_told"),
    [
        ("", "localhost:8000", True),
        ("", "127.0.0.1:8000", True),
        ("", "192.168.1.20:8000", False),
        ("http://192.168.1.20:8000", "localhost:8000", False),
    ],
)
def test_in_a_container_a_page_says_what_to_set_where_phones_cannot_open_its_address(
    app: Flask, public_url: str, opened: str, is_told: bool
) -> None:
    app.config.update(IN_CONTAINER=True, PUBLIC_URL=public_url)

    shown = [app.test_client().get(path, base_url=f"http://{opened}").text for path in ("/join", "/", "/rules")]

    assert ["Set SCOREKEEPER_PUBLIC_URL" in text for text in shown] == [is_told] * 3
