"""Joining with another phone: by QR code or PIN, once each; and how often a PIN may be tried."""

import re
from datetime import UTC, datetime, timedelta

import pytest
import segno
import sqlalchemy as sa
from flask import Flask

from scorekeeper.access.invitations import PIN_ALPHABET, new_pin, normalize_pin
from scorekeeper.database.engine import db
from scorekeeper.database.tables import InvitationRow
from scorekeeper.pages.phones.join import wait_text
from tests.common.guests import SCORER, WATCHER, address_of, come_in, invited, let_in
from tests.common.phone import Page, Phone

ALIKE = (
    *("8BR", "0DOQ", "EF", "CG", "1IJL", "PR", "5S", "UVY", "MW", "2Z", "6G"),
    *("BDEGPTVZ3", "JK", "MN", "FS", "IY", "QU"),
)
"""Letters that look or sound like others."""


def pin_of(room: Page) -> str:
    """Read the PIN from the page."""
    return "".join(letter.text for letter in room.one(class_="pin").all("span"))


def test_no_two_letters_of_a_pin_are_alike() -> None:
    assert len(set(PIN_ALPHABET)) == len(PIN_ALPHABET) == 10
    for group in ALIKE:
        assert len(set(group) & set(PIN_ALPHABET)) <= 1, group


def test_pins_are_six_such_letters_and_differ() -> None:
    pins = {new_pin(6) for _ in range(500)}

    assert len(pins) > 480
    assert all(re.fullmatch(f"[{PIN_ALPHABET}]{{6}}", pin) and not re.search(r"(.)\1\1", pin) for pin in pins)


@pytest.mark.parametrize("typed", ["ACFHK", "acfhk", " a c f h k ", "Ac-fhk", "a.c.f.h.k"])
def test_a_pin_is_read_however_it_is_typed(typed: str) -> None:
    assert normalize_pin(typed) == "ACFHK"


@pytest.mark.every_database
def test_a_phone_joins_by_the_qr_code_as_bea(match: Page, other_phone: Phone) -> None:
    address = invited(match)
    question = other_phone.open(address)
    assert question.form(address).offered["seat"] == {"p1", "p2", "p3", "p4", "nobody"}
    assert "Whose phone is this?" in question.text

    score = come_in(other_phone, address, "p2")

    assert score.status == 200
    assert score.path != match.path
    assert score.has("board")
    assert "Bea’s phone is watching." in score.text
    assert other_phone.open("/").all("a", href=score.path)


def test_the_qr_code_and_the_text_are_the_same_address(match: Page) -> None:
    address = invited(match)
    room = match.open("room")

    shown = room.one(class_="link").text

    drawn = segno.make(shown, micro=False).svg_inline(
        scale=5, border=3, light="#fff", dark="#000", omitsize=True, title="QR code"
    )
    assert shown.endswith(address)
    assert drawn in room.response.text


def test_a_phone_joins_by_the_pin(match: Page, other_phone: Phone) -> None:
    invited(match, SCORER)
    pin = pin_of(match.open("room?let=scorer"))
    form_page = other_phone.open("/").tap("Join")

    question = form_page.send("/join", {"pin": f" {pin[:2].lower()} {pin[2:]}"}, press="Join")

    assert question.path == address_of(match, SCORER)
    assert question.send(question.path, {"seat": "p4"}).offers("Record hand")


def test_a_phone_that_joins_again_may_do_the_more_of_what_both_codes_allow(
    match: Page, phone: Phone, other_phone: Phone
) -> None:
    let_in(match, other_phone, WATCHER)

    scoring, owning = let_in(match, other_phone, SCORER), let_in(match, phone, WATCHER, "p1")

    assert scoring.offers("Record hand")
    assert owning.path == match.path
    assert owning.tap("Menu").offers("Delete this match")


def test_a_phone_that_came_by_somebody_elses_address_gets_its_own(match: Page, other_phone: Phone) -> None:
    other_phone.open(match.path)

    mine = let_in(match, other_phone, WATCHER, "p2")

    assert mine.path != match.path
    assert mine.tap("Menu").offers("Delete this match")  # what it could do before, it still can
    assert match.open("whose").form("/whose").fields["seat"] == "nobody"


def test_where_nobody_sits_the_sides_are_asked_for(phone: Phone, other_phone: Phone) -> None:
    address = invited(phone.open("/new/partnership-pitch").send("partnership-pitch", press="Start"))

    assert other_phone.open(address).form(address).offered["seat"] == {"s1", "s2", "nobody"}
    assert "Side 2’s phone is watching." in come_in(other_phone, address, "s2").text


def test_nobody_joins_as_somebody_who_does_not_play(match: Page, other_phone: Phone) -> None:
    address = invited(match)

    answer = other_phone.open(address).post(address, {"seat": "p9"})

    assert answer.status == 422
    assert "no such seat" in answer.text


@pytest.mark.every_database
def test_a_code_expires_and_another_match_may_have_its_pin(match: Page, other_phone: Phone, app: Flask) -> None:
    address = invited(match)
    pin = pin_of(match.open("room"))
    with app.app_context():
        past = datetime.now(UTC) - timedelta(seconds=1)
        is_held = InvitationRow.__table__.c.pin == pin
        db.session.execute(sa.update(InvitationRow).where(is_held).values(expires_at=past))
        db.session.commit()

    late = other_phone.open(address)

    assert (late.status, "has expired" in late.text) == (410, True)
    assert other_phone.open("/join").send("/join", {"pin": pin}).status == 422
    assert invited(match) != address


def test_nobody_joins_by_an_ended_code_and_the_other_holds(match: Page, other_phone: Phone) -> None:
    looking, scoring = invited(match, WATCHER), invited(match, SCORER)
    question = other_phone.open(looking)

    match.open("room?let=watcher").send("/room/close")

    assert (other_phone.open(looking).status, question.send(looking, {"seat": "p2"}).status) == (410, 410)
    assert other_phone.open(scoring).status == 200
    assert scoring in match.open("room").one(class_="link").text


def test_ten_wrong_pins_are_enough_for_a_while(match: Page, other_phone: Phone) -> None:
    invited(match)
    pin = pin_of(match.open("room"))
    form_page = other_phone.open("/join")
    answers = [form_page.send("/join", {"pin": "AACCFF"}) for _ in range(10)]
    assert {answer.status for answer in answers} == {422}
    assert answers[0].form("/join").fields["pin"] == "AACCFF"

    late = form_page.send("/join", {"pin": pin})

    assert late.status == 429
    assert late.form("/join").fields["pin"] == pin
    assert re.search(r"Wait 1 minute\. Try again at (\w+ \d+, )?\d\d?:\d\d [AP]M", late.text)
    assert "Retry-After" in late.response.headers


@pytest.mark.parametrize(
    ("left", "expected"),
    [(-5, "1 minute"), (30, "1 minute"), (61, "2 minutes"), (3600, "60 minutes"), (3700, "2 hours")],
)
def test_the_page_says_how_long_to_wait(left: int, expected: str) -> None:
    assert wait_text(datetime.now(UTC) + timedelta(seconds=left - 0.5)) == expected


def test_the_owner_sees_who_has_joined(match: Page, other_phone: Phone) -> None:
    let_in(match, other_phone, SCORER, "p2")

    room = match.open("room").part("phones").text

    assert "Bea can score, joined" in room
    assert "Main phone owns the match, joined" in room
