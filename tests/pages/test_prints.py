"""Choosing what to print: a plain form, a picture of each page, and a PDF whose name shows its content."""

import errno
import io
import re
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient
from PIL import Image

from scorekeeper.eventlog.cache import clear_all_caches
from scorekeeper.printing import pdf, print_process, print_service
from scorekeeper.printing.print_process import PrinterBusy
from tests.common.phone import Page, Phone
from tests.pages.conftest import record
from tests.printing.pages import colors, read, text_of


@pytest.fixture(autouse=True)
def _empty_cache() -> Iterator[None]:
    clear_all_caches()
    yield
    clear_all_caches()


@pytest.fixture
def played(match: Page) -> Page:
    """Play two hands."""
    after = record(match, call="p1:3", took_low="s2")
    return record(after, call="p2:2", took_low="s1")


def pictures(page: Page) -> list[str]:
    return [image.attrs["src"] for image in page.part("preview").all("img")]


def chosen(page: Page, name: str) -> str:
    return page.one("input", name=name, checked="").attrs["value"]


def test_the_menu_of_a_match_leads_to_its_score_sheet(played: Page) -> None:
    assert chosen(played.tap("Menu").tap("Print score sheet"), "kind") == "result"


@pytest.mark.parametrize("kind", ["result", "rules"])
def test_one_control_prints_large_whatever_is_printed(played: Page, phone: Phone, kind: str) -> None:
    page = phone.open(f"/print?match={played.code}&kind={kind}&size=large")

    assert "large" not in {field.attrs["value"] for field in page.all("input", name="kind")}
    sizes = page.all("input", name="size")
    assert [(size.attrs["value"], "checked" in size.attrs) for size in sizes] == [("ordinary", False), ("large", True)]


def test_an_old_link_to_the_rules_in_large_print_still_leads_there(phone: Phone) -> None:
    page = phone.open("/print?rules=racehorse&kind=large")

    assert [chosen(page, name) for name in ("kind", "size")] == ["rules", "large"]
    old, new = (
        phone.client.get(f"/print/sheet.pdf?rules=racehorse&{query}").data
        for query in ("kind=large", "kind=rules&size=large")
    )
    assert old == new


def test_the_pages_are_shown_as_they_will_be_printed(played: Page, phone: Phone) -> None:
    page = phone.open(f"/print?match={played.code}&paper=letter")

    answer = phone.client.get(pictures(page)[0])

    assert answer.mimetype == "image/png"
    picture = Image.open(io.BytesIO(answer.data))
    shown = page.part("preview").one("img").attrs
    assert picture.size == pytest.approx((int(shown["width"]), int(shown["height"])), abs=2)
    assert shown["alt"] == "Score sheet, page 1 of 1, as it will be printed"


