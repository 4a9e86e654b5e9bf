"""Play every game that a night offers: its open options are chosen first, and who wins the match wins the table."""

import pytest
from flask import Flask

from scorekeeper.club.hosting.unused import delete_and_commit
from scorekeeper.club.nights.pages.views import rulesets_for_nights
from scorekeeper.database.engine import db
from scorekeeper.eventlog.cache import clear_all_caches
from tests.common.books import book_of
from tests.common.library import repeated
from tests.common.nights import begin_night, forget_what_was_agreed, open_night, seat_by_hand, win_hand, win_match
from tests.common.phone import Page, Phone

GAMES = {ruleset.id: ruleset for ruleset in rulesets_for_nights()}
PLAYED = [ruleset.id for ruleset in repeated(GAMES.values(), 9)]
PAIRS = ("Ann & Cal", "Bea & Dan", "Eve & Gus", "Fay & Hal")


@pytest.mark.parametrize("ruleset_id", PLAYED)
def test_whoever_wins_the_match_has_won_the_table(phone: Phone, ruleset_id: str) -> None:
    host = seat_by_hand(begin_night(phone, *PAIRS, rounds="1", variant=ruleset_id))

    for table, seat, winners, losers in ((1, "p3", "Ann & Cal", "Bea & Dan"), (2, "p2", "Fay & Hal", "Eve & Gus")):
        match = win_match(open_night(host).tap(f"Keep the score of table {table}"), seat)

        assert f"{winners} win" in match.text
        assert f"{winners} beat {losers}" in open_night(host, "list").text
        house = match.record.get("house", {})
        assert house.keys() == {*GAMES[ruleset_id].open_options, *GAMES[ruleset_id].sheet.formerly}

    assert "Fay & Hal win the night" in open_night(host).text


def choose_game(phone: Phone, variant: str, **fields: str) -> Page:
    """Choose the game of a night, and return the page that follows."""
    return phone.open("/nights/new").send("/nights/new", {"title": "Friday", "variant": variant, **fields})


def test_only_games_that_seat_two_pairs_and_end_are_offered(phone: Phone) -> None:
    offered = phone.open("/nights/new").form("/nights/new").offered["variant"]

    assert offered == {"", *GAMES}
    assert offered.isdisjoint({"colorado-six-player", "st-paul-schmier", "partnership-pitch-six"})
    assert {"auction-pitch", "catch-five", "canadian-smear"} < offered


def test_what_a_game_leaves_open_is_asked_and_holds_at_the_table(phone: Phone) -> None:
    setup = choose_game(phone, "auction-pitch")
    assert (setup.status, "Not started" in setup.text, "What score do you play to?" in setup.text) == (200, False, True)

    refused = setup.send("/nights/new", {"other-target": "many"}, press="Go on")
    assert (refused.status, refused.form("/nights/new").fields["other-target"]) == (422, "many")
    assert refused.faults == "Not started yet: one thing to fix Target: type a whole number from 1 to 1000."
    page = refused.send("/nights/new", {"other-target": "13"}, press="Go on")

    assert "Friday" in page.text
    host = seat_by_hand(page.send("/pairs", {"roster": "\n".join(PAIRS[:2])}))
    match = host.tap("Keep the score of table 1")
    assert "Auction Pitch, to 13" in match.text
    assert match.record["house"] == {"target": 13}


def test_another_game_is_chosen_and_nothing_typed_is_lost(phone: Phone) -> None:
    typed = {"rounds": "3", "size": "2"}
    setup = choose_game(phone, "catch-five", **typed)

    back = setup.post("/nights/new", {"house-target": "31", "do": "change"})

    fields = back.form("/nights/new").fields
    assert fields.items() >= {"title": "Friday", "variant": "catch-five", **typed}.items()
    again = back.send("/nights/new", {"variant": "auction-pitch"})
    assert again.form("/nights/new").fields["house-target"] == "31"


def test_answers_that_contradict_the_game_are_refused(phone: Phone) -> None:
    setup = choose_game(phone, "smear-five-point")

    refused = setup.send("/nights/new", {"house-all_pass": "redeal", "other-min_bid": "99"}, press="Go on")

    assert (refused.status, "worth only 5" in refused.faults) == (422, True)


