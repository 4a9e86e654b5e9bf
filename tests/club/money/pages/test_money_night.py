"""A money night: somebody joins or leaves, the table settles up, and the page says who owes whom."""

import json
import re

import pytest
import sqlalchemy as sa
from flask import Flask

from scorekeeper.database.engine import db
from scorekeeper.eventlog.store import Writer
from scorekeeper.matches.events import HandAdded, HandRemoved
from scorekeeper.matches.service import load_match, write
from scorekeeper.pitch.scoring.hand import Hand
from tests.common.guests import OWNER, SCORER, WATCHER, invited, let_in
from tests.common.guests import change as change_phone
from tests.common.match_actions import store_names
from tests.common.phone import Page, Phone
from tests.pages.conftest import PEOPLE, Begin, record

pytestmark = pytest.mark.every_database


@pytest.fixture
def match(begin: Begin) -> Page:
    """Begin a match for money: Ann, Bea, Cal and Dan."""
    return begin("racehorse")


def now(match: Page) -> Page:
    return match.phone.open(match.path)


def change(match: Page, *stays: str, **joins: str) -> Page:
    """Say who stays, and who joins."""
    form = now(match).tap("Somebody joins or leaves").form("/money/players")
    return match.phone.post(form.action, {**form.fields, "stays": list(stays), **_fields(joins)})


def _fields(joins: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in joins.items()}


def night(match: Page) -> Page:
    return match.phone.open(f"{match.path}money")


def eve_for_dan(match: Page) -> Page:
    """Record a hand, in which Bea takes all, and let Eve join as Dan leaves."""
    record(match, call="p2:2")
    return change(now(match), "p1", "p2", "p3", joins_1="Eve")


def test_a_change_settles_up_and_plays_on(match: Page) -> None:
    after = eve_for_dan(match)

    assert after.path != match.path
    bids = after.tap("Record hand").part("q-bid").text
    assert "Eve" in bids
    assert "Dan" not in bids
    assert now(match).offers("Money night")
    assert not now(match).offers("Record hand")


def test_the_night_adds_up_what_every_match_settled(match: Page) -> None:
    after = eve_for_dan(match)
    first = night(after).text

    record(now(after), call="p1:2")

    said = night(after).text
    assert "Dan pays Bea" in first
    assert "Dan has left" in said
    assert "Eve joins. Dan leaves." in said
    assert night(match).text == said
    assert "Eve pays Bea $2" in said


def test_whoever_comes_back_is_the_same_person_however_the_name_is_typed(match: Page) -> None:
    second = eve_for_dan(match)
    third = change(now(second), "p1", "p2", "p3", "p4", joins_1="  dan ")

    said = night(third).text

    assert "has left" not in said
    assert said.count("dan pays") == 1
    assert "dan joins." in said


def test_two_whose_stored_names_differ_in_capitals_alone_are_each_owed_what_they_won(match: Page, app: Flask) -> None:
    with app.app_context():
        stored = load_match(db.session, match.path.split("/")[2])
        store_names(db.session, stored, p4="cal")
    record(now(match), call="p2:2")
    record(now(match), call="p3:2")

    told = night(match).text

    assert "Ann owes $4, Bea gets $4, Cal gets $4, cal owes $4" in told
    assert "cal pays Cal $4" in told


def test_whoever_joins_takes_a_free_seat_and_then_one_after_the_last(match: Page, app: Flask) -> None:
    change(match, "p1", "p3", "p4", joins_1="Eve", joins_2="Fay")

    assert names_of_last_match(app) == ["Ann", "Eve", "Cal", "Dan", "Fay"]


def names_of_last_match(app: Flask) -> list[str]:
    with app.app_context():
        seats = db.session.execute(sa.text('SELECT seats FROM "match" ORDER BY id DESC LIMIT 1')).scalar_one()
    return [it["name"] for it in (json.loads(seats) if isinstance(seats, str) else seats)]


@pytest.mark.parametrize(
    ("stays", "joins", "fault"),
    [
        (("p1",), {}, "1 players don’t fit: this game seats"),
        (("p1", "p2", "p3", "p4"), {}, "The same people play."),
        (("p1", "p2", "p3", "p4"), {"joins_1": "ann"}, "Ann and ann are the same name. Give each a different name."),
        (("p1", "p2", "p3", "p4"), {"joins_1": "x" * 30}, "is longer than 24 letters"),
    ],
)
def test_what_cannot_be_is_refused_and_stays_typed(
    match: Page, stays: tuple[str, ...], joins: dict[str, str], fault: str
) -> None:
    refused = change(match, *stays, **joins)

    assert refused.status == 422
    assert fault in refused.faults
    if joins:
        assert refused.form("/money/players").fields["joins-1"] == joins["joins_1"]


