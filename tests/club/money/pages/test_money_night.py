"""Play a money night: players join and leave, the table settles up, and the page shows who owes whom."""

import re
from datetime import timedelta

import pytest
import sqlalchemy as sa
from flask import Flask

from scorekeeper.database.engine import db
from scorekeeper.eventlog.store import Writer
from scorekeeper.matches.events import HandRemoved
from scorekeeper.matches.service import load_match, write_match
from tests.common.clock import clock_set
from tests.common.guests import OWNER, SCORER, WATCHER, let_in
from tests.common.guests import change as change_phone
from tests.common.match_actions import store_names
from tests.common.phone import Page, Phone
from tests.pages.conftest import Begin, record

pytestmark = pytest.mark.every_database


@pytest.fixture
def match(begin: Begin) -> Page:
    """Begin a match for money: Ann, Bea, Cal and Dan."""
    return begin("racehorse")


def change(match: Page, *stays: str, **joins: str) -> Page:
    """Enter who stays and who joins."""
    typed = {name.replace("_", "-"): value for name, value in joins.items()}
    return match.open("money/players").post("/money/players", {"stays": list(stays), **typed})


def night(match: Page) -> Page:
    return match.open("money")


def eve_for_dan(match: Page) -> Page:
    """Record a hand, in which Bea takes all, and let Eve join as Dan leaves."""
    record(match, call="p2:2")
    return change(match, "p1", "p2", "p3", joins_1="Eve")


def test_a_change_settles_up_and_plays_on(match: Page) -> None:
    after = eve_for_dan(match)

    assert after.path != match.path
    bids = after.tap("Record hand").part("q-bid").text
    assert "Eve" in bids
    assert "Dan" not in bids
    assert match.open().offers("Money night")
    assert not match.open().offers("Record hand")
    assert "The night has gone on in another match. Go on there. Money night" in match.open("hands/new").text


def test_the_night_adds_up_what_every_match_settled(match: Page) -> None:
    after = eve_for_dan(match)
    first = night(after).text

    record(after, call="p1:2")

    text = night(after).text
    assert "Dan pays Bea" in first
    assert "Dan has left" in text
    assert "Eve joins, Dan leaves" in text
    assert night(match).text == text
    assert "Eve pays Bea $2" in text
    assert "For the 2 matches below." in text


def test_whoever_comes_back_is_the_same_person_however_the_name_is_typed(match: Page) -> None:
    third = change(eve_for_dan(match), "p1", "p2", "p3", "p4", joins_1="  dan ")

    text = night(third).text

    assert "has left" not in text
    assert text.count("dan pays") == 1
    assert "dan joins" in text


def test_two_whose_stored_names_differ_in_capitals_alone_are_each_owed_what_they_won(match: Page, app: Flask) -> None:
    with app.app_context():
        store_names(db.session, load_match(db.session, match.code), p4="cal")
    record(match, call="p2:2")
    record(match, call="p3:2")

    text = night(match).text

    assert "Ann owes $4, Bea gets $4, Cal gets $4, cal owes $4" in text
    assert "cal pays Cal $4" in text


def test_whoever_joins_takes_a_free_seat_and_then_one_after_the_last(match: Page) -> None:
    after = change(match, "p1", "p3", "p4", joins_1="Eve", joins_2="Fay")

    assert after.record["players"] == ["Ann", "Eve", "Cal", "Dan", "Fay"]


@pytest.mark.parametrize(
    ("stays", "joins", "fault"),
    [
        ("p1", "", "1 player can’t play: this game seats"),
        ("p1 p2 p3 p4", "", "The same people play."),
        ("p1 p2 p3 p4", "ann", "Ann and ann are the same name. Give each a different name."),
        ("p1 p2 p3 p4", "x" * 30, "is longer than 24 letters"),
    ],
)
def test_what_cannot_be_is_refused_and_stays_typed(match: Page, stays: str, joins: str, fault: str) -> None:
    refused = change(match, *stays.split(), joins_1=joins)

    assert refused.status == 422
    assert fault in refused.faults
    assert refused.form("/money/players").fields["joins-1"] == joins


def test_a_change_is_taken_back_before_the_next_hand(match: Page) -> None:
    after = eve_for_dan(match)

    back = night(after).tap("Undo the change of players")

    assert back.path == match.path
    assert back.offers("Record hand")
    assert "Eve joins" not in night(match).text
    again = change(match, "p1", "p2", "p3", joins_1="Fay")
    assert "Fay joins, Dan leaves" in night(again).text


