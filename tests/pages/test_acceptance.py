"""A hand waits until another side has accepted it on a phone of its own."""

import json

import pytest
from flask import Flask

from scorekeeper.database.engine import db
from scorekeeper.matches.load import load_match
from scorekeeper.pages.prints.views import match_score_sheet
from scorekeeper.pitch.text.dates import AMERICAN
from tests.common.guests import let_in as join
from tests.common.phone import Page, Phone
from tests.common.room import let_in
from tests.pages.conftest import Begin, record


@pytest.fixture
def agreeing(match: Page) -> Page:
    """Begin a match in which hands are to be accepted."""
    return match.tap("Menu").tap("Let the other side accept each hand").send("/agreement")


@pytest.fixture
def ours(app: Flask, agreeing: Page, phone: Phone) -> Page:
    """Take Ann's phone."""
    return phone.open(let_in(app, agreeing.path, "p1"))


@pytest.fixture
def theirs(app: Flask, agreeing: Page, other_phone: Phone) -> Page:
    """Take Bea's phone."""
    return other_phone.open(let_in(app, agreeing.path, "p2"))


def scores(page: Page) -> dict[str, str]:
    """Read the cards."""
    return {it.attrs["data-score"]: it.text for it in page.root.walk() if "data-score" in it.attrs}


def again(page: Page) -> Page:
    """Look at the page once more."""
    return page.phone.open(page.path)


def test_the_setting_says_what_it_takes_and_is_off_at_first(match: Page) -> None:
    asked = match.tap("Menu").tap("Let the other side accept each hand")

    assert "No other phone has joined this match under a name." in asked.text
    assert asked.offers("Add a phone")
    assert "From now on a hand counts when another side accepts it." in asked.send("/agreement").text


def test_the_setting_knows_which_phones_are_connected(app: Flask, match: Page) -> None:
    let_in(app, match.path, "p3")
    one = match.phone.open(f"{match.path}agreement")
    let_in(app, match.path, "p4")
    both = match.phone.open(f"{match.path}agreement")

    assert "Only Ann & Cal have a phone in this match." in one.text
    assert not both.offers("Add a phone")


def test_a_hand_waits_and_is_accepted_with_one_tap(ours: Page, theirs: Page) -> None:
    wrote = record(ours, call="p1:3", took_low="s2")
    asked = again(theirs)
    accepted = asked.tap("Accept")

    assert scores(wrote) == {"s1": "0", "s2": "0"}
    assert "3 if accepted" in wrote.part("board").text
    assert "Hand 1 waits for Bea & Dan." in wrote.text
    assert not wrote.offers("Accept")
    assert "Is hand 1 right?" in asked.text
    assert "Ann 3: made. Ann & Cal +3, Bea & Dan +1." in asked.text
    assert scores(accepted) == scores(again(ours)) == {"s1": "3", "s2": "1"}
    assert "Hand 1 is accepted." in accepted.text
    assert "if accepted" not in accepted.text


def test_a_hand_that_waits_is_marked_wherever_it_is_shown(ours: Page, theirs: Page) -> None:
    record(ours, call="p1:3", took_low="s2")
    record(again(ours), call="p2:2", took_low="s1")

    match = again(theirs)
    second = match.phone.open(f"{match.path}history")
    record_ = json.loads(match.phone.client.get(f"{match.path}record.json").text)

    assert match.part("history").text.count("waits for Bea & Dan") == 2
    assert second.text.count("waits for Bea & Dan") == 2
    assert [hand["note"] for hand in record_["hands"]] == ["Not accepted by another side yet."] * 2


def test_what_follows_a_hand_that_waits_does_not_count_either(ours: Page, theirs: Page) -> None:
    record(ours, call="p1:3", took_low="s2")
    record(again(ours), call="p2:2", took_low="s1")
    history = theirs.phone.open(f"{theirs.path}history")

    accepted = history.send("/agreement/3")

    assert scores(accepted) == {"s1": "0", "s2": "0"}
    assert "Hand 2 is accepted. It counts when the hands before it do." in accepted.text
    assert "after a hand that waits" in accepted.part("history").text


