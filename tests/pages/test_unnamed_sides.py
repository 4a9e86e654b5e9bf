"""Sides that nobody named: We and They where the score is kept, Side 1 and 2 elsewhere, Us and Them in files.

A player alone, or without a name among named players, is called by seat, and is in the statistics once named.
"""

import re

import pytest
from flask import Flask

from scorekeeper.access.links import MATCH_LINKS
from scorekeeper.database.engine import db
from scorekeeper.matches import service
from scorekeeper.pages.prints.views import match_score_sheet
from scorekeeper.pitch.text.phrases import AMERICAN
from scorekeeper.printing.kinds import SHEET_KINDS, draft_sheet
from scorekeeper.printing.print_options import PrintOptions
from scorekeeper.printing.result_picture import result_picture
from scorekeeper.web.context import name_unnamed_sides
from tests.common.books import book_of
from tests.common.guests import WATCHER, let_in
from tests.common.importing import brought_in
from tests.common.phone import Page, Phone
from tests.common.reading import read
from tests.pages.conftest import Begin, record
from tests.pitch.text.grammar import wrong_words
from tests.printing.pages import text_of

NOBODY = {f"seat_{i}": "" for i in range(4)}


@pytest.fixture
def nameless(phone: Phone) -> Page:
    """Begin a match in which nobody has a name; the second seat deals."""
    page = phone.open("/new/partnership-pitch")
    return page.send("partnership-pitch", {"dealer": "1"}, press="Start")


def played(match: Page) -> Page:
    """Play two hands: they bid 4 and are set, then we make 3."""
    match = record(match, call="s2:4", took_high="s1")
    return record(match, call="s1:3", took_low="s2")


def letters(page: Page) -> list[str]:
    """Return the letters of the markers of the two sides."""
    return [found.text for found in page.all("text")[:2]]


def test_the_phone_that_scores_says_we_and_they(nameless: Page) -> None:
    match = played(nameless)

    assert letters(match) == ["W", "T"]
    assert not {"Us", "Them"} & set(match.text.split())
    assert "They bid 4 set" in match.text
    assert "We bid 3 made" in match.text
    assert "need 17" in match.text


def test_other_phones_read_side_1_and_side_2(nameless: Page, other_phone: Phone) -> None:
    theirs = other_phone.open(let_in(played(nameless), other_phone, WATCHER).path)

    assert letters(theirs) == ["1", "2"]
    assert "Side 2 bid 4 set" in theirs.text
    assert "needs 17" in theirs.text
    assert not {"We", "They", "Us", "Them"} & set(theirs.text.split())


def test_a_record_has_us_and_them(nameless: Page) -> None:
    answer = nameless.open("record.json").response

    assert [side["name"] for side in nameless.record["sides"]] == ["Us", "Them"]
    assert "\ue001" not in answer.text
    assert "Us-v-Them" in answer.headers["Content-Disposition"]


def test_who_plays_is_asked_once_before_another_phone_is_added(nameless: Page) -> None:
    question = nameless.tap("Add other phones")
    skipped = question.send("/who", press="Skip")
    again = nameless.open().tap("Add other phones")

    assert question.path == f"{nameless.path}who"
    assert skipped.path == again.response.headers["Location"] == f"{nameless.path}room"


def test_a_side_without_a_name_beside_one_that_has_it_is_called_by_its_number(
    nameless: Page, other_phone: Phone
) -> None:
    room = played(nameless).tap("Add other phones").send("/who", {"name-s1": "Ann & Cal"}, press="Save names")
    match, theirs = nameless.open(), let_in(nameless, other_phone, WATCHER)

    assert room.path == f"{nameless.path}room"
    for page in (match, theirs):
        assert "Ann & Cal 3 made" in page.text
        assert "Side 2 bid 4 set" in page.text


def test_sides_that_a_table_called_us_itself_stay_as_typed(begin: Begin) -> None:
    match = record(begin(**NOBODY, side_0="Us", side_1="Them"), call="s1:2")

    assert "Us 2 made" in match.text


# ---------- each alone ----------


