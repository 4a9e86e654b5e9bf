"""A ladder night by its pages: seated, played, corrected, undone, and followed on other phones."""

from typing import Any

import pytest
from flask import Flask

from tests.common.interleaving import cut_off_before
from tests.common.nights import (
    EIGHT,
    begin_night,
    join_night,
    night_invitation,
    night_path,
    open_night,
    play_round,
    seat_by_hand,
    tap_winner,
    win_match,
)
from tests.common.phone import Page, Phone
from tests.common.tables import table


@pytest.fixture
def host(phone: Phone) -> Page:
    """Seat eight pairs at four tables by hand."""
    return seat_by_hand(begin_night(phone, *EIGHT))


@pytest.fixture
def small(phone: Phone) -> Page:
    """Seat four pairs at two tables, where matches can be kept."""
    return seat_by_hand(begin_night(phone, *EIGHT[:4], rounds="2", variant="partnership-pitch"))


FIRST = ("Opal & Pete", "Mia & Ned", "Ann & Cal", "Ida & Jon")


@pytest.mark.parametrize("night", table(__file__, "shown.toml")["night"], ids=lambda night: night["name"])
def test_what_the_pages_of_a_night_say(phone: Phone, night: dict[str, Any]) -> None:
    if "earlier" in night:
        begin_night(phone, *night["earlier"], size="3")
    page = begin_night(phone, *night.get("pairs", EIGHT), **night.get("agreed", {}))
    for step in night["steps"]:
        page = play_round(open_night(page, step.get("page", "")), *step.get("won", ()))
        page = page.tap(step["taps"]) if "taps" in step else page
        page = page.send(*step["sends"]) if "sends" in step else page

    for opened, says in night["pages"].items():
        text = open_night(page, opened).text
        assert [words for words in says.get("shows", ()) if words not in text] == []
        assert [words for words in says.get("hides", ()) if words in text] == []


def test_a_night_begins_with_its_pairs_and_a_draw(phone: Phone) -> None:
    page = begin_night(phone, *EIGHT[:5])
    assert "5 pairs: one sits out each round" in page.text

    host = page.send("/start")

    assert "Round 1 of 6, 2 tables" in host.text
    assert "out this round, back at table 1." in host.text
    assert "Pitch night Round 1 of 6" in phone.open("/").text


def test_a_redo_starts_a_round_again(host: Page) -> None:
    page = play_round(host, *FIRST).send("/undo")

    assert "Round 2 of 6" in page.send("/redo").text


def test_a_form_of_an_earlier_page_is_shown_what_changed(host: Page) -> None:
    page = tap_winner(host, "Opal & Pete")
    tap_winner(page, "Mia & Ned")

    stale = page.send("/undo")

    assert stale.status == 409
    assert "Someone else wrote first" in stale.text


def test_who_won_is_not_written_over_what_the_page_did_not_show(host: Page) -> None:
    other = open_night(host)
    tap_winner(host, "Opal & Pete")

    stale = tap_winner(other, "Eve & Finn")

    assert stale.status == 422
    assert "Someone else wrote first who won at table 1" in stale.text
    assert "Eve & Finn won at table 1" in tap_winner(tap_winner(stale, "Opal & Pete"), "Eve & Finn").text


def test_a_tap_of_a_round_that_is_over_moves_nobody(host: Page) -> None:
    other = open_night(host)
    board = play_round(host, *FIRST).part("board").text

    stale = tap_winner(other, "Eve & Finn")

    assert stale.status == 422
    assert "Round 1 is over" in stale.text
    assert open_night(host).part("board").text == board


def test_a_tap_of_the_winner_keeps_the_score_that_was_typed(host: Page) -> None:
    page = host.tap("Result of table 1")
    opal, eve = choices(page, "Opal & Pete", "Eve & Finn")
    page.send("/result", {"winner": opal, f"score-{opal}": "21", f"score-{eve}": "20"})

    page = tap_winner(host, "Opal & Pete")

    assert page.status == 200
    assert "21 to 20" in page.part("t1").text


def test_a_tap_of_another_winner_keeps_a_score_that_may_be_theirs_and_removes_no_other(host: Page) -> None:
    page = host.tap("Result of table 1")
    opal, eve = choices(page, "Opal & Pete", "Eve & Finn")
    page.send("/result", {"winner": opal, f"score-{opal}": "9", f"score-{eve}": "21"})

    page = tap_winner(open_night(host), "Eve & Finn")
    refused = tap_winner(page, "Opal & Pete")

    assert "The score of table 1 is 21 to 9, and nothing was saved." in refused.text
    assert "21 to 9." in refused.part("t1").text


