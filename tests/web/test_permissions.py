"""What a link allows: every form of a match, for every role; and what changes at once when the owner says so."""

import re
from unittest.mock import Mock

import pytest
import segno
from flask import Flask

from scorekeeper.eventlog.roles import allows
from scorekeeper.matches import load
from scorekeeper.web.context import required_role
from scorekeeper.web.permissions import MATCH_PAGES
from tests.common.calling import took
from tests.common.guests import OWNER, SCORER, WATCHER, address_of, change, come_in, invited, let_in
from tests.common.phone import Page, Phone
from tests.pages.conftest import record

ROLES = (WATCHER, SCORER, OWNER)


def rules_of(app: Flask, method: str) -> list[tuple[str, str]]:
    """Name every page of a match that takes this method, with its address."""
    found = [rule for rule in app.url_map.iter_rules() if rule.rule.startswith(MATCH_PAGES)]
    return [(rule.endpoint, rule.rule) for rule in found if method in (rule.methods or ())]


def filled(address: str, code: str) -> str:
    return re.sub(r"<int:\w+>", "1", address).replace("<code>", code)


def test_every_page_of_a_match_names_the_role_that_it_takes(app: Flask) -> None:
    with app.app_context():
        named = {
            endpoint: required_role(endpoint) for method in ("GET", "POST") for endpoint, _ in rules_of(app, method)
        }

    assert set(named.values()) == set(ROLES)


def test_a_page_that_names_no_role_is_shown_to_nobody(own_app: Flask) -> None:
    own_app.add_url_rule("/matches/<code>/new-page", view_func=lambda code: code, endpoint="new_page")
    own_app.config["PROPAGATE_EXCEPTIONS"] = False

    assert own_app.test_client().get("/matches/anything/new-page").status_code == 500


@pytest.mark.parametrize("page", ["room", "menu", "history", "board?v=9", "tv/board?v=0"])
def test_a_page_reads_its_link_once(match: Page, monkeypatch: pytest.MonkeyPatch, page: str) -> None:
    read = Mock(wraps=load.head_of)
    monkeypatch.setattr(load, "head_of", read)

    match.phone.open(match.path + page)

    assert read.call_count == 1


def required(app: Flask, endpoint: str) -> str:
    with app.app_context():
        return required_role(endpoint)


def test_there_are_as_many_forms_as_are_walked(app: Flask) -> None:
    assert len(rules_of(app, "POST")) >= 14


@pytest.mark.parametrize("role", ROLES)
def test_every_form_of_a_match_asks_for_the_role(app: Flask, match: Page, role: str) -> None:
    record(match, call="p4:3")
    for endpoint, address in rules_of(app, "POST"):
        phone = Phone(app.test_client())
        mine = match if role == OWNER else let_in(match, phone, role)
        phone = match.phone if role == OWNER else phone
        token = phone.open("/settings").form("/theme").fields["csrf_token"]

        answer = phone.post(filled(address, mine.path.split("/")[2]), {"csrf_token": token}, follow=False)

        is_allowed = allows(role, required(app, endpoint))
        assert (answer.status == 403) != is_allowed, (endpoint, answer.status)
        if endpoint == "matches.delete_submit" and is_allowed:
            match.phone.post(f"{match.path}restore", {"csrf_token": token})


@pytest.mark.parametrize("role", ROLES)
def test_every_page_of_a_match_is_seen_unless_it_is_only_to_write(app: Flask, match: Page, role: str) -> None:
    record(match, call="p4:3")
    phone = Phone(app.test_client())
    mine = match if role == OWNER else let_in(match, phone, role)
    phone = match.phone if role == OWNER else phone
    for endpoint, address in rules_of(app, "GET"):
        status = phone.open(filled(address, mine.path.split("/")[2])).status

        assert (status == 403) != allows(role, required(app, endpoint)), (endpoint, status)


def buttons(page: Page) -> set[str]:
    """Name what can be tapped that writes something."""
    labels = {form.action.rpartition("/matches/")[2] for form in map(page.form, actions(page))}
    return {label for label in labels if label and not label.endswith("whose")}


def actions(page: Page) -> list[str]:
    return [form.attrs["action"] for form in page.root.all("form") if form.attrs.get("method") == "post"]


@pytest.mark.parametrize("rest", ["", "history", "menu"])
def test_a_watcher_sees_no_button_that_writes_but_thats_wrong(match: Page, other_phone: Phone, rest: str) -> None:
    record(match, call="p4:3")
    record(match, call="p4:4")
    match.phone.open(f"{match.path}history/1/remove").send("/remove")
    mine = let_in(match, other_phone, WATCHER, "p2")

    page = other_phone.open(mine.path + rest)

    assert [it for it in actions(page) if "/matches/" in it and not it.endswith("/dispute")] == []
    for label in ("Record hand", "Undo", "Correct", "Delete", "Restore", "Stop for tonight", "Other phones"):
        assert not page.offers(label), label


