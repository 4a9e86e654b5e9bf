"""An answer that decides nothing beside the others is not kept, printed or shown, however it comes in."""

from datetime import UTC, datetime
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.database.engine import db
from scorekeeper.matches import house_rules
from scorekeeper.matches.fold import Match
from scorekeeper.matches.house_rules import HouseVersion, house_of_code
from scorekeeper.matches.service import load_match
from scorekeeper.pitch.rules.codes import encode
from scorekeeper.pitch.rules.house_rules import HouseRules
from scorekeeper.web.library import library
from tests.common.importing import import_records
from tests.common.phone import Page, Phone
from tests.pages.conftest import Begin
from tests.pages.test_sharing_house_rules import keep

GAME = "colorado-ten-point"
ONE, MOOT = {"win_rule": "made_bid"}, {"win_rule": "made_bid", "tie_rule": "higher_score"}
OURS = HouseRules("Ours", GAME, MOOT)
TIE = "the better score wins"


def loaded(app: Flask, page: Page) -> Match:
    with app.app_context():
        return load_match(db.session, page.code)


def test_start_keeps_no_tie_rule_beside_a_made_bid(app: Flask, begin: Begin) -> None:
    match = begin(GAME, house_win_rule="made_bid", house_tie_rule="higher_score")

    assert loaded(app, match).setup.house == ONE
    assert TIE not in match.open("rules").text


@pytest.mark.parametrize(("seats", "kept"), [(2, None), (3, "another_hand")])
def test_a_tie_that_needs_a_third_player_is_no_rule_of_two(
    app: Flask, phone: Phone, seats: int, kept: str | None
) -> None:
    path = f"/new/cutthroat-pitch?seats={seats}&house-win_rule=first_to_target&house-score_on_made=nothing"
    match = phone.open(path).post("cutthroat-pitch", {"house-tie_rule": "another_hand", "do": "start"})

    assert loaded(app, match).setup.house.get("tie_rule") == kept


def test_a_share_code_opens_without_it(app: Flask, phone: Phone) -> None:
    told = phone.open(f"/rules?r={encode(OURS)}").text
    match = phone.open(f"/new/{GAME}?r={encode(OURS)}").send(GAME, press="Start")

    assert "House rules: 1 change" in told
    assert TIE not in told
    assert loaded(app, match).setup.house == ONE


def test_a_share_code_is_saved_without_it(app: Flask, client: FlaskClient) -> None:
    code = keep(client, OURS).removeprefix("/house/")

    with app.app_context():
        assert house_of_code(db.session, code).last.rules.options == ONE


@pytest.fixture
def saved_before(app: Flask) -> str:
    """Save rules as they were saved before, with an answer that decides nothing."""
    with app.app_context():
        now = datetime.now(UTC)
        house = house_rules.add_house(db.session, "before", "k", now)
        house_rules.add_version(db.session, house, HouseVersion(1, "k", now, "", OURS, False))
        db.session.commit()
    return "/house/before"


def test_rules_that_were_saved_with_it_open_without_it(phone: Phone, saved_before: str) -> None:
    editor, shared = phone.open(saved_before), phone.open(f"{saved_before}/share")

    assert editor.status == shared.status == 200
    assert "said-tie_rule" not in editor.form(saved_before).fields
    assert TIE not in shared.text
    assert "1 change" in shared.text


def test_the_editor_drops_it_when_another_answer_makes_it_so(app: Flask, client: FlaskClient) -> None:
    answers = {"said-tie_rule": "higher_score", "rule-win_rule": "made_bid", "do": "save", "client_key": "k"}
    saved = client.post(f"/house/new?base={GAME}", data=answers).headers["Location"]

    with app.app_context():
        assert house_of_code(db.session, saved.split("/")[2]).last.rules.options == ONE


def test_a_change_in_mid_match_keeps_none(app: Flask, begin: Begin) -> None:
    match = begin(GAME)
    form = match.open("rules/change").form("/rules/change")
    answers = {"rule-win_rule": "made_bid", "rule-tie_rule": "higher_score", "do": "save"}
    changed = match.phone.post(form.action, {**form.fields, **answers})

    assert loaded(app, changed).log.pending.house == ONE
    assert TIE not in changed.phone.open(f"{match.path}history").text


def downloaded(house: dict[str, Any], later: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return a record as it is downloaded, with its day: both sides reach the target on the second hand."""
    hands = [
        {"bidder": "Us", "bid": 5, "points": {"Us": 5, "Them": 5}},
        {"bidder": "Us", "bid": 5, "points": {"Us": 5, "Them": 5}} | ({"house": later} if later else {}),
    ]
    sides, scores = [{"name": "Us"}, {"name": "Them"}], {"Us": 33, "Them": 35}
    return {
        "format": "pitch-record/1",
        "variant": GAME,
        "house": house,
        "sides": sides,
        "start": {"scores": scores},
        "hands": hands,
        "played_on": "2026-01-02",
    }


def test_a_match_that_was_kept_with_it_scores_as_before_and_does_not_print_it(app: Flask, phone: Phone) -> None:
    with app.app_context():
        records = downloaded(MOOT), downloaded(MOOT, {"win_rule": "first_to_target"})
        codes = [match.code for match in import_records(db.session, library(), records)]
    kept, again = (phone.open(f"/matches/{code}/") for code in codes)

    # Beside a made bid nobody was level with the bidder; once the rule for winning changed, the kept answer decided.
    assert loaded(app, kept).setup.house == MOOT
    assert loaded(app, kept).state.winners == ("s1",)
    assert loaded(app, again).state.winners == ("s2",)
    assert TIE not in phone.open(f"{kept.path}rules").text
    assert TIE in phone.open(f"{again.path}rules").text