def test_htmx_gets_the_board_alone(host: Page) -> None:
    row = host.part("t1").one("form")

    part = host.post(row.attrs["action"], {"winner": row.all("button")[0].attrs["value"]}, part=True)

    assert "<html" not in part.response.text
    assert part.has("board")
    assert part.has("bottom_bar")
    polled = host.phone.open(f"{night_path(host)}/?v=0", part=True)
    assert polled.has("board")
    assert host.phone.open(polled.part("board").attrs["hx-get"], part=True).status == 204


def test_a_pair_finds_its_table_on_its_own_phone(host: Page, other_phone: Phone) -> None:
    seat = join_night(host, other_phone, name="Ann & Cal")
    assert "sit at table 3 against Gus & Hal" in seat.text

    page = host
    for name in FIRST:
        page = tap_winner(page, name)
    assert "All are done. Wait for the next round." in seat.open().text
    page.send("/rounds")

    seat = seat.open()
    assert "You won, and move up" in seat.text
    assert "sit at table 4 the top table, against Ida & Jon" in seat.text


def test_whoever_watches_is_led_to_its_seat_and_may_say_who_it_is(host: Page, other_phone: Phone) -> None:
    seat = join_night(host, other_phone)
    assert open_night(seat).response.headers["Location"] == seat.path

    seat = seat.tap("Who are you?").send("/pair", press="Kay & Lou")

    assert "sit at table 4 the top table, against Ida & Jon" in seat.text


def test_a_list_is_pasted_whole_or_not_at_all_and_stays_where_it_was_refused(phone: Phone) -> None:
    pasted = "Ann & Cal\n\n Bea , Dan\nEve and Finn\nGus\tHal\n"
    page = begin_night(phone).send("/pairs", {"roster": f"{pasted}Ida / Ann"})
    assert "Ida & Ann: Ann plays already, in Ann & Cal." in page.faults
    assert page.form("/pairs").fields["roster"].strip() == f"{pasted}Ida / Ann"
    assert "Ida & Jo & Kay: 2 play together tonight." in page.send("/pairs", {"roster": "Ida, Jo, Kay\nA, B"}).faults
    assert not page.has_form("/pairs/1")

    page = page.send("/pairs", {"roster": pasted})

    assert "4 pairs, 2 tables" in page.text
    assert all(name in page.text for name in ("Remove", "Bea & Dan", "Eve & Finn", "Gus & Hal"))


@pytest.mark.parametrize(
    ("size", "said"),
    [
        ("1", "Each plays alone tonight: add the players one by one."),
        ("3", "3 play together tonight. Add the others as another team."),
    ],
)
def test_too_many_names_are_refused_by_the_word_of_the_night(phone: Phone, size: str, said: str) -> None:
    assert said in begin_night(phone, size=size).send("/pairs", {"roster": "A, B, C, D"}).faults


def test_a_new_night_without_a_ladder_is_won_at_no_top_table(phone: Phone) -> None:
    page = phone.open("/nights/new")
    assert "Where partners are drawn each round, nobody goes up: wins decide the night" in page.text

    refused = page.send("/nights/new", {"mode": "singles", "rounds": "none"})

    assert refused.form("/nights/new").offered["ranking"] == {"wins", "points"}


def test_a_long_name_is_refused_and_not_cut(phone: Phone) -> None:
    page = begin_night(phone, "Ann & Cal")
    long = "Maximiliana von Hohenstein-Waldeck"

    refused = page.send("/pairs", {"players-0": long, "players-1": "Dan"})
    assert "“Maximiliana…” is longer than 24 letters: shorten it." in refused.faults
    assert refused.form("/pairs").fields["players-0"] == long

    refused = page.send("/pairs/1", {"players-0": long}, press="Save names")
    assert "Not saved yet" in refused.faults
    assert refused.form("/pairs/1").fields["players-0"] == long
    alone = refused.send("/pairs/1", {"players-0": "", "players-1": "Cal"}, press="Save names")
    both = alone.send("/pairs/1", {"players-1": "Bea"}, press="Save names")
    assert "Cal & Bea" in both.text
    assert not both.send("/pairs/1", press="Remove").has_form("/pairs/1")