def test_who_may_not_accept_has_no_button_and_is_refused(app: Flask, ours: Page, theirs: Page) -> None:
    wrote = record(ours, call="p1:3", took_low="s2")
    form = again(theirs).form("/agreement/2")

    refused = ours.phone.post(f"{ours.path}agreement/2", {**wrote.form("/undo").fields, "made": form.fields["made"]})

    assert refused.status == 422
    assert "Someone on another side has to accept this" in refused.text
    assert scores(again(ours)) == {"s1": "0", "s2": "0"}


def test_the_other_side_corrects_it_instead_and_the_first_accepts(ours: Page, theirs: Page) -> None:
    record(ours, call="p1:3", took_low="s2")

    corrected = again(theirs).tap("That’s wrong").send("/hands/2", {"took-game": "s2"}, press="Save")
    asked = again(ours)
    accepted = asked.tap("Accept")

    assert "Hand 1 waits for Ann & Cal." in corrected.text
    assert "Is hand 1 right as corrected?" in asked.text
    assert scores(accepted) == {"s1": "−3", "s2": "2"}


def test_a_watcher_with_a_name_accepts_and_cannot_correct(
    app: Flask, agreeing: Page, ours: Page, other_phone: Phone
) -> None:
    record(ours, call="p1:3", took_low="s2")

    looking = other_phone.open(let_in(app, agreeing.path, "p4", role="watcher"))

    assert not looking.offers("That’s wrong")
    assert scores(looking.tap("Accept")) == {"s1": "3", "s2": "1"}


def test_the_verdict_comes_with_the_acceptance(app: Flask, begin: Begin, other_phone: Phone) -> None:
    match = begin(house_target="7").tap("Menu").tap("Let the other side accept each hand").send("/agreement")
    theirs = other_phone.open(let_in(app, match.path, "p2"))

    record(match, call="p1:4")
    again(theirs).tap("Accept")
    wrote = record(again(match), call="p1:4")
    accepted = again(theirs).tap("Accept")

    assert "Ann & Cal win" not in wrote.text
    assert not wrote.offers("Record hand")
    assert "Ann & Cal win" in accepted.text
    assert "Ann & Cal win" in again(match).text


def test_accepting_is_undone_and_redone(ours: Page, theirs: Page) -> None:
    record(ours, call="p1:3", took_low="s2")
    accepted = again(theirs).tap("Accept")

    undone = accepted.send("/undo")

    assert scores(undone) == {"s1": "0", "s2": "0"}
    assert "Acceptance undone." in undone.text
    assert scores(undone.send("/redo")) == {"s1": "3", "s2": "1"}


def test_a_deletion_is_accepted_as_well(match: Page, app: Flask, other_phone: Phone) -> None:
    record(match, call="p1:3", took_low="s2")
    match = match.tap("Menu").tap("Let the other side accept each hand").send("/agreement")
    theirs = other_phone.open(let_in(app, match.path, "p2"))

    out = match.phone.open(f"{match.path}history/1/remove").send("/remove")
    asked = again(theirs)

    assert "A deleted hand waits for another phone." in out.text
    assert "Was it right to delete a hand?" in asked.text
    assert asked.offers("Restore")
    assert "Accepted: the hand is deleted." in asked.tap("Accept").text


def test_turning_it_off_counts_what_waits(ours: Page, agreeing: Page) -> None:
    record(ours, call="p1:3", took_low="s2")

    off = again(agreeing).tap("Menu").tap("Let the other side accept each hand").send("/agreement")

    assert scores(off) == {"s1": "3", "s2": "1"}


def test_home_and_the_sheet_count_what_counts(ours: Page, theirs: Page) -> None:
    record(ours, call="p1:3", took_low="s2")

    home = theirs.phone.open("/")

    assert [it.text for it in home.root.all(class_="digits")] == ["0", "0"]


def test_before_a_hand_that_counts_is_changed_it_says_what_waits(match: Page) -> None:
    record(match, call="p1:3", took_low="s2")
    match.tap("Menu").tap("Let the other side accept each hand").send("/agreement")
    form = match.phone.open(f"{match.path}hands/1").form("/hands/1")

    said = match.phone.post(f"{match.path}hands/preview", {**form.fields, "took-game": "s2"}, part=True)
    asked = match.phone.open(f"{match.path}history/1/remove")

    assert "Until another side accepts this, no hand counts from hand 1 on." in said.text
    assert "Until another side accepts this, no hand counts from hand 1 on." in asked.text