def test_a_change_is_made_between_hands(match: Page, app: Flask) -> None:
    with app.app_context():
        half = HandAdded(hand=Hand(bidder="p2", bid=2))
        write(db.session, match.path.split("/")[2], half, Writer("half a hand"), expected_version=None)

    refused = change(now(match), "p1", "p2", "p3", joins_1="Eve")

    assert refused.status == 422
    assert "A hand is not finished." in refused.faults


def test_a_key_that_something_else_has_is_refused(match: Page) -> None:
    record(match, call="p2:2")
    form = now(match).tap("Somebody joins or leaves").form("/money/players")
    with match.phone.client.application.app_context():
        used = db.session.execute(sa.text("SELECT client_key FROM event")).scalars().first()

    refused = match.phone.post(form.action, {**form.fields, "stays": ["p1", "p2"], "client_key": used})

    assert refused.status == 422
    assert "This form was sent already." in refused.faults


def test_a_change_is_taken_back_before_the_next_hand(match: Page) -> None:
    after = eve_for_dan(match)

    back = night(after).tap("Undo the change of players")

    assert back.path == match.path
    assert back.offers("Record hand")
    assert "Eve joins" not in night(match).text
    again = change(now(match), "p1", "p2", "p3", joins_1="Fay")
    assert "Fay joins. Dan leaves." in night(again).text


@pytest.mark.parametrize("way", ["undo", "resume"])
def test_a_match_from_which_the_night_has_gone_on_is_not_resumed_beside_it(match: Page, way: str) -> None:
    form = eve_for_dan(match).form("/take-back")
    fields = {**form.fields, "version": "2"}

    answer = match.phone.post(f"{match.path}{way}", fields)

    assert answer.path.endswith("/money")
    assert not now(match).offers("Record hand")
    asked = match.phone.open(f"{match.path}money/players")
    assert asked.response.status_code == 303
    again = match.phone.post(f"{match.path}money/players", {**fields, "stays": ["p1", "p2"]})
    assert "The night has gone on in another match." in again.faults


def test_after_a_match_is_stopped_the_same_people_may_play_on(match: Page) -> None:
    record(match, call="p2:2")
    now(match).tap("Menu").tap("Stop for tonight").send("/stop")

    form = night(match).tap("Next match of the night").form("/money/players")
    after = match.phone.post(form.action, {**form.fields, "stays": ["p1", "p2", "p3", "p4"]})

    assert after.path != match.path
    assert "The same players." in night(after).text


def test_after_a_hand_it_is_not_taken_back(match: Page) -> None:
    after = eve_for_dan(match)
    stale = night(after).form("/money/take-back")
    record(now(after), call="p1:2")

    kept = match.phone.post(stale.action, stale.fields)

    assert kept.path.endswith("/money")
    assert not kept.offers("Undo the change of players")
    assert "Eve joins" in kept.text


def test_every_phone_goes_on_with_its_own_rights(match: Page, app: Flask) -> None:
    watcher = let_in(match, Phone(app.test_client()), WATCHER)
    scorer = let_in(match, Phone(app.test_client()), SCORER)
    removed = let_in(match, Phone(app.test_client()), SCORER)
    change_phone(match, "end", 4)

    eve_for_dan(match)

    assert removed.phone.open(f"{removed.path}money").status == 410
    seen = night(watcher)
    assert not seen.offers("Somebody joins or leaves")
    assert not seen.tap("Score").offers("Record hand")
    assert night(scorer).tap("Score").offers("Record hand") or night(scorer).offers("Somebody joins or leaves")
    with app.app_context():
        rows = db.session.execute(sa.text("SELECT role FROM link WHERE match_id = 2 ORDER BY id")).scalars()
        assert list(rows) == [OWNER, WATCHER, SCORER]


def test_a_scorer_who_changes_the_players_owns_nothing_more(match: Page, app: Flask) -> None:
    scorer = let_in(match, Phone(app.test_client()), SCORER)

    after = change(now(scorer), "p1", "p2", "p3", joins_1="Eve")

    assert after.tap("Menu").offers("Delete this match") is False
    assert night(match).offers("Somebody joins or leaves")


def test_a_phone_that_joins_later_sees_earlier_matches_without_a_link(match: Page, app: Flask) -> None:
    after = eve_for_dan(match)
    late = let_in(after, Phone(app.test_client()), WATCHER)

    page = night(late)

    assert "Dan has left" in page.text
    assert match.path not in page.response.text


