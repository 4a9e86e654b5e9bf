"""Back up a book and restore it: preview first, choose where both copies changed, and lose nothing."""

import csv
import gzip
import io
import json
import re
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from flask import Flask

from scorekeeper.club.book_files.views import waiting_sentence
from scorekeeper.database.engine import db
from scorekeeper.matches.files import kept_files
from scorekeeper.matches.files.kept_files import FileRefused, KeptFile
from scorekeeper.pitch.text.phrases import AMERICAN
from tests.common.apps import empty
from tests.common.books import book_of, opened
from tests.common.guests import SCORER, change, let_in
from tests.common.importing import another_import
from tests.common.nights import begin_night
from tests.common.phone import Page, Phone, tap_together
from tests.pages.conftest import Begin, record


@pytest.fixture
def match(begin: Begin) -> Page:
    """Begin a match called Sunday, and play a hand."""
    return record(begin("partnership-pitch", title="Sunday"), call="p4:3", trump="spades", took_low="s1")


@pytest.fixture
def file(phone: Phone, match: Page) -> bytes:
    """Back the book up, and go to another Scorekeeper."""
    data = backup(phone)
    elsewhere(phone)
    return data


def backup(phone: Phone) -> bytes:
    data: bytes = book_of(phone).open("file").response.data
    return data


def elsewhere(phone: Phone) -> None:
    with phone.client.application.app_context():
        empty(db.session)


def look(phone: Phone, file: bytes) -> Page:
    """Choose a file on the page for all, which begins a book or adds to the phone's."""
    return phone.upload(phone.open("/transfer"), "/transfer", "miller.pitch-book.gz", file)


def look_in_book(phone: Phone, file: bytes) -> Page:
    return phone.upload(book_of(phone).open("transfer"), "/import", "a.gz", file)


def test_a_backup_is_looked_at_and_imported_whenever_it_is_chosen(phone: Phone, file: bytes) -> None:
    for _ in range(2):
        elsewhere(phone)

        looked = look(phone, file)
        done = looked.send("/transfer/book")

        assert "miller.pitch-book.gz was read. Nothing is changed yet." in looked.text
        assert looked.offers("Import 1 match")
        assert done.path.endswith("/transfer")
        assert "1 match imported." in done.text
        assert "Sunday" in book_of(phone).text


def test_ladder_nights_without_a_match_are_what_was_imported(phone: Phone) -> None:
    begin_night(phone)
    data = backup(phone)
    elsewhere(phone)

    done = look(phone, data).send("/transfer/book")

    assert "1 ladder night imported." in done.text
    assert "match imported" not in done.text


@pytest.mark.parametrize("do", ["end", "watcher"])
def test_a_phone_is_let_into_a_match_that_came_in_and_out_again(
    phone: Phone, other_phone: Phone, file: bytes, do: str
) -> None:
    look(phone, file).send("/transfer/book")
    match = opened(book_of(phone), "Sunday")
    theirs = let_in(match, other_phone, SCORER)

    assert change(match, do).status == 200
    assert not other_phone.open(theirs.path).offers("Record hand")


def test_two_taps_on_import_are_answered_alike_and_so_is_a_later_one(phone: Phone, file: bytes) -> None:
    form = look(phone, file).form("/transfer/book")

    one, other = tap_together(phone, form.action, lambda: form.fields)
    later = phone.post(form.action, form.fields, follow=False).response

    assert one == other == (later.status, later.location)
    assert (later.status, (later.location or "").rpartition("?")[2]) == ("303 SEE OTHER", "new=1&left=0")


@pytest.mark.usefixtures("match")
def test_a_file_has_a_name_that_says_what_it_is(phone: Phone) -> None:
    answer = book_of(phone).open("transfer").tap("Download this list").response

    assert answer.mimetype == "application/gzip"
    assert answer.headers["Content-Disposition"] == "attachment; filename=Your-matches.pitch-book.gz"


@pytest.mark.parametrize(
    ("seconds", "how_long"),
    [(4.9, ""), (5, "10 seconds"), (41, "50 seconds"), (52, "a minute"), (61, "2 minutes"), (130, "3 minutes")],
)
def test_how_long_an_import_takes_is_said(seconds: float, how_long: str) -> None:
    assert (f"about {how_long}." in waiting_sentence(seconds)) if how_long else waiting_sentence(seconds) == ""


@pytest.mark.usefixtures("match")
def test_what_is_here_already_is_said(phone: Phone) -> None:
    looked = look_in_book(phone, backup(phone))

    assert looked.status == 200
    assert "Everything in this file is here already." in looked.text
    assert not looked.offers("Import the changes")


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_what_is_not_the_same_in_the_file_is_named_and_left(phone: Phone, match: Page, zone: str) -> None:
    base = backup(phone)
    record(match.open(), call="p1:2", trump="hearts", took_low="s1")
    theirs = backup(phone)
    elsewhere(phone)
    look(phone, base).send("/transfer/book")
    phone.client.set_cookie("zone", zone)

    looked = look_in_book(phone, theirs)

    day = AMERICAN.day(datetime.now(ZoneInfo(zone)))  # one of the two is never the server's
    assert re.search(f"“Sunday” .*: here 1 hand, {day}, .*; in the file 2 hands, {day}, ", looked.text)
    assert "Nothing in this file is new here." in looked.text
    assert not looked.offers("Import")


