"""Every game that a night offers: what it leaves open is asked, and whoever wins the match has won the table."""

import pytest
from flask import Flask

from scorekeeper.club.nights.pages.views import night_games
from scorekeeper.database.engine import db
from scorekeeper.matches.service import load_match
from scorekeeper.pages.prints.views import match_score_sheet
from scorekeeper.pitch.records.result import Rulebook, score_record
from scorekeeper.pitch.text.phrases import AMERICAN
from scorekeeper.web.library import library
from tests.common.library import repeated
from tests.common.nights import begin_night, forget_what_was_agreed, night_path, seat_by_hand, win_hand, win_match
from tests.common.phone import Phone

GAMES = {ruleset.id: ruleset for ruleset in night_games()}
PLAYED = [it.id for it in repeated(GAMES.values(), 9)]
PAIRS = ("Ann & Cal", "Bea & Dan", "Eve & Gus", "Fay & Hal")
SIX_PLAYERS = ("colorado-six-player", "st-paul-schmier", "partnership-pitch-six")


@pytest.mark.parametrize("ruleset_id", PLAYED)
def test_whoever_wins_the_match_has_won_the_table(app: Flask, phone: Phone, ruleset_id: str) -> None:
    host = seat_by_hand(begin_night(phone, *PAIRS, rounds="1", variant=ruleset_id))
    path = night_path(host)

    for table, seat, winners, losers in ((1, "p3", "Ann & Cal", "Bea & Dan"), (2, "p2", "Fay & Hal", "Eve & Gus")):
        match = win_match(phone.open(f"{path}/").tap(f"Keep the score of table {table}"), seat)

        assert f"{winners} win" in match.text
        assert f"{winners} beat {losers}" in phone.open(f"{path}/list").text
        record = phone.client.get(f"{match.path}record.json").get_json()
        assert record.get("house", {}).keys() == {*GAMES[ruleset_id].open_options, *GAMES[ruleset_id].sheet.formerly}
        result = score_record(record, Rulebook(library()))
        assert (result["winners"], set(result["scores"])) == ([winners], {winners, losers})
        with app.test_request_context():
            sheet = match_score_sheet(load_match(db.session, match.path.split("/")[2]), AMERICAN)
        assert sheet.heading.startswith(f"{winners} win")

    assert "Fay & Hal win the night" in phone.open(f"{path}/").text


def test_only_games_that_seat_two_pairs_and_end_are_offered(phone: Phone) -> None:
    offered = phone.open("/nights/new").form("/nights/new").offered["variant"]

    assert offered == {"", *GAMES}
    assert offered.isdisjoint(SIX_PLAYERS)
    assert {"auction-pitch", "catch-five", "canadian-smear"} < offered


def test_what_a_game_leaves_open_is_asked_and_holds_at_the_table(phone: Phone) -> None:
    asked = phone.open("/nights/new").send(
        "/nights/new", {"title": "Friday", "rounds": "3", "variant": "auction-pitch"}
    )
    assert (asked.status, "Not started" in asked.text, "What score do you play to?" in asked.text) == (200, False, True)

    refused = asked.send("/nights/new", {"other-target": "many"}, press="Go on")
    assert (refused.status, refused.form("/nights/new").fields["other-target"]) == (422, "many")
    assert refused.faults == "Not started yet: one thing to fix Target: type a whole number from 1 to 1000."
    page = refused.send("/nights/new", {"other-target": "13"}, press="Go on")

    for pair in PAIRS[:2]:
        page = page.send("/pairs", dict(zip(("players-0", "players-1"), pair.split(" & "), strict=True)))
    assert "Friday" in page.text
    match = seat_by_hand(page).tap("Keep the score of table 1")
    assert "Auction Pitch, to 13" in match.text
    assert phone.client.get(f"{match.path}record.json").get_json()["house"] == {"target": 13}


def test_another_game_is_chosen_and_nothing_typed_is_lost(phone: Phone) -> None:
    typed = {"title": "Friday", "rounds": "3", "size": "2", "variant": "catch-five"}
    asked = phone.open("/nights/new").send("/nights/new", typed)
    form = asked.form("/nights/new")

    back = phone.post(form.action, {**form.fields, "house-target": "31", "do": "change"})

    fields = back.form("/nights/new").fields
    assert {name: fields[name] for name in typed} == typed
    again = back.send("/nights/new", {"variant": "auction-pitch"})
    assert again.form("/nights/new").fields["house-target"] == "31"


def test_answers_that_contradict_the_game_are_refused(phone: Phone) -> None:
    asked = phone.open("/nights/new").send("/nights/new", {"variant": "smear-five-point"})

    refused = asked.send("/nights/new", {"house-all_pass": "redeal", "other-min_bid": "99"}, press="Go on")

    assert (refused.status, "worth only 5" in refused.faults) == (422, True)