def test_the_next_match_is_in_the_same_book_under_the_rules_that_hold_then(match: Page, app: Flask) -> None:
    match.phone.open(f"{match.path}rules/change").send("/rules/change", {"rule-low": "held"}, press="Start with")

    change(now(match), "p1", "p2", "p3", joins_1="Eve")

    with app.app_context():
        books = db.session.execute(sa.text("SELECT book_id FROM book_match")).scalars().all()
        first, second = db.session.execute(sa.text('SELECT house FROM "match" ORDER BY id')).scalars()
    assert (len(books), len(set(books))) == (2, 1)
    assert "held" not in str(first)
    assert "held" in str(second)


def test_a_page_that_polls_is_answered_only_where_something_changed(match: Page) -> None:
    page = night(match)
    poll = page.part("night").attrs["hx-get"]

    unchanged = match.phone.open(poll, part=True).status
    record(match, call="p2:2")

    assert unchanged == 204
    assert "Bea" in match.phone.open(poll, part=True).text


def test_a_game_without_money_has_no_money_night(begin: Begin) -> None:
    match = begin("cutthroat-pitch")

    assert night(match).status == 404
    assert match.phone.open(f"{match.path}money/players").status == 404
    assert not match.offers("Money night")
    assert match.phone.open(f"/print?money={match.path.split('/')[2]}").status == 404


def test_the_key_of_a_change_leads_to_no_link_of_another_phone(match: Page, other_phone: Phone, app: Flask) -> None:
    record(match, call="p2:2")
    scorer = let_in(match, other_phone, SCORER)
    form = now(scorer).tap("Somebody joins or leaves").form("/money/players")
    other_phone.post(form.action, {**form.fields, "stays": ["p1", "p2", "p3"], "joins-1": "Eve"})

    table = other_phone.open("/new/racehorse").form("racehorse")
    chairs = [name for name in table.fields if name.startswith("seat-")]
    said = {**dict(zip(chairs, PEOPLE, strict=False)), "do": "start", "client_key": form.fields["client_key"]}
    begun = other_phone.post(table.action, {**table.fields, **said})

    with app.app_context():
        of_night = "SELECT code FROM link JOIN money_change ON money_change.match_id = link.match_id"
        codes = db.session.execute(sa.text(of_night)).scalars().all()
    assert begun.path.split("/")[2] not in codes
    assert begun.path.startswith("/matches/")


def test_a_shared_link_shows_its_own_match_alone(match: Page, other_phone: Phone) -> None:
    record(match, call="p2:2")
    match.phone.open(f"{match.path}share").send("/share")
    shared = shared_path(match.phone.client.application)
    after = change(now(match), "p1", "p2", "p3", joins_1="Eve")
    record(after, call="p1:3")

    page = other_phone.open(f"{shared}money")

    assert "Ann, Bea, Cal and Dan" in page.text
    assert "Cal and Eve" not in page.text
    assert "For this match alone." in page.text
    assert other_phone.open(page.part("night").attrs["hx-get"], part=True).status == 204
    assert "Cal and Eve" in night(match).text


def shared_path(app: Flask) -> str:
    with app.app_context():
        code = db.session.execute(sa.text("SELECT code FROM link WHERE code LIKE 'watch-%'")).scalar_one()
    return f"/matches/{code}/"


def test_a_phone_that_is_removed_is_removed_from_the_night(match: Page, other_phone: Phone) -> None:
    first = let_in(match, other_phone, SCORER, "p2")
    before = invited(match, WATCHER)
    after = eve_for_dan(match)
    (second,) = [path for path in links_of(night(first)) if path != first.path]
    number = number_of(match.phone.client.application, second)

    change_phone(after, "end", number)

    for path in (first.path, second, f"{first.path}money", f"{second}money"):
        assert other_phone.open(path).status == 410
    assert other_phone.open(before).status == 410
    change_phone(after, "reopen", number)
    assert "Cal and Eve" in other_phone.open(f"{first.path}money").text


def test_a_phone_that_may_do_less_may_do_less_all_night(match: Page, other_phone: Phone) -> None:
    first = let_in(match, other_phone, SCORER, "p2")
    scoring = invited(match, SCORER)
    after = eve_for_dan(match)
    (second,) = [path for path in links_of(night(first)) if path != first.path]

    change_phone(after, WATCHER, number_of(match.phone.client.application, second))

    assert {other_phone.open(f"{path}names").status for path in (first.path, second)} == {403}
    assert other_phone.open(scoring).status == 410
    assert night(match).offers("Somebody joins or leaves")


