"""A ladder night by its pages: seated, played, corrected, undone, and followed on other phones."""

import pytest
from flask import Flask

from scorekeeper.club.nights.service import load_night
from scorekeeper.database.engine import db
from tests.common.interleaving import cut_off_before
from tests.common.nights import (
    EIGHT,
    begin_night,
    join_night,
    night_invitation,
    night_path,
    play_round,
    seat_by_hand,
    tap_winner,
    win_match,
)
from tests.common.phone import Page, Phone


@pytest.fixture
def host(phone: Phone) -> Page:
    """Seat eight pairs at four tables by hand."""
    return seat_by_hand(begin_night(phone, *EIGHT))


FIRST = ("Opal & Pete", "Mia & Ned", "Ann & Cal", "Ida & Jon")


def test_a_night_begins_with_its_pairs_and_a_draw(phone: Phone) -> None:
    page = begin_night(phone, *EIGHT[:5])
    assert "5 pairs: one sits out each round" in page.text

    host = page.send("/start")

    assert "Round 1 of 6, 2 tables" in host.text
    assert "out this round, back at table 1." in host.text
    assert "Pitch night Round 1 of 6" in phone.open("/").text


def test_each_row_says_who_moves_and_a_second_tap_clears_it(host: Page) -> None:
    page = tap_winner(host, "Ida & Jon")
    assert "Ida & Jon stay, Kay & Lou down to 1" in page.part("t4").text
    page = tap_winner(page, "Ann & Cal")
    assert "Ann & Cal up to 4, Gus & Hal stay" in page.part("t3").text
    assert "2 of 4 in" in page.text
    assert "Tables 1 and 2 are still playing" in page.part("bottom_bar").text

    page = tap_winner(page, "Ann & Cal")

    assert "still playing: tap the winners" in page.part("t3").text


def test_a_round_starts_when_every_table_is_done_and_undo_takes_it_back(host: Page) -> None:
    page = play_round(host, *FIRST)
    assert "Round 2 of 6" in page.text
    assert "Ida & Jon" in page.part("t4").text
    assert "Ann & Cal" in page.part("t4").text

    page = page.send("/undo")

    assert "Round 1 of 6" in page.text
    assert "Start round 2" in page.part("bottom_bar").text
    assert "Round 2 of 6" in page.send("/redo").text


def test_a_form_of_an_earlier_page_is_shown_what_changed(host: Page) -> None:
    page = tap_winner(host, "Opal & Pete")
    later = tap_winner(page, "Mia & Ned")

    stale = page.send("/undo")

    assert stale.status == 409
    assert "Someone else wrote first" in stale.text
    assert "Start" not in later.part("bottom_bar").text


def test_who_won_is_not_written_over_what_the_page_did_not_show(host: Page) -> None:
    other = host.phone.open(f"{night_path(host)}/")
    tap_winner(host, "Opal & Pete")

    stale = tap_winner(other, "Eve & Finn")

    assert stale.status == 422
    assert "Someone else wrote first who won at table 1" in stale.text
    assert "Eve & Finn won at table 1" in tap_winner(tap_winner(stale, "Opal & Pete"), "Eve & Finn").text


def test_a_tap_of_a_round_that_is_over_moves_nobody(host: Page) -> None:
    page, other = host, host.phone.open(f"{night_path(host)}/")
    for name in FIRST:
        page = tap_winner(page, name)
    board = page.send("/rounds").part("board").text

    stale = tap_winner(other, next(name for name in EIGHT[:2] if name not in FIRST))

    assert stale.status == 422
    assert "Round 1 is over" in stale.text
    assert host.phone.open(f"{night_path(host)}/").part("board").text == board


def test_a_tap_of_the_winner_keeps_the_score_that_was_typed(host: Page) -> None:
    page = host.phone.open(f"{night_path(host)}/rounds/1/tables/1")
    form = page.form("/result")
    pairs = [name.removeprefix("score-") for name in form.fields if name.startswith("score-")]
    typed = {f"score-{pair}": str(number) for number, pair in enumerate(pairs, 20)}
    host.phone.post(form.action, {**form.fields, **typed, "winner": pairs[1]})

    page = tap_winner(host, "Opal & Pete")

    assert page.status == 200
    assert "21 to 20" in page.part("t1").text


