"""An option that the other options make meaningless is not stored, printed or shown."""

from datetime import UTC, datetime
from typing import Any

import pytest
from flask import Flask

from scorekeeper.database.engine import db
from scorekeeper.matches import house_rules
from scorekeeper.matches.house_rules import HouseVersion
from scorekeeper.pitch.rules.house_rules import HouseRules
from scorekeeper.pitch.rules.share_codes import encode
from tests.common.importing import brought_in
from tests.common.phone import Page, Phone
from tests.pages.conftest import Begin

GAME = "colorado-ten-point"
ONE, MOOT = {"win_rule": "made_bid"}, {"win_rule": "made_bid", "tie_rule": "higher_score"}
OURS = HouseRules("Ours", GAME, MOOT)
TIE = "the better score wins"


def file_of(page: Page) -> str:
    """Return the file of the rules that a page shares."""
    return page.phone.open(f"{page.path.removesuffix('/share')}/rules.toml").response.text


def test_start_keeps_no_tie_rule_beside_a_made_bid(begin: Begin) -> None:
    match = begin(GAME, house_win_rule="made_bid", house_tie_rule="higher_score")

    assert match.record["house"] == ONE
    assert TIE not in match.open("rules").text


@pytest.mark.parametrize(("seats", "kept"), [(2, None), (3, "another_hand")])
def test_a_tie_that_needs_a_third_player_is_no_rule_of_two(phone: Phone, seats: int, kept: str | None) -> None:
    path = f"/new/cutthroat-pitch?seats={seats}&house-win_rule=first_to_target&house-score_on_made=nothing"
    match = phone.open(path).post("cutthroat-pitch", {"house-tie_rule": "another_hand", "do": "start"})

    assert match.record["house"].get("tie_rule") == kept


def test_a_share_code_opens_and_is_saved_without_it(phone: Phone) -> None:
    shown = phone.open(f"/rules?r={encode(OURS)}")
    saved = shown.send("/house/take")
    match = phone.open(f"/new/{GAME}?r={encode(OURS)}").send(GAME, press="Start")

    assert "House rules: 1 change" in shown.text
    assert TIE not in shown.text
    assert "tie_rule" not in file_of(saved)
    assert match.record["house"] == ONE


@pytest.fixture
def saved_before(app: Flask) -> str:
    """Save rules as they were saved before, with an answer that decides nothing."""
    with app.app_context():
        now = datetime.now(UTC)
        house = house_rules.add_house_rules(db.session, "before", "k", now)
        house_rules.add_version(db.session, house, HouseVersion(1, "k", now, "", OURS, False))
        db.session.commit()
    return "/house/before"


def test_rules_that_were_saved_with_it_open_without_it(phone: Phone, saved_before: str) -> None:
    editor, shared = phone.open(saved_before), phone.open(f"{saved_before}/share")

    assert editor.status == shared.status == 200
    assert "said-tie_rule" not in editor.form(saved_before).fields
    assert TIE not in shared.text
    assert "1 change" in shared.text


def test_the_editor_drops_it_when_another_answer_makes_it_so(phone: Phone) -> None:
    answers = {"said-tie_rule": "higher_score", "rule-win_rule": "made_bid", "do": "save"}

    saved = phone.open(f"/house/new?base={GAME}").post(f"/house/new?base={GAME}", answers)

    assert 'win_rule = "made_bid"' in file_of(saved)
    assert "tie_rule" not in file_of(saved)


def test_a_change_in_mid_match_keeps_none(begin: Begin) -> None:
    answers = {"rule-win_rule": "made_bid", "rule-tie_rule": "higher_score", "do": "save"}

    changed = begin(GAME).open("rules/change").post("/rules/change", answers)

    assert "wins only" in changed.text
    for page in (changed, changed.open("history"), changed.open("rules")):
        assert TIE not in page.text


def downloaded(**later: Any) -> dict[str, Any]:
    """Return a record as it was downloaded, with its day: both sides reach the target on the second hand."""
    hand = {"bidder": "Us", "bid": 5, "points": {"Us": 5, "Them": 5}}
    sides, start = [{"name": "Us"}, {"name": "Them"}], {"scores": {"Us": 33, "Them": 35}}
    record = {"variant": GAME, "house": MOOT, "sides": sides, "start": start, "played_on": "2026-01-02"}
    return {**record, "hands": [hand, {**hand, **later}]}


def test_a_match_that_was_kept_with_it_scores_as_before_and_does_not_print_it(phone: Phone) -> None:
    kept = brought_in(phone, downloaded())
    again = brought_in(phone, downloaded(house={"win_rule": "first_to_target"}))

    # Beside a made bid nobody was level with the bidder; once the rule for winning changed, the kept answer decided.
    assert kept.record["house"] == MOOT
    assert "We win" in kept.text
    assert "They win" in again.text
    assert TIE not in kept.open("rules").text
    assert TIE in again.open("rules").text
