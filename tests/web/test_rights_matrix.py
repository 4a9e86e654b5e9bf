"""The matrix of rights: every route of the app, for every role that somebody can have, before and after that changes.

A new route has to be added here, or the first test fails.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask

from scorekeeper.database.engine import db
from scorekeeper.eventlog.stream import ROLE_RANKS, allows
from scorekeeper.printing import print_service
from scorekeeper.printing.print_process import PrintingFailed
from tests.browser.playing import begin_match
from tests.common.books import book_code, join_book
from tests.common.guests import OWNER, SCORER, WATCHER, let_in
from tests.common.nights import EIGHT, begin_night, join_night, night_path, seat_by_hand, tap_winner
from tests.common.phone import Page, Phone
from tests.pages.conftest import Begin, record

ANYBODY = "anybody"

MATRIX = {
    ANYBODY: """
        home.index home.all_matches own_people.show
        new.choose new.table new.start join.ask_pin join.submit_pin join.ask_seat join.enter
        house.index house.show house.change house.back house.copy house.retire house.download house.share house.upload
        house.new house.new_submit house.take rules.index rules.print_shared rules.show rules.print_rules
        settle.show settle.choose settle.share settings.show theme.choose
        nights.new nights.new_submit night_seats.ask_entrant night_seats.enter
        transfer.show transfer.upload transfer.upload_again transfer.download new_book.confirm new_book.cancel
        pwa.manifest pwa.offline pwa.worker health.show static
    """,
    WATCHER: """
        matches.show matches.board tv.show tv.open_on tv.board history.show history.change_log menu.show menu.download
        rules.show_match rules.print_match prints.print_score_sheet settle.of_match share.show share.save_picture
        what_if.show what_if.choose what_if.share phones.ask_seat phones.claim_seat
        money_night.show matches.agreement matches.agree matches.accept history.dispute
        new.again prints.choose prints.print_pdf prints.show_page
    """,
    SCORER: """
        hands.new hands.new_submit hands.edit hands.edit_submit hands.preview
        history.correct_again history.remove history.remove_submit history.restore
        matches.undo matches.redo matches.stop matches.stop_submit matches.resume
        deal.show deal.submit sits_in.show sits_in.submit menu.names menu.choose_marker
        money_night.players money_night.change_players money_night.take_back money_night.pay money_night.undo_paid
    """,
    OWNER: """
        matches.delete matches.delete_submit matches.restore menu.rename
        menu.who menu.who_submit
        rule_change.show rule_change.submit phones.show phones.change phones.invite phones.close
        tv.put_on share.make_link what_if.make_link match_book.show match_book.move match_book.back
    """,
}
"""The least role for each route. A watcher may also claim a seat, and dispute a hand."""

BOOK_MATRIX = {
    WATCHER: """
        books.show books.open_one
        book_transfer.show book_transfer.matches_csv book_transfer.hands_csv
        people.everybody people.one people.pairs people.again people.one_year
        book_nights.show book_nights.open_one
    """,
    OWNER: """
        people.names people.name people.change people.undo people.redo
        books.settings books.rename books.undo books.redo
        book_phones.show book_phones.invite book_phones.close book_phones.change
        book_transfer.download book_transfer.upload book_transfer.confirm book_transfer.cancel
    """,
}
"""The least role that a link to a book needs for each route."""

NIGHTS = {
    WATCHER: """
        night_seats.show night_seats.ask night_seats.choose night_seats.report_winner night_seats.wall
        nights.show nights.results nights.csv_file
    """,
    SCORER: """
        nights.win nights.start_round nights.undo nights.redo nights.keep_match nights.correct nights.save_result
        nights.entrants nights.entrants_submit nights.change_entrant
    """,
    OWNER: """
        nights.undo_round nights.seating nights.start nights.settings nights.save_settings
        nights.delete nights.delete_submit nights.restore
        night_phones.show night_phones.invite night_phones.close night_phones.change night_phones.put_on_wall
    """,
}
"""The same of a ladder night, whose links lead to no match."""

LEAST, BOOK_LEAST, AT_NIGHT = (
    {endpoint: least for least, endpoints in matrix.items() for endpoint in endpoints.split()}
    for matrix in (MATRIX, BOOK_MATRIX, NIGHTS)
)
BY_QUERY = ("prints.choose", "prints.print_pdf", "prints.show_page")
"""Routes with the match in the query."""

TABLES = (
    *("event", "link", "invitation", "match", "device_match"),
    *("book", "book_event", "book_link", "device_book", "book_match"),
    *("money_change", "carried_link", "night", "night_event", "night_link", "night_invitation"),
)
Routes = list[tuple[str, str, str]]


def routes(app: Flask) -> Routes:
    """Name every route with its endpoint and its method."""
    return [
        (rule.endpoint, method, rule.rule)
        for rule in app.url_map.iter_rules()
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})
    ]


def served(app: Flask, least: Mapping[str, str]) -> Mapping[str, str]:
    """Return those routes that the app has; without the club there are fewer."""
    return least if "nights" in app.blueprints else {name: least[name] for name in least if name in app.view_functions}


def test_every_route_is_in_the_matrix_once(app: Flask) -> None:
    written = " ".join(endpoints for matrix in (MATRIX, BOOK_MATRIX, NIGHTS) for endpoints in matrix.values()).split()

    assert len(written) == len({*written})
    assert sorted(endpoint for endpoint, _, _ in routes(app)) == sorted(served(app, dict.fromkeys(written, "")))


def filled(app: Flask, endpoint: str, code: str) -> str:
    """Return the address of a route, with this code and made-up values."""
    (rule,) = (rule for rule in app.url_map.iter_rules(endpoint))
    values: dict[str, Any] = {"ruleset_id": "racehorse", "filename": "nothing", "number": 1, "year": 2026}
    values |= dict.fromkeys(("uid", "seq", "link_id", "table"), 1)
    named = {name: values.get(name, code) for name in rule.arguments}
    with app.test_request_context():
        address = app.url_for(endpoint, **named)
    return f"{address}?match={code}" if endpoint in BY_QUERY else address


@pytest.fixture
def _nothing_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: object) -> None:
        raise PrintingFailed("Not here.")

    monkeypatch.setattr(print_service, "print_sheet", fail)
    monkeypatch.setattr(print_service, "page_image", fail)


def kept(app: Flask) -> dict[str, list[Any]]:
    """Return all rows of matches, books and nights."""
    with app.app_context():
        return {
            table: [tuple(row) for row in db.session.execute(sa.text(f'SELECT * FROM "{table}" ORDER BY 1, 2'))]
            for table in TABLES
        }


def answers(
    app: Flask, phone: Phone, code: str, wanted: Callable[[str], bool], least: Mapping[str, str] = LEAST
) -> Iterator[tuple[str, Page]]:
    """Send a request to every route whose least role is wanted, and yield the answers."""
    token = phone.open("/settings").form("/theme").fields["csrf_token"]
    for endpoint, method, _ in routes(app):
        if endpoint in least and wanted(least[endpoint]):
            address = filled(app, endpoint, code)
            if method == "GET":
                yield endpoint, phone.open(address)
            else:
                yield endpoint, phone.post(address, {"csrf_token": token}, follow=False)


@pytest.mark.usefixtures("_nothing_is_printed")
def test_a_shared_link_may_do_what_a_watcher_may(app: Flask, match: Page, other_phone: Phone) -> None:
    record(match, call="p4:3")
    match.open("share").send("/share")
    with app.app_context():
        code = str(db.session.execute(sa.text("SELECT code FROM link WHERE code LIKE 'watch-%'")).scalar_one())
    before = kept(app)

    refused = answers(app, other_phone, code, lambda least: least in (SCORER, OWNER))
    assert [(endpoint, page.status) for endpoint, page in refused if page.status != 403] == []
    assert kept(app) == before
    allowed = answers(app, other_phone, code, lambda least: least == WATCHER)
    assert [(endpoint, page.status) for endpoint, page in allowed if page.status in (403, 410)] == []


@pytest.mark.usefixtures("_nothing_is_printed")
@pytest.mark.parametrize("scope", ["match", "book", pytest.param("night", marks=pytest.mark.club)])
def test_a_code_that_nobody_has_leads_nowhere_not_even_for_owners_of_something_else(
    app: Flask, match: Page, other_phone: Phone, scope: str
) -> None:
    mine = begin_match(other_phone, "racehorse").code
    least = {"match": LEAST, "book": BOOK_LEAST, "night": AT_NIGHT}[scope]
    code = match.code
    if scope != "match":
        code = book_code(match.phone) if scope == "book" else begin_night(match.phone, *EIGHT[:2]).code
    before = kept(app)

    wrong = [code[:-1] + "AB"[code[-1] == "A"], *([] if scope == "match" else [mine])]
    found = [page for each in wrong for page in answers(app, other_phone, each, lambda role: role != ANYBODY, least)]

    assert [(endpoint, page.status) for endpoint, page in found if page.status != 404] == []
    assert kept(app) == before


@pytest.mark.usefixtures("_nothing_is_printed")
def test_what_anybody_may_open_shows_nothing_of_a_match(app: Flask, match: Page, other_phone: Phone) -> None:
    code = record(match, call="p4:3").code
    match.open("names").send("/names", {"name-p4": "Zoe"})  # no name of an example

    found = list(answers(app, other_phone, code, lambda least: least == ANYBODY))

    assert {endpoint for endpoint, page in found if "Zoe" in page.response.text} == set()
    assert len(found) == sum(role == ANYBODY for role in served(app, LEAST).values())


def test_the_link_to_a_match_opens_nothing_of_its_book(match: Page, other_phone: Phone) -> None:
    path = let_in(match, other_phone, SCORER).path
    owners, not_mine = book_code(match.phone), path.replace("/matches/", "/books/")
    match.phone.open(f"/books/{owners}/settings").send("/settings", {"name": "Thursdays"})

    for page in (
        *(f"{path}{page}" for page in ("", "menu", "history", "share", "names")),
        "/",
        "/new/racehorse",
        not_mine,
    ):
        text = other_phone.open(page).response.text
        assert (page, "Thursdays" in text, owners in text) == (page, False, False)
    assert other_phone.open(not_mine).status == 404


def test_a_scorer_is_offered_no_undo_of_what_only_an_owner_does(match: Page, other_phone: Phone) -> None:
    record(match, call="p4:3")
    scorer = let_in(match, other_phone, SCORER, "p2")
    match.open("names").send("/names", {"name-p1": "Anna"})

    refused = other_phone.post(f"{scorer.path}undo", {**match.open().form("/undo").fields, **_token(other_phone)})

    assert [scorer.open(page).offers("Undo") for page in ("", "history")] == [False, False]
    assert (refused.status, "Only an owner’s phone can do this." in refused.text) == (403, True)
    assert "Anna" in scorer.open().text


def _token(phone: Phone) -> dict[str, str]:
    return {"csrf_token": phone.open("/settings").form("/theme").fields["csrf_token"]}


@pytest.mark.parametrize("key", ["k" * 37, "ключ", "a\x01b"])
def test_a_key_that_does_not_fit_is_refused_and_not_cut(match: Page, key: str) -> None:
    refused = match.phone.post(f"{match.path}stop", {**_token(match.phone), "client_key": key})

    assert (refused.status, "A form’s key has 1 to 36 plain letters." in refused.text) == (422, True)
    assert match.open().offers("Record hand")


AS_IT_JOINED, REMOVED = "as it joined", "removed"
CELLS = [
    pytest.param(scope, role, after, marks=[pytest.mark.club] if "night" in scope else [])
    for scope in ("match", "book", "night", "money night")
    for role in ROLE_RANKS
    for after in (AS_IT_JOINED, REMOVED, *(rank for rank in ROLE_RANKS if not allows(rank, role)))
]
"""What a phone has joined, its role, and what the owner does then: nothing, remove it, or give it a lower role."""


@dataclass(frozen=True)
class Joined:
    """A phone that has joined something, and its owner."""

    owner: Phone
    phones: str
    """The owner's page of the phones."""
    table: str
    """The table that stores its links."""
    codes: Sequence[str]
    """Its links: of a money night one to each match; the owner changes the last."""
    least: Mapping[str, str]

    def change(self, app: Flask, do: str) -> None:
        """Do something with the phone's link, as the owner."""
        [number] = _select(app, f"SELECT id FROM {self.table} WHERE code = :code", code=self.codes[-1])
        done = self.owner.post(f"{self.phones}/{number}", {**_token(self.owner), "do": do}, follow=False)
        assert done.status == 303


