"""What protects a match: headers, CSRF tokens, cookies, size limits, and which proxy headers are trusted."""

import re
import time
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import pytest
from flask import Flask, jsonify, render_template_string, request
from flask.testing import FlaskClient
from itsdangerous import TimestampSigner

from scorekeeper.config import MAX_FORM_BYTES, MAX_REQUEST_FIELDS
from scorekeeper.web import security
from scorekeeper.web.respond import external_url, is_local_path
from tests.common.apps import make_app

ORIGIN = {"Origin": "http://localhost"}
STATIC = "/static/vendor/htmx-2.0.11.min.js"


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


@pytest.fixture
def proxied(tmp_path: Path) -> FlaskClient:
    """Make a client of an app behind a proxy, whose public address is https."""
    return behind_proxy(tmp_path)


def status(client: FlaskClient, host: str, path: str = "/seen") -> int:
    return client.get(path, headers={"Host": host}).status_code


def set_cookie(client: FlaskClient, path: str = "/form") -> SimpleCookie:
    return SimpleCookie(client.get(path).headers["Set-Cookie"])


@pytest.mark.parametrize("path", ["/form", "/nowhere", STATIC])
def test_every_answer_carries_the_headers(pages: FlaskClient, path: str) -> None:
    headers = pages.get(path).headers

    names = ("Referrer-Policy", "X-Content-Type-Options", "X-Robots-Tag")
    assert [headers[name] for name in names] == ["same-origin", "nosniff", "noindex, nofollow"]


def test_nothing_runs_or_loads_from_elsewhere_or_from_inside_a_page(pages: FlaskClient) -> None:
    directives = pages.get("/form").headers["Content-Security-Policy"].split("; ")

    assert set(directives) >= {"default-src 'self'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"}
    assert not any("unsafe" in rule or "*" in rule for rule in directives)


@pytest.mark.parametrize(
    ("path", "has_policy"), [("/", True), ("/static/icons/favicon.svg", True), ("/static/css/base.css", False)]
)
def test_what_a_browser_could_run_scripts_of_has_the_policy(pages: FlaskClient, path: str, has_policy: bool) -> None:
    assert ("Content-Security-Policy" in pages.get(path).headers) == has_policy


def test_a_page_is_requested_again_when_somebody_goes_back_to_it(pages: FlaskClient) -> None:
    assert pages.get("/form").headers["Cache-Control"] == "private, no-cache"


FROM_ELSEWHERE = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
IMAGE = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
LINK = FROM_ELSEWHERE | {"Sec-Fetch-Dest": "document"}
POLL = {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"}
ELSEWHERE = "https://elsewhere.example"
A_PAGE, A_PICTURE = "text/html,application/xhtml+xml,*/*;q=0.8", "image/webp,*/*;q=0.8"


@pytest.mark.parametrize(
    "headers",
    [
        *(IMAGE, FROM_ELSEWHERE | {"Sec-Fetch-Dest": "iframe"}, {"Origin": ELSEWHERE}, {"Origin": "null"}),
        {"Referer": f"{ELSEWHERE}/", "Accept": A_PICTURE},
    ],
)
def test_a_page_elsewhere_embeds_nothing(pages: FlaskClient, headers: dict[str, str]) -> None:
    answer = pages.get("/rules", headers=headers)

    assert (answer.status_code, "inside another site" in answer.text) == (403, True)


@pytest.mark.parametrize(
    "headers",
    [
        *(LINK, POLL, ORIGIN, {}),
        {"Referer": f"{ELSEWHERE}/", "Accept": A_PAGE},
        {"Referer": "http://localhost/", "Accept": A_PICTURE},
    ],
)
def test_a_page_elsewhere_may_link_here(pages: FlaskClient, headers: dict[str, str]) -> None:
    assert pages.get("/rules", headers=headers).status_code == 200


def test_a_file_may_be_embedded(pages: FlaskClient) -> None:
    assert pages.get(STATIC, headers=IMAGE).status_code == 200


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
    "origin",
    [None, "null", "http://[", "https://evil.example", "http://localhost.evil.example", "https://localhost"],
)
def test_what_another_site_sent_is_not_offered_again(pages: FlaskClient, origin: str | None) -> None:
    headers = {} if origin is None else {"Origin": origin}

    page = pages.post("/take", data={"bid": "3"}, headers=headers)

    assert page.status_code == 400
    assert 'name="bid"' not in page.text