@pytest.mark.parametrize(("size", "variant"), [("3", "partnership-pitch"), ("1", "pedro"), ("2", "st-paul-schmier")])
def test_a_game_that_does_not_seat_those_who_play_together_is_refused_before_the_night(
    phone: Phone, size: str, variant: str
) -> None:
    form = phone.open("/nights/new")

    refused = form.post("/nights/new", {"title": "Friday", "size": size, "variant": variant})

    assert (refused.status, f"does not seat {size} against {size}" in refused.faults) == (422, True)
    assert refused.form("/nights/new").fields["title"] == "Friday"


def test_a_night_of_an_earlier_version_goes_on_without_matches_that_cannot_end(app: Flask, phone: Phone) -> None:
    host = seat_by_hand(begin_night(phone, *PAIRS, rounds="2", variant="auction-pitch"))
    kept = host.tap("Keep the score of table 1")
    forget_what_was_agreed(app)

    page = open_night(host)

    offers = [page.offers(label) for label in ("Keep the score of table 2", "Score of table 1")]
    assert (page.status, offers) == (200, [False, True])
    assert "No match of Auction Pitch can be kept at these tables. Tap who won." in page.text
    stale = host.send("/tables/2/match")
    assert (stale.status, "No match can be kept here. Tap who won." in stale.text) == (422, True)
    assert win_hand(kept, "p1").path == kept.path


@pytest.mark.parametrize(
    ("size", "variant", "pairs"),
    [("1", "seven-up", ("Ann", "Bea")), ("3", "colorado-six-player", ("Ann & Cal & Eve", "Bea & Dan & Fay"))],
)
def test_sides_of_another_size_keep_a_match_of_a_game_that_seats_them(
    phone: Phone, size: str, variant: str, pairs: tuple[str, ...]
) -> None:
    page = phone.open("/nights/new").post("/nights/new", {"size": size, "variant": variant})

    host = seat_by_hand(page.send("/pairs", {"roster": "\n".join(pairs)}))
    win_match(host.tap("Keep the score of table 1"), "p2")

    assert f"{pairs[1]} beat {pairs[0]}" in open_night(host, "list").text


@pytest.mark.parametrize("ruleset_id", ["canadian-smear", "auction-pitch"])
def test_play_again_seats_the_pairs_by_the_nights_rules_and_without_its_title(phone: Phone, ruleset_id: str) -> None:
    host = seat_by_hand(begin_night(phone, *PAIRS, variant=ruleset_id))
    match = win_match(host.tap("Keep the score of table 1"), "p2")
    assert "Round 1, table 1" in match.text

    setup = match.tap("Play again")
    again = setup.send(ruleset_id, press="Start")

    fields = setup.form(ruleset_id).fields
    assert [fields["title"], *(fields[f"seat-{i}"] for i in range(4))] == ["", "Ann", "Bea", "Cal", "Dan"]
    assert "Round 1" not in again.text
    assert again.record.get("house") == match.record.get("house")
    assert (again.scores.keys(), "title" in again.record) == (match.scores.keys(), False)
    win_match(again, "p1")
    assert "Bea & Dan beat Ann & Cal" in open_night(host, "list").text


def test_play_again_keeps_a_title_that_the_table_gave_its_match(phone: Phone) -> None:
    host = seat_by_hand(begin_night(phone, *PAIRS, variant="partnership-pitch"))
    match = win_match(host.tap("Keep the score of table 1"), "p1")

    named = match.tap("Menu").tap("Names, date and place").send("/names", {"title": "Final"})

    assert named.tap("Play again").form("/partnership-pitch").fields["title"] == "Final"


def test_a_match_is_kept_between_partners_that_were_drawn_in_the_book_of_its_phone(phone: Phone) -> None:
    page = choose_game(phone, "partnership-pitch", mode="singles", rounds="2")
    host = page.send("/pairs", {"roster": "Ann\nBea\nCal\nDan"}).send("/start")
    winners = host.part("t1").all("button")[0].text

    match = win_match(host.tap("Keep the score of table 1"), "p3")

    assert f"{winners} win" in match.text
    assert f"{winners} won" in open_night(host).part("t1").text
    assert "Round 1, table 1" in book_of(phone).open("matches.csv").response.text


def test_a_match_with_the_id_of_an_erased_one_gives_its_result_to_its_own_table(app: Flask, phone: Phone) -> None:
    host = seat_by_hand(begin_night(phone, *PAIRS, variant="partnership-pitch"))
    win_match(host.tap("Keep the score of table 1"), "p1")
    with app.app_context():
        delete_and_commit(db.session, {"match": [1]})
        clear_all_caches()

    win_match(open_night(host).tap("Keep the score of table 2"), "p2")

    assert "Fay & Hal beat Eve & Gus" in open_night(host, "list").text