def _select(app: Flask, statement: str, **values: str) -> Sequence[Any]:
    with app.app_context():
        return db.session.execute(sa.text(statement), values).scalars().all()


def joined(app: Flask, begin: Begin, phone: Phone, scope: str, role: str) -> Joined:
    """Let a phone join something in a role; an owner is made one by the owner."""
    joins_as = SCORER if role == OWNER else role
    if scope == "night":
        owner = Phone(app.test_client())
        host = tap_winner(seat_by_hand(begin_night(owner, *EIGHT)), "Ida & Jon")
        mine, theirs = night_path(join_night(host, phone, joins_as)), night_path(host)
        found = Joined(owner, f"{theirs}/phones", "night_link", [mine.split("/")[2]], AT_NIGHT)
    elif scope == "book":
        owner = record(begin(), call="p4:3").phone
        mine, theirs = join_book(owner, phone, joins_as).code, book_code(owner)
        found = Joined(owner, f"/books/{theirs}/phones", "book_link", [mine], BOOK_LEAST)
    else:
        match = record(begin("racehorse" if scope == "money night" else "partnership-pitch"), call="p4:3")
        codes = [let_in(match, phone, joins_as).code]
        if scope == "money night":
            players = match.open().tap("Somebody joins or leaves")
            match = players.post("/money/players", {"stays": ["p1", "p2", "p3"], "joins-1": "Eve"})
            same_phone = "(SELECT device FROM link WHERE code = :code)"
            codes += _select(app, f"SELECT code FROM link WHERE match_id = 2 AND device = {same_phone}", code=codes[0])
        found = Joined(match.phone, f"{match.path}room", "link", codes, LEAST)
    if role == OWNER:
        found.change(app, OWNER)
    return found