def test_the_cookie_is_for_this_site_and_no_script_and_lasts_400_days_by_the_browsers_own_clock(
    pages: FlaskClient, proxied: FlaskClient
) -> None:
    of_house = {"httponly": True, "samesite": "Lax", "max-age": str(400 * 24 * 60 * 60), "expires": "", "secure": ""}

    assert set_cookie(pages)["scorekeeper"].items() >= of_house.items()
    assert set_cookie(proxied)["scorekeeper"]["secure"]


def test_a_static_file_sets_no_cookie(pages: FlaskClient) -> None:
    answer = pages.get(STATIC)

    assert "Set-Cookie" not in answer.headers
    assert "Cookie" not in answer.headers["Vary"]


def test_a_form_larger_than_any_entry_is_refused(pages: FlaskClient) -> None:
    assert pages.post("/take", data={"note": "x" * (MAX_FORM_BYTES + 1)}).status_code == 413


def test_a_form_of_too_many_parts_is_refused(pages: FlaskClient) -> None:
    parts = {f"field{number}": "x" for number in range(MAX_REQUEST_FIELDS + 1)}

    assert pages.post("/take", data=parts, content_type="multipart/form-data").status_code == 413


FORWARDED = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "pitch.example"}


def test_without_a_public_address_no_proxy_is_trusted(pages: FlaskClient) -> None:
    assert pages.get("/seen", headers=FORWARDED).text == "http localhost 127.0.0.1"


