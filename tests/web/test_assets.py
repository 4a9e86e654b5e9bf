"""Static files are cached for a year under addresses with their versions, and sent compressed."""

import gzip
import os
import re
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.paths import STATIC
from scorekeeper.web import templates
from scorekeeper.web.templates import asset_url, asset_version
from tests.common.each import each

HTMX, PACKED = "vendor/htmx-2.0.11.min.js", {"Accept-Encoding": "gzip"}


@pytest.fixture
def address(app: Flask) -> str:
    """Return the address of htmx."""
    with app.test_request_context():
        return asset_url(HTMX)


def test_a_file_is_kept_for_a_year_under_its_full_address(client: FlaskClient, address: str) -> None:
    assert client.get(address).headers["Cache-Control"] == "public, max-age=31536000, immutable"


@pytest.mark.parametrize("question", ["", "?v=", "?v=0123456789"])
def test_under_another_address_it_is_asked_for_again(client: FlaskClient, question: str) -> None:
    assert client.get(f"/static/{HTMX}{question}").headers["Cache-Control"] == "no-cache"


def test_a_font_has_the_address_that_stylesheets_use(app: Flask, client: FlaskClient) -> None:
    with app.test_request_context():
        address = asset_url("fonts/besley-700.woff2")

    assert address == "/static/fonts/besley-700.woff2"
    assert client.get(address).headers["Cache-Control"] == "public, max-age=604800"


def test_the_address_changes_with_the_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(templates, "STATIC", tmp_path)
    file = tmp_path / "a.css"
    file.write_text("a {}")
    before = asset_version("a.css")
    file.write_text("b {}")
    os.utime(file, ns=(1, 1))

    assert before != asset_version("a.css")


def test_a_file_that_is_not_there_has_no_version_and_no_page(client: FlaskClient) -> None:
    assert asset_version("css/none.css") == ""
    assert client.get("/static/css/none.css?v=").status_code == 404


@pytest.mark.parametrize(
    "path", ["/static/", "/static/css", "/static/../pyproject.toml", "/static/%2e%2e/pyproject.toml"]
)
def test_nothing_but_static_files_is_served(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize(
    ("name", "kind"),
    [(HTMX, "text/javascript"), ("fonts/besley-700.woff2", "font/woff2"), ("icons/favicon.svg", "image/svg+xml")],
)
def test_a_file_says_what_it_is(client: FlaskClient, name: str, kind: str) -> None:
    assert client.get(f"/static/{name}").mimetype == kind


def test_htmx_is_sent_compressed(client: FlaskClient, address: str) -> None:
    answer = client.get(address, headers=PACKED)

    assert answer.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(answer.data) == (STATIC / HTMX).read_bytes()
    assert len(answer.data) < 17_000  # compressed as far as gzip can, once for all requests


def test_an_unchanged_file_is_not_sent_again(client: FlaskClient, address: str) -> None:
    tag = client.get(address, headers=PACKED).headers["ETag"]

    assert client.get(address, headers=PACKED | {"If-None-Match": tag}).status_code == 304


OWN = sorted(str(found.relative_to(STATIC)) for kind in ("js", "css") for found in STATIC.rglob(f"*.{kind}"))


@each("name", [name for name in OWN if not name.startswith("vendor")])
def test_comments_and_indentation_are_not_sent(client: FlaskClient, name: str) -> None:
    source = (STATIC / name).read_text()
    sent = client.get(f"/static/{name}").text

    # A text of several lines would lose its indentation: there is none.
    assert [line for line in source.splitlines() if line.count("`") % 2] == []
    assert len(sent) < len(source)
    assert not any(line.startswith((" ", "//")) for line in sent.splitlines())
    assert name.endswith(".js") or "/*" not in sent
    words = [re.sub(r"(^|\s+)// .*|^//$", "", line.strip()) for line in source.splitlines()]
    assert name.endswith(".css") or sent.splitlines() == [line for line in words if line]
    # Nor does any text hold what begins a comment.
    before = [re.split(r"\s+// ", line)[0] for line in source.splitlines() if re.search(r"\S\s+// ", line)]
    assert [line for line in before if any(line.count(quote) % 2 for quote in '"`')] == []


@each("name", [name for name in OWN if name.endswith(".css")])
def test_a_stylesheet_is_sent_without_spaces_and_means_the_same(client: FlaskClient, name: str) -> None:
    source = re.sub(r"/\*.*?\*/", "", (STATIC / name).read_text(), flags=re.DOTALL)
    sent = client.get(f"/static/{name}").text

    assert not re.search(r"[{};,]\n|\w: \w| \{", sent)
    assert "".join(sent.split()) == "".join(source.split())
    # Within a selector, a value and a text a space means something.
    between = re.compile(r"\s*([{};,:])\s*")
    assert between.sub(r"\1", sent).split() == between.sub(r"\1", source).split()
