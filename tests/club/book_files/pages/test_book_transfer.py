"""A book backed up and restored: looked at first, with a choice where both were changed, and nothing lost."""

import csv
import gzip
import io
import json
import re
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa
from flask import Flask

from scorekeeper.club.book_files.views import waiting
from scorekeeper.database.engine import db
from scorekeeper.matches import service
from scorekeeper.matches.files import kept_files
from scorekeeper.pitch.text.phrases import AMERICAN
from tests.common.books import opened
from tests.common.guests import SCORER, change, let_in
from tests.common.importing import another_import
from tests.common.phone import Page, Phone, tap_together
from tests.pages.conftest import Begin, record


@pytest.fixture
def match(begin: Begin) -> Page:
    """Begin a match called Sunday, and play a hand."""
    return record(begin("partnership-pitch", title="Sunday"), call="p4:3", trump="spades", took_low="s1")


def code_of_book(app: Flask, n: int = -1) -> str:
    """Return the code of a link to a book, the last one made."""
    with app.app_context():
        return str(db.session.execute(sa.text("SELECT code FROM book_link ORDER BY id")).scalars().all()[n])


def transfer(app: Flask, phone: Phone) -> Page:
    """Open the page for backing up and restoring."""
    return phone.open(f"/books/{code_of_book(app)}/transfer")


def backup(app: Flask, phone: Phone) -> bytes:
    """Download the book."""
    data: bytes = phone.open(f"/books/{code_of_book(app)}/file").response.data
    return data


def elsewhere(app: Flask) -> None:
    """Let nothing be here, as on another Scorekeeper."""
    tables = "match_figures book_match device_book link device_match book_link book_event event ending book import_run"
    with app.app_context():
        for table in (*tables.split(), "match"):
            db.session.execute(sa.text(f'DELETE FROM "{table}"'))
        db.session.commit()
    service._cache.clear()


@pytest.mark.usefixtures("match")
def test_a_backup_is_looked_at_and_then_imported(app: Flask, phone: Phone) -> None:
    file = backup(app, phone)
    elsewhere(app)

    look = phone.upload(phone.open("/transfer"), "/transfer", "miller.pitch-book.gz", file)
    with app.app_context():
        before = db.session.execute(sa.text('SELECT count(*) FROM "match"')).scalar_one()
    done = look.send("/transfer/book")

    assert "miller.pitch-book.gz was read. Nothing is changed yet." in look.text
    assert look.offers("Import 1 match")
    assert before == 0
    assert done.path.endswith("/transfer")
    assert "1 match imported." in done.text
    assert "Sunday" in phone.open(f"/books/{code_of_book(app)}/").text


@pytest.mark.usefixtures("match")
@pytest.mark.parametrize("do", ["end", "watcher"])
def test_a_phone_is_let_into_a_match_that_came_in_and_out_again(
    app: Flask, phone: Phone, other_phone: Phone, do: str
) -> None:
    file = backup(app, phone)
    elsewhere(app)
    phone.upload(phone.open("/transfer"), "/transfer", "miller.pitch-book.gz", file).send("/transfer/book")
    match = opened(phone.open(f"/books/{code_of_book(app)}/"), "Sunday")
    theirs = let_in(match, other_phone, SCORER)

    assert change(match, do).status == 200
    assert not other_phone.open(theirs.path).offers("Record hand")


@pytest.mark.usefixtures("match")
def test_two_taps_on_import_are_answered_alike_and_so_is_a_later_one(app: Flask, phone: Phone) -> None:
    file = backup(app, phone)
    elsewhere(app)
    look = phone.upload(phone.open("/transfer"), "/transfer", "miller.pitch-book.gz", file)
    form = look.form("/transfer/book")

    one, other = tap_together(phone, form.action, lambda: form.fields)
    later = phone.post(form.action, form.fields, follow=False).response

    assert one == other == (later.status, later.location)
    assert (later.status, (later.location or "").rpartition("?")[2]) == ("303 SEE OTHER", "new=1&left=0")