def test_htmx_gets_the_board_alone(host: Page) -> None:
    row = host.part("t1").one("form")
    form = host.form(row.attrs["action"])
    winner = row.all("button")[0].attrs["value"]

    part = host.phone.post(form.action, {**form.fields, "winner": winner}, part=True)

    assert "<html" not in part.response.text
    assert part.has("board")
    assert part.has("bottom_bar")
    polled = host.phone.open(f"{night_path(host)}/?v=0", part=True)
    assert polled.has("board")
    with host.phone.client.application.app_context():
        version = load_night(db.session, night_path(host).split("/")[2]).night.version
    assert host.phone.open(f"{night_path(host)}/?v={version}", part=True).status == 204


def test_a_pair_finds_its_table_on_its_own_phone(host: Page, other_phone: Phone) -> None:
    seat = join_night(host, other_phone, name="Ann & Cal")
    assert "sit at table 3 against Gus & Hal" in seat.text

    page = host
    for name in FIRST:
        page = tap_winner(page, name)
    assert "You sit at table 3 until all are done." in other_phone.open(seat.path).text
    page.send("/rounds")

    seat = other_phone.open(seat.path)
    assert "You won, and move up" in seat.text
    assert "sit at table 4 the top table, against Ida & Jon" in seat.text


def test_whoever_watches_is_led_to_its_seat_and_may_say_who_it_is(host: Page, other_phone: Phone) -> None:
    seat = join_night(host, other_phone)
    assert seat.offers("Who are you?")
    assert other_phone.open(f"{night_path(seat)}/").response.headers["Location"] == seat.path

    which = seat.tap("Who are you?")
    uid = next(it.attrs["value"] for it in which.root.all("button") if it.text == "Kay & Lou")
    seat = other_phone.post(which.form("/pair").action, {**which.form("/pair").fields, "pair": uid})

    assert "sit at table 4 the top table, against Ida & Jon" in seat.text


def test_the_wall_shows_the_stairs_and_how_to_find_a_table(host: Page) -> None:
    path = night_path(host)
    host.phone.post(
        f"{path}/phones/invite", {**host.phone.open(f"{path}/phones").form("/invite").fields, "role": "watcher"}
    )
    wall = tap_winner(host, "Ann & Cal").tap("Show on TV")

    assert "Find your table" in wall.text
    assert "1 of 4 tables done" in wall.text
    assert "Table 3 Ann & Cal up to table 4 Gus & Hal stay" in wall.text
    assert "Whoever wins at table 4 in round 6 wins the night." in wall.text


def test_a_late_pair_plays_from_the_next_round_and_a_pair_leaves(host: Page) -> None:
    path = night_path(host)
    page = host.phone.open(f"{path}/pairs").send("/pairs", {"players-0": "Zoe", "players-1": "Yan"})
    assert "plays from the next round on" in page.text
    uid = next(it.attrs["action"] for it in page.root.all("form") if "Kay" in str([f.attrs for f in it.all("input")]))

    page = page.phone.post(uid, {**page.form(uid).fields, "do": "leave"})

    assert "left" in page.text
    assert "Kay & Lou left, so the others have won." in host.phone.open(f"{path}/").text


def test_a_list_is_pasted_whole_or_not_at_all_and_stays_where_it_was_refused(phone: Phone) -> None:
    page = begin_night(phone)
    said = "Ann & Cal\n\n Bea , Dan\nEve and Finn\nGus\tHal\n"
    page = page.send("/pairs", {"roster": f"{said}Ida / Ann"})
    assert "Ida & Ann: Ann plays already, in Ann & Cal." in page.faults
    assert page.form("/pairs").fields["roster"].strip() == f"{said}Ida / Ann"
    assert "Ida & Jo & Kay: 2 play together tonight." in page.send("/pairs", {"roster": "Ida, Jo, Kay\nA, B"}).faults
    assert not page.has_form("/pairs/1")

    page = page.send("/pairs", {"roster": said})

    assert "4 pairs, 2 tables" in page.text
    assert all("Remove" in page.text and name in page.text for name in ("Bea & Dan", "Eve & Finn", "Gus & Hal"))