RULES = "rules=racehorse"
PICTURE = f"/print/page-1.png?{RULES}"
PATHS = (f"/print?{RULES}", f"/print/sheet.pdf?{RULES}", "/rules/racehorse.pdf")


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the renderer busy with another job."""

    def refuse(*_: object) -> None:
        raise PrinterBusy

    monkeypatch.setattr(print_service.process, "run", refuse)


@pytest.mark.usefixtures("busy")
@pytest.mark.parametrize("path", PATHS)
def test_while_the_printer_is_busy_the_page_tries_again_by_itself(client: FlaskClient, path: str) -> None:
    answer = client.get(path)

    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "2"
    assert '<noscript><meta http-equiv="refresh" content="2"></noscript>' in answer.text
    assert "Another phone is printing right now." in answer.text


@pytest.mark.usefixtures("busy")
def test_a_page_that_is_being_drawn_is_asked_for_again(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(print_service._drawing_executor, "submit", lambda *_: None)

    answer = client.get(PICTURE)

    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
    assert '<noscript><meta http-equiv="refresh" content="1"></noscript>' in answer.text
    assert "Preparing …" in answer.text
    print_service._waiting_images.clear()


def test_without_scripts_each_page_has_a_link_to_its_picture(client: FlaskClient) -> None:
    page = client.get(PATHS[0]).text

    found = re.findall(
        r'<noscript><a class="btn" href="([^"]+)">(?:<svg.*?</svg>)?<span>Show the page</span></a></noscript>', page
    )
    assert found == re.findall(r'<img src="(/print/page-[^"]+)"', page)
    assert found


@pytest.mark.parametrize("path", [*PATHS, "/print", "/rules/racehorse", "/matches/{}/menu", "/matches/{}/"])
def test_where_nothing_can_start_the_pages_are_there_and_say_so(
    played: Page, phone: Phone, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_process: object) -> None:
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    print_service.process.stop()
    monkeypatch.setattr(print_process._context.Process, "start", refuse)

    page = phone.open(path.format(played.code))

    assert page.status == (503 if path in PATHS else 200)
    assert ("Can’t print just now." in page.text) == (path in PATHS)


@pytest.mark.parametrize(
    ("missing", "said"), [("ミラ", "ミ ラ"), ("かきくけこさしすせそ\u200d", "か き く け こ さ し す and 2 more")]
)
def test_it_says_for_which_letters_boxes_are_printed(
    played: Page, phone: Phone, monkeypatch: pytest.MonkeyPatch, missing: str, said: str
) -> None:
    make = print_service.print_preview
    monkeypatch.setattr(
        print_service, "print_preview", lambda wanted, most: replace(make(wanted, most), missing_glyphs=missing)
    )

    page = phone.open(f"/print?match={played.code}")

    assert f"Boxes replace {said} {pdf.INSTALL_FONTS_TEXT}" in page.text


def test_the_form_works_without_scripts(played: Page, phone: Phone) -> None:
    form = phone.open(f"/print?match={played.code}").form("/print")

    fields = form.filled({"kind": "rules", "paper": "letter", "ink": "black"}, "Show")
    page = phone.open(f"/print?{urlencode(fields)}")

    assert "Two pages, Letter" in page.text
    assert "kind=rules" in pictures(page)[0]
    assert "ink=black" in pictures(page)[0]


def test_the_file_is_named_after_what_is_inside(played: Page, phone: Phone) -> None:
    page = phone.open(f"/print?match={played.code}&ink=black&size=large")
    links = [link.attrs["href"] for link in page.part("bottom_bar").all("a")]

    kept, opened = (phone.client.get(link) for link in links)

    assert opened.headers["Content-Disposition"].startswith("inline; ")
    assert kept.headers["Content-Disposition"].startswith("attachment; ")
    assert "score-sheet-Letter-Large-print-black-and-white.pdf" in kept.headers["Content-Disposition"]
    assert kept.data == opened.data
    assert colors(kept.data) == set()


def test_the_result_has_an_address_of_its_own(played: Page, phone: Phone) -> None:
    answer = phone.client.get(f"/matches/{played.code}/result.pdf?paper=letter")

    assert answer.mimetype == "application/pdf"
    assert float(read(answer.data).pages[0].mediabox.width) == pytest.approx(612, abs=1)
    assert "Ann 3" in text_of(answer.data)


def test_a_sheet_that_the_phone_has_is_sent_again_only_after_another_hand(played: Page, phone: Phone) -> None:
    path = f"/matches/{played.code}/result.pdf"
    first = phone.client.get(path)
    known = {"If-None-Match": first.headers["ETag"]}

    again = phone.client.get(path, headers=known)
    record(played.open(), call="p3:2")

    assert (again.status_code, again.data) == (304, b"")
    assert first.headers["Cache-Control"] == "private, no-cache"
    assert phone.client.get(path, headers=known).status_code == 200


def test_without_anything_said_one_picks_what_to_print(played: Page, phone: Phone) -> None:
    page = phone.open("/print")

    assert page.all("a", href=f"/print?match={played.code}")
    assert page.all("a", href="/print?rules=colorado-ten-point")


def test_there_are_no_pages_beyond_the_last(client: FlaskClient) -> None:
    numbers = ("1", "0", "9", "1000", "99999999999999")
    paths = [f"/print/page-{number}.png?rules=partnership-pitch" for number in numbers]

    client.get("/print?rules=partnership-pitch")

    assert [client.get(path).status_code for path in paths] == [200, 404, 404, 404, 404]


@pytest.fixture
def without_pango(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the Pango library unavailable."""
    monkeypatch.setattr(pdf, "is_available", lambda: False)


@pytest.mark.usefixtures("without_pango")
def test_without_pango_it_says_how_to_get_it_and_the_browser_prints(client: FlaskClient) -> None:
    page, sheet = client.get("/print?rules=partnership-pitch"), client.get("/print/sheet.pdf?rules=partnership-pitch")

    assert "libpangoft2-1.0-0" in page.text
    assert ("<img" in page.text, "Save PDF" in page.text, "/print/sheet.pdf?" in page.text) == (False, False, True)
    assert (sheet.status_code, sheet.mimetype) == (200, "text/html")
    assert "Rank of trumps" in sheet.text


@pytest.mark.usefixtures("without_pango")
@pytest.mark.parametrize(
    ("kind", "copies"), [("rules", 1), ("large", 1), ("pocket", 4), ("pad", 2), ("pad&size=four", 4)]
)
def test_what_the_browser_prints_has_its_paper_every_piece_and_no_style_but_its_own(
    client: FlaskClient, kind: str, copies: int
) -> None:
    sheet = client.get(f"/print/sheet.pdf?rules=partnership-pitch&ink=black&paper=a4&kind={kind}")

    policy = sheet.headers["Content-Security-Policy"]
    assert sheet.text.count("Partnership Pitch</h1>") == copies
    assert "'unsafe-inline'" not in policy
    assert policy.count("'sha256-") >= sheet.text.count("<style>") > 0
    assert all(part in sheet.text for part in ("@page{size:", "/static/fonts/"))
    assert not any(part in sheet.text for part in ("style=", "#1d4d3c"))
