"""The kitchen table alone: an app without the club starts, serves and prints, and leads to nothing that it lacks."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorekeeper import hooks
from scorekeeper.access.links import LINK_TABLES, MATCH_LINKS, NO_GROUP
from scorekeeper.config import BadSetting, read_settings
from scorekeeper.database.migrating import migrate
from tests.common.apps import close, make_app
from tests.common.gallery import for_money, won
from tests.common.nights import begin_night, night_invitation, night_path, seat_by_hand
from tests.common.phone import Page, Phone

CLUB_PAGES = re.compile(r"/nights|/people|/money(/|$)|/years|/books/[^/]+/(transfer|names|pairs)|/transfer/book")
ELSEWHERE = re.compile(r"\.(pdf|png|json|toml|csv)|^/(static|new|rules|house|settle|print|find)/")
"""Files, and pages that differ by their game alone."""


def forget_what_is_registered(patch: pytest.MonkeyPatch) -> None:
    """Begin like a process of its own."""
    for name, registered in list(vars(hooks).items()):
        if isinstance(registered, hooks.Hook | dict) and not name.startswith("__"):
            patch.setattr(hooks, name, type(registered)())
    patch.delitem(LINK_TABLES, "night", raising=False)
    patch.setattr(MATCH_LINKS, "group", NO_GROUP)


@pytest.fixture
def phone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Phone]:
    """Return a phone of an app without the club, on a new database."""
    forget_what_is_registered(monkeypatch)
    app = make_app(tmp_path, SCOREKEEPER_CLUB="off")
    migrate(app)
    yield Phone(app.test_client())
    close(app)


def linked(page: Page) -> list[str]:
    """Return all addresses that a page leads to, or sends a form to."""
    found = [link.attrs["href"] for link in page.all("a")] + [form.action for form in page.forms]
    return [address.partition("#")[0].removeprefix("http://localhost") for address in found]


def test_no_page_leads_to_one_of_the_club(phone: Phone) -> None:
    page = won(phone)
    match = page.path
    addresses, seen = ["/", match, "/settings", "/transfer", "/rules", "/settle", "/print", "/new"], set[str]()

    while addresses:
        address = addresses.pop()
        if address.partition("?")[0] in seen or not address.startswith("/") or ELSEWHERE.search(address):
            continue
        seen.add(address.partition("?")[0])
        page = phone.open(address)
        assert page.status in (200, 204, 303, 405), address
        if page.response.mimetype == "text/html":
            assert [found for found in linked(page) if CLUB_PAGES.search(found)] == [], address
            addresses += linked(page)

    assert {"/matches", "/transfer", f"{match}menu", f"{match}room"} <= seen


@pytest.mark.parametrize("path", ["/nights/new", "/people", "/transfer/book", "/books/x/people", "/books/x/transfer"])
def test_pages_of_the_club_are_not_there(phone: Phone, path: str) -> None:
    assert phone.open(path).status == 404


def test_a_match_is_begun_played_and_printed(phone: Phone) -> None:
    page = won(phone)

    assert sum(map(int, page.scores.values()))
    assert phone.open(f"{page.path}result.pdf").response.mimetype in ("application/pdf", "text/html")


def test_a_match_for_money_is_stopped_and_resumed(phone: Phone) -> None:
    page = for_money(phone)
    stopped = page.open("stop").send("/stop")

    assert not stopped.offers("Money night")
    assert stopped.tap("Resume").scores == page.scores


def test_a_database_that_a_club_has_used_opens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_club = make_app(tmp_path)
    migrate(with_club)
    host = Phone(with_club.test_client())
    match = won(host).path
    night = seat_by_hand(begin_night(host, "Ann & Cal", "Bea & Dan"))
    invitation = night_invitation(night)
    close(with_club)
    forget_what_is_registered(monkeypatch)
    app = make_app(tmp_path, SCOREKEEPER_CLUB="off")
    phone = Phone(app.test_client())
    cookie = host.client.get_cookie("scorekeeper")
    phone.client.set_cookie("scorekeeper", cookie.value if cookie else "")

    home = phone.open("/")
    assert home.status == 200
    assert "Pitch night" not in home.text
    assert phone.open(match).scores == host.open(match).scores
    assert phone.open(night_path(night)).status == 404
    assert phone.open(invitation).status == 404
    close(app)


@pytest.mark.parametrize(("name", "value"), [("SCOREKEEPER_KEEP_UNUSED", "90"), ("SCOREKEEPER_METRICS_PORT", "9150")])
def test_what_needs_the_club_is_refused_without_it(name: str, value: str) -> None:
    with pytest.raises(BadSetting, match=f"SCOREKEEPER_CLUB is off, and {name} needs it"):
        read_settings({"SCOREKEEPER_CLUB": "off", name: value})
