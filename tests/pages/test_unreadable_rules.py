"""A match of which the rules or an event cannot be read: its page shows that, and pages that list it still work."""

import hashlib
import json
import tracemalloc

import pytest
import sqlalchemy as sa
from flask import Flask
from sqlmodel import col, select

from scorekeeper.database.engine import db
from scorekeeper.database.tables import MatchRow
from tests.club.book_files.pages.test_book_transfer import elsewhere
from tests.common.apps import clear_caches
from tests.common.books import book_code
from tests.common.nights import begin_night, seat_by_hand, win_match
from tests.common.pace import counted_calls
from tests.common.phone import Page, Phone
from tests.pages.conftest import Begin, record

TOO_MANY = 3_000_000


each_way = pytest.mark.parametrize("unreadable", ["rules", "event"], indirect=True)


@pytest.fixture
def unreadable(app: Flask, begin: Begin, request: pytest.FixtureRequest) -> Page:
    """Play two matches, one of them to its end, after its rules seat three million, or its events are of tomorrow."""
    record(begin(title="Friday"), call="p4:3", trump="spades", took_low="s1")
    over = begin(title="Sunday", house_target="7")
    over = record(record(over, call="p4:3", trump="spades"), call="p4:3", trump="spades")
    assert "Bea & Dan win" in over.text
    with app.app_context():
        match = db.session.scalars(select(MatchRow).where(col(MatchRow.title) == "Sunday")).one()
        if getattr(request, "param", "rules") == "event":
            db.session.execute(sa.text("UPDATE event SET kind = 'tomorrow' WHERE match_id = :id"), {"id": match.id})
        else:
            rules = json.loads(match.ruleset)
            rules["table"] |= {"fewest": 2, "most": TOO_MANY}
            match.ruleset = json.dumps(rules)
            match.digest = hashlib.sha256(match.ruleset.encode()).hexdigest()
        db.session.commit()
    clear_caches()
    return over


def make_unreadable(app: Flask, *tables: str) -> None:
    """Make all events in these tables of a kind that only a later version knows."""
    with app.app_context():
        for table in tables:
            db.session.execute(sa.text(f"UPDATE {table} SET kind = 'tomorrow'"))
        db.session.commit()
    clear_caches()


def test_a_match_with_unreadable_rules_shows_the_fault(unreadable: Page) -> None:
    tracemalloc.start()
    with counted_calls() as count:
        page = unreadable.open()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert page.status == 422
    assert "Can’t open this" in page.text
    assert "Scorekeeper can’t read the rules of this match (table.most): Input should be less than" in page.faults
    assert f"Found {TOO_MANY}." in page.faults
    assert "Nothing in it is lost" in page.faults
    assert count.calls < 100_000
    assert peak < 10 * 1024**2


@each_way
def test_no_page_of_a_match_with_unreadable_rules_fails(app: Flask, unreadable: Page, phone: Phone) -> None:
    code = unreadable.code
    rules = [
        rule.rule.replace("<code>", code)
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/matches/<") and rule.arguments == {"code"} and "GET" in (rule.methods or ())
    ]

    statuses = {rule: phone.open(rule).status for rule in rules}

    assert len(statuses) > 20
    assert not [rule for rule, status in statuses.items() if status >= 500]


def test_no_hand_is_saved_in_a_match_with_unreadable_rules(app: Flask, unreadable: Page, phone: Phone) -> None:
    friday = next(link for link in phone.open("/").all("a") if "Friday" in link.text)
    form = phone.open(friday.attrs["href"]).tap("Record hand").form("/hands/new")

    answer = phone.post(f"{unreadable.path}hands/new", form.fields)

    assert answer.status == 422
    assert "Can’t open this" in answer.text
    with app.app_context():
        events = db.session.execute(sa.text("SELECT count(*) FROM event")).scalar_one()
    assert events == 3


@pytest.mark.club
@each_way
def test_every_list_shows_a_match_with_unreadable_rules(unreadable: Page, phone: Phone) -> None:
    book = f"/books/{book_code(phone)}/"

    home, listed, people = phone.open("/"), phone.open(book), phone.open(f"{book}people")

    for page in (home, listed):
        assert page.status == 200
        assert "Sunday" in page.text
        assert "Scorekeeper can’t read it" in page.text
        assert "Friday" in page.text
    assert people.status == 200


@pytest.mark.club
def test_a_night_that_cannot_be_read_fails_no_list_and_no_match(app: Flask, phone: Phone) -> None:
    host = seat_by_hand(begin_night(phone, "Ann & Cal", "Bea & Dan", variant="auction-pitch"))
    match = host.tap("Keep the score of table 1")
    make_unreadable(app, "night_event")

    lists = phone.open("/").text + phone.open(f"/books/{book_code(phone)}/nights/").text
    won = win_match(match, "p3")

    assert lists.count("Scorekeeper can’t read it") == 2
    assert "Ann & Cal win" in won.text


@pytest.mark.club
@pytest.mark.usefixtures("unreadable")
@each_way
def test_its_book_goes_into_a_file_without_it_and_back(app: Flask, phone: Phone) -> None:
    begin_night(phone, "Ann & Cal")
    make_unreadable(app, "night_event", "book_event")
    book = f"/books/{book_code(phone)}"
    named = phone.open(f"{book}/file").text
    file, *tables = (
        phone.open(f"{book}/{name}").tap("Download the rest") for name in ("file", "matches.csv", "hands.csv")
    )
    elsewhere(phone)

    look = phone.upload(phone.open("/transfer"), "/transfer", "miller.pitch-book.gz", file.response.data)
    back = look.send("/transfer/book")

    assert "An entry about names and people The ladder night “Pitch night”" in named
    assert [table.status for table in tables] == [200, 200]
    assert not [table for table in tables if "Sunday" in table.response.text]
    assert back.status == 200
    assert "Friday" in phone.open(f"/books/{book_code(phone)}/").text


@pytest.mark.club
def test_a_backup_comes_into_its_book_beside_what_cannot_be_read(app: Flask, phone: Phone, begin: Begin) -> None:
    record(begin(title="Friday"), call="p4:3", trump="spades", took_low="s1")
    begin_night(phone, "Ann & Cal")
    book = f"/books/{book_code(phone)}"
    file = phone.open(f"{book}/file").response.data
    make_unreadable(app, "event", "night_event")

    looked = phone.upload(phone.open(f"{book}/transfer"), "/import", "a.gz", file)

    assert "here 0 hands; in the file 1 hand" in looked.text


@pytest.mark.usefixtures("unreadable")
def test_its_hands_can_still_be_downloaded(phone: Phone) -> None:
    lines = phone.open("/transfer/matches.json").response.text.splitlines()

    records = {record["title"]: record for record in map(json.loads, lines)}

    assert records.keys() == {"Friday", "Sunday"}
    assert len(records["Sunday"]["hands"]) == 2