@pytest.mark.parametrize(("size", "variant"), [("3", "partnership-pitch"), ("1", "pedro"), ("2", "st-paul-schmier")])
def test_a_game_that_does_not_seat_those_who_play_together_is_refused_before_the_night(
    phone: Phone, size: str, variant: str
) -> None:
    form = phone.open("/nights/new").form("/nights/new")

    refused = phone.post(form.action, {**form.fields, "title": "Friday", "size": size, "variant": variant})

    assert (refused.status, f"does not seat {size} against {size}" in refused.faults) == (422, True)
    assert refused.form("/nights/new").fields["title"] == "Friday"


def test_a_night_of_an_earlier_version_goes_on_without_matches_that_cannot_end(app: Flask, phone: Phone) -> None:
    host = seat_by_hand(begin_night(phone, *PAIRS, rounds="2", variant="auction-pitch"))
    path = night_path(host)
    kept = host.tap("Keep the score of table 1")
    forget_what_was_agreed(app)

    page = phone.open(f"{path}/")

    assert (page.status, page.offers("Keep the score of table 2"), page.offers("Score of table 1")) == (
        200,
        False,
        True,
    )
    assert "No match of Auction Pitch can be kept at these tables. Tap who won." in page.text
    stale = phone.post(f"{path}/tables/2/match", host.form("/tables/2/match").fields)
    assert (stale.status, "No match can be kept here. Tap who won." in stale.text) == (422, True)
    assert win_hand(kept, "p1").path == kept.path


@pytest.mark.parametrize(
    ("size", "variant", "pairs"),
    [("1", "seven-up", ("Ann", "Bea")), ("3", "colorado-six-player", ("Ann & Cal & Eve", "Bea & Dan & Fay"))],
)
def test_sides_of_another_size_keep_a_match_of_a_game_that_seats_them(
    phone: Phone, size: str, variant: str, pairs: tuple[str, ...]
) -> None:
    form = phone.open("/nights/new").form("/nights/new")
    page = phone.post(form.action, {**form.fields, "size": size, "variant": variant})
    for pair in pairs:
        page = page.send("/pairs", {f"players-{place}": name for place, name in enumerate(pair.split(" & "))})

    host = seat_by_hand(page)
    win_match(host.tap("Keep the score of table 1"), "p2")

    assert f"{pairs[1]} beat {pairs[0]}" in phone.open(f"{night_path(host)}/list").text


@pytest.mark.parametrize("ruleset_id", ["canadian-smear", "auction-pitch"])
def test_play_again_seats_the_pairs_by_the_nights_rules_and_without_its_title(phone: Phone, ruleset_id: str) -> None:
    host = seat_by_hand(begin_night(phone, *PAIRS, variant=ruleset_id))
    match = win_match(host.tap("Keep the score of table 1"), "p2")
    assert "Round 1, table 1" in match.text

    asked = match.tap("Play again")
    again = asked.send(ruleset_id, press="Start")

    fields = asked.form(ruleset_id).fields
    assert fields["title"] == ""
    assert [fields[f"seat-{i}"] for i in range(4)] == ["Ann", "Bea", "Cal", "Dan"]
    assert "Round 1" not in again.text
    records = [phone.client.get(f"{it.path}record.json").get_json() for it in (match, again)]
    assert records[1].get("house") == records[0].get("house")
    assert (again.scores.keys(), "title" in records[1]) == (match.scores.keys(), False)
    win_match(again, "p1")
    assert "Bea & Dan beat Ann & Cal" in phone.open(f"{night_path(host)}/list").text


def test_play_again_keeps_a_title_that_the_table_gave_its_match(phone: Phone) -> None:
    host = seat_by_hand(begin_night(phone, *PAIRS, variant="partnership-pitch"))
    match = win_match(host.tap("Keep the score of table 1"), "p1")

    named = match.tap("Menu").tap("Names, date and place").send("/names", {"title": "Final"})

    assert named.tap("Play again").form("/partnership-pitch").fields["title"] == "Final"


def test_a_match_is_kept_between_partners_that_were_drawn(phone: Phone) -> None:
    said = {"mode": "singles", "rounds": "2", "variant": "partnership-pitch"}
    page = phone.open("/nights/new").send("/nights/new", said)
    if page.path == "/nights/new":
        answers = {name: min(offers) for name, offers in page.form("/nights/new").offered.items()}
        page = page.send("/nights/new", answers, press="Go on")
    host = page.send("/pairs", {"roster": "Ann\nBea\nCal\nDan"}).send("/start")
    winners = host.part("t1").all("button")[0].text

    match = win_match(host.tap("Keep the score of table 1"), "p3")

    assert f"{winners} win" in match.text
    assert f"{winners} won" in host.phone.open(f"{night_path(host)}/").part("t1").text