def test_a_scorer_writes_corrects_undoes_and_stops(match: Page, other_phone: Phone) -> None:
    mine = let_in(match, other_phone, SCORER, "p2")

    record(mine, call="p4:3")
    other_phone.open(f"{mine.path}history").tap("Correct").send("/1", {"took-low": "s1"}, press="Save")
    other_phone.open(mine.path).tap("Undo")
    stopped = other_phone.open(mine.path).tap("Menu").tap("Stop for tonight").send("/stop")

    assert stopped.offers("Resume")
    menu = stopped.tap("Menu")
    assert not any(menu.offers(label) for label in ("Delete this match", "Save names"))


def test_a_form_sent_too_late_is_refused_in_words_and_can_be_sent_again(match: Page, other_phone: Phone) -> None:
    mine = let_in(match, other_phone, SCORER, "p2")
    entry = mine.tap("Record hand")
    change(match, "watcher")
    fields = {**entry.form("/hands/new").fields, "call": "p4:3", **took("s2"), "do": "save"}
    other_phone.client.environ_base["HTTP_ORIGIN"] = "http://localhost"

    late = other_phone.post(f"{mine.path}hands/new", fields)
    part = other_phone.post(f"{mine.path}hands/preview", fields, part=True)

    assert (late.status, "This phone is watching" in late.root.text) == (403, True)
    assert late.form("/hands/new").fields["call"] == "p4:3"
    assert (part.status, part.response.headers["HX-Retarget"]) == (403, "#trouble")
    change(match, "scorer")
    assert late.send("/hands/new").scores == {"s1": "0", "s2": "4"}


@pytest.mark.every_database
def test_an_open_page_shows_that_it_may_score_now(match: Page, other_phone: Phone) -> None:
    mine = let_in(match, other_phone, WATCHER, "p2")
    asks = mine.part("board").attrs["hx-get"]
    assert other_phone.open(asks, part=True).status == 204

    change(match, "scorer")
    given = other_phone.open(asks, part=True)
    change(match, "watcher")
    taken = other_phone.open(given.part("board").attrs["hx-get"], part=True)

    assert given.offers("Record hand")
    assert "This phone can score now." in given.text
    assert not taken.offers("Record hand")
    assert "Bea’s phone is watching." in taken.part("bottom_bar").text
    assert other_phone.open(taken.part("board").attrs["hx-get"], part=True).status == 204


@pytest.mark.every_database
def test_an_ended_link_leads_nowhere_at_once(match: Page, other_phone: Phone) -> None:
    match.phone.open(f"{match.path}whose").send("/whose", {"seat": "p1"})
    mine = let_in(match, other_phone, SCORER, "p2")
    asks, entry = mine.part("board").attrs["hx-get"], mine.tap("Record hand")
    record(match, call="p4:3")

    said = change(match, "end")

    open_page, whole = other_phone.open(asks, part=True), other_phone.open(mine.path)
    assert "Bea is removed." in said.text
    assert open_page.response.headers["HX-Redirect"] == mine.path
    assert (whole.status, whole.has("board"), "Ann removed this phone" in whole.text) == (410, False, True)
    assert entry.send("/hands/new", press="Misdeal").status == 410
    for rest in ("history", "menu", "record.json", "result.pdf", "rules"):
        assert other_phone.open(mine.path + rest).status == 410
    assert mine.path not in other_phone.open("/").response.text


@pytest.mark.every_database
def test_the_link_of_a_phone_is_reopened(match: Page, other_phone: Phone) -> None:
    mine = let_in(match, other_phone, SCORER, "p2")
    change(match, "end")

    change(match, "reopen")

    assert other_phone.open(mine.path).offers("Record hand")


def test_ending_a_link_ends_the_code_it_was_made_by(match: Page, other_phone: Phone) -> None:
    mine = let_in(match, other_phone, SCORER, "p2")
    address = match.phone.open(f"{match.path}room?let=scorer")
    assert address.root.all(class_="pin")

    change(match, "end")

    assert not match.phone.open(f"{match.path}room?let=scorer").root.all(class_="pin")
    assert let_in(match, other_phone, WATCHER, "p2").path == mine.path  # by a new code, the owner wants it back


def test_the_page_says_which_codes_a_removal_closed_and_opens_new_ones(match: Page, other_phone: Phone) -> None:
    mine = let_in(match, other_phone, SCORER, "p2")
    old = {address_of(match, SCORER), invited(match, WATCHER)}

    said = change(match, "end")

    assert "Bea is removed. The codes that it could use are closed." in said.text
    assert {other_phone.open(address).status for address in old} == {410}
    shown = said.tap("Open new ones")
    assert shown.root.all(class_="pin")
    assert "The codes that it could use" not in shown.text
    assert not {address_of(match, SCORER), address_of(match, WATCHER)} & old
    assert other_phone.open(mine.path).status == 410


