"""Sides that nobody named: We and They where the score is kept, Side 1 and 2 elsewhere, Us and Them in files.

Whoever sits alone, and whoever has no name beside others who have one, is called by the seat, and counts once named.
"""

import json
import re

import pytest
from flask import Flask

from scorekeeper.club.figures import counting
from scorekeeper.database.engine import db
from scorekeeper.matches import service
from scorekeeper.pages.prints.views import match_score_sheet
from scorekeeper.pitch.text.phrases import AMERICAN
from scorekeeper.printing.kinds import KINDS, draft_sheet
from scorekeeper.printing.print_options import PrintOptions
from scorekeeper.printing.result_picture import result_picture
from scorekeeper.web.context import with_own_pronouns
from tests.common.books import book_of
from tests.common.guests import WATCHER, let_in
from tests.common.phone import Page, Phone
from tests.pages.conftest import Begin, record
from tests.pitch.text.grammar import wrong_words


@pytest.fixture
def nameless(phone: Phone) -> Page:
    """Begin a match in which nobody has a name; the second place deals."""
    page = phone.open("/new/partnership-pitch")
    return page.send("partnership-pitch", {"dealer": "1"}, press="Start")


def played(match: Page) -> Page:
    """Play two hands: they bid 4 and are set, then we make 3."""
    match = record(match, call="s2:4", took_high="s1")
    return record(match, call="s1:3", took_low="s2")


def test_the_phone_that_scores_says_we_and_they(nameless: Page) -> None:
    match = played(nameless)

    assert "Us" not in match.text.split()
    assert "Them" not in match.text.split()
    assert "They bid 4 set" in match.text
    assert "We bid 3 made" in match.text
    assert "need 17" in match.text


@pytest.mark.parametrize(
    ("dealer", "said"),
    [
        ("0", "You deal hand 1. Left of you bids first."),
        ("1", "Left of you deals hand 1. Your partner bids first."),
        ("2", "Your partner deals hand 1. Right of you bids first."),
        ("3", "Right of you deals hand 1. You bid first."),
    ],
)
def test_who_deals_is_seen_from_the_first_place(phone: Phone, dealer: str, said: str) -> None:
    page = phone.open("/new/partnership-pitch")

    assert said in page.send("partnership-pitch", {"dealer": dealer}, press="Start").text


def test_other_phones_read_side_1_and_side_2(nameless: Page, other_phone: Phone) -> None:
    theirs = other_phone.open(let_in(played(nameless), other_phone, WATCHER).path)

    assert "Side 2 bid 4 set" in theirs.text
    assert "needs 17" in theirs.text
    assert not {"We", "They", "Us", "Them"} & set(theirs.text.split())


@pytest.mark.parametrize(("side", "letters"), [("side-0", ["B", "2"]), ("side-1", ["1", "B"])])
def test_beside_a_side_that_was_named_at_the_start_the_other_has_its_number(
    phone: Phone, side: str, letters: list[str]
) -> None:
    match = phone.open("/new/partnership-pitch").send("partnership-pitch", {side: "Blue"}, press="Start")

    assert [found.text for found in match.all("text")[:2]] == letters
    assert not {"Us", "Them"} & set(match.text.split())


def test_the_letters_of_the_markers_are_those_of_the_words_beside_them(nameless: Page, other_phone: Phone) -> None:
    mine, theirs = (page.all("text") for page in (nameless, let_in(nameless, other_phone, WATCHER)))

    assert [found.text for found in mine[:2]] == ["W", "T"]
    assert [their.text for their in theirs[:2]] == ["1", "2"]


def test_a_record_has_us_and_them(nameless: Page) -> None:
    answer = played(nameless).phone.open(f"{nameless.path}record.json").response

    assert [side["name"] for side in json.loads(answer.data)["sides"]] == ["Us", "Them"]
    assert "\ue001" not in answer.text
    assert "Us-v-Them" in answer.headers["Content-Disposition"]


def test_who_plays_is_asked_once_before_another_phone_is_added(nameless: Page) -> None:
    asked = nameless.tap("Add other phones")
    skipped = asked.send("/who", press="Skip")
    again = nameless.open().tap("Add other phones")

    assert asked.path == f"{nameless.path}who"
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
    typed = {f"seat_{i}": "" for i in range(4)}
    match = record(begin(**typed, side_0="Us", side_1="Them"), call="s1:2")

    assert "Us 2 made" in match.text


# ---------- each alone ----------


@pytest.fixture(autouse=True)
def _nothing_cached() -> None:
    counting._cache.clear()


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