@pytest.mark.usefixtures("_nothing_is_printed")
@pytest.mark.parametrize(("scope", "role", "after"), CELLS)
def test_a_phone_may_do_what_its_role_allows_and_nothing_once_it_is_removed(
    app: Flask, begin: Begin, other_phone: Phone, scope: str, role: str, after: str
) -> None:
    theirs = joined(app, begin, other_phone, scope, role)
    now = None if after == REMOVED else role if after == AS_IT_JOINED else after
    if after != AS_IT_JOINED:
        theirs.change(app, "end" if after == REMOVED else after)
    before = kept(app)

    def is_allowed(least: str) -> bool:
        return bool(now and allows(now, least))

    tried = [
        (endpoint, page.status)
        for code in theirs.codes
        for endpoint, page in answers(
            app, other_phone, code, lambda least: least != ANYBODY and not is_allowed(least), theirs.least
        )
    ]
    assert {status for _, status in tried} <= {403 if now else 410}, tried
    forbidden = [least for least in served(app, theirs.least).values() if least != ANYBODY and not is_allowed(least)]
    assert len(tried) == len(theirs.codes) * len(forbidden)
    assert kept(app) == before

    for code in theirs.codes if now else ():
        for endpoint, page in answers(
            app, other_phone, code, lambda least: least != ANYBODY and is_allowed(least), theirs.least
        ):
            assert page.status not in (403, 410, 500), endpoint
            if endpoint == "matches.delete_submit":
                other_phone.open(f"/matches/{code}/").send("/restore")