def test_both_pairs_confirm_a_result_on_their_phones(host: Page, app: Flask) -> None:
    open_night(host, "settings").send("/settings", {"confirms": "yes", "fee": "Entry $5", "prizes": "The jar"})
    ann, gus, ida = (join_night(host, Phone(app.test_client()), name=name) for name in (EIGHT[4], EIGHT[5], EIGHT[6]))
    assert "Tap who won. It counts once both pairs say the same." in ann.text

    def report_winner(seat: Page, name: str) -> str:
        return seat.open().send("/seat/won", press=f"{name} won").text

    def row() -> str:
        return open_night(host).part("t3").text

    assert "Ann & Cal say that they won. Waiting for Gus & Hal." in report_winner(ann, "Ann & Cal")
    assert "Waiting for Gus & Hal" in row()
    assert "The two phones differ: agree with the others, then tap who won." in report_winner(gus, "Gus & Hal")
    assert "The two phones differ: ask them, then tap who won." in row()
    assert "still playing" not in row()
    assert "Table 3 phones differ" in open_night(host, "wall").text
    assert "You sit at table 3 until all are done." in report_winner(gus, "Ann & Cal")
    assert "Ann & Cal up to 4" in row()
    tap_winner(open_night(host), "Ann & Cal")
    assert "Gus & Hal say that they lost. Waiting for Ann & Cal." in report_winner(gus, "Ann & Cal")

    which = ida.tap("Not you?")
    report_winner(ida, "Ida & Jon")
    kay = which.send("/pair", press="Kay & Lou")
    assert "This phone has said so for the others." in report_winner(kay, "Ida & Jon")
    results = open_night(host, "list").text
    assert "Entry $5" in results
    assert "The jar" in results
    open_night(host, "settings").send("/settings", {"confirms": "no"})
    assert "Waiting for" not in row()


def test_a_night_of_singles_is_won_by_wins(phone: Phone, other_phone: Phone) -> None:
    page = phone.open("/nights/new").send("/nights/new", {"rounds": "1", "mode": "singles"})
    assert "Ladder night 1 round " in phone.open("/").text
    page = page.send("/pairs", {"roster": "Ann & Bea\nCal\nDan\nEve"})
    assert "5 players: one sits out each round" in page.text
    assert not page.offers("Place by hand")
    host = page.send("/start")
    pair = host.part("t1").all("button")[0].text
    player, partner = pair.split(" & ")
    seat = join_night(host, other_phone, name=player)
    assert f"you play as {pair}" in seat.text
    text = seat.tap("Not you?").text
    assert "Who are you?" in text
    assert "pair" not in text.lower()

    host = tap_winner(host, pair)

    first, second = sorted((player, partner))
    assert f"{first} and {second} tie for first" in host.part("bottom_bar").text
    assert "won" in seat.open().part("board").text
    assert "By wins, then points." in open_night(host, "list").text


def test_the_next_night_offers_who_came_to_the_last_one_and_the_book_lists_both(phone: Phone) -> None:
    host = seat_by_hand(begin_night(phone, *EIGHT[:4], title="First", rounds="1"))
    play_round(host, "Opal & Pete", "Mia & Ned")

    page = begin_night(phone, title="Second").post("/pairs", {"known": "Bea & Dan"})

    assert page.has_form("/pairs/1")
    nights = phone.open("/").tap("All matches").tap("Ladder nights")
    assert "1 Mia 1 night, won 1 night 1 of 1" in nights.text
    assert "Mia & Ned win the night" in nights.text
    assert nights.tap("First").response.headers["Location"] == f"{night_path(host)}/"
    assert "By points" not in nights.tap("By points").text


def test_a_phone_and_a_reader_have_the_tables_of_the_wall_from_the_lowest_up(phone: Phone) -> None:
    host = seat_by_hand(begin_night(phone, *(f"A{number} & B{number}" for number in range(24))))

    tables = [heading.one("b").text for heading in open_night(host, "wall").part("board").all("h2")[1:]]

    assert tables == [str(number) for number in range(1, 13)]


def test_a_correction_makes_two_pairs_trade_places_and_every_page_tells_of_it_and_of_an_undo(
    host: Page, other_phone: Phone
) -> None:
    seat = join_night(host, other_phone, name="Gus & Hal")
    page = open_night(play_round(host, *FIRST), "rounds/1/tables/3")
    moves = "Ann & Cal go to table 3 and Gus & Hal go to table 4"
    assert f"If you change it, {moves}: neither has started to play in this round." in page.text

    results = page.send("/result", {"winner": choices(page, "Gus & Hal")[0]})

    assert "Gus & Hal beat Ann & Cal" in results.text
    page = open_night(host)
    shown = [results, page, open_night(host, "wall"), seat.open()]
    assert all(f"Corrected: Gus & Hal won at table 3 in round 1. {moves}." in each.text for each in shown)
    assert "Gus & Hal" in page.part("t4").text
    assert "Undo takes back the last change: Gus & Hal won at table 3 in round 1." in page.text
    page = page.send("/undo")
    assert "Undone: Gus & Hal won at table 3 in round 1. Look again where you sit." in page.text
    assert "Redo Gus & Hal won at table 3 in round 1" in page.text