def test_a_long_name_is_refused_and_not_cut(phone: Phone) -> None:
    page = begin_night(phone, "Ann & Cal")
    long = "Maximiliana von Hohenstein-Waldeck"

    refused = page.send("/pairs", {"players-0": long, "players-1": "Dan"})
    assert "“Maximiliana…” is longer than 24 letters: shorten it." in refused.faults
    assert refused.form("/pairs").fields["players-0"] == long

    refused = page.send("/pairs/1", {"players-0": long}, press="Save names")
    assert "Not saved yet" in refused.faults
    assert refused.form("/pairs/1").fields["players-0"] == long
    assert not refused.send("/pairs/1", press="Remove").has_form("/pairs/1")


def test_both_pairs_confirm_a_result_on_their_phones(host: Page, app: Flask) -> None:
    path = night_path(host)
    host.phone.open(f"{path}/settings").send("/settings", {"confirms": "yes", "fee": "Entry $5", "prizes": "The jar"})
    ann, gus, ida = (
        join_night(host, Phone(app.test_client()), name=name) for name in ("Ann & Cal", "Gus & Hal", "Ida & Jon")
    )
    assert "Tap who won. It counts once both pairs say the same." in ann.text

    def say(seat: Page, name: str) -> Page:
        seat = seat.phone.open(seat.path)
        form = seat.form("/seat/won")
        uid = next(it.attrs["value"] for it in seat.root.all("button") if it.text == f"{name} won")
        return seat.phone.post(form.action, {**form.fields, "winner": uid})

    assert "Ann & Cal say that they won. Waiting for Gus & Hal." in say(ann, "Ann & Cal").text
    assert "Waiting for Gus & Hal" in host.phone.open(f"{path}/").part("t3").text
    say(gus, "Gus & Hal")
    assert "The two phones differ: ask them, then tap who won." in host.phone.open(f"{path}/").part("t3").text
    assert "You sit at table 3 until all are done." in say(gus, "Ann & Cal").text
    assert "Ann & Cal up to 4" in host.phone.open(f"{path}/").part("t3").text

    which = ida.tap("Not you?")
    say(ida, "Ida & Jon")
    other = next(it.attrs["value"] for it in which.root.all("button") if it.text == "Kay & Lou")
    kay = ida.phone.post(which.form("/pair").action, {**which.form("/pair").fields, "pair": other})
    assert "This phone has said so for the others." in say(kay, "Ida & Jon").text
    results = host.phone.open(f"{path}/list").text
    assert "Entry $5" in results
    assert "The jar" in results


def test_a_round_has_a_clock_on_the_wall(host: Page) -> None:
    path = night_path(host)
    assert not host.phone.open(f"{path}/wall").has("clock")
    refused = host.phone.open(f"{path}/settings").send("/settings", {"minutes": "many"})
    assert "A round takes up to 240 minutes" in refused.text
    refused.send("/settings", {"minutes": "20"})

    assert host.phone.open(f"{path}/wall").part("clock").text == "20 minutes left"


def test_a_night_of_singles_is_won_by_wins(phone: Phone, other_phone: Phone) -> None:
    page = phone.open("/nights/new").send("/nights/new", {"rounds": "1", "mode": "singles"})
    page = page.send("/pairs", {"roster": "Ann & Bea\nCal\nDan\nEve"})
    assert "5 players: one sits out each round" in page.text
    assert not page.offers("Place by hand")
    host = page.send("/start")
    names = [it.text for it in host.part("t1").all("button")]
    player = names[0].split(" & ")[0]
    seat = join_night(host, other_phone, name=player)
    assert f"you play as {names[0]}" in seat.text
    asks = seat.tap("Not you?").text
    assert "Who are you?" in asks
    assert "pair" not in asks.lower()

    host = tap_winner(host, names[0])

    first, second = sorted(names[0].split(" & "))
    assert f"{first} and {second} tie for first" in host.part("bottom_bar").text
    assert "won" in other_phone.open(seat.path).part("board").text
    assert "By wins, then points." in phone.open(f"{night_path(host)}/list").text