def test_an_import_says_what_came_in_and_what_was_left(phone: Phone, match: Page, begin: Begin) -> None:
    base = backup(phone)
    record(match.open(), call="p1:2", took_low="s1")
    begin("partnership-pitch", title="Monday")
    theirs = backup(phone)
    elsewhere(phone)
    look(phone, base).send("/transfer/book")

    done = look_in_book(phone, theirs).send("/import/confirm")

    assert "1 match imported. 1 match differs in the file and stays as it is here." in done.text
    assert "1,200 matches imported." in done.open("?new=1200").text


def test_cancel_imports_nothing_and_keeps_nothing(phone: Phone, file: bytes) -> None:
    looked = look(phone, file)

    looked.send("/transfer/book/cancel")
    late = looked.send("/transfer/book")

    assert late.status == 422
    assert "is not kept any more. Choose it again." in late.faults


def test_a_money_night_that_is_restored_whole_or_beside_its_first_match_is_the_same(phone: Phone, begin: Begin) -> None:
    match = record(begin("racehorse"), call="p2:2")
    for name in ("Eve", "Fay"):
        form = match.open("money/players")
        match = record(form.post("/money/players", {"stays": ["p1", "p2", "p3"], "joins-1": name}), call="p1:2")
    match.open("money").send("/money/paid", press="Paid")
    night, file = match.open("money").text, backup(phone)
    before, first_match, *_ = gzip.decompress(file).split(b'{"match"')

    elsewhere(phone)
    look(phone, file).send("/transfer/book")
    assert backup(phone) == file
    elsewhere(phone)
    look(phone, before + b'{"match"' + first_match + b'{"end":1}\n').send("/transfer/book")
    look_in_book(phone, file).send("/import/confirm")

    for name in ("Dan", "Fay"):
        assert opened(book_of(phone), f"Ann, Bea, Cal and {name}").open("money").text == night


@pytest.mark.usefixtures("match")
def test_a_stranger_gets_nothing_by_a_file(phone: Phone, other_phone: Phone) -> None:
    page = look(other_phone, backup(phone))

    assert page.status == 422
    assert "this phone does not own them" in page.faults


@pytest.mark.usefixtures("match")
def test_no_file_and_another_import_are_said(app: Flask, phone: Phone) -> None:
    empty_form = book_of(phone).open("transfer").post("/import", {})
    with another_import(app):
        busy = look_in_book(phone, backup(phone))

    assert (empty_form.status, busy.status) == (422, 503)
    assert "Another import is running." in busy.faults


def test_what_is_kept_is_private_and_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_files, "MAX_KEPT_FILES", 2)
    digests = [KeptFile(tmp_path, device, "book 1").keep(device.encode()) for device in ("a", "b", "c")]

    assert KeptFile(tmp_path, "c", "book 1").read(digests[2]) == b"c"
    for purpose, digest in (("book 1", digests[1]), ("book 2", digests[2])):
        with pytest.raises(FileRefused):
            KeptFile(tmp_path, "c", purpose).read(digest)
    assert [file.stat().st_mode & 0o777 for file in tmp_path.iterdir()] == [0o600] * 2
    monkeypatch.setattr(kept_files, "FILE_LIFETIME_S", 0)
    KeptFile(tmp_path, "d", "book 1").keep(b"d")
    assert len(list(tmp_path.iterdir())) == 1


def rows(phone: Phone, name: str, delimiter: str = ",") -> list[list[str]]:
    """Download a spreadsheet."""
    text = book_of(phone).open(f"{name}.csv").response.data.decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text), delimiter=delimiter))


@pytest.mark.usefixtures("match")
def test_matches_and_hands_are_rows_of_a_spreadsheet(phone: Phone) -> None:
    head, *sunday = rows(phone, "matches")
    [match] = [dict(zip(head, row, strict=True)) for row in sunday]
    head, *both = rows(phone, "hands")
    hands = [dict(zip(head, row, strict=True)) for row in both]

    assert match["title"] == "Sunday"
    assert [(hand["side number"], hand["score"]) for hand in hands] == [(n, match[f"score {n}"]) for n in "12"]
    assert {hand[head[0]] for hand in hands} == {sunday[0][0]} == {"1"}


@pytest.mark.parametrize(
    ("title", "cell"),
    [
        *(
            (cell, f"'{cell}")
            for cell in ("=1+1", "+1", "-1", "@now", "=HYPERLINK(“x”)", "\uff1d1+1", "\uff0b1", '"=1"')
        ),
        ("Friday;=1+1", "Friday;'=1+1"),
        ("Friday; @now; -1", "Friday;' @now;' -1"),
        ("Friday;\uff1d1", "Friday;'\uff1d1"),
        ("Friday; won 2-1", "Friday; won 2-1"),
    ],
)
@pytest.mark.parametrize("delimiter", [",", ";"])
def test_no_cell_starts_a_formula(phone: Phone, begin: Begin, title: str, cell: str, delimiter: str) -> None:
    begin("partnership-pitch", title=title)

    cells = [text for row in rows(phone, "matches", delimiter) for text in row]

    assert delimiter == ";" or cell in cells
    assert not [text for text in cells if text.strip(' "')[:1] in tuple("=+@\uff1d\uff0b")]


@pytest.mark.parametrize("at", [0, 1, -2])
def test_a_file_with_a_key_that_is_no_text_is_refused(phone: Phone, file: bytes, at: int) -> None:
    lines = gzip.decompress(file).splitlines()
    lines[at] = json.dumps({**json.loads(lines[at]), "\ud800": 1}).encode()

    page = look(phone, gzip.compress(b"\n".join(lines)))

    assert page.status == 422
    assert "Nothing was imported" in page.text or "was not imported" in page.text