def test_the_only_owner_of_an_earlier_match_keeps_that_alone(match: Page, other_phone: Phone) -> None:
    after = eve_for_dan(match)
    other = let_in(after, other_phone, SCORER, "p2")
    change_phone(after, OWNER, number_of(match.phone.client.application, other.path))

    change_phone(other, "end", number_of(match.phone.client.application, after.path))

    assert match.phone.open(after.path).status == 410
    assert "Cal and Eve" not in night(match).text


def links_of(page: Page) -> list[str]:
    """Return the matches that a night's page leads to, the last one first."""
    return list(dict.fromkeys(re.findall(r'href="(/matches/[^/"]+/)"', page.response.text)))


def number_of(app: Flask, path: str) -> int:
    with app.app_context():
        return load_match(db.session, path.split("/")[2]).link.id


def test_a_payment_is_written_down_undone_and_what_is_left_after_a_correction_is_said(match: Page) -> None:
    record(match, call="p2:2")
    owed = night(match)
    assert "Dan pays Bea $2" in owed.text

    forms = [form for form in owed.root.all("form") if form.attrs["action"].endswith("/money/paid")]
    before = len(forms)
    paid = owed.send("/money/paid", {"debtor": "dan", "creditor": "bea", "cents": "200"}, press="Paid")
    assert "Dan paid Bea $2" in paid.text
    assert "Dan pays Bea" not in paid.text
    assert sum(form.attrs["action"].endswith("/money/paid") for form in paid.root.all("form")) == before - 1
    assert "wrote down a payment of $2" in match.phone.open(f"{match.path}history/journal").text

    record(now(match), call="p2:2")
    more = night(match)
    assert "Dan pays Bea $2" in more.text
    assert "$2 given, $2 to come" in more.text

    now(match).send("/undo")
    undone = night(match).send("/money/undo-paid")
    assert "Dan paid Bea" not in undone.text
    assert "Dan pays Bea $2" in undone.text


def test_a_payment_stays_whoever_is_renamed_and_whoever_plays_on(match: Page) -> None:
    after = eve_for_dan(match)
    night(after).send("/money/paid", {"debtor": "dan", "creditor": "bea", "cents": "200"}, press="Paid")
    record(now(after), call="p1:2")
    after.phone.open(f"{match.path}names").send("/names", {"name-p4": "Danny"})

    said = night(after).text

    assert "Danny paid Bea $2" in said
    assert "Danny pays" not in said


def test_a_payment_is_undone_in_the_match_in_which_it_is_written(app: Flask, begin: Begin) -> None:
    stakes = {"house_target": "7", "house_set_stake_cents": "25", "house_game_stake_cents": "50"}
    first = begin("moon-over-four", house_all_pass="dealer_forced", **stakes)
    form = won_and_paid(first).open(f"{first.path}money/players").form("/money/players")
    second = first.phone.post(form.action, {**form.fields, "stays": ["p1", "p2", "p3"], "joins-1": "Eve"})
    won_and_paid(second)

    night(second).send("/money/undo-paid")

    assert [payments(app, match) for match in (first, second)] == [1, 0]


def won_and_paid(match: Page) -> Phone:
    """Win a match with its second hand, and write down a payment, which is its third event."""
    for _ in range(2):
        record(now(match), call="p1:4")
    night(match).send("/money/paid", press="Paid")
    return match.phone


def payments(app: Flask, match: Page) -> int:
    """Return how many payments are written in a match."""
    with app.app_context():
        return len(load_match(db.session, match.path.split("/")[2]).log.payments)


def test_what_was_paid_too_much_comes_back(match: Page, app: Flask) -> None:
    record(match, call="p2:2")
    night(match).send("/money/paid", {"debtor": "dan", "creditor": "bea", "cents": "200"}, press="Paid")
    with app.app_context():
        write(db.session, match.path.split("/")[2], HandRemoved(uid=1), Writer("removed"), expected_version=None)

    said = night(match).text

    assert "Bea pays Dan $2 $2 given, $2 too much" in said


def test_a_payment_that_is_not_owed_any_more_is_refused(match: Page) -> None:
    record(match, call="p2:2")
    page = night(match)

    refused = page.send("/money/paid", {"debtor": "dan", "creditor": "bea", "cents": "300"}, press="Paid")

    assert "Something has changed since. Check who owes what now." in refused.text
    assert "paid Bea" not in refused.text