def test_the_next_night_offers_who_came_to_the_last_one_and_the_book_lists_both(phone: Phone) -> None:
    host = play_round(
        seat_by_hand(begin_night(phone, *EIGHT[:4], title="First", rounds="1")), "Opal & Pete", "Mia & Ned"
    )
    page = begin_night(phone, title="Second")
    assert "Bea & Dan" in page.text

    page = page.phone.post(page.form("/pairs").action, {**page.form("/pairs").fields, "known": "Bea & Dan"})
    assert page.has_form("/pairs/1")
    assert phone.open("/").offers("All matches")

    nights = phone.open("/").tap("All matches").tap("Ladder nights")
    assert "1 Mia 1 night, won 1 night 1 of 1" in nights.text
    assert "Mia & Ned win the night" in nights.text
    assert nights.tap("First").response.headers["Location"] == f"{night_path(host)}/"
    assert "By points" not in nights.tap("By points").text
    spreadsheet = phone.open(f"{night_path(host)}/night.csv").response
    assert "First,1,2,Bea & Dan,Mia & Ned,Mia & Ned" in spreadsheet.text


def test_a_phone_and_a_reader_have_the_tables_of_the_wall_from_the_lowest_up(phone: Phone) -> None:
    pairs = [f"A{number} & B{number}" for number in range(24)]
    host = seat_by_hand(begin_night(phone, *pairs))

    tables = [it.one("b").text for it in phone.open(f"{night_path(host)}/wall").part("board").all("h2")[1:]]

    assert tables == [str(number) for number in range(1, 13)]


def test_a_correction_makes_two_pairs_trade_places_and_every_page_tells_of_it_and_of_an_undo(
    host: Page, other_phone: Phone
) -> None:
    seat = join_night(host, other_phone, name="Gus & Hal")
    path = night_path(play_round(host, *FIRST))
    page = host.phone.open(f"{path}/rounds/1/tables/3")
    moves = "Ann & Cal go to table 3 and Gus & Hal go to table 4"
    assert f"If you change it, {moves}: neither has started to play in this round." in page.text

    results = page.send("/result", {"winner": choice(page, "Gus & Hal")})

    assert "Gus & Hal beat Ann & Cal" in results.text
    shown = [results, *map(host.phone.open, (f"{path}/", f"{path}/wall")), other_phone.open(seat.path)]
    assert all(f"Corrected: Gus & Hal won at table 3 in round 1. {moves}." in page.text for page in shown)
    page = host.phone.open(f"{path}/")
    assert "Gus & Hal" in page.part("t4").text
    assert "Undo takes back the last change: Gus & Hal won at table 3 in round 1." in page.text
    page = page.send("/undo")
    assert "Undone: Gus & Hal won at table 3 in round 1. Look again where you sit." in page.text
    assert "Redo Gus & Hal won at table 3 in round 1" in page.text


def test_a_result_that_moves_others_than_the_host_was_told_is_asked_again(host: Page) -> None:
    path = night_path(play_round(host, *FIRST))
    page = host.phone.open(f"{path}/rounds/1/tables/3")
    tap_winner(host.phone.open(f"{path}/"), "Ida & Jon")

    asked = page.send("/result", {"winner": choice(page, "Gus & Hal")})

    assert asked.status == 422
    assert "Somebody has started to play since." in asked.faults
    assert "Nobody moves: one of the two has played since, or left." in asked.text
    assert "Gus & Hal beat Ann & Cal" in asked.send("/result").text


def choice(page: Page, name: str) -> str:
    """Return the value of the answer that has a name."""
    return next(it.one("input").attrs["value"] for it in page.root.all("label") if it.text == name)


def test_a_score_is_written_behind_the_row_and_shown_in_the_list(host: Page) -> None:
    path = night_path(host)
    page = host.tap("Result of table 3")
    uid, other = (choice(page, name) for name in ("Gus & Hal", "Ann & Cal"))

    host = page.send("/result", {"winner": uid, f"score-{uid}": "21", f"score-{other}": "−3"})

    assert "Gus & Hal up to 4, Ann & Cal stay 21 to −3." in host.part("t3").text
    assert "Gus & Hal beat Ann & Cal, 21 to −3" in host.phone.open(f"{path}/list").text
    assert host.tap("Result of table 3").form("/result").fields[f"score-{other}"] == "−3"