@pytest.mark.parametrize("action", ["undo", "resume"])
def test_a_match_from_which_the_night_has_gone_on_is_not_resumed_beside_it(match: Page, action: str) -> None:
    fields = {**eve_for_dan(match).form("/take-back").fields, "version": "2"}

    answer = match.phone.post(f"{match.path}{action}", fields)

    assert answer.offers("Money night")
    assert not match.open().offers("Record hand")
    assert "Resume" not in match.open().text + match.open("menu").text
    assert match.open("money/players").status == 303
    again = match.phone.post(f"{match.path}money/players", {**fields, "stays": ["p1", "p2"]})
    assert "The night has gone on in another match." in again.faults


def test_after_a_match_is_stopped_the_same_people_may_play_on(match: Page) -> None:
    record(match, call="p2:2").tap("Menu").tap("Stop for tonight").send("/stop")

    form = night(match).tap("Next match of the night")
    after = form.post("/money/players", {"stays": ["p1", "p2", "p3", "p4"]})

    assert after.path != match.path
    assert "The same players ·" in night(after).text


def test_after_a_hand_it_is_not_taken_back(match: Page) -> None:
    after = eve_for_dan(match)
    stale = night(after)
    record(after, call="p1:2")

    kept = stale.send("/money/take-back")

    assert kept.path.endswith("/money")
    assert not kept.offers("Undo the change of players")
    assert "Eve joins" in kept.text


def test_every_phone_goes_on_with_its_own_rights_whoever_changes_the_players(match: Page, app: Flask) -> None:
    _, scorer, removed = (let_in(match, Phone(app.test_client()), role) for role in (WATCHER, SCORER, SCORER))
    change_phone(match, "end", 4)

    after = eve_for_dan(scorer)

    assert not after.tap("Menu").offers("Delete this match")
    assert night(removed).status == 410
    with app.app_context():
        rows = db.session.execute(sa.text("SELECT role FROM link WHERE match_id = 2 ORDER BY id")).scalars()
        assert list(rows) == [OWNER, WATCHER, SCORER]


def test_a_phone_that_joins_later_sees_earlier_matches_without_a_link(match: Page, other_phone: Phone) -> None:
    page = night(let_in(eve_for_dan(match), other_phone, WATCHER))

    assert "Dan has left" in page.text
    assert match.path not in page.response.text


def test_the_next_match_is_in_the_same_book_under_the_rules_that_hold_then(match: Page, app: Flask) -> None:
    match.open("rules/change").send("/rules/change", {"rule-low": "held"}, press="Start with")

    after = change(match, "p1", "p2", "p3", joins_1="Eve")

    with app.app_context():
        counts = db.session.execute(sa.text("SELECT count(*) FROM book_match GROUP BY book_id")).scalars().all()
    assert counts == [2]
    assert "low" not in match.record.get("house", {})
    assert after.record["house"]["low"] == "held"


def test_a_page_that_polls_is_answered_only_where_something_changed(match: Page) -> None:
    poll = night(match).part("night").attrs["hx-get"]

    unchanged = match.phone.open(poll, part=True).status
    record(match, call="p2:2")

    assert unchanged == 204
    assert "Bea" in match.phone.open(poll, part=True).text


def test_a_game_without_money_has_no_money_night(begin: Begin) -> None:
    match = begin("cutthroat-pitch")

    assert not match.offers("Money night")
    for address in (f"{match.path}money", f"{match.path}money/players", f"/print?money={match.code}"):
        assert match.phone.open(address).status == 404


def test_a_shared_link_shows_its_own_match_alone(match: Page, other_phone: Phone) -> None:
    shared = match.open("share").send("/share").one("textarea").text.split()[-1]
    record(eve_for_dan(match), call="p1:3")

    page = other_phone.open(f"{shared}money")

    assert "Ann, Bea, Cal and Dan" in page.text
    assert "Cal and Eve" not in page.text
    assert "For this match alone." in page.text
    assert other_phone.open(page.part("night").attrs["hx-get"], part=True).status == 204
    assert "Cal and Eve" in night(match).text


def test_a_phone_that_is_let_in_again_has_the_whole_night_again(match: Page, other_phone: Phone) -> None:
    first = let_in(match, other_phone, SCORER)
    after = eve_for_dan(match)
    number = number_of_later_link(first)

    for do in ("end", "reopen"):
        change_phone(after, do, number)

    assert "Cal and Eve" in night(first).text


def test_the_only_owner_of_an_earlier_match_keeps_that_alone(match: Page, other_phone: Phone) -> None:
    after = eve_for_dan(match)
    other = let_in(after, other_phone, SCORER)
    change_phone(after, OWNER, number_of(other))

    change_phone(other, "end", number_of(after))

    assert after.open().status == 410
    assert "Cal and Eve" not in night(match).text