@pytest.fixture
def alone(phone: Phone) -> Page:
    """Begin a match of three alone in which nobody has a name; the second seat deals."""
    page = phone.open("/new/cutthroat-pitch?seats=3")
    return page.send("/cutthroat-pitch?seats=3", {"dealer": "1", "house-target": "7"}, press="Start")


def won(match: Page) -> Page:
    """Play to the end: the third seat bids 4 twice, and makes it."""
    return record(record(match, call="p3:4"), call="p3:4")


def test_whoever_has_no_name_is_called_by_the_seat(alone: Page, other_phone: Phone) -> None:
    match = record(alone, call="p3:3", took_low="p1")
    theirs = let_in(match, other_phone, WATCHER)

    assert "Seat 2 deals hand 1. Seat 3 bids first." in alone.text
    for page in (match, theirs):
        assert "Seat 3 bid 3 made" in page.text
        assert "Seat 1" in page.text
        assert [found.text for found in page.all("text")[:3]] == ["1", "2", "3"]
    assert "Seat 3 wins" in record(match, call="p3:4").text


def people(phone: Phone) -> str:
    """Return whom a phone's book lists."""
    return phone.open(f"{book_of(phone).path}people").text


@pytest.mark.club
def test_seats_without_a_name_are_nobody(alone: Page, phone: Phone) -> None:
    over = won(alone)
    book = book_of(phone)

    assert "Finish a match and its people are listed here." in people(phone)
    assert "Seat" not in phone.open(f"{book.path}?person=a").part("people").text
    assert "0 of 1 match" in phone.open(f"{book.path}?person=seat").text
    assert "Seat 2" not in [option.attrs["value"] for option in phone.open("/new/cutthroat-pitch").all("option")]
    assert [over.tap("Play again").form("/cutthroat-pitch").fields[f"seat-{i}"] for i in range(3)] == ["", "", ""]


@pytest.mark.club
def test_who_sits_in_for_a_seat_counts_for_what_they_play(alone: Page, phone: Phone) -> None:
    match = record(alone, call="p3:4").open("sits-in").send("/sits-in", {"who": "p3", "name": "Eva"})
    record(phone.open(match.path), call="p3:4")

    assert "Eva 1 of 1" in people(phone)
    assert "Seat" not in people(phone)


# ---------- every page, and every sheet ----------


def pages_of(match: Page) -> dict[str, Page]:
    """Return every page of a match that a phone finds from its first one, by the address without its query."""
    found: dict[str, Page] = {}
    waiting = [match.path, f"{match.path}tv"]
    while waiting:
        address = waiting.pop()
        key = re.sub("=.*", "", address)
        if key in found or not address.startswith(("/matches/", "/settle", "/new")):
            continue
        response = match.phone.client.get(address, follow_redirects=address.endswith("/settle"))
        if response.mimetype == "text/html":
            found[key] = page = Page(response, match.phone)
            waiting += [link.attrs.get("href", "").partition("#")[0] for link in page.all("a")]
    return found


def texts_of(page: Page) -> str:
    """Return the text of a page, its labels and its texts to be sent included."""
    labels = re.findall(r'(?:aria-label|title|placeholder|content)="([^"]*)"', page.response.text)
    return "\n".join((page.text, *labels))


def everything_played(match: Page, *, is_over: bool = True) -> Page:
    """Play hands that are made, set, thrown in with a penalty, and won at the target."""
    match = record(played(match), call="s1:2", **{"penalty-s2": "2"})
    match = match.tap("Record hand").send("/hands/new", {"penalty-s1": "1"}, press="Misdeal")
    while is_over and match.offers("Record hand"):
        match = record(match, call="s1:4")
    return match


@pytest.mark.parametrize(
    "named", [{}, {"side_0": "Us", "side_1": "Them"}], ids=["nobody named them", "the table calls them Us and Them"]
)
@pytest.mark.parametrize("is_over", [False, True])
def test_every_page_speaks_in_sentences(other_phone: Phone, begin: Begin, named: dict[str, str], is_over: bool) -> None:
    match = everything_played(begin(house_target="11", **NOBODY, **named), is_over=is_over)

    for first in (match, let_in(match, other_phone, WATCHER)):
        pages = pages_of(first)
        assert len(pages) > 8
        for address, page in pages.items():
            assert page.status < 500
            assert not wrong_words(texts_of(page)), address