def test_a_match_that_is_won_as_written_can_still_be_settled(begin: Begin) -> None:
    match = begin(house_target="7").tap("Menu").tap("Let the other side accept each hand").send("/agreement")
    record(match, call="p1:4")
    record(again(match), call="p1:4")

    menu = again(match).tap("Menu")

    assert menu.offers("Stop for tonight")
    assert "Ann & Cal win" in menu.tap("Let the other side accept each hand").send("/agreement").text


def test_the_score_sheet_marks_what_waits(app: Flask, match: Page) -> None:
    record(match, call="p1:3", took_low="s2")
    match.tap("Menu").tap("Let the other side accept each hand").send("/agreement")
    record(again(match), call="p2:2", took_low="s1")

    with app.test_request_context():
        sheet = match_score_sheet(load_match(db.session, match.path.split("/")[2]), AMERICAN)

    assert [score.score for score in sheet.scores] == ["3", "1"]
    assert [hand.corrections for hand in sheet.hands] == [(), ("Does not count yet: waits for another phone.",)]
    assert [cell.total for cell in sheet.hands[1].cells] == ["(4)", "(4)"]


def test_where_nobody_could_accept_the_owner_is_led_to_the_phones(app: Flask, agreeing: Page) -> None:
    alone = record(agreeing, call="p1:3", took_low="s2")
    let_in(app, agreeing.path, "p2")
    together = again(agreeing)

    assert "No such phone has joined under a name yet." in alone.text
    assert "Connected phones" in alone.tap("Add a phone").text
    assert not together.offers("Add a phone")


def test_the_history_names_who_wrote_and_who_accepted(ours: Page, theirs: Page) -> None:
    record(ours, call="p1:3", took_low="s2")
    again(theirs).tap("Accept")

    history = again(theirs).phone.open(f"{theirs.path}history")
    written = again(theirs).phone.open(f"{theirs.path}history/journal")

    assert "Ann recorded this" in history.text
    assert "Bea accepted this" in history.text
    assert "Bea accepted hand 1" in written.text
    assert "Ann recorded hand 1" in written.text


def test_a_phone_that_came_in_later_accepts_when_an_owner_lets_it(
    agreeing: Page, ours: Page, other_phone: Phone
) -> None:
    record(ours, call="p1:3", took_low="s2")
    later = join(agreeing, other_phone, "watcher", "p2")
    room = agreeing.phone.open(f"{agreeing.path}room")

    done = room.tap("Let Bea accept earlier hands")

    assert "This was saved before this phone joined under its name." in later.text
    assert not later.offers("Accept")
    assert "Bea can accept earlier hands now." in done.text
    assert not done.offers("Let Bea accept earlier hands")
    assert scores(again(later).tap("Accept")) == {"s1": "3", "s2": "1"}


def test_whoever_wrote_a_hand_cannot_accept_it_by_coming_in_again(
    app: Flask, agreeing: Page, other_phone: Phone
) -> None:
    mine = join(agreeing, other_phone, "scorer", "p1")
    record(mine, call="p1:3", took_low="s2")
    other_browser = join(agreeing, Phone(app.test_client()), "scorer", "p2")
    same_browser = join(agreeing, other_phone, "scorer", "p2")

    for page in (other_browser, same_browser):
        form = {**page.form("/undo").fields, "made": "2", "client_key": f"accept-{page.path[-5:-1]}"}
        refused = page.phone.post(f"{page.path}agreement/2", form)

        assert not page.offers("Accept")
        assert refused.status == 422
    assert same_browser.path == mine.path
    assert scores(again(agreeing)) == {"s1": "0", "s2": "0"}


def test_header_cards_and_race_go_to_the_same_target(match: Page) -> None:
    record(match, call="p1:3", took_low="s2")
    match.tap("Menu").tap("Let the other side accept each hand").send("/agreement")
    rules = match.phone.open(f"{match.path}rules/change")
    rules.send("/rules/change", {"rule-target": "11"}, press="Start with hand 2")

    wrote = record(again(match), call="p2:2", took_low="s1")

    assert "To 11" in wrote.root.one("h1").text
    assert [line.text for line in wrote.part("board").all(class_="pc-line")] == [
        "needs 8 4 if accepted",
        "needs 10 4 if accepted",
    ]
    assert "the target is 11" in wrote.part("board").text