@pytest.mark.parametrize(
    ("named", "address"),
    [
        ("203.0.113.9", "203.0.113.9"),
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
    proxied: FlaskClient, named: str, address: str
) -> None:
    seen = proxied.get("/seen", headers=FORWARDED | {"X-Forwarded-For": named}).text

    assert seen == f"https pitch.example {address}"


@pytest.mark.parametrize(
    "peer", ["192.168.1.66", "203.0.113.66", "::ffff:192.168.1.66", "fe80::1%eth0", "", "nonsense"]
)
def test_with_a_public_address_nobody_but_the_proxy_is_believed(
    proxied: FlaskClient, peer: str, caplog: pytest.LogCaptureFixture
) -> None:
    seen = [proxied.get("/seen", headers=FORWARDED, environ_base={"REMOTE_ADDR": peer}).text for _ in range(2)]

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


def test_the_cookie_is_renewed_by_use_and_stays_the_same_phone(
    pages: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages.get("/form")
    fields = session_of(pages)
    assert "Set-Cookie" not in pages.get("/form").headers
    app = pages.application
    signer = app.session_interface.get_signing_serializer(app)  # type: ignore[attr-defined]
    with monkeypatch.context() as a_month_ago:
        then = int(time.time()) - 31 * 24 * 60 * 60
        a_month_ago.setattr(TimestampSigner, "get_timestamp", lambda _signer: then)
        pages.set_cookie("scorekeeper", signer.dumps(fields))

    read = pages.get("/form")

    assert f"Max-Age={400 * 24 * 60 * 60}" in read.headers["Set-Cookie"]
    assert session_of(pages) == fields
    assert "Set-Cookie" not in pages.get("/form").headers


def session_of(pages: FlaskClient) -> dict[str, Any]:
    with pages.session_transaction() as session:
        return dict(session)


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
@pytest.mark.parametrize("path", ["/seen", "/nowhere", STATIC])
def test_with_a_public_address_no_other_is_answered(proxied: FlaskClient, host: str, path: str) -> None:
    answer = proxied.get(path, headers={"Host": host})

    assert answer.status_code == 421
    assert "Open https://pitch.example/ instead." in answer.text
    assert host not in answer.text or not host.isalpha()


def test_a_host_that_was_forwarded_is_checked_as_well(proxied: FlaskClient) -> None:
    headers = FORWARDED | {"Host": "pitch.example", "X-Forwarded-Host": "evil.example"}

    assert proxied.get("/seen", headers=headers).status_code == 421


@pytest.mark.parametrize("host", ["pitch.example", "Pitch.example:443", "127.0.0.1:8000", "localhost", "[::1]:8000"])
def test_the_public_address_and_the_machine_itself_are_answered(proxied: FlaskClient, host: str) -> None:
    assert status(proxied, host) == 200


OWN = """
    127.0.0.1:8000 192.168.1.5 203.0.113.9:8000 [::1]:8000 [2001:db8::5] [::ffff:192.168.1.5]
    localhost:8000 kitchen Kitchen. pitch.local:8000 pitch-2.LOCAL pc.lan pc.home.arpa. pc.internal
"""
FOREIGN = """
    evil.example evil.example:8000 192.168.1.5.evil.example local.evil.example evillan.example
    127.0.0.1.nip.io localhost.evil.example evil.example. EVIL.example pc.lan.example
"""


@pytest.mark.parametrize("host", ["", *OWN.split()])
def test_without_a_public_address_numbers_and_names_at_home_are_answered(pages: FlaskClient, host: str) -> None:
    assert status(pages, host) == 200


@pytest.fixture
def _at_home(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    app.config.update(HOST="0.0.0.0", PORT=8000)
    monkeypatch.setattr("scorekeeper.server.network.lan_address", lambda: "192.168.1.5")


@pytest.mark.usefixtures("_at_home")
@pytest.mark.parametrize("host", FOREIGN.split())
@pytest.mark.parametrize("path", ["/seen", "/nowhere", STATIC, "/matches/abc/board"])
def test_a_name_elsewhere_does_not_lead_here(pages: FlaskClient, host: str, path: str) -> None:
    answer = pages.get(path, headers={"Host": host})

    assert answer.status_code == 421
    assert "Open http://192.168.1.5:8000/ instead." in answer.text
    assert f"SCOREKEEPER_NAMES={host.lower().removesuffix(':8000').rstrip('.')}." in answer.text


def test_a_name_may_be_allowed(pages: FlaskClient, app: Flask) -> None:
    app.config["NAMES"] = ("pitch.example",)

    assert [status(pages, host) for host in ("pitch.example:8000", "www.pitch.example")] == [200, 421]


def test_behind_a_proxy_without_a_public_address_the_host_that_it_sends_counts(pages: FlaskClient) -> None:
    forwarded = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Host": "127.0.0.1"}

    kept = pages.get("/seen", headers={"Host": "pitch.example", **forwarded})
    own = pages.get("/seen", headers={"Host": "127.0.0.1:8000", "X-Forwarded-Host": "pitch.example"})

    assert (kept.status_code, own.status_code) == (421, 200)


def test_what_the_machine_is_called_is_answered_also_when_that_changes(
    pages: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(security, "machine_names", security.MachineNames())
    monkeypatch.setattr(security, "NETWORK_NAME_INTERVAL_S", 0.0)
    names = ["pc.club.example", "pc.fritz.box", "tower.club.example", "tower.home"]

    def answered(host: str, on_network: str) -> list[str]:
        monkeypatch.setattr("socket.gethostname", lambda: host)
        monkeypatch.setattr("socket.getfqdn", lambda: on_network)
        return [name for name in names if status(pages, name) == 200]

    assert answered("PC.club.example", "pc.fritz.box.") == names[:2]
    assert answered("tower.club.example", "tower.home") == names[2:]


@pytest.mark.parametrize("path", ["/seen", "/nowhere"])
def test_behind_https_browsers_stay_there(proxied: FlaskClient, path: str) -> None:
    answer = proxied.get(path, headers={"Host": "pitch.example"})

    assert answer.headers["Strict-Transport-Security"] == "max-age=2592000"


def test_without_https_browsers_are_not_told_to_use_it(pages: FlaskClient, tmp_path: Path) -> None:
    plain = behind_proxy(tmp_path, "http://pitch.example").get("/seen", headers={"Host": "pitch.example"})

    assert "Strict-Transport-Security" not in plain.headers
    assert "Strict-Transport-Security" not in pages.get("/seen").headers


@pytest.mark.usefixtures("_at_home")
@pytest.mark.parametrize(
    ("hosts", "url"),
    [
        ("192.168.1.7:8000", "http://192.168.1.7:8000/shown"),
        ("127.0.0.1:8000 localhost pitch.local:8000 pitch-2.local", "http://192.168.1.5:8000/shown"),
    ],
)
def test_a_link_to_show_has_the_address_that_the_phone_used_or_one_that_works_on_every_phone(
    pages: FlaskClient, hosts: str, url: str
) -> None:
    assert {pages.get("/shown", headers={"Host": host}).text for host in hosts.split()} == {url}


@pytest.mark.parametrize("path", ["/", "/matches/abc?v=3#board", "/a%2F"])
def test_a_way_back_on_this_site_is_taken(path: str) -> None:
    assert is_local_path(path)


@pytest.mark.parametrize(
    "path",
    ["", "matches", "//e.example", "/\\e.example", "https://e.example", "/\t/e.example", "/ /x", "javascript:x"],
)
def test_a_way_to_another_site_is_not(path: str) -> None:
    assert not is_local_path(path)


@pytest.mark.parametrize(("back", "location"), [("/matches/abc", "/matches/abc"), ("//evil.example", "/")])
def test_the_theme_is_kept_and_leads_back_on_this_site(client: FlaskClient, back: str, location: str) -> None:
    answer = client.post("/theme", data={"theme": "dark", "next": back})

    assert (answer.status_code, answer.location) == (303, location)
    assert SimpleCookie(answer.headers["Set-Cookie"])["theme"].value == "dark"


@pytest.mark.every_database
@pytest.mark.parametrize(
    ("paths", "refused"),
    [
        ("/matches/a%00b/ /join/%00 /house/x%00 /new/again/%00", 404),
        ("/print?match=a%00b /new?q=%00 /house/new?house=%00 /?a%00b=1", 400),
    ],
    ids=["path", "query"],
)
def test_an_address_with_a_nul_in_it_is_refused(
    database_url: str, client: FlaskClient, paths: str, refused: int
) -> None:
    assert {path: client.get(path).status_code for path in paths.split()} == dict.fromkeys(paths.split(), refused)


@pytest.mark.every_database
@pytest.mark.parametrize("path", ["/new/partnership-pitch", "/join", "/house/new?base=racehorse", "/transfer"])
@pytest.mark.parametrize("field", ["client_key", "pin", "seat-0", "a\0b"])
def test_a_field_with_a_nul_in_it_is_refused(database_url: str, client: FlaskClient, path: str, field: str) -> None:
    assert client.post(path, data={field: "a\0b"}).status_code == 400


def test_a_field_without_a_name_is_refused(client: FlaskClient) -> None:
    part = b'--x\r\nContent-Disposition: form-data; name=}"pin"\r\n\r\n1\r\n--x--\r\n'

    assert client.post("/join", data=part, content_type="multipart/form-data; boundary=x").status_code == 400


@pytest.mark.parametrize(
    ("public_url", "opened", "is_warned"),
    [
        ("", "localhost:8000", True),
        ("", "127.0.0.1:8000", True),
        ("", "[::1]:8000", True),
        ("", "192.168.1.20:8000", False),
        ("http://192.168.1.20:8000", "localhost:8000", False),
    ],
)
def test_in_a_container_a_page_says_what_to_set_where_phones_cannot_open_its_address(
    app: Flask, public_url: str, opened: str, is_warned: bool
) -> None:
    app.config.update(IN_CONTAINER=True, PUBLIC_URL=public_url)

    shown = [app.test_client().get(path, base_url=f"http://{opened}").text for path in ("/join", "/", "/rules")]

    assert ["Set SCOREKEEPER_PUBLIC_URL" in text for text in shown] == [is_warned] * 3