def test_paper_has_sentences_about_us_and_them(app: Flask, nameless: Page) -> None:
    code = everything_played(nameless).code
    with app.test_request_context():
        match = name_unnamed_sides(service.load_match(db.session, code, MATCH_LINKS.head_in_force(db.session, code)))
        sheet = match_score_sheet(match, AMERICAN)
        picture = result_picture(sheet, match.state)
        sheets = [
            draft_sheet(SHEET_KINDS[kind], subject, PrintOptions()).body
            for kind, subject in (("result", sheet), ("picture", picture))
        ]

    for text in (read(markup).text for markup in sheets):
        assert "Us" in text
        assert not wrong_words(text)


# ---------- some have a name ----------


@pytest.fixture
def match(begin: Begin) -> Page:
    """Begin a match of Ann and somebody against Bea and somebody; the third seat deals."""
    return begin(seat_2="", seat_3="", dealer="2", house_target="7")


def test_a_seat_without_a_name_is_called_by_its_number(match: Page, other_phone: Phone) -> None:
    over = won(match)

    assert "Seat 3 deals hand 1. Seat 4 bids first." in match.text
    for page in (over, let_in(over, other_phone, WATCHER)):
        assert "Ann & Seat 3 win" in page.text
        assert "Bea & Seat 4" in page.text
    assert "Seat 3 bid 4" in over.open("history").text


def test_a_seat_without_a_name_is_never_broken_before_its_number(match: Page, phone: Phone) -> None:
    for path in (match.path, f"{match.path}hands/new", "/"):
        shown = re.sub(r'"[^"]*"', "", phone.client.get(path).text)

        assert "Seat\u00a0" in shown
        assert "Seat " not in shown


def test_side_names_and_a_seat_without_one_go_together(begin: Begin) -> None:
    over = won(begin(seat_2="", side_1="Porch", house_target="7"))

    assert "Ann & Seat 3 win" in over.text
    assert over.tap("Play again").form("/partnership-pitch").fields["side-0"] == ""


@pytest.mark.club
def test_a_partner_without_a_name_is_nobodys_partner_until_named(match: Page, phone: Phone) -> None:
    over = won(match)
    listed = phone.open(f"{book_of(phone).path}people").all("a")
    ann = phone.open(next(link.attrs["href"] for link in listed if "Ann" in link.text.split()))
    assert "with Seat 3 won 8–0" in ann.text
    assert ann.text.count("Seat") == 1

    named = over.open("names").send("/names", {"name-p3": "Cal"})

    assert "Ann & Cal win" in named.text
    assert "Cal 1 of 1" in people(phone)
    assert "Seat" not in people(phone)
    assert "1 of 1 match" in phone.open(f"{book_of(phone).path}?person=cal").text


def test_play_again_leaves_the_seat_empty_and_counts_for_the_evening(match: Page) -> None:
    setup = won(match).tap("Play again")
    again = setup.send("/partnership-pitch", press="Start")

    fields = setup.form("/partnership-pitch").fields
    assert [fields[f"seat-{i}"] for i in range(4)] == ["Ann", "Bea", "", ""]
    assert "Tonight: Ann & Seat 3: 1, Bea & Seat 4: 0" in again.text.replace("\u00a0", " ")


@pytest.mark.club
def test_a_record_says_which_seats_have_no_name_and_comes_back_so(match: Page, other_phone: Phone) -> None:
    exported = won(match).record

    back = brought_in(other_phone, exported)

    assert exported["format"] == "pitch-record/5"
    assert exported["players"] == ["Ann", "Bea", "Seat 3", "Seat 4"]
    assert exported["unnamed"] == ["Seat 3", "Seat 4"]
    assert back.record == exported
    assert "Ann 1 of 1" in people(other_phone)
    assert "Seat" not in people(other_phone)


def test_paper_calls_the_seat_by_its_number(match: Page) -> None:
    assert "Seat 3" in text_of(won(match).open("result.pdf").response.data)