def test_a_result_that_moves_others_than_the_host_was_told_is_asked_again(host: Page) -> None:
    page = open_night(play_round(host, *FIRST), "rounds/1/tables/3")
    tap_winner(open_night(host), "Ida & Jon")

    refused = page.send("/result", {"winner": choices(page, "Gus & Hal")[0]})

    assert refused.status == 422
    assert "Somebody has started to play since." in refused.faults
    assert "Nobody moves: one of the two has played since, or left." in refused.text
    assert "Gus & Hal beat Ann & Cal" in refused.send("/result").text


def test_a_correction_moves_no_pair_that_has_entered_on_its_phone_who_won(host: Page, other_phone: Phone) -> None:
    open_night(host, "settings").send("/settings", {"confirms": "yes"})
    seat = join_night(host, other_phone, name="Gus & Hal")
    page = play_round(host, *FIRST)
    seat.open().send("/seat/won", press="Gus & Hal won")

    page = open_night(page, "rounds/1/tables/3")
    page.send("/result", {"winner": choices(page, "Gus & Hal")[0]})

    assert "Nobody moves: one of the two has played since, or left." in page.text
    assert "Gus & Hal" not in open_night(host).part("t4").text


def choices(page: Page, *names: str) -> list[str]:
    """Return the values of the answers that have these names."""
    values = {label.text: label.one("input").attrs["value"] for label in page.all("label") if label.all("input")}
    return [values[name] for name in names]


def test_a_score_is_written_behind_the_row_and_shown_in_the_list(host: Page) -> None:
    page = host.tap("Result of table 3")
    gus, ann = choices(page, "Gus & Hal", "Ann & Cal")

    host = page.send("/result", {"winner": gus, f"score-{gus}": "21", f"score-{ann}": "−3"})

    assert "Gus & Hal up to 4, Ann & Cal stay 21 to −3." in host.part("t3").text
    assert "Gus & Hal beat Ann & Cal, 21 to −3" in open_night(host, "list").text
    assert "Pitch night,1,3,Ann & Cal,Gus & Hal,Gus & Hal,-3,21" in open_night(host, "night.csv").response.text
    assert host.tap("Result of table 3").form("/result").fields[f"score-{ann}"] == "−3"
    season = host.phone.open("/").tap("All matches").tap("Ladder nights")
    assert "1 Gus 1 night, points: 21 1 of 1" in season.text
    assert "1 Gus 1 night, 1 of 1 won 21 points" in season.tap("By points").text


@pytest.mark.parametrize(
    ("has_winner", "score", "message"),
    [
        (True, "", "Type both scores, or neither."),
        (True, "many", "A score goes from −999 to 999."),
        (True, "1000", "A score goes from −999 to 999."),
        (False, "2", "Say who won as well as the score."),
    ],
)
def test_a_score_that_cannot_be_is_refused_and_what_was_typed_stays(
    host: Page, has_winner: bool, score: str, message: str
) -> None:
    page = host.tap("Result of table 3")
    gus, ann = choices(page, "Gus & Hal", "Ann & Cal")
    typed = {f"score-{gus}": "21", f"score-{ann}": score} | ({"winner": gus} if has_winner else {})

    page = page.send("/result", typed)

    assert (page.status, message in page.faults) == (422, True)
    fields = page.form("/result").fields
    assert (fields.get("winner") == gus, fields[f"score-{gus}"]) == (has_winner, "21")


def test_a_night_is_deleted_after_a_question_and_restored(host: Page, other_phone: Phone) -> None:
    seat = join_night(host, other_phone, name="Gus & Hal")
    invitation = night_invitation(host)
    question = open_night(host, "settings").tap("Delete this night")
    assert "This removes the night with its 8 pairs and 1 round from every phone" in question.text

    home = question.send("/delete")

    assert "Deleted: Pitch night" in home.text
    assert not home.offers("Pitch night Round 1 of 6")
    for page in ("", "seat", "wall", "list", "pairs", "settings", "phones"):
        shown = host.phone.client.get(f"{night_path(host)}/{page}", follow_redirects=True).text
        assert "This night was deleted" in shown
    watched = other_phone.client.get(seat.path, follow_redirects=True).text
    assert "This night was deleted" in watched
    assert "Restore" not in watched
    assert other_phone.open(f"{seat.path}?v=0", part=True).response.headers["HX-Redirect"]
    assert other_phone.open(invitation).status == 410

    host = home.send("/restore")

    assert "Who won at each table?" in host.text
    assert "sit at table 3 against Ann & Cal" in seat.open().text


