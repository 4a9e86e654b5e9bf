"""The date of a match: today on the phone where it began, unless another was typed; and its venue and note."""

import csv
import io
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from scorekeeper.pitch.text.phrases import AMERICAN
from tests.common.books import book_code, book_of
from tests.common.importing import brought_in
from tests.common.nights import begin_night
from tests.common.phone import Page, Phone
from tests.pages.conftest import PEOPLE, record
from tests.printing.pages import text_of
from tests.scenarios.scene import told_record

FARTHEST = ("Pacific/Kiritimati", "Pacific/Pago_Pago")
"""Two time zones that never have the same date, so that the server's date differs from one of them."""
DETAILS = {"played_on": "2025-03-07", "place": "Grandma’s", "note": "Snowed in.\nAll night."}


def begun(phone: Phone, target: str = "21", **fields: str) -> Page:
    """Begin a match of four people with these fields of its form."""
    seats = {f"seat-{i}": name for i, name in enumerate(PEOPLE[:4])}
    page = phone.open("/new/partnership-pitch")
    return page.send("/partnership-pitch", {**seats, "house-target": target, **fields}, press="Start")


def at_home(page: Page) -> str:
    """Return the line of the match in the list of the home page, once it is stopped."""
    page.open("stop").send("/stop")
    return next(link.text for link in page.phone.open("/").all("a") if "Ann & Cal v. Bea & Dan" in link.text)


def table(page: Page, name: str) -> dict[str, str]:
    """Return the first row of a download for a spreadsheet."""
    file = page.phone.open(f"/books/{book_code(page.phone)}/{name}.csv").response.data.decode("utf-8-sig")
    return next(csv.DictReader(io.StringIO(file)))


def score_sheet(page: Page) -> str:
    """Return the words of the score sheet."""
    return text_of(page.phone.open(f"/print/sheet.pdf?match={page.code}").response.data)


def renamed(page: Page, **fields: str) -> Page:
    """Save these fields on the page of the names."""
    return page.open("names").send("/names", fields)


@pytest.mark.club
@pytest.mark.parametrize("zone", FARTHEST)
def test_a_match_has_the_day_of_the_phone_that_it_began_on(phone: Phone, zone: str) -> None:
    phone.client.set_cookie("zone", zone)
    match = record(begun(phone), call="p1:3")
    day = datetime.now(ZoneInfo(zone))
    iso, words = day.date().isoformat(), AMERICAN.day(day)

    assert f", {words} · Scorekeeper" in match.one("title").text
    assert match.record["played_on"] == iso
    assert {table(match, name)["played on"] for name in ("matches", "hands")} == {iso}
    assert AMERICAN.long_day(day) in score_sheet(match)
    assert f"{words}: " in phone.open(f"/books/{book_code(match.phone)}/").text
    assert f"{words}: " in at_home(match)


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "../../etc/passwd"])
def test_a_phone_without_a_zone_has_the_day_of_the_server(phone: Phone, zone: str) -> None:
    phone.client.set_cookie("zone", zone)

    assert begun(phone).record["played_on"] == datetime.now().astimezone().date().isoformat()


@pytest.mark.club
@pytest.mark.parametrize("zone", FARTHEST)
def test_a_file_without_a_date_has_the_day_of_the_phone_that_imports_it_in_every_list(phone: Phone, zone: str) -> None:
    phone.client.set_cookie("zone", zone)
    match = brought_in(phone, told_record("partnership-pitch", ["Ann bid 4 | Ann & Cal the rest"] * 6, PEOPLE[:4]))

    day = datetime.now(ZoneInfo(zone))

    assert table(match, "matches")["played on"] == day.date().isoformat()
    (listed,) = (link for link in phone.open("/").all("a") if "Ann & Cal v. Bea & Dan" in link.text)
    assert AMERICAN.day(day) in listed.text
    assert AMERICAN.long_day(day) in score_sheet(match)


@pytest.mark.club
@pytest.mark.parametrize("zone", FARTHEST)
def test_a_ladder_night_has_the_day_of_the_phone_that_reads_its_list(phone: Phone, zone: str) -> None:
    begin_night(phone, "Ann & Bea", "Cal & Dan")
    book = book_of(phone)

    phone.client.set_cookie("zone", zone)

    assert AMERICAN.day(datetime.now(ZoneInfo(zone))) + ": " in phone.open(f"{book.path}nights/").text


@pytest.mark.club
def test_date_place_and_note_are_typed_at_the_start(phone: Phone) -> None:
    match = record(begun(phone, **DETAILS), call="p1:3")

    assert_shown_everywhere(match)


@pytest.mark.club
def test_date_place_and_note_are_corrected_from_the_menu(match: Page) -> None:
    match = renamed(record(match, call="p1:3"), **DETAILS)

    assert "date, place and note" in match.text
    assert_shown_everywhere(match)


def assert_shown_everywhere(match: Page) -> None:
    """Check the date, the venue and the note on every page, sheet and file that shows them."""
    assert {name: match.record[name] for name in DETAILS} == DETAILS
    row = table(match, "matches")
    assert [row[name] for name in ("played on", "place", "note")] == [*DETAILS.values()]
    assert table(match, "hands")["played on"] == "2025-03-07"
    sheet = score_sheet(match)
    assert "March 7, 2025, Grandma’s" in sheet
    assert "Snowed in." in sheet
    book = match.phone.open(f"/books/{book_code(match.phone)}/?year=2025")
    assert "Mar 7, 2025, Grandma’s (Snowed in. All night.): Ann & Cal 4" in book.text
    assert "Mar 7, 2025, Grandma’s (Snowed in. All night.): Ann & Cal 4" in at_home(match)


@pytest.mark.club
def test_a_corrected_day_moves_a_match_to_another_year(phone: Phone) -> None:
    match = record(record(begun(phone, "7"), call="p1:4"), call="p1:4")
    year = f"/books/{book_code(match.phone)}/years/2025"
    assert match.phone.open(year).status == 404

    renamed(match, **DETAILS)

    assert "1 match " in match.phone.open(year).text
    people = match.phone.open(f"/books/{book_code(match.phone)}/people").all("a")
    ann = next(link.attrs["href"] for link in people if "Ann" in link.text)
    assert "Mar 7, 2025, Grandma’s (Snowed in. All night.), with Cal" in match.phone.open(ann).text


def test_without_a_date_a_match_is_of_the_day_on_which_it_began(phone: Phone) -> None:
    match = begun(phone, **DETAILS)

    match = renamed(match, played_on="", place="", note="")

    exported = match.record
    assert exported["played_on"] == datetime.now().astimezone().date().isoformat()
    assert not {"place", "note"} & exported.keys()


def test_playing_again_is_at_the_same_place_and_not_on_the_same_day(phone: Phone) -> None:
    match = record(record(begun(phone, "7", **DETAILS), call="p1:4"), call="p1:4")

    form = match.tap("Play again").form("/partnership-pitch").fields

    assert (form["place"], form["played_on"], form["note"]) == ("Grandma’s", "", "")


@pytest.mark.every_database
def test_a_match_whose_day_was_corrected_is_known_again_in_a_file(match: Page) -> None:
    match = renamed(record(match, call="p1:3"), played_on="2025-03-07")

    assert "is here already" in brought_in(match.phone, match.record).text