def number_of(match: Page) -> int:
    """Return the number of the link that a page of a match was opened by."""
    with match.phone.client.application.app_context():
        return load_match(db.session, match.code).link.id


def links_of(page: Page) -> list[str]:
    """Return the matches that a night's page leads to, the last one first."""
    return list(dict.fromkeys(re.findall(r'href="(/matches/[^/"]+/)"', page.response.text)))


def number_of_later_link(match: Page) -> int:
    """Return the number of a phone's link to the match that the night went on in."""
    (later,) = {*links_of(night(match))} - {match.path}
    return number_of(match.phone.open(later))


def paid(match: Page, cents: str = "200") -> Page:
    """Write down that Dan paid Bea."""
    return night(match).send("/money/paid", {"debtor": "dan", "creditor": "bea", "cents": cents}, press="Paid")


def test_a_payment_is_written_down_undone_and_what_is_left_after_a_correction_is_said(match: Page) -> None:
    owed = night(record(match, call="p2:2"))
    assert "Dan pays Bea $2" in owed.text

    done = paid(match)
    assert "Dan paid Bea $2" in done.text
    assert "Dan pays Bea" not in done.text
    assert "wrote down a payment of $2" in match.open("history/journal").text

    record(match, call="p2:2")
    more = night(match)
    assert "Dan pays Bea $2" in more.text
    assert "$2 given, $2 to come" in more.text

    match.open().send("/undo")
    undone = night(match).send("/money/undo-paid")
    assert "Dan paid Bea" not in undone.text
    assert "Dan pays Bea $2" in undone.text


def test_a_payment_stays_whoever_is_renamed_and_whoever_plays_on(match: Page) -> None:
    after = eve_for_dan(match)
    paid(after)
    record(after, call="p1:2")
    match.open("names").send("/names", {"name-p4": "Danny"})

    text = night(after).text

    assert "Danny paid Bea $2" in text
    assert "Danny pays" not in text


@pytest.mark.parametrize("pays_before", [False, True])
def test_a_payment_stays_although_a_match_of_the_night_is_deleted(match: Page, pays_before: bool) -> None:
    record(match, call="p2:2")
    if pays_before:
        paid(match)
    after = change(match, "p1", "p2", "p3", "p4", joins_1="Eve")
    if not pays_before:
        paid(after)
    after.open("delete").send("/delete")

    text = night(match).text

    assert "Dan paid Bea $2" in text
    assert "Dan pays" not in text
    assert "Eve joins" not in text


def test_what_was_paid_for_a_deleted_match_comes_back(match: Page) -> None:
    record(match, call="p2:2")
    paid(match)

    match.open("delete").send("/delete")

    assert "Bea pays Dan $2 $2 given, $2 too much" in night(match).text
    assert not night(match).offers("Paid")


def won_and_paid(match: Page) -> None:
    """Win a match with its second hand, and write down a payment, which is its third event."""
    for _ in range(2):
        record(match, call="p1:4")
    night(match).send("/money/paid", press="Paid")


STAKES = {
    "house_all_pass": "dealer_forced",
    "house_target": "7",
    "house_set_stake_cents": "25",
    "house_game_stake_cents": "50",
}


@pytest.mark.parametrize(("hours", "status"), [(1, 303), (24 * 7, 200)])
def test_play_again_is_the_next_match_of_the_night_but_a_week_later_a_new_one(
    begin: Begin, hours: int, status: int
) -> None:
    with clock_set(timedelta(hours=-hours)):
        match = begin("moon-over-four", **STAKES)
        won_and_paid(match)

    assert match.open().tap("Play again").status == status


def test_a_payment_is_undone_in_the_match_in_which_it_is_written(app: Flask, begin: Begin) -> None:
    first = begin("moon-over-four", **STAKES)
    won_and_paid(first)
    second = change(first, "p1", "p2", "p3", joins_1="Eve")
    won_and_paid(second)

    night(second).send("/money/undo-paid")

    with app.app_context():
        assert [len(load_match(db.session, match.code).log.payments) for match in (first, second)] == [1, 0]


def test_what_was_paid_too_much_comes_back(match: Page, app: Flask) -> None:
    record(match, call="p2:2")
    paid(match)
    with app.app_context():
        write_match(db.session, match.code, HandRemoved(uid=1), Writer("removed"), expected_version=None)

    assert "Bea pays Dan $2 $2 given, $2 too much" in night(match).text


def test_a_payment_that_is_not_owed_any_more_is_refused(match: Page) -> None:
    record(match, call="p2:2")

    refused = paid(match, "300")

    assert "Something has changed since. Check who owes what now." in refused.text
    assert "paid Bea" not in refused.text