@pytest.mark.parametrize(
    ("winner", "typed", "said"),
    [
        ("Gus & Hal", ("21", ""), "Type both scores, or neither."),
        ("Gus & Hal", ("21", "many"), "A score goes from −999 to 999."),
        ("Gus & Hal", ("21", "1000"), "A score goes from −999 to 999."),
        ("", ("21", "2"), "Say who won as well as the score."),
    ],
)
def test_a_score_that_cannot_be_is_refused_and_what_was_typed_stays(
    host: Page, winner: str, typed: tuple[str, str], said: str
) -> None:
    page = host.tap("Result of table 3")
    uid, other = (choice(page, name) for name in ("Gus & Hal", "Ann & Cal"))
    won = {"winner": uid} if winner else {}

    page = page.send("/result", {**won, f"score-{uid}": typed[0], f"score-{other}": typed[1]})

    assert (page.status, said in page.faults) == (422, True)
    assert page.form("/result").fields.get("winner") == won.get("winner")
    assert page.form("/result").fields[f"score-{uid}"] == "21"


def test_a_night_is_deleted_after_a_question_and_restored(host: Page, other_phone: Phone) -> None:
    seat = join_night(host, other_phone, name="Gus & Hal")
    invitation = night_invitation(host)
    path = night_path(host)
    asked = host.phone.open(f"{path}/settings").tap("Delete this night")
    assert "This removes the night with its 8 pairs and 1 round from every phone" in asked.text

    home = asked.send("/delete")

    assert "Pitch night is deleted." in home.text
    assert not home.offers("Pitch night Round 1 of 6")
    for page in ("", "seat", "wall", "list", "pairs", "settings", "phones"):
        shown = host.phone.client.get(f"{path}/{page}", follow_redirects=True).text
        assert "This night was deleted" in shown
    watched = other_phone.client.get(seat.path, follow_redirects=True).text
    assert "This night was deleted" in watched
    assert "Restore" not in watched
    assert other_phone.open(f"{seat.path}?v=0", part=True).response.headers["HX-Redirect"]
    assert other_phone.open(invitation).status == 410

    host = home.send("/restore")

    assert "Who won at each table?" in host.text
    assert "sit at table 3 against Ann & Cal" in other_phone.open(seat.path).text


@pytest.mark.parametrize("room", ["nights", "matches", "books"])
def test_an_address_without_its_slash_leads_to_the_one_with_it(phone: Phone, room: str) -> None:
    found = phone.open(f"/{room}/nothing")

    assert (found.status, found.response.headers["Location"]) == (308, f"http://localhost/{room}/nothing/")


def test_numbers_of_tables_that_will_change_are_not_promised(host: Page) -> None:
    path = night_path(host)
    for pair in (("Zoe", "Yan"), ("Sue", "Tom")):
        host.phone.open(f"{path}/pairs").send("/pairs", {"players-0": pair[0], "players-1": pair[1]})

    page = tap_winner(host.phone.open(f"{path}/"), "Ann & Cal")

    assert "Ann & Cal up a table, Gus & Hal stay" in page.part("t3").text
    assert "From the next round on there is a new table 1" in page.text
    assert "From the next round on there is a new table 1" in host.phone.open(f"{path}/wall").text


def test_whoever_stayed_hears_of_new_numbers_and_the_end_says_nothing_of_the_round_before(
    phone: Phone, other_phone: Phone
) -> None:
    host = seat_by_hand(begin_night(phone, *EIGHT[:4], rounds="2"))
    seat = join_night(host, other_phone, name="Eve & Finn")
    for pair in (("Zoe", "Yan"), ("Sue", "Tom")):
        phone.open(f"{night_path(host)}/pairs").send("/pairs", {"players-0": pair[0], "players-1": pair[1]})
    page = play_round(phone.open(f"{night_path(host)}/"), "Opal & Pete", "Mia & Ned")

    assert "You stay. The tables have new numbers" in other_phone.open(seat.path).text

    play_round(page, "Zoe & Yan", "Eve & Finn", "Mia & Ned")
    over = other_phone.open(seat.path).text
    assert "Mia & Ned win the night." in over
    assert "You stay" not in over


def test_tables_that_have_not_two_pairs_are_refused(phone: Phone) -> None:
    seating = begin_night(phone, *EIGHT[:4]).tap("Place by hand")
    name = next(it for it in seating.form("/start").fields if it.startswith("table-"))

    page = seating.send("/start", {name: "2"})

    assert page.status == 422
    assert "Table 1 has 1 pair; it needs 2." in page.text


def test_a_night_that_ends_early_can_be_resumed(host: Page) -> None:
    path = night_path(play_round(host, *FIRST))

    page = host.phone.open(f"{path}/settings").tap("End the night early")
    assert "Ida & Jon win the night" in page.text

    page = host.phone.open(f"{path}/settings").tap("Resume the night")
    assert "still playing" in page.part("bottom_bar").text