@pytest.mark.usefixtures("match")
def test_a_file_that_is_chosen_again_is_looked_at_and_imported_again(app: Flask, phone: Phone) -> None:
    file = backup(app, phone)
    for _ in range(2):
        elsewhere(app)
        look = phone.upload(phone.open("/transfer"), "/transfer", "miller.pitch-book.gz", file)
        done = look.send("/transfer/book")

    assert "1 match imported." in done.text


@pytest.mark.usefixtures("match")
def test_a_file_has_a_name_that_says_what_it_is(app: Flask, phone: Phone) -> None:
    answer = phone.open(f"/books/{code_of_book(app)}/file").response

    assert answer.mimetype == "application/gzip"
    assert answer.headers["Content-Disposition"] == "attachment; filename=Your-matches.pitch-book.gz"
    assert json.loads(gzip.decompress(answer.data).splitlines()[0])["format"] == "pitch-book/1"


@pytest.mark.parametrize(
    ("seconds", "how_long"),
    [(4.9, ""), (5, "10 seconds"), (41, "50 seconds"), (52, "a minute"), (61, "2 minutes"), (130, "3 minutes")],
)
def test_how_long_an_import_takes_is_said(seconds: float, how_long: str) -> None:
    assert (f"about {how_long}." in waiting(seconds)) if how_long else waiting(seconds) == ""


@pytest.mark.usefixtures("match")
def test_what_is_here_already_is_said(app: Flask, phone: Phone) -> None:
    look = phone.upload(transfer(app, phone), "/import", "a.gz", backup(app, phone))

    assert look.status == 200
    assert "Everything in this file is here already." in look.text
    assert not look.has_form("/import/confirm") or not look.offers("Import the changes")


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_what_is_not_the_same_in_the_file_is_named_and_left(app: Flask, phone: Phone, match: Page, zone: str) -> None:
    base = backup(app, phone)
    record(phone.open(match.path), call="p1:2", trump="hearts", took_low="s1")
    theirs = backup(app, phone)
    elsewhere(app)
    phone.upload(phone.open("/transfer"), "/transfer", "a.gz", base).send("/transfer/book")
    phone.client.set_cookie("zone", zone)

    look = phone.upload(transfer(app, phone), "/import", "a.gz", theirs)

    day = AMERICAN.day(datetime.now(ZoneInfo(zone)))  # one of the two is never the server's
    assert re.search(f"“Sunday” .*: here 1 hand, {day}, .*; in the file 2 hands, {day}, ", look.text)
    assert "Nothing in this file is new here." in look.text
    assert not look.offers("Import")


@pytest.mark.usefixtures("match")
def test_an_import_says_what_came_in_and_what_was_left(app: Flask, phone: Phone, begin: Begin) -> None:
    base = backup(app, phone)
    record(phone.open(opened(phone.open(f"/books/{code_of_book(app)}/"), "Sunday").path), call="p1:2", took_low="s1")
    begin("partnership-pitch", title="Monday")
    theirs = backup(app, phone)
    elsewhere(app)
    phone.upload(phone.open("/transfer"), "/transfer", "a.gz", base).send("/transfer/book")

    done = phone.upload(transfer(app, phone), "/import", "a.gz", theirs).send("/import/confirm")

    assert "1 match imported. 1 match differs in the file and stays as it is here." in done.text


@pytest.mark.usefixtures("match")
def test_cancel_imports_nothing_and_keeps_nothing(app: Flask, phone: Phone) -> None:
    file = backup(app, phone)
    elsewhere(app)
    look = phone.upload(phone.open("/transfer"), "/transfer", "a.gz", file)

    look.send("/transfer/book/cancel")
    late = look.send("/transfer/book")

    assert late.status == 422
    assert "is not kept any more. Choose it again." in late.faults


@pytest.mark.usefixtures("match")
def test_a_stranger_gets_nothing_by_a_file(app: Flask, phone: Phone, other_phone: Phone) -> None:
    file = backup(app, phone)

    page = other_phone.upload(other_phone.open("/transfer"), "/transfer", "a.gz", file)

    assert page.status == 422
    assert "this phone does not own them" in page.faults