def test_tables_that_have_not_two_pairs_are_refused(phone: Phone) -> None:
    seating = begin_night(phone, *EIGHT[:4]).tap("Place by hand")
    name = next(name for name in seating.form("/start").fields if name.startswith("table-"))

    page = seating.send("/start", {name: "2"})

    assert page.status == 422
    assert "Table 1 has 1 pair; it needs 2." in page.text


def test_the_settings_change_and_what_cannot_be_is_refused(host: Page) -> None:
    page = open_night(host, "settings").send("/settings", {"rounds": "8", "title": "Friday"})
    assert "Round 1 of 8" in page.text
    assert "Friday" in page.text
    assert not open_night(host, "wall").has("clock")
    for field, value, why in (("rounds", "none", "1 to 50 rounds"), ("minutes", "many", "up to 240 minutes")):
        refused = open_night(host, "settings").send("/settings", {field: value})
        assert (refused.status, why in refused.text) == (422, True)

    open_night(host, "settings").send("/settings", {"minutes": "20"})

    assert open_night(host, "wall").part("clock").text == "20 minutes left"


def test_the_verdict_of_a_match_at_a_table_is_its_result_until_it_is_undone(small: Page) -> None:
    match = small.tap("Keep the score of table 1")
    assert "Eve & Finn" in match.text
    assert match.tap("Menu").tap("Tables of the night").path == f"{night_path(small)}/"

    match = win_match(match, "p1")

    host = open_night(small)
    assert "Eve & Finn up to 2" in host.part("t1").text
    assert "24 to 0." in host.part("t1").text
    assert host.offers("Score of table 1")
    match.send("/undo")
    assert "still playing" in open_night(small).part("t1").text
    open_night(host, "delete").send("/delete")
    assert not match.open().tap("Menu").offers("Tables of the night")


def test_a_match_that_ends_after_the_next_round_has_started_moves_nobody_and_says_so(small: Page) -> None:
    match = small.tap("Keep the score of table 1")
    host = play_round(open_night(small), "Opal & Pete", "Bea & Dan")
    seats = [host.part(table).text for table in ("t1", "t2")]

    match = win_match(match, "p1")

    assert "Round 2 has started. The list of the night has this result, and nobody moves." in match.text
    host = open_night(small)
    assert [host.part(table).text for table in ("t1", "t2")] == seats
    assert "Corrected: Eve & Finn won at table 1 in round 1. Nobody moves." in host.text
    assert "Eve & Finn beat Opal & Pete" in open_night(small, "list").text

    open_night(host, "settings").send("/rounds/2/undo")

    assert "has started" not in match.open().text


def test_a_removed_phone_that_is_let_in_to_watch_is_never_in_to_score(host: Page, other_phone: Phone) -> None:
    seat = join_night(host, other_phone, "scorer", name="Ann & Cal")
    room = open_night(host, "phones")
    room.tap("Remove")

    with host.phone.client.application.app_context(), cut_off_before("UPDATE night_link SET role"):
        room.post("/phones/2", {"do": "watcher"})

    assert seat.open().status == 410


def test_a_removal_closes_the_codes_and_the_wall_shows_the_new_one(host: Page, other_phone: Phone) -> None:
    join_night(host, other_phone)
    poll_url = open_night(host, "wall").part("board").attrs["hx-get"]
    assert host.phone.open(poll_url, part=True).status == 204

    removed = open_night(host, "phones").tap("Remove")

    assert "is removed. The code that it could use is closed." in removed.text
    closed = host.phone.open(poll_url, part=True)
    assert not closed.all(class_="join")
    removed.tap("Open a new one")
    opened = host.phone.open(closed.part("board").attrs["hx-get"], part=True)
    assert opened.all(class_="join")


def test_it_is_printed_for_who_has_a_link(host: Page, other_phone: Phone) -> None:
    play_round(host, *FIRST)
    seat = join_night(host, other_phone)

    assert [seat.phone.open(f"/print?night={code}").status for code in (seat.code, "nothing")] == [200, 404]
    for kind, paper in (("tables", "a4"), ("list", "letter")):
        printed = host.phone.open(f"/print/sheet.pdf?night={host.code}&kind={kind}&paper={paper}")
        assert printed.response.data.startswith(b"%PDF")