def test_the_number_of_rounds_changes_and_what_cannot_be_is_refused(host: Page) -> None:
    path = night_path(host)
    page = host.phone.open(f"{path}/settings").send("/settings", {"rounds": "8", "title": "Friday"})
    assert "Round 1 of 8" in page.text
    assert "Friday" in page.text

    refused = host.phone.open(f"{path}/settings").send("/settings", {"rounds": "none"})

    assert (refused.status, "1 to 50 rounds" in refused.text) == (422, True)


def test_the_verdict_of_a_match_at_a_table_is_its_result(phone: Phone) -> None:
    host = seat_by_hand(begin_night(phone, *EIGHT[:4], variant="partnership-pitch"))
    match = host.tap("Keep the score of table 1")
    assert "Eve & Finn" in match.text
    assert match.tap("Menu").tap("Tables of the night").path == f"{night_path(host)}/"

    win_match(match, "p1")

    assert "Eve & Finn up to 2" in phone.open(f"{night_path(host)}/").part("t1").text
    assert "24 to 0." in phone.open(f"{night_path(host)}/").part("t1").text
    assert phone.open(f"{night_path(host)}/").offers("Score of table 1")


def test_a_match_that_ends_after_the_next_round_has_started_moves_nobody_and_says_so(phone: Phone) -> None:
    host = seat_by_hand(begin_night(phone, *EIGHT[:4], variant="partnership-pitch"))
    match = host.tap("Keep the score of table 1")
    host = play_round(phone.open(f"{night_path(host)}/"), "Opal & Pete", "Bea & Dan")
    seats = [host.part(table).text for table in ("t1", "t2")]

    match = win_match(match, "p1")

    assert "Round 2 has started. The list of the night has this result, and nobody moves." in match.text
    host = phone.open(f"{night_path(host)}/")
    assert [host.part(table).text for table in ("t1", "t2")] == seats
    assert "Corrected: Eve & Finn won at table 1 in round 1. Nobody moves." in host.text
    assert "Eve & Finn beat Opal & Pete" in phone.open(f"{night_path(host)}/list").text


def test_undoing_the_last_hand_takes_the_result_away_again(phone: Phone) -> None:
    host = seat_by_hand(begin_night(phone, *EIGHT[:4], variant="partnership-pitch"))
    match = host.tap("Keep the score of table 1")
    match = win_match(match, "p1")

    match.send("/undo")

    assert "still playing" in phone.open(f"{night_path(host)}/").part("t1").text


def test_a_removed_phone_that_is_let_in_to_watch_is_never_in_to_score(host: Page, other_phone: Phone) -> None:
    seat = join_night(host, other_phone, "scorer", name="Ann & Cal")
    room = host.phone.open(f"{night_path(host)}/phones")
    link = room.form("/phones/2")
    room.tap("Remove")

    with host.phone.client.application.app_context(), cut_off_before("UPDATE night_link SET role"):
        host.phone.post(link.action, {**link.fields, "do": "watcher"})

    assert other_phone.open(seat.path).status == 410


def test_a_removal_closes_the_codes_and_the_wall_shows_the_new_one(host: Page, other_phone: Phone) -> None:
    join_night(host, other_phone)
    wall = host.phone.open(f"{night_path(host)}/wall")
    asks = wall.part("board").attrs["hx-get"]
    assert host.phone.open(asks, part=True).status == 204

    said = host.phone.open(f"{night_path(host)}/phones").tap("Remove")

    assert "is removed. The code that it could use is closed." in said.text
    closed = host.phone.open(asks, part=True)
    assert not closed.root.all(class_="join")
    said.tap("Open a new one")
    opened = host.phone.open(closed.part("board").attrs["hx-get"], part=True)
    assert opened.root.all(class_="join")


def test_it_is_printed(host: Page, app: Flask) -> None:
    path = night_path(play_round(host, *FIRST)).split("/")[2]
    page = host.phone.open(f"/print?night={path}")

    assert page.status == 200
    for kind in ("tables", "list"):
        for paper in ("a4", "letter"):
            printed = host.phone.client.get(f"/print/sheet.pdf?night={path}&kind={kind}&paper={paper}")
            assert printed.data.startswith(b"%PDF")