@pytest.mark.usefixtures("match")
def test_no_file_and_another_import_are_said(app: Flask, phone: Phone) -> None:
    page, file = transfer(app, phone), backup(app, phone)

    empty = phone.post(page.form("/import").action, page.form("/import").fields)
    with another_import(app):
        busy = phone.upload(page, "/import", "a.gz", file)

    assert (empty.status, busy.status) == (422, 503)
    assert "Another import is running." in busy.faults


def test_what_is_kept_is_private_and_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_files, "MAX_KEPT", 2)
    digests = [kept_files.keep_file(tmp_path, device, "book 1", device.encode()) for device in ("a", "b", "c")]

    assert kept_files.kept_file(tmp_path, "c", "book 1", digests[2]) == b"c"
    for purpose, digest in (("book 1", digests[1]), ("book 2", digests[2])):
        with pytest.raises(kept_files.FileRefused):
            kept_files.kept_file(tmp_path, "c", purpose, digest)
    assert len(list(tmp_path.iterdir())) == 2
    assert {file.stat().st_mode & 0o777 for file in tmp_path.iterdir()} == {0o600}
    monkeypatch.setattr(kept_files, "KEPT_FOR", 0)
    kept_files.keep_file(tmp_path, "d", "book 1", b"d")
    assert len(list(tmp_path.iterdir())) == 1


def rows(app: Flask, phone: Phone, name: str, delimiter: str = ",") -> list[list[str]]:
    """Download a spreadsheet."""
    text = phone.open(f"/books/{code_of_book(app)}/{name}.csv").response.data.decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text), delimiter=delimiter))


@pytest.mark.usefixtures("match")
def test_matches_and_hands_are_rows_of_a_spreadsheet(app: Flask, phone: Phone) -> None:
    head, sunday = rows(app, phone, "matches")
    hands = rows(app, phone, "hands")

    assert dict(zip(head, sunday, strict=True))["title"] == "Sunday"
    assert [row[hands[0].index("side number")] for row in hands[1:]] == ["1", "2"]
    assert [row[hands[0].index("score")] for row in hands[1:]] == [sunday[head.index(f"score {n}")] for n in (1, 2)]
    assert {row[0] for row in hands[1:]} == {sunday[0]} == {"1"}


@pytest.mark.parametrize(
    ("title", "cell"),
    [
        *((it, f"'{it}") for it in ("=1+1", "+1", "-1", "@now", "=HYPERLINK(“x”)", "\uff1d1+1", "\uff0b1", '"=1"')),
        ("Friday;=1+1", "Friday;'=1+1"),
        ("Friday; @now; -1", "Friday;' @now;' -1"),
        ("Friday;\uff1d1", "Friday;'\uff1d1"),
        ("Friday; won 2-1", "Friday; won 2-1"),
    ],
)
@pytest.mark.parametrize("delimiter", [",", ";"])
def test_no_cell_starts_a_formula(
    app: Flask, phone: Phone, begin: Begin, title: str, cell: str, delimiter: str
) -> None:
    begin("partnership-pitch", title=title)

    cells = [it for row in rows(app, phone, "matches", delimiter) for it in row]

    assert delimiter == ";" or cell in cells
    assert not [it for it in cells if it.strip(' "')[:1] in tuple("=+@\uff1d\uff0b")]


@pytest.mark.usefixtures("match")
@pytest.mark.parametrize("at", [0, 1, -2])
def test_a_file_with_a_key_that_is_no_text_is_refused(app: Flask, phone: Phone, at: int) -> None:
    lines = gzip.decompress(backup(app, phone)).splitlines()
    lines[at] = json.dumps({**json.loads(lines[at]), "\ud800": 1}).encode()

    page = phone.upload(phone.open("/transfer"), "/transfer", "miller.pitch-book.gz", gzip.compress(b"\n".join(lines)))

    assert page.status == 422
    assert "Nothing was imported" in page.text or "was not imported" in page.text