def test_seats_without_a_name_are_nobody(alone: Page, phone: Phone) -> None:
    over = won(alone)
    book = book_of(phone)

    assert "Finish a match and its people are listed here." in phone.open(f"{book.path}people").text
    assert "Seat" not in phone.open(f"{book.path}?person=a").part("people").text
    assert "0 of 1 match" in phone.open(f"{book.path}?person=seat").text
    assert "Seat 2" not in [option.attrs["value"] for option in phone.open("/new/cutthroat-pitch").all("option")]
    assert [over.tap("Play again").form("/cutthroat-pitch").fields[f"seat-{i}"] for i in range(3)] == ["", "", ""]


def test_who_sits_in_for_a_seat_counts_for_what_they_play(alone: Page, phone: Phone) -> None:
    match = record(alone, call="p3:4").tap("Menu").tap("Someone sits in").send("/sits-in", {"who": "p3", "name": "Eva"})
    assert record(phone.open(match.path), call="p3:4").offers("Play again")

    people = phone.open(f"{book_of(phone).path}people")

    assert "Eva 1 of 1" in people.text
    assert "Seat" not in people.text


def test_three_pairs_without_names_sit_as_they_sat_and_count_for_the_evening(phone: Phone) -> None:
    page = phone.open("/new/partnership-pitch-six")
    match = page.send("/partnership-pitch-six", {"house-target": "7"}, press="Start")
    over = record(record(match, call="s3:4"), call="s3:4")

    again = over.tap("Play again").send("/partnership-pitch-six", press="Start")

    assert "Tonight: Side 1: 0, Side 2: 0, Side 3: 1" in again.text.replace("\u00a0", " ")


# ---------- every page, and every sheet ----------


def pages_of(match: Page, phone: Phone) -> dict[str, Page]:
    """Return every page of a match that a phone finds from its first one, by the address without its query."""
    found: dict[str, Page] = {}
    waiting = [match.path, f"{match.path.partition('?')[0]}tv"]
    while waiting:
        address = waiting.pop()
        page = phone.open(address)
        if page.status == 303:
            page = phone.open(page.response.headers["Location"])
        key = re.sub("=.*", "", address)
        found[key] = page
        if page.response.mimetype != "text/html":
            continue
        for link in page.all("a"):
            to = link.attrs.get("href", "").partition("#")[0]
            is_here = to.startswith(("/matches/", "/settle", "/new")) and not to.endswith((".pdf", ".png"))
            if is_here and re.sub("=.*", "", to) not in found and to not in waiting:
                waiting.append(to)
    return found


def texts_of(page: Page) -> str:
    """Return what a page says, its labels and its texts to be sent included."""
    if page.response.mimetype != "text/html":
        return ""
    labels = re.findall(r'(?:aria-label|title|placeholder|content)="([^"]*)"', page.response.text)
    return "\n".join((page.text, *labels))


def everything_played(match: Page, *, is_over: bool = True) -> Page:
    """Play hands that are made, set, thrown in with a penalty, and won at the target."""
    match = record(match, call="s2:4", took_high="s1")
    match = record(match, call="s1:3", took_low="s2", **{"penalty-s2": "2"})
    match = match.tap("Record hand").send("/hands/new", {"penalty-s1": "1"}, press="Misdeal")
    while is_over and match.offers("Record hand"):
        match = record(match, call="s1:4")
    return match


@pytest.mark.parametrize("named", [False, True], ids=["nobody named them", "the table calls them Us and Them"])
@pytest.mark.parametrize("is_over", [False, True])
def test_every_page_and_sheet_speaks_in_sentences(
    phone: Phone, other_phone: Phone, begin: Begin, named: bool, is_over: bool
) -> None:
    typed = {f"seat_{i}": "" for i in range(4)} | ({"side_0": "Us", "side_1": "Them"} if named else {})
    match = everything_played(begin(house_target="11", **typed), is_over=is_over)
    theirs = other_phone.open(let_in(match, other_phone, WATCHER).path)

    for reader, first in ((phone, match), (other_phone, theirs)):
        pages = pages_of(first, reader)
        assert len(pages) > 8
        for address, page in pages.items():
            assert page.status < 500
            assert not wrong_words(texts_of(page)), address


def test_paper_has_sentences_about_us_and_them(app: Flask, nameless: Page) -> None:
    played_on = everything_played(nameless)
    code = played_on.code
    with app.test_request_context():
        match = with_own_pronouns(service.load_match(db.session, code, service.head_of(db.session, code)))
        sheet = match_score_sheet(match, AMERICAN)
        picture = result_picture(sheet, match.state, match.with_pronouns("names").names, match.marks)
        said = [
            draft_sheet(KINDS[kind], subject, PrintOptions()).body
            for kind, subject in (("result", sheet), ("picture", picture))
        ]

    for text in said:
        read = re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", text))
        assert "Us" in read
        assert not wrong_words(read)