def test_the_page_says_which_code_a_phone_that_may_do_less_could_use(match: Page, other_phone: Phone) -> None:
    let_in(match, other_phone, SCORER, "p2")
    watching = invited(match, WATCHER)

    said = change(match, WATCHER)

    assert "Bea can only watch now. The code that it could use is closed." in said.text
    assert address_of(match, WATCHER) == watching
    assert said.tap("Open a new one").root.all(class_="pin")


@pytest.mark.every_database
def test_the_last_owner_stays(match: Page, other_phone: Phone) -> None:
    for do in ("end", "watcher", "scorer"):
        refused = change(match, do, 1)
        assert (refused.status, "The match needs an owner" in refused.text) == (422, True)

    let_in(match, other_phone, SCORER, "p2")
    change(match, "owner", 2)
    given_up = change(match, "watcher", 1)

    assert given_up.path == match.path
    assert not given_up.offers("Record hand")
    assert change_by(other_phone, "end", 2).status == 422


def change_by(phone: Phone, do: str, number: int) -> Page:
    path = next(it.attrs["href"] for it in phone.open("/").root.all("a") if it.attrs["href"].startswith("/matches/"))
    return change(phone.open(path), do, number)


def test_links_of_other_matches_are_not_this_owners(match: Page, other_phone: Phone, app: Flask) -> None:
    mine = let_in(match, other_phone, WATCHER)
    stranger = Phone(app.test_client())
    page = stranger.open("/new/racehorse")
    chairs = [name for name in page.form("racehorse").fields if name.startswith("seat-")]
    theirs = page.send("racehorse", dict(zip(chairs, ("A", "B", "C", "D"), strict=False)), press="Start")

    assert change(theirs, "owner", 2).status == 422
    assert not other_phone.open(f"{mine.path}menu").offers("Delete this match")


def test_the_history_names_the_phone_that_wrote(match: Page, other_phone: Phone) -> None:
    record(match, call="p4:3")
    mine = let_in(match, other_phone, SCORER, "p2")
    record(mine, call="p4:3")

    theirs = match.phone.open(f"{match.path}history").text
    here = other_phone.open(f"{mine.path}history").text

    assert "Bea recorded this" in theirs
    assert "This phone recorded this" in theirs
    assert "Another phone recorded this" in here


def test_whoever_is_renamed_wrote_it_under_the_new_name(match: Page, other_phone: Phone) -> None:
    record(let_in(match, other_phone, SCORER, "p2"), call="p4:3")
    match.phone.open(f"{match.path}names").send("/names", {"name-p2": "Beatrice"})

    assert "Beatrice recorded this" in match.phone.open(f"{match.path}history").text


def test_the_page_of_the_phones_follows(match: Page, other_phone: Phone) -> None:
    room = match.phone.open(f"{match.path}room")
    asks = room.part("phones").attrs["hx-get"]
    assert match.phone.open(asks, part=True).status == 204

    let_in(match, other_phone, WATCHER, "p2")
    part = match.phone.open(asks, part=True)

    assert "Bea watches" in part.part("phones").text
    assert not part.root.all("html")


@pytest.mark.every_database
def test_nobody_may_score_by_the_code_on_the_tv(match: Page, other_phone: Phone) -> None:
    shown = match.phone.open(match.path).tap("Menu").tap("Show on TV").tap("Open on this device")
    assert match.path not in picture(shown)

    said = match.phone.open(f"{match.path}room").root.one(class_="link").text

    guest = come_in(other_phone, address_of(match, WATCHER), "p2")

    assert segno.make(said, micro=False).svg_inline(
        border=2, light="#fff", dark="#000", omitsize=True, title="To follow this match"
    ) in picture(shown)
    assert not guest.offers("Record hand")
    assert not other_phone.open(f"{guest.path}tv").offers("Record hand")


def picture(page: Page) -> str:
    return page.response.text.partition('<div class="join">')[2]


def test_the_tv_follows_the_code(match: Page) -> None:
    shown = match.phone.open(match.path).tap("Menu").tap("Show on TV").tap("Open on this device")
    asks = shown.part("board").attrs["hx-get"]
    assert match.phone.open(asks, part=True).status == 204

    match.phone.open(f"{match.path}room").send("/room/close")

    assert not match.phone.open(asks, part=True).root.all(class_="join")


def test_a_deleted_match_is_restored_by_its_owner(match: Page, other_phone: Phone) -> None:
    mine = let_in(match, other_phone, SCORER)
    match.phone.open(f"{match.path}delete").send("/delete")

    assert not other_phone.open(mine.path).offers("Restore")
    assert match.phone.open(match.path).offers("Restore")