def test_a_hand_that_is_refused_names_the_sides_as_the_phone_does(phone: Phone) -> None:
    match = phone.open("/new/auction-pitch").send("/auction-pitch", {"house-target": "11"}, press="Start")
    entry = match.tap("Record hand")
    took = {"took-high": "s1", "took-low": "s1", "took-jack": "s1", "took-game": "s1"}

    refused = entry.send("/hands/new", {"call": "s1:3", **took, "pile-s1": "10", "pile-s2": "50"}, press="Save")

    assert refused.status == 422
    assert "We can’t have Game: the count is 10 to 50" in refused.text
    assert "\ue005" not in refused.response.text
    assert not wrong_words(texts_of(refused))


# ---------- some have a name ----------


@pytest.fixture
def match(begin: Begin) -> Page:
    """Begin a match of Ann and somebody against Bea and somebody; the third seat deals."""
    return begin(seat_2="", seat_3="", dealer="2", house_target="7")


def rename(match: Page, **names: str) -> Page:
    """Name seats later."""
    asked = match.phone.open(f"{match.path.partition('?')[0]}names")
    return asked.send("/names", {f"name-{who}": name for who, name in names.items()})


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


def test_what_is_typed_says_what_the_sides_will_be_called(phone: Phone) -> None:
    page = phone.open("/new/partnership-pitch")
    shown = phone.post("/new/partnership-pitch", {**page.form("partnership-pitch").fields, "seat-0": "Ann"})

    assert "Ann & Seat 3, Seat 2 & Seat 4. Names are optional." in shown.text


@pytest.mark.parametrize("game", ["cutthroat-pitch", "partnership-pitch-six", "pawnee-call-your-partner"])
def test_one_name_is_enough_in_every_seating(phone: Phone, game: str) -> None:
    page = phone.open(f"/new/{game}").send(game, {"seat-1": "Bea"}, press="Start")

    assert page.offers("Record hand")
    assert "Bea" in page.text
    assert "Seat 1" in page.text


def test_side_names_and_a_seat_without_one_go_together(begin: Begin) -> None:
    over = won(begin(seat_2="", side_1="Porch", house_target="7"))

    assert "Ann & Seat 3 win" in over.text
    assert over.tap("Play again").form("/partnership-pitch").fields["side-0"] == ""


def test_two_of_one_name_are_refused_also_beside_an_empty_seat(begin: Begin) -> None:
    assert "Ann is there twice. Give each a different name." in begin(seat_1="", seat_2="Ann").faults
    assert "Seat 2 is there twice. Give each a different name." in begin(seat_1="", seat_2="Seat 2").faults


def test_a_partner_without_a_name_is_nobodys_partner(match: Page, phone: Phone) -> None:
    won(match)
    people = phone.open(f"{book_of(phone).path}people")
    ann = phone.open(next(link.attrs["href"] for link in people.all("a") if "Ann" in link.text.split()))

    assert "with Seat 3 won 8–0" in ann.text
    assert ann.text.count("Seat") == 1


def test_a_seat_counts_once_it_is_named(match: Page, phone: Phone) -> None:
    named = rename(won(match), p3="Cal")
    people = phone.open(f"{book_of(phone).path}people")

    assert "Ann & Cal win" in named.text
    assert "Cal 1 of 1" in people.text
    assert "Seat" not in people.text
    assert "1 of 1 match" in phone.open(f"{book_of(phone).path}?person=cal").text


def test_play_again_leaves_the_seat_empty_and_counts_for_the_evening(match: Page) -> None:
    asked = won(match).tap("Play again")
    again = asked.send("/partnership-pitch", press="Start")

    assert [asked.form("/partnership-pitch").fields[f"seat-{i}"] for i in range(4)] == ["Ann", "Bea", "", ""]
    assert "Tonight: Ann & Seat 3: 1, Bea & Seat 4: 0" in again.text.replace("\u00a0", " ")


def test_a_record_says_which_seats_have_no_name_and_comes_back_so(match: Page, other_phone: Phone) -> None:
    file = won(match).phone.open(f"{match.path.partition('?')[0]}record.json").response.data
    said = json.loads(file)
    back = other_phone.upload(other_phone.open("/transfer"), "/transfer", "a.json", file)
    people = other_phone.open(f"{book_of(other_phone).path}people")

    assert said["format"] == "pitch-record/5"
    assert said["players"] == ["Ann", "Bea", "Seat 3", "Seat 4"]
    assert said["unnamed"] == ["Seat 3", "Seat 4"]
    assert back.record == said
    assert "Ann 1 of 1" in people.text
    assert "Seat" not in people.text


def test_paper_and_tables_call_the_seat_by_its_number(match: Page, app: Flask, phone: Phone) -> None:
    code = won(match).code
    with app.test_request_context():
        sheet = match_score_sheet(service.load_match(db.session, code, service.head_of(db.session, code)), AMERICAN)
        said = draft_sheet(KINDS["result"], sheet, PrintOptions()).body

    assert "Seat\u00a03" in said
    assert phone.open(f"/matches/{code}/result.pdf").status == 200
